"""What of a call reaches an MCP server, and what of its answer the caller: bytes, headers, `_meta` (gateway/P11)."""

import json
from typing import Any

import pytest

from axhub.contract.endpoints import parse_url
from support.callers import is_error, names_of, text_of
from support.gateway import (
    HANDSHAKE,
    NEW,
    REVISIONS,
    RunningGateway,
    bundle,
    manifest,
    request,
    running,
    settings,
    tool,
)
from support.http import Response
from support.mcp_hosts import McpHost, listed, mcp_bundle
from support.mcp_hosts_wire import error_to, fixed, text
from support.tool_service import ToolService, reply

META = "io.modelcontextprotocol/"
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
    b'{"%b":"%s","_meta":{"progressToken":1},"name":"claim_off"}',
]
FORWARDED = (
    (b"guid", b"g-1"),
    (b"x-request-id", b"r-1"),
    (b"employee-no", "사번".encode()),
    (b"virtual-employee-no", b"v"),
)


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.req("gateway/P11", "gateway/X1", "input/B47")
async def test_arguments_reach_the_server_byte_for_byte(era: Any, revision: str) -> None:
    async with McpHost(listed("claim_find"), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        for arguments in ARGUMENTS:
            await gateway.call("claim_find", arguments, revision=revision)
            assert host.heard[-1].arguments == arguments
            assert host.heard[-1].name == "claim_find"
        await gateway.rpc("tools/call", {"name": "claim_find"}, revision=revision)
        assert host.heard[-1].arguments == b"{}"


@pytest.mark.parametrize("revision", ["2025-11-25", NEW])
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.req("gateway/P11", "gateway/X2", "decision/D8", "decision/D13")
async def test_the_callers_headers_go_on_but_its_session_and_credentials_do_not(era: Any, revision: str) -> None:
    trace = (b"traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    others = (
        (b"Mcp-Session-Id", b"of-the-caller"),
        (b"Authorization", b"Bearer t"),
        (b"Cookie", b"a=b"),
        (b"X-Other", b"1"),
    )
    async with McpHost(listed("claim_find"), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        await gateway.call("claim_find", revision=revision, headers=(*FORWARDED, trace, *others))
        headers = host.heard[-1].request.headers
        assert {name: headers[name] for name, _ in (*FORWARDED, trace)} == dict((*FORWARDED, trace))
        assert headers.get(b"mcp-session-id") == (b"s-1" if era == "old" else None)
        assert headers.keys().isdisjoint({b"authorization", b"cookie", b"x-other"})
        assert b"of-the-caller" not in host.heard[-1].request.head
        assert headers[b"mcp-name"] == b"claim_find"
        assert headers[b"mcp-protocol-version"] == (NEW if era == "new" else "2025-11-25").encode()
        names = [name.lower() for name, _ in host.heard[-1].request.lines]
        assert len(names) == len(set(names))


@pytest.mark.req("gateway/P11", "decision/D13")
async def test_credentials_go_on_where_the_deployment_says_so_and_only_with_calls() -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        trusted = mcp_bundle(host, forward_authorization=True)
        async with running(settings(trusted)) as gateway:
            await gateway.call("claim_find", headers=((b"Authorization", b"Bearer t"),))
        carried = [seen.method for seen in host.heard if b"authorization" in seen.request.headers]
        assert carried == ["tools/call"]
        elsewhere = frozenset({parse_url("http://127.0.0.1:9").origin})
        host.heard.clear()
        foreign = mcp_bundle(host, forward_authorization=True, authorization_origins=elsewhere)
        async with running(settings(foreign)) as gateway:
            await gateway.call("claim_find", headers=((b"Authorization", b"Bearer t"),))
        assert [seen for seen in host.heard if b"authorization" in seen.request.headers] == []


@pytest.mark.parametrize("revision", ["2025-11-25", NEW])
@pytest.mark.req("gateway/P11", "gateway/X2")
async def test_headers_that_cannot_go_on_are_refused_without_a_call(revision: str) -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        for bad in (((b"guid", b"a"), (b"guid", b"b")), ((b"guid", b"x" * 8193),)):
            answer = await gateway.call("claim_find", revision=revision, headers=bad)
            assert (answer.status, answer.json["error"]["code"]) == (400 if revision == NEW else 200, -32602)
        assert host.of("tools/call") == []


@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.req("gateway/P11")
async def test_meta_of_the_tool_goes_on_and_that_of_the_protocol_is_written_anew(era: Any) -> None:
    meta = {
        "com.example/tenant": {"a": [1, None]},
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        META + "clientCapabilities": {"elicitation": {}},
        META + "clientInfo": {"name": "caller", "version": "3"},
        META + "logLevel": "debug",
        META + "subscriptionId": 5,
        "progressToken": "of-the-caller",
        'a "quoted" 이름': 1,
    }
    async with McpHost(listed("claim_find"), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        await gateway.rpc("tools/call", {"name": "claim_find", "_meta": meta}, revision=NEW)
        got = host.heard[-1].meta
        assert got.pop("progressToken") == int(host.heard[-1].id)
        kept = {name: meta[name] for name in ("com.example/tenant", "traceparent", 'a "quoted" 이름')}
        if era == "old":
            assert got == kept
        else:
            assert got == {
                **kept,
                META + "protocolVersion": NEW,
                META + "clientCapabilities": {"elicitation": {}},
                META + "clientInfo": {"name": "caller", "version": "3"},
            }


@pytest.mark.req("gateway/P11")
async def test_an_old_callers_capabilities_are_said_to_be_none() -> None:
    """They were said in another request, perhaps to another replica."""
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        meta = {META + "clientCapabilities": {"sampling": {}}, "own": 1}
        await gateway.rpc("tools/call", {"name": "claim_find", "_meta": meta})
        assert host.heard[-1].meta[META + "clientCapabilities"] == {}
        assert host.heard[-1].meta["own"] == 1
        await gateway.call("claim_find")
        assert host.heard[-1].meta == {
            META + "protocolVersion": NEW,
            META + "clientCapabilities": {},
            META + "clientInfo": {"name": "mcp-test", "version": "0.1.0"},
        }


MIRRORING = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "n": {"type": "integer", "x-mcp-header": "N"},
        "flag": {"type": "boolean", "x-mcp-header": "Flag"},
        "in": {"type": "object", "properties": {"deep": {"type": "string", "x-mcp-header": "Deep"}}},
    },
}


def mirrored(host: McpHost) -> dict[bytes, bytes]:
    headers = host.heard[-1].request.headers
    return {name: value for name, value in headers.items() if name.startswith(b"mcp-param-")}


@pytest.mark.parametrize("revision", HANDSHAKE)
@pytest.mark.req("gateway/P11", "gateway/P4")
async def test_arguments_are_mirrored_for_callers_that_do_not_do_it_themselves(revision: str) -> None:
    async with (
        McpHost(listed("claim_find", inputSchema=MIRRORING)) as host,
        running(settings(mcp_bundle(host))) as gateway,
    ):
        arguments = '{"region":"서울","n":12345678901234567890,"flag":true,"in":{"deep":" x "}}'.encode()
        await gateway.call("claim_find", arguments, revision=revision)
        assert mirrored(host) == {
            b"mcp-param-region": b"=?base64?7ISc7Jq4?=",
            b"mcp-param-n": b"12345678901234567890",
            b"mcp-param-flag": b"true",
            b"mcp-param-deep": b"=?base64?IHgg?=",
        }
        await gateway.call(
            "claim_find", b'{"region":null,"n":{"a":1},"flag":"no\\r\\nX: y","in":[]}', revision=revision
        )
        assert mirrored(host).get(b"mcp-param-region") is None
        assert b"\r\nX: y" not in host.heard[-1].request.head


@pytest.mark.req("gateway/P11", "gateway/P4")
async def test_a_new_callers_own_mirrors_go_on_as_they_came_and_wrong_ones_are_refused() -> None:
    async with (
        McpHost(listed("claim_find", inputSchema=MIRRORING)) as host,
        running(settings(mcp_bundle(host))) as gateway,
    ):
        lines = ((b"Mcp-Param-Region", b"=?base64?7ISc7Jq4?="), (b"Mcp-Param-N", b"1.0"), (b"Mcp-Param-Other", b"kept"))
        await gateway.call("claim_find", '{"region":"서울","n":1}'.encode(), revision=NEW, headers=lines)
        assert mirrored(host) == {name.lower(): value for name, value in lines}
        before = len(host.heard)
        answer = await gateway.call(
            "claim_find", b'{"region":"x"}', revision=NEW, headers=((b"Mcp-Param-Region", b"y"),)
        )
        assert (answer.status, answer.json["error"]["code"]) == (400, -32020)
        assert len(host.heard) == before


@pytest.mark.req("gateway/P11", "threat/T16", "input/B53")
async def test_no_header_of_a_caller_can_break_the_head_that_the_server_gets() -> None:
    """What our own front lets through in a mirrored header that no schema names must still be one header line."""
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        for value in (b"a\x01b", b"a\x0bb", b"a\x7fb", b"\xff\xfe", b"x" * 9000):
            before = len(host.of("tools/call"))
            await gateway.call("claim_find", revision=NEW, headers=((b"Mcp-Param-Odd", value),))
            for seen in host.of("tools/call")[before:]:
                sent = seen.request.headers.get(b"mcp-param-odd", b"")
                assert sent in (b"", value)
                assert not set(sent) & {*range(0x20), 0x7F} - {0x09}


@pytest.mark.parametrize("revision", ["2025-11-25", NEW])
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.req("gateway/P11", "decision/D4")
async def test_with_a_prefix_of_ours_a_server_hears_its_own_names(era: Any, revision: str) -> None:
    async with McpHost(listed("find"), listed("list", title="t"), era=era) as host:
        one = mcp_bundle(host, name_prefix="claims_", add_prefix=True)
        async with running(settings(one)) as gateway:
            assert names_of(await gateway.rpc("tools/list", revision=revision)) == ["claims_find", "claims_list"]
            assert text_of(await gateway.call("claims_find", b'{"a":1}', revision=revision)) == '{"a":1}'
            assert (host.heard[-1].name, host.heard[-1].request.headers[b"mcp-name"]) == ("find", b"find")
            assert "error" in (await gateway.call("find", revision=revision)).json


@pytest.mark.req("gateway/P11", "gateway/K1")
async def test_two_servers_and_a_tool_service_stand_side_by_side() -> None:
    async with McpHost(listed("find"), era="old") as one, McpHost(listed("find")) as two, ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("ins_find")])))
        service.on("/tools/ins_find", reply(body=b'{"of":"ins"}'))
        for host, name in ((one, "one"), (two, "two")):
            host.says("tools/call", fixed(text(name, new=host is two)))
        bundles = [
            mcp_bundle(one, "one", name_prefix="one_", add_prefix=True),
            mcp_bundle(two, "two", name_prefix="two_", add_prefix=True),
            bundle(service.url()),
        ]
        async with running(settings(*bundles)) as gateway:
            assert names_of(await gateway.rpc("tools/list")) == ["ins_find", "one_find", "two_find"]
            for name, told in ("ins_find", '{"of":"ins"}'), ("one_find", "one"), ("two_find", "two"):
                assert text_of(await gateway.call(name)) == told


