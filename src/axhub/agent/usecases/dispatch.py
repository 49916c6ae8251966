"""Runs the calls of one response: intent, effect, outcome (agent/L4 to L6, agent/I2, agent/I3).

A write runs only after its intent is stored, and reads need no more than their outcome. Each call ends as exactly one
result, whatever becomes of its siblings. Read `Dispatch.all` first.
"""

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Generic, NamedTuple, TypeVar

from axhub.agent.domain import results
from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.batch import Rejection
from axhub.agent.domain.calls import CallEvent, CallState, after, business_key
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import OutcomeUnknownError, ToolError
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, CallResult, ResultKind
from axhub.agent.domain.outcomes import ToolAbortedError
from axhub.agent.domain.records import CallRecord, RunRecord
from axhub.agent.domain.results import Fitted, FullResult
from axhub.agent.ports.effects import Clock, Ids, Noted, Observer
from axhub.agent.ports.running import running
from axhub.agent.ports.runs import Busy, LostLeaseError, RunStore, Settled, StoreUnavailableError
from axhub.agent.ports.tools import Tool
from axhub.agent.usecases.auditing import entry_of, intent_of
from axhub.agent.usecases.lease import LEASE_SECONDS
from axhub.agent.usecases.rows import Refusal

__all__ = ["BrokenOffError", "Dispatch", "Dispatched", "ErrorPolicy", "Planned"]

A = TypeVar("A", bound=Actor)

_RECONCILE_SECONDS: Final = 2.0
_BUSY: Final = "The same thing is being done already, or its outcome is not known. Do not call it again."


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """Which exceptions of tools end the run and reach the caller (agent/L5); all others are told neutrally."""

    aborts: tuple[type[Exception], ...] = ()
    abort_all: bool = False
    """Every exception but `ToolError` does."""

    def is_abort(self, error: BaseException) -> bool:
        """Say whether it ends the run."""
        return isinstance(error, Exception) and (self.abort_all or isinstance(error, self.aborts))


@dataclass(frozen=True, slots=True)
class Planned(Generic[A]):
    """One call that is about to run, or that has its result already."""

    call: CallRecord
    tool: Tool[A] | None = None
    """None: `call` has its result, or `refusal` says why it will not run."""
    arguments: Mapping[str, Any] | None = None
    refusal: Refusal | None = None


class Dispatched(NamedTuple, Generic[A]):
    """What came of a response."""

    run: RunRecord[A]
    results: tuple[CallResult, ...]
    """In the model's order."""
    is_direct: bool
    """Whether the results are the answer (agent/L3)."""
    aborted: ToolAbortedError | None
    """What the caller gets instead, by the error policy (agent/L5); its cause is the tool's exception."""


class BrokenOffError(Exception, Generic[A]):
    """Something broke while a response ran; the cause says what. Calls that ran have no outcome in the store."""

    def __init__(self, run: RunRecord[A]) -> None:
        """Take the run as the store has it now."""
        super().__init__(run.id)
        self.run = run


class _Ended(NamedTuple):
    event: CallEvent
    kind: ResultKind
    text: str
    reference: str = ""
    error: BaseException | None = None
    """What the caller is to get."""
    full: FullResult | None = None
    """The whole, if the text was cut."""


