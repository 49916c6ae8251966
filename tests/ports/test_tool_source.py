"""Where tools come from: the same promises of every source, its tools being here or behind a server (agent/A9)."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from axhub.agent import FixedTools, ToolError, ToolRegistry, reads, writes
from axhub.agent.domain.definition import Effect, check_definition, published_digest
from axhub.agent.domain.errors import ArgumentsError
from axhub.agent.ports.tools import Tool, ToolSource, ToolsUnavailableError
from axhub.agent.testing import FakeActor, ScriptedTools
from support.agents import Probe, reader
from support.gateway import bundle, manifest, running, settings, tool
from support.mcp_peer import NEW, OLD, peer, result
from support.remote import BOTH, Can, context, remote
from support.tool_service import PATIENCE_SECONDS, Received, ToolService, reply

pytestmark = pytest.mark.req("agent/A5", "agent/A9")

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}},
    "required": ["order_id"],
    "additionalProperties": False,
}
FIND: Final[dict[str, Any]] = {"name": "find_order", "description": "Finds.", "inputSchema": SCHEMA}
ADD: Final[dict[str, Any]] = {"name": "add_order", "description": "Adds.", "inputSchema": SCHEMA}


@dataclass
class Opened:
    """A source with `find_order`, which reads, and `add_order`, which writes and refuses the order `closed`."""

    source: ToolSource[Can, FakeActor]
    change: Callable[[], Awaitable[None]] | None = None
    """Publish `find_order` with another description, and `add_order` no more; None: its tools are fixed."""


async def _probed(arguments: Mapping[str, Any], _context: object) -> str:
    if arguments["order_id"] == "closed":
        raise ToolError("CLOSED", "It is closed.")
    return json.dumps({"done": arguments["order_id"]})


def _mapping(find: Tool[FakeActor], add: Tool[FakeActor]) -> Mapping[Can, Any]:
    return {Can.READ: [find], Can.WRITE: [add, find]}


def _probes() -> tuple[Probe, Probe]:
    return reader("find_order", _probed), Probe("add_order", behave=_probed)


@asynccontextmanager
async def _registry() -> AsyncIterator[Opened]:
    yield Opened(ToolRegistry(_mapping(*_probes())))


@asynccontextmanager
async def _scripted() -> AsyncIterator[Opened]:
    find, add = _probes()
    source = ScriptedTools(_mapping(find, add))

    async def change() -> None:
        other = reader("find_order", _probed)
        other.definition = replace(find.definition, description="Finds otherwise.")
        source.publish({Can.READ: [other], Can.WRITE: [other]})

    yield Opened(source, change)


def _of_peer(era: str) -> Any:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Opened]:
        def said(request: Received) -> Any:
            order = json.loads(request.body)["params"]["arguments"]["order_id"]
            return result("It is closed.", isError=True) if order == "closed" else result(json.dumps({"done": order}))

        async with (
            peer(era, tools=[FIND, ADD], on_call=said) as server,
            _remote(server.url, published_digest(ADD)) as it,
        ):

            async def change() -> None:
                server.tools = [{**FIND, "description": "Finds otherwise."}]
                await it.until(it.reasons)

            yield Opened(it.source, change)

    return opened


@asynccontextmanager
async def _gateway() -> AsyncIterator[Opened]:
    """A real gateway, and a scripted Tool Service behind it."""

    def said(request: Received) -> Any:
        order = json.loads(request.body)["order_id"]
        refusal = b'{"error":{"code":"CLOSED","message":"It is closed."}}'
        return reply(409, refusal) if order == "closed" else reply(body=json.dumps({"done": order}).encode())

    find, add = (tool(**one) for one in (FIND, ADD))
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [find, add])))
        service.on("/tools/find_order", said)
        service.on("/tools/add_order", said)
        async with (
            running(settings(bundle(service.url()))) as gateway,
            _remote(f"http://127.0.0.1:{gateway.port}/mcp", published_digest(ADD)) as it,
        ):

            async def change() -> None:
                other = {**find, "description": "Finds otherwise."}
                service.on("/tool-manifest", reply(body=manifest("ins", [other])))
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while not it.reasons():  # a name that nobody knows has it pull, but not twice in 50 ms
                        await gateway.rpc("tools/call", {"name": "nobody_knows"})
                        await asyncio.sleep(0.02)

            yield Opened(it.source, change)


@asynccontextmanager
async def _remote(url: str, digest: str) -> AsyncIterator[Any]:
    find, add = reads("find_order"), writes("add_order", digest=digest, key=["order_id"])
    async with remote(url, {Can.READ: [find], Can.WRITE: [add, find]}, refresh_seconds=0.6) as it:
        yield it


SOURCES: Final = {
    "registry": _registry,
    "scripted": _scripted,
    "server 2026-07-28": _of_peer(NEW),
    "server 2025-11-25": _of_peer(OLD),
    "gateway": _gateway,
}


@pytest.fixture(params=SOURCES)
async def opened(request: pytest.FixtureRequest) -> AsyncIterator[Opened]:
    async with SOURCES[request.param]() as one:
        yield one


async def test_of_no_capability_there_is_no_tool(opened: Opened) -> None:
    assert await opened.source.tools(frozenset()) == {}


async def test_each_capability_has_its_tools_in_order_and_each_once(opened: Opened) -> None:
    assert list(await opened.source.tools({Can.READ})) == ["find_order"]
    assert list(await opened.source.tools({Can.WRITE})) == ["add_order", "find_order"]
    assert list(await opened.source.tools(BOTH)) == ["find_order", "add_order"]


async def test_its_names_are_known_before_anybody_asks_and_each_tool_has_its_own(opened: Opened) -> None:
    assert opened.source.names == {"find_order", "add_order"}
    assert opened.source.is_ready
    offered = await opened.source.tools(BOTH)
    assert [name for name, one in offered.items() if one.definition.name != name] == []


async def test_what_it_offers_could_have_been_registered(opened: Opened) -> None:
    offered = await opened.source.tools(BOTH)
    for one in offered.values():
        check_definition(one.definition)
    assert [one.definition.effect for one in offered.values()] == [Effect.READ, Effect.WRITE]


async def test_a_tool_takes_arguments_that_fit_and_refuses_others(opened: Opened) -> None:
    find = (await opened.source.tools({Can.READ}))["find_order"]
    find.read({"order_id": "A"})
    for arguments in ({}, {"order_id": 1}, {"order_id": "A", "more": 1}, {"order_id": "A", "userId": "root"}):
        with pytest.raises(ArgumentsError):
            find.read(arguments)


async def test_a_tool_gives_its_result_or_says_that_it_cannot(opened: Opened) -> None:
    add = (await opened.source.tools({Can.WRITE}))["add_order"]
    assert json.loads(await add.call(add.read({"order_id": "A"}), context(key="k"))) == {"done": "A"}
    with pytest.raises(ToolError) as told:
        await add.call(add.read({"order_id": "closed"}), context(key="k"))
    assert "It is closed." in told.value.public_message


async def test_the_key_of_a_write_is_that_of_its_arguments(opened: Opened) -> None:
    add = (await opened.source.tools({Can.WRITE}))["add_order"]
    keys = {add.key_of(add.read({"order_id": one}), context()) for one in ("A", "A", "B")}
    assert len(keys) == 2


async def test_a_tool_is_known_whatever_the_capabilities_and_no_other_is(opened: Opened) -> None:
    known = await opened.source.known("add_order")
    assert known is not None
    assert known.definition.effect is Effect.WRITE
    assert await opened.source.known("nothing") is None


@pytest.mark.parametrize("opened", [one for one in SOURCES if one != "registry"], indirect=True)
async def test_what_changes_changes_its_digest_and_what_goes_is_still_known(opened: Opened) -> None:
    assert opened.change is not None
    before = (await opened.source.tools(BOTH))["find_order"].definition
    await opened.change()
    now = await opened.source.tools(BOTH)
    assert list(now) == ["find_order"]
    assert now["find_order"].definition.digest != before.digest
    assert await opened.source.known("add_order") is not None
    assert opened.source.names == {"find_order", "add_order"}


async def test_the_small_case_is_a_source_too() -> None:
    find, _ = _probes()
    source: ToolSource[Any, FakeActor] = FixedTools(find)
    assert (source.names, source.is_ready) == ({"find_order"}, True)


async def test_a_scripted_source_is_not_ready_until_something_is_published() -> None:
    find, add = _probes()
    source = ScriptedTools(_mapping(find, add), is_ready=False)
    with pytest.raises(ToolsUnavailableError):
        await source.tools(BOTH)
    assert await source.tools(frozenset()) == {}
    source.publish({Can.READ: [find]})
    assert list(await source.tools(BOTH)) == ["find_order"]
    with pytest.raises(ValueError, match=r"^not among its names: other_tool$"):
        source.publish({Can.READ: [reader("other_tool")]})
