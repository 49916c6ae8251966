"""Requests and refusals out of bytes, without a socket."""

from collections.abc import Iterator

import pytest

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.request_head import Fault
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.ports import HttpRequest

START = b"POST /mcp HTTP/1.1\r\nHost: a\r\n"
SMALL = ServerLimits(max_header_fields=4, max_head_bytes=200, max_body_bytes=10, max_pipelined=2)


def read(*pieces: bytes, limits: ServerLimits | None = None) -> list[tuple[HttpRequest | Fault, bool]]:
    reader = RequestReader(limits or ServerLimits(max_pipelined=10_000))
    for piece in pieces:
        assert reader.feed(piece) is None
    return list(reader.queue)


def splits(data: bytes) -> Iterator[tuple[bytes, ...]]:
    """Yield `data` in one piece, in two at every place, and byte by byte."""
    yield (data,)
    for at in range(1, len(data)):
        yield data[:at], data[at:]
    yield tuple(data[at : at + 1] for at in range(len(data)))


def status(*pieces: bytes, limits: ServerLimits | None = None) -> int | None:
    """Return the status of the refusal that these bytes lead to, None if there is none."""
    entries = [entry for entry, _ in read(*pieces, limits=limits)]
    return entries[-1].status if entries and isinstance(entries[-1], Fault) else None


@pytest.mark.req("gateway/P6")
def test_a_request_comes_out_the_same_however_it_is_cut_into_pieces() -> None:
    data = (
        b"\r\nPOST /mcp?x=1 HTTP/1.1\r\nHost: a\r\nX:  two words \t\r\nx: again\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n2;ext=1\r\nhi\r\n3\r\n \xea\xb0\r\n0\r\nTrailer: x\r\nHost: b\r\n\r\n"
    )
    headers = {b"host": b"a", b"x": b"two words", b"transfer-encoding": b"chunked"}
    expected = HttpRequest(b"POST", b"/mcp", headers, frozenset({b"x"}), b"hi \xea\xb0")
    for pieces in splits(data):
        assert read(*pieces) == [(expected, False)]


@pytest.mark.req("gateway/P6")
def test_pipelined_requests_come_out_in_order_and_keep_nothing_of_each_other() -> None:
    data = (
        START + b"X: 1\r\nX: 2\r\nContent-Length: 2\r\n\r\nhi"
        b"GET /b HTTP/1.1\r\nHost: c\r\n\r\n" + START + b"Connection: close\r\n\r\n"
    )
    for pieces in splits(data):
        requests = read(*pieces)
        assert requests == [
            (
                HttpRequest(
                    b"POST", b"/mcp", {b"host": b"a", b"x": b"1", b"content-length": b"2"}, frozenset({b"x"}), b"hi"
                ),
                False,
            ),
            (HttpRequest(b"GET", b"/b", {b"host": b"c"}, frozenset(), b""), False),
            (HttpRequest(b"POST", b"/mcp", {b"host": b"a", b"connection": b"close"}, frozenset(), b""), True),
        ]


@pytest.mark.req("gateway/P6", "threat/T15")
@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, CLOSE\r\n\r\n",
    ],
)
def test_nothing_is_read_after_a_request_that_is_the_last(data: bytes) -> None:
    for rest in (b"", data, b"\x00garbage"):
        for pieces in ((data + rest,), (data, rest)):
            entries = read(*pieces)
            assert [last for _, last in entries] == [True]
            assert isinstance(entries[0][0], HttpRequest)


HOSTS = {
    "a": None,
    "a:1": None,
    "127.0.0.1:8080": None,
    "[::1]": None,
    "[::1]:8080": None,
    "xn--9n2bp8q.example": None,
    "": 400,
    "a b": 400,
    "a,b": 400,
    "user@a": 400,
    "http://a": 400,
    "a/b": 400,
    "a:": 400,
    "a:x": 400,
    "a:123456": 400,
    "[::1": 400,
    "a?b": 400,
    "가": 400,
}


