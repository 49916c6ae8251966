"""Okapi BM25 over characters and pairs of them: which texts answer to a query, best first."""

from collections import Counter
from collections.abc import Mapping
from math import log
from typing import Final

from axhub.toolkit.selection.grams import grams

__all__ = ["Ranking"]

_SATURATION: Final = 1.2
"""k1: how soon it stops to matter how often something stands in a text."""
_LENGTH: Final = 0.75
"""b: how much a long text is discounted. Both are the values that search engines ship."""


class Ranking:
    """An index of texts by name."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._names = tuple(texts)
        counts = [Counter(grams(text)) for text in texts.values()]
        lengths = [counted.total() for counted in counts]
        average = sum(lengths) / len(lengths) if any(lengths) else 1.0
        self._weights: dict[str, list[tuple[int, float]]] = {}
        """What each gram adds to the score of each text that has it."""
        holders = Counter(gram for counted in counts for gram in counted)
        rarity = {gram: log(1 + (len(counts) - held + 0.5) / (held + 0.5)) for gram, held in holders.items()}
        for at, counted in enumerate(counts):
            discount = _SATURATION * (1 - _LENGTH + _LENGTH * lengths[at] / average)
            for gram, count in counted.items():
                weight = rarity[gram] * count * (_SATURATION + 1) / (count + discount)
                self._weights.setdefault(gram, []).append((at, weight))

    def scores(self, query: str) -> dict[str, float]:
        """Return how well each text answers to a query, by name; 0 for one that shares nothing with it."""
        scores = [0.0] * len(self._names)
        for gram in grams(query):
            for at, weight in self._weights.get(gram, ()):
                scores[at] += weight
        return dict(zip(self._names, scores, strict=True))
