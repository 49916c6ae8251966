"""Bounds of one run: what is counted, and what a breach means (agent/L2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from axhub.agent.domain.messages import Usage
from axhub.agent.domain.runs import StopReason

__all__ = ["Counters", "Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one message of a person may cost."""

    model_turns: int = 8
    calls: int = 20
    calls_of_tool: int = 10
    identical_calls: int = 2
    """Calls with the same name and arguments that run; the next one gets an error result."""
    tokens: int = 200_000
    """Of all model turns together, both directions."""
    wall_seconds: float = 120.0
    """Of work; waiting for a person does not count."""
    tools: int = 50
    """Tools that a model is offered (agent/A9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """What a run has used so far; stored with it, so that a resumed run does not begin anew."""

    model_turns: int = 0
    calls: Mapping[str, int] = field(default_factory=dict)
    """By tool."""
    same: Mapping[str, int] = field(default_factory=dict)
    """By hash of name and arguments."""
    usage: Usage = field(default_factory=Usage)
    worked_seconds: float = 0.0

    def with_turn(self, usage: Usage) -> "Counters":
        """Return the counters after a model turn; what a provider says below nothing counts as nothing."""
        used = Usage(max(0, usage.input_tokens), max(0, usage.output_tokens))
        return replace(self, model_turns=self.model_turns + 1, usage=self.usage + used)

    def with_call(self, tool: str, fingerprint: str) -> "Counters":
        """Return the counters after a call was accepted."""
        return replace(
            self,
            calls={**self.calls, tool: self.calls.get(tool, 0) + 1},
            same={**self.same, fingerprint: self.same.get(fingerprint, 0) + 1},
        )

    def breach(self, limits: Limits) -> StopReason | None:
        """Say which bound leaves no room for another model turn."""
        if self.model_turns >= limits.model_turns:
            return StopReason.MODEL_TURNS
        if self.usage.input_tokens + self.usage.output_tokens >= limits.tokens:
            return StopReason.TOKENS
        return StopReason.WALL_TIME if self.worked_seconds >= limits.wall_seconds else None

    def breach_of_size(self, more: int, limits: Limits) -> StopReason | None:
        """Say whether a response has more calls than the run has left; none of them needs to be looked at then."""
        return StopReason.CALLS if sum(self.calls.values()) + more > limits.calls else None

    def breach_of_calls(self, limits: Limits) -> StopReason | None:
        """Say which bound the calls of a batch are over, the batch counted."""
        if sum(self.calls.values()) > limits.calls:
            return StopReason.CALLS
        over = any(count > limits.calls_of_tool for count in self.calls.values())
        return StopReason.CALLS_OF_TOOL if over else None
