"""Goes on with a run whose calls are all decided, on any replica (agent/R1, agent/R2, agent/L1).

Read `Resume.next`: claim, look again at everything that could have changed since the approval, run, go on.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Generic, NamedTuple, TypeVar

from axhub.agent.domain import results
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.batch import Rejection
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.canonical import digest, read_arguments
from axhub.agent.domain.errors import ArgumentsError
from axhub.agent.domain.messages import CallRequest, CallResult, ResultKind
from axhub.agent.domain.outcomes import Outcome
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.current_actor import CurrentActor
from axhub.agent.ports.effects import Clock
from axhub.agent.ports.runs import RunStore, Unreadable
from axhub.agent.ports.tools import Tool
from axhub.agent.usecases.dispatch import Dispatch, Planned
from axhub.agent.usecases.kept import Kept
from axhub.agent.usecases.lease import LEASE_SECONDS, held
from axhub.agent.usecases.loop import Loop, Offer
from axhub.agent.usecases.offering import Offering
from axhub.agent.usecases.passed_over import PassedOver
from axhub.agent.usecases.rows import Refusal

__all__ = ["Resume"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")

_PREPARE_SECONDS: Final = 30.0
"""For the policy and for who somebody is by now; a run that could not ask them runs nothing."""


class _Ready(NamedTuple, Generic[A]):
    """A run with what holds of it now."""

    begun: Begun[A]
    offer: Offer[A]
    """Of the tools that it was offered, and that are the same now."""


class Resume(Generic[C, A]):
    """The use case; one an application."""

    def __init__(
        self,
        *,
        offering: Offering[C, A],
        store: RunStore[A],
        loop: Loop[A],
        dispatch: Dispatch[A],
        clock: Clock,
        passed_over: PassedOver,
        current: CurrentActor[A] | None = None,
    ) -> None:
        self._offering = offering
        self._store = store
        self._loop = loop
        self._dispatch = dispatch
        self._clock = clock
        self._passed_over = passed_over
        self._current = current
        self._kept: Kept[Outcome | None] = Kept()

    async def next(self, on_taken: Callable[[], None] | None = None) -> Outcome | None:
        """Go on with one run that is ready; None if none is. A caller that is cancelled leaves the run going on.

        Args:
            on_taken: is told as soon as there is one.

        Raises:
            LostLeaseError: another process has taken it over.
            ToolAbortedError: the error policy hands a tool's exception over.
        """
        return await self._kept.done(self._next(on_taken))

    async def drain(self) -> None:
        """Wait until what was taken up has ended or waits."""
        await self._kept.drain()

    async def _next(self, on_taken: Callable[[], None] | None) -> Outcome | None:
        if not self._offering.is_ready:
            return None  # what it was approved for cannot be looked at here yet
        while isinstance(begun := await self._store.claim_ready(LEASE_SECONDS), Unreadable):
            self._passed_over.damaged(begun)
        if begun is None:
            return None
        if on_taken is not None:
            on_taken()
        async with held(self._store, self._clock, begun.run):
            return await self._go_on(begun)

    async def _go_on(self, begun: Begun[A]) -> Outcome:
        try:
            async with asyncio.timeout(_PREPARE_SECONDS):
                begun, offer = await self._ready(begun)
            planned = self._all_planned(begun.run, offer)
        except Exception as error:  # noqa: BLE001 -- the application's code: it fails closed
            return await self._loop.failed(begun, error)
        if begun.run.turn is None:
            return await self._loop.run(begun, offer)
        if planned is None:
            return await self._loop.stop(begun, StopReason.FAILED)
        return await self._loop.go_on(begun, begun.run.turn, planned, offer)

    def _all_planned(self, run: RunRecord[A], offer: Offer[A]) -> list[Planned[A]] | None:
        """Return what is to happen to a held response; None: rows are missing, and nothing runs without one."""
        said = () if run.turn is None else run.turn.calls
        if [call.request_id for call in run.calls] != [request.id for request in said]:
            return None
        return [self._planned(run, call, one, offer.tools) for call, one in zip(run.calls, said, strict=True)]

    async def _ready(self, begun: Begun[A]) -> _Ready[A]:
        """Ask again who acts and what the policy allows (agent/R2, agent/A6)."""
        run = begun.run
        actor = run.actor if self._current is None else await self._current(run.actor)
        if actor is None:
            return _Ready(begun, self._offering.nothing())
        if (actor.user_id, actor.tenant_id) != (run.actor.user_id, run.actor.tenant_id):
            raise ValueError("current() returned somebody else")
        now = await self._offering.now(run.agent, actor)
        offer = self._offering.frozen(_still(run, now.tools), run.agent, actor)
        return _Ready(replace(begun, run=replace(run, actor=actor, policy_version=now.policy_version)), offer)

    def _planned(
        self, run: RunRecord[A], call: CallRecord, said: CallRequest, tools: Mapping[str, Tool[A]]
    ) -> Planned[A]:
        """Return what is to happen to one call of a held response."""
        if call.result is not None:
            return Planned(call)
        if call.state not in {CallState.APPROVED, CallState.PROPOSED}:
            return Planned(replace(call, result=_told(call)))
        tool = tools.get(call.tool)
        if tool is None:
            return Planned(call, refusal=_refusal(call, Rejection.NOT_ALLOWED))
        arguments = _unchanged(call, said, tool) if call.sha256 == call.proposed_sha256 else None
        if arguments is None:
            return Planned(call, refusal=_refusal(call, Rejection.CHANGED))
        return self._dispatch.planned(run, call, tool, arguments)


def _still(run: RunRecord[A], now: Mapping[str, Tool[A]]) -> Mapping[str, Tool[A]]:
    """Return the tools that a run was offered, and that are the same now."""
    return {name: tool for name, tool in now.items() if run.offered.get(name) == tool.definition.digest}


def _refusal(call: CallRecord, reason: Rejection) -> Refusal:
    return Refusal(reason, CallResult(call.request_id, call.tool, ResultKind.DENIED, results.refused()))


def _told(call: CallRecord) -> CallResult:
    """Return the result of a call that nobody let run, or that a dead process ran (agent/R4, agent/L6)."""
    if call.state is CallState.UNKNOWN:
        return CallResult(call.request_id, call.tool, ResultKind.UNKNOWN, results.unknown_outcome(call.id))
    text = results.denied(call.comment) if call.state is CallState.DENIED else results.expired()
    return CallResult(call.request_id, call.tool, ResultKind.DENIED, text)


def _unchanged(call: CallRecord, said: CallRequest, tool: Tool[Any]) -> Mapping[str, Any] | None:
    """Return the stored arguments if they, and the tool they are for, are what was approved; else None.

    A row that was edited together with its hash does not fit what the model asked for, which is stored elsewhere.
    """
    if tool.definition.digest != call.digest or said.name != call.tool:
        return None
    try:
        arguments: dict[str, Any] = json.loads(call.arguments)
        if not digest(arguments) == call.sha256 == digest(read_arguments(said.arguments)):
            return None
        tool.read(arguments)
    except (ValueError, ArgumentsError):
        return None
    return arguments
