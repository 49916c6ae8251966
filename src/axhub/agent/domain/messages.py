"""A conversation in terms of its own: what the person said, what the model said and called, what the calls gave.

No framework's type stands in here (agent/A3); a turn adapter translates both ways.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = [
    "AssistantMessage",
    "CallRequest",
    "CallResult",
    "FinishReason",
    "Message",
    "ModelTurn",
    "ResultKind",
    "ResultsMessage",
    "ToolSchema",
    "TurnRequest",
    "Usage",
    "UserMessage",
    "checked_turn",
]


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One tool call as the model wrote it; nothing in it is trusted."""

    id: str
    """The model's: unique in its own response at best, so never a business key (agent/I1)."""
    name: str
    arguments: str
    """The JSON text as it came; empty counts as `{}`."""


class ResultKind(StrEnum):
    """What a result tells the model."""

    OK = "ok"
    ERROR = "error"
    """The call did not take effect; the text says why."""
    DENIED = "denied"
    """A person refused it, or nobody decided in time (agent/R4)."""
    UNKNOWN = "unknown"
    """Nobody knows whether it took effect (agent/L6)."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """The one result of a call (agent/L4)."""

    call_id: str
    name: str
    kind: ResultKind
    text: str
    """JSON for a success, a sentence otherwise; bounded and marked as data before the model reads it (agent/L7)."""
    full_id: str = ""
    """Where the whole of a result that was cut is kept; empty: the text is all of it."""
    mark: str = ""
    """What it stands between for the model: chosen by us once the text was known, and kept with it, so that a history
    is sent the same each time; empty: nobody has chosen one (agent/L7)."""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the person wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model answered: text, calls, or both."""

    text: str = ""
    calls: tuple[CallRequest, ...] = ()
    provider: Mapping[str, Any] = field(default_factory=dict)
    """Opaque JSON of the provider, such as signatures of its reasoning: stored and sent back, never interpreted."""


@dataclass(frozen=True, slots=True)
class ResultsMessage:
    """The results of all calls of the message before it, in the model's order."""

    results: tuple[CallResult, ...]


Message = UserMessage | AssistantMessage | ResultsMessage


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as a model is shown it."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model turn, or of several together."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """Everything a model is told for one turn."""

    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    forced_tool: str | None = None
    """The tool it must call; of the first turn only (agent/L9)."""


class FinishReason(StrEnum):
    """Why a model wrote no further."""

    STOP = "stop"
    """It had said what it wanted to say: a text, calls, or both."""
    LENGTH = "length"
    """It was cut at a bound of the provider's: it is the beginning of an answer, and calls may be missing."""


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """What came of one model turn."""

    message: AssistantMessage
    usage: Usage = field(default_factory=Usage)
    finish: FinishReason = FinishReason.STOP


def checked_turn(turn: Any) -> ModelTurn:
    """Return what an adapter answered, if it is of the types that it says; whoever reads it relies on them.

    Raises:
        TypeError: which part is not.
    """
    if not (isinstance(turn, ModelTurn) and isinstance(turn.message, AssistantMessage)):
        raise TypeError(f"a turn of a model is {type(turn).__name__}, not ModelTurn with an AssistantMessage")
    message, usage = turn.message, turn.usage
    _check("text", message.text, str)
    _check("calls", message.calls, tuple)
    _check("provider", message.provider, Mapping)
    for one in message.calls:
        _check("calls", one, CallRequest)
        for name in ("id", "name", "arguments"):
            _check(f"calls: {name}", getattr(one, name), str)
    _check("finish", turn.finish, FinishReason)
    for tokens in (usage.input_tokens, usage.output_tokens):
        _check("usage", tokens, int)
    return turn


def _check(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"a turn of a model: {name} is {type(value).__name__}, not {kind.__name__}")