@pytest.mark.req("input/B49", "gateway/P6")
@pytest.mark.parametrize(("host", "expected"), HOSTS.items())
def test_the_host_header_must_be_a_host_with_an_optional_port(host: str, expected: int | None) -> None:
    assert status(b"GET / HTTP/1.1\r\nHost: %b\r\n\r\n" % host.encode()) == expected
    assert status(b"GET / HTTP/1.0\r\nHost: %b\r\n\r\n" % host.encode()) == expected


@pytest.mark.req("input/B49", "gateway/P6")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (b"GET / HTTP/1.1\r\n", 400),
        (b"GET / HTTP/1.0\r\n", None),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400),
        (b"GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n", 400),
        (b"GET http://a/ HTTP/1.1\r\nHost: a\r\n", 400),
        (b"GET //a/ HTTP/1.1\r\nHost: a\r\n", None),
        (b"OPTIONS * HTTP/1.1\r\nHost: a\r\n", 400),
        (b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n", 400),
        (b"GET /a#b HTTP/1.1\r\nHost: a\r\n", 400),
        (b"GET / HTTP/0.9\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: a\r\n", 400),
        (b"GET / HTTP/1.2\r\nHost: a\r\n", 400),
        (b"get / HTTP/1.1\r\nHost: a\r\n", 400),
    ],
)
def test_request_lines_and_hosts_are_held_to_one_form(lines: bytes, expected: int | None) -> None:
    for pieces in splits(lines + b"\r\n"):
        assert status(*pieces) == expected


@pytest.mark.req("input/B38", "gateway/P6")
def test_as_many_header_fields_as_allowed_pass_and_one_more_is_431() -> None:
    fields = b"".join(b"X%d: 1\r\n" % number for number in range(3))
    for extra, expected in ((b"", None), (b"Y: 1\r\n", 431), (b"Host: a\r\n", 431), (b"X1: again\r\n", 431)):
        for pieces in splits(b"GET / HTTP/1.1\r\nHost: a\r\n" + fields + extra + b"\r\n"):
            assert status(*pieces, limits=SMALL) == expected


@pytest.mark.req("input/B38", "gateway/P6")
@pytest.mark.parametrize("place", ["target", "name", "value", "repeated"])
def test_a_head_of_exactly_the_allowed_size_passes_and_one_byte_more_is_431(place: str) -> None:
    def head(filler: bytes) -> bytes:
        target, name, value, repeated = (filler if place == here else b"" for here in HEAD_PLACES)
        fields = b"Host: a\r\nX%b: 1%b\r\nX: 2\r\nX: 3%b\r\n" % (name, value, repeated)
        return b"GET /%b HTTP/1.1\r\n%b\r\n" % (target, fields)

    room = SMALL.max_head_bytes - len(head(b""))
    for size, expected in ((room, None), (room + 1, 431)):
        for pieces in splits(head(b"x" * size)):
            assert status(*pieces, limits=SMALL) == expected
        assert status(START + b"Content-Length: 1\r\n\r\n1" + head(b"x" * size), limits=SMALL) == expected


HEAD_PLACES = ("target", "name", "value", "repeated")


