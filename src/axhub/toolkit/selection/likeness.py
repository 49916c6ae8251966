"""How much texts have in common, all pairs at once: a text is a set of units, and a set is a number with their bits."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

__all__ = ["COMMON_WORDS", "Likeness", "Overlap", "stem", "units"]

_LATIN: Final = re.compile(r"[a-z][a-z0-9]+")
_HANGUL: Final = re.compile(r"[가-힣]+")
_ENDING: Final = re.compile(r"(?<=[a-z0-9]{3})(?:ing|ed|es|s)$")
_COMMON_TEXT: Final = """
    a about after all also an and any are as ask asks at be been before by can customer did do does for from get
    gets give given gives has have how if in into is it its let list lists long look looks many me much my need needs
    not of off on one only or other our out over people return returns say says search shall should show shows so some
    somebody tell tells than that the their them then there these they this those through to tool up use used user uses
    want wants was were what when where whether which while who whom whose why will with within without would you
    your
"""
COMMON_WORDS: Final = frozenset(_COMMON_TEXT.split())
"""English words that say nothing about what a tool is for."""


class Overlap(NamedTuple):
    """What two texts have in common, in units."""

    common: int
    all: int
    """Those of either text."""
    hangul: int
    """Those of them that are pairs of Hangul syllables."""

    @property
    def share(self) -> float:
        """How much of both is common, from 0 to 1."""
        return self.common / self.all


def units(*texts: str) -> frozenset[str]:
    """Return what texts are made of: words of Latin letters, and pairs of Hangul syllables, since Korean inflects."""
    folded = [text.casefold() for text in texts]
    latin = {word for text in folded for word in _LATIN.findall(text)} - COMMON_WORDS
    hangul = ["".join(_HANGUL.findall(text)) for text in folded]
    pairs = {word[at : at + 2] for word in hangul for at in range(len(word) - 1)}
    return frozenset({stem(word) for word in latin} | pairs)


def stem(word: str) -> str:
    """Return a word of Latin letters without the ending that most often makes the difference."""
    return _ENDING.sub("", word)


class Likeness:
    """Compares texts with each other."""

    def __init__(self, made_of: Mapping[str, frozenset[str]]) -> None:
        places: dict[str, int] = {}
        for found in made_of.values():
            for unit in found:
                places.setdefault(unit, len(places))
        self._hangul = _bits(at for unit, at in places.items() if _HANGUL.match(unit))
        self._sets = {name: _bits(map(places.__getitem__, found)) for name, found in sorted(made_of.items())}

    def beside(self, name: str) -> Iterator[tuple[str, Overlap]]:
        """Yield each other text that has something in common with one, by its name, ascending."""
        own = self._sets[name]
        for other, theirs in self._sets.items():
            if other != name and (common := own & theirs):
                both = own | theirs
                yield other, Overlap(common.bit_count(), both.bit_count(), (both & self._hangul).bit_count())


def _bits(places: Iterable[int]) -> int:
    """Return the number in which the bits at these places are set."""
    mask = 0
    for at in places:
        mask |= 1 << at
    return mask
