"""The open subscriptions of a process: who is told what and when, and that nobody is kept (gateway/P9)."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message, parse
from axhub.gateway.adapters.mcp.projection import ServerFacts
from axhub.gateway.adapters.mcp.subscriptions import ListenError, Subscriptions, asks_for_tools
from axhub.gateway.ports import ReplyHead

pytestmark = pytest.mark.req("gateway/P9")

KEY = "io.modelcontextprotocol/subscriptionId"
FACTS = ServerFacts("mcp-시험", "0.1", 1000)


@dataclass
class Listener:
    """Takes what one caller would get."""

    pieces: list[bytes] = field(default_factory=list)
    heads: list[ReplyHead] = field(default_factory=list)
    ended: bool = False

    def reply(self, head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        assert not self.ended
        self.ended = not more
        self.heads.append(head)
        self.pieces.append(body + tail)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Every message so far; whatever is no event is a comment."""
        blocks = b"".join(self.pieces).split(b"\n\n")
        assert blocks.pop() == b""
        events = [block for block in blocks if not block.startswith(b":")]
        assert all(event.startswith(b"event: message\ndata: {") for event in events)
        return [json.loads(event.removeprefix(b"event: message\ndata: ")) for event in events]

    @property
    def methods(self) -> list[str]:
        return [message.get("method", "end") for message in self.messages]


def subscriptions(clock: ManualClock | None = None) -> Subscriptions:
    return Subscriptions(FACTS.stateless_members, clock or ManualClock())


def opened(of: Subscriptions, *, tools: bool = True, request_id: bytes = b"7") -> Listener:
    listener = Listener()
    of.open(request_id, tools, listener.reply)
    return listener


@pytest.mark.parametrize("request_id", [b"7", b'"listen-1"', '"구독 \\n \\"1\\""'.encode(), b"-3"])
def test_the_acknowledgment_comes_first_and_every_message_names_the_request(request_id: bytes) -> None:
    of = subscriptions()
    listener = opened(of, request_id=request_id)
    assert (listener.heads, listener.ended) == ([wire.OK_EVENTS], False)
    said = json.loads(request_id)
    assert listener.messages == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"_meta": {KEY: said}, "notifications": {"toolsListChanged": True}},
        }
    ]
    of.tools_changed()
    of.close()
    assert listener.messages[1:] == [
        {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": {KEY: said}}},
        {
            "jsonrpc": "2.0",
            "id": said,
            "result": {
                "resultType": "complete",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "mcp-시험", "version": "0.1"}, KEY: said},
            },
        },
    ]
    assert listener.ended


def test_every_change_is_one_notice_to_each_that_asked_for_it() -> None:
    of = subscriptions()
    early, silent = opened(of), opened(of, tools=False)
    of.tools_changed()
    late = opened(of)
    of.tools_changed()
    of.tools_changed()
    changed = "notifications/tools/list_changed"
    assert early.methods[1:] == [changed] * 3
    assert late.methods[1:] == [changed] * 2
    assert silent.messages[1:] == []
    assert silent.messages[0]["params"]["notifications"] == {}
    assert not silent.ended, "the specification keeps a stream open until its client ends it"


async def test_keep_alive_comments_go_to_all_every_15_seconds_by_one_timer() -> None:
    clock = ManualClock()
    of = subscriptions(clock)
    running = asyncio.create_task(of.keep_alive())
    listeners = [opened(of, tools=number > 1) for number in range(3)]
    for number in range(3):
        assert await clock.sleepers() == [15.0]
        assert [len(listener.pieces) for listener in listeners] == [1 + number] * 3
        clock.advance(15.0)
        await asyncio.sleep(0)
    assert await clock.sleepers() == [15.0]
    for listener in listeners:
        assert all(piece.startswith(b":") and piece.endswith(b"\n\n") for piece in listener.pieces[1:])
        assert len(listener.messages) == 1
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_a_caller_that_leaves_is_forgotten_at_once_and_its_answer_ended_without_a_word() -> None:
    of = subscriptions()
    listener, other = Listener(), opened(of)
    cancel = of.open(b"1", True, listener.reply)
    assert cancel is not None
    assert len(of) == 2
    cancel()
    cancel()
    assert (len(of), listener.ended, listener.pieces[-1]) == (1, True, b"")
    of.tools_changed()
    of.close()
    assert len(listener.messages) == 1
    assert other.methods[1:] == ["notifications/tools/list_changed", "end"]


