"""Keeps the lease of a run while its process lives: a dead one is found soon, and a slow model keeps its run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from axhub.agent.domain.records import RunRecord
from axhub.agent.ports.effects import Clock
from axhub.agent.ports.runs import RunStore

__all__ = ["LEASE_SECONDS", "held"]

LEASE_SECONDS: Final = 30.0
"""How long a process may be silent before its run is taken over."""
_RENEWALS: Final = 3
"""How often a lease is renewed before it would end."""


@asynccontextmanager
async def held(store: RunStore[Any], clock: Clock, run: RunRecord[Any]) -> AsyncIterator[None]:
    """Renew the lease of a run for the length of a block, as long as nobody else has taken it."""
    renewing = asyncio.create_task(_renew(store, clock, run))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


async def _renew(store: RunStore[Any], clock: Clock, run: RunRecord[Any]) -> None:
    is_own = True
    while is_own:
        await clock.sleep(LEASE_SECONDS / _RENEWALS)
        try:
            is_own = await store.renew(run, LEASE_SECONDS)
        except Exception:  # noqa: BLE001, S112 -- a store that is away for a moment costs nothing; the next write tells
            continue
