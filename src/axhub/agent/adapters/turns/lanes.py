"""Streamed fragments of calls to whole calls (agent/L9).

Servers that call themselves compatible differ in what a fragment carries: no id or an empty one after the first, the id
and the name again in each, no index, or the index 0 for every call. So a fragment belongs to:

- the call at its index, unless both have ids and these differ: then it begins another one;
- without an index: the call with its id; without an id too, a new one if it has a name, or else the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from axhub.agent.domain.messages import CallRequest

__all__ = ["MOST_CALLS", "Fragment", "Lanes", "with_ids"]

MOST_CALLS: Final = 256
"""Of one streamed answer; one with more is read no further, since putting it together would stop everybody else."""


@dataclass(slots=True)
class _Lane:
    """One call while it comes."""

    number: int
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a fragment adds to its call."""

    lane: int
    """Number of the call in the response, from 0."""
    id: str | None
    """None: nothing new."""
    name: str | None
    """The piece to append; None: nothing new."""
    arguments: str


class Lanes:
    """The calls of one response."""

    def __init__(self) -> None:
        self._lanes: list[_Lane] = []
        self._at: dict[int, _Lane] = {}

    def add(self, index: int | None, id_: str | None, name: str | None, arguments: str | None) -> Fragment:
        """Take a fragment.

        Args:
            index: the server's; None: it sent none.
            id_: empty counts as none.
            name: as above.
            arguments: the piece of JSON text; None: no piece.
        """
        lane = self._lane(index, id_ or "", name or "")
        new_id = None if lane.id or not id_ else id_
        lane.id = lane.id or id_ or ""
        piece = name if name and name != lane.name else None
        lane.name += piece or ""
        lane.arguments.append(arguments or "")
        return Fragment(lane.number, new_id, piece, arguments or "")

    def calls(self) -> tuple[CallRequest, ...]:
        """Return the calls so far; one that never got an id has a made one."""
        return with_ids([CallRequest(lane.id, lane.name, "".join(lane.arguments)) for lane in self._lanes])

    @property
    def is_full(self) -> bool:
        """Whether there are more calls than are read."""
        return len(self._lanes) > MOST_CALLS

    def _lane(self, index: int | None, id_: str, name: str) -> _Lane:
        lane = self._at.get(index) if index is not None else self._without_index(id_, name)
        if lane is None or (index is not None and _is_another(lane, id_, name)):
            lane = _Lane(len(self._lanes))
            self._lanes.append(lane)
        if index is not None:
            self._at[index] = lane
        return lane

    def _without_index(self, id_: str, name: str) -> _Lane | None:
        if id_:
            return next((lane for lane in self._lanes if lane.id == id_), None)
        return self._lanes[-1] if self._lanes and not name else None


def with_ids(calls: Sequence[CallRequest]) -> tuple[CallRequest, ...]:
    """Return calls with ids: one that has none gets one that no other call of the answer has."""
    used = {call.id for call in calls}
    made = (id_ for number in count(1) if (id_ := f"call-{number}") not in used)
    return tuple(call if call.id else replace(call, id=next(made)) for call in calls)


def _is_another(lane: _Lane, id_: str, name: str) -> bool:
    """Say whether a fragment at the index of a call begins another one: by its id, or by a name after arguments."""
    if id_ and lane.id:
        return id_ != lane.id
    return bool(name and lane.name and name != lane.name and any(lane.arguments))
