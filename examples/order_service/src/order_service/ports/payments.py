"""Paying money back, at a provider outside: what came of it is a value, never an exception (agent/I5)."""

from dataclasses import dataclass
from typing import Protocol

__all__ = [
    "Asked",
    "Declined",
    "NotSent",
    "NothingKnown",
    "PaidOut",
    "Pauses",
    "Payment",
    "Payments",
    "Sent",
    "Unknown",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """What is to be paid."""

    key: str
    """The idempotency key: of all requests with one key a provider carries out one, and says of it always the same."""
    payee: str
    amount: int
    """In won."""


@dataclass(frozen=True, slots=True)
class PaidOut:
    """The money is on its way."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The provider said no, for good: nothing was paid under this key, and nothing will be."""

    reason: str
    """One word, such as `account_closed`; never a text of the provider's."""


@dataclass(frozen=True, slots=True)
class NotSent:
    """The request did not get there, or was not taken: nothing can have happened, and sending it again is safe."""

    why: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have happened, now or in a moment: only the provider can tell."""

    why: str


@dataclass(frozen=True, slots=True)
class NothingKnown:
    """The provider has not seen the key yet. What is on its way may come: sending again is safe, giving up is not."""


Sent = PaidOut | Declined | NotSent | Unknown
Asked = PaidOut | Declined | NothingKnown | Unknown


class Payments(Protocol):
    """A provider; each method answers within ten seconds."""

    async def pay_out(self, payment: Payment) -> Sent:
        """Send a payment, once."""
        ...

    async def find(self, key: str) -> Asked:
        """Ask what became of a key; that changes nothing."""
        ...


class Pauses(Protocol):
    """Time and chance, for tries that follow each other."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def chance(self) -> float:
        """Return a number from 0 to 1."""
        ...
