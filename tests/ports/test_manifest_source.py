"""What every `ManifestSource` promises: a value for whatever the other side does."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.manifest_by_bundle import ManifestsByBundle
from axhub.gateway.adapters.manifest_file import FileManifestSource
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.adapters.manifest_scripted import ScriptedManifestSource
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Client
from axhub.gateway.adapters.mcp_client.source import McpManifestSource
from axhub.gateway.ports import ManifestSource, Pulled, PullFailure
from support.fetching import fetch
from support.mcp_hosts import Era, McpHost
from support.mcp_hosts_wire import response_to
from support.tool_service import ToolService, reply

MAX_BYTES = 5000


@dataclass
class Rig:
    """A source of the bundles `a` and `b`, and how to change what it finds."""

    source: ManifestSource
    serve: Callable[[str, bytes], None]
    take_away: Callable[[], Awaitable[None]]
    around: int = 0
    """How many bytes of the bound may go into what stands around a document."""


async def http_rig(_folder: Path) -> AsyncIterator[Rig]:
    async with ToolService() as service:
        endpoints = {name: parse_url(service.url(f"/{name}/tool-manifest?v=1")) for name in "ab"}
        source = HttpManifestSource(fetch, endpoints, connect_timeout=1, read_timeout=1, max_bytes=MAX_BYTES)

        def serve(name: str, body: bytes) -> None:
            service.on(f"/{name}/tool-manifest?v=1", reply(200, body))

        yield Rig(source, serve, service.stop)


async def file_rig(folder: Path) -> AsyncIterator[Rig]:
    source = FileManifestSource({name: folder / f"{name}.json" for name in "ab"}, max_bytes=MAX_BYTES)

    def serve(name: str, body: bytes) -> None:
        (folder / f"{name}.json").write_bytes(body)

    async def take_away() -> None:
        for name in "ab":
            (folder / f"{name}.json").unlink(missing_ok=True)

    yield Rig(source, serve, take_away)


async def scripted_rig(_folder: Path) -> AsyncIterator[Rig]:
    source = ScriptedManifestSource(max_bytes=MAX_BYTES)

    async def take_away() -> None:
        for name in "ab":
            source.answer(name, PullFailure.CONNECT_FAILED)

    yield Rig(source, source.answer, take_away)


async def by_bundle_rig(_folder: Path) -> AsyncIterator[Rig]:
    sources = {name: ScriptedManifestSource(max_bytes=MAX_BYTES) for name in "ab"}

    async def take_away() -> None:
        for name, source in sources.items():
            source.answer(name, PullFailure.CONNECT_FAILED)

    def serve(name: str, body: bytes) -> None:
        sources[name].answer(name, body)

    yield Rig(ManifestsByBundle(sources["a"], {"b": sources["b"]}), serve, take_away)


async def mcp_rig(era: Era) -> AsyncIterator[Rig]:
    client = Http1Client({}, 1.0, MAX_BYTES, None, SystemClock())
    async with AsyncExitStack() as stack:
        hosts = {name: await stack.enter_async_context(McpHost(era=era)) for name in "ab"}
        servers = {
            name: McpServer(name, Client(parse_url(host.url("/mcp")), b"{}"), client.fetch, lambda _bundle: None)
            for name, host in hosts.items()
        }

        def serve(name: str, body: bytes) -> None:
            hosts[name].says("tools/list", lambda seen: reply(200, response_to(seen, body)))

        async def take_away() -> None:
            for host in hosts.values():
                await host.stop()

        source = McpManifestSource(servers, SystemClock(), connect_timeout=1, read_timeout=1, max_bytes=MAX_BYTES)
        yield Rig(source, serve, take_away, around=200)
    await client.close()


async def stateless_rig(_folder: Path) -> AsyncIterator[Rig]:
    async for rig in mcp_rig("new"):
        yield rig


async def sessions_rig(_folder: Path) -> AsyncIterator[Rig]:
    async for rig in mcp_rig("old"):
        yield rig


PASSING_ON = [http_rig, file_rig, scripted_rig, by_bundle_rig]
"""Those that hand over documents of any kind as they are; the others make them out of the pages of a list."""


@pytest.fixture(params=[*PASSING_ON, stateless_rig, sessions_rig])
async def rig(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    async for made in request.param(tmp_path):
        yield made


def document(text: str) -> bytes:
    """Return a manifest as every source hands it over."""
    return b'{"tools":["%b"]}' % text.encode()


@pytest.mark.req("gateway/G4", "gateway/G8", "gateway/P11")
async def test_each_bundle_has_its_own_document(rig: Rig) -> None:
    rig.serve("a", document("보험"))
    rig.serve("b", b'{"tools":[]}')
    assert await rig.source.pull("a", None) == Pulled(body=document("보험"))
    assert await rig.source.pull("b", None) == Pulled(body=b'{"tools":[]}')


@pytest.mark.req("gateway/G4", "gateway/G8")
@pytest.mark.parametrize("rig", PASSING_ON, indirect=True)
async def test_a_document_comes_byte_for_byte(rig: Rig) -> None:
    rig.serve("a", '{"x" : "보험",\r\n "n": 1.0}'.encode())
    rig.serve("b", b"")
    assert await rig.source.pull("a", None) == Pulled(body='{"x" : "보험",\r\n "n": 1.0}'.encode())
    assert await rig.source.pull("b", None) == Pulled(body=b"")


@pytest.mark.req("gateway/G5", "gateway/P11")
async def test_each_pull_sees_what_is_there_now_also_when_a_revision_was_named(rig: Rig) -> None:
    rig.serve("a", document("1"))
    assert (await rig.source.pull("a", None)).body == document("1")
    rig.serve("a", document("2"))
    assert (await rig.source.pull("a", "r1")).body == document("2")


@pytest.mark.req("gateway/G4", "gateway/P11")
@pytest.mark.parametrize(
    ("size", "failure"), [(MAX_BYTES, None), (MAX_BYTES + 1, "TooLarge"), (10 * MAX_BYTES, "TooLarge")]
)
async def test_a_document_may_be_as_long_as_the_bound_and_no_longer(rig: Rig, size: int, failure: str | None) -> None:
    size -= 0 if failure else rig.around
    rig.serve("a", document("x" * (size - len(document("")))))
    pulled = await rig.source.pull("a", None)
    assert pulled.failure == failure
    assert len(pulled.body or b"") == (0 if failure else size)


@pytest.mark.req("gateway/G3", "gateway/G5", "gateway/P11")
async def test_a_source_that_has_gone_is_a_value_and_so_is_its_return(rig: Rig) -> None:
    rig.serve("a", document("1"))
    await rig.take_away()
    pulled = await rig.source.pull("a", None)
    assert (pulled.failure, pulled.body, pulled.not_modified) == (PullFailure.CONNECT_FAILED, None, False)