@pytest.mark.req("input/B38", "threat/T17")
@pytest.mark.parametrize(
    ("start", "filler", "expected"),
    [
        (b"GET /", b"x", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX", b"x", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: ", b"x", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"X: 1\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"a:\r\n", 431),
        (START + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x", 400),
        (START + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"x", 400),
        (START + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: 1\r\n", 400),
        (START + b"Transfer-Encoding: chunked\r\n\r\n", b"0", 400),
    ],
)
def test_a_part_without_an_end_is_refused_long_before_it_fills_the_memory(
    start: bytes, filler: bytes, expected: int
) -> None:
    reader = RequestReader(ServerLimits())
    reader.feed(start)
    sent = 0
    while not reader.deaf:
        reader.feed(filler * (4096 // len(filler)))
        sent += 4096
        assert sent < 64 * 1024
    assert [entry.status for entry, _ in reader.queue if isinstance(entry, Fault)] == [expected]


@pytest.mark.req("input/B42", "gateway/P6")
@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (b"10", None),
        (b"0010", None),
        (b"0" * 150 + b"7", None),
        (b"11", 413),
        (b"999999999999999999999", 400),  # more than llhttp counts
        (b"9999999999999999999", 413),
        (b"0" * 100 + b"9999999999999999999", 413),
    ],
)
def test_an_announced_length_over_the_limit_is_413_before_a_byte_of_the_body(
    length: bytes, expected: int | None
) -> None:
    assert status(START + b"Content-Length: %b\r\n\r\n" % length, limits=SMALL) == expected


@pytest.mark.req("input/B42", "gateway/P6")
def test_a_body_that_outgrows_the_limit_is_413_at_that_byte() -> None:
    start = START + b"Transfer-Encoding: chunked\r\n\r\n"
    within = start + b"4\r\n1234\r\n6\r\n567890\r\n"
    assert status(within, limits=SMALL) is None
    assert status(within + b"1\r\nx", limits=SMALL) == 413
    assert status(start + b"b\r\n1234567890", limits=SMALL) is None
    assert status(start + b"b\r\n1234567890", b"1", limits=SMALL) == 413


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize("place", range(3))
def test_after_a_refusal_nothing_more_comes_out(place: int) -> None:
    good = START + b"\r\n"
    entries = read(good * place + b"oops\r\n\r\n" + good * 3)
    assert len(entries) == place + 1
    assert entries[-1] == (Fault(400, "The request is not well-formed HTTP/1.1."), True)


@pytest.mark.req("input/B58", "threat/T17")
def test_a_burst_of_requests_is_parsed_only_as_far_as_they_are_taken() -> None:
    reader = RequestReader(ServerLimits(max_pipelined=16))
    burst = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 9000
    rest = reader.feed(burst)
    assert rest is not None
    assert len(reader.queue) < 16 + 8192 // 27
    seen = 0
    while rest is not None:
        seen += len(reader.queue)
        reader.queue.clear()
        rest = reader.feed(rest)
    assert seen + len(reader.queue) == 9000


@pytest.mark.req("input/B54", "gateway/P6")
@pytest.mark.parametrize(
    ("framing", "sent", "body"),
    [
        (b"", b"", b""),
        (b"Content-Length: 0\r\n", b"", b""),
        (b"Content-Length: 5\r\n", b"GET /", b"GET /"),
        (b"Transfer-Encoding: chunked\r\n", b"5\r\nGET /\r\n0\r\n\r\n", b"GET /"),
    ],
)
def test_an_offer_of_another_protocol_is_ignored_and_the_body_stays_a_body(
    framing: bytes, sent: bytes, body: bytes
) -> None:
    head = b"PUT /x?y HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n" + framing
    data = head + b"X: 1\r\nX: 2\r\n\r\n" + sent + b"GET /next HTTP/1.1\r\nHost: n\r\n\r\n"
    for pieces in splits(data):
        (first, last), (second, _) = read(*pieces)
        assert isinstance(first, HttpRequest)
        assert isinstance(second, HttpRequest)
        assert (first.method, first.path, first.body, last) == (b"PUT", b"/x", body, False)
        assert first.headers[b"upgrade"] == b"h2c"
        assert first.repeated == {b"x"}
        assert (second.method, second.path, second.headers, second.repeated) == (
            b"GET",
            b"/next",
            {b"host": b"n"},
            frozenset(),
        )


OFFER = b"Host: h\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n"
OFFERS = {
    "without bodies": b"GET /%d HTTP/1.1\r\n" + OFFER + b"\r\n",
    "with lengths": b"PUT /%d HTTP/1.1\r\n" + OFFER + b"Content-Length: 5\r\n\r\nGET /",
    "with chunks": b"PUT /%d HTTP/1.1\r\n" + OFFER + b"Transfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n0\r\n\r\n",
    "after a plain one": b"GET /plain HTTP/1.1\r\nHost: h\r\n\r\nGET /%d HTTP/1.1\r\n" + OFFER + b"\r\n",
}


@pytest.mark.req("input/B54", "input/B58", "threat/T17")
@pytest.mark.parametrize("count", [16, 17, 30, 300])
@pytest.mark.parametrize("kind", OFFERS)
def test_none_of_many_offers_of_another_protocol_is_lost_wherever_the_reads_end(kind: str, count: int) -> None:
    data = b"".join(OFFERS[kind] % number for number in range(count))
    for read_bytes in (len(data), 8192, 5000, 701, 64):
        reader, taken = RequestReader(ServerLimits(max_pipelined=16)), []
        for start in range(0, len(data), read_bytes):
            rest = reader.feed(data[start : start + read_bytes])
            while rest is not None:
                assert len(reader.queue) <= 16 + (kind == "after a plain one")
                taken.append(reader.queue.popleft()[0])
                rest = reader.feed(rest)
        taken += [entry for entry, _ in reader.queue]
        requests = [entry for entry in taken if isinstance(entry, HttpRequest)]
        assert len(requests) == len(taken)
        expected = [b"/%d" % number for number in range(count)]
        assert [request.path for request in requests if request.path != b"/plain"] == expected
        assert {request.body for request in requests} == {b"" if "with " not in kind else b"GET /"}


@pytest.mark.req("input/B54", "threat/T15")
@pytest.mark.parametrize("target", [b"/mcp", b"a:80"])
@pytest.mark.parametrize(
    "framing",
    [
        b"\r\n",
        b"Content-Length: 29\r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n\r",
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        b"Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 3\r\n\r\nabc",
        b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    ],
)
def test_a_tunnel_is_refused_and_what_is_meant_for_it_never_becomes_a_request(target: bytes, framing: bytes) -> None:
    for before in (b"", START + b"\r\n"):
        data = before + b"CONNECT %b HTTP/1.1\r\nHost: a\r\n" % target + framing + START + b"\r\n"
        for pieces in splits(data):
            entries = read(*pieces)
            assert len(entries) == (2 if before else 1)
            refused, last = entries[-1]
            assert isinstance(refused, Fault)
            assert (refused.status, last) == (400, True)


@pytest.mark.req("input/B54")
def test_an_offer_of_another_protocol_with_a_body_over_the_limit_is_413() -> None:
    head = START + b"Upgrade: h2c\r\nConnection: Upgrade\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert status(head + b"b\r\n12345678901", limits=SMALL) == 413


@pytest.mark.req("input/B54")
@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (START + b"Expect: 100-continue\r\nContent-Length: 1\r\n\r\n", True),
        (START + b"Expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n", True),
        (START + b"Expect: something\r\nContent-Length: 1\r\n\r\n", False),
        (START + b"Content-Length: 1\r\n\r\n", False),
        (b"POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", False),
    ],
)
def test_a_caller_that_waits_to_be_told_to_go_on_is_noticed(head: bytes, wanted: bool) -> None:
    reader = RequestReader(ServerLimits())
    reader.feed(head)
    assert reader.receiving
    assert reader.wants_continue is wanted


@pytest.mark.req("input/B58", "threat/T17")
def test_requests_that_trickle_in_are_parsed_only_as_far_as_they_are_taken() -> None:
    reader = RequestReader(ServerLimits(max_pipelined=16))
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    assert [reader.feed(request) for _ in range(16)] == [None] * 16
    held = reader.feed(request)
    assert held is not None
    assert bytes(held) == request
    assert len(reader.queue) == 16
    reader.queue.popleft()
    assert reader.feed(held) is None
    assert len(reader.queue) == 16


def test_nothing_of_a_large_body_is_kept_after_its_request() -> None:
    reader = RequestReader(ServerLimits())
    reader.feed(START + b"Content-Length: 100000\r\n\r\n" + b"x" * 100_000)
    assert len(reader.queue) == 1
    assert reader._body == b""
