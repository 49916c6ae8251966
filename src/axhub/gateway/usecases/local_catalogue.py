"""The legacy local fixture: one manifest file instead of discovery (gateway/C3, seed 001 §3).

The configuration has read and checked the file. Offers what `RefreshCatalogue` offers to the rest of the gateway;
nothing is ever pulled.
"""

import asyncio
from collections.abc import Callable, Iterable

from axhub.contract.manifest import Manifest
from axhub.gateway.domain.bundle import BundleState, FallbackAdopted, advance, declared
from axhub.gateway.domain.catalogue import CatalogueTool, Snapshot, build_snapshot
from axhub.gateway.domain.revision import Revision
from axhub.gateway.ports import Clock
from axhub.gateway.usecases.list_tools import tools_array


class LocalCatalogue:
    """A catalogue that never changes: its bundle shows as `fallback`, the other declared ones as `disabled`."""

    first_attempt_over = True
    stale_snapshot = False

    def __init__(
        self, manifest: Manifest, bundle_ids: Iterable[str], *, clock: Clock, publish: Callable[[Snapshot], None]
    ) -> None:
        """`manifest` passed every check as one of the declared bundles `bundle_ids`."""
        tools = [CatalogueTool(manifest.bundle_id, tool) for tool in manifest.tools]
        self.snapshot: Snapshot | None = build_snapshot(tools, tools_array(tools, Revision.V2025_11_25), clock.now())
        self._bundles = tuple(_state(bundle_id, manifest, clock.monotonic()) for bundle_id in bundle_ids)
        self._publish = publish

    def bundles(self) -> tuple[BundleState, ...]:
        """Return the state of every declared bundle."""
        return self._bundles

    async def run(self) -> None:
        """Publish the one snapshot, then wait until cancelled."""
        if self.snapshot is not None:
            self._publish(self.snapshot)
        await asyncio.Event().wait()

    async def recheck(self) -> None:
        """Return at once: there is nothing to ask again."""

    def changed(self, bundle_id: str) -> None:
        """Do nothing: what a source says of its tools is not asked for."""


def _state(bundle_id: str, manifest: Manifest, monotonic: float) -> BundleState:
    if bundle_id != manifest.bundle_id:
        return declared(bundle_id, enabled=False, monotonic=monotonic)
    return advance(declared(bundle_id, enabled=True, monotonic=monotonic), FallbackAdopted(manifest))
