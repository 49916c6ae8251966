"""For tests of the service, and of applications like it: a look into transactions, and a provider that misbehaves."""

from order_service.testing.pauses import RecordedPauses
from order_service.testing.transactions import STEPS, WatchedTransactions

__all__ = ["STEPS", "RecordedPauses", "WatchedTransactions"]
