"""subscriptions/listen on both fronts: acknowledged, told once a change, ended, forgotten (gateway/P9)."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from axhub.gateway.config.settings import RegistrySettings
from support.callers import names_of, until
from support.events import ACKNOWLEDGED, CHANGED, TOOLS, asking, listening
from support.gateway import NEW, Front, RunningGateway, bundle, manifest, request, running, settings, tool
from support.tool_service import ToolService, reply

pytestmark = pytest.mark.req("gateway/P9")

KEY = "io.modelcontextprotocol/subscriptionId"
OFTEN = RegistrySettings(refresh_interval_seconds=0.05, refresh_jitter_seconds=0, recheck_min_interval_millis=0)


def publishes(service: ToolService, *names: str, **members: Any) -> None:
    service.on("/tool-manifest", reply(body=manifest("ins", [tool(name, **members) for name in names])))


async def rechecked(gateway: RunningGateway, service: ToolService) -> None:
    """Have the bundle pulled once more, by asking for a tool that nobody has."""
    pulls = sum(seen.target == b"/tool-manifest" for seen in service.requests)
    async with asyncio.timeout(20):
        while sum(seen.target == b"/tool-manifest" for seen in service.requests) == pulls:
            assert (await gateway.call("no_such_tool")).json["error"]["code"] == -32001


async def test_it_is_acknowledged_with_what_is_served_as_a_stream_that_proxies_let_through(
    gateway: RunningGateway,
) -> None:
    asked = {"notifications": {"toolsListChanged": True, "promptsListChanged": True, "resourceSubscriptions": ["a:b"]}}
    async with asking(gateway.port, "subscriptions/listen", asked) as stream:
        assert stream.status == 200
        assert stream.headers[b"content-type"] == b"text/event-stream"
        assert stream.headers[b"x-accel-buffering"] == b"no"
        assert stream.headers[b"cache-control"] == b"no-cache"
        assert b"content-length" not in stream.headers
        assert await stream.message() == {
            "jsonrpc": "2.0",
            "method": ACKNOWLEDGED,
            "params": {"_meta": {KEY: 7}, "notifications": {"toolsListChanged": True}},
        }


async def test_a_change_is_one_notice_after_which_the_new_list_is_there(
    service: ToolService, gateway: RunningGateway
) -> None:
    async with listening(gateway.port) as stream:
        for name in ("claim_new", "claim_newer"):
            publishes(service, "claim_search", name)
            await rechecked(gateway, service)
            assert await stream.message() == {"jsonrpc": "2.0", "method": CHANGED, "params": {"_meta": {KEY: 7}}}
            assert name in names_of(await gateway.rpc("tools/list", revision=NEW))


async def test_a_refresh_that_changes_nothing_in_the_list_is_no_notice(
    service: ToolService, gateway: RunningGateway
) -> None:
    async with listening(gateway.port) as stream:
        for members in ({}, {"endpoint": "/tools/other"}, {"_meta": {"version": "2.0.0", "timeoutMillis": 7}}):
            publishes(service, "claim_search", "claim_slow", **members)
            await rechecked(gateway, service)
        publishes(service, "claim_search")
        await rechecked(gateway, service)
        assert (await stream.message())["method"] == CHANGED  # of the first of them, which is not as it was before
        assert (await stream.message())["method"] == CHANGED
        service.on("/tool-manifest", reply(500))
        await rechecked(gateway, service)
        gateway.gateway.endpoint.subscriptions.close()
        assert "result" in await stream.message()


async def test_only_those_who_asked_for_tools_are_told_and_the_others_stay_connected(
    service: ToolService, gateway: RunningGateway
) -> None:
    async with listening(gateway.port, {"notifications": {}}) as silent, listening(gateway.port) as stream:
        publishes(service, "claim_new")
        await rechecked(gateway, service)
        assert (await stream.message())["method"] == CHANGED
        gateway.gateway.endpoint.subscriptions.close()
        assert "result" in await silent.message()


async def test_the_first_list_is_a_change_for_those_who_came_before_it(service: ToolService, front: Front) -> None:
    service.on("/tool-manifest", reply(500))
    configured = settings(bundle(service.url()), registry=OFTEN)
    async with running(configured, front) as gateway, listening(gateway.port) as stream:
        assert (await gateway.rpc("tools/list", revision=NEW)).status == 503
        publishes(service, "claim_search")
        assert (await stream.message())["method"] == CHANGED
        assert names_of(await gateway.rpc("tools/list", revision=NEW)) == ["claim_search"]


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        (None, 200),
        (b"text/event-stream", 200),
        (b"Text/Event-Stream;q=0.5, application/json", 200),
        (b"*/*", 200),
        (b"text/*", 200),
        (b"application/json", 406),
        (b"text/html, application/*", 406),
    ],
)
async def test_a_caller_that_takes_no_event_stream_is_told_406(
    gateway: RunningGateway, accept: bytes | None, status: int
) -> None:
    _, lines = request("subscriptions/listen", TOOLS, revision=NEW)
    headers = [line for line in lines if line[0] != b"Accept"] + ([] if accept is None else [(b"Accept", accept)])
    if status == 200:
        async with asking(gateway.port, "subscriptions/listen", TOOLS, headers=headers) as stream:
            assert (await stream.message())["method"] == ACKNOWLEDGED
            assert stream.headers[b"content-type"] == b"text/event-stream"
    else:
        body, _ = request("subscriptions/listen", TOOLS, revision=NEW)
        answer = await gateway.post(body, headers)
        assert (answer.status, answer.json["id"], answer.json["error"]["code"]) == (406, 7, -32600)
        assert answer.headers[b"content-type"] == b"application/json"
    await until(lambda: len(gateway.gateway.endpoint.subscriptions) == 0)


@pytest.mark.parametrize(
    "params", [{}, {"notifications": None}, {"notifications": []}, {"notifications": {"toolsListChanged": "yes"}}]
)
async def test_a_filter_of_the_wrong_shape_is_invalid_params(gateway: RunningGateway, params: dict[str, Any]) -> None:
    answer = await gateway.rpc("subscriptions/listen", params, revision=NEW)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32602)
    assert "params.notifications" in answer.json["error"]["message"]
    assert len(gateway.gateway.endpoint.subscriptions) == 0


@pytest.mark.req("gateway/P4")
async def test_its_headers_are_checked_like_those_of_any_request(gateway: RunningGateway) -> None:
    body, lines = request("subscriptions/listen", TOOLS, revision=NEW)
    answer = await gateway.post(body, [line for line in lines if line[0] != b"Mcp-Method"])
    assert (answer.status, answer.json["error"]["code"]) == (400, -32020)


@pytest.mark.req("gateway/P3")
async def test_one_without_an_id_opens_nothing(gateway: RunningGateway) -> None:
    body, lines = request("subscriptions/listen", TOOLS, revision=NEW)
    answer = await gateway.post(body.replace(b'"id": 7, ', b""), lines)
    assert (answer.status, answer.body, len(gateway.gateway.endpoint.subscriptions)) == (202, b"", 0)


async def test_it_ends_with_its_result_when_the_gateway_closes_it(gateway: RunningGateway) -> None:
    async with listening(gateway.port) as stream:
        gateway.gateway.endpoint.subscriptions.close()
        end = await stream.message()
        assert (end["id"], end["result"]["resultType"], end["result"]["_meta"][KEY]) == (7, "complete", 7)
        assert end["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "mcp-test"
        assert await stream.block() == b""
        assert stream.whole
    async with listening(gateway.port) as late:
        assert "result" in await late.message()
        assert await late.block() == b""
        assert late.whole


@pytest.mark.req("gateway/M3", "fault/F36")
async def test_five_hundred_opened_and_left_leave_nothing_behind(gateway: RunningGateway, front: Front) -> None:
    before = len(asyncio.all_tasks())
    for _ in range(5):
        async with AsyncExitStack() as streams:
            opened = [await streams.enter_async_context(listening(gateway.port)) for _ in range(100)]
            assert len(gateway.gateway.endpoint.subscriptions) == 100
            assert b"\naxhub_subscriptions 100\n" in gateway.gateway._render_metrics()
            for stream in opened:
                stream.leave()
            await until(lambda: len(gateway.gateway.endpoint.subscriptions) == 0)
    await until(lambda: len(asyncio.all_tasks()) <= before)
    assert b"\naxhub_subscriptions 0\n" in gateway.gateway._render_metrics()


async def test_calls_go_on_while_many_listen(service: ToolService, gateway: RunningGateway) -> None:
    async with AsyncExitStack() as streams:
        opened = [await streams.enter_async_context(listening(gateway.port)) for _ in range(300)]
        answers = await asyncio.gather(*(gateway.call("claim_search") for _ in range(50)))
        assert {answer.status for answer in answers} == {200}
        publishes(service, "claim_new")
        await rechecked(gateway, service)
        assert {(await stream.message())["method"] for stream in opened} == {CHANGED}
