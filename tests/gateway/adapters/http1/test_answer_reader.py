"""Answers, failures and surplus out of bytes, without a socket."""

from collections.abc import Iterator

import pytest

from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.ports import Failure, UpstreamAnswer

OK = b"HTTP/1.1 200 OK\r\n"
PLAIN = OK + b"Content-Length: 2\r\n\r\nhi"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"


def splits(data: bytes) -> Iterator[tuple[bytes, ...]]:
    """Yield `data` in one piece, in two at every place, and byte by byte."""
    yield (data,)
    for at in range(1, len(data)):
        yield data[:at], data[at:]
    yield tuple(data[at : at + 1] for at in range(len(data)))


def read(*pieces: bytes, end: bool = False, max_bytes: int = 1000) -> AnswerReader:
    reader = AnswerReader(max_bytes)
    for piece in pieces:
        if reader.feed(piece):
            break
    else:
        if end:
            reader.end()
    return reader


def failure(data: bytes, *, end: bool = False, max_bytes: int = 1000) -> Failure | None:
    """Return why these bytes are no answer, however they are cut; None if they are, or are not yet."""
    found = {read(*pieces, end=end, max_bytes=max_bytes).failure for pieces in splits(data)}
    assert len(found) == 1
    return found.pop()


@pytest.mark.req("gateway/X3", "input/B37")
@pytest.mark.parametrize(
    ("data", "status", "body", "keep"),
    [
        (PLAIN, 200, b"hi", True),
        (CHUNKED, 200, b"hi", True),
        (EMPTY, 204, b"", True),
        (OK + b"Content-Length: 0\r\n\r\n", 200, b"", True),
        (b"HTTP/1.1 304 \r\nContent-Length: 5000\r\n\r\n", 304, b"", True),
        (b"HTTP/1.1 206\r\nContent-Length: 2\r\n\r\nhi", 206, b"hi", True),
        (b"HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nhi", 999, b"hi", True),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" + PLAIN, 200, b"hi", True),
        (OK + b"Connection: close\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", False),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", True),
        (OK + b"Content-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", True),
        (b"HTTP/1.1 502 X\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi", 502, b"hi", True),
    ],
)
def test_an_answer_comes_out_the_same_however_it_is_cut_into_pieces(
    data: bytes, status: int, body: bytes, keep: bool
) -> None:
    for pieces in splits(data):
        reader = read(*pieces)
        assert reader.complete
        assert not reader.surplus
        answer = reader.answer()
        assert (answer.status, answer.body, answer.failure, answer.sent) == (status, body, None, True)
        assert reader.keep is keep or (keep and len(pieces[-1]) < 5)
    assert read(data).keep is keep


def test_of_a_repeated_header_the_last_value_counts_and_trailers_do_not() -> None:
    data = OK + b"X: 1\r\nX: 2 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX: 3\r\nSet-Cookie: a=b\r\n\r\n"
    for pieces in splits(data):
        assert read(*pieces).answer().headers == {b"x": b"2", b"transfer-encoding": b"chunked"}


@pytest.mark.req("gateway/X3")
def test_the_end_of_the_stream_ends_an_answer_that_has_no_other_end() -> None:
    for start in (OK + b"\r\n", b"HTTP/1.0 200 OK\r\n\r\n", OK + b"Connection: close\r\n\r\n"):
        for body in (b"", b"hi"):
            reader = read(start + body, end=True)
            answer = reader.answer()
            assert (answer.status, answer.body, answer.sent) == (200, body, True)
            assert not reader.keep


@pytest.mark.req("gateway/X4", "input/B38", "input/B74")
@pytest.mark.parametrize(
    "data",
    [b"", b"HTTP/1.1 2", OK, OK + b"Content-Length: 3\r\n\r\nhi", CHUNKED[:-2], CHUNKED[:-5], EMPTY[:-1]],
)
def test_an_answer_cut_short_is_a_broken_connection(data: bytes) -> None:
    assert failure(data, end=True) is Failure.UNREACHABLE


