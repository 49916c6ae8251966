"""Who acts, as other systems may be told: only what was encrypted for them (agent/A9, seed 001 §9)."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from axhub.agent.domain.actor import Actor

__all__ = ["ActorCipher", "SealedActor"]

A_contra = TypeVar("A_contra", bound=Actor, contravariant=True)


@dataclass(frozen=True, slots=True, repr=False)
class SealedActor:
    """An actor's employee numbers, encrypted: visible ASCII of at most 8 KiB each. They stand in no log."""

    employee_no: str | None = None
    """Goes as the header `employee-no`; None: not sent."""
    virtual_employee_no: str | None = None
    """Goes as the header `virtual-employee-no`; None: not sent."""

    def __repr__(self) -> str:
        return "SealedActor(…)"


class ActorCipher(Protocol[A_contra]):
    """Encrypts who acts, for the systems behind a gateway; keys and cipher are the organisation's."""

    async def seal(self, actor: A_contra) -> SealedActor:
        """Return what may be sent. Whatever it raises, the call is not made."""
        ...
