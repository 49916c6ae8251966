"""Flow 3: the tool loop (agent/A6, agent/L1 to L9, decision/D15).

Read `Loop.run` from top to bottom: ask the model, judge the whole batch, hold it for a person or run it, and again.
The model decides nothing but what to call with which arguments; every bound, set and check is applied here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeVar

from axhub.agent.domain import results
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import ApprovalPolicy
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.batch import Accepted, Batch, Rejected, check_batch
from axhub.agent.domain.definition import ToolDefinition
from axhub.agent.domain.limits import Counters, Limits
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallResult,
    Message,
    ResultsMessage,
    ToolSchema,
    TurnRequest,
    UserMessage,
)
from axhub.agent.domain.outcomes import Answered, Outcome, Stopped, Waiting
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.runs import StopReason
from axhub.agent.domain.untrusted import legible, tidied
from axhub.agent.ports.effects import Clock, Ids, Noted, Observer
from axhub.agent.ports.runs import RunStore
from axhub.agent.ports.tools import Tool
from axhub.agent.ports.turns import ModelRefusedError, ModelUnavailableError, Turns
from axhub.agent.usecases.auditing import entry_of, intent_of
from axhub.agent.usecases.dispatch import Dispatch, Planned
from axhub.agent.usecases.rows import held_row, new_row, refusal_of

__all__ = ["Loop", "LoopSettings", "Offer"]

A = TypeVar("A", bound=Actor)

_UNREACHED: Final = (ModelUnavailableError, TimeoutError)
"""What tells that a model cannot be had now."""


@dataclass(frozen=True, slots=True)
class Offer(Generic[A]):
    """The executable set of a run."""

    tools: Mapping[str, Tool[A]]
    """Frozen when the run began (agent/A6)."""
    allowed: Callable[[], Awaitable[Mapping[str, str]]]
    """Asks the policy, again before each batch, which names it allows now; with the digests of their definitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """What an agent is told, and its bounds."""

    instructions: str
    limits: Limits = field(default_factory=Limits)
    approval_seconds: float = 86_400.0
    """How long a person may take to decide."""
    forced_tool: str | None = None
    """The tool that the model must call in its first turn (agent/L9)."""


@dataclass(slots=True)
class _Work(Generic[A]):
    """One run while this process works on it."""

    run: RunRecord[A]
    messages: list[Message]
    counters: Counters
    since: float
    """When the counted work began, on the monotonic clock."""

    @property
    def finished(self) -> tuple[CallResult, ...]:
        """The results since the person's message."""
        last = max((at for at, one in enumerate(self.messages) if isinstance(one, UserMessage)), default=0)
        answers = (one for one in self.messages[last:] if isinstance(one, ResultsMessage))
        return tuple(result for one in answers for result in one.results)


