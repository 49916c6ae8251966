"""Tool Services whose names hang, are unknown, or lead elsewhere than before (fault/F26, gateway/X9, decision/D1)."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from axhub.gateway.adapters.name_lookups import Loop, NameLookups
from axhub.gateway.config.settings import DiscoverySettings, RegistrySettings
from axhub.gateway.domain.bundle import BundleState
from support.callers import Caller, calling, is_error, many_calling, text_of, until
from support.gateway import RunningGateway, bundle, manifest, running, settings, tool
from support.names import Names
from support.tool_service import ToolService, reply

pytestmark = pytest.mark.req("fault/F26")
NAMES = Names()
SLOW = [f"slow-{number}" for number in range(4)]
CLOSE = ((b"Connection", b"close"),)
"""In every answer: each call needs a connection of its own, and so a look-up."""
NOT_SENT = "The tool cannot be reached at the moment. Nothing was sent; try again later."
ASKED = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=1)


@pytest.fixture(scope="module")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return "asyncio", {"loop_factory": lambda: Loop(NameLookups(NAMES.ask))}


@pytest.fixture(autouse=True)
def names() -> Iterator[Names]:
    NAMES.reset()
    yield NAMES
    NAMES.reset()


@asynccontextmanager
async def serving(names: Names, host: str) -> AsyncIterator[ToolService]:
    """Run a Tool Service with one tool, both named like its host."""
    names.known[host] = ("127.0.0.1",)
    async with ToolService() as service:
        serve(service, host, [tool(host)])
        yield service


def serve(service: ToolService, host: str, tools: list[dict[str, Any]]) -> None:
    service.on("/tool-manifest", reply(body=manifest(host, tools), headers=CLOSE))
    service.on(f"/tools/{host}", reply(body=b'{"from":"%b"}' % host.encode(), headers=CLOSE))


def named(host: str, service: ToolService) -> str:
    return f"http://{host}:{service.port}/tool-manifest"


def state(gateway: RunningGateway, bundle_id: str) -> BundleState:
    return next(found for found in gateway.gateway.refresh.bundles() if found.id == bundle_id)


async def refreshed(gateway: RunningGateway) -> None:
    """Ask for a refresh that begins now, and wait for its end."""
    await asyncio.sleep(0.002)  # the floor of settings that ask for this is 1 ms (gateway/X7)
    await gateway.gateway.refresh.recheck()


async def works(caller: Caller, host: str) -> bool:
    return text_of(await caller.call(host)) == f'{{"from":"{host}"}}'


@pytest.mark.req("gateway/X9", "fault/F08")
async def test_names_of_other_bundles_that_hang_slow_no_call(names: Names) -> None:
    async with AsyncExitStack() as stack:
        bundles = [
            bundle(named(host, await stack.enter_async_context(serving(names, host))), host) for host in (*SLOW, "fine")
        ]
        gateway = await stack.enter_async_context(running(settings(*bundles)))
        callers = await stack.enter_async_context(many_calling(gateway.port, 5 * len(SLOW)))
        caller = await stack.enter_async_context(calling(gateway.port))
        names.hanging = set(SLOW)
        names.asked.clear()
        for number, waiting in enumerate(callers):
            waiting.start_call(SLOW[number % len(SLOW)])
        await until(lambda: {use.active for use in gateway.gateway.client.usage().values()} == {0, 5})
        assert [await works(caller, "fine") for _ in range(10)] == [True] * 10
        assert sorted(names.asked) == sorted([*SLOW, *["fine"] * 10])
        names.go_on()
        assert {text_of(await waiting.read()) for waiting in callers} == {f'{{"from":"{host}"}}' for host in SLOW}


@pytest.mark.req("gateway/X9", "fault/F06")
async def test_a_name_that_hangs_ends_a_pull_at_the_time_for_connecting_and_delays_no_other(names: Names) -> None:
    times = DiscoverySettings(connect_timeout_millis=500)
    async with serving(names, "slow") as slow, serving(names, "fine") as fine:
        bundles = bundle(named("slow", slow), "slow"), bundle(named("fine", fine), "fine")
        async with running(settings(*bundles, discovery=times, registry=ASKED)) as gateway:
            names.hanging = {"slow"}
            serve(fine, "fine", [tool("fine"), tool("more")])
            await refreshed(gateway)
            assert (state(gateway, "slow").status, state(gateway, "fine").tool_count) == ("degraded", 2)
            async with calling(gateway.port) as caller:
                missed = await caller.call("slow")
                assert (text_of(missed), is_error(missed)) == (NOT_SENT, True)
                names.hanging.clear()
                names.go_on()
                await refreshed(gateway)
                assert await works(caller, "slow")
            assert state(gateway, "slow").status == "healthy"


@pytest.mark.req("gateway/G5")
async def test_a_name_that_is_no_longer_known_loses_no_tool(names: Names) -> None:
    async with serving(names, "fine") as service:
        configured = settings(bundle(named("fine", service), "fine"), registry=ASKED)
        async with running(configured) as gateway, calling(gateway.port) as caller:
            names.known.clear()
            await refreshed(gateway)
            assert (state(gateway, "fine").status, state(gateway, "fine").tool_count) == ("degraded", 1)
            missed = await caller.call("fine")
            assert (text_of(missed), is_error(missed)) == (NOT_SENT, True)
            names.known["fine"] = ("127.0.0.1",)
            assert await works(caller, "fine")


@pytest.mark.req("decision/D1", "threat/T01")
async def test_a_declared_name_is_followed_where_it_leads_and_no_other_name_is_even_looked_up(names: Names) -> None:
    """Origins are declared, not addresses: a Tool Service may move, but a manifest cannot name where to."""
    canary = await asyncio.start_server(lambda _reader, writer: arrived.append(writer), "127.0.0.2", 0)
    arrived: list[asyncio.StreamWriter] = []
    inside = canary.sockets[0].getsockname()[1]
    async with canary, serving(names, "fine") as service:
        names.known |= {"inside": ("127.0.0.2",)}
        configured = settings(bundle(named("fine", service), "fine"), registry=ASKED)
        async with running(configured) as gateway, calling(gateway.port) as caller:
            for origin in (f"http://inside:{inside}", f"http://127.0.0.2:{inside}", f"http://fine:{inside}"):
                serve(service, "fine", [tool("fine"), tool("other", endpoint=f"{origin}/x")])
                await refreshed(gateway)
                assert (state(gateway, "fine").status, state(gateway, "fine").tool_count) == ("degraded", 1)
                assert await works(caller, "fine")
            names.known["fine"] = ("127.0.0.3", "127.0.0.1")  # nobody listens at the first one
            assert await works(caller, "fine")
    assert set(names.asked) == {"fine"}
    assert arrived == []
