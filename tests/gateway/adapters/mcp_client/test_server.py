"""The one session with a server: opened when needed, once, in the era that it speaks; and what it says besides."""

import asyncio
from functools import partial
from typing import Any

import pytest

from axhub.gateway.adapters.mcp_client.answers import Answered, McpFaultError
from axhub.gateway.adapters.mcp_client.asking import Bounds
from axhub.gateway.adapters.mcp_client.session import Session
from axhub.gateway.domain.mcp_message import Notification, Response
from axhub.gateway.domain.revision import Revision
from axhub.gateway.ports import PullFailure
from support.mcp_clients import Attached, attached
from support.mcp_hosts import LIST_CHANGED, Era, Heard, listed
from support.mcp_hosts_wire import error_to, event, http_error, stream
from support.mcp_hosts_wire import response_to as response_bytes
from support.tool_service import Answer, Close, Hang, Hold, Reset, reply

NEW, OLD = Session(Revision.V2026_07_28), Session(Revision.V2025_11_25, b"s-1")
PING = b'{"jsonrpc":"2.0","id":"p-1","method":"ping"}'
SAMPLING = b'{"jsonrpc":"2.0","method":"sampling/createMessage","params":{},"id":9}'


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("about", "session", "methods"),
    [
        ({"era": "new"}, NEW, ["server/discover"]),
        ({"era": "both"}, NEW, ["server/discover"]),
        ({"era": "old"}, OLD, ["server/discover", "initialize", "notifications/initialized"]),
        ({"era": "old", "streams": True}, OLD, ["server/discover", "initialize", "notifications/initialized"]),
        (
            {"era": "old", "sessions": False, "revision": "2025-06-18"},
            Session(Revision.V2025_06_18),
            ["server/discover", "initialize", "notifications/initialized"],
        ),
        ({"era": "new", "announces": True}, Session(NEW.revision, announces=True), ["server/discover"]),
    ],
)
async def test_a_session_is_opened_in_the_era_that_the_server_speaks(
    about: dict[str, Any], session: Session, methods: list[str]
) -> None:
    async with attached(listed("find"), **about) as client:
        assert await client.server.open(5.0) == session
        assert client.server.session == session
        assert client.server.opened.is_set()
        assert [seen.method for seen in client.host.heard] == methods
        assert await client.server.open(5.0) is client.server.session
        assert len(client.host.heard) == len(methods)


DEAF: dict[str, Answer] = {
    "404": reply(404, b"", content_type=None),
    "405": reply(405, b"no", content_type=b"text/plain"),
    "400 with an error": http_error(400, b'{"code":-32000,"message":"Bad Request: Server not initialized"}'),
    "a page": reply(200, b"<html>", content_type=b"text/html"),
    "no message": reply(200, b"{}"),
    "accepted": reply(202, b"", content_type=None),
    "500": reply(500, b"oops"),
}


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("name", DEAF)
async def test_whatever_a_server_says_to_a_discovery_that_it_does_not_know_it_is_initialised(name: str) -> None:
    async with attached(era="old") as client:
        client.host.says("server/discover", DEAF[name])
        assert await client.server.open(5.0) == OLD


@pytest.mark.req("gateway/P11")
async def test_an_error_to_a_discovery_or_other_revisions_mean_the_other_era() -> None:
    async with attached(era="old") as client:
        client.host.says("server/discover", lambda seen: reply(200, error_to(seen, -32601, "Method not found")))
        assert await client.server.open(5.0) == OLD
        client.server.forget(client.server.session or OLD)
        versions = {"supportedVersions": ["2025-11-25"], "capabilities": {}}
        client.host.says("server/discover", lambda seen: reply(200, response_bytes(seen, versions)))
        assert (await client.server.open(5.0)).id == b"s-2"


