"""Flow 3: the tool loop (agent/A6, agent/L1 to L9, decision/D15).

Read `Loop.run` from top to bottom: ask the model, judge the whole batch, hold it for a person or run it, and again.
The model decides nothing but what to call with which arguments; every bound, set and check is applied here.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, NamedTuple, TypeVar

from axhub.agent.domain import results
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import ApprovalPolicy, version_of
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.batch import Accepted, Batch, Rejected, Rejection, check_batch
from axhub.agent.domain.definition import ToolDefinition
from axhub.agent.domain.history import given, shown
from axhub.agent.domain.limits import Counters, Limits
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallResult,
    FinishReason,
    Message,
    ResultsMessage,
    ToolSchema,
    TurnRequest,
    UserMessage,
    checked_turn,
)
from axhub.agent.domain.outcomes import Answered, Outcome, Stopped, ToolAbortedError, Waiting
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.runs import StopReason
from axhub.agent.domain.texts import WholePieces
from axhub.agent.domain.untrusted import legible, tidied
from axhub.agent.ports.effects import Clock, Ids, Noted, Observer
from axhub.agent.ports.runs import LostLeaseError, RunStore, StoreUnavailableError, TooManyPendingError
from axhub.agent.ports.tools import Tool
from axhub.agent.ports.turns import ModelRefusedError, ModelUnavailableError, Turns
from axhub.agent.usecases.auditing import entry_of, intent_of
from axhub.agent.usecases.dispatch import BrokenOffError, Dispatch, Planned
from axhub.agent.usecases.rows import held_row, new_row, refusal_of

__all__ = ["Allowed", "Loop", "LoopSettings", "Offer"]

A = TypeVar("A", bound=Actor)

_NO_TOOL: Final = frozenset({Rejection.UNKNOWN_TOOL, Rejection.NOT_ALLOWED, Rejection.CHANGED})
_UNREACHED: Final = (ModelUnavailableError, TimeoutError)
"""What tells that a model cannot be had now."""


class Allowed(NamedTuple):
    """What the capability policy allows now."""

    digests: Mapping[str, str]
    """Names of tools with the digests of their definitions now."""
    policy_version: str
    """Of the policy that says so."""


@dataclass(frozen=True, slots=True)
class Offer(Generic[A]):
    """The executable set of a run."""

    tools: Mapping[str, Tool[A]]
    """Frozen when the run began (agent/A6)."""
    allowed: Callable[[], Awaitable[Allowed]]
    """Asks the policy, again before each batch, which names it allows now."""
    names: AbstractSet[str]
    """Of all tools that there are, those included that the run was not offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """What an agent is told, and its bounds."""

    instructions: str
    limits: Limits = field(default_factory=Limits)
    approval_seconds: float = 86_400.0
    """How long a person may take to decide."""
    pending_approvals: int = 20
    """Calls of one person that may wait for an approval at once, over all conversations; a response with which there
    would be more is not held, and its calls that would wait are refused (threat/T30)."""
    kept_result_bytes: int = 1_048_576
    """What is kept of a result that was cut for the model; of a larger one only size and hash are (agent/L7)."""
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
        version_of(approvals)

    @property
    def approval_policy_version(self) -> str:
        """Of the approval policy, now."""
        return version_of(self._approvals)

    async def run(self, begun: Begun[A], offer: Offer[A], on_text: Callable[[str], None] | None = None) -> Outcome:
        """Work on a run until it is answered, waits for a person, or stops.

        Raises:
            LostLeaseError: another process has taken it over.
            ToolAbortedError: a tool raised what the error policy hands to the caller; the run has stopped.
        """
        work = self._work(begun)
        return await self._ended(work, self._loop(work, offer, on_text))

    async def go_on(
        self, begun: Begun[A], message: AssistantMessage, planned: Sequence[Planned[A]], offer: Offer[A]
    ) -> Outcome:
        """Run the calls of a held response, all of them decided now, and go on with the run.

        Raises:
            LostLeaseError, ToolAbortedError: as `run`.
        """
        work = self._work(begun)
        return await self._ended(work, self._gone_on(work, message, planned, offer))

    async def _gone_on(
        self, work: _Work[A], message: AssistantMessage, planned: Sequence[Planned[A]], offer: Offer[A]
    ) -> Outcome:
        # What a person approved runs whatever is left of the time of its run; each call has a bound of its own.
        direct = await self._settle(work, message, planned, math.inf)
        return await self._loop(work, offer, None) if direct is None else await self._answer(work, direct)

    async def _ended(self, work: _Work[A], going: Awaitable[Outcome]) -> Outcome:
        """Return how a run ended; whatever breaks ends it, so that its conversation takes the next message.

        A run whose store is away cannot be ended; it is taken over later.
        """
        try:
            return await going
        except (LostLeaseError, StoreUnavailableError, ToolAbortedError):
            raise
        except BrokenOffError as broken:
            work.run = broken.run
            return await self._failed(work, broken.__cause__ or broken)
        except Exception as error:  # noqa: BLE001 -- a fault of ours, or of the application's code
            return await self._failed(work, error)

    async def failed(self, begun: Begun[A], error: BaseException) -> Stopped:
        """End a run that could not go on, as something broke; the observer is told what."""
        return await self._failed(self._work(begun), error)

    async def _failed(self, work: _Work[A], error: BaseException) -> Stopped:
        self._observer.fault(self._ids.new(), error, run=work.run.id)
        return await self._stop(work, StopReason.FAILED)

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
            outcome = await self._act(work, legible(message, _of_no_tool(batch)), batch, offer)
            if outcome is not None:
                return outcome

    async def _act(
        self, work: _Work[A], message: AssistantMessage, batch: Batch, offer: Offer[A]
    ) -> Waiting | Answered | None:
        """Hold a response or run it; None: the model is asked again."""
        if batch.is_held:
            try:
                return await self._hold(work, message, batch)
            except TooManyPendingError:
                batch = batch.not_held()
        planned = [self._planned(work, position, item, offer) for position, item in enumerate(batch.items)]
        direct = await self._settle(work, message, planned, self._deadline(work))
        return None if direct is None else await self._answer(work, direct)

    async def _settle(
        self, work: _Work[A], message: AssistantMessage, planned: Sequence[Planned[A]], deadline: float
    ) -> str | None:
        """Run a response's calls and take the results into the history; return them if they are the answer."""
        done = await self._dispatch.all(work.run, message, planned, self._worked(work), deadline)
        work.run = done.run
        told = ResultsMessage(done.results)
        work.messages += [message, told]
        if done.aborted is not None:
            await self._stop(work, StopReason.FAILED)
            raise done.aborted
        return given(told) if done.is_direct else None

    async def _turn(
        self, work: _Work[A], offer: Offer[A], on_text: Callable[[str], None] | None
    ) -> AssistantMessage | StopReason:
        """Take one turn of the model; whatever keeps it from answering is a reason to stop."""
        request = self._request(work, offer)
        bound = asyncio.timeout(self._left(work))
        began = self._clock.monotonic()
        heard = None if on_text is None else WholePieces(on_text)
        try:
            async with bound:
                turn = checked_turn(await self._turns.take(request, heard))
            if heard is not None:
                heard.end()
        except Exception as error:  # noqa: BLE001 -- whatever an adapter raises, the run ends and says so
            self._observer.fault(self._ids.new(), error, run=work.run.id)
            return StopReason.WALL_TIME if bound.expired() else _reason_of(error)
        work.counters = work.counters.with_turn(turn.usage)
        self._observer.note(Noted.TURN, run=work.run.id, seconds=self._clock.monotonic() - began)
        if turn.finish is FinishReason.LENGTH:
            return StopReason.ANSWER_CUT  # half an answer passes for none, and a call of it may be half a call
        message = tidied(turn.message, offer.names)
        return message if message.calls or message.text.strip() else StopReason.NO_ANSWER

    def _request(self, work: _Work[A], offer: Offer[A]) -> TurnRequest:
        """Return what the model is told."""
        forced = self._settings.forced_tool if work.counters.model_turns == 0 else None
        return TurnRequest(
            f"{self._settings.instructions}\n\n{results.DATA_RULE}",
            tuple(_as_read(message, self._ids.new) for message in shown(work.messages)),
            tuple(_schema(tool.definition) for tool in offer.tools.values()),
            forced if forced in offer.tools else None,
        )

    async def _judge(self, work: _Work[A], message: AssistantMessage, offer: Offer[A]) -> Batch:
        """Check a response whole; where a policy or a tool fails at that, nothing of it runs."""
        actor, limits = work.run.actor, self._settings.limits

        def needs_approval(tool: ToolDefinition, arguments: Mapping[str, Any]) -> bool:
            return self._approvals.needs_approval(tool, arguments, actor)

        bound = asyncio.timeout(self._left(work))
        try:
            async with bound:
                allowed = await offer.allowed()
            version = version_of(self._approvals)
            work.run = replace(work.run, policy_version=allowed.policy_version, approval_policy_version=version)
            return check_batch(message.calls, offer.tools, allowed.digests, work.counters, limits, needs_approval)
        except Exception as error:  # noqa: BLE001 -- the application's code: it fails closed
            self._observer.fault(self._ids.new(), error, run=work.run.id)
            return Batch((), work.counters, StopReason.WALL_TIME if bound.expired() else StopReason.FAILED)

    async def _hold(self, work: _Work[A], message: AssistantMessage, batch: Batch) -> Waiting:
        """Store the response whole: nothing of it runs before a person has decided (agent/L1).

        Raises:
            TooManyPendingError: it may not wait, and nothing of it is stored.
        """
        turn = work.counters.model_turns
        calls = [held_row(self._ids.new(), turn, position, item) for position, item in enumerate(batch.items)]
        audit = [_proposed(work.run, call, item) for call, item in zip(calls, batch.items, strict=True)]
        seconds, most = self._settings.approval_seconds, self._settings.pending_approvals
        views = await self._store.hold(work.run, message, calls, self._worked(work), audit, seconds, most)
        for item in batch.items:
            if isinstance(item, Rejected):
                self._observer.note(Noted.REJECTED, run=work.run.id, reason=item.reason.value)
        return Waiting(work.run.id, work.run.conversation_id, views)

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

    def _left(self, work: _Work[A]) -> float:
        """Return how many seconds the run has left."""
        return self._settings.limits.wall_seconds - self._worked(work).worked_seconds

    def _deadline(self, work: _Work[A]) -> float:
        """Return when the time of the run is over, on the monotonic clock."""
        left = self._left(work)
        return work.since + left

    def _worked(self, work: _Work[A]) -> Counters:
        """Count the time since the last look as work."""
        now = self._clock.monotonic()
        work.counters = replace(work.counters, worked_seconds=work.counters.worked_seconds + now - work.since)
        work.since = now
        return work.counters


def _proposed(run: RunRecord[A], call: CallRecord, item: Accepted | Rejected) -> AuditEntry:
    if isinstance(item, Accepted):
        return intent_of(run, call, item.definition, AuditAction.CALL_PROPOSED)
    return entry_of(run, AuditAction.CALL_REJECTED, call, outcome=item.reason.value)


def _of_no_tool(batch: Batch) -> frozenset[str]:
    """Return the ids of calls of tools that the run does not have; what stands in their arguments is not kept."""
    items = (item for item in batch.items if isinstance(item, Rejected))
    return frozenset(item.request.id for item in items if item.reason in _NO_TOOL)


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