def test_five_hundred_opened_and_left_leave_none() -> None:
    of = subscriptions()
    for _ in range(2):
        cancels = [of.open(b"1", True, Listener().reply) for _ in range(500)]
        assert len(of) == 500
        for cancel in cancels:
            assert cancel is not None
            cancel()
        assert len(of) == 0


def test_after_the_end_a_new_one_is_acknowledged_and_ended_in_one_answer() -> None:
    of = subscriptions()
    of.close()
    of.close()
    listener = opened(of)
    assert (listener.methods, listener.ended, len(of)) == (
        ["notifications/subscriptions/acknowledged", "end"],
        True,
        0,
    )
    assert len(listener.pieces) == 1


async def test_many_are_told_in_turns_that_let_others_in_between() -> None:
    of = subscriptions()
    listeners = [opened(of) for _ in range(1000)]
    of.tools_changed()
    told = [len(listener.pieces) - 1 for listener in listeners]
    assert 0 < sum(told) < 1000
    of.tools_changed()
    for _ in range(20):
        await asyncio.sleep(0)
    assert {len(listener.pieces) - 1 for listener in listeners} == {2}


async def test_one_that_leaves_while_many_are_being_told_is_not_told_any_more() -> None:
    of = subscriptions()
    pairs = [(listener, of.open(b"1", True, listener.reply)) for listener in (Listener() for _ in range(1000))]
    of.tools_changed()
    waiting = [(listener, cancel) for listener, cancel in pairs if len(listener.pieces) == 1]
    assert waiting
    for _, cancel in waiting:
        assert cancel is not None
        cancel()
    for _ in range(20):
        await asyncio.sleep(0)
    assert all(listener.messages[1:] == [] for listener, _ in waiting)


async def test_all_are_told_of_a_change_before_they_are_ended() -> None:
    of = subscriptions()
    listeners = [opened(of) for _ in range(1000)]
    of.tools_changed()
    of.close()
    assert {tuple(listener.methods[1:]) for listener in listeners} == {("notifications/tools/list_changed", "end")}
    await asyncio.sleep(0)
    assert len(of) == 0


def message(params: object, request_id: object = 1) -> Message:
    body = {"jsonrpc": "2.0", "id": request_id, "method": "subscriptions/listen", "params": params}
    found = parse(json.dumps(body).encode())
    assert isinstance(found, Message)
    return found


@pytest.mark.parametrize(
    ("asked", "tools"),
    [
        ({"toolsListChanged": True}, True),
        ({"toolsListChanged": True, "resourceSubscriptions": ["file:///x"], "other": 1}, True),
        ({"toolsListChanged": False}, False),
        ({"toolsListChanged": None}, False),
        ({"promptsListChanged": True}, False),
        ({}, False),
    ],
)
def test_the_filter_says_whether_tools_are_asked_for(asked: object, tools: bool) -> None:
    assert asks_for_tools(message({"notifications": asked})) is tools


WRONG: tuple[object, ...] = (None, [], "tools", 1, True, {"toolsListChanged": 1})


@pytest.mark.parametrize("params", [{}, *({"notifications": wrong} for wrong in WRONG)])
def test_a_filter_of_the_wrong_shape_is_refused(params: object) -> None:
    with pytest.raises(ListenError, match=r"^params\.notifications"):
        asks_for_tools(message(params))


def test_a_filter_that_can_be_read_in_two_ways_is_refused() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"notifications":%b}}'
    for twice in (b'{"toolsListChanged":true,"toolsListChanged":false}', b'{"toolsListChanged":true,"x":1,"x":2}'):
        found = parse(body % twice)
        assert isinstance(found, Message)
        with pytest.raises(ListenError, match=r"^params\.notifications"):
            asks_for_tools(found)


@pytest.mark.req("threat/T17")
def test_an_id_that_would_make_every_notice_long_is_refused() -> None:
    filters: Sequence[object] = [{"notifications": {"toolsListChanged": True}}]
    assert asks_for_tools(message(filters[0], "x" * 1000)) is True
    with pytest.raises(ListenError, match="id"):
        asks_for_tools(message(filters[0], "x" * 1100))