@pytest.mark.req("gateway/X4", "input/B37", "input/B38")
@pytest.mark.parametrize(
    "data",
    [
        b"hello",
        b"<html>",
        b"HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 20 OK\r\n",
        b"HTTP/1.1 2000 OK\r\n",
        b"HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + PLAIN,
        b"HTTP/1.1 103 Hints\r\n\r\n" * 9 + PLAIN,
        OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
        OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: gzip\r\n\r\nxx",
        b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nx\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"X: a\x00b\r\n\r\n",
        OK + b" X: folded\r\n\r\n",
        OK + b"X: a\n\r\n",
        OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
        OK + b"Content-Encoding: gzip\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi",
        OK + b"".join(b"X%d: 1\r\n" % number for number in range(65)) + b"\r\n",
    ],
)
def test_what_is_not_an_answer_is_invalid(data: bytes) -> None:
    assert failure(data) is Failure.INVALID


@pytest.mark.req("input/B38", "gateway/X4")
@pytest.mark.parametrize(
    ("start", "filler"),
    [
        (OK + b"X: ", b"x"),
        (OK, b"X: 1\r\n"),
        (b"HTTP/1.1 200 ", b"x"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"x"),
    ],
)
def test_a_part_without_an_end_is_invalid_long_before_it_fills_the_memory(start: bytes, filler: bytes) -> None:
    reader = AnswerReader(1 << 20)
    reader.feed(start)
    sent = 0
    while not reader.feed(filler * (4096 // len(filler))):
        sent += 4096
        assert sent < 64 * 1024
    assert reader.failure is Failure.INVALID


def test_a_large_first_read_is_not_mistaken_for_a_large_head() -> None:
    body = b"x" * 200_000
    reader = AnswerReader(1 << 20)
    assert reader.feed(OK + b"X: 1\r\nContent-Length: 200000\r\n\r\n" + body)
    assert reader.answer().body == body
    too_long = OK + b"X: %b\r\nContent-Length: 200000\r\n\r\n" % (b"y" * 32 * 1024) + body
    assert read(too_long, max_bytes=1 << 20).failure is Failure.INVALID


@pytest.mark.req("gateway/X4", "input/B69")
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (OK + b"Content-Length: 10\r\n\r\n0123456789", None),
        (OK + b"Content-Length: 11\r\n\r\n", Failure.TOO_LARGE),
        (OK + b"Content-Length: 99999999999999999999\r\n\r\n", Failure.INVALID),
        (OK + b"Content-Length: 9999999999999999999\r\n\r\n", Failure.TOO_LARGE),
        (OK + b"Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n", None),
        (OK + b"Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n1\r\nx", Failure.TOO_LARGE),
        (OK + b"\r\n0123456789", None),
        (OK + b"\r\n01234567890", Failure.TOO_LARGE),
    ],
)
def test_a_body_over_the_limit_is_too_large_by_its_length_or_at_that_byte(
    data: bytes, expected: Failure | None
) -> None:
    assert failure(data, max_bytes=10) is expected


@pytest.mark.req("gateway/X10", "input/B39", "threat/T18")
@pytest.mark.parametrize("answer", [PLAIN, CHUNKED, EMPTY, OK + b"Content-Length: 0\r\n\r\n", PLAIN[:-2] + b"}\n"])
@pytest.mark.parametrize("surplus", [b"x", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b"HT", PLAIN, b"0\r\n\r\n", b"\x00"])
def test_a_byte_in_the_same_packet_after_an_answer_is_surplus(answer: bytes, surplus: bytes) -> None:
    reader = read(answer + surplus)
    assert reader.complete
    assert reader.surplus
    assert reader.failure is None


@pytest.mark.req("gateway/X10")
@pytest.mark.parametrize("answer", [PLAIN, CHUNKED, EMPTY, PLAIN[:-2] + b"\r\n"])
@pytest.mark.parametrize("surplus", [b"\r\n", b"\n", b"x", PLAIN])
def test_wherever_an_answer_with_surplus_is_cut_its_connection_is_not_used_again(answer: bytes, surplus: bytes) -> None:
    for at in range(1, len(answer)):
        reader = read(answer[:at], answer[at:] + surplus)
        assert reader.complete
        assert reader.surplus or not reader.keep


@pytest.mark.req("gateway/X10")
def test_one_reader_reads_one_answer_after_the_other() -> None:
    reader = AnswerReader(1000)
    for data, body in ((PLAIN, b"hi"), (EMPTY, b""), (CHUNKED, b"hi"), (b"HTTP/1.1 100 C\r\n\r\n" + PLAIN, b"hi")):
        assert reader.feed(data)
        assert reader.keep
        assert not reader.surplus
        assert reader.answer().body == body
        reader.expect()


def test_a_failure_shows_nothing_of_what_came() -> None:
    assert read(b"oops").answer() == UpstreamAnswer(0, {}, b"", Failure.INVALID)