class Dispatch(Generic[A]):
    """The use case; one an application."""

    def __init__(
        self,
        *,
        store: RunStore[A],
        clock: Clock,
        ids: Ids,
        observer: Observer,
        errors: ErrorPolicy,
        kept_result_bytes: int,
    ) -> None:
        self._store = store
        self._kept_result_bytes = kept_result_bytes
        self._clock = clock
        self._ids = ids
        self._observer = observer
        self._errors = errors

    async def all(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        planned: Sequence[Planned[A]],
        counters: Counters,
        deadline: float = math.inf,
    ) -> Dispatched[A]:
        """Run all calls of a response and store how they ended.

        Args:
            run: whose response it is.
            message: the response.
            planned: its calls.
            counters: of the run.
            deadline: on the monotonic clock; no call begins after it, and each is cut off at it (agent/L2).

        Raises:
            LostLeaseError: another process has the run; nothing has run, or its outcome is stored.
            StoreUnavailableError: the store is away.
            BrokenOffError: whatever else, once intents are stored.
        """
        audit = [intent_of(run, one.call, one.tool.definition) for one in planned if one.tool is not None]
        if any(_needs_intent(one) for one in planned):
            calls = [_running(one) for one in planned]
            run, busy = await self._store.intend(run, message, calls, counters, audit, LEASE_SECONDS)
            planned, audit = _without(planned, busy), []
        try:
            planned, ended = await self._ended_in_order(run, planned, deadline)
            return await self._settled(run, message, list(zip(planned, ended, strict=True)), counters, audit)
        except (LostLeaseError, StoreUnavailableError):
            raise
        except Exception as error:
            raise BrokenOffError(run) from error

    async def _settled(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[tuple[Planned[A], _Ended | None]],
        counters: Counters,
        audit: list[AuditEntry],
    ) -> Dispatched[A]:
        """Store how the calls of a response ended."""
        planned, ended = [one for one, _ in calls], [end for _, end in calls]
        settled = [self._with_mark(_settled(one, end)) for one, end in calls]
        audit += [_outcome(run, one, end.call) for one, end in zip(planned, settled, strict=True) if end.event]
        try:
            run = await self._store.settle(run, message, settled, counters, audit, LEASE_SECONDS)
        except LostLeaseError as error:
            for call_id in error.late:  # what people were told of it meanwhile may be wrong
                self._observer.fault(self._ids.new(), error, run=run.id, call=call_id)
            raise
        given = tuple(one.call.result for one in settled if one.call.result is not None)
        direct = [one.tool is not None and one.tool.definition.return_direct for one in planned]
        is_direct = all(direct) and all(one.kind is ResultKind.OK for one in given)
        return Dispatched(run, given, is_direct, _aborted(run, planned, ended))

    def _with_mark(self, one: Settled) -> Settled:
        """Return a call with the mark that its result keeps in the history (agent/L7)."""
        result = one.call.result
        if result is None:
            return one
        return replace(one, call=replace(one.call, result=results.with_mark(result, self._ids.new)))

    async def _ended_in_order(
        self, run: RunRecord[A], planned: Sequence[Planned[A]], deadline: float
    ) -> tuple[list[Planned[A]], list[_Ended | None]]:
        """Run calls in the model's order: reads that stand side by side at once, each write by itself (AG-S4).

        Returns:
            The calls, with a refusal of those for which no time was left, and how each ended.
        """
        begun: list[Planned[A]] = []
        ended: list[_Ended | None] = []
        for _, some in groupby(planned, lambda one: one.call.position if _is_write(one) else None):
            is_over = self._clock.monotonic() >= deadline
            group = [_too_late(one) if is_over else one for one in some]
            ended += await asyncio.gather(*(self._ended(run, one, deadline) for one in group))
            begun += group
        return begun, ended

    async def _ended(self, run: RunRecord[A], one: Planned[A], deadline: float) -> _Ended | None:
        """Return how a call ended; None if it had its result before."""
        if one.refusal is not None:
            self._observer.note(Noted.REJECTED, run=run.id, reason=one.refusal.reason.value)
            return _Ended(CallEvent.REFUSE, one.refusal.result.kind, one.refusal.result.text)
        if one.tool is None:
            return None
        began = self._clock.monotonic()
        ended = await self._run(run, one, one.tool, deadline)
        seconds = self._clock.monotonic() - began
        self._observer.note(Noted.CALL, tool=one.call.tool, kind=ended.kind.value, seconds=seconds, run=run.id)
        return ended

    async def _run(self, run: RunRecord[A], one: Planned[A], tool: Tool[A], deadline: float) -> _Ended:
        """Run a call; whatever its tool does, one end of it comes out, and its siblings go on."""
        call, definition = one.call, tool.definition
        context = self.context_of(run, call, definition)
        context = replace(context, deadline=min(context.deadline, deadline))
        try:
            async with asyncio.timeout(context.deadline - self._clock.monotonic()):
                with running(call.id if definition.effect is Effect.WRITE else None):
                    text = await tool.call(tool.read(one.arguments or {}), context)
            return self._done(text, call, definition)
        except ToolError as error:
            told = self.fitted(results.told(error.code, error.public_message), call, definition)
            return _Ended(CallEvent.FAIL, ResultKind.ERROR, told.text, full=told.full)
        except (TimeoutError, OutcomeUnknownError) as error:
            return await self._failed(run, call, tool, error, is_over=False)
        except Exception as error:  # noqa: BLE001 -- a tool may raise anything, and its siblings go on
            return await self._failed(run, call, tool, error, is_over=True)
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            return await self._failed(run, call, tool, error, is_over=False)  # something in the tool was, not the run

    async def _failed(
        self, run: RunRecord[A], call: CallRecord, tool: Tool[A], error: BaseException, *, is_over: bool
    ) -> _Ended:
        """Return how a call ended that gave no result.

        Args:
            run: whose call it is.
            call: with its key.
            tool: what it called.
            error: what came instead.
            is_over: the tool has ended, so what its use case does not know by its key did not happen; else a write may
                still take effect after this, and only a found result ends the doubt.
        """
        reference, abort = self._noted(run, call, error)
        is_read = tool.definition.effect is Effect.READ
        found = None if is_read else await self._found(run, call, tool)
        if isinstance(found, str):
            return self._done(found, call, tool.definition, reference, abort)
        if found is None and (is_over or is_read):
            return _Ended(CallEvent.FAIL, ResultKind.ERROR, results.failed(reference), reference, abort)
        return _Ended(CallEvent.LOSE, ResultKind.UNKNOWN, results.unknown_outcome(reference), reference, abort)

    def _done(
        self,
        text: str,
        call: CallRecord,
        definition: ToolDefinition,
        reference: str = "",
        abort: BaseException | None = None,
    ) -> _Ended:
        told = self.fitted(text, call, definition)
        return _Ended(CallEvent.SUCCEED, ResultKind.OK, told.text, reference, abort, told.full)

    def fitted(self, text: str, call: CallRecord, definition: ToolDefinition) -> Fitted:
        """Return a result as the model reads it; the whole of one that is cut is kept under the id of its call."""
        return results.fitted(text, call.id, definition.max_result_bytes, self._kept_result_bytes)

    async def _found(self, run: RunRecord[A], call: CallRecord, tool: Tool[A]) -> str | Exception | None:
        """Return what the use case knows of a write: a result, nothing (it did not happen), or why it cannot tell."""
        try:
            async with asyncio.timeout(_RECONCILE_SECONDS):
                return await self.look_up(run, call, tool)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the outcome is not known
            return error

    async def look_up(self, run: RunRecord[A], call: CallRecord, tool: Tool[A]) -> str | None:
        """Return what the use case knows of a write by its key; None: it did not happen, and will not.

        Raises:
            OutcomeUnknownError: that cannot be told yet.
        """
        arguments = tool.read(json.loads(call.arguments))
        return await tool.outcome(arguments, self.context_of(run, call, tool.definition))

    def planned(self, run: RunRecord[A], call: CallRecord, tool: Tool[A], arguments: Mapping[str, Any]) -> Planned[A]:
        """Return a call that may run, with its business key (agent/I1); a read has none, and a write without has to go.

        Args:
            run: whose call it is.
            call: without a key.
            tool: what it calls.
            arguments: as they are stored, or about to be.
        """
        definition = tool.definition
        if definition.effect is Effect.READ:
            return Planned(call, tool, arguments)
        try:
            own = tool.key_of(tool.read(arguments), self.context_of(run, call, definition))
            key = business_key(run.actor.tenant_id, definition.name, own)
        except Exception as error:  # noqa: BLE001 -- the author's code; one call of a batch must not end them all
            reference, _ = self._noted(run, call, error)
            result = CallResult(call.request_id, call.tool, ResultKind.ERROR, results.failed(reference))
            return Planned(call, refusal=Refusal(Rejection.NO_KEY, result))
        return Planned(replace(call, key=key), tool, arguments)

    def context_of(self, run: RunRecord[A], call: CallRecord, definition: ToolDefinition) -> CallContext[A]:
        """Return the hidden context of a call."""
        deadline = self._clock.monotonic() + definition.timeout_seconds
        return CallContext(run.actor, run.id, call.id, call.key, run.trace_id, deadline)

    def _noted(self, run: RunRecord[A], call: CallRecord, error: BaseException) -> tuple[str, BaseException | None]:
        """Tell the observer; return the reference that is given out, and the exception if it ends the run."""
        reference = self._ids.new()
        self._observer.fault(reference, error, run=run.id, call=call.id, tool=call.tool)
        return reference, error if self._errors.is_abort(error) else None


