"""Days: agents write 2026-08-01, the systems behind write 20260801."""

from datetime import date


def to_digits(day: date) -> str:
    """Return a day as the systems behind write it."""
    return day.isoformat().replace("-", "")


def to_day(digits: str) -> str:
    """Return a day as agents read it.

    Raises:
        ValueError: there is no such day; better no answer than one with an invented day.
    """
    return date.fromisoformat(digits).isoformat()


def to_day_or_null(digits: str) -> str | None:
    """Return a day as agents read it, or None where the other side leaves it empty."""
    return to_day(digits) if digits else None
