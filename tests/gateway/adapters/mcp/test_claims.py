"""On a connection that repeats its head, each message is still held against it as if it were the first (gateway/P4)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.adapters.mcp.envelope import Message, parse
from axhub.gateway.adapters.mcp.ladder import LadderError, agreed_revision, revision_of
from axhub.gateway.domain.call import HeadNotes
from axhub.gateway.ports import HttpRequest

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ABSENT = object()
HEADS = [
    {},
    {b"mcp-protocol-version": b"2025-11-25"},
    {b"mcp-protocol-version": b"1999-01-01"},
    {b"mcp-protocol-version": b"2026-07-28", b"mcp-method": b"tools/call", b"mcp-name": b"a"},
    {b"mcp-protocol-version": b"2026-07-28", b"mcp-method": b"tools/list"},
    {b"mcp-protocol-version": b"2026-07-28", b"mcp-method": b"resources/read", b"mcp-name": b"file:a"},
]


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """Return a message that agrees with some of the heads in everything but one thing or another."""
    method = draw(st.sampled_from(["tools/call", "tools/call", "tools/list", "initialize", "resources/read"]))
    drawn = {
        "name": draw(st.sampled_from(["a", "a", "b", ABSENT])),
        "uri": draw(st.sampled_from(["file:a", "file:b", ABSENT])) if method == "resources/read" else ABSENT,
        "_meta": draw(st.sampled_from(["new", "new", "new", "old", ABSENT])),
    }
    meta: dict[str, Any] = {VERSION: draw(st.sampled_from(["2026-07-28"] * 4 + ["2025-11-25", 5]))}
    capabilities = draw(st.sampled_from([{}, {}, {}, [], ABSENT]))
    if capabilities is not ABSENT:
        meta[CAPABILITIES] = capabilities
    drawn["_meta"] = {"new": meta, "old": {"progressToken": 1}}.get(str(drawn["_meta"]), ABSENT)
    params = {name: value for name, value in drawn.items() if value is not ABSENT}
    found = parse(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
    assert isinstance(found, Message)
    return found


def judged(message: Message, head: dict[bytes, bytes], notes: HeadNotes | None) -> object:
    request = HttpRequest(b"POST", b"/mcp", head, frozenset(), b"", notes)
    try:
        if notes is None:
            return revision_of(message, head, frozenset())
        return agreed_revision(message, request)
    except LadderError as error:
        return error.code, str(error), error.data


@pytest.mark.req("gateway/P1", "gateway/P4")
@settings(max_examples=500)
@given(st.sampled_from(HEADS), st.lists(messages(), min_size=2, max_size=8))
def test_what_was_agreed_before_changes_no_later_judgement(head: dict[bytes, bytes], sent: list[Message]) -> None:
    notes = HeadNotes()
    for message in sent:
        assert judged(message, head, notes) == judged(message, head, None)


@pytest.mark.req("gateway/P4")
def test_a_message_that_says_what_the_last_one_said_is_not_held_against_its_head_again() -> None:
    notes, head = HeadNotes(), HEADS[3]
    meta = {VERSION: "2026-07-28", CAPABILITIES: {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "_meta": meta}})
    message = parse(body.encode())
    assert isinstance(message, Message)
    assert judged(message, head, notes) == "2026-07-28"
    assert judged(message, {}, notes) == "2026-07-28", "the head is not looked at: its connection says that it repeats"


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize("method", ["tools/call", "a" * 100_000])
@pytest.mark.parametrize("name", ["a", "b" * 100_000])
@pytest.mark.parametrize("head", [HEADS[1], {**HEADS[4], b"mcp-method": b"a" * 100_000}])
def test_what_is_kept_of_a_message_is_small(method: str, name: str, head: dict[bytes, bytes]) -> None:
    """It lives as long as the connection: what a caller sends in a body must not stay there."""
    notes = HeadNotes()
    meta = {VERSION: "2026-07-28", CAPABILITIES: {}} if b"mcp-method" in head else {}
    params = {"name": name, "_meta": meta}
    found = parse(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
    assert isinstance(found, Message)
    assert judged(found, head, notes) == judged(found, head, None)
    kept = notes.claim
    assert kept is None or len(kept.method) + len(kept.name or "") + len(kept.version or b"") < 1024
