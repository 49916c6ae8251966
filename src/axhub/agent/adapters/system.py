"""The process's own clock, ids and chance."""

import asyncio
import secrets
import time
from typing import Final

__all__ = ["RandomIds", "SystemClock"]

_ID_BYTES: Final = 16


class SystemClock:
    """See `ports.effects.Clock`."""

    def monotonic(self) -> float:
        """See `Clock`."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """See `Clock`."""
        await asyncio.sleep(seconds)


class RandomIds:
    """See `ports.effects.Ids`."""

    def new(self) -> str:
        """See `Ids`."""
        return secrets.token_hex(_ID_BYTES)
