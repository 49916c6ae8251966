import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.contract.jsontext import JsonTextError
from axhub.gateway.adapters.mcp.envelope import (
    EnvelopeError,
    Invalid,
    Message,
    PostedResponse,
    _message,
    _plain,
    parse,
)
from axhub.gateway.domain.call import HeadNotes


def request(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", **members}).encode()


def code_of(body: bytes) -> int:
    with pytest.raises(EnvelopeError) as caught:
        parse(body)
    return caught.value.code


@pytest.mark.req("gateway/P6", "input/B43", "input/B46")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b'{"jsonrpc":"2.0"',
        b"nul",
        b'{"a":NaN}',
        b'{"a":01}',
        b'{"a":1,}',
        b"\xef\xbb\xbf{}",
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\xc0\xaf"}',
        "{}".encode("utf-16"),
        b'{"a":"\x00"}',
        b'{"a":' + b"[" * 64 + b"]" * 64 + b"}",
        b'{"a":' * 64 + b"{}" + b"}" * 64,
        b"[" * 100_000 + b"]" * 100_000,
        b"[" * 100_000,
        b'{"params":{"arguments":{"a":"\\ud800"}}}',
        b'{"params":{"arguments":{"\\udc00":1}}}',
        b'[{"a":1},]',
    ],
)
def test_broken_json_is_a_parse_error(body: bytes) -> None:
    assert code_of(body) == -32700


@pytest.mark.req("gateway/P6", "input/B44", "input/B45", "input/B46", "threat/T16")
@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b'"text"',
        b"7",
        b"{}",
        b'{"id":1,"method":"ping"}',
        request(jsonrpc="1.0"),
        request(jsonrpc=2.0),
        request(method=7),
        request(method=None),
        request(id=None),
        request(id=1.5),
        request(id=True),
        request(id={}),
        request(id=[1]),
        b'{"jsonrpc":"2.0","id":1e2,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
        request(params=[]),
        request(params="x"),
        request(params={"_meta": []}),
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"tools/call"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{},"arguments":{}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"a":1,"a":2}}}',
        request(Method="tools/call"),
        request(ID=2),
        request(Params={}),
        request(params={"name": "a", "Name": "b"}),
        request(params={"Arguments": {}}),
        request(params={"_META": {}}),
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    ],
)
def test_what_is_no_request_is_invalid(body: bytes) -> None:
    assert code_of(body) == -32600


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize("id_text", [b"1", b"-7", b"0", b'"a"', b'""', b'"\\u0041"', b"123456789012345678901234567890"])
def test_an_id_is_kept_as_it_was_written(id_text: bytes) -> None:
    message = parse(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % id_text)
    assert isinstance(message, Message)
    assert message.id == id_text


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize(
    "body", [request(extra=1), request(params=None), request(params={"task": {}}), b" \n" + request()]
)
def test_unknown_members_null_params_and_outer_white_space_are_let_in(body: bytes) -> None:
    assert isinstance(parse(body), Message)


