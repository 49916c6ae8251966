"""What an MCP server gets of a call, whatever era its caller speaks (gateway/P11)."""

from dataclasses import replace

import msgspec
import pytest

from axhub.contract.headers import HeaderParam
from axhub.gateway.domain.call import ForwardedHeaders, ToolCall
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from axhub.gateway.ports import McpCall
from axhub.gateway.usecases.call_mcp import CAPABILITIES_KEY, mcp_call
from support.tools import tool

REGION = HeaderParam(b"mcp-param-region", ("region",), "string")
COUNT = HeaderParam(b"mcp-param-count", ("deep", "count"), "integer")
NONE = b""


def route(*params: HeaderParam, own_name: str = "find", shown: str = "claims_find") -> Route:
    shown_tool = replace(tool(shown, timeout_millis=1500, header_params=params), own_name=own_name)
    rules = {"ins": CallRules(mcp_server=True)}
    return bind_routes([CatalogueTool("ins", shown_tool)], rules)[shown]


def raw(**members: str) -> dict[str, msgspec.Raw]:
    return {name: msgspec.Raw(value.encode()) for name, value in members.items()}


def made(call: ToolCall, to: Route | None = None, headers: bytes = NONE) -> McpCall:
    return mcp_call(call, to or route(), headers)


@pytest.mark.req("gateway/P11")
def test_the_call_names_the_tool_as_its_server_does_and_keeps_the_callers_bytes() -> None:
    found = made(ToolCall("claims_find", b'{ "a" : 1.0 }', {}, meta=raw(a="1")), headers=b"Mcp-Name: find\r\n")
    assert (found.bundle, found.name, found.arguments, found.timeout) == ("ins", b"find", b'{ "a" : 1.0 }', 1.5)
    assert found.headers == b"Mcp-Name: find\r\n"
    assert found.meta == raw(a="1")
    assert (found.capabilities, found.retry) == (b"{}", b"")


@pytest.mark.req("gateway/P11")
def test_the_route_to_an_mcp_server_has_its_own_name_and_no_line_of_the_adapters() -> None:
    assert (route().head, route().own_name, route().tool) == (b"Mcp-Name: find", b"find", "claims_find")
    plain = bind_routes([CatalogueTool("ins", tool("t"))], {"ins": CallRules()})["t"]
    assert (plain.own_name, plain.head[:5]) == (b"", b"POST ")
    nameless = bind_routes([CatalogueTool("ins", tool("t"))], {"ins": CallRules(mcp_server=True)})["t"]
    assert nameless.own_name == b"t"


@pytest.mark.req("gateway/P11", "gateway/X2", "gateway/P2")
def test_the_callers_headers_go_on_but_not_its_session() -> None:
    ours = {b"mcp-session-id": b"theirs", b"mcp-protocol-version": b"1", b"accept": b"*/*", b"mcp-param-a": b"1"}
    headers = {b"guid": b"G", b"x-tenant": b"7", b"cookie": b"a", **ours}
    forwarded = ForwardedHeaders((b"x-tenant", *ours))
    call = ToolCall("claims_find", b"{}", headers)
    assert forwarded.head_for(call, route())[0] == b"Mcp-Name: find\r\nguid: G\r\nx-tenant: 7\r\n"
    plain = bind_routes([CatalogueTool("ins", tool("t"))], {})["t"]
    assert b"\r\nmcp-session-id: theirs\r\n" in forwarded.head_for(call, plain)[0]


@pytest.mark.req("gateway/P11", "gateway/P4")
def test_for_a_caller_that_does_not_mirror_arguments_the_gateway_does() -> None:
    arguments = '{"region":"서울","deep":{"count":7}}'.encode()
    call = ToolCall("claims_find", arguments, {b"mcp-param-region": b"theirs", b"mcp-param-x": b"y"})
    assert made(call, route(REGION, COUNT), b"Mcp-Name: find\r\n").headers == (
        b"Mcp-Name: find\r\nmcp-param-region: =?base64?7ISc7Jq4?=\r\nmcp-param-count: 7\r\n"
    )


@pytest.mark.req("gateway/P11", "gateway/P4")
@pytest.mark.parametrize("arguments", [b"{}", b'{"region":null,"deep":1}', b'{"deep":{"count":null}}'])
def test_an_argument_that_is_not_there_is_not_mirrored(arguments: bytes) -> None:
    assert made(ToolCall("claims_find", arguments, {}), route(REGION, COUNT)).headers == b""


@pytest.mark.req("gateway/P11", "gateway/P4")
def test_a_caller_that_mirrors_has_its_headers_passed_on_those_that_nobody_declared_too() -> None:
    headers = {b"mcp-param-region": b"a", b"mcp-param-other": b"=?base64?6rmA?=", b"mcp-name": b"claims_find"}
    call = ToolCall("claims_find", b'{"region":"a"}', headers, mirrors_arguments=True)
    found = made(call, route(REGION)).headers
    assert found == b"mcp-param-region: a\r\nmcp-param-other: =?base64?6rmA?=\r\n"


@pytest.mark.req("gateway/P11", "threat/T10")
@pytest.mark.parametrize("value", [b"a\r\nEvil: 1", b"a\nb", b"\x00", b"a\x01", b"\x7f", b"\xea\xb9\x80"])
def test_a_mirrored_header_with_characters_that_none_may_have_is_dropped(value: bytes) -> None:
    call = ToolCall("claims_find", b"{}", {b"mcp-param-other": value}, mirrors_arguments=True)
    assert made(call).headers == b""


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(("mirrors", "capabilities"), [(True, b'{"elicitation":{ }}'), (False, b"{}")])
def test_what_a_caller_can_do_is_said_only_by_callers_that_say_it_with_each_request(
    mirrors: bool, capabilities: bytes
) -> None:
    meta = {CAPABILITIES_KEY: msgspec.Raw(b'{"elicitation":{ }}')}
    assert made(ToolCall("claims_find", b"{}", {}, meta=meta, mirrors_arguments=mirrors)).capabilities == capabilities
    assert made(ToolCall("claims_find", b"{}", {}, mirrors_arguments=mirrors)).capabilities == b"{}"


@pytest.mark.req("gateway/P11")
def test_answers_to_questions_go_on_with_their_bytes_and_nothing_else_of_the_parameters_does() -> None:
    params = raw(name='"x"', arguments="{}", inputResponses='{ "a" : 1 }', requestState='"s\\/"', more="1")
    found = made(ToolCall("claims_find", b"{}", {}, params=params))
    assert found.retry == b',"inputResponses":{ "a" : 1 },"requestState":"s\\/"'
    assert made(ToolCall("claims_find", b"{}", {}, params=raw(requestState='"s"'))).retry == b',"requestState":"s"'
