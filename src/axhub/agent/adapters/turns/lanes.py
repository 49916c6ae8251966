"""Streamed fragments of calls to whole calls (agent/L9).

Servers that call themselves compatible differ in what a fragment carries: no id or an empty one after the first, the id
and the name again in each, no index, or the index 0 for every call. So a fragment belongs to:

- the call at its index, unless both have ids and these differ: then it begins another one;
- without an index: the call with its id; without an id too, a new one if it has a name, or else the last.
"""

from dataclasses import dataclass, field

from axhub.agent.domain.messages import CallRequest

__all__ = ["Fragment", "Lanes"]


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
        return tuple(
            CallRequest(lane.id or f"call-{lane.number + 1}", lane.name, "".join(lane.arguments))
            for lane in self._lanes
        )

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


def _is_another(lane: _Lane, id_: str, name: str) -> bool:
    """Say whether a fragment at the index of a call begins another one: by its id, or by a name after arguments."""
    if id_ and lane.id:
        return id_ != lane.id
    return bool(name and lane.name and name != lane.name and any(lane.arguments))