@pytest.mark.req("gateway/P6")
def test_depth_64_over_the_whole_body_is_let_in() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"arguments":{"a":' + b"[" * 61 + b"]" * 61 + b"}}}"
    assert isinstance(parse(body), Message)
    assert code_of(body.replace(b"[]", b"[[]]")) == -32700


@pytest.mark.req("gateway/P6")
def test_brackets_inside_strings_do_not_count_as_depth() -> None:
    assert isinstance(parse(request(params={"arguments": {"a": '[{"\\' * 500}})), Message)


@pytest.mark.req("gateway/X1")
@pytest.mark.parametrize(
    "arguments",
    [
        b'{"b":1,"a":2}',
        b'{"a":1,"a":2}',
        b'{"n":1.0,"e":1e400,"m":-0,"p":1E+2}',
        b'{"i":123456789012345678901234567890}',
        b'{ "a" :\t[ 1 ,\r\n 2 ] }',
        rb'{"a":"\u0041\/\ud83d\ude00"}',
        '{"한글":"값 😀"}'.encode(),
        b"{}",
    ],
)
def test_arguments_stay_the_bytes_they_are(arguments: bytes) -> None:
    message = parse(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments": %b }}' % arguments
    )
    assert isinstance(message, Message)
    assert bytes(message.arguments or b"") == arguments


@pytest.mark.req("gateway/P6", "input/B41")
def test_a_batch_is_read_entry_by_entry() -> None:
    batch = parse(b'[{"jsonrpc":"2.0","id":1,"method":"a"},7,{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0"}]')
    assert isinstance(batch, list)
    assert [type(entry) for entry in batch] == [Message, Invalid, PostedResponse, Invalid]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_input_raises_anything_but_the_envelope_error(body: bytes) -> None:
    code = None
    try:
        parse(body)
    except EnvelopeError as error:
        code = error.code
    assert code in {None, -32700, -32600}


MEMBER = st.sampled_from(
    [
        '"jsonrpc":"2.0"',
        '"jsonrpc":"1.0"',
        '"id":1',
        '"id":"é"',
        '"id":1.5',
        '"id":null',
        '"method":"tools/call"',
        '"method":"t\\u006fols"',
        '"\\u0069d":2',
        '"Id":3',
        '"params":null',
        '"params":[]',
        '"extra":1',
        '"result":{}',
    ]
)
PARAM = st.sampled_from(
    [
        '"name":"가"',
        '"name":7',
        '"arguments":{"a": 1}',
        '"arguments":[]',
        '"_meta":{"k":1}',
        '"_meta":{"k":1,"k":2}',
        '"_meta":null',
        '"cursor":"x"',
        '"Name":"b"',
        '"\\u006eame":"c"',
        '"_meta":7',
    ]
)
SPACE = st.sampled_from(["", "", "", " ", "\n"])


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Requests out of known and odd members, some twice, mostly compact."""
    params = draw(SPACE) + ",".join(draw(st.lists(PARAM, max_size=4)))
    core = ['"jsonrpc":"2.0"', '"id":7', '"method":"tools/call"', '"params":{' + params + "}"]
    kept = [member for member in core if draw(st.integers(0, 9))]
    return (
        "{" + draw(SPACE) + ",".join(draw(st.permutations([*kept, *draw(st.lists(MEMBER, max_size=2))]))) + "}"
    ).encode()


def read(reader: Callable[[bytes], object], body: bytes) -> object:
    try:
        return reader(body)
    except EnvelopeError as error:
        return error.code
    except JsonTextError:
        return -1


def comparable(found: object) -> object:
    if not isinstance(found, Message):
        return found
    raw = [{name: bytes(value) for name, value in part.items()} for part in (found.params, found.meta)]
    return (found.id, found.method, *raw, found.name, None if found.arguments is None else bytes(found.arguments))


@pytest.mark.req("gateway/P6", "threat/T16")
@settings(max_examples=1000)
@given(bodies())
def test_the_quick_reading_of_a_plain_request_agrees_with_the_close_look(body: bytes) -> None:
    quick = read(partial(_plain, notes=None), body)
    assert quick is None or comparable(quick) == comparable(read(_message, body))


@pytest.mark.parametrize("params", [b"{}", b'{"name":"t"}', b'{"name":"t","arguments":{"a": 1},"_meta":{"k":1}}'])
def test_what_clients_send_is_read_quickly(params: bytes) -> None:
    assert _plain(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%b}' % params, None) is not None


META = st.sampled_from(
    [
        '{"k":1}',
        '{"k":1}',
        '{"k": 1}',
        '{"k":1,"k":1}',
        '{"\\u006b":1}',
        '{"가":"나"}',
        '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}',
        '{"progressToken":1}',
        '{"traceparent":"00-1-2-3"}',
        "{}",
        "null",
        "[]",
        f'{{"k":"{"x" * 2000}"}}',
    ]
)


@pytest.mark.req("gateway/P6", "threat/T16")
@settings(max_examples=500)
@given(st.lists(st.tuples(META, st.booleans()), min_size=2, max_size=8))
def test_what_a_connection_said_before_changes_no_reading(said: list[tuple[str, bool]]) -> None:
    notes = HeadNotes()
    for meta, named in said:
        params = '"name":"t",' * named + f'"_meta":{meta}'
        body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%b}}' % params.encode()
        assert comparable(read(partial(parse, notes=notes), body)) == comparable(read(parse, body))
    assert notes.meta is None or len(notes.meta.written) <= 1024
    assert notes.meta is None or notes.meta.members.keys().isdisjoint({"progressToken", "traceparent"})


@pytest.mark.req("gateway/P6")
def test_a_meta_that_comes_again_is_not_read_again() -> None:
    notes = HeadNotes()
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"k":[1]}}}'
    first, second = parse(body, notes), parse(body.replace(b'"id":1', b'"id":"x"'), notes)
    assert isinstance(first, Message)
    assert isinstance(second, Message)
    assert second.meta is first.meta is notes.meta.members
    assert bytes(second.meta["k"]) == b"[1]"


@pytest.mark.req("gateway/P6", "input/B47")
@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("member", ["arguments", "_meta"])
@pytest.mark.parametrize(("depth", "too_deep"), [(62, False), (63, True), (5000, True)])
def test_what_nests_too_deeply_is_refused_wherever_it_stands(
    opening: str, member: str, depth: int, too_deep: bool
) -> None:
    inner = opening * (depth - 1) + "0" + {"[": "]", '{"a":': "}"}[opening] * (depth - 1)
    params = f'"name":"t","{member}":{{"k":{inner}}}'.encode()
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%b}}' % params
    for notes in (None, again := HeadNotes(), again):
        if too_deep:
            with pytest.raises(EnvelopeError, match="nested deeper"):
                parse(body, notes)
        else:
            assert isinstance(parse(body, notes), Message)
