"""What of an MCP server's answer reaches the caller (gateway/P11); nothing of what cannot be read does."""

import json
from typing import Any

import pytest

from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.revision import Revision
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from axhub.gateway.ports import Failure, McpAnswer, Outcome, UpstreamAnswer
from axhub.gateway.usecases.interpret_answer import ToolResult
from axhub.gateway.usecases.interpret_mcp import MAX_BLOCKS, McpResult, PassedError, PassedResult, interpret_mcp
from support.tools import tool

UNREADABLE = "The tool gave an answer that cannot be read."
MISMATCH = "The tool gave an answer that does not match the structure it declares."
NOT_TAKEN = "The tool's server did not understand the gateway's request."
TEXT = '{"type":"text","text":"찾음","_meta":{"a":1.0}}'.encode()
ALL = frozenset(Revision)
NEWEST = frozenset({Revision.V2026_07_28})
FROM_2025_06_18 = ALL - {Revision.V2025_03_26}
COUNTED = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


def route(output: Any = None) -> Route:
    members = {} if output is None else {"outputSchema": output}
    return bind_routes([CatalogueTool("ins", tool("t", **members))], {"ins": CallRules(mcp_server=True)})["t"]


def interpreted(result: bytes, output: Any = None) -> McpResult:
    return interpret_mcp(McpAnswer(result=result), route(output), lambda: "ours")


def passed(result: bytes, output: Any = None) -> PassedResult:
    found = interpreted(result, output)
    assert isinstance(found, PassedResult)
    return found


def refused(found: McpResult) -> tuple[str, Outcome]:
    assert isinstance(found, ToolResult)
    assert found.is_error
    return json.loads(found.text), found.outcome


@pytest.mark.req("gateway/P11")
def test_blocks_and_unknown_members_keep_their_bytes() -> None:
    image = b'{"type":"image","data":"aGk=","mimeType":"image/png","annotations":{"priority":0.50}}'
    found = passed(b'{"content":[%b,%b],"more":{"a":1e400},"x\\"y":[1]}' % (TEXT, image))
    assert found == PassedResult((TEXT, image), b',"more":{"a":1e400},"x\\"y":[1]', Outcome.OK)


@pytest.mark.req("gateway/P11")
def test_members_of_the_protocol_between_gateway_and_server_go_no_further() -> None:
    result = (
        b'{"resultType":"complete","ttlMs":5,"cacheScope":"private","content":[],"isError":false,'
        b'"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"theirs"},"fastmcp":{"wrap_result":true},"b\\n":[]}}'
    )
    assert passed(result) == PassedResult((), b"", Outcome.OK, b'"fastmcp":{"wrap_result":true},"b\\n":[]')


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("meta", [b"{}", b"null", b"[]", b'"x"', b'{"io.modelcontextprotocol/serverInfo":{}}'])
def test_without_meta_of_the_tools_own_there_is_none(meta: bytes) -> None:
    assert passed(b'{"content":[],"_meta":%b}' % meta).meta == b""


@pytest.mark.req("gateway/P11", "gateway/X4")
def test_an_error_of_the_tool_is_one_to_the_caller() -> None:
    found = passed(b'{"content":[%b],"isError":true}' % TEXT)
    assert found == PassedResult((TEXT,), b',"isError":true', Outcome.TOOL_ERROR)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("value", "shown"),
    [(b'{"count":1.0}', FROM_2025_06_18), (b"[1]", NEWEST), (b"null", NEWEST)],
)
def test_without_a_schema_structured_content_goes_where_its_kind_may_stand(
    value: bytes, shown: frozenset[Revision]
) -> None:
    found = passed(b'{"content":[],"structuredContent":%b}' % value)
    assert (found.structured, found.structured_on) == (value, shown)


@pytest.mark.req("gateway/P11", "gateway/X12")
def test_with_a_schema_structured_content_is_held_against_it_and_goes_where_the_schema_is_listed() -> None:
    found = passed(b'{"content":[],"structuredContent":{"count":7.0}}', COUNTED)
    assert (found.structured, found.structured_on) == (b'{"count":7.0}', FROM_2025_06_18)
    array = passed(b'{"content":[],"structuredContent":[1]}', {"type": "array"})
    assert array.structured_on == {Revision.V2026_07_28}


