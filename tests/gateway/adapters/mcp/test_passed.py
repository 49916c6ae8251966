"""What an MCP server answered, on the wire of each revision (gateway/P8, gateway/P11, gateway/X5, gateway/X12)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message
from axhub.gateway.adapters.mcp.exchange import Exchange, progress_token
from axhub.gateway.adapters.mcp.passed import passed_body
from axhub.gateway.adapters.mcp.projection import ServerFacts
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.ports import HttpRequest, Outcome, ReplyHead
from axhub.gateway.usecases.interpret_answer import ToolResult
from axhub.gateway.usecases.interpret_mcp import McpResult, PassedError, PassedResult

OLD, NEW = Revision.V2025_11_25, Revision.V2026_07_28
STATELESS = ServerFacts("gw", "1", 30_000).stateless_members
TEXT = b'{"type":"text","text":"a","_meta":{"x":1.0,"searchTime":"theirs","y":[]}}'
LINK = b'{"type":"resource_link","uri":"file:///\\u00e9","name":"n"}'


def members_of(revision: Revision) -> bytes:
    return STATELESS if TRAITS[revision].stateless else b""


def body(result: PassedResult, revision: Revision = OLD, *, milliseconds: int = 12) -> bytes:
    return passed_body(b'"id"', result, milliseconds, revision, members_of(revision))


def result_of(result: PassedResult, revision: Revision = OLD) -> dict[str, Any]:
    document = json.loads(body(result, revision))
    assert document.keys() == {"jsonrpc", "id", "result"}
    assert document["id"] == "id"
    found: dict[str, Any] = document["result"]
    return found


def fine(*blocks: bytes, rest: bytes = b"", **more: Any) -> PassedResult:
    return PassedResult(blocks, rest, Outcome.OK, **more)


@pytest.mark.req("gateway/P11", "gateway/X5")
@pytest.mark.parametrize("revision", Revision)
def test_the_search_time_joins_the_meta_of_the_first_block_and_nothing_else_changes(revision: Revision) -> None:
    second = b'{"type":"text","text":"b","_meta":{"z":1.50}}'
    found = body(fine(TEXT, second), revision)
    first = b'{"type":"text","text":"a","_meta":{"x":1.0,"y":[],"searchTime":12}}'
    assert b'"content":[%b,%b]' % (first, second) in found


@pytest.mark.req("gateway/P11", "gateway/X5")
@pytest.mark.parametrize("meta", [b"", b',"_meta":null', b',"_meta":{}', b',"_meta":[1]'])
def test_a_block_without_meta_gets_one(meta: bytes) -> None:
    image = b'{"type":"image","data":"aGk="%b,"annotations":{"priority":0.50}}' % meta
    assert b'[{"type":"image","data":"aGk=","annotations":{"priority":0.50},"_meta":{"searchTime":12}}]' in body(
        fine(image)
    )


@pytest.mark.req("gateway/P11", "gateway/X5")
@pytest.mark.parametrize("revision", Revision)
def test_a_result_without_blocks_stays_without_and_is_whole(revision: Revision) -> None:
    found = result_of(fine(rest=b',"more":1'), revision)
    assert (found["content"], found["more"]) == ([], 1)
    assert ("resultType" in found) is (revision is NEW)


@pytest.mark.req("gateway/P11", "gateway/P8")
def test_a_link_is_text_where_the_revision_has_no_links() -> None:
    for revision in (OLD, NEW, Revision.V2025_06_18):
        assert [block["type"] for block in result_of(fine(TEXT, LINK), revision)["content"]] == [
            "text",
            "resource_link",
        ]
    shown = body(fine(LINK, TEXT, LINK), Revision.V2025_03_26)
    assert b'[{"type":"text","text":"file:///\\u00e9","_meta":{"searchTime":12}},' in shown
    assert shown.endswith(b',{"type":"text","text":"file:///\\u00e9"}]}}')
    broken = b'{"type":"resource_link"}'
    assert result_of(fine(TEXT, broken), Revision.V2025_03_26)["content"][1] == {"type": "resource_link"}


@pytest.mark.req("gateway/P11", "gateway/P8", "gateway/X12")
@pytest.mark.parametrize("revision", Revision)
def test_structured_content_stands_where_the_result_says(revision: Revision) -> None:
    shown = frozenset({NEW, Revision.V2025_06_18})
    found = fine(TEXT, structured=b'{"n":1e400,"n":1.0}', structured_on=shown)
    assert (b',"structuredContent":{"n":1e400,"n":1.0}' in body(found, revision)) is (revision in shown)


@pytest.mark.req("gateway/P11", "gateway/P4")
def test_the_old_wire_has_nothing_of_the_new_and_the_servers_meta_alone() -> None:
    assert result_of(fine(TEXT, meta=b'"a/b":1.0'), OLD).keys() == {"content", "_meta"}
    assert result_of(fine(TEXT), OLD).keys() == {"content"}
    assert body(fine(TEXT, meta=b'"a/b":1.0'), OLD).endswith(b',"_meta":{"a/b":1.0}}}')


@pytest.mark.req("gateway/P11", "gateway/P4")
def test_on_the_new_wire_the_servers_meta_joins_the_gateways_own() -> None:
    found = result_of(fine(TEXT, meta=b'"a/b":1.0'), NEW)
    assert found["_meta"] == {"io.modelcontextprotocol/serverInfo": {"name": "gw", "version": "1"}, "a/b": 1.0}
    assert found["resultType"] == "complete"
    assert result_of(fine(TEXT), NEW)["_meta"].keys() == {"io.modelcontextprotocol/serverInfo"}


@pytest.mark.req("gateway/P11")
def test_a_question_is_a_result_of_its_own_kind() -> None:
    asked = b',"inputRequests":{"who":{}},"requestState":"s\\/1"'
    found = result_of(PassedResult((), asked, Outcome.OK, b'"a":1', input_required=True), NEW)
    assert found["resultType"] == "input_required"
    assert (found["inputRequests"], found["requestState"]) == ({"who": {}}, "s/1")
    assert "content" not in found
    assert found["_meta"].keys() == {"io.modelcontextprotocol/serverInfo", "a"}


SMALL = st.recursive(
    st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)
OBJECTS = st.dictionaries(st.text(max_size=6), SMALL, max_size=3)


def written(value: object) -> bytes:
    return msgspec.json.encode(value)


@pytest.mark.req("gateway/P11")
@given(
    blocks=st.lists(OBJECTS, max_size=3),
    rest=OBJECTS,
    meta=OBJECTS,
    revision=st.sampled_from(Revision),
    structured=st.none() | SMALL,
)
def test_whatever_the_parts_are_the_whole_is_json_with_all_of_them(
    blocks: list[dict[str, Any]], rest: dict[str, Any], meta: dict[str, Any], revision: Revision, structured: Any
) -> None:
    for block in blocks:
        block["type"] = "text"
    own = b"".join(b",%b:%b" % (written("x-" + name), written(value)) for name, value in rest.items())
    kept = written(meta)[1:-1]
    shown = fine(
        *map(written, blocks), rest=own, meta=kept, structured=written(structured), structured_on=frozenset({revision})
    )
    found = result_of(shown, revision)
    assert [{k: v for k, v in block.items() if k != "_meta"} for block in found["content"]] == [
        {k: v for k, v in block.items() if k != "_meta"} for block in blocks
    ]
    assert {name[2:]: value for name, value in found.items() if name.startswith("x-")} == rest
    assert found["structuredContent"] == structured
    assert {name: value for name, value in found.get("_meta", {}).items() if name in meta} == meta


class Replies:
    """Keeps what an exchange sent."""

    def __init__(self) -> None:
        self.all: list[tuple[ReplyHead, bytes, bool]] = []

    def __call__(self, head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        self.all.append((head, body + tail, more))


def exchange(revision: Revision, token: bytes | None = None) -> tuple[Exchange, Replies]:
    replies = Replies()
    return Exchange(b"7", replies, revision, members_of(revision), -32001, token), replies


def answered(result: McpResult, revision: Revision) -> tuple[int, Any]:
    made, replies = exchange(revision)
    made.completed(result, 5)
    ((head, found, more),) = replies.all
    assert not more
    return head.status, json.loads(found)


ERROR = PassedError(-32602, b'{"code":-32602,"message":"m","data":{"a":1.0}}')


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("code", "revision", "status"),
    [(-32602, NEW, 400), (-32021, NEW, 400), (-32000, NEW, 200), (0, NEW, 200), (-32602, OLD, 200), (-32603, OLD, 200)],
)
def test_a_protocol_error_has_the_status_that_the_callers_revision_asks_for(
    code: int, revision: Revision, status: int
) -> None:
    text = b'{"code":%d,"message":"m"}' % code
    assert answered(PassedError(code, text), revision) == (
        status,
        {"jsonrpc": "2.0", "id": 7, "error": {"code": code, "message": "m"}},
    )


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("revision", Revision)
def test_a_question_reaches_only_a_caller_that_can_answer_it(revision: Revision) -> None:
    asked = PassedResult((), b',"requestState":"s"', Outcome.OK, input_required=True)
    cannot_ask = PassedError(-32021, b'{"code":-32021,"message":"m"}')
    if revision is NEW:
        assert answered(asked, revision)[1]["result"]["resultType"] == "input_required"
        return
    for result in (asked, cannot_ask):
        status, document = answered(result, revision)
        assert (status, document["result"]["isError"]) == (200, True)
        assert "needs further input" in document["result"]["content"][0]["text"]


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("revision", [OLD, NEW])
@pytest.mark.parametrize(
    "result", [fine(TEXT), ERROR, ToolResult(b'"t"', Outcome.OK), PassedResult((), b',"x":1', Outcome.OK)]
)
def test_after_progress_the_answer_is_the_last_event_of_a_stream(revision: Revision, result: McpResult) -> None:
    made, replies = exchange(revision, b'"tok\\n"')
    made.progressed(b',"progress":1.50,"message":"a"')
    made.progressed(b',"progress":2')
    made.completed(result, 5)
    assert [(head, more) for head, _, more in replies.all] == [
        (wire.OK_EVENTS, True),
        (wire.OK_EVENTS, True),
        (wire.OK_EVENTS, False),
    ]
    first = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok\\n","progress":1.50,'
    assert replies.all[0][1] == b"event: message\ndata: " + first + b'"message":"a"}}\n\n'
    made_alone, alone = exchange(revision)
    made_alone.completed(result, 5)
    assert replies.all[2][1] == b"event: message\ndata: %b\n\n" % alone.all[0][1]


@pytest.mark.req("gateway/P11")
def test_a_caller_that_did_not_ask_hears_of_no_progress() -> None:
    made, replies = exchange(OLD)
    made.progressed(b',"progress":1')
    assert replies.all == []
    made.completed(fine(TEXT), 5)
    assert replies.all[0][0] is wire.OK


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("token", "accept", "found"),
    [
        (b'"a"', b"application/json, text/event-stream", b'"a"'),
        (b"-7", b"Text/Event-Stream", b"-7"),
        (b"0", b"text/event-stream;q=0.1", b"0"),
        (b'"a"', b"application/json", None),
        (b'"a"', b"", None),
        (b"1.5", b"text/event-stream", None),
        (b"null", b"text/event-stream", None),
        (b"true", b"text/event-stream", None),
        (b"{}", b"text/event-stream", None),
        (b"--1", b"text/event-stream", None),
    ],
)
def test_progress_takes_a_token_that_is_one_and_a_caller_that_reads_streams(
    token: bytes, accept: bytes, found: bytes | None
) -> None:
    message = Message(b"1", "tools/call", {}, {"progressToken": msgspec.Raw(token)})
    request = HttpRequest(b"POST", b"/mcp", {b"accept": accept} if accept else {}, frozenset(), b"")
    assert progress_token(message, request) == found
    assert progress_token(Message(b"1", "tools/call", {}, {}), request) is None
