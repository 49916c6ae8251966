"""How often something is tried, and how long the pauses are."""

from dataclasses import dataclass
from typing import Final

__all__ = ["LATER", "SOON", "Patience"]

_MOST_DOUBLINGS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Pauses that double up to a bound, half of each by chance, so that those that failed together come back apart."""

    tries: int | None
    """None: until it is settled."""
    first_seconds: float
    most_seconds: float

    def is_over(self, tried: int) -> bool:
        """Say whether that was the last try."""
        return self.tries is not None and tried >= self.tries

    def pause(self, tried: int, chance: float) -> float:
        """Return the seconds before the next try.

        Args:
            tried: how often it has been tried.
            chance: from 0 to 1.
        """
        most = min(self.most_seconds, self.first_seconds * 2.0 ** min(tried - 1, _MOST_DOUBLINGS))
        return most * (1 + chance) / 2


SOON: Final = Patience(tries=3, first_seconds=0.25, most_seconds=1.0)
"""Of a request that has not got there, while its payout is held."""
LATER: Final = Patience(tries=None, first_seconds=2.0, most_seconds=900.0)
"""Of a payout that was put back: the customer is owed the money, so this has no last try."""
