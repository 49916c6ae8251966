"""On a connection that repeats its head, each message is still held against it as if it were the first (gateway/P4)."""

import json
import sys
from collections.abc import Iterable
from typing import Any

import msgspec
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


META = {VERSION: "2026-07-28", CAPABILITIES: {}}
COMPACT = (",", ":")


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
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
    return body_of(method, params, draw(st.sampled_from([COMPACT, COMPACT, None])))


def body_of(method: str, params: dict[str, Any], separators: tuple[str, str] | None = COMPACT) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return json.dumps(message, separators=separators).encode()


def judged(body: bytes, head: dict[bytes, bytes], notes: HeadNotes | None) -> object:
    """Read a body and hold it against its head, as the endpoint does: with the notes of the connection, or none."""
    message = parse(body, notes)
    assert isinstance(message, Message)
    try:
        if notes is None:
            return revision_of(message, head, frozenset())
        return agreed_revision(message, HttpRequest(b"POST", b"/mcp", head, frozenset(), b"", notes))
    except LadderError as error:
        return error.code, str(error), error.data


@pytest.mark.req("gateway/P1", "gateway/P4")
@settings(max_examples=1_000)
@given(st.sampled_from(HEADS), st.lists(bodies(), min_size=2, max_size=8))
def test_what_was_agreed_before_changes_no_later_judgement(head: dict[bytes, bytes], sent: list[bytes]) -> None:
    notes = HeadNotes()
    for body in sent:
        assert judged(body, head, notes) == judged(body, head, None)


AGREED = body_of("tools/call", {"name": "a", "_meta": META})
OTHERS: dict[str, tuple[bytes, int]] = {
    "another name": (body_of("tools/call", {"name": "b", "_meta": META}), -32020),
    "another method": (body_of("tools/list", {"name": "a", "_meta": META}), -32020),
    "no _meta": (body_of("tools/call", {"name": "a"}), -32602),
    "an empty _meta": (body_of("tools/call", {"name": "a", "_meta": {}}), -32602),
    "another revision": (body_of("tools/call", {"name": "a", "_meta": {**META, VERSION: "2025-11-25"}}), -32020),
    "a revision that is no text": (body_of("tools/call", {"name": "a", "_meta": {**META, VERSION: 5}}), -32602),
    "no capabilities": (body_of("tools/call", {"name": "a", "_meta": {VERSION: "2026-07-28"}}), -32602),
    "capabilities that are none": (body_of("tools/call", {"name": "a", "_meta": {**META, CAPABILITIES: []}}), -32602),
}


@pytest.mark.req("gateway/P1", "gateway/P4")
@pytest.mark.parametrize("first", OTHERS)
@pytest.mark.parametrize("second", OTHERS)
def test_on_one_connection_each_message_that_disagrees_is_refused_and_each_other_served(
    first: str, second: str
) -> None:
    notes, head = HeadNotes(), HEADS[3]
    for name in (first, second, second, first):
        body, code = OTHERS[name]
        for _ in range(2):
            assert judged(AGREED, head, notes) == "2026-07-28"
        told = judged(body, head, notes)
        assert isinstance(told, tuple), f"{name} is served"
        assert (told[0], told) == (code, judged(body, head, None))


@pytest.mark.req("gateway/P4")
def test_a_meta_that_comes_again_is_held_against_the_head_by_identity_with_what_was_agreed() -> None:
    notes = HeadNotes()
    assert judged(AGREED, HEADS[3], notes) == "2026-07-28"
    assert notes.claim is not None
    assert notes.claim.meta is notes.meta.members
    again = parse(AGREED, notes)
    assert isinstance(again, Message)
    assert again.meta is notes.claim.meta


@pytest.mark.req("gateway/P4")
def test_a_message_that_says_what_the_last_one_said_is_not_held_against_its_head_again() -> None:
    notes, head = HeadNotes(), HEADS[3]
    assert judged(AGREED, head, notes) == "2026-07-28"
    assert judged(AGREED, {}, notes) == "2026-07-28", "the head is not looked at: its connection says that it repeats"


SPARE: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a long value": {"a": "b" * 100_000},
    "a long key": {"a" * 100_000: 1},
    "many members": {str(number): number for number in range(90)},
}


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize("method", ["tools/call", "a" * 100_000])
@pytest.mark.parametrize("name", ["a", "b" * 100_000])
@pytest.mark.parametrize("more", SPARE)
@pytest.mark.parametrize("head", [HEADS[1], {**HEADS[4], b"mcp-method": b"a" * 100_000}, {**HEADS[3]}])
def test_what_is_kept_of_a_message_is_small(method: str, name: str, more: str, head: dict[bytes, bytes]) -> None:
    """It lives as long as the connection: what a caller sends in a body must not stay there."""
    notes = HeadNotes()
    meta = {**(META if b"mcp-method" in head else {}), **SPARE[more]}
    body = body_of(method, {"name": name, "_meta": meta})
    assert judged(body, head, notes) == judged(body, head, None)
    assert _size(notes.meta) + _size(notes.claim) < 4_096


def _size(kept: Any) -> int:
    """Return how many bytes an object and all it refers to take, roughly; what is shared counts again."""
    if isinstance(kept, msgspec.Raw):
        return sys.getsizeof(kept) + len(kept)
    parts: Iterable[Any] = ()
    if isinstance(kept, dict):
        parts = [*kept, *kept.values()]
    elif isinstance(kept, tuple):
        parts = kept
    elif isinstance(kept, msgspec.Struct):
        parts = msgspec.structs.astuple(kept)
    return sys.getsizeof(kept) + sum(map(_size, parts))


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize("name", ["a", "a" * 256])
@pytest.mark.parametrize("more", [{}, {"progressToken": 1}, {"long": "b" * 1_024}], ids=", ".join)
def test_what_is_kept_of_a_message_holds_on_to_no_body(name: str, more: dict[str, Any]) -> None:
    notes, head = HeadNotes(), {**HEADS[3], b"mcp-name": name.encode()}
    body = body_of("tools/call", {"name": name, "_meta": {**META, **more}})
    before = sys.getrefcount(body)
    assert judged(body, head, notes) == "2026-07-28"
    assert (bytes(notes.claim.version) == b'"2026-07-28"', notes.claim.meta is not None) == (True, not more)
    assert sys.getrefcount(body) == before
