"""Moments of a store's clock as people read them."""

from datetime import UTC, datetime

__all__ = ["moment"]


def moment(millis: int, timespec: str = "seconds") -> str:
    """Return milliseconds since 1970 as UTC, ISO 8601, to the second or as `timespec` of `datetime.isoformat` says."""
    return datetime.fromtimestamp(millis / 1000, UTC).isoformat(timespec=timespec)