@pytest.mark.req("gateway/P11")
async def test_a_server_is_told_that_it_is_initialised_and_has_taken_it_before_anything_else_is_asked() -> None:
    gate = asyncio.Event()
    async with attached(era="old") as client:
        client.host.says("notifications/initialized", (Hold(gate), *reply(202, b"", content_type=None)))
        opening = asyncio.create_task(client.server.open(5.0))
        told = await client.host.hears("notifications/initialized")
        assert told.session == b"s-1"
        assert told.request.headers[b"mcp-protocol-version"] == b"2025-11-25"
        assert client.server.session is None
        assert not opening.done()
        gate.set()
        assert await opening == OLD


@pytest.mark.req("gateway/P11")
async def test_many_who_need_a_session_share_the_opening_of_one() -> None:
    async with attached(era="old") as client:
        found = await asyncio.gather(*(client.server.open(5.0) for _ in range(50)))
        assert set(found) == {OLD}
        assert len(client.host.of("initialize")) == 1


@pytest.mark.req("gateway/P11")
async def test_who_has_little_time_fails_alone() -> None:
    gate = asyncio.Event()
    async with attached(era="new") as client:
        client.server.open_seconds = 60.0
        client.host.says("server/discover", lambda seen: (Hold(gate), *client.host.usually(seen)))
        hasty = asyncio.create_task(client.server.open(1.0))
        await client.host.hears("server/discover")
        patient = asyncio.create_task(client.server.open(20.0))
        with pytest.raises(McpFaultError) as caught:
            await hasty
        assert caught.value.reason is PullFailure.TIMED_OUT
        assert (await asyncio.wait({patient}, timeout=0.2))[0] == set()
        gate.set()
        assert await patient == NEW
        assert len(client.host.of("server/discover")) == 1


@pytest.mark.req("gateway/P11")
async def test_an_opening_that_nobody_waits_for_any_more_is_ended_and_the_next_one_begins_anew() -> None:
    async with attached(era="new") as client:
        client.host.says("server/discover", (Hang(),), client.host.usually)
        with pytest.raises(McpFaultError):
            await client.server.open(1.0)
        assert len(client.host.of("server/discover")) == 1
        assert await client.server.open(5.0) == NEW
        assert len(client.host.of("server/discover")) == 2


@pytest.mark.req("gateway/P11")
async def test_who_gives_up_waiting_does_not_end_the_opening() -> None:
    gate = asyncio.Event()
    async with attached(era="new") as client:
        client.host.says("server/discover", lambda seen: (Hold(gate), *client.host.usually(seen)))
        gone, stays = (asyncio.create_task(client.server.open(5.0)) for _ in range(2))
        await client.host.hears("server/discover")
        gone.cancel()
        await asyncio.wait({gone})
        gate.set()
        assert await stays == NEW


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ((Reset(),), PullFailure.CONNECT_FAILED),
        (reply(403, b"", content_type=None), PullFailure.HTTP_STATUS),
        (reply(200, b"<html>", content_type=b"text/html"), PullFailure.CONTENT_TYPE),
        (reply(200, b"{"), PullFailure.INVALID_JSON),
        (stream(), PullFailure.INVALID_JSON),
        (stream(event(b"{")), PullFailure.INVALID_JSON),
        (reply(200, b" " * 70_000), PullFailure.TOO_LARGE),
        (http_error(400, b'{"code":-32602,"message":"secret"}'), PullFailure.HTTP_STATUS),
        (http_error(200, b'{"code":-32602,"message":"secret"}'), PullFailure.INVALID_MANIFEST),
    ],
)
async def test_a_server_that_opens_no_session_says_why_and_may_be_asked_again(
    says: Answer, reason: PullFailure
) -> None:
    async with attached(era="old") as client:
        client.host.says("initialize", says)
        for _ in range(2):
            with pytest.raises(McpFaultError) as caught:
                await client.server.open(5.0)
            assert caught.value.reason is reason
            assert "secret" not in caught.value.detail
            assert client.host.url("/mcp") in caught.value.detail
        assert not client.server.opened.is_set()
        client.host.says("initialize", client.host.usually)
        assert await client.server.open(5.0) == OLD


