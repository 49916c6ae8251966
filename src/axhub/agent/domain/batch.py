"""All calls of one model response, judged together before any of them runs (agent/L1, AG-G2)."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Protocol

from axhub.agent.domain.canonical import canonical, digest, read_arguments
from axhub.agent.domain.definition import ToolDefinition
from axhub.agent.domain.errors import ArgumentsError
from axhub.agent.domain.limits import Counters, Limits
from axhub.agent.domain.messages import CallRequest
from axhub.agent.domain.runs import StopReason

__all__ = ["Accepted", "Batch", "Offered", "Rejected", "Rejection", "check_batch"]


class Rejection(StrEnum):
    """Why one call of a batch does not run; counted and audited by this name."""

    UNKNOWN_TOOL = "unknown_tool"
    NOT_ALLOWED = "not_allowed"
    """It was offered, and the policy does not allow it any more (agent/A6)."""
    BAD_JSON = "bad_json"
    BAD_ARGUMENTS = "bad_arguments"
    REPEATED = "repeated"
    CHANGED = "changed"
    """Its definition, or its stored arguments, are not what was offered or approved (agent/R2)."""
    BUSY = "busy"
    """Another call with its business key has not ended, or nobody knows how (agent/L6)."""
    NO_KEY = "no_key"
    """Its tool could not make a business key; the log has the rest."""
    TOO_MANY_PENDING = "too_many_pending"
    """Too many calls of its requester wait for a person already (threat/T30)."""
    NO_TIME = "no_time"
    """The time of its run was over before it began (agent/L2)."""


_UNKNOWN: Final = "There is no such tool. Use only the tools you were offered, or answer with what you know."
_TOO_MANY: Final = (
    "Too many calls of this person wait for an approval already, so this was not done. Do not call it again; say that "
    "some of them have to be decided first."
)
_MOST_PROBLEMS: Final = 8
_MOST_OF_PROBLEM: Final = 300
_LONGEST_ID: Final = 256
_REPEATED: Final = (
    "You made this call with these arguments before; its result stands above. Use that, or answer with what you know."
)


class Offered(Protocol):
    """What the check needs of a tool."""

    @property
    def definition(self) -> ToolDefinition:
        """Its declaration."""
        ...

    def read(self, arguments: Mapping[str, Any]) -> Any:
        """Return typed arguments.

        Raises:
            ArgumentsError: they do not fit the schema; unknown members are refused.
        """
        ...


@dataclass(frozen=True, slots=True)
class Accepted:
    """A call that may run, once its whole batch may."""

    request: CallRequest
    definition: ToolDefinition
    arguments: Mapping[str, Any]
    canonical: str
    """What is stored, shown to an approver, and run (agent/R1)."""
    sha256: str
    needs_approval: bool


@dataclass(frozen=True, slots=True)
class Rejected:
    """A call that gets an error result."""

    request: CallRequest
    reason: Rejection
    text: str
    """For the model: what is wrong with its call, and nothing else."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The verdict."""

    items: tuple[Accepted | Rejected, ...]
    """In the model's order."""
    counters: Counters
    """With this batch counted."""
    stop: StopReason | None = None
    """Nothing of it runs, and the run ends."""

    @property
    def accepted(self) -> tuple[Accepted, ...]:
        """The calls that may run."""
        return tuple(item for item in self.items if isinstance(item, Accepted))

    @property
    def is_held(self) -> bool:
        """Whether any of it needs an approval: then none of it runs until all are decided."""
        return any(item.needs_approval for item in self.accepted)

    def not_held(self) -> "Batch":
        """Return the batch with a refusal of each call that would wait; what needs no approval runs (threat/T30)."""
        return replace(self, items=tuple(_not_waiting(item) for item in self.items))