def _is_cancelled() -> bool:
    """Say whether this task is told to end; else a cancellation came from within what it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _is_write(one: Planned[A]) -> bool:
    return one.tool is not None and one.tool.definition.effect is Effect.WRITE


def _needs_intent(one: Planned[A]) -> bool:
    """Say whether a call must be stored before it runs: a write, or one that a person approved."""
    return _is_write(one) or (one.tool is not None and one.call.needs_approval)


def _running(one: Planned[A]) -> CallRecord:
    """Return a call as its intent is stored: running, if it will."""
    return one.call if one.tool is None else replace(one.call, state=after(one.call.state, CallEvent.DISPATCH))


def _without(planned: Sequence[Planned[A]], busy: Sequence[Busy]) -> list[Planned[A]]:
    """Return the calls, with a refusal of those that may not run now."""
    ids = {one.call_id for one in busy}
    done = {one.call.key for one in planned if one.tool is not None and one.call.id not in ids}
    return [Planned(one.call, refusal=_busy(one.call, done)) if one.call.id in ids else one for one in planned]


def _busy(call: CallRecord, done: AbstractSet[str | None]) -> Refusal:
    """Refuse a call: another call of its response does the same, or one whose end nobody knows here."""
    if call.key in done:
        return Refusal(Rejection.REPEATED, CallResult(call.request_id, call.tool, ResultKind.ERROR, results.once()))
    return Refusal(Rejection.BUSY, CallResult(call.request_id, call.tool, ResultKind.UNKNOWN, _BUSY))


def _too_late(one: Planned[A]) -> Planned[A]:
    """Refuse a call that has not begun."""
    if one.tool is None:
        return one
    told = CallResult(one.call.request_id, one.call.tool, ResultKind.ERROR, results.no_time())
    return Planned(one.call, refusal=Refusal(Rejection.NO_TIME, told))


def _settled(one: Planned[A], ended: _Ended | None) -> Settled:
    if ended is None:
        return Settled(one.call, None)
    full_id = "" if ended.full is None else ended.full.id
    result = CallResult(one.call.request_id, one.call.tool, ended.kind, ended.text, full_id)
    before = one.call.state if ended.event is CallEvent.REFUSE else CallState.RUNNING
    state = after(before, ended.event)
    return Settled(replace(one.call, state=state, result=result, reference=ended.reference), ended.event, ended.full)


def _outcome(run: RunRecord[A], one: Planned[A], call: CallRecord) -> AuditEntry:
    if one.refusal is not None:
        return entry_of(run, AuditAction.CALL_REJECTED, call, outcome=one.refusal.reason.value)
    return entry_of(run, AuditAction.CALL_ENDED, call, outcome=call.state.value, reference=call.reference)


def _aborted(
    run: RunRecord[A], planned: Sequence[Planned[A]], ended: Sequence[_Ended | None]
) -> ToolAbortedError | None:
    """Return what ends the run, of several the first in the model's order."""
    for one, end in zip(planned, ended, strict=True):
        if end is not None and end.error is not None:
            aborted = ToolAbortedError(run.id, one.call.tool, end.reference)
            aborted.__cause__ = end.error
            return aborted
    return None
