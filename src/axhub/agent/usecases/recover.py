"""Keeps runs from staying where a process died or a person forgot them (agent/L6, agent/R4, agent/I2).

Read `Recover.once`: what nobody decided on expires; what a dead process worked on is taken over, its running calls are
of unknown outcome and never run again; what the use cases know of those is looked up by key. What cannot be read is
passed over, and made known.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Generic, TypeVar

from axhub.agent.domain import results
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallEvent, CallState
from axhub.agent.domain.definition import Effect
from axhub.agent.domain.errors import NeverKnownError
from axhub.agent.domain.messages import CallResult, ResultKind
from axhub.agent.domain.records import CallRecord, RunRecord
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.effects import Clock, Ids, Observer
from axhub.agent.ports.runs import Lost, LostCall, LostLeaseError, RunStore, Unreadable
from axhub.agent.usecases.auditing import entry_of
from axhub.agent.usecases.dispatch import Dispatch
from axhub.agent.usecases.lease import LEASE_SECONDS, held
from axhub.agent.usecases.offering import Offering
from axhub.agent.usecases.passed_over import PassedOver

__all__ = ["Recover"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")

_ATTEMPTS: Final = 3
"""How often a run is taken over before it stops: what kills its process may be the run itself."""
_BATCH: Final = 50
_LOOK_UP_SECONDS: Final = 5.0


class Recover(Generic[C, A]):
    """The use case; called now and then by each process."""

    def __init__(
        self,
        *,
        offering: Offering[C, A],
        store: RunStore[A],
        dispatch: Dispatch[A],
        clock: Clock,
        ids: Ids,
        observer: Observer,
        passed_over: PassedOver,
    ) -> None:
        self._offering = offering
        self._store = store
        self._dispatch = dispatch
        self._clock = clock
        self._ids = ids
        self._observer = observer
        self._passed_over = passed_over

    async def once(self) -> bool:
        """Do what is due; say whether runs are ready to go on."""
        is_ready = await self._store.expire() > 0
        while (lost := await self._store.take_over(LEASE_SECONDS)) is not None:
            is_ready |= await self._taken_over(lost)
        doubtful = await self._store.unknown(_BATCH)
        await self._look_up((one.run, one.call) for one in doubtful if isinstance(one, LostCall))
        for one in doubtful:
            if isinstance(one, Unreadable):
                self._passed_over.damaged(one)
        for run_id in await self._store.newer(_BATCH):
            self._passed_over.newer(run_id)
        return is_ready

    async def _taken_over(self, lost: Lost[A] | Unreadable) -> bool:
        """Look after one run of a dead process; say whether it goes on."""
        if isinstance(lost, Unreadable):
            self._passed_over.damaged(lost)
            return False
        try:
            async with held(self._store, self._clock, lost.run):
                return await self._given_back(lost)
        except LostLeaseError:
            return False  # it took too long, and another process has it

    async def _given_back(self, lost: Lost[A]) -> bool:
        """Let a run go on that a dead process had, with what can be known of its calls; say whether it does."""
        if lost.run.attempts > _ATTEMPTS:
            audit = [entry_of(lost.run, AuditAction.RUN_ENDED, outcome=StopReason.INTERRUPTED.value)]
            await self._store.end(lost.run, None, StopReason.INTERRUPTED, audit)
            return False
        await self._look_up((lost.run, call) for call in lost.run.calls if call.state is CallState.UNKNOWN)
        await self._store.give_back(lost.run)
        return True

    async def _look_up(self, calls: Iterable[tuple[RunRecord[A], CallRecord]]) -> None:
        """Ask the use cases what became of calls; one that cannot tell keeps no other waiting."""
        await asyncio.gather(*(self._look_up_one(run, call) for run, call in calls))

    async def _look_up_one(self, run: RunRecord[A], call: CallRecord) -> None:
        """Ask the use case what became of a call; where it cannot tell, the call stays unknown and is asked again."""
        try:
            async with asyncio.timeout(_LOOK_UP_SECONDS):
                await self._resolve(run, call)
        except NeverKnownError:
            self._passed_over.for_a_person(call)
        except Exception as error:  # noqa: BLE001 -- the lookup is tried again, after a pause that grows
            self._observer.fault(self._ids.new(), error, run=run.id, call=call.id, tool=call.tool)

    async def _resolve(self, run: RunRecord[A], call: CallRecord) -> None:
        tool = await self._offering.known(call.tool)
        if tool is None:
            raise LookupError(f"{call.tool}: no source has this tool any more")
        is_read = tool.definition.effect is Effect.READ or call.key is None
        found = None if is_read else await self._dispatch.look_up(run, call, tool)
        event = CallEvent.FIND_NOTHING if found is None else CallEvent.FIND_DONE
        kind = ResultKind.ERROR if found is None else ResultKind.OK
        text, full = (
            (results.failed(call.id), None) if found is None else self._dispatch.fitted(found, call, tool.definition)
        )
        result = CallResult(call.request_id, call.tool, kind, text, "" if full is None else full.id)
        entry = entry_of(run, AuditAction.CALL_ENDED, call, outcome=event.value)
        await self._store.resolve(replace(call, result=result), event, entry, full)