def check_batch(
    requests: Sequence[CallRequest],
    offered: Mapping[str, Offered],
    allowed: Mapping[str, str],
    counters: Counters,
    limits: Limits,
    needs_approval: Callable[[ToolDefinition, Mapping[str, Any]], bool],
) -> Batch:
    """Judge a batch.

    Args:
        requests: what the model called, in its order.
        offered: the tools of this run by name, as frozen when it began.
        allowed: names that the policy allows now, with the digests of their definitions now.
        counters: of the run so far.
        limits: of a run.
        needs_approval: the approval policy, for this actor.

    Raises:
        TypeError: the approval policy answered neither True nor False; no call may run on such an answer.
    """
    stop = counters.breach_of_size(len(requests), limits) or _unlike_ids(requests)
    if stop is not None:
        return Batch((), counters, stop)
    items: list[Accepted | Rejected] = []
    for request in requests:
        item = _judged(request, offered, allowed, needs_approval)
        fingerprint = digest([item.request.name, getattr(item, "canonical", item.request.arguments)])
        if isinstance(item, Accepted) and counters.same.get(fingerprint, 0) >= limits.identical_calls:
            item = Rejected(request, Rejection.REPEATED, _REPEATED)
        counters = counters.with_call(request.name if request.name in offered else "", fingerprint)
        items.append(item)
    return Batch(tuple(items), counters, counters.breach_of_calls(limits))


def _unlike_ids(requests: Sequence[CallRequest]) -> StopReason | None:
    """Say why results could not be given to the calls."""
    if not all(0 < len(one.id) <= _LONGEST_ID and one.id.isprintable() for one in requests):
        return StopReason.UNUSABLE_CALL_IDS
    return None if len({one.id for one in requests}) == len(requests) else StopReason.DUPLICATE_CALL_IDS


def _answer(policy: Callable[[ToolDefinition, Mapping[str, Any]], Any], tool: ToolDefinition, given: Any) -> bool:
    """Return what the policy says; None, a text or a coroutine is an author's mistake, and not a no."""
    answer = policy(tool, given)
    if isinstance(answer, Coroutine):
        answer.close()
    if not isinstance(answer, bool):
        raise TypeError(f"needs_approval() answered with {type(answer).__name__}, not with True or False")
    return answer


def _not_waiting(item: Accepted | Rejected) -> Accepted | Rejected:
    if isinstance(item, Rejected) or not item.needs_approval:
        return item
    return Rejected(item.request, Rejection.TOO_MANY_PENDING, _TOO_MANY)


def _judged(
    request: CallRequest,
    offered: Mapping[str, Offered],
    allowed: Mapping[str, str],
    needs_approval: Callable[[ToolDefinition, Mapping[str, Any]], bool],
) -> Accepted | Rejected:
    tool = offered.get(request.name)
    if tool is None:
        return Rejected(request, Rejection.UNKNOWN_TOOL, _UNKNOWN)
    if request.name not in allowed:
        return Rejected(request, Rejection.NOT_ALLOWED, _UNKNOWN)
    if allowed[request.name] != tool.definition.digest:
        return Rejected(request, Rejection.CHANGED, _UNKNOWN)
    try:
        arguments = read_arguments(request.arguments)
    except ValueError as error:
        return Rejected(request, Rejection.BAD_JSON, f"The arguments are no usable JSON object: {_plain(error)}.")
    try:
        tool.read(arguments)
    except ArgumentsError as error:
        return Rejected(request, Rejection.BAD_ARGUMENTS, _misfit(error.problems))
    text = canonical(arguments)
    return Accepted(
        request,
        tool.definition,
        arguments,
        text,
        digest(arguments),
        _answer(needs_approval, tool.definition, arguments),
    )


def _misfit(problems: Sequence[str]) -> str:
    """Return what a model is told of its arguments; of a thousand wrong members, the first few."""
    told = "; ".join(problem[:_MOST_OF_PROBLEM] for problem in problems[:_MOST_PROBLEMS])
    more = len(problems) - _MOST_PROBLEMS
    return f"The arguments do not fit the schema: {told}{f'; and {more} more' if more > 0 else ''}."


def _plain(error: ValueError) -> str:
    """Return what is wrong with a JSON text without the text itself."""
    where = getattr(error, "pos", None)
    return str(error) if where is None else f"{getattr(error, 'msg', 'not JSON')} at character {where}"
