"""A batch is answered as a whole: its entries never stream (gateway/P6)."""

import pytest

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.batch import BatchReply, without_progress
from axhub.gateway.adapters.mcp.endpoint import _as_events
from axhub.gateway.adapters.mcp.envelope import Message, parse
from axhub.gateway.ports import Reply, ReplyHead

Sent = list[tuple[ReplyHead, bytes, bool]]


def keeping(sent: Sent) -> Reply:
    def reply(head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        sent.append((head, body + tail, more))

    return reply


@pytest.mark.req("input/B41")
def test_the_answers_of_a_batch_are_sent_once_in_the_order_of_its_entries() -> None:
    sent: Sent = []
    batch = BatchReply(3, keeping(sent))
    batch.slot(2)(wire.OK, b"3", b"0")
    batch.slot(1)(wire.ACCEPTED, b"")
    assert sent == []
    batch.slot(0)(wire.OK, b"1")
    assert sent == [(wire.OK, b"[1,30]", False)]


def test_pieces_of_an_entry_are_dropped_and_its_last_one_counts() -> None:
    sent: Sent = []
    batch = BatchReply(2, keeping(sent))
    slot = batch.slot(0)
    slot(wire.OK_EVENTS, b"piece", more=True)
    batch.slot(1)(wire.OK, b"2")
    slot(wire.OK_EVENTS, b"piece", more=True)
    assert sent == []
    slot(wire.OK, b"1")
    assert sent == [(wire.OK, b"[1,2]", False)]


def entry(meta: bytes) -> Message:
    found = parse(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":%b}}' % meta)
    assert isinstance(found, Message)
    return found


def test_an_entry_asks_for_no_progress() -> None:
    asking, silent = entry(b'{"traceparent":"t","progressToken":"p"}'), entry(b'{"traceparent":"t"}')
    assert without_progress(asking) == silent
    assert without_progress(silent) is silent


def test_for_a_caller_of_streams_only_a_whole_answer_becomes_one_event_and_a_stream_stays_as_it_is() -> None:
    sent: Sent = []
    _as_events(keeping(sent))(wire.OK, b'{"a":', b"1}")
    stream = _as_events(keeping(sent))
    stream(wire.OK_EVENTS, b"event", more=True)
    stream(wire.OK, b"event", more=True)
    stream(wire.OK, b"last")
    _as_events(keeping(sent))(wire.head_of(400), b"{}")
    assert sent == [
        (wire.OK_EVENTS, b'event: message\ndata: {"a":1}\n\n', False),
        (wire.OK_EVENTS, b"event", True),
        (wire.OK, b"event", True),
        (wire.OK, b"last", False),
        (wire.head_of(400), b"{}", False),
    ]
