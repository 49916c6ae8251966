"""What is known by the bytes of its head is read as if it had been parsed (decision 0003, input/B55, threat/T15)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.request_head import Fault
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.ports import HttpRequest, UpstreamAnswer

LIMITS = ServerLimits(max_body_bytes=1000, max_pipelined=3, max_head_bytes=160)
FIRST_LINES = [
    b"POST /mcp HTTP/1.1",
    b"POST /mcp?a=b HTTP/1.1",
    b"PUT /x HTTP/1.1",
    b"GET / HTTP/1.1",
    b"POST / HTTP/1.0",
]
STATUS_LINES = [b"HTTP/1.1 200 OK", b"HTTP/1.1 404 Not Found", b"HTTP/1.1 204 No Content", b"HTTP/1.0 200 OK"]
LENGTHS = [
    b"Content-Length: %d",
    b"content-length: %d",
    b"CONTENT-LENGTH: 0%d",
    b"Content-Length:%d",
    b"Content-Length: %d ",
]
OTHERS = [
    *(b"X: y", b"Connection: close", b"Connection: keep-alive", b"Expect: 100-continue"),
    *(b"Connection: upgrade\r\nUpgrade: h2c", b"X: y\r\nX: z", b"x-length: 2", b"Content-Encoding: gzip"),
    *(b"Content-Type: text/event-stream", b"Content-Type: application/json"),
]
BODIES = [b"", b"{}", b"[1]", b"0123456789", b"x" * 99, b"x" * 100, b"x" * 999, b"\r\n\r\n", b"x" * 1001]
BODIES += [b"\r\ncontent-length: 2\r\n\r\n{}", b"POST / HTTP/1.1\r\nHost: a\r\n\r\n"]
AROUND = [(b"", b"")] * 6 + [
    (b"\r\n", b""),
    (b"", b"\r\n"),
    (b"", b"\n"),
    (b"", b"x"),
    (b"HTTP/1.1 100 Continue\r\n\r\n", b""),
]


@st.composite
def reads(draw: st.DrawFn, first_lines: list[bytes], host: bytes) -> list[bytes]:
    """Return what a connection brings, read by read: few heads, which come again and again, and many bodies."""
    few = [_head(draw, first_lines, host) for _ in range(draw(st.integers(1, 2)))]
    found: list[bytes] = []
    for _ in range(draw(st.integers(2, 7))):
        head, is_chunked = draw(st.sampled_from(few))
        body = draw(st.sampled_from(BODIES))
        before, after = draw(st.sampled_from(AROUND))
        size = len(body) + draw(st.sampled_from([0] * 8 + [1, -1]))
        text = _chunks(body) if is_chunked else body
        whole = before + (head if is_chunked else head % max(size, 0)) + text + after
        at = draw(st.sampled_from([0, 0, 0, 0, 1, 30, len(whole) - 1]))
        found += [piece for piece in (whole[:at], whole[at:]) if piece]
    return found


def _head(draw: st.DrawFn, first_lines: list[bytes], host: bytes) -> tuple[bytes, bool]:
    is_chunked = draw(st.sampled_from([False] * 5 + [True]))
    length = b"Transfer-Encoding: chunked" if is_chunked else draw(st.sampled_from(LENGTHS))
    lines = [host, *draw(st.lists(st.sampled_from(OTHERS), max_size=2)), length]
    return b"\r\n".join([draw(st.sampled_from(first_lines)), *draw(st.permutations(lines)), b"", b""]), is_chunked


def _chunks(body: bytes) -> bytes:
    return b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"


def came(reader: RequestReader, data: bytes, *, knowing: bool = True) -> list[Any]:
    """Return what came of one read: the requests, one after the other, and the state after it."""
    found: list[Any] = []
    rest: bytes | memoryview | None = data
    begins = knowing and not (reader.receiving or reader.deaf)
    if begins and (known := reader.memory.message_of(data)) is not None:
        found, rest = [(_plain(known), False)], None
    while rest is not None:
        rest = reader.feed(rest)
        while reader.queue:
            request, last = reader.queue.popleft()
            found.append((request if isinstance(request, Fault) else _plain(request), last))
    return [*found, reader.deaf, reader.receiving, reader.before_1_1]


def _plain(request: HttpRequest) -> tuple[object, ...]:
    return request.method, request.path, dict(request.headers), request.repeated, request.body


@pytest.mark.req("input/B55", "threat/T15")
@settings(max_examples=600)
@given(reads(FIRST_LINES, b"Host: a"))
def test_requests_mean_the_same_whether_their_head_is_known_or_not(pieces: list[bytes]) -> None:
    knowing, parsing = RequestReader(LIMITS), RequestReader(LIMITS)
    for piece in pieces:
        assert came(knowing, piece) == came(parsing, piece, knowing=False)


@pytest.mark.req("input/B38", "gateway/X3", "gateway/X10")
@settings(max_examples=600)
@given(reads(STATUS_LINES, b"Server: a"), st.booleans(), st.lists(st.booleans(), min_size=14, max_size=14))
def test_answers_mean_the_same_whether_their_head_is_known_or_not(
    pieces: list[bytes], encoded: bool, wants_events: list[bool]
) -> None:
    knowing = AnswerReader(1000, encoded=encoded)
    for piece, streams in zip(pieces, wants_events, strict=False):
        fresh = AnswerReader(1000, encoded=encoded, streams=streams)
        knowing.expect()
        knowing.streams = streams
        parsed = (fresh.feed(piece), fresh.events, _end(fresh))
        if (known := knowing.memory.message_of(piece)) is not None:  # then the connection is used again
            keep = bool(known.body.strip(b"\r\n"))
            assert (True, [], (True, None, keep, False, *_plain_answer(known))) == parsed
            continue
        assert (knowing.feed(piece), knowing.events, _end(knowing)) == parsed
        if not knowing.complete or knowing.failure is not None or knowing.surplus or not knowing.keep:
            return  # such a connection is not used again


def _end(reader: AnswerReader) -> tuple[object, ...]:
    if not (reader.complete or reader.failure):
        return ()
    answer = reader.answer()
    # Of a body of line ends the parser cannot tell whether it was all: then its connection is given up, to be sure.
    keep = reader.keep and bool(answer.body.strip(b"\r\n"))
    return reader.complete, reader.failure, keep, reader.surplus, *_plain_answer(answer)


def _plain_answer(answer: UpstreamAnswer) -> tuple[object, ...]:
    return answer.status, dict(answer.headers), answer.body, answer.failure


def test_a_head_that_comes_again_is_not_parsed_again() -> None:
    reader, notes = RequestReader(LIMITS), []
    for body in (b"{}", b"[]", b"[1,2,3,4,5]"):
        data = b"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        request: HttpRequest | Fault | None = reader.memory.message_of(data)
        if request is None:
            reader.feed(data)
            request, _ = reader.queue.popleft()
        assert isinstance(request, HttpRequest)
        assert (request.body, request.headers[b"content-length"]) == (body, b"%d" % len(body))
        notes.append(request.notes)
    assert notes[0] is None
    assert notes[1] is not None
    assert notes[1] is notes[2]
