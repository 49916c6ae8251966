"""The life of one run: one message of a person, and everything until its answer (agent/R1, agent/R4, agent/L2)."""

from enum import StrEnum
from types import MappingProxyType
from typing import Final

__all__ = ["ACTIVE", "RUN_TRANSITIONS", "RunEvent", "RunState", "StopReason", "run_after"]


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "RUNNING"
    """One process works on it, as long as its lease holds."""
    WAITING = "WAITING"
    """A person is to decide about calls of it; no process works on it."""
    READY = "READY"
    """All is decided; the next process that asks for work goes on with it."""
    ANSWERED = "ANSWERED"
    STOPPED = "STOPPED"
    WITHDRAWN = "WITHDRAWN"


class RunEvent(StrEnum):
    """What happens to a run."""

    HOLD = "hold"
    DECIDED = "decided"
    """The last of its calls was decided, or they expired."""
    RESUME = "resume"
    RECOVER = "recover"
    """The process that worked on it died, and another gave it back."""
    ANSWER = "answer"
    STOP = "stop"
    WITHDRAW = "withdraw"


class StopReason(StrEnum):
    """Why a run ended without an answer (agent/L2, decision/D15)."""

    MODEL_TURNS = "model_turns"
    CALLS = "calls"
    CALLS_OF_TOOL = "calls_of_tool"
    TOKENS = "tokens"
    WALL_TIME = "wall_time"
    TOO_MANY_TOOLS = "too_many_tools"
    """More tools than a model may be offered (agent/A9)."""
    TOOLS_UNAVAILABLE = "tools_unavailable"
    """A catalogue that it needs has not been read since the process began (agent/A9)."""
    DUPLICATE_CALL_IDS = "duplicate_call_ids"
    """Results could not be told apart."""
    UNUSABLE_CALL_IDS = "unusable_call_ids"
    """A call has no id, or one that is too long or cannot be printed."""
    MODEL_UNAVAILABLE = "model_unavailable"
    MODEL_REFUSED = "model_refused"
    ANSWER_CUT = "answer_cut"
    """The provider cut the model's answer at its own bound of tokens: nothing of it is passed on or run."""
    NO_ANSWER = "no_answer"
    """The model answered neither with text nor with a call."""
    INTERRUPTED = "interrupted"
    """Processes that worked on it died, again and again."""
    FAILED = "failed"
    """A fault of ours, or a tool's that is set to end the run; the log has the rest."""


_S, _E = RunState, RunEvent

RUN_TRANSITIONS: Final = MappingProxyType(
    {
        (_S.RUNNING, _E.HOLD): _S.WAITING,
        (_S.RUNNING, _E.ANSWER): _S.ANSWERED,
        (_S.RUNNING, _E.STOP): _S.STOPPED,
        (_S.RUNNING, _E.RECOVER): _S.READY,
        (_S.WAITING, _E.DECIDED): _S.READY,
        (_S.WAITING, _E.WITHDRAW): _S.WITHDRAWN,
        (_S.READY, _E.RESUME): _S.RUNNING,
        (_S.READY, _E.WITHDRAW): _S.WITHDRAWN,
    }
)

ACTIVE: Final = frozenset({_S.RUNNING, _S.WAITING, _S.READY})
"""States in which its conversation takes no new message."""


def run_after(state: RunState, event: RunEvent) -> RunState | None:
    """Return the state that follows; None if the event cannot happen in this one."""
    return RUN_TRANSITIONS.get((state, event))
