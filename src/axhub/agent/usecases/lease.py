"""Keeps the lease of a run while its process lives: a dead one is found soon, and a slow model keeps its run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from axhub.agent.ports.effects import Clock
from axhub.agent.ports.runs import RunStore

__all__ = ["LEASE_SECONDS", "held"]

LEASE_SECONDS: Final = 30.0
"""How long a process may be silent before its run is taken over."""
_RENEWALS: Final = 3
"""How often a lease is renewed before it would end."""


@asynccontextmanager
async def held(store: RunStore[Any], clock: Clock, run_id: str) -> AsyncIterator[None]:
    """Renew the lease of a run for the length of a block."""
    renewing = asyncio.create_task(_renew(store, clock, run_id))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


async def _renew(store: RunStore[Any], clock: Clock, run_id: str) -> None:
    while True:
        await clock.sleep(LEASE_SECONDS / _RENEWALS)
        try:
            await store.renew(run_id, LEASE_SECONDS)
        except Exception:  # noqa: BLE001, S112 -- a store that is away for a moment costs nothing; the next write tells
            continue
