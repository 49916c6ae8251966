"""Goes on with a run whose calls are all decided, on any replica (agent/R1, agent/R2, agent/L1).

Read `Resume.next`: claim, look again at everything that could have changed since the approval, run, go on.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

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
from axhub.agent.ports.effects import Clock
from axhub.agent.ports.runs import RunStore
from axhub.agent.ports.tools import Tool
from axhub.agent.usecases.dispatch import Dispatch, Planned
from axhub.agent.usecases.kept import Kept
from axhub.agent.usecases.lease import LEASE_SECONDS, held
from axhub.agent.usecases.loop import Loop
from axhub.agent.usecases.offering import Offering
from axhub.agent.usecases.rows import Refusal

__all__ = ["Resume"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


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
    ) -> None:
        self._offering = offering
        self._store = store
        self._loop = loop
        self._dispatch = dispatch
        self._clock = clock
        self._kept: Kept[Outcome | None] = Kept()

    async def next(self) -> Outcome | None:
        """Go on with one run that is ready; None if none is. A caller that is cancelled leaves the run going on.

        Raises:
            LostLeaseError: another process has taken it over.
            ToolAbortedError: the error policy hands a tool's exception over.
        """
        return await self._kept.done(self._next())

    async def drain(self) -> None:
        """Wait until what was taken up has ended or waits."""
        await self._kept.drain()

    async def _next(self) -> Outcome | None:
        begun = await self._store.claim_ready(LEASE_SECONDS)
        if begun is None:
            return None
        async with held(self._store, self._clock, begun.run.id):
            return await self._go_on(begun)

    async def _go_on(self, begun: Begun[A]) -> Outcome:
        run = begun.run
        now = await self._offering.now(run.agent, run.actor)
        tools = {name: tool for name, tool in now.items() if run.offered.get(name) == tool.definition.digest}
        offer = self._offering.frozen(tools, run.agent, run.actor)
        if run.turn is None:
            return await self._loop.run(begun, offer)
        if [call.request_id for call in run.calls] != [request.id for request in run.turn.calls]:
            return await self._loop.stop(begun, StopReason.FAILED)  # rows are missing, and nothing runs without one
        planned = [self._planned(run, call, said, tools) for call, said in zip(run.calls, run.turn.calls, strict=True)]
        return await self._loop.go_on(begun, run.turn, planned, offer)

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
        arguments = _unchanged(call, said, tool)
        if arguments is None:
            return Planned(call, refusal=_refusal(call, Rejection.CHANGED))
        return self._dispatch.planned(run, call, tool, arguments)


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
