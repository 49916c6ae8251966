"""What axhub says of its store, in the application's words."""

from collections.abc import Iterator
from contextlib import contextmanager

from axhub.agent.ports.runs import StoreUnavailableError
from order_service.ports.faults import UnavailableError

__all__ = ["reachable"]


@contextmanager
def reachable() -> Iterator[None]:
    """Say `UnavailableError` where the store does not answer as it should."""
    try:
        yield
    except StoreUnavailableError as error:
        raise UnavailableError from error
