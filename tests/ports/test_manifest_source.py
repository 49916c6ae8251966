"""What every `ManifestSource` promises: a value for whatever the other side does."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.manifest_file import FileManifestSource
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.adapters.manifest_scripted import ScriptedManifestSource
from axhub.gateway.ports import ManifestSource, Pulled, PullFailure
from support.fetching import fetch
from support.tool_service import ToolService, reply

MAX_BYTES = 5000


@dataclass
class Rig:
    """A source of the bundles `a` and `b`, and how to change what it finds."""

    source: ManifestSource
    serve: Callable[[str, bytes], None]
    take_away: Callable[[], Awaitable[None]]


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


@pytest.fixture(params=[http_rig, file_rig, scripted_rig])
async def rig(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    async for made in request.param(tmp_path):
        yield made


@pytest.mark.req("gateway/G4", "gateway/G8")
async def test_each_bundle_has_its_own_document_byte_for_byte(rig: Rig) -> None:
    rig.serve("a", '{"x" : "보험",\r\n "n": 1.0}'.encode())
    rig.serve("b", b"")
    assert await rig.source.pull("a", None) == Pulled(body='{"x" : "보험",\r\n "n": 1.0}'.encode())
    assert await rig.source.pull("b", None) == Pulled(body=b"")


@pytest.mark.req("gateway/G5")
async def test_each_pull_sees_what_is_there_now_also_when_a_revision_was_named(rig: Rig) -> None:
    rig.serve("a", b"1")
    assert (await rig.source.pull("a", None)).body == b"1"
    rig.serve("a", b"2")
    assert (await rig.source.pull("a", "r1")).body == b"2"


@pytest.mark.req("gateway/G4")
@pytest.mark.parametrize(
    ("size", "failure"), [(MAX_BYTES, None), (MAX_BYTES + 1, "TooLarge"), (10 * MAX_BYTES, "TooLarge")]
)
async def test_a_document_may_be_as_long_as_the_bound_and_no_longer(rig: Rig, size: int, failure: str | None) -> None:
    rig.serve("a", b" " * size)
    pulled = await rig.source.pull("a", None)
    assert pulled.failure == failure
    assert len(pulled.body or b"") == (0 if failure else size)


@pytest.mark.req("gateway/G3", "gateway/G5")
async def test_a_source_that_has_gone_is_a_value_and_so_is_its_return(rig: Rig) -> None:
    rig.serve("a", b"1")
    await rig.take_away()
    pulled = await rig.source.pull("a", None)
    assert (pulled.failure, pulled.body, pulled.not_modified) == (PullFailure.CONNECT_FAILED, None, False)
