"""Event streams among the answers: events as they come, no body, the same rules of surplus (gateway/P11)."""

from collections.abc import Iterator

import pytest

from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.ports import Failure

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
STREAM = b": hi\n\ndata: a\r\n\r\nevent: message\ndata: b\ndata: c\n\ndata: no end\n"
EVENTS = [b"a", b"b\nc"]
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


def taken(reader: AnswerReader) -> list[bytes]:
    events, reader.events = reader.events, []
    return events


def chunks(body: bytes, size: int = 7) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def splits(data: bytes) -> Iterator[tuple[bytes, ...]]:
    yield (data,)
    for at in range(1, len(data)):
        yield data[:at], data[at:]
    yield tuple(data[at : at + 1] for at in range(len(data)))


def read(
    *pieces: bytes, streams: bool = True, end: bool = False, max_bytes: int = 1000
) -> tuple[AnswerReader, list[bytes]]:
    reader = AnswerReader(max_bytes, streams=streams)
    events: list[bytes] = []
    for piece in pieces:
        over = reader.feed(piece)
        events += taken(reader)
        if over:
            break
    if end:
        reader.end()
    return reader, events


@pytest.mark.req("gateway/P11", "gateway/X10")
@pytest.mark.parametrize(
    ("framing", "end", "keep"),
    [
        (CHUNKED + chunks(STREAM), False, True),
        (CHUNKED + chunks(STREAM, 1000), False, True),
        (b"Content-Length: %d\r\n\r\n" % len(STREAM) + STREAM, False, None),
        (b"Connection: close\r\n\r\n" + STREAM, True, False),
    ],
)
def test_events_come_out_the_same_however_the_answer_is_cut(framing: bytes, end: bool, keep: bool | None) -> None:
    for pieces in splits(HEAD + framing):
        reader, events = read(*pieces, end=end)
        assert events == EVENTS
        assert (reader.complete, reader.failure, reader.surplus) == (True, None, False)
        answer = reader.answer()
        assert (answer.status, answer.body, answer.headers[b"content-type"]) == (200, b"", b"text/event-stream")
        assert keep is None or reader.keep is keep or len(pieces[-1]) < 5


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("head", "streams"),
    [
        (HEAD, False),
        (b"HTTP/1.1 404 No\r\nContent-Type: text/event-stream\r\n", True),
        (b"HTTP/1.1 300 No\r\nContent-Type: text/event-stream\r\n", True),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n", True),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-streams\r\n", True),
        (b"HTTP/1.1 200 OK\r\n", True),
    ],
)
def test_what_is_no_stream_that_is_wanted_is_a_body(head: bytes, streams: bool) -> None:
    reader, events = read(head + CHUNKED + chunks(STREAM), streams=streams)
    assert (events, reader.answer().body) == ([], STREAM)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "kind", [b"Text/Event-Stream", b"text/event-stream; charset=utf-8", b" text/event-stream ;x=y "]
)
@pytest.mark.parametrize("status", [b"200 OK", b"202 Accepted", b"299 x"])
def test_a_stream_is_told_by_its_media_type_and_any_success(kind: bytes, status: bytes) -> None:
    head = b"HTTP/1.1 %b\r\nContent-Type: %b\r\n" % (status, kind)
    assert read(head + CHUNKED + chunks(STREAM))[1] == EVENTS


@pytest.mark.req("gateway/P11")
def test_events_are_there_before_the_answer_is_whole() -> None:
    reader = AnswerReader(1000, streams=True)
    assert not reader.feed(HEAD + CHUNKED + b"9\r\ndata: a\n\n\r\n")
    assert taken(reader) == [b"a"]
    assert taken(reader) == []
    assert not reader.complete


@pytest.mark.req("gateway/P11", "gateway/X4")
def test_the_bound_is_that_of_each_event_and_those_before_are_given() -> None:
    many = b"data: 1\n\n" * 8
    assert len(read(HEAD + CHUNKED + chunks(many), max_bytes=20)[1]) == 8
    late = b"data: a\n\ndata: " + b"x" * 30 + b"\n\ndata: b\n\n"
    for pieces in splits(HEAD + CHUNKED + chunks(late)):
        reader, events = read(*pieces, max_bytes=20)
        assert (events, reader.failure) == ([b"a"], Failure.TOO_LARGE)


@pytest.mark.req("gateway/P11", "fault/F14")
def test_all_events_together_have_a_bound_of_four_times_that() -> None:
    reader, events = read(HEAD + CHUNKED + chunks(b"data: 1\n\n" * 20, 9), max_bytes=20)
    assert (len(events), reader.failure) == (8, Failure.TOO_LARGE)


@pytest.mark.req("gateway/P11", "gateway/X4")
def test_a_stream_that_announces_more_than_the_bound_is_too_large() -> None:
    reader, events = read(HEAD + b"Content-Length: 1001\r\n\r\n")
    assert (events, reader.failure) == ([], Failure.TOO_LARGE)


@pytest.mark.req("gateway/P11", "gateway/X3")
def test_an_encoded_stream_is_not_read() -> None:
    reader, events = read(HEAD + b"Content-Encoding: gzip\r\n" + CHUNKED + chunks(STREAM))
    assert (events, reader.failure) == ([], Failure.INVALID)


@pytest.mark.req("gateway/P11", "gateway/X10")
def test_bytes_after_a_stream_are_surplus_and_none_of_them_is_an_event() -> None:
    reader, events = read(HEAD + CHUNKED + chunks(STREAM) + b"data: x\n\n")
    assert (events, reader.surplus) == (EVENTS, True)


@pytest.mark.req("gateway/P11", "gateway/X10")
def test_an_answer_after_a_stream_begins_anew() -> None:
    reader = AnswerReader(1000, streams=True)
    assert reader.feed(HEAD + CHUNKED + chunks(b"data: a\n\ndata: half"))
    assert taken(reader) == [b"a"]
    reader.expect()
    assert reader.feed(HEAD + CHUNKED + chunks(b" of it\n\ndata: b\n\n"))
    assert taken(reader) == [b"b"]
    reader.expect()
    assert reader.feed(PLAIN)
    assert (taken(reader), reader.answer().body) == ([], b"{}")
    reader.expect()
    reader.streams = False
    assert reader.feed(HEAD + CHUNKED + chunks(STREAM))
    assert (taken(reader), reader.answer().body) == ([], STREAM)
