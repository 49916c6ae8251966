"""What an MCP server is sent, byte for byte, and what its answers open (gateway/P11)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.mcp_client import session as wire
from axhub.gateway.adapters.mcp_client.session import Client, Session
from axhub.gateway.domain.revision import HANDSHAKE_REVISIONS, Revision
from axhub.gateway.ports import McpCall

META = "io.modelcontextprotocol/"
INFO = b'{"name":"gw","version":"1"}'
CLIENT = Client(parse_url("http://tools:8080/mcp?tenant=7"), INFO)
NEW = Session(Revision.V2026_07_28)
OLD = Session(Revision.V2025_11_25, b"s-1")
TRACE = '"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"'


def members(text: bytes | msgspec.Raw) -> dict[str, bytes]:
    return {name: bytes(value) for name, value in msgspec.json.decode(text, type=dict[str, msgspec.Raw]).items()}


def raw(meta: dict[str, str]) -> dict[str, msgspec.Raw]:
    return {name: msgspec.Raw(value.encode()) for name, value in meta.items()}


def call(
    arguments: bytes = b"{}", meta: dict[str, str] | None = None, *, capabilities: bytes = b"{}", retry: bytes = b""
) -> McpCall:
    return McpCall("b", b"find", b"", arguments, raw(meta or {}), capabilities, retry, 1.0)


def params(session: Session, of: McpCall, *, progress: bool = False, number: int = 5) -> dict[str, bytes]:
    body = members(CLIENT.call(session, number, of, progress=progress))
    assert {name: body[name] for name in ("jsonrpc", "id", "method")} == {
        "jsonrpc": b'"2.0"',
        "id": b"%d" % number,
        "method": b'"tools/call"',
    }
    return members(body["params"])


@pytest.mark.req("gateway/P11", "gateway/X1")
@pytest.mark.parametrize("session", [NEW, OLD])
@pytest.mark.parametrize(
    "arguments",
    [
        b"{}",
        b'{ "a" : 1.0,\r\n\t"b":1e400 }',
        b'{"a":1,"a":2}',
        b'{"n":1234567890123456789012345678.90,"m":-0.0,"e":1E+2}',
        b'{"t":"\\u00e9\\/\\ud83d\\ude00","u":"' + "청구".encode() + b'"}',
        b'{"a":"%s %d %b"}',
    ],
)
def test_arguments_keep_their_bytes(session: Session, arguments: bytes) -> None:
    body = CLIENT.call(session, 5, call(arguments), progress=False)
    assert b'"params":{"name":"find","arguments":%b' % arguments in body
    assert params(session, call(arguments))["arguments"] == arguments


@pytest.mark.req("gateway/P11")
def test_of_meta_the_callers_own_keys_keep_their_bytes_and_the_protocols_go_no_further() -> None:
    meta = {
        "traceparent": TRACE,
        "tracestate": '"a=1"',
        "com.example/시간": '{ "n" : 1.0, "n" : 2 }',
        'quo"te\n': "[1 ,2]",
        "progressToken": '"theirs"',
        META + "protocolVersion": '"2026-07-28"',
        META + "related-task": '{"taskId":"1"}',
        META + "serverInfo": "{}",
    }
    shown = members(params(OLD, call(b"{}", meta))["_meta"])
    assert shown == {name: meta[name].encode() for name in list(meta)[:4]}


@pytest.mark.req("gateway/P11")
def test_a_handshake_server_gets_no_meta_where_there_is_none_to_pass() -> None:
    only_protocol = call(b"{}", {META + "protocolVersion": '"2026-07-28"', "progressToken": "1"})
    assert set(params(OLD, only_protocol)) == {"name", "arguments"}


@pytest.mark.req("gateway/P11")
def test_a_stateless_server_gets_the_gateways_revision_and_what_the_caller_said_of_itself() -> None:
    theirs = {META + "clientInfo": '{ "name" : "caller" }', META + "clientCapabilities": "{}", "a/b": "1"}
    can = b'{"elicitation":{"form":{}}}'
    shown = members(params(NEW, call(b"{}", theirs, capabilities=can))["_meta"])
    assert shown == {
        "a/b": b"1",
        META + "protocolVersion": b'"2026-07-28"',
        META + "clientCapabilities": can,
        META + "clientInfo": b'{ "name" : "caller" }',
    }


@pytest.mark.req("gateway/P11")
def test_a_caller_that_does_not_name_itself_is_the_gateway() -> None:
    shown = members(params(NEW, call())["_meta"])
    assert (shown[META + "clientInfo"], shown[META + "clientCapabilities"]) == (INFO, b"{}")


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("session", [NEW, OLD])
def test_two_callers_with_one_token_of_progress_have_two_at_the_server(session: Session) -> None:
    asked = call(b"{}", {"progressToken": '"same"'})
    tokens = [
        members(params(session, asked, progress=True, number=number)["_meta"])["progressToken"] for number in (8, 9)
    ]
    assert tokens == [b"8", b"9"]
    assert b"same" not in CLIENT.call(session, 8, asked, progress=True)


@pytest.mark.req("gateway/P11")
def test_answers_to_a_servers_questions_go_on_in_the_era_that_has_them() -> None:
    retry = b',"inputResponses":{ "who" : {"action":"accept"} },"requestState":"a\\/b"'
    found = params(NEW, call(retry=retry))
    assert found["inputResponses"] == b'{ "who" : {"action":"accept"} }'
    assert found["requestState"] == b'"a\\/b"'
    assert not {"inputResponses", "requestState"} & params(OLD, call(retry=retry)).keys()


NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(["progressToken", META + "x", META, "a/b", "traceparent"])
VALUES = st.sampled_from(["1", "1.50", "null", '"x"', '{ "a" : [1 ,1e400] }', '"\\u00e9"', "[]", "true"])


@pytest.mark.req("gateway/P11")
@given(meta=st.dictionaries(NAMES, VALUES, max_size=6), new=st.booleans(), progress=st.booleans())
def test_any_meta_gives_a_body_that_means_what_was_meant(meta: dict[str, str], new: bool, progress: bool) -> None:
    found = params(NEW if new else OLD, call(b'{"a": 1}', meta), progress=progress)
    shown = members(found.get("_meta", b"{}"))
    ours = {name for name in shown if name.startswith(META) or name == "progressToken"}
    kept = {name: value.encode() for name, value in meta.items() if name != "progressToken" and META not in name[:24]}
    assert {name: value for name, value in shown.items() if name not in ours} == kept
    assert len(ours) == 3 * new + progress


@pytest.mark.req("gateway/P11")
def test_the_head_of_a_stateless_request_has_what_the_revision_asks_for() -> None:
    assert CLIENT.head(NEW, "tools/list").split(b"\r\n") == [
        b"POST /mcp?tenant=7 HTTP/1.1",
        b"Host: tools:8080",
        b"Content-Type: application/json",
        b"Accept: application/json, text/event-stream",
        b"Accept-Encoding: identity",
        b"MCP-Protocol-Version: 2026-07-28",
        b"Mcp-Method: tools/list",
        b"",
    ]


@pytest.mark.req("gateway/P11")
def test_the_head_of_a_request_in_a_session_names_it_and_its_revision() -> None:
    lines = CLIENT.head(OLD, "tools/call").split(b"\r\n")
    assert lines[-3:] == [b"MCP-Protocol-Version: 2025-11-25", b"Mcp-Session-Id: s-1", b""]
    assert not [line for line in lines if line.startswith(b"Mcp-Method")]
    without = CLIENT.head(Session(Revision.V2025_03_26), "tools/call")
    assert b"Mcp-Session-Id" not in without
    assert without.endswith(b"MCP-Protocol-Version: 2025-03-26\r\n")


@pytest.mark.req("gateway/P11")
def test_what_opens_a_session_names_none_and_declares_nothing() -> None:
    head = CLIENT.head(None, "initialize")
    assert b"MCP-Protocol-Version" not in head
    assert b"Mcp-" not in head
    assert json.loads(CLIENT.initialize(3)) == {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": json.loads(INFO)},
    }


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("verb", [b"GET", b"DELETE"])
def test_a_request_without_a_body_announces_none(verb: bytes) -> None:
    head = CLIENT.head(OLD, "", verb)
    assert head.startswith(verb + b" /mcp?tenant=7 HTTP/1.1\r\nHost: tools:8080\r\n")
    assert b"Content-Type" not in head
    assert b"Accept: text/event-stream\r\n" in head
    assert head.endswith(b"Mcp-Session-Id: s-1\r\n")


@pytest.mark.req("gateway/P11")
def test_requests_of_the_gateways_own_are_whole_in_either_era() -> None:
    new = json.loads(CLIENT.request(NEW, 4, "tools/list", {"cursor": msgspec.Raw(b'"c"')}))
    assert new["params"] == {
        "cursor": "c",
        "_meta": {
            META + "protocolVersion": "2026-07-28",
            META + "clientCapabilities": {},
            META + "clientInfo": json.loads(INFO),
        },
    }
    assert json.loads(CLIENT.request(OLD, 4, "tools/list")) == {
        "jsonrpc": "2.0",
        "id": 4,
        "method": "tools/list",
        "params": {},
    }


@pytest.mark.req("gateway/P11")
def test_a_server_that_asks_its_client_hears_that_it_is_there_and_can_do_nothing() -> None:
    assert json.loads(wire.reply_to(b'"p"', "ping")) == {"jsonrpc": "2.0", "id": "p", "result": {}}
    refused = json.loads(wire.reply_to(b"1", "sampling/createMessage"))
    assert refused["error"]["code"] == -32601
    assert json.loads(wire.cancelled(7))["params"]["requestId"] == 7
    assert json.loads(wire.INITIALIZED) == {"jsonrpc": "2.0", "method": "notifications/initialized"}


def discovery(**more: Any) -> bytes:
    return json.dumps({"supportedVersions": ["2026-07-28"], "capabilities": {}, **more}).encode()


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("result", "session"),
    [
        (discovery(), NEW),
        (discovery(supportedVersions=["2025-11-25", "2026-07-28", "2099-01-01"]), NEW),
        (discovery(capabilities={"tools": {"listChanged": True}}), Session(NEW.revision, announces=True)),
        (discovery(capabilities={"tools": {"listChanged": False}, "x": 1}, serverInfo=7), NEW),
        (discovery(supportedVersions=["2025-11-25"]), None),
        (discovery(supportedVersions=[]), None),
        (discovery(supportedVersions="2026-07-28"), None),
        (discovery(capabilities=[]), None),
        (discovery(capabilities={"tools": {"listChanged": 1}}), None),
        (b'{"tools":[]}', None),
        (b"null", None),
    ],
)
def test_a_discovery_opens_what_it_says(result: bytes, session: Session | None) -> None:
    assert wire.discovered(result) == session


def initialization(revision: object = "2025-11-25", **capabilities: Any) -> bytes:
    return json.dumps({"protocolVersion": revision, "capabilities": capabilities, "instructions": "…"}).encode()


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
def test_an_initialization_opens_a_session_in_the_revision_that_the_server_chose(revision: Revision) -> None:
    assert wire.initialized(initialization(revision), b"s-9") == Session(revision, b"s-9")
    assert wire.initialized(initialization(revision), b"") == Session(revision)
    announced = wire.initialized(initialization(revision, tools={"listChanged": True}), b"")
    assert announced == Session(revision, announces=True)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("result", "session_id"),
    [
        (initialization("2024-11-05"), b""),
        (initialization("2026-07-28"), b""),
        (initialization(7), b""),
        (b'{"capabilities":{}}', b""),
        (b"[]", b""),
        (initialization(), b"a b"),
        (initialization(), b"a\tb"),
        (initialization(), "세션".encode()),
        (initialization(), b"a\x7f"),
    ],
)
def test_what_the_gateway_does_not_speak_or_could_not_repeat_opens_nothing(result: bytes, session_id: bytes) -> None:
    assert wire.initialized(result, session_id) is None
