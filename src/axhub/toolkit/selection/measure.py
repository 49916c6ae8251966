"""Ranks queries against what tools say about themselves, and sums it up: R@1, R@3, confusions, neighbours.

A query is ranked against the texts of the tools alone. Example queries are in no text, not even those of other tools:
what they share is how people ask ("알려줘"), which would pull queries to the wrong tool.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from axhub.toolkit.selection.likeness import Likeness, units
from axhub.toolkit.selection.missing import missing_words
from axhub.toolkit.selection.queries import Asked, Described
from axhub.toolkit.selection.ranking import Ranking

__all__ = ["ENOUGH", "Measurement", "Near", "Ranked", "measured"]

ENOUGH: Final = 3
"""A tool among that many first ones is found: a model is shown more than one."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What became of one query."""

    asked: Asked
    rank: int
    """Of its own tool, from 1. A tie counts against it: what two texts answer alike is not decided."""
    first: str
    """The tool that answers best; with a tie the other one."""
    missing: tuple[str, ...]
    """Words of the query that the own tool's text lacks; empty where the own tool is first."""


class Near(NamedTuple):
    """The tool whose text has most in common with another's."""

    tool: str
    share: float
    """Of the units of both texts, from 0 to 1."""


@dataclass(frozen=True)
class Measurement:
    """How well the queries find their tools."""

    tools: tuple[str, ...]
    """All that were ranked, ascending."""
    ranked: tuple[Ranked, ...]
    """One for each query, in their order."""
    nearest: Mapping[str, Near]
    """By tool; a tool that has nothing in common with any other is left out."""

    def recall(self, first: int, tool: str | None = None) -> float | None:
        """Return the share of queries whose tool is among the `first` ones; None without queries.

        Args:
            first: 1 for R@1.
            tool: only of its queries.
        """
        ranks = self.ranks(tool)
        return sum(rank <= first for rank in ranks) / len(ranks) if ranks else None

    def ranks(self, tool: str | None = None) -> tuple[int, ...]:
        """Return the rank of each query's own tool, or only those of one tool's queries."""
        return tuple(one.rank for one in self.ranked if tool in {None, one.asked.tool})

    @cached_property
    def confusion(self) -> Mapping[tuple[str, str], int]:
        """How many queries of a tool (first name) have which tool first (second name), ascending; no zeros."""
        return dict(sorted(Counter((one.asked.tool, one.first) for one in self.ranked).items()))

    @cached_property
    def mutual(self) -> tuple[tuple[str, str], ...]:
        """Pairs of tools each of which is first for a query of the other; the names of a pair ascending."""
        found = self.confusion
        return tuple((one, other) for one, other in found if one < other and (other, one) in found)


@lru_cache(maxsize=1)
def measured(tools: tuple[Described, ...], queries: tuple[Asked, ...]) -> Measurement:
    """Rank each query against all tools.

    Args:
        tools: names are unique.
        queries: of these tools.
    """
    texts = {tool.name: tool.text for tool in tools}
    ranking = Ranking(texts)
    likeness = Likeness({name: units(text) for name, text in texts.items()})
    near = {name: found for name in sorted(texts) if (found := _nearest(likeness, name)) is not None}
    return Measurement(tuple(sorted(texts)), tuple(_ranked(ranking, texts, queries)), near)


def _ranked(ranking: Ranking, texts: Mapping[str, str], queries: Iterable[Asked]) -> Iterable[Ranked]:
    for asked in queries:
        scores = ranking.scores(asked.query)
        own = scores.pop(asked.tool)
        rank = 1 + sum(score >= own for score in scores.values())
        if rank == 1:
            yield Ranked(asked, rank, asked.tool, ())
        else:
            best = max(sorted(scores), key=scores.__getitem__)
            yield Ranked(asked, rank, best, missing_words(asked.query, texts[asked.tool]))


def _nearest(likeness: Likeness, name: str) -> Near | None:
    found = [Near(other, overlap.share) for other, overlap in likeness.beside(name)]
    return max(found, key=lambda near: near.share, default=None)