class Loop(Generic[A]):
    """The use case; one an application."""

    def __init__(
        self,
        *,
        turns: Turns,
        store: RunStore[A],
        dispatch: Dispatch[A],
        approvals: ApprovalPolicy[A],
        clock: Clock,
        ids: Ids,
        observer: Observer,
        settings: LoopSettings,
    ) -> None:
        self._turns = turns
        self._store = store
        self._dispatch = dispatch
        self._approvals = approvals
        self._clock = clock
        self._ids = ids
        self._observer = observer
        self._settings = settings

    async def run(self, begun: Begun[A], offer: Offer[A], on_text: Callable[[str], None] | None = None) -> Outcome:
        """Work on a run until it is answered, waits for a person, or stops.

        Raises:
            LostLeaseError: another process has taken it over.
            ToolAbortedError: a tool raised what the error policy hands to the caller; the run has stopped.
        """
        return await self._loop(self._work(begun), offer, on_text)

    async def go_on(
        self, begun: Begun[A], message: AssistantMessage, planned: Sequence[Planned[A]], offer: Offer[A]
    ) -> Outcome:
        """Run the calls of a held response, all of them decided now, and go on with the run.

        Raises:
            LostLeaseError, ToolAbortedError: as `run`.
        """
        work = self._work(begun)
        direct = await self._settle(work, message, planned)
        return await self._loop(work, offer, None) if direct is None else await self._answer(work, direct)

    async def stop(self, begun: Begun[A], reason: StopReason) -> Stopped:
        """End a run that cannot go on."""
        return await self._stop(self._work(begun), reason)

    def _work(self, begun: Begun[A]) -> _Work[A]:
        return _Work(begun.run, list(begun.history), begun.run.counters, self._clock.monotonic())

    async def _loop(self, work: _Work[A], offer: Offer[A], on_text: Callable[[str], None] | None) -> Outcome:
        while True:
            stop = self._worked(work).breach(self._settings.limits)
            if stop is not None:
                return await self._stop(work, stop)
            message = await self._turn(work, offer, on_text)
            if isinstance(message, StopReason):
                return await self._stop(work, message)
            if not message.calls:
                return await self._answer(work, message.text)
            batch = await self._judge(work, message, offer)
            if batch.stop is not None:
                return await self._stop(work, batch.stop)
            work.counters = batch.counters
            if batch.is_held:
                return await self._hold(work, legible(message), batch)
            planned = [self._planned(work, position, item, offer) for position, item in enumerate(batch.items)]
            direct = await self._settle(work, legible(message), planned)
            if direct is not None:
                return await self._answer(work, direct)

    async def _settle(self, work: _Work[A], message: AssistantMessage, planned: Sequence[Planned[A]]) -> str | None:
        """Run a response's calls and take the results into the history; return them if they are the answer."""
        done = await self._dispatch.all(work.run, message, planned, self._worked(work))
        work.run = done.run
        work.messages += [message, ResultsMessage(done.results)]
        if done.aborted is not None:
            await self._stop(work, StopReason.FAILED)
            raise done.aborted
        return "\n".join(one.text for one in done.results) if done.is_direct else None

    async def _turn(
        self, work: _Work[A], offer: Offer[A], on_text: Callable[[str], None] | None
    ) -> AssistantMessage | StopReason:
        """Take one turn of the model; whatever keeps it from answering is a reason to stop."""
        request = self._request(work, offer)
        counters = self._worked(work)
        bound = asyncio.timeout(self._settings.limits.wall_seconds - counters.worked_seconds)
        began = self._clock.monotonic()
        try:
            async with bound:
                turn = await self._turns.take(request, on_text)
        except Exception as error:  # noqa: BLE001 -- whatever an adapter raises, the run ends and says so
            self._observer.fault(self._ids.new(), error, run=work.run.id)
            return StopReason.WALL_TIME if bound.expired() else _reason_of(error)
        work.counters = work.counters.with_turn(turn.usage)
        self._observer.note(Noted.TURN, run=work.run.id, seconds=self._clock.monotonic() - began)
        message = tidied(turn.message)
        return message if message.calls or message.text.strip() else StopReason.NO_ANSWER

    def _request(self, work: _Work[A], offer: Offer[A]) -> TurnRequest:
        """Return what the model is told."""
        forced = self._settings.forced_tool if work.counters.model_turns == 0 else None
        return TurnRequest(
            f"{self._settings.instructions}\n\n{results.DATA_RULE}",
            tuple(_as_read(message, self._ids.new) for message in work.messages),
            tuple(_schema(tool.definition) for tool in offer.tools.values()),
            forced if forced in offer.tools else None,
        )

    async def _judge(self, work: _Work[A], message: AssistantMessage, offer: Offer[A]) -> Batch:
        """Check a response whole; where a policy or a tool fails at that, nothing of it runs."""
        actor, limits = work.run.actor, self._settings.limits

        def needs_approval(tool: ToolDefinition, arguments: Mapping[str, Any]) -> bool:
            return self._approvals.needs_approval(tool, arguments, actor)

        try:
            allowed = await offer.allowed()
            return check_batch(message.calls, offer.tools, allowed, work.counters, limits, needs_approval)
        except Exception as error:  # noqa: BLE001 -- the application's code: it fails closed
            self._observer.fault(self._ids.new(), error, run=work.run.id)
            return Batch((), work.counters, StopReason.FAILED)

    async def _hold(self, work: _Work[A], message: AssistantMessage, batch: Batch) -> Waiting:
        """Store the response whole: nothing of it runs before a person has decided (agent/L1)."""
        turn = work.counters.model_turns
        calls = [held_row(self._ids.new(), turn, position, item) for position, item in enumerate(batch.items)]
        audit = [self._proposed(work.run, call, item) for call, item in zip(calls, batch.items, strict=True)]
        expires_in, counters = self._settings.approval_seconds, self._worked(work)
        views = await self._store.hold(work.run, message, calls, counters, audit, expires_in)
        return Waiting(work.run.id, work.run.conversation_id, views)

    def _proposed(self, run: RunRecord[A], call: CallRecord, item: Accepted | Rejected) -> AuditEntry:
        if isinstance(item, Accepted):
            return intent_of(run, call, item.definition, AuditAction.CALL_PROPOSED)
        self._observer.note(Noted.REJECTED, run=run.id, reason=item.reason.value)
        return entry_of(run, AuditAction.CALL_REJECTED, call, outcome=item.reason.value)

    def _planned(self, work: _Work[A], position: int, item: Accepted | Rejected, offer: Offer[A]) -> Planned[A]:
        row = new_row(self._ids.new(), work.counters.model_turns, position, item)
        if isinstance(item, Rejected):
            return Planned(row, refusal=refusal_of(item))
        return self._dispatch.planned(work.run, row, offer.tools[item.definition.name], item.arguments)

    async def _answer(self, work: _Work[A], text: str) -> Answered:
        audit = [entry_of(work.run, AuditAction.RUN_ENDED, outcome="answered")]
        await self._store.end(work.run, text, None, audit)
        return Answered(work.run.id, work.run.conversation_id, text)

    async def _stop(self, work: _Work[A], reason: StopReason) -> Stopped:
        audit = [entry_of(work.run, AuditAction.RUN_ENDED, outcome=reason.value)]
        await self._store.end(work.run, None, reason, audit)
        return Stopped(work.run.id, work.run.conversation_id, reason, work.finished)

    def _worked(self, work: _Work[A]) -> Counters:
        """Count the time since the last look as work."""
        now = self._clock.monotonic()
        work.counters = replace(work.counters, worked_seconds=work.counters.worked_seconds + now - work.since)
        work.since = now
        return work.counters


def _reason_of(error: Exception) -> StopReason:
    if isinstance(error, ModelRefusedError):
        return StopReason.MODEL_REFUSED
    return StopReason.MODEL_UNAVAILABLE if isinstance(error, _UNREACHED) else StopReason.FAILED


def _schema(definition: ToolDefinition) -> ToolSchema:
    return ToolSchema(definition.name, definition.description, definition.parameters)


def _as_read(message: Message, nonce: Callable[[], str]) -> Message:
    """Return a message as the model reads it: results marked as data (agent/L7)."""
    if not isinstance(message, ResultsMessage):
        return message
    return ResultsMessage(tuple(replace(result, text=results.marked(result, nonce)) for result in message.results))
