"""tools/call: bytes in, bytes out, headers, failures as results, limits (gateway/X1-X6, X9, X12, X14, decision/D5)."""

import asyncio
import base64
import json
from typing import Any

import pytest

from support.gateway import NEW, REVISIONS, Front, RunningGateway, bundle, manifest, request, running, settings, tool
from support.http import Response
from support.tool_service import Close, Hang, Reset, Send, ToolService, reply, response


def text_of(answer: Response) -> str:
    text = answer.json["result"]["content"][0]["text"]
    assert isinstance(text, str)
    return text


async def sent(service: ToolService, number: int = 2) -> Any:
    async with asyncio.timeout(5):
        return await service.received(number)


@pytest.mark.req("gateway/X1", "gateway/X3", "gateway/X5", "gateway/P4")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_call_reaches_the_tool_and_its_answer_comes_back_compact(
    gateway: RunningGateway, service: ToolService, revision: str
) -> None:
    answer = await gateway.call("claim_search", b'{"a":1}', revision=revision)
    assert answer.status == 200
    result = answer.json["result"]
    milliseconds = result["content"][0].pop("_meta")
    assert list(milliseconds) == ["searchTime"]
    assert isinstance(milliseconds["searchTime"], int)
    assert result.pop("content") == [{"type": "text", "text": '{"이름":"홍길동","n":1.0}'}]
    stamp = {"io.modelcontextprotocol/serverInfo": {"name": "mcp-test", "version": "0.1.0"}}
    assert result == ({"resultType": "complete", "_meta": stamp} if revision == NEW else {})
    assert (await sent(service)).method == b"POST"


ARGUMENTS = [
    b"{}",
    b'{"b":1,"a":2}',
    b'{"a":1,"a":2}',
    b'{"n":1.0,"e":1e400,"m":-0,"p":1E+2,"f":0.1000000000000000055511151231257827}',
    b'{"i":123456789012345678901234567890}',
    b'{ "a" :\t[ 1 ,\r\n 2 ] }',
    rb'{"a":"\u0041\/\ud83d\ude00\u0000"}',
    '{"한글":"값 😀 \u2028"}'.encode(),
    b'{"a":' + b"[" * 60 + b"]" * 60 + b"}",
]


@pytest.mark.req("gateway/X1", "input/B47")
@pytest.mark.parametrize("revision", ["2025-03-26", "2025-11-25", NEW])
@pytest.mark.parametrize("arguments", ARGUMENTS)
async def test_arguments_reach_the_tool_byte_for_byte(
    gateway: RunningGateway, service: ToolService, arguments: bytes, revision: str
) -> None:
    await gateway.call("claim_search", arguments, revision=revision)
    assert (await sent(service)).body == arguments


@pytest.mark.req("gateway/X1")
async def test_absent_arguments_are_an_empty_object(gateway: RunningGateway, service: ToolService) -> None:
    await gateway.rpc("tools/call", {"name": "claim_search"})
    assert (await sent(service)).body == b"{}"


@pytest.mark.req("gateway/P6", "input/B47")
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("arguments", [b"null", b"[]", b"7", b'"x"', b"true"])
async def test_arguments_that_are_no_object_are_invalid_params_and_nothing_is_sent(
    gateway: RunningGateway, service: ToolService, arguments: bytes, revision: str
) -> None:
    answer = await gateway.call("claim_search", arguments, revision=revision)
    assert (answer.status, answer.json["error"]["code"]) == (400 if revision == NEW else 200, -32602)
    assert len(service.requests) == 1


@pytest.mark.req("gateway/X1", "input/B47")
@pytest.mark.parametrize("arguments", [rb'{"a":"\ud800"}', rb'{"\udc00":1}', rb'{"a":"\ud800\u0041"}'])
async def test_a_lone_surrogate_escape_is_a_parse_error(gateway: RunningGateway, arguments: bytes) -> None:
    answer = await gateway.call("claim_search", arguments)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32700)
    assert "id" not in answer.json


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize("params", [{}, {"name": 7}, {"name": None}, {"name": ["claim_search"]}])
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_call_without_a_name_is_invalid_params(
    gateway: RunningGateway, params: dict[str, Any], revision: str
) -> None:
    answer = await gateway.rpc("tools/call", params, revision=revision)
    assert (answer.status, answer.json["error"]["code"]) == (400 if revision == NEW else 200, -32602)


