"""A second opinion: the same bytes, in any split, mean the same to us and to h11, or we refuse them.

Where we refuse what h11 takes, the bytes are not sound HTTP/1.1 (bare line feeds, folded lines, a length beside a
transfer coding). Where we take what h11 refuses, RFC 9112 lets a recipient be lenient, and it is named here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import h11
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.request_head import Fault
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.ports import HttpRequest

LENIENT = (
    re.compile(rb"[A-Z]  |  HTTP/"),  # several blanks in the request line (RFC 9112 section 3)
    re.compile(rb"(\A|\n)(RTSP|ICE)/| (RTSP|ICE)/"),
    re.compile(rb"\r\n[0-9A-Fa-f]{21}|: *[0-9]{21}"),  # more digits than h11 counts
    re.compile(rb"(\A|\n)HTTP/1.[01] [0-9]{3}[^\r\n]*[\x00-\x08\x0b-\x1f\x7f]"),  # the reason, which nobody reads
)
OLD_KEEP_ALIVE = re.compile(rb"HTTP/1.0.*keep-alive", re.DOTALL)
"""h11 uses no connection of HTTP/1.0 again, even if the other side offers it (RFC 9112 appendix C.2.2)."""
NAMES = st.sampled_from([b"X", b"x-y", b"GUID", b"Accept", b"X_1", b"!#$%&'*+-.^_`|~"])
VALUES = st.one_of(
    st.sampled_from([b"", b"a", b" a b\t", b"close", b"\xea\xb0\x80", b"x" * 300, b'"q"', b"a,b;c=d"]),
    st.binary(max_size=12).map(lambda text: re.sub(rb"[\x00-\x1f\x7f]", b".", text)),
)
FIELDS = st.lists(st.tuples(NAMES, VALUES), max_size=5)
BODIES = st.one_of(st.binary(max_size=40), st.sampled_from([b"{}", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\r\n\r\n"]))


class Message(NamedTuple):
    """What a request means."""

    method: bytes
    path: bytes
    headers: Mapping[bytes, bytes]
    body: bytes


@st.composite
def framed_bodies(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Return the framing field and the bytes of a body."""
    body = draw(BODIES)
    if draw(st.booleans()):
        return b"Content-Length: %d\r\n" % len(body), body
    pieces = draw(st.lists(BODIES.filter(bool), max_size=3))
    chunks = b"".join(b"%x%b\r\n%b\r\n" % (len(piece), draw(EXTENSIONS), piece) for piece in pieces)
    return b"transfer-Encoding: Chunked\r\n", chunks + b"0\r\n" + draw(TRAILERS) + b"\r\n"


