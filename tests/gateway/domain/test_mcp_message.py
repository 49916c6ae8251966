"""Messages of an MCP server: what is one, and that values keep their bytes (gateway/P11)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.domain.mcp_message import (
    Notification,
    ProtocolError,
    Response,
    ServerRequest,
    members_of,
    protocol_error,
    read_message,
)

RESULT = b'{"content":[],"n":1e400,"m":-0.0,"z":1,"z":2}'


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "text",
    [
        b'{"jsonrpc":"2.0","id":1,"result":' + RESULT + b"}",
        b'{"result":' + RESULT + b',"jsonrpc":"2.0","id":1}',
        b' {"jsonrpc" : "2.0",\r\n "id": 1, "result" :' + RESULT.replace(b",", b" ,\n ").replace(b":", b" : ") + b"}\n",
        b'{"jsonrpc":"2.0","id":1,"result":' + RESULT + b',"more":{"a":[1]}}',
    ],
)
def test_a_result_keeps_its_bytes_but_for_white_space_wherever_its_id_stands(text: bytes) -> None:
    assert read_message(text) == Response(b"1", RESULT, None)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"jsonrpc":"2.0","id":"a","error":{"code":1}}', Response(b'"a"', None, b'{"code":1}')),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":1}}', Response(None, None, b'{"code":1}')),
        (b'{"jsonrpc":"2.0","error":{"code":1}}', Response(None, None, b'{"code":1}')),
        (b'{"jsonrpc":"2.0","id":1,"result":null}', Response(b"1", b"null", None)),
        (b'{"jsonrpc":"2.0","method":"n"}', Notification("n", {})),
        (b'{"jsonrpc":"2.0","method":"n","params":[1]}', Notification("n", {})),
        (b'{"jsonrpc":"2.0","id":null,"method":"n","params":{}}', Notification("n", {})),
        (b'{"jsonrpc":"2.0","id":0,"method":"ping"}', ServerRequest(b"0", "ping")),
        (b'{"jsonrpc":"2.0","id":{"a": 1},"method":"ping"}', ServerRequest(b'{"a":1}', "ping")),
    ],
)
def test_each_kind_of_message_is_told_from_the_others(text: bytes, message: object) -> None:
    assert read_message(text) == message


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("method", ["한글", "notifications/progress"])
def test_the_members_of_a_notification_are_raw(method: str) -> None:
    text = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"progress": 1}}, ensure_ascii=False)
    found = read_message(text.encode().replace(b": 1}", b': 1.50, "a": [1 ,2]}'))
    assert isinstance(found, Notification)
    assert {name: bytes(value) for name, value in found.params.items()} == {"progress": b"1.50", "a": b"[1,2]"}


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"true",
        b"7",
        b'"text"',
        b"[]",
        b'[{"jsonrpc":"2.0","id":1,"result":{}}]',
        b"{}",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"1.0","id":1,"result":{}}',
        b'{"jsonrpc":2.0,"id":1,"result":{}}',
        b'{"id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
        b'{"jsonrpc":"2.0","method":7}',
        b'{"jsonrpc":"2.0","id":1,"result":{}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}{}',
        b'{"jsonrpc":"2.0","id":1,"result":"\xff"}',
        b'{"jsonrpc":"2.0","id":1,"result":"\xed\xa0\x80"}',
        b'{"jsonrpc":"2.0","id":1,"result":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":1,"result":"\\udc00\\ud800"}',
        b'{"jsonrpc":"2.0","id":1,"result":{"\\ud83d":1}}',
        b'{"jsonrpc":"2.0","id":1,"result":NaN}',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b"\xef\xbb\xbf" + b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b"<html>busy</html>",
    ],
)
def test_what_is_no_message_is_none(text: bytes) -> None:
    assert read_message(text) is None


@pytest.mark.req("gateway/P11")
def test_a_pair_of_escapes_is_one_character() -> None:
    text = b'{"jsonrpc":"2.0","id":1,"result":"\\ud83d\\ude00"}'
    assert read_message(text) == Response(b"1", b'"\\ud83d\\ude00"', None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.req("gateway/P11")
@given(value=JSON, indent=st.none() | st.integers(0, 3), ascii_only=st.booleans())
def test_any_result_comes_out_as_it_was_written(value: object, indent: int | None, ascii_only: bool) -> None:
    written = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()
    found = read_message(b'{"id":7,"result":%b,"jsonrpc":"2.0"}' % written)
    assert found == Response(b"7", json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":")).encode(), None)


@pytest.mark.req("gateway/P11")
@given(st.binary(max_size=60) | st.text().map(str.encode))
def test_no_bytes_raise(text: bytes) -> None:
    found = read_message(b'{"jsonrpc":"2.0","id":1,"result":%b}' % text)
    assert found is None or isinstance(found, Response | Notification | ServerRequest)
    assert read_message(text) is None or text[:1] in b" \t\r\n{"


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b'{"code":-32602,"message":"m","data":{"a":1e400}}', -32602),
        (b'{"message":"","code":0}', 0),
        (b'{"code":99999999999999999999,"message":"m"}', 99999999999999999999),
    ],
)
def test_a_protocol_error_has_a_code_and_keeps_its_bytes(text: bytes, code: int) -> None:
    assert protocol_error(text) == ProtocolError(code, text)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "text", [b"null", b"{}", b"[]", b'"no"', b'{"code":"1","message":"m"}', b'{"code":1}', b'{"code":1.5,"message":""}']
)
def test_what_has_no_code_or_message_is_no_protocol_error(text: bytes) -> None:
    assert protocol_error(text) is None


@pytest.mark.req("gateway/P11")
def test_only_an_object_has_members() -> None:
    assert members_of(None) == members_of(b"[1]") == members_of(b"null") == {}
    assert {name: bytes(value) for name, value in members_of(b'{"a":1.0}').items()} == {"a": b"1.0"}


@pytest.mark.req("gateway/P11")
def test_the_shortest_message_there_is_is_read() -> None:
    """And what is shorter is none, whatever it is."""
    text = b'{"jsonrpc":"2.0","error":1}'
    assert read_message(text) == Response(None, error=b"1")
    assert [read_message(text[:end]) for end in range(len(text))] == [None] * len(text)
