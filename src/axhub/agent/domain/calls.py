"""The life of one tool call as a table (agent/I1, agent/I2)."""

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from axhub.agent.domain.canonical import digest
from axhub.agent.domain.texts import whole

__all__ = [
    "BLOCKING",
    "TRANSITIONS",
    "CallEvent",
    "CallState",
    "IllegalEventError",
    "after",
    "business_key",
]

_LONGEST_KEY: Final = 512


class CallState(StrEnum):
    """Where a call stands."""

    PROPOSED = "PROPOSED"
    """Checked, and about to run, or held with its batch while a person decides about a sibling."""
    WAITING = "WAITING"
    """A person is to decide about it."""
    APPROVED = "APPROVED"
    """It may run once all of its batch are decided."""
    DENIED = "DENIED"
    WITHDRAWN = "WITHDRAWN"
    """The requester took the run back."""
    EXPIRED = "EXPIRED"
    """Nobody decided in time."""
    RUNNING = "RUNNING"
    """Its intent is recorded; it may have taken effect from now on."""
    DONE = "DONE"
    FAILED = "FAILED"
    """It took no effect."""
    UNKNOWN = "UNKNOWN"
    """It may have taken effect; only its business key can tell."""


class CallEvent(StrEnum):
    """What happens to a call."""

    HOLD = "hold"
    """It needs an approval."""
    APPROVE = "approve"
    DENY = "deny"
    WITHDRAW = "withdraw"
    EXPIRE = "expire"
    REFUSE = "refuse"
    """A re-check before the dispatch says no: not offered any more, not allowed any more, changed."""
    DISPATCH = "dispatch"
    SUCCEED = "succeed"
    FAIL = "fail"
    LOSE = "lose"
    """It timed out, or its process died: the lease ran out."""
    FIND_DONE = "find_done"
    """The use case knows the key: the effect happened."""
    FIND_NOTHING = "find_nothing"
    """The use case does not know the key, and will never: the effect did not happen."""


_S, _E = CallState, CallEvent

TRANSITIONS: Final = MappingProxyType(
    {
        (_S.PROPOSED, _E.HOLD): _S.WAITING,
        (_S.PROPOSED, _E.DISPATCH): _S.RUNNING,
        (_S.PROPOSED, _E.REFUSE): _S.FAILED,
        (_S.PROPOSED, _E.WITHDRAW): _S.WITHDRAWN,
        (_S.WAITING, _E.APPROVE): _S.APPROVED,
        (_S.WAITING, _E.DENY): _S.DENIED,
        (_S.WAITING, _E.WITHDRAW): _S.WITHDRAWN,
        (_S.WAITING, _E.EXPIRE): _S.EXPIRED,
        (_S.APPROVED, _E.WITHDRAW): _S.WITHDRAWN,
        (_S.APPROVED, _E.EXPIRE): _S.EXPIRED,
        (_S.APPROVED, _E.REFUSE): _S.FAILED,
        (_S.APPROVED, _E.DISPATCH): _S.RUNNING,
        (_S.RUNNING, _E.SUCCEED): _S.DONE,
        (_S.RUNNING, _E.FAIL): _S.FAILED,
        (_S.RUNNING, _E.LOSE): _S.UNKNOWN,
        (_S.UNKNOWN, _E.FIND_DONE): _S.DONE,
        (_S.UNKNOWN, _E.FIND_NOTHING): _S.FAILED,
    }
)
"""What follows what. Nothing leads back to RUNNING: a call runs at most once (agent/I2)."""

BLOCKING: Final = frozenset({_S.RUNNING, _S.UNKNOWN})
"""States in which another call with the same business key must not run."""


class IllegalEventError(Exception):
    """The event cannot happen to a call in this state: somebody else was first, or we are wrong."""

    def __init__(self, state: CallState, event: CallEvent) -> None:
        super().__init__(f"a call that is {state} cannot {event}")
        self.state = state
        self.event = event


def after(state: CallState, event: CallEvent) -> CallState:
    """Return the state that follows.

    Raises:
        IllegalEventError: none does.
    """
    found = TRANSITIONS.get((state, event))
    if found is None:
        raise IllegalEventError(state, event)
    return found


def business_key(tenant_id: str, tool: str, own: str) -> str:
    """Return what makes a write the same write: no two tenants or tools ever share one (agent/I1).

    Args:
        tenant_id: whose it is.
        tool: the name.
        own: what the tool made of its arguments; a key that no column takes stands there as its hash.

    Raises:
        ValueError: the tool made no key, so all of its calls would be the same, or one with half a character.
    """
    if not own.strip():
        raise ValueError(f"{tool}: key() returned nothing")
    if whole(own) != own:
        raise ValueError(f"{tool}: key() returned half a character")
    key = f"{tenant_id.replace('%', '%25').replace(':', '%3A')}:{tool}:{own}"
    return key if len(key) <= _LONGEST_KEY and "\0" not in key else digest(key)
