"""What an MCP server lists, and in how many pages: taken whole and checked whole, or not at all (gateway/P11, G6)."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from axhub.gateway.config.settings import DiscoverySettings, RegistrySettings
from support.callers import names_of, text_of, until
from support.gateway import NEW, running, settings
from support.mcp_hosts import ASKED, Heard, McpHost, listed, mcp_bundle, refreshed, state
from support.mcp_hosts_wire import event, fixed, http_error, list_result, response_to, stream
from support.tool_service import Answer, Hang, Reset, reply

CURSORS = ("", "p 2", 'quoted " and \\ and \n', "다음 쪽 😀", "=?base64?" + "x" * 300)
Page = tuple[list[Mapping[str, Any]], Any]


def cursor_of(seen: Heard) -> Any:
    """Return the cursor that a request names; None: the first page."""
    return seen.json["params"].get("cursor")


def page(seen: Heard, tools: list[Mapping[str, Any]], following: Any = None, **more: Any) -> bytes:
    shown = {} if following is None else {"nextCursor": following}
    return response_to(seen, list_result(tools, new=seen.new, **shown, **more))


def in_pages(host: McpHost, cursors: tuple[str, ...] = CURSORS) -> Callable[[Heard], Answer]:
    """Return what gives one tool a page; the cursors name the pages after the first."""
    order = [None, *cursors]

    def answer(seen: Heard) -> Answer:
        at = order.index(cursor_of(seen))
        following = order[at + 1] if at + 1 < len(order) else None
        return host.respond(seen, page(seen, [listed(f"claim_{at}")], following))

    return answer


@pytest.mark.parametrize("streams", [False, True], ids=["json", "events"])
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.req("gateway/P11")
async def test_all_pages_are_one_list_and_cursors_go_back_as_they_came(era: Any, streams: bool) -> None:
    async with McpHost(era=era, streams=streams) as host:
        host.says("tools/list", in_pages(host))
        async with running(settings(mcp_bundle(host))) as gateway:
            names = [f"claim_{at}" for at in range(len(CURSORS) + 1)]
            assert names_of(await gateway.rpc("tools/list")) == names
            assert text_of(await gateway.call("claim_3", b'{"n":1}')) == '{"n":1}'
        assert [cursor_of(seen) for seen in host.of("tools/list")] == [None, *CURSORS]
        assert host.of("tools/call")[0].name == "claim_3"


ENDLESS: dict[str, Callable[[Heard], Any]] = {
    "always the same cursor": lambda _: "again",
    "two in turn": lambda seen: "a" if cursor_of(seen) == "b" else "b",
    "ever new ones": lambda seen: seen.id.decode(),
}


@pytest.mark.parametrize("following", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.req("gateway/P11", "gateway/G4", "gateway/G5")
async def test_pages_that_never_end_are_given_up_and_the_old_list_stays(following: Callable[[Heard], Any]) -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host), registry=ASKED)) as gateway:
        host.says("tools/list", lambda seen: reply(body=page(seen, [], following(seen))))
        await refreshed(gateway)
        assert state(gateway).last_failure_reason in {"InvalidManifest", "TimedOut"}
        assert len(host.of("tools/list")) <= 1003
        assert names_of(await gateway.rpc("tools/list")) == ["claim_find"]


def nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object"}
    for _ in range(depth):
        found = {"type": "object", "properties": {"a": found}}
    return found


SECOND: dict[str, tuple[Callable[[Heard], Answer], str]] = {
    "HTTP 500": (lambda _: reply(500, b"{}"), "HttpStatus"),
    "reset": (lambda _: (Reset(),), "ConnectFailed"),
    "an error": (
        lambda seen: reply(body=b'{"jsonrpc":"2.0","id":%b,"error":{"code":-32602,"message":"x"}}' % seen.id),
        "InvalidManifest",
    ),
    "a lost session": (lambda _: http_error(404, b'{"code":-32600,"message":"Session not found"}'), "HttpStatus"),
    "no tools": (lambda seen: reply(body=response_to(seen, {"resultType": "complete"})), "InvalidManifest"),
    "tools twice": (lambda seen: reply(body=response_to(seen, b'{"tools":[],"tools":[{}]}')), "InvalidManifest"),
    "a bad tool": (lambda seen: reply(body=page(seen, [{"name": "claim_x"}])), "InvalidManifest"),
    "a tool of the first page": (lambda seen: reply(body=page(seen, [listed("Claim_Find")])), "InvalidManifest"),
    "a cursor that is a number": (lambda seen: reply(body=page(seen, [], 3)), "InvalidManifest"),
    "a cursor that is an object": (lambda seen: reply(body=page(seen, [], {"a": 1})), "InvalidManifest"),
    "a cursor that is false": (lambda seen: reply(body=page(seen, [], False)), "InvalidManifest"),
    "too much in sum": (lambda seen: reply(body=page(seen, [listed("claim_b", title="x" * 2500)])), "TooLarge"),
    "too much in sum, as an event": (
        lambda seen: stream(event(page(seen, [listed("claim_b", title="x" * 2500)]))),
        "TooLarge",
    ),
}


@pytest.mark.parametrize(("second", "reason"), SECOND.values(), ids=SECOND)
@pytest.mark.req("gateway/P11", "gateway/G4", "gateway/G5", "gateway/G6", "gateway/K6")
async def test_a_second_page_that_fails_fails_the_whole_list(second: Callable[[Heard], Answer], reason: str) -> None:
    bounded = DiscoverySettings(max_manifest_bytes=4096)
    async with (
        McpHost(listed("claim_find"), era="old") as host,
        running(settings(mcp_bundle(host), registry=ASKED, discovery=bounded)) as gateway,
    ):
        host.says(
            "tools/list", lambda seen: reply(body=page(seen, [listed("claim_find", title="x" * 2000)], "2")), second
        )
        await refreshed(gateway)
        assert (state(gateway).status, state(gateway).last_failure_reason) == ("degraded", reason)
        assert len(host.of("tools/list")) == 3  # the first list, and these two pages
        assert names_of(await gateway.rpc("tools/list")) == ["claim_find"]
        assert b"xxx" not in (await gateway.rpc("tools/list")).body
        host.says("tools/list", host.usually)
        await refreshed(gateway)
        assert state(gateway).status == "healthy"


@pytest.mark.req("gateway/P11", "gateway/K6", "gateway/G5")
async def test_a_list_that_changes_between_its_pages_is_as_its_server_gave_it_and_right_with_the_next_pull() -> None:
    """What a server moves from the second page to the first while it is read is missed once, or twice: never wrong."""
    async with (
        McpHost(listed("claim_a"), listed("claim_b")) as host,
        running(settings(mcp_bundle(host), registry=ASKED)) as gateway,
    ):
        host.says(
            "tools/list",
            lambda seen: reply(body=page(seen, [listed("claim_a")], "2")),
            lambda seen: reply(body=page(seen, [listed("claim_a"), listed("claim_b")])),
            host.usually,
        )
        await refreshed(gateway)
        assert state(gateway).last_failure_reason == "InvalidManifest"
        assert names_of(await gateway.rpc("tools/list")) == ["claim_a", "claim_b"]
        await refreshed(gateway)
        assert state(gateway).status == "healthy"


def with_property(schema: Mapping[str, Any]) -> dict[str, Any]:
    return listed("claim_x", inputSchema={"type": "object", "properties": {"a": schema}})


DRAFT_04 = "http://json-schema.org/draft-04/schema#"
BAD_TOOLS: dict[str, Mapping[str, Any]] = {
    "no name": {"description": "x", "inputSchema": {"type": "object"}},
    "a blank name": listed(" "),
    "a name with a line end": listed("claim_x\n"),
    "a name that is not ASCII": listed("청구"),
    "a name of 65": listed("c" * 65),
    "no description": {"name": "claim_x", "inputSchema": {"type": "object"}},
    "a blank description": {"name": "claim_x", "description": " ", "inputSchema": {"type": "object"}},
    "bidi": listed("claim_x", title="a\u202eb"),
    "a tag character": {**listed("claim_x"), "description": "a\U000e0041"},
    "an escape of a terminal": {**listed("claim_x"), "description": "\u001b[31mred"},
    "no schema": {"name": "claim_x", "description": "x"},
    "a schema that is none": listed("claim_x", inputSchema=7),
    "a schema of another root": listed("claim_x", inputSchema={"type": "array"}),
    "a reference out of it": with_property({"$ref": "http://127.0.0.1:9/x"}),
    "too deep a schema": listed("claim_x", inputSchema=nested(20)),
    "an unknown dialect": listed("claim_x", inputSchema={"$schema": DRAFT_04, "type": "object"}),
    "a wrong type": listed("claim_x", title=5),
    "a bad header": with_property({"type": "string", "x-mcp-header": "a b"}),
}


@pytest.mark.req("gateway/P11", "gateway/G6", "input/B18", "input/B19")
async def test_one_bad_tool_rejects_the_list_and_the_log_names_it() -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host), registry=ASKED)) as gateway:
        for name, bad in BAD_TOOLS.items():
            host.tools = [listed("claim_new"), bad]
            logged = len(gateway.log)
            await refreshed(gateway)
            assert state(gateway).last_failure_reason == "InvalidManifest", name
            assert names_of(await gateway.rpc("tools/list")) == ["claim_find"], name
            told = [line for line in gateway.log[logged:] if line["event"] == "manifest_finding"]
            assert told, name
            assert all(line["pointer"].startswith("/tools/1") for line in told), name
            host.tools = [listed("claim_find")]
            await refreshed(gateway)
        host.tools = [listed("claim_new")]
        await refreshed(gateway)
        assert names_of(await gateway.rpc("tools/list")) == ["claim_new"]


@pytest.mark.req("gateway/P11", "gateway/G6", "input/B10", "threat/T04")
async def test_ten_thousand_tools_are_too_many_in_one_page_or_in_many() -> None:
    wide = DiscoverySettings(max_manifest_bytes=4_000_000)
    async with (
        McpHost(listed("claim_find")) as host,
        running(settings(mcp_bundle(host), registry=ASKED, discovery=wide)) as gateway,
    ):
        host.tools = [listed(f"claim_{at}") for at in range(10_000)]
        await refreshed(gateway)
        assert state(gateway).last_failure_reason == "InvalidManifest"
        host.says("tools/list", lambda seen: reply(body=_hundredth(host, seen)))
        await refreshed(gateway)
        assert state(gateway).last_failure_reason == "InvalidManifest"
        assert names_of(await gateway.rpc("tools/list")) == ["claim_find"]


def _hundredth(host: McpHost, seen: Heard) -> bytes:
    at = int(cursor_of(seen) or "0")
    return page(seen, host.tools[at * 100 : at * 100 + 100], str(at + 1) if at < 99 else None)


@pytest.mark.req("gateway/P11", "gateway/G6", "gateway/X12")
async def test_a_schema_of_draft_07_is_taken_and_its_results_are_checked_by_it() -> None:
    draft = "http://json-schema.org/draft-07/schema#"
    schema = {"$schema": draft, "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    async with (
        McpHost(listed("claim_find", inputSchema=schema, outputSchema=schema)) as host,
        running(settings(mcp_bundle(host))) as gateway,
    ):
        shown = (await gateway.rpc("tools/list")).json["result"]["tools"][0]
        assert (shown["inputSchema"], shown["outputSchema"]) == (schema, schema)
        for structured, fits in ({"a": 1}, True), ({"a": "1"}, False):
            result: dict[str, Any] = {"content": [], "structuredContent": structured, "resultType": "complete"}
            host.says("tools/call", fixed(result))
            answer = (await gateway.call("claim_find", revision=NEW)).json["result"]
            assert answer.get("structuredContent") == (structured if fits else None)
            assert answer.get("isError", False) is not fits


@pytest.mark.req("gateway/P11", "gateway/K4", "gateway/K5")
async def test_what_is_listed_keeps_the_servers_words_numbers_and_order_in_our_order_of_members() -> None:
    tool = (
        b'{"inputSchema":{"type":"object","properties":{"n":{"type":"number","maximum":1.0e2}},"a":1,"$defs":{}},'
        b'"execution":{"taskSupport":"optional"},"icons":[{"src":"x"}],"_meta":{"fastmcp":{"tags":[]}},'
        b'"annotations":{"readOnlyHint":true,"x":1},"name":"claim_find","title":"t","description":"d"}'
    )
    async with McpHost() as host:
        host.says(
            "tools/list",
            lambda seen: reply(body=response_to(seen, b'{"tools": [ %b ],"resultType":"complete"}' % tool)),
        )
        async with running(settings(mcp_bundle(host))) as gateway:
            body = (await gateway.rpc("tools/list")).body
    shown = body.partition(b'"tools":[')[2]
    assert shown.startswith(
        b'{"name":"claim_find","title":"t","description":"d",'
        b'"inputSchema":{"type":"object","properties":{"n":{"type":"number","maximum":1.0e2}},"a":1,"$defs":{}},'
        b'"annotations":{"readOnlyHint":true}}]'
    )


@pytest.mark.req("gateway/P11", "decision/D7")
async def test_a_tool_that_can_only_be_called_as_a_task_is_left_out() -> None:
    tools = [listed("claim_find"), listed("claim_task", execution={"taskSupport": "required"})]
    async with McpHost(*tools) as host, running(settings(mcp_bundle(host))) as gateway:
        assert names_of(await gateway.rpc("tools/list")) == ["claim_find"]
        assert (await gateway.call("claim_task")).json["error"]["data"] == {"reason": "tool_not_found"}
        assert host.of("tools/call") == []


@pytest.mark.parametrize("ttl", [1, 0, -5, 1.5, "soon", None, 10**40, int("9" * 4000), True])
@pytest.mark.req("gateway/P11", "gateway/G5")
async def test_whatever_a_list_says_of_its_age_it_is_taken(ttl: Any) -> None:
    """Shorter than the interval, it only brings the next pull nearer, and never nearer than the least interval."""
    calm = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=300)
    async with McpHost(listed("claim_find")) as host:
        shown = b"9" * 4000 if isinstance(ttl, int) and ttl > 10**1000 else json.dumps(ttl).encode()
        body = b'{"tools":%b,"ttlMs":%b}' % (json.dumps(host.tools).encode(), shown)
        host.says("tools/list", lambda seen: reply(body=response_to(seen, body)))
        async with running(settings(mcp_bundle(host), registry=calm)) as gateway:
            assert names_of(await gateway.rpc("tools/list")) == ["claim_find"]
            if ttl == 1 and ttl is not True:
                await host.hears("tools/list", 3)
            assert state(gateway).status == "healthy"
        assert (len(host.of("tools/list")) > 1) == (ttl == 1 and ttl is not True)


@pytest.mark.req("gateway/P11", "gateway/X9")
async def test_pages_are_read_beside_calls_and_in_the_way_of_none() -> None:
    async with McpHost(listed("claim_find")) as host:
        one = mcp_bundle(host, max_concurrent_calls=1, max_queued_calls=0)
        async with running(settings(one, registry=ASKED)) as gateway:
            host.says("tools/list", (Hang(),))
            refresh = asyncio.create_task(refreshed(gateway))
            await host.hears("tools/list", 2)
            for _ in range(5):
                await until(lambda: gateway.gateway.client.usage()["mcp"].active == 0)
                assert text_of(await gateway.call("claim_find")) == "{}"
            refresh.cancel()
            await asyncio.gather(refresh, return_exceptions=True)