@pytest.mark.req("gateway/P11", "gateway/X12", "decision/D6")
@pytest.mark.parametrize("members", [b"", b',"structuredContent":{"count":"7"}', b',"structuredContent":null'])
def test_what_does_not_match_its_schema_is_an_error(members: bytes) -> None:
    assert refused(interpreted(b'{"content":[]%b}' % members, COUNTED)) == (MISMATCH, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/P11", "gateway/X12")
def test_an_error_shows_what_matches_the_schema_and_leaves_out_what_does_not() -> None:
    fits = passed(b'{"content":[],"isError":true,"structuredContent":{"count":1}}', COUNTED)
    assert fits.structured == b'{"count":1}'
    for members in (b"", b',"structuredContent":{"error":"x"}'):
        found = passed(b'{"content":[%b],"isError":true%b}' % (TEXT, members), COUNTED)
        assert (found.blocks, found.structured, found.outcome) == ((TEXT,), None, Outcome.TOOL_ERROR)
        assert found.structured_on == frozenset()


@pytest.mark.req("gateway/P11")
def test_a_question_goes_on_as_it_is() -> None:
    asked = b'"inputRequests":{"who":{"method":"elicitation/create"}},"requestState":"s\\/1"'
    found = passed(b'{"resultType":"input_required",%b,"_meta":{"a":1}}' % asked, COUNTED)
    assert found == PassedResult((), b"," + asked, Outcome.OK, b'"a":1', input_required=True)
    assert passed(b'{"resultType":"input_required","requestState":"s","content":[]}').input_required


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "result",
    [
        "null",
        "[]",
        '"text"',
        "{}",
        '{"content":null}',
        '{"content":{}}',
        '{"content":"text"}',
        '{"content":["text"]}',
        '{"content":[{}]}',
        '{"content":[{"text":"x"}]}',
        '{"content":[{"type":null}]}',
        '{"content":[{"type":7}]}',
        '{"content":[[]]}',
        '{"structuredContent":{"a":1}}',
        '{"resultType":"input_required","content":[]}',
        '{"resultType":"input_required"}',
        '{"resultType":"task","content":[],"task":{"taskId":"1"}}',
        '{"resultType":null,"content":[]}',
        '{"resultType":1,"content":[]}',
    ],
)
def test_what_is_no_result_becomes_an_error_that_shows_nothing_of_it(result: str) -> None:
    assert refused(interpreted(result.encode())) == (UNREADABLE, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("value", [b"false", b"null", b'"true"', b"1", b"[true]"])
def test_only_true_marks_an_error(value: bytes) -> None:
    assert passed(b'{"content":[],"isError":%b}' % value) == PassedResult((), b"", Outcome.OK)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("code", [-32602, -32603, -32000, -32001, -32021, 0, 7, -32800])
def test_a_protocol_error_about_the_call_goes_on_as_it_was_written(code: int) -> None:
    text = b'{"code":%d,"message":"m","data":{"requiredCapabilities":{"a":1.0}},"x":1}' % code
    assert interpret_mcp(McpAnswer(error=text), route(), lambda: "ours") == PassedError(code, text)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("code", [-32700, -32600, -32601, -32020, -32022])
def test_a_protocol_error_about_the_gateways_own_request_is_not_the_callers(code: int) -> None:
    text = b'{"code":%d,"message":"secret at 10.0.0.7"}' % code
    found = interpret_mcp(McpAnswer(error=text), route(), lambda: "ours")
    assert refused(found) == (NOT_TAKEN, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("text", [b"null", b"{}", b'"x"', b'{"code":"7","message":"m"}'])
def test_an_error_that_is_none_is_an_answer_that_cannot_be_read(text: bytes) -> None:
    found = interpret_mcp(McpAnswer(error=text), route(), lambda: "ours")
    assert refused(found) == (UNREADABLE, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/P11", "gateway/X4")
@pytest.mark.parametrize(
    ("http", "outcome", "words"),
    [
        (UpstreamAnswer(0, {}, b"", Failure.TIMEOUT), Outcome.TIMEOUT, "did not answer within"),
        (UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False), Outcome.UNREACHABLE, "Nothing was sent"),
        (UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False), Outcome.BUSY, "busy"),
        (UpstreamAnswer(0, {}, b"", Failure.INVALID), Outcome.INVALID_RESULT, "cannot be read"),
        (UpstreamAnswer(0, {}, b"", Failure.CANCELLED), Outcome.CANCELLED, "cancelled"),
        (UpstreamAnswer(403, {}, b"secret"), Outcome.TOOL_ERROR, "HTTP 403"),
        (UpstreamAnswer(302, {}, b""), Outcome.TOOL_ERROR, "HTTP 302"),
        (UpstreamAnswer(500, {}, b"Traceback secret"), Outcome.TOOL_ERROR, "HTTP 500"),
    ],
)
def test_what_came_instead_of_a_response_is_told_as_of_any_tool(
    http: UpstreamAnswer, outcome: Outcome, words: str
) -> None:
    text, told = refused(interpret_mcp(McpAnswer(http=http), route(COUNTED), lambda: "ours"))
    assert told is outcome
    assert words in text
    assert "secret" not in text


BROKEN_BLOCKS = [
    b'{"type":"text"}',
    b'{"type":"text","text":5}',
    b'{"type":"text","text":"a","annotations":[]}',
    b'{"type":"text","text":"a","_meta":1}',
    b'{"type":"image","data":"aGk="}',
    b'{"type":"image","data":"aGk=","mimeType":7}',
    b'{"type":"audio","mimeType":"audio/wav"}',
    b'{"type":"resource_link","uri":"test://a"}',
    b'{"type":"resource","resource":{"uri":"test://a"}}',
    b'{"type":"resource","resource":[]}',
]


@pytest.mark.req("gateway/P11", "gateway/X4")
@pytest.mark.parametrize("block", BROKEN_BLOCKS)
def test_a_block_that_lacks_what_its_kind_needs_is_not_passed_on(block: bytes) -> None:
    found = interpreted(b'{"content":[%b,%b]}' % (TEXT, block))
    assert refused(found) == (UNREADABLE, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/P11")
def test_a_block_of_a_kind_that_is_not_known_passes() -> None:
    assert passed(b'{"content":[{"type":"hologram","n":1e400}]}').blocks == (b'{"type":"hologram","n":1e400}',)


@pytest.mark.req("gateway/P11", "fault/F14")
def test_a_result_has_a_bound_of_blocks() -> None:
    most = b",".join([b'{"type":"text","text":""}'] * MAX_BLOCKS)
    assert len(passed(b'{"content":[%b]}' % most).blocks) == MAX_BLOCKS
    assert refused(interpreted(b'{"content":[%b,%b]}' % (most, TEXT))) == (UNREADABLE, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("asked", [b'"requestState":5', b'"inputRequests":[]', b'"inputRequests":{"a":1}'])
def test_a_question_that_no_client_can_read_is_not_passed_on(asked: bytes) -> None:
    found = interpreted(b'{"resultType":"input_required",%b}' % asked)
    assert refused(found) == (UNREADABLE, Outcome.INVALID_RESULT)
