"""Outages of real services over real sockets, with real time made short (fault/F01, F02, F05, F06)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.cache_memory import MemoryManifestCache
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.usecases.refresh_catalogue import RefreshCatalogue, Schedule
from support.manifests import manifest
from support.refreshing import bundle
from support.tool_service import Hang, ToolService, reply

INTERVAL = 0.05
CLOCK = SystemClock()


@asynccontextmanager
async def refreshing(
    service: ToolService, names: str, publish: Callable[[Snapshot], None]
) -> AsyncIterator[RefreshCatalogue]:
    client = Http1Client({}, connect_timeout=20, max_response_bytes=1, tls=None, clock=CLOCK)
    endpoints = {name: parse_url(service.url(f"/{name}")) for name in names}
    catalogue = RefreshCatalogue(
        bundles=[bundle(name) for name in names],
        source=HttpManifestSource(client.fetch, endpoints, connect_timeout=0.5, read_timeout=0.8, max_bytes=10_000),
        cache=MemoryManifestCache(),
        clock=CLOCK,
        log=JsonLog(lambda line: None, CLOCK),
        publish=publish,
        schedule=Schedule(interval=INTERVAL, jitter=0, recheck_min_interval=0.01),
        max_total=200,
        random=lambda: 0.0,
    )
    run = asyncio.create_task(catalogue.run())
    try:
        yield catalogue
    finally:
        run.cancel()
        await asyncio.wait({run})
        await client.close()


class Published:
    """The snapshots published so far, to wait for."""

    def __init__(self) -> None:
        self.all: list[Snapshot] = []
        self._changed = asyncio.Event()

    def __call__(self, snapshot: Snapshot) -> None:
        self.all.append(snapshot)
        self._changed.set()

    async def names(self, *names: str) -> None:
        """Wait until the latest snapshot has exactly these tools."""
        while not self.all or tuple(entry.tool.name for entry in self.all[-1].tools) != names:
            self._changed.clear()
            await self._changed.wait()


@pytest.mark.req("fault/F01", "gateway/G1")
async def test_a_service_that_comes_up_late_is_there_within_an_interval() -> None:
    published = Published()
    async with ToolService() as service:
        service.on("/a", reply(body=manifest("a", ["claim_find"])))
        await service.stop()
        async with refreshing(service, "a", published) as catalogue:
            while not catalogue.first_attempt_over:  # noqa: ASYNC110 - a failure publishes nothing
                await asyncio.sleep(0.005)
            assert catalogue.snapshot is None
            start = CLOCK.monotonic()
            await service.start()
            await published.names("claim_find")
            assert CLOCK.monotonic() - start < INTERVAL + 10


@pytest.mark.req("fault/F02", "fault/F05", "gateway/K6")
async def test_a_flapping_service_loses_no_tool() -> None:
    published = Published()
    good = reply(body=manifest("a", ["claim_find", "claim_new"]))
    async with ToolService() as service:
        service.flap("/a", good, reply(503), reply(200, b"{"), reply(302))
        async with refreshing(service, "a", published) as catalogue:
            await service.received(13)
            assert len(published.all) == 1
            assert catalogue.snapshot is not None
            assert catalogue.snapshot.digest == published.all[0].digest


@pytest.mark.req("fault/F06", "gateway/G3")
async def test_one_of_ten_services_that_hangs_delays_the_others_by_its_deadline_only() -> None:
    names = "abcdefghij"
    published = Published()
    async with ToolService() as service:
        for name in names:
            service.on(f"/{name}", reply(body=manifest(name, [f"{name}_old"])))
        async with refreshing(service, names, published) as catalogue:
            await published.names(*(f"{name}_old" for name in names))
            service.on("/a", (Hang(),))
            for name in names[1:]:
                service.on(f"/{name}", reply(body=manifest(name, [f"{name}_new"])))
            start = CLOCK.monotonic()
            await published.names("a_old", *(f"{name}_new" for name in names[1:]))
            assert CLOCK.monotonic() - start < 15
            while catalogue.bundles()[0].status != "degraded":  # noqa: ASYNC110 - a failure publishes nothing
                await asyncio.sleep(0.005)
            assert {state.status for state in catalogue.bundles()[1:]} == {"healthy"}