async def asked(gateway: RunningGateway, revision: str, params: dict[str, Any]) -> Response:
    return await gateway.rpc("tools/call", {"name": "claim_find", **params}, revision=revision)


QUESTION = {
    "resultType": "input_required",
    "inputRequests": {"who": {"method": "elicitation/create", "params": {"mode": "form", "message": "누구?"}}},
    "requestState": 'opaque "state" \u2028 1.0',
    "_meta": {META + "serverInfo": {"name": "host"}, "own": 1},
}


@pytest.mark.req("gateway/P11")
async def test_a_question_reaches_a_new_caller_and_its_answer_the_server() -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", fixed(QUESTION))
        result = (await asked(gateway, NEW, {})).json["result"]
        assert {name: result[name] for name in ("resultType", "inputRequests", "requestState")} == {
            name: QUESTION[name] for name in ("resultType", "inputRequests", "requestState")
        }
        assert result["_meta"] == {META + "serverInfo": {"name": "mcp-test", "version": "0.1.0"}, "own": 1}
        assert "content" not in result
        host.says("tools/call", host.usually)
        answers = {"who": {"action": "accept", "content": {"name": "홍", "n": 1}}}
        more = {"inputResponses": answers, "requestState": result["requestState"], "arguments": {"a": 1}}
        assert text_of(await asked(gateway, NEW, more)) == '{"a": 1}'
        sent = host.heard[-1].json["params"]
        assert (sent["inputResponses"], sent["requestState"]) == (answers, QUESTION["requestState"])


