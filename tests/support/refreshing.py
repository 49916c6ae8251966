"""A whole refresh with everything outside it under the test's hand: clock, sources, cache, log."""

import asyncio
import json
from types import TracebackType
from typing import Any, Self

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import ManifestPolicy
from axhub.gateway.adapters.cache_memory import MemoryManifestCache
from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.manifest_scripted import ScriptedManifestSource
from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.ports import ManifestCache, ManifestSource
from axhub.gateway.usecases.refresh_catalogue import PulledBundle, RefreshCatalogue, Schedule

SERVICE = parse_url("http://127.0.0.1:9")
INTERVAL = 30.0


def policy(bundle_id: str, *, base: str | None = None) -> ManifestPolicy:
    endpoints = EndpointPolicy(
        service_domain=SERVICE,
        base_endpoint=None if base is None else parse_url(base),
        declared=frozenset({SERVICE.origin}),
        any_origin=False,
    )
    return ManifestPolicy(bundle_id=bundle_id, endpoints=endpoints)


def bundle(bundle_id: str, *, enabled: bool = True, fallback: ManifestSource | None = None) -> PulledBundle:
    return PulledBundle(bundle_id, enabled, policy(bundle_id), fallback)


class Refreshing:
    """Runs a `RefreshCatalogue` while entered."""

    def __init__(
        self,
        *bundles: PulledBundle | str,
        schedule: Schedule | None = None,
        max_total: int = 200,
        random: float = 0.0,
        cache: ManifestCache | None = None,
        clock: ManualClock | None = None,
    ) -> None:
        self.clock = clock or ManualClock()
        self.source = ScriptedManifestSource()
        self.cache = cache or MemoryManifestCache()
        self.published: list[Snapshot] = []
        self.outcomes: list[tuple[str, str]] = []
        self.publish_fault: Exception | None = None
        self.observer_fault: Exception | None = None
        self._lines: list[bytes] = []
        self.catalogue = RefreshCatalogue(
            bundles=[bundle(entry) if isinstance(entry, str) else entry for entry in bundles],
            source=self.source,
            cache=self.cache,
            clock=self.clock,
            log=JsonLog(self._lines.append, self.clock),
            publish=self._publish,
            schedule=schedule or Schedule(interval=INTERVAL, jitter=0.0),
            max_total=max_total,
            random=lambda: random,
            on_pull=self._on_pull,
        )

    def _on_pull(self, bundle_id: str, outcome: str) -> None:
        if self.observer_fault is not None:
            raise self.observer_fault
        self.outcomes.append((bundle_id, outcome))

    def _publish(self, snapshot: Snapshot) -> None:
        if self.publish_fault is not None:
            raise self.publish_fault
        self.published.append(snapshot)

    async def __aenter__(self) -> Self:
        self._run = asyncio.create_task(self.catalogue.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Cancel the run and wait for its end."""
        self._run.cancel()
        await asyncio.wait({self._run})

    async def settled(self) -> float:
        """Wait until the run sleeps; return for how many seconds."""
        return (await self.clock.sleepers(1))[0]

    async def tick(self, seconds: float = INTERVAL) -> float:
        """Move the clock and wait until the refresh that became due has ended; return until when the run sleeps."""
        self.clock.advance(seconds)
        return await self.settled()

    def events(self, *names: str) -> list[dict[str, Any]]:
        """Return the logged events of these names (or all), without time stamps."""
        events = [json.loads(line) for line in self._lines]
        return [
            {key: value for key, value in event.items() if key != "ts"}
            for event in events
            if not names or event["event"] in names
        ]

    def first_attempt_over(self) -> bool:
        """Say whether the first refresh has ended."""
        return self.catalogue.first_attempt_over

    def stale(self) -> bool:
        """Say whether the catalogue in use is marked stale."""
        return self.catalogue.stale_snapshot

    def state(self, bundle_id: str) -> BundleState:
        """Return the state of one bundle."""
        return next(state for state in self.catalogue.bundles() if state.id == bundle_id)

    def names(self) -> list[str]:
        """Return the names of the tools in the catalogue in use."""
        assert self.catalogue.snapshot is not None
        return [entry.tool.name for entry in self.catalogue.snapshot.tools]