@pytest.mark.req("gateway/X1", "gateway/X2", "decision/D2", "decision/D8", "decision/D13")
async def test_the_tool_gets_exactly_the_headers_of_the_contract(gateway: RunningGateway, service: ToolService) -> None:
    trace = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    headers = [
        (b"guid", b"G-1"),
        (b"X-Request-Id", "  요청  ".encode()),
        (b"Mcp-Session-Id", b"S"),
        (b"EMPLOYEE-NO", b"ENC:+/=="),
        (b"virtual-employee-no", b""),
        (b"employee_no", b"twin"),
        (b"Authorization", b"Bearer secret"),
        (b"Cookie", b"a=b"),
        (b"traceparent", trace),
        (b"tracestate", b"v=1"),
    ]
    await gateway.call("claim_search", headers=headers)
    seen = await sent(service)
    assert dict(seen.lines) == {
        b"Host": service.origin.removeprefix("http://").encode(),
        b"Content-Type": b"application/json",
        b"Accept-Encoding": b"identity",
        b"Mcp-Method": b"tools/call",
        b"Mcp-Name": b"claim_search",
        b"guid": b"G-1",
        b"x-request-id": "요청".encode(),
        b"mcp-session-id": b"S",
        b"employee-no": b"ENC:+/==",
        b"traceparent": trace,
        b"tracestate": b"v=1",
        b"Content-Length": b"2",
    }


@pytest.mark.req("gateway/X2", "input/B53")
@pytest.mark.parametrize("revision", ["2025-11-25", NEW])
@pytest.mark.parametrize("headers", [[(b"guid", b"a"), (b"GUID", b"b")], [(b"employee-no", b"x" * 8193)]])
async def test_a_caller_header_that_came_twice_or_is_too_long_refuses_the_call(
    gateway: RunningGateway, service: ToolService, headers: list[tuple[bytes, bytes]], revision: str
) -> None:
    answer = await gateway.call("claim_search", revision=revision, headers=headers)
    assert (answer.status, answer.json["error"]["code"]) == (400 if revision == NEW else 200, -32602)
    assert len(service.requests) == 1


@pytest.mark.req("gateway/X2")
async def test_the_bodys_traceparent_goes_on_when_the_header_is_absent(
    gateway: RunningGateway, service: ToolService
) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    await gateway.rpc("tools/call", {"name": "claim_search", "_meta": {"traceparent": trace}})
    assert (await sent(service)).headers[b"traceparent"] == trace.encode()
    assert gateway.log[-1]["traceId"] == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.req("decision/D5", "gateway/X7", "input/B48")
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("name", ["unknown", "claim_off", "Claim_Search", "claim_search\n", "", "x" * 10_000, "도구"])
async def test_an_unknown_tool_is_answered_as_its_revision_asks(
    gateway: RunningGateway, revision: str, name: str
) -> None:
    headers = [(b"Mcp-Name", b"=?base64?" + _base64(name) + b"?=")] if revision == NEW else []
    body, lines = _named(name, revision)
    answer = await gateway.post(body, [*lines, *headers])
    assert answer.status == 200
    assert answer.json["error"] == {
        "code": -32602 if revision == NEW else -32001,
        "message": "Tool not found",
        "data": {"reason": "tool_not_found"},
    }


def _base64(name: str) -> bytes:
    return base64.b64encode(name.encode())


def _named(name: str, revision: str) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    body, lines = request("tools/call", {"name": name}, revision=revision)
    return body, [line for line in lines if line[0] != b"Mcp-Name"]


@pytest.mark.req("decision/D5")
async def test_the_code_of_an_unknown_tool_may_be_changed_for_old_clients(service: ToolService, front: Front) -> None:
    async with running(settings(bundle(service.url()), tool_not_found_code=-32602), front) as gateway:
        assert (await gateway.call("unknown")).json["error"]["code"] == -32602


@pytest.mark.req("gateway/X2", "gateway/X6", "threat/T10", "threat/T15")
@pytest.mark.parametrize("revision", ["2025-11-25", NEW])
async def test_the_bodys_traceparent_cannot_carry_a_request_of_its_own(
    gateway: RunningGateway, service: ToolService, revision: str
) -> None:
    trace = f"01-{'a' * 32}-{'b' * 16}-01-x\r\nContent-Length: 0\r\n\r\nDELETE /admin HTTP/1.1\r\nX: y"
    answer = await gateway.rpc(
        "tools/call", {"name": "claim_search", "_meta": {"traceparent": trace}}, revision=revision
    )
    assert answer.status == 200
    assert [seen.target for seen in service.requests] == [b"/tool-manifest", b"/tools/claim_search"]
    assert b"traceparent" not in service.requests[1].headers