@pytest.mark.parametrize("revision", HANDSHAKE)
@pytest.mark.req("gateway/P11")
async def test_a_question_that_an_old_caller_cannot_be_asked_is_an_error_it_can_read(revision: str) -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", fixed(QUESTION))
        answer = await asked(gateway, revision, {})
        assert is_error(answer)
        assert "2026-07-28" in text_of(answer)
        assert b"opaque" not in answer.body


@pytest.mark.req("gateway/P11")
async def test_answers_to_questions_are_no_business_of_an_old_server() -> None:
    async with McpHost(listed("claim_find"), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        await asked(gateway, NEW, {"inputResponses": {"who": {}}, "requestState": "s", "arguments": {}})
        assert set(host.heard[-1].json["params"]) == {"name", "arguments"}


MISSING = -32021
ERRORS: list[tuple[int, str, Any, int]] = [
    (-32602, "Unknown order", {"field": "no", "n": 1}, 400),
    (-32602, "no data", None, 400),
    (MISSING, "needs sampling", {"requiredCapabilities": {"sampling": {}}}, 400),
    (-32603, "internal", None, 200),
    (-32800, "Request cancelled", None, 200),
    (42, "한글", [1.5, None], 200),
]


@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11")
async def test_protocol_errors_pass_through_with_their_data_and_the_status_of_the_callers_revision(
    era: Any, revision: str
) -> None:
    async with McpHost(listed("claim_find"), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        for (code, message, data, status), own in zip(
            ERRORS * 2, [200] * len(ERRORS) + [400] * len(ERRORS), strict=True
        ):
            host.says("tools/call", lambda seen: reply(own, error_to(seen, code, message, data)))  # noqa: B023 -- awaited in turn
            answer = await gateway.call("claim_find", revision=revision)
            assert answer.status == (status if revision == NEW else 200)
            if code == MISSING and revision != NEW:
                assert "2026-07-28" in text_of(answer)  # as where a question cannot be asked
                continue
            expected = {"code": code, "message": message, **({} if data is None else {"data": data})}
            assert answer.json == {"jsonrpc": "2.0", "id": 7, "error": expected}


@pytest.mark.parametrize("code", [-32700, -32600, -32601, -32020, -32022])
@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_errors_about_the_gateways_own_request_are_not_told_as_the_callers(code: int) -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", lambda seen: reply(400, error_to(seen, code, "at http://10.0.0.7/")))
        answer = await gateway.call("claim_find", revision=NEW)
        assert is_error(answer)
        assert text_of(answer) == "The tool's server did not understand the gateway's request."


@pytest.mark.req("gateway/P11", "gateway/X4", "gateway/X10")
async def test_an_error_that_names_no_request_is_one_of_http() -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        error = b'{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'
        for status, told in (200, "The tool gave an answer that cannot be read."), (503, "The tool failed (HTTP 503)."):
            host.says("tools/call", reply(status, error))
            answer = await gateway.call("claim_find")
            assert is_error(answer)
            assert text_of(answer).startswith(told)


@pytest.mark.parametrize("front", ["http1", "asgi"])
@pytest.mark.req("gateway/P11", "gateway/P1")
async def test_calls_to_a_server_in_a_batch_are_answered_in_it(front: Any) -> None:
    """A batch is one answer, so nothing of it can be told before its end: no progress is asked for."""
    async with McpHost(listed("claim_find"), era="old") as host, running(settings(mcp_bundle(host)), front) as gateway:
        body, lines = request("tools/call", {"name": "claim_find"}, revision="2025-03-26")
        entries = []
        for number in range(5):
            meta = {"progressToken": number} if number % 2 else {}
            params = {"name": "claim_find", "arguments": {"n": number}, "_meta": meta}
            entries.append({**json.loads(body), "id": number, "params": params})
        answer = await gateway.post(json.dumps(entries).encode(), lines)
        found = {entry["id"]: entry["result"]["content"][0]["text"] for entry in answer.json}
        assert found == {number: json.dumps({"n": number}) for number in range(5)}
        assert all("progressToken" not in seen.meta for seen in host.of("tools/call"))