@pytest.mark.req("gateway/P11")
async def test_a_revision_that_the_gateway_does_not_speak_opens_nothing() -> None:
    async with attached(era="old", revision="2024-11-05") as client:
        with pytest.raises(McpFaultError, match="no revision of MCP") as caught:
            await client.server.open(5.0)
        assert '"2024-11-05"' in caught.value.detail
        assert "2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28" in caught.value.detail
    for said, shown in {"\x1b" + "9" * 500: "\\x1b999", 7: "none", None: "none"}.items():
        async with attached(era="old") as client:
            client.host.says("initialize", partial(_initialized_as, said))
            with pytest.raises(McpFaultError, match="no revision of MCP") as caught:
                await client.server.open(5.0)
            assert shown in caught.value.detail
            assert caught.value.detail.isprintable()
            assert len(caught.value.detail) < 300


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("says", [(Hang(),), (Reset(),), (Close(),)], ids=["hangs", "resets", "closes"])
async def test_a_server_that_does_not_answer_a_discovery_at_all_is_initialised(says: Answer) -> None:
    async with attached(era="old") as client:
        client.server.open_seconds = 3.0
        client.host.says("server/discover", says)
        assert await client.server.open(5.0) == OLD


@pytest.mark.req("gateway/P11")
async def test_a_server_that_cannot_be_reached_is_not_asked_twice() -> None:
    async with attached(era="old") as client:
        await client.host.stop()
        with pytest.raises(McpFaultError) as caught:
            await client.server.open(5.0)
        assert caught.value.reason is PullFailure.CONNECT_FAILED
        assert client.server.next_number() == 2


def _initialized_as(revision: Any, seen: Heard) -> Answer:
    return reply(200, response_bytes(seen, {"protocolVersion": revision, "capabilities": {}}))


@pytest.mark.req("gateway/P11")
async def test_the_era_is_remembered_and_the_other_one_tried_only_if_it_fails() -> None:
    async with attached(era="old") as client:
        assert await client.server.open(5.0) == OLD
        steps: tuple[tuple[Era, list[str]], ...] = (
            ("old", ["initialize", "notifications/initialized"]),
            ("new", ["initialize", "server/discover"]),
            ("new", ["server/discover"]),
            ("old", ["server/discover", "initialize", "notifications/initialized"]),
        )
        for era, methods in steps:
            client.server.forget(client.server.session or OLD)
            client.host.era = era
            began = len(client.host.heard)
            session = await client.server.open(5.0)
            assert session.stateless is (era == "new")
            assert [seen.method for seen in client.host.heard[began:]] == methods


@pytest.mark.req("gateway/P11")
async def test_of_a_server_of_the_handshake_era_that_opens_nothing_the_reason_is_that_of_the_handshake() -> None:
    async with attached(era="old") as client:
        client.server.forget(await client.server.open(5.0))
        client.host.says("initialize", reply(403, b"", content_type=None))
        with pytest.raises(McpFaultError, match="HTTP 403"):
            await client.server.open(5.0)


@pytest.mark.req("gateway/P11", "threat/T10")
async def test_a_session_id_that_could_not_be_sent_back_opens_nothing() -> None:
    async with attached(era="old") as client:
        body: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}}
        client.host.says(
            "initialize",
            lambda seen: reply(200, response_bytes(seen, body), headers=[(b"Mcp-Session-Id", b"a b")]),
        )
        with pytest.raises(McpFaultError, match="visible ASCII"):
            await client.server.open(5.0)
        assert client.server.session is None