METHODS = [b"GET", b"POST", b"PUT", b"OPTIONS", b"HEAD", b"DELETE"]
EXTENSIONS = st.sampled_from([b"", b";a=b", b";a", b';a="b c"'])
TRAILERS = st.sampled_from([b"", b"X: y\r\n", b"X: y\r\nHost: z\r\n"])


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Return one to six sound requests behind each other, at times many more of the same."""
    data = b""
    for _ in range(draw(st.integers(1, 6))):
        method = draw(st.sampled_from([*METHODS * 3, b"CONNECT"]))
        target = draw(st.sampled_from([b"/", b"/mcp", b"/a?b=c&d", b"/%2e%2e/x", b"//x", b"/a;b"]))
        fields = b"".join(b"%b:%b\r\n" % field for field in draw(FIELDS))
        extra = draw(st.sampled_from([b"", b"", b"Connection: close\r\n", b"Upgrade: h2c\r\nConnection: upgrade\r\n"]))
        framing, body = draw(st.one_of(st.just((b"", b"")), framed_bodies()))
        version = draw(st.sampled_from([b"1.1"] * 5 + [b"1.0"])) if b"ransfer" not in framing else b"1.1"
        data += b"%b %b HTTP/%b\r\nHost: a:1\r\n%b%b%b\r\n%b" % (method, target, version, fields, extra, framing, body)
    return data * draw(st.sampled_from([1, 1, 1, 20]))


@st.composite
def answers(draw: st.DrawFn) -> bytes:
    """Return one sound answer, perhaps behind interim ones, perhaps with more behind it."""
    interim = draw(st.sampled_from([b"", b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 X\r\nLink: y\r\n\r\n"]))
    version = draw(st.sampled_from([b"1.1", b"1.1", b"1.0"]))
    status = draw(st.sampled_from([b"200 OK", b"204 No", b"304 No", b"404 Not Found", b"500 ", b"299"]))
    fields = b"".join(b"%b:%b\r\n" % field for field in draw(FIELDS))
    connection = draw(st.sampled_from([b"", b"", b"Connection: close\r\n", b"Connection: keep-alive\r\n"]))
    framing, body = draw(st.one_of(st.just((b"", b"rest")), framed_bodies()))
    if status[:3] in {b"204", b"304"}:
        framing, body = draw(st.sampled_from([(b"", b""), (b"Content-Length: 3\r\n", b"")]))
    if b"ransfer" in framing:
        version = b"1.1"
    return interim + b"HTTP/%b %b\r\n%b%b%b\r\n%b" % (version, status, fields, connection, framing, body)


TROUBLE = st.sampled_from(
    [
        *(bytes([code]) for code in b"\r\n \t:;,01+-#x\x00\x0b\x7f\x80"),
        *(b"\r\n", b"\r\n ", b"0x", b" chunked", b"http://a/", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0"),
        *(b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: identity\r\n"),
        *(b"Host: b\r\n", b"Connection: close\r\n"),
    ]
)


@st.composite
def spoilt(draw: st.DrawFn, sound: st.SearchStrategy[bytes]) -> bytes:
    """Return sound bytes with a few places changed."""
    data = draw(sound)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        gone = draw(st.integers(0, 3))
        data = data[:at] + draw(TROUBLE) + data[at + gone :]
    return data


WAITING = st.sampled_from([1, 2, 16, 10_000])
"""With so many requests waiting, no more is parsed."""
CUTS = st.lists(st.integers(0, 400), max_size=6)


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    edges = [0, *sorted(place for place in places if place < len(data)), len(data)]
    return [data[start:end] for start, end in pairwise(edges) if end > start]


# Requests.


def our_requests(pieces: Sequence[bytes], max_pipelined: int = 16) -> tuple[list[Message], bool]:
    """Return the requests read, and whether something was refused; some are taken whenever enough wait."""
    reader = RequestReader(ServerLimits(max_pipelined=max_pipelined))
    entries: list[HttpRequest | Fault] = []
    for piece in pieces:
        rest = reader.feed(piece)
        while rest is not None:
            entries.append(reader.queue.popleft()[0])
            rest = reader.feed(rest)
    entries += [entry for entry, _ in reader.queue]
    requests = [entry for entry in entries if isinstance(entry, HttpRequest)]
    found = [Message(request.method, request.path, request.headers, request.body) for request in requests]
    return found, len(found) < len(entries)


def their_requests(data: bytes) -> tuple[list[Message], bool]:
    found: list[Message] = []
    while data := data.lstrip(b"\r\n"):  # a recipient may skip line ends before a message (RFC 9112 section 2.2)
        connection = h11.Connection(h11.SERVER)
        connection.receive_data(data)
        try:
            message = their_request(connection)
        except h11.RemoteProtocolError:
            return found, True
        if message is None:
            break
        if message.method == b"CONNECT":  # h11 takes it, with its body; we are no proxy
            return found, True
        found.append(message)
        connection.send(h11.Response(status_code=200, headers=[(b"content-length", b"0")]))
        connection.send(h11.EndOfMessage())
        data = connection.trailing_data[0] if connection.our_state is h11.DONE else b""
    return found, False


def their_request(connection: h11.Connection) -> Message | None:
    """Return the request that the bytes begin with, None if it is not whole."""
    head, body = h11.Request(method="GET", target="/", headers=[("Host", "unread")]), b""
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += bytes(event.data)
        elif isinstance(event, h11.EndOfMessage):
            return Message(head.method, head.target.partition(b"?")[0], first_values(head.headers), body)
        else:
            return None


def first_values(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    values: dict[bytes, bytes] = {}
    for name, value in pairs:
        values.setdefault(name, value)
    return normal(values)


def normal(values: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """Return the values as both sides give them: h11 lowers codings and keeps lengths' digits."""
    return {name: value.lower() if name == b"transfer-encoding" else value for name, value in values.items()}