FAILURES = [
    pytest.param(reply(500, b"Traceback /srv/app.py"), "tool_error", "HTTP 500", id="5xx"),
    pytest.param(reply(400, b'{"error":{"message":"bad date"}}'), "tool_error", "bad date", id="4xx"),
    pytest.param(
        reply(307, headers=[(b"Location", b"http://169.254.169.254/")]), "tool_error", "HTTP 307", id="redirect"
    ),
    pytest.param((Hang(),), "timeout", "time limit", id="hang"),
    pytest.param((Send(b"HTTP/1.1 200 OK\r\n"), Hang()), "timeout", "time limit", id="half a head"),
    pytest.param((Reset(),), "unreachable", "connection to the tool broke", id="reset"),
    pytest.param((Close(),), "unreachable", "connection to the tool broke", id="close"),
    pytest.param((Send(response(length=100)), Close()), "unreachable", "connection to the tool broke", id="short body"),
    pytest.param((Send(b"SSH-2.0-x\r\n\r\n"),), "invalid_result", "cannot be read", id="not HTTP"),
    pytest.param(reply(body=b"\xff"), "invalid_result", "UTF-8", id="not UTF-8"),
    pytest.param(reply(headers=[(b"Content-Encoding", b"gzip")]), "invalid_result", "cannot be read", id="encoded"),
    pytest.param(reply(body=b"x" * 5000), "too_large", "larger than", id="too large"),
]


@pytest.mark.req(
    "gateway/X4",
    "gateway/X5",
    "gateway/X11",
    "threat/T19",
    "input/B63",
    "input/B64",
    "input/B65",
    "input/B66",
    "input/B69",
)
@pytest.mark.parametrize("revision", ["2025-03-26", NEW])
@pytest.mark.parametrize(("answer", "outcome", "words"), FAILURES)
async def test_each_failure_of_a_tool_is_an_error_result_without_internals(
    service: ToolService, front: Front, answer: Any, outcome: str, words: str, revision: str
) -> None:
    service.on("/tools/claim_slow", answer)
    async with running(settings(bundle(service.url()), max_response_bytes=4096), front) as gateway:
        found = await gateway.call("claim_slow", revision=revision)
        line = [entry for entry in gateway.log if entry["event"] == "tool_call"][-1]
    assert found.status == 200
    assert found.json["result"]["isError"] is True
    assert words in text_of(found)
    assert found.json["result"]["content"][0]["_meta"]["searchTime"] >= 0
    assert (line["tool"], line["outcome"]) == ("claim_slow", outcome)
    for secret in ("127.0.0.1", str(service.port), "Traceback", "/srv", "169.254"):
        assert secret not in text_of(found)


@pytest.mark.req("gateway/X4", "gateway/X6")
async def test_a_refused_connection_says_that_nothing_was_sent(gateway: RunningGateway, service: ToolService) -> None:
    await service.stop()
    assert "Nothing was sent" in text_of(await gateway.call("claim_search"))


@pytest.mark.req("gateway/X6", "fault/F10")
async def test_a_call_that_broke_is_not_sent_again(gateway: RunningGateway, service: ToolService) -> None:
    service.on("/tools/claim_search", reply(), (Reset(),))
    await gateway.call("claim_search")
    answer = await gateway.call("claim_search")
    assert answer.json["result"]["isError"] is True
    assert [seen.target for seen in service.requests].count(b"/tools/claim_search") == 2


@pytest.mark.req("gateway/X12", "decision/D6")
@pytest.mark.parametrize(("revision", "structured"), [("2025-03-26", False), ("2025-06-18", True), (NEW, True)])
async def test_structured_content_comes_where_the_schema_is_listed(
    service: ToolService, front: Front, revision: str, structured: bool
) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    service.on("/tool-manifest", reply(body=manifest("ins", [tool("t", outputSchema=schema)])))
    service.on("/tools/t", reply(body=b'{ "n" : 12345678901234567890 }'), reply(body=b'{"n":"x"}'))
    async with running(settings(bundle(service.url())), front) as gateway:
        good = await gateway.call("t", revision=revision)
        bad = await gateway.call("t", revision=revision)
    assert (b'"structuredContent":{"n":12345678901234567890}' in good.body) is structured
    assert text_of(good) == '{"n":12345678901234567890}'
    assert bad.json["result"]["isError"] is True
    assert "structuredContent" not in bad.json["result"]


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize(("header", "status"), [(b"kim", 200), (b"lee", 400), (None, 400)])
async def test_mirrored_arguments_are_held_against_the_body_on_the_new_revision(
    service: ToolService, front: Front, header: bytes | None, status: int
) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string", "x-mcp-header": "Customer"}}}
    service.on("/tool-manifest", reply(body=manifest("ins", [tool("t", inputSchema=schema)])))
    service.on("/tools/t", reply())
    headers = [] if header is None else [(b"Mcp-Param-Customer", header)]
    async with running(settings(bundle(service.url())), front) as gateway:
        answer = await gateway.call("t", b'{"name":"kim"}', revision=NEW, headers=headers)
        old = await gateway.call("t", b'{"name":"kim"}', headers=headers)
    assert answer.status == status
    assert (status == 200) == ("result" in answer.json)
    if status == 400:
        assert answer.json["error"]["code"] == -32020
    assert old.status == 200