@pytest.mark.req("gateway/P11")
async def test_only_the_session_that_has_gone_is_forgotten() -> None:
    async with attached(era="old") as client:
        first = await client.server.open(5.0)
        client.server.forget(first)
        assert (client.server.session, client.server.opened.is_set()) == (None, False)
        second = await client.server.open(5.0)
        client.server.forget(first)
        assert client.server.session is second
        assert (first.id, second.id) == (b"s-1", b"s-2")


async def asked(client: Attached, method: str = "tools/list") -> Answered:
    session = await client.server.open(5.0)
    number = client.server.next_number()
    body = client.server.client.request(session, number, method)
    return await client.server.ask(session, number, method, body, Bounds(5.0, 10_000))


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("era", ["new", "old"])
async def test_a_response_comes_as_json_or_as_an_event(era: str, streams: bool) -> None:
    async with attached(listed("find"), era=era, streams=streams) as client:
        found = (await asked(client)).response
        assert found is not None
        assert b'"name":"find"' in (found.result or b"").replace(b" ", b"")


@pytest.mark.req("gateway/P11")
async def test_of_a_stream_the_response_to_this_request_counts_and_the_rest_is_not_waited_for() -> None:
    other = b'{"jsonrpc":"2.0","id":99999,"result":{"tools":[]}}'
    async with attached(era="old") as client:

        def says(seen: Heard) -> Answer:
            mine = response_bytes(seen, b'{"mine":1}')
            return stream(b": hello\n\n", event(b""), event(other), event(b"{"), event(mine), event(other), Hang())

        client.host.says("tools/list", says)
        async with asyncio.timeout(4):
            assert (await asked(client)).response == Response(b"%d" % (client.server.next_number() - 1), b'{"mine":1}')


@pytest.mark.req("gateway/P11")
async def test_a_servers_words_besides_are_heard_and_its_questions_answered() -> None:
    async with attached(era="old") as client:

        def says(seen: Heard) -> Answer:
            return stream(event(LIST_CHANGED), event(PING), event(SAMPLING), event(response_bytes(seen, b"{}")))

        client.host.says("tools/list", says)
        assert (await asked(client)).response is not None
        assert client.changed == ["mcp"]
        await client.host.hears("", 2)
        answers = sorted((seen.json for seen in client.host.of("")), key=str)
        assert answers == [
            {"jsonrpc": "2.0", "id": "p-1", "result": {}},
            {"jsonrpc": "2.0", "id": 9, "error": {"code": -32601, "message": "Method not found"}},
        ]
        assert {seen.session for seen in client.host.of("")} == {b"s-1"}


@pytest.mark.req("gateway/P11")
async def test_a_stateless_server_has_nothing_to_ask_and_gets_no_answer() -> None:
    async with attached(era="new") as client:
        await client.server.open(5.0)
        client.server.told(Notification("notifications/tools/list_changed", {}))
        client.server.told(Notification("notifications/other", {}))
        client.server.told(None)
        client.server.say(client.server.session, PING)
        assert client.changed == ["mcp"]
        await asked(client)
        assert [seen.method for seen in client.host.heard] == ["server/discover", "tools/list"]


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_at_the_end_a_session_is_given_back_and_nothing_is_left_under_way() -> None:
    async with attached(era="old") as client:
        await client.server.open(5.0)
        await client.server.end(1.0)
        (given_back,) = client.host.of("DELETE")
        assert (given_back.session, given_back.request.body) == (b"s-1", b"")
        assert (client.server.session, client.server.opened.is_set()) == (None, False)
        with pytest.raises(McpFaultError, match="stopping"):
            await client.server.open(5.0)
    async with attached(era="old") as client:
        client.host.says("initialize", (Hang(),))
        waiting = asyncio.create_task(client.server.open(5.0))
        await client.host.hears("initialize")
        await client.server.end(1.0)
        with pytest.raises(McpFaultError, match="stopping"):
            await waiting
    async with attached(era="new") as client:
        await client.server.open(5.0)
        await client.server.end(1.0)
        assert client.host.of("DELETE") == []
