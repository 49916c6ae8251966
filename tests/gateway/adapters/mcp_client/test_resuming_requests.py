"""Answers to the gateway's own requests whose streams end before the response: the rest is asked for, too (P11).

A server may close the stream of any request and let its client ask for what comes after (MCP 2025-11-25,
resumability), so of `initialize` and `tools/list` as well as of calls.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Sequence
from typing import Any

import pytest

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.mcp_client.answers import McpFaultError
from axhub.gateway.adapters.mcp_client.asking import Asking, Bounds
from axhub.gateway.adapters.mcp_client.resuming import MOST_FRUITLESS
from axhub.gateway.domain.revision import Revision
from axhub.gateway.ports import Pulled, PullFailure, UpstreamAnswer
from gateway.adapters.mcp_client.resumed import Says, place
from support.mcp_clients import Attached, attached
from support.mcp_hosts import LIST_CHANGED, Heard, listed
from support.mcp_hosts_wire import END, chunk, event, list_result, response_to, stream
from support.tool_service import Answer, Close, Drip, Hang, Reset, Send, reply
from support.wire import eventually

FIND = Pulled(body=b'{"tools":[{"name":"find"}]}')
ENDS: dict[str, Answer] = {"ended": (Send(END),), "closed": (Close(),), "reset": (Reset(),)}


def tools(*names: str, cursor: str | None = None) -> bytes:
    shown = list_result([{"name": name} for name in names])
    return json.dumps(shown if cursor is None else {**shown, "nextCursor": cursor}).encode()


def rest_of(client: Attached, method: str, result: bytes, *before: bytes) -> Says:
    """Return what answers a GET with the response to the last request of a method."""
    return lambda _get: stream(*before, event(response_to(client.host.of(method)[-1], result)))


def initialized(client: Attached, **members: object) -> bytes:
    result = {"protocolVersion": client.host.revision, "capabilities": {}, "serverInfo": {"name": "h", "version": "1"}}
    return json.dumps({**result, **members}).encode()


def breaks_off_opening(
    client: Attached, *, retry: int = 100, headers: Sequence[tuple[bytes, bytes]] = ((b"Mcp-Session-Id", b"s-1"),)
) -> None:
    """Have the stream of the answer to `initialize` end before the response, in the session `s-1`."""
    client.host.known.add(b"s-1")
    client.host.says("initialize", stream(place(retry=retry), headers=headers))


@pytest.mark.req("gateway/P11", "gateway/G4")
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_the_rest_of_a_list_is_asked_for_after_the_last_event_and_the_list_is_asked_for_once(end: Answer) -> None:
    async with attached(listed("find"), era="old") as client:
        client.host.says("tools/list", (*stream(place(b"e-0") + place(b"e-1"), ends=False), *end))
        client.host.says(
            "GET", stream(place(b"e-2")), rest_of(client, "tools/list", tools("find"), event(LIST_CHANGED))
        )
        assert await client.source().pull("mcp", None) == FIND
        gets = client.host.of("GET")
        assert [get.request.headers[b"last-event-id"] for get in gets] == [b"e-1", b"e-2"]
        assert {(get.session, get.request.headers[b"mcp-protocol-version"]) for get in gets} == {
            (b"s-1", b"2025-11-25")
        }
        assert {(get.request.body, get.request.headers[b"accept"]) for get in gets} == {(b"", b"text/event-stream")}
        assert len(client.host.of("tools/list")) == 1
        assert client.changed == ["mcp"]


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_each_page_of_a_list_may_come_in_parts() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/list", stream(place(b"e-1")), stream(place(b"e-2")))
        client.host.says(
            "GET",
            rest_of(client, "tools/list", tools("a", cursor="2")),
            rest_of(client, "tools/list", tools("b")),
        )
        assert (await client.source().pull("mcp", None)).body == b'{"tools":[{"name":"a"},{"name":"b"}]}'
        assert [get.request.headers[b"last-event-id"] for get in client.host.of("GET")] == [b"e-1", b"e-2"]


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_a_server_is_not_asked_for_the_rest_of_a_list_before_the_time_that_it_said() -> None:
    async with attached(era="old") as client:
        times: list[float] = []

        def says(_seen: Heard) -> Answer:
            times.append(time.monotonic())
            return stream(place(retry=400))

        def asked(get: Heard) -> Answer:
            times.append(time.monotonic())
            return rest_of(client, "tools/list", tools("find"))(get)

        client.host.says("tools/list", says)
        client.host.says("GET", asked)
        assert await client.source().pull("mcp", None) == FIND
        assert times[1] - times[0] >= 0.39


@pytest.mark.req("gateway/P11")
async def test_the_rest_of_an_opening_is_asked_for_in_the_session_that_was_given_with_it() -> None:
    """Which revision the session has is not known before the response, so it is not named."""
    async with attached(era="old", revision="2025-06-18") as client:
        breaks_off_opening(client)
        client.host.says("GET", rest_of(client, "initialize", initialized(client)))
        session = await client.server.open(5.0)
        assert (session.revision, session.id) == (Revision.V2025_06_18, b"s-1")
        (get,) = client.host.of("GET")
        assert (get.session, get.request.headers[b"last-event-id"]) == (b"s-1", b"e-1")
        assert b"mcp-protocol-version" not in get.request.headers
        assert len(client.host.of("initialize")) == 1
        assert (await client.host.hears("notifications/initialized")).session == b"s-1"


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "headers", [[], [(b"Mcp-Session-Id", b"")], [(b"Mcp-Session-Id", b"s 1")], [(b"Mcp-Session-Id", "세션".encode())]]
)
async def test_without_an_id_of_a_session_that_can_be_sent_back_nobody_knows_whose_opening_it_is(
    headers: list[tuple[bytes, bytes]],
) -> None:
    async with attached(era="old") as client:
        breaks_off_opening(client, headers=headers)
        with pytest.raises(McpFaultError, match="no JSON-RPC response"):
            await client.server.open(5.0)
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11")
async def test_a_server_without_sessions_or_of_the_stateless_era_is_not_asked_for_the_rest_of_a_list() -> None:
    for about in ({"era": "new"}, {"era": "old", "sessions": False}):
        async with attached(**about) as client:
            client.host.says("tools/list", stream(place()))
            assert (await client.source().pull("mcp", None)).failure is PullFailure.INVALID_JSON
            assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11")
async def test_a_discovery_that_is_broken_off_means_the_other_era() -> None:
    async with attached(era="old") as client:
        client.host.says("server/discover", stream(place()))
        assert (await client.server.open(5.0)).id == b"s-1"
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11", "gateway/G4")
@pytest.mark.parametrize(
    "refusal",
    [
        reply(405, b"", content_type=None),
        reply(404, b'{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'),
        reply(200, b"{}"),
        reply(200, b"<html>", content_type=b"text/html"),
        stream(b"data: x", headers=[(b"Content-Encoding", b"gzip")]),
        (Close(),),
        (Reset(),),
    ],
    ids=["405", "404", "JSON", "html", "packed", "closed", "reset"],
)
async def test_a_server_that_offers_the_rest_and_does_not_give_it_is_told_as_a_broken_connection(
    refusal: Answer,
) -> None:
    """Its session stays: if it has gone, the next request is told so."""
    async with attached(listed("find"), era="old") as client:
        await client.server.open(5.0)
        client.host.says("tools/list", stream(place()), client.host.usually)
        client.host.says("GET", refusal)
        pulled = await client.source().pull("mcp", None)
        assert pulled.failure is PullFailure.CONNECT_FAILED
        assert "no rest of an answer" in pulled.detail
        assert (len(client.host.of("GET")), len(client.host.of("tools/list"))) == (1, 1)
        assert (await client.source().pull("mcp", None)).failure is None
        assert client.host.sessions == [b"s-1"]


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_an_opening_whose_rest_does_not_come_fails_and_the_next_one_begins_anew() -> None:
    async with attached(era="old") as client:
        breaks_off_opening(client)
        client.host.says("GET", reply(405, b"", content_type=None))
        with pytest.raises(McpFaultError, match="no rest of an answer"):
            await client.server.open(5.0)
        client.host.says("initialize", client.host.usually)
        assert (await client.server.open(5.0)).id == b"s-1"


@pytest.mark.req("gateway/P11", "gateway/G4")
@pytest.mark.parametrize(
    "rest",
    [(Hang(),), stream(Hang()), stream(Drip(chunk(b": \n\n") * 1000, size=len(chunk(b": \n\n"))))],
    ids=["no head", "nothing", "comments"],
)
async def test_all_streams_of_a_list_are_within_its_time(rest: Answer) -> None:
    async with attached(era="old") as client:
        await client.server.open(5.0)
        client.host.says("tools/list", stream(place(retry=0)))
        client.host.says("GET", rest)
        began = time.monotonic()
        assert (await client.source(seconds=0.5).pull("mcp", None)).failure is PullFailure.TIMED_OUT
        assert time.monotonic() - began < 4


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_each_stream_has_what_the_ones_before_it_have_left_of_the_time() -> None:
    async with attached(era="old") as client:
        given: list[tuple[float, float]] = []
        bounds = Bounds(30.0, 100_000)

        def fetch(
            endpoint_origin: Origin, head: bytes, timeout: float, *args: Any, **named: Any
        ) -> Awaitable[UpstreamAnswer]:
            given.append((time.monotonic(), timeout))
            return client.client.fetch(endpoint_origin, head, timeout, *args, **named)

        session = await client.server.open(5.0)
        client.host.says("tools/list", stream(place(retry=200)))
        client.host.says("GET", stream(place(b"e-2", retry=200)), rest_of(client, "tools/list", tools("find")))
        asking = Asking(client.server.client, fetch, asyncio.sleep, client.server.told, 7, bounds)
        await asking.run(session, "tools/list", client.server.client.request(session, 7, "tools/list"))
        (began, whole), *others = given
        assert (whole, len(others)) == (30.0, 2)
        for at, seconds in others:
            assert 29.0 - (at - began) < seconds <= 30.0 - (at - began) + 0.01


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_a_rest_that_is_due_after_what_is_left_of_the_time_is_not_waited_for() -> None:
    async with attached(era="old") as client:
        waited: list[float] = []

        async def pause(seconds: float) -> None:
            waited.append(seconds)
            await asyncio.sleep(0.6)

        session = await client.server.open(5.0)
        client.host.says("tools/list", stream(place(retry=500)))
        client.host.says("GET", stream(place(b"e-2", retry=9_700)))
        asking = Asking(client.server.client, client.client.fetch, pause, client.server.told, 7, Bounds(10.0, 5000))
        with pytest.raises(McpFaultError, match="no rest of an answer"):
            await asking.run(session, "tools/list", client.server.client.request(session, 7, "tools/list"))
        assert waited == [0.5]


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_an_opening_whose_rest_would_be_late_is_given_up_in_time() -> None:
    async with attached(era="old") as client:
        client.server.open_seconds = 1.0
        breaks_off_opening(client, retry=0)
        client.host.says("GET", stream(place(b"e-2", retry=0), Hang()))
        with pytest.raises(McpFaultError) as caught:
            await client.server.open(5.0)
        assert caught.value.reason is PullFailure.TIMED_OUT


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_a_rest_that_is_due_after_the_time_of_a_list_is_not_waited_for() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/list", stream(place(retry=20_000)))
        pulled = await asyncio.wait_for(client.source(seconds=10.0).pull("mcp", None), 5.0)
        assert pulled.failure is PullFailure.INVALID_JSON
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11", "gateway/G4", "threat/T19")
async def test_all_streams_of_a_list_may_have_as_much_together_as_one() -> None:
    async with attached(era="old") as client:
        filled = (b": " + b"x" * 97 + b"\n") * 60

        def says(_seen: Heard) -> Answer:
            return stream(filled, place(b"e-%d" % len(client.host.of("GET")), retry=0))

        client.host.says("tools/list", says)
        client.host.says("GET", says)
        assert (await client.source(max_bytes=5000).pull("mcp", None)).failure is PullFailure.TOO_LARGE
        assert 2 <= len(client.host.of("GET")) <= 4


@pytest.mark.req("gateway/P11", "gateway/G4", "threat/T19")
async def test_a_server_that_brings_nothing_of_a_list_is_asked_a_bounded_number_of_times() -> None:
    async with attached(era="old") as client:
        waited: list[float] = []

        async def pause(seconds: float) -> None:
            waited.append(seconds)
            await asyncio.sleep(0)

        session = await client.server.open(5.0)
        client.host.says("tools/list", stream(place(retry=0)))
        client.host.says("GET", stream())
        asking = Asking(client.server.client, client.client.fetch, pause, client.server.told, 7, Bounds(600.0, 5000))
        with pytest.raises(McpFaultError, match="no rest of an answer"):
            await asking.run(session, "tools/list", client.server.client.request(session, 7, "tools/list"))
        assert len(client.host.of("GET")) == len(waited) == MOST_FRUITLESS
        assert waited[:6] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


@pytest.mark.req("gateway/P11")
async def test_who_waits_for_an_opening_that_comes_in_parts_shares_it() -> None:
    async with attached(era="old") as client:
        breaks_off_opening(client)
        client.host.says("GET", rest_of(client, "initialize", initialized(client)))
        assert len(set(await asyncio.gather(*(client.server.open(5.0) for _ in range(20))))) == 1
        await eventually(lambda: len(client.host.of("GET")) == len(client.host.of("initialize")) == 1)