@pytest.mark.req("gateway/X14", "ops/O6")
async def test_above_the_limit_of_calls_in_flight_the_gateway_is_503(service: ToolService, front: Front) -> None:
    service.on("/tools/claim_search", (Hang(),))
    async with running(settings(bundle(service.url()), max_in_flight_calls=1), front) as gateway:
        first = asyncio.create_task(gateway.call("claim_search"))
        await sent(service)
        answer = await gateway.call("claim_search")
        listed = await gateway.rpc("tools/list")
        first.cancel()
    assert (answer.status, answer.json["error"]["code"]) == (503, -32603)
    assert answer.json["error"]["data"] == {"reason": "overloaded"}
    assert listed.status == 200


@pytest.mark.req("gateway/X9", "fault/F08")
async def test_a_full_bundle_is_busy_at_once_and_another_bundle_is_not_slowed(
    service: ToolService, front: Front
) -> None:
    service.on("/tools/claim_search", (Hang(),))
    async with ToolService() as other:
        other.on("/tool-manifest", reply(body=manifest("two", [tool("other_find")])))
        other.on("/tools/other_find", reply())
        limited = bundle(service.url(), max_concurrent_calls=1, max_queued_calls=0)
        async with running(settings(limited, bundle(other.url(), "two")), front) as gateway:
            first = asyncio.create_task(gateway.call("claim_search"))
            await sent(service)
            busy = await gateway.call("claim_search")
            fine = await gateway.call("other_find")
            assert not first.done()
            first.cancel()
    assert busy.json["result"]["isError"] is True
    assert "busy" in text_of(busy)
    assert text_of(fine) == "{}"


@pytest.mark.req("gateway/X8", "fault/F36", "threat/T20")
@pytest.mark.parametrize(("revision", "cancelled"), [(NEW, True), ("2025-11-25", False), ("2025-03-26", False)])
async def test_a_caller_that_leaves_cancels_the_call_only_on_the_new_revision(
    service: ToolService, front: Front, revision: str, cancelled: bool
) -> None:
    service.on("/tools/claim_search", (Hang(),))
    async with running(settings(bundle(service.url())), front) as gateway:
        call = asyncio.create_task(gateway.call("claim_search", revision=revision))
        await sent(service)
        ended = asyncio.create_task(service.ended(2))
        call.cancel()
        done, _ = await asyncio.wait({ended}, timeout=20 if cancelled else 0.3)
        ended.cancel()
    assert bool(done) is cancelled


@pytest.mark.req("threat/T11", "gateway/X2")
async def test_no_secret_of_the_caller_and_no_argument_or_result_is_logged(
    gateway: RunningGateway, service: ToolService
) -> None:
    headers = [(b"employee-no", b"CANARY-1"), (b"virtual-employee-no", b"CANARY-2"), (b"Authorization", b"CANARY-3")]
    service.on("/tools/claim_search", reply(body=b'{"x":"CANARY-4"}'), reply(500, b"CANARY-4"))
    for _ in range(2):
        await gateway.call("claim_search", b'{"a":"CANARY-5"}', headers=headers)
    await gateway.call("claim_search", b'"CANARY-5"', headers=headers)
    assert b"CANARY" not in b"".join(gateway.log_lines)
    assert len([line for line in gateway.log if line["event"] == "tool_call"]) == 3


@pytest.mark.req("gateway/X10", "threat/T18", "input/B39")
async def test_many_callers_at_once_each_get_their_own_answer(gateway: RunningGateway, service: ToolService) -> None:
    service.on("/tools/claim_search", lambda seen: reply(body=seen.body))
    numbers = range(60)
    answers = await asyncio.gather(
        *(gateway.call("claim_search", json.dumps({"n": number}).encode()) for number in numbers)
    )
    assert [json.loads(text_of(answer))["n"] for answer in answers] == list(numbers)