@pytest.mark.req("input/B55", "threat/T15")
@given(requests(), CUTS, WAITING)
@settings(max_examples=300)
def test_sound_requests_mean_the_same_to_us_and_to_h11_in_any_split(
    data: bytes, places: list[int], max_pipelined: int
) -> None:
    ours, refused = our_requests(cut(data, places), max_pipelined)
    assert (
        [message._replace(headers=first_values(message.headers.items())) for message in ours],
        refused,
    ) == their_requests(data)
    assert not refused or b"CONNECT /" in data


@pytest.mark.req("input/B55", "threat/T15")
@given(spoilt(requests()), CUTS, WAITING)
@settings(max_examples=800)
def test_unsound_requests_mean_the_same_to_us_and_to_h11_or_we_refuse_them(
    data: bytes, places: list[int], max_pipelined: int
) -> None:
    ours, refused = our_requests([data])
    assert our_requests(cut(data, places), max_pipelined) == (ours, refused)
    if any(leniency.search(data) for leniency in LENIENT):
        return
    theirs, _ = their_requests(data)
    assert [message._replace(headers=first_values(message.headers.items())) for message in ours] == theirs[: len(ours)]


# Answers.


class Result(NamedTuple):
    """What an answer means."""

    status: int
    headers: Mapping[bytes, bytes]
    body: bytes


def our_answer(pieces: Sequence[bytes]) -> tuple[Result | None, bool]:
    """Return the answer if there is one, and whether the connection could be used again."""
    reader = AnswerReader(1 << 20)
    for piece in pieces:
        if reader.feed(piece):
            break
    else:
        reader.end()
    answer = reader.answer()
    keep = reader.keep and not reader.surplus and reader.failure is None
    return None if answer.failure else Result(answer.status, normal(answer.headers), answer.body), keep


def their_answer(data: bytes) -> tuple[Result | None, bool]:
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="POST", target="/", headers=[("Host", "a"), ("Content-Length", "0")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(data)
    ended = False
    response, body = h11.Response(status_code=999, headers=[]), b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Response):
                response, body = event, b""
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                keep = connection.our_state is h11.DONE and not connection.trailing_data[0] and not ended
                return Result(response.status_code, normal(dict(response.headers)), body), keep
            elif event is h11.NEED_DATA and not ended:
                connection.receive_data(b"")
                ended = True
            elif not isinstance(event, h11.InformationalResponse):
                return None, False
    except h11.RemoteProtocolError:
        return None, False


@pytest.mark.req("input/B38", "gateway/X3")
@given(answers(), CUTS)
@settings(max_examples=300)
def test_sound_answers_mean_the_same_to_us_and_to_h11_in_any_split(data: bytes, places: list[int]) -> None:
    theirs, kept = their_answer(data.lstrip(b"\r\n"))
    ours, keep = our_answer([data])
    assert ours == theirs
    assert theirs is not None
    if (
        theirs.body.strip(b"\r\n") or not theirs.body
    ):  # else the end of the answer cannot be told from line ends after it
        assert keep == kept or OLD_KEEP_ALIVE.search(data)
    assert our_answer(cut(data, places))[0] == theirs


@pytest.mark.req("input/B38", "gateway/X10")
@given(spoilt(answers()), CUTS)
@settings(max_examples=800)
def test_unsound_answers_mean_the_same_to_us_and_to_h11_or_we_refuse_them(data: bytes, places: list[int]) -> None:
    ours, keep = our_answer([data])
    assert our_answer(cut(data, places))[0] == ours
    if ours is None or any(leniency.search(data) for leniency in LENIENT):
        return
    theirs, kept = their_answer(data.lstrip(b"\r\n"))
    assert ours == theirs
    assert kept or not keep or OLD_KEEP_ALIVE.search(data)
