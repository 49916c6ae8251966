"""What this process can do nothing about, made known: each once, and counted; none of it keeps another waiting."""

from typing import Final

from axhub.agent.domain.records import CallRecord
from axhub.agent.ports.effects import Ids, Noted, Observer
from axhub.agent.ports.runs import Unreadable

__all__ = ["PassedOver"]

_MOST: Final = 10_000
"""Runs and calls that are remembered as told."""


class PassedOver:
    """What was told; one a process."""

    def __init__(self, ids: Ids, observer: Observer) -> None:
        self._ids = ids
        self._observer = observer
        self._told: set[str] = set()

    def damaged(self, one: Unreadable) -> None:
        """Tell of a run that should be readable: what is stored is damaged, or the application's codec refuses it."""
        if self._is_new(one.run_id):
            self._observer.note(Noted.UNREADABLE, run=one.run_id, reason="damaged")
            self._observer.fault(self._ids.new(), one.error, run=one.run_id)

    def newer(self, run_id: str) -> None:
        """Tell of a run that waits for a newer version; if that has been taken back, it waits for ever."""
        if self._is_new(run_id):
            self._observer.note(Noted.UNREADABLE, run=run_id, reason="newer_version")

    def for_a_person(self, call: CallRecord) -> None:
        """Tell of a call whose outcome no tool can find out: it blocks its key until a person settles it."""
        if self._is_new(call.id):
            self._observer.note(Noted.CALL_FOR_A_PERSON, call=call.id, tool=call.tool)

    def _is_new(self, id_: str) -> bool:
        if id_ in self._told:
            return False
        if len(self._told) >= _MOST:
            self._told.clear()
        self._told.add(id_)
        return True
