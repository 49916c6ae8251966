import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.headers import HeaderParam
from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.header_params import decode_header_value, encode_header_value, mirrored, mismatch

NAME = HeaderParam(b"mcp-param-name", ("customer", "name"), "string")
COUNT = HeaderParam(b"mcp-param-count", ("count",), "integer")
FLAG = HeaderParam(b"mcp-param-flag", ("flag",), "boolean")


def problem(param: HeaderParam, arguments: str, header: bytes | None, repeated: bool = False) -> str | None:
    headers = {} if header is None else {param.header: header}
    call = ToolCall("t", arguments.encode(), headers, frozenset({param.header}) if repeated else frozenset())
    return mismatch([param], call)


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize(
    ("param", "arguments", "header"),
    [
        (NAME, '{"customer":{"name":"kim"}}', b"kim"),
        (NAME, '{"customer":{"name":"김"}}', b"=?base64?6rmA?="),
        (NAME, '{"customer":{"name":" kim "}}', b"=?base64?IGtpbSA=?="),
        (NAME, '{"customer":{"name":""}}', b""),
        (NAME, '{"customer":{"name":null}}', None),
        (NAME, '{"customer":{}}', None),
        (NAME, '{"customer":7}', None),
        (NAME, "{}", None),
        (COUNT, '{"count":7}', b"7"),
        (COUNT, '{"count":7.0}', b"7"),
        (COUNT, '{"count":1e2}', b"100"),
        (COUNT, '{"count":123456789012345678901234567890}', b"123456789012345678901234567890"),
        (FLAG, '{"flag":true}', b"true"),
        (FLAG, '{"flag":false}', b"false"),
    ],
)
def test_a_header_that_says_what_the_argument_says_is_let_through(
    param: HeaderParam, arguments: str, header: bytes | None
) -> None:
    assert problem(param, arguments, header) is None


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize(
    ("param", "arguments", "header", "words"),
    [
        (NAME, '{"customer":{"name":"kim"}}', None, "is missing"),
        (NAME, '{"customer":{"name":"kim"}}', b"lee", "does not match"),
        (NAME, '{"customer":{"name":"kim"}}', b"=?base64?a?=", "does not match"),
        (NAME, '{"customer":{"name":"1.0"}}', b"1.00", "does not match"),
        (NAME, '{"customer":{"name":{}}}', b"x", "does not match"),
        (NAME, "{}", b"kim", "no argument"),
        (NAME, '{"customer":{"name":null}}', b"null", "no argument"),
        (COUNT, '{"count":7}', b"8", "does not match"),
        (COUNT, '{"count":7}', b"seven", "does not match"),
        (COUNT, '{"count":10}', b"1_0", "does not match"),
        (FLAG, '{"flag":true}', b"True", "does not match"),
        (FLAG, '{"flag":true}', b"1", "does not match"),
    ],
)
def test_a_header_that_says_something_else_is_named(
    param: HeaderParam, arguments: str, header: bytes | None, words: str
) -> None:
    found = problem(param, arguments, header)
    assert found is not None
    assert words in found
    assert param.header.decode() in found


@pytest.mark.req("gateway/P4")
def test_a_mirrored_header_that_came_twice_is_refused() -> None:
    assert problem(COUNT, '{"count":7}', b"7", repeated=True) == "the header mcp-param-count came more than once"


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize("value", [b"a\x01", b"a\x7f", b"\x00", b"\xeb\xb3\xb4", b"=?base64?\xff?="])
def test_a_header_with_characters_that_none_may_have_matches_nothing(value: bytes) -> None:
    assert decode_header_value(value) is None
    text = value.decode("latin-1")
    assert problem(NAME, msgspec.json.encode({"customer": {"name": text}}).decode(), value) is not None


@pytest.mark.req("gateway/P11", "gateway/P4")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("us-west1", b"us-west1"),
        ("Hello, 世界", b"=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", b"=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", b"=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", b"=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("=?base64?open", b"=?base64?open"),
        ("", b""),
        ("a b", b"a b"),
        ("a\tb", b"=?base64?YQli?="),
        ("\x7f", b"=?base64?fw==?="),
    ],
)
def test_a_text_becomes_a_header_value_as_the_revision_has_it(text: str, value: bytes) -> None:
    assert encode_header_value(text) == value
    assert decode_header_value(value) == text


@pytest.mark.req("gateway/P11", "gateway/P4", "threat/T10")
@given(st.text())
def test_any_text_survives_the_codec_and_no_value_begins_a_line(text: str) -> None:
    value = encode_header_value(text)
    assert decode_header_value(value) == text
    assert all(0x20 <= byte < 0x7F for byte in value)
    assert value == value.strip()


VALUES = st.text() | st.booleans() | st.integers() | st.none()


@pytest.mark.req("gateway/P11", "gateway/P4")
@given(name=VALUES, count=st.integers(), flag=st.booleans(), there=st.sets(st.sampled_from([NAME, COUNT, FLAG])))
def test_what_the_gateway_mirrors_is_what_it_would_take_from_a_caller(
    name: object, count: int, flag: bool, there: set[HeaderParam]
) -> None:
    values: dict[HeaderParam, dict[str, object]] = {
        NAME: {"customer": {"name": name}},
        COUNT: {"count": count},
        FLAG: {"flag": flag},
    }
    arguments: dict[str, object] = {}
    for param in there:
        arguments |= values[param]
    body = json.dumps(arguments).encode()
    headers = dict(mirrored([NAME, COUNT, FLAG], body))
    assert mismatch([NAME, COUNT, FLAG], ToolCall("t", body, headers)) is None
    assert set(headers) == {param.header for param in there if param is not NAME or name is not None}
