"""Bounds of time that a requirement states, held on a machine that does other things too.

Whatever else the machine does can only add to what a try takes. So a bound counts as kept as soon as one try keeps it;
a product that breaks it breaks it in every try. For time that requires nothing, tests wait for the end instead.
"""

from collections.abc import Awaitable, Callable
from typing import Final

TRIES: Final = 20


async def kept(most: float, attempt: Callable[[], Awaitable[float]], tries: int = TRIES) -> None:
    """Try until an attempt, which returns what it took, takes less than `most`; fail with all that was taken."""
    took = [await attempt()]
    while min(took) >= most and len(took) < tries:
        took.append(await attempt())
    assert min(took) < most, took


def kept_at_once(most: float, attempt: Callable[[], float], tries: int = TRIES) -> None:
    """As `kept`, for what runs without an event loop."""
    took = [attempt()]
    while min(took) >= most and len(took) < tries:
        took.append(attempt())
    assert min(took) < most, took
