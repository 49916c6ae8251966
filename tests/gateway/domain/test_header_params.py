import pytest

from axhub.contract.headers import HeaderParam
from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.header_params import mismatch

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
