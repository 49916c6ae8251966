"""An ordinary result of an MCP server, read in one pass, is answered as one that is looked at closely (gateway/P11)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.adapters.mcp.exchange import Exchange
from axhub.gateway.adapters.mcp.projection import ServerFacts
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from axhub.gateway.ports import McpAnswer, Outcome, ReplyHead
from axhub.gateway.usecases.interpret_answer import ToolResult
from axhub.gateway.usecases.interpret_mcp import McpResult, interpret_mcp
from support.tools import tool

STATELESS = ServerFacts("gw", "1", 30_000).stateless_members
COUNTED = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
VALUES = [
    *(b"true", b"false", b"null", b"1", b"[]", b"{}", b'"complete"', b'"compl\\u0065te"', b'"input_required"'),
    *(b'{"count":7.0}', b'{"count":"a"}', b'{"a/b":1.0}', b'{"io.modelcontextprotocol/serverInfo":{}}'),
]
NAMES = ["isError", "structuredContent", "resultType", "_meta", "ttlMs", "more", "is\\u0045rror"]
TEXTS = ['"찾음 7 건"'.encode(), b'""', b'"a\\"b\\\\"', b'"\\ud83d\\ude00"', b"5", b"null", b'{"a":1}']
MORE = [b"", b"", b',"_meta":{"x":1.50}', b',"_meta":null', b',"annotations":{"priority":0.50}', b',"x":1']


def route(output: Any = None) -> Route:
    members = {} if output is None else {"outputSchema": output}
    return bind_routes([CatalogueTool("ins", tool("t", **members))], {"ins": CallRules(mcp_server=True)})["t"]


ROUTES = (route(), route(COUNTED))


def interpreted(result: bytes, of: Route = ROUTES[0]) -> McpResult:
    return interpret_mcp(McpAnswer(result=result), of, lambda: "ours")


def answered(result: bytes, of: Route, revision: Revision) -> tuple[ReplyHead, bytes]:
    """Return what the caller of that revision gets."""
    sent: list[tuple[ReplyHead, bytes]] = []
    own = STATELESS if TRAITS[revision].stateless else b""
    exchange = Exchange(b"1", lambda head, body, more=False: sent.append((head, body)), revision, own, -32602)
    exchange.completed(interpreted(result, of), 12)
    return sent[0]


@st.composite
def results(draw: st.DrawFn) -> bytes:
    """Return a result with one text block, which lies more or less apart from an ordinary one."""
    members = draw(
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)), max_size=3, unique_by=lambda m: m[0])
    )
    block = b'{"type":"text","text":%b%b}' % (draw(st.sampled_from(TEXTS)), draw(st.sampled_from(MORE)))
    rest = b"".join(b',"%b":%b' % (name.encode(), value) for name, value in members)
    return b'{"content":[%b]%b}' % (b",".join([block] * draw(st.sampled_from([1, 1, 1, 0, 2]))), rest)


@pytest.mark.req("gateway/P11", "gateway/X12")
@settings(max_examples=1000)
@given(result=results(), of=st.sampled_from(ROUTES), revision=st.sampled_from(Revision))
def test_the_quick_reading_of_an_ordinary_result_agrees_with_the_close_look(
    result: bytes, of: Route, revision: Revision
) -> None:
    closely = b" " + result  # what does not begin as an ordinary result does is never read quickly
    assert answered(result, of, revision) == answered(closely, of, revision)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("members", "is_error"),
    [
        (b"", False),
        (b',"isError":false', False),
        (b',"isError":true', True),
        (b',"isError":false,"structuredContent":{"result":"a"}', False),
        (b',"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x"}},"resultType":"complete"', False),
    ],
)
def test_what_servers_answer_is_read_quickly(members: bytes, is_error: bool) -> None:
    found = interpreted(b'{"content":[{"type":"text","text":"\\u0061"}]%b}' % members)
    assert isinstance(found, ToolResult)
    assert (found.text, found.is_error) == (b'"\\u0061"', is_error)
    assert found.outcome is (Outcome.TOOL_ERROR if is_error else Outcome.OK)
