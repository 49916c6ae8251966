"""A head that comes again is known by its bytes; anything else is not (decision 0003)."""

from collections.abc import Mapping

import msgspec
import pytest

from axhub.gateway.domain.head_memory import HeadMemory

HEAD = b"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: %b\r\nX: y\r\n\r\n"
DIGITS = 6
LENGTH_2 = {b"content-length": b"2"}


class Made(msgspec.Struct):
    """A message as its reader made it."""

    headers: Mapping[bytes, bytes]
    number: int = 0
    body: bytes = b"the first one's"


NOTHING = Made({})


def body_of(memory: HeadMemory[Made], data: bytes) -> bytes | None:
    found = memory.message_of(data)
    return None if found is None else found.body


def message(body: bytes, digits: bytes = b"", head: bytes = HEAD) -> bytes:
    return head % (digits or b"%d" % len(body)) + body


def remembering(data: bytes, body: bytes, length: bytes | None = b"") -> HeadMemory[Made]:
    memory: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS)
    fields = {b"x": b"y"} if length is None else {b"content-length": length or b"%d" % len(body)}
    memory.remember(data, len(body), fields, Made(fields))
    return memory


@pytest.mark.parametrize("head", [HEAD, HEAD.lower(), HEAD.replace(b"X: y\r\n", b""), b"\r\n" + HEAD])
def test_the_same_head_gives_the_body_behind_it(head: bytes) -> None:
    memory = remembering(message(b"{}", head=head), b"{}")
    assert memory.message_of(message(b"[]", head=head)) == Made(LENGTH_2, body=b"[]")
    assert memory.last == Made(LENGTH_2, body=b""), "no body is kept"


def test_a_body_of_another_length_is_known_too_and_the_fields_say_so() -> None:
    memory = remembering(message(b"{}"), b"{}")
    first = memory.last
    for body in (b"x" * 10, b"x" * 99_999, b"", b"{}"):
        assert memory.message_of(message(body)) == Made({b"content-length": b"%d" % len(body)}, body=body)
    assert first == Made(LENGTH_2, body=b""), "the fields of the request before are its own"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        message(b"{}")[:-1],
        message(b"{}") + b"\n",
        message(b"{}") * 2,
        message(b"{}", b"3"),
        message(b"{}", b"1"),
        message(b"{}", b"+2"),
        message(b"{}", b" 2"),
        message(b"{}", b"2 "),
        message(b"{}", b"2, 2"),
        message(b"{}", b"0x2"),
        message(b"{}", "\u0662".encode()),
        message(b"{}", b"0000002"),
        message(b"x" * 1_000_000),
        message(b"{}").replace(b"X: y", b"X: z"),
        message(b"{}").replace(b"/mcp", b"/mcq"),
        message(b"{}").replace(b"Content-Length", b"content-length"),
        message(b"{}")[: len(HEAD) - 8],
        message(b"{}").split(b"2\r\n")[0],
        message(b"{}").split(b"2\r\n")[0] + b"1" * 50,
    ],
)
def test_what_is_not_that_head_and_its_body_is_not_known(data: bytes) -> None:
    memory = remembering(message(b"{}"), b"{}")
    assert body_of(memory, data) is None
    assert body_of(memory, message(b"[]")) == b"[]"


@pytest.mark.parametrize(
    ("data", "length"),
    [
        (message(b"{}", b"3"), b""),
        (message(b"{}").replace(b"Content-Length: ", b"Content-Length:"), b""),
        (message(b"{}").replace(b"Host: a", b"length: 5"), b""),
        (message(b"{}").replace(b"X: y", b"X: " + b"y" * 4096), b""),
        (message(b"{}"), b"3"),
        (message(b"{}"), None),
        (b"{}", b""),
    ],
)
def test_what_cannot_be_told_apart_for_sure_is_not_kept(data: bytes, length: bytes | None) -> None:
    memory = remembering(data, b"{}", length)
    assert body_of(memory, data) is None


def test_the_end_of_a_head_is_not_looked_for_in_the_data_of_chunks() -> None:
    inner = b"\r\ncontent-length: 40\r\n\r\n"
    head = b"POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    data = head + b"%x\r\n%b\r\n" % (len(inner), inner) + b"1\r\nx\r\n" * 16 + b"0\r\n\r\n"
    memory: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS)
    for size in range(len(data)):
        memory.remember(data, size, {b"transfer-encoding": b"chunked"}, Made({}))
        assert body_of(memory, data) is None


def test_before_anything_was_kept_nothing_is_known() -> None:
    memory: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS)
    assert [body_of(memory, data) for data in (b"", b"\0", message(b"{}"))] == [None] * 3


def test_a_peer_that_writes_each_head_anew_is_rarely_looked_at_and_nothing_of_it_stays() -> None:
    memory: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS)
    kept = []
    for number in range(1, 80):
        data = message(b"{}", head=HEAD.replace(b"X: y", b"X: %d" % number))
        assert body_of(memory, data) is None
        secret = {b"content-length": b"2", b"authorization": b"secret"}
        memory.remember(data, 2, secret, Made(secret, number))
        kept.append(memory.last.number)
    assert kept == [*range(1, 9), *[0] * 24, 33, 34, *[0] * 24, 59, 60, *[0] * 19]
    assert memory.last is NOTHING
    known = None
    for number in range(80, 100):
        memory.remember(message(b"{}"), 2, LENGTH_2, Made(LENGTH_2, number))
        known = body_of(memory, message(b"{}"))
    assert known == b"{}", "a peer that begins to repeat itself is noticed"


def test_what_nobody_repeats_is_forgotten_however_the_others_are_written() -> None:
    memory = remembering(message(b"{}"), b"{}")
    for _ in range(9):
        assert memory.last is not NOTHING
        assert body_of(memory, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") is None
    assert memory.last is NOTHING


def test_no_head_is_known_that_would_be_over_the_limit_with_more_digits() -> None:
    for most_bytes, is_known in ((len(message(b"")) + DIGITS - 1, False), (len(message(b"")) + DIGITS, True)):
        memory: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS, most_bytes)
        memory.remember(message(b"{}"), 2, LENGTH_2, Made(LENGTH_2))
        assert (body_of(memory, message(b"{}")) is not None) is is_known


@pytest.mark.parametrize("kind", [b"text/event-stream", b"Text/Event-Stream; charset=utf-8"])
def test_an_event_stream_is_always_read(kind: bytes) -> None:
    memory: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS)
    memory.remember(message(b"{}"), 2, {b"content-length": b"2", b"content-type": kind}, Made({}))
    assert body_of(memory, message(b"{}")) is None


@pytest.mark.req("gateway/X10", "input/B55")
@pytest.mark.parametrize("digits", [b"%d" % number for number in range(12)] + [b"03", b"04", b"005", b"0000009"])
@pytest.mark.parametrize("tail", [b"", b"\0", b"\r", b"\r\n", b"\0\0", b"\r\0", b"\0\r"])
def test_an_empty_memory_takes_nothing_for_a_message(digits: bytes, tail: bytes) -> None:
    """Neither before a head was kept nor after all was forgotten: what stands for no head must match nothing."""
    fresh: HeadMemory[Made] = HeadMemory(NOTHING, DIGITS)
    forgetful = remembering(message(b"{}"), b"{}")
    for _ in range(9 + 24):
        assert forgetful.message_of(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") is None
    for memory in (fresh, forgetful):
        assert memory.message_of(b"\0" + digits + tail) is None
        assert memory.message_of(b"POS") is None
        assert memory.last is NOTHING
