"""initialize, ping, server/discover, notifications, what is not served (gateway/P1-P4)."""

import pytest

from support.gateway import HANDSHAKE, NEW, REVISIONS, RunningGateway, request

SERVER_INFO = {"name": "mcp-test", "version": "0.1.0"}
STAMP = {"io.modelcontextprotocol/serverInfo": SERVER_INFO}


@pytest.mark.req("gateway/P1", "gateway/P3", "gateway/P9")
@pytest.mark.parametrize(
    ("asked", "answered"),
    [*((revision, revision) for revision in HANDSHAKE), (NEW, "2025-11-25"), ("1999-01-01", "2025-11-25")],
)
async def test_initialize_echoes_a_revision_it_speaks_and_offers_its_latest_otherwise(
    gateway: RunningGateway, asked: str, answered: str
) -> None:
    body, _ = request("initialize", {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "c"}})
    answer = await gateway.post(body)
    assert answer.status == 200
    assert answer.json == {
        "jsonrpc": "2.0",
        "id": 7,
        "result": {
            "protocolVersion": answered,
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": SERVER_INFO,
        },
    }
    assert b"mcp-session-id" not in answer.headers


@pytest.mark.req("gateway/P3")
async def test_initialize_without_a_revision_is_invalid_params(gateway: RunningGateway) -> None:
    answer = await gateway.rpc("initialize", {})
    assert (answer.status, answer.json["error"]["code"]) == (200, -32602)


@pytest.mark.req("gateway/P3")
@pytest.mark.parametrize("revision", HANDSHAKE)
async def test_ping_is_answered_on_the_old_revisions(gateway: RunningGateway, revision: str) -> None:
    answer = await gateway.rpc("ping", revision=revision)
    assert (answer.status, answer.json) == (200, {"jsonrpc": "2.0", "id": 7, "result": {}})


@pytest.mark.req("gateway/P3", "gateway/P4", "gateway/P9")
async def test_discover_says_what_the_new_revision_wants(gateway: RunningGateway) -> None:
    answer = await gateway.rpc("server/discover", revision=NEW)
    assert (answer.status, answer.json["result"]) == (
        200,
        {
            "supportedVersions": [NEW],
            "capabilities": {"tools": {"listChanged": True}},
            "resultType": "complete",
            "_meta": STAMP,
            "ttlMs": 3_600_000,
            "cacheScope": "public",
        },
    )


@pytest.mark.req("gateway/P3")
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("method", ["prompts/list", "tasks/get", "logging/setLevel", "subscriptions/x", "x", ""])
async def test_any_other_method_is_not_found_with_the_status_its_revision_asks_for(
    gateway: RunningGateway, revision: str, method: str
) -> None:
    answer = await gateway.rpc(method, revision=revision)
    assert (answer.status, answer.json["error"]["code"]) == (404 if revision == NEW else 200, -32601)


@pytest.mark.req("gateway/P3")
@pytest.mark.parametrize(
    ("revision", "method"),
    [
        (NEW, "ping"),
        (NEW, "initialize"),
        *((revision, method) for revision in HANDSHAKE for method in ("server/discover", "subscriptions/listen")),
    ],
)
async def test_methods_of_one_era_do_not_exist_in_the_other(
    gateway: RunningGateway, revision: str, method: str
) -> None:
    answer = await gateway.rpc(method, revision=revision)
    assert answer.json["error"]["code"] == -32601


@pytest.mark.req("gateway/P3", "input/B45")
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "notifications/x", "tools/call"]
)
async def test_a_message_without_id_is_accepted_with_no_body_and_runs_nothing(
    gateway: RunningGateway, method: str
) -> None:
    answer = await gateway.post(b'{"jsonrpc":"2.0","method":"%b","params":{"name":"claim_search"}}' % method.encode())
    assert (answer.status, answer.body, answer.headers.get(b"content-type")) == (202, b"", None)
    assert gateway.gateway.call_tool.in_flight == 0


@pytest.mark.req("gateway/P3", "input/B57")
@pytest.mark.parametrize("method", [b"GET", b"DELETE", b"PUT", b"OPTIONS", b"PATCH"])
@pytest.mark.parametrize("path", [b"/mcp", b"/mcp/"])
async def test_every_other_http_method_is_405_with_allow(gateway: RunningGateway, method: bytes, path: bytes) -> None:
    answer = await gateway.post(b"", [(b"Accept", b"text/event-stream")], method=method, path=path)
    assert (answer.status, answer.headers[b"allow"]) == (405, b"POST")
    assert answer.json["error"]["code"] == -32600
    assert "id" not in answer.json


@pytest.mark.req("gateway/M1", "threat/T12", "input/B61")
@pytest.mark.parametrize(
    "path", [b"/actuator/health", b"/actuator/toolBundles", b"/actuator/prometheus", b"/", b"/mcp/x"]
)
async def test_management_paths_do_not_exist_on_the_mcp_port(gateway: RunningGateway, path: bytes) -> None:
    answer = await gateway.post(b"", method=b"GET", path=path)
    assert answer.status == 404


@pytest.mark.req("gateway/P2")
async def test_a_session_id_is_neither_wanted_nor_minted_nor_checked(gateway: RunningGateway) -> None:
    answer = await gateway.rpc("tools/list", headers=[(b"Mcp-Session-Id", b"dead")])
    assert answer.status == 200
    assert b"mcp-session-id" not in answer.headers


@pytest.mark.req("gateway/P3")
async def test_the_path_with_a_slash_answers_the_same_without_a_redirect(gateway: RunningGateway) -> None:
    body, headers = request("tools/list")
    answers = [await gateway.post(body, headers, path=path) for path in (b"/mcp", b"/mcp/")]
    assert answers[0].body == answers[1].body
    assert [answer.status for answer in answers] == [200, 200]


@pytest.mark.req("gateway/P1")
@pytest.mark.parametrize(
    ("accept", "is_event"),
    [
        (b"application/json", False),
        (b"*/*", False),
        (b"Application/JSON;q=0.5", False),
        (b"text/html", False),
        (b"application/*, text/event-stream", False),
        (b"text/event-stream", True),
        (b"Text/Event-Stream;q=1.0", True),
    ],
)
async def test_any_accept_is_served_and_a_client_of_streams_only_gets_one_event(
    gateway: RunningGateway, accept: bytes, is_event: bool
) -> None:
    body, _ = request("ping")
    answer = await gateway.post(body, [(b"Accept", accept)])
    expected = b'{"jsonrpc":"2.0","id":7,"result":{}}'
    assert answer.status == 200
    assert answer.body == (b"event: message\ndata: %b\n\n" % expected if is_event else expected)
    assert answer.headers[b"content-type"] == (b"text/event-stream" if is_event else b"application/json")
