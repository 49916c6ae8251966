"""What is no request at all: answered with the right status and code, never a 500, never a call (gateway/P5, P6)."""

import asyncio

import pytest

from support.gateway import NEW, Front, RunningGateway, bundle, request, running, settings
from support.http import exchange, read_response, render
from support.tool_service import ToolService

PING = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'
CALL = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"claim_search"}}'


@pytest.mark.req("gateway/P6", "input/B43", "input/B44", "input/B45", "input/B46")
@pytest.mark.parametrize("version", [None, b"2025-03-26", b"2025-11-25", NEW.encode()])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
        (b"[" * 70 + b"]" * 70, -32700),
        (b"7", -32600),
        (b"null", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","Method":"x"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32600),
        (b"[]", -32600),
    ],
)
async def test_a_malformed_body_is_400_without_an_id(
    gateway: RunningGateway, service: ToolService, body: bytes, code: int, version: bytes | None
) -> None:
    headers = [] if version is None else [(b"MCP-Protocol-Version", version)]
    answer = await gateway.post(body, headers)
    assert (answer.status, answer.json["error"]["code"]) == (400, code)
    assert "id" not in answer.json
    assert len(service.requests) == 1


@pytest.mark.req("gateway/P5", "input/B50")
async def test_a_foreign_origin_is_403_and_no_origin_is_fine(gateway: RunningGateway) -> None:
    for origin in (b"http://evil.example", b"null"):
        answer = await gateway.post(PING, [(b"Origin", origin)])
        assert (answer.status, answer.json["error"]["code"]) == (403, -32600)
    for headers in ([], [(b"Origin", b"http://localhost:5173")]):
        assert (await gateway.post(PING, headers)).status == 200


@pytest.mark.req("gateway/P5", "input/B49")
async def test_a_host_that_is_not_served_is_421(service: ToolService, front: Front) -> None:
    async with running(settings(bundle(service.url()), allowed_hosts=("mcp.example",)), front) as gateway:
        assert (await gateway.post(PING, [(b"Host", b"evil.example")])).status == 421
        assert (await gateway.post(PING, [(b"Host", b"MCP.example:8080")])).status == 200


@pytest.mark.req("gateway/P6", "input/B49")
async def test_two_hosts_are_400(gateway: RunningGateway) -> None:
    raw = render(PING, [(b"Host", b"a"), (b"Host", b"b"), (b"Content-Type", b"application/json")])
    assert (await exchange(gateway.port, raw)).status == 400


@pytest.mark.req("gateway/P6", "input/B51", "input/B62")
@pytest.mark.parametrize(
    "headers",
    [
        [(b"Content-Type", b"text/plain")],
        [(b"Content-Type", b"application/json; charset=euc-kr")],
        [(b"Content-Type", b"application/json"), (b"Content-Encoding", b"gzip")],
    ],
)
async def test_another_media_type_or_an_encoded_body_is_415(
    gateway: RunningGateway, headers: list[tuple[bytes, bytes]]
) -> None:
    assert (await gateway.post(PING, headers)).status == 415


@pytest.mark.req("gateway/P6", "input/B42", "threat/T17")
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_over_the_bound_is_413(service: ToolService, front: Front, chunked: bool) -> None:
    async with running(settings(bundle(service.url()), max_request_bytes=1000), front) as gateway:
        at_bound = PING + b" " * (1000 - len(PING))
        assert (await gateway.post(at_bound)).status == 200
        big = at_bound + b" "
        if chunked:
            parts = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (big[:600], big[600:])) + b"0\r\n\r\n"
            answer = await gateway.post(parts, [(b"Transfer-Encoding", b"chunked")])
        else:
            answer = await gateway.post(big)
    assert (answer.status, answer.json["error"]["code"]) == (413, -32600)
    assert "id" not in answer.json


@pytest.mark.req("gateway/P6", "threat/T17")
@pytest.mark.parametrize("headers", [[(b"x-%d" % n, b"v") for n in range(65)], [(b"x-long", b"v" * 33_000)]])
async def test_too_many_or_too_long_headers_are_431(
    gateway: RunningGateway, headers: list[tuple[bytes, bytes]]
) -> None:
    answer = await gateway.post(PING, headers)
    assert (answer.status, answer.json["error"]["code"]) == (431, -32600)


@pytest.mark.req("gateway/P6", "gateway/P1", "input/B41")
async def test_a_batch_of_2025_03_26_is_answered_in_order(gateway: RunningGateway) -> None:
    batch = b"[%b,%b,%b,7,%b]" % (CALL % 1, PING, b'{"jsonrpc":"2.0","method":"notifications/x"}', CALL % 2)
    for headers in ([], [(b"MCP-Protocol-Version", b"2025-03-26")]):
        answer = await gateway.post(batch, headers)
        assert answer.status == 200
        assert [entry.get("id") for entry in answer.json] == [1, 7, None, 2]
        assert answer.json[2]["error"]["code"] == -32600


@pytest.mark.req("gateway/P6", "input/B41")
@pytest.mark.parametrize(
    "body",
    [
        b'[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":3,"result":{}}]',
        b'[{"jsonrpc":"2.0","method":"notifications/x"}]',
    ],
)
async def test_a_batch_of_notifications_and_responses_is_accepted(gateway: RunningGateway, body: bytes) -> None:
    answer = await gateway.post(body)
    assert (answer.status, answer.body) == (202, b"")


@pytest.mark.req("gateway/P6", "input/B41")
@pytest.mark.parametrize(
    ("body", "version"),
    [
        (b"[]", None),
        (b"[%b]" % b",".join([PING] * 21), None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}},%b]' % PING, None),
        (b"[%b]" % PING, b"2025-06-18"),
        (b"[%b]" % PING, b"2025-11-25"),
        (b"[%b]" % PING, NEW.encode()),
        (b"[%b]" % PING, b"2099-01-01"),
    ],
)
async def test_other_batches_are_refused_whole(
    gateway: RunningGateway, service: ToolService, body: bytes, version: bytes | None
) -> None:
    headers = [] if version is None else [(b"MCP-Protocol-Version", version)]
    answer = await gateway.post(body, headers)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32600)
    assert len(service.requests) == 1


@pytest.mark.req("gateway/P6", "gateway/P1")
async def test_twenty_entries_are_allowed(gateway: RunningGateway) -> None:
    answer = await gateway.post(b"[%b]" % b",".join([PING] * 20))
    assert len(answer.json) == 20


@pytest.mark.req("gateway/P4", "gateway/P1")
async def test_an_unsupported_revision_is_named_with_what_is_supported(gateway: RunningGateway) -> None:
    body, _ = request("tools/list")
    answer = await gateway.post(body, [(b"MCP-Protocol-Version", b"2099-01-01")])
    assert (answer.status, answer.json["error"]["code"]) == (400, -32022)
    assert answer.json["error"]["data"] == {"supported": [NEW], "requested": "2099-01-01"}
    assert answer.json["id"] == 7


@pytest.mark.req("gateway/P6")
async def test_the_gateway_answers_the_next_request_after_a_refused_one_on_the_same_connection(
    gateway: RunningGateway,
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(render(b"{", [(b"Content-Type", b"application/json")]))
    first = await read_response(reader)
    writer.write(render(PING, [(b"Content-Type", b"application/json")]))
    second = await read_response(reader)
    writer.close()
    assert (first.status, second.status) == (400, 200)
