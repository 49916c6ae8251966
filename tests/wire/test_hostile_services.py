"""Tool Services that answer wrongly, slowly or not at all: a failure in bounded time, and the next call unharmed."""

import asyncio
from collections.abc import Sequence

import pytest

from axhub.gateway.adapters.http1.limits import BundleLimits
from axhub.gateway.ports import Failure, UpstreamAnswer
from support.wire import Step, close, drip, flood, half_close, hang, read, read_some, reset, send, upstream
from support.wire_ends import calling

OK = b"HTTP/1.1 200 OK\r\n"
GOOD: Sequence[Step] = (read(), send(OK + b"Content-Length: 4\r\n\r\ngood"))
HEAD = OK + b"Content-Length: 100\r\n\r\n"
CHUNK = OK + b"Transfer-Encoding: chunked\r\n\r\n"
MANY_FIELDS = b"".join(b"X%d: 1\r\n" % number for number in range(10_000))

BROKEN: dict[str, tuple[Sequence[Step], Failure]] = {
    "B37 switching protocols": (
        (read(), send(b"HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n")),
        Failure.INVALID,
    ),
    "B37 endless interim answers": ((read(), flood(b"HTTP/1.1 103 X\r\n\r\n")), Failure.INVALID),
    "B38 CL and TE": (
        (read(), send(OK + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
        Failure.INVALID,
    ),
    "B38 two CL": ((read(), send(OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx")), Failure.INVALID),
    "B38 bad chunk": ((read(), send(CHUNK + b"zz\r\n")), Failure.INVALID),
    "B38 two megabytes of header": ((read(), send(OK + b"X: " + b"x" * (2 << 20))), Failure.INVALID),
    "B38 ten thousand headers": ((read(), send(OK + MANY_FIELDS)), Failure.INVALID),
    "B38 NUL": ((read(), send(OK + b"X: \x00\r\n\r\n")), Failure.INVALID),
    "B38 HTTP/0.9": ((read(), send(b"<html>hello</html>"), close()), Failure.INVALID),
    "B63 answer begins, then nothing": ((read(), send(HEAD + b"x"), hang()), Failure.TIMEOUT),
    "B64 head, then nothing": ((read(), send(HEAD), hang()), Failure.TIMEOUT),
    "B64 half a head, then nothing": ((read(), send(OK + b"Content-Le"), hang()), Failure.TIMEOUT),
    "B65 accepts, then silence": ((hang(),), Failure.TIMEOUT),
    "B65 reads, then silence": ((read(), hang()), Failure.TIMEOUT),
    "B66 reset in the body": ((read(), send(HEAD + b"x"), reset()), Failure.UNREACHABLE),
    "B66 reset after the request": ((read(), reset()), Failure.UNREACHABLE),
    "B66 reset while the request is read": ((read_some(), reset()), Failure.UNREACHABLE),
    "B66 closed after the request": ((read(), close()), Failure.UNREACHABLE),
    "B66 closed in the body": ((read(), send(HEAD + b"x"), close()), Failure.UNREACHABLE),
    "B66 half closed in the head": ((read(), send(OK), half_close()), Failure.UNREACHABLE),
    "B69 endless body": ((read(), send(OK + b"\r\n"), flood(b"x" * 65536)), Failure.TOO_LARGE),
    "B69 endless chunks": ((read(), send(CHUNK), flood(b"1000\r\n" + b"x" * 4096 + b"\r\n")), Failure.TOO_LARGE),
    "B69 a length of a gigabyte": (
        (read(), send(OK + b"Content-Length: 1000000000\r\n\r\n"), hang()),
        Failure.TOO_LARGE,
    ),
    "B74 chunks without an end": ((read(), send(CHUNK + b"2\r\nhi\r\n"), hang()), Failure.TIMEOUT),
    "B74 an endless chunk extension": ((read(), send(CHUNK + b"1;"), flood(b"x" * 4096)), Failure.INVALID),
    "B74 an endless trailer": ((read(), send(CHUNK + b"0\r\nX: "), flood(b"x" * 4096)), Failure.INVALID),
    "B75 an encoded body": (
        (read(), send(OK + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08")),
        Failure.INVALID,
    ),
    "B75 an encoded body, twice": (
        (read(), send(OK + b"Content-Encoding: identity, br\r\nContent-Length: 1\r\n\r\nx")),
        Failure.INVALID,
    ),
}


@pytest.mark.req(
    "input/B37", "input/B38", "input/B63", "input/B64", "input/B65", "input/B66", "input/B69", "input/B74", "input/B75",
    "gateway/X4", "gateway/X11", "threat/T19",
)  # fmt: skip
@pytest.mark.parametrize("name", BROKEN)
async def test_a_broken_answer_is_a_failure_in_time_its_place_is_free_and_the_next_call_succeeds(name: str) -> None:
    script, expected = BROKEN[name]
    async with upstream(script, GOOD) as service, calling(limits=BundleLimits(1, 0)) as caller:
        answer = await caller.call(service.origin, timeout=0.2 if expected is Failure.TIMEOUT else 15.0)
        assert answer == UpstreamAnswer(0, {}, b"", expected, sent=True)
        assert caller.usage.active == 0
        assert (await caller.call(service.origin)).body == b"good"
        await service.ended(0)


@pytest.mark.req("gateway/X11", "threat/T19")
@pytest.mark.parametrize("data", [OK + b"X: " + b"x" * 100, HEAD + b"x" * 99, CHUNK + b"1\r\nx\r\n" * 50])
async def test_an_answer_that_drips_does_not_outlast_the_deadline(data: bytes) -> None:
    async with upstream((read(), drip(data, 0.02)), GOOD) as service, calling() as caller:
        before = asyncio.get_running_loop().time()
        assert (await caller.call(service.origin, timeout=0.2)).failure is Failure.TIMEOUT
        assert 0.19 < asyncio.get_running_loop().time() - before < len(data) * 0.02  # what the drips would take
        assert (await caller.call(service.origin)).body == b"good"


@pytest.mark.req("gateway/X11", "threat/T19")
async def test_a_service_that_does_not_read_the_request_is_cut_off_at_the_deadline() -> None:
    async with upstream((read_some(), hang_without_reading()), GOOD) as service, calling() as caller:
        answer = await caller.call(service.origin, b"x" * (16 << 20), timeout=0.3)
        assert answer.failure is Failure.TIMEOUT


def hang_without_reading() -> Step:
    async def step(peer: object) -> None:
        await asyncio.Event().wait()

    return step


@pytest.mark.req("input/B36", "input/B73", "gateway/X4", "threat/T02")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_an_answer_and_goes_nowhere(status: int) -> None:
    async with upstream(GOOD) as elsewhere:
        location = b"Location: %b/x" % str(elsewhere.origin).encode()
        redirect = b"HTTP/1.1 %d X\r\n%b\r\nContent-Length: 0\r\n\r\n" % (status, location)
        async with upstream((read(), send(redirect))) as service, calling() as caller:
            answer = await caller.call(service.origin)
            assert (answer.status, answer.failure) == (status, None)
            assert len(service.peers) == 1
        assert elsewhere.peers == []


@pytest.mark.req("input/B40")
async def test_cookies_and_trailers_are_not_kept() -> None:
    answer = (
        OK + b"Set-Cookie: a=b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nSet-Cookie: c=d\r\nHost: x\r\n\r\n"
    )
    async with upstream((read(), send(answer)) * 2) as service, calling() as caller:
        for _ in range(2):
            first = await caller.call(service.origin)
            assert first.body == b"hi"
            assert first.headers[b"set-cookie"] == b"a=b"
            assert b"host" not in first.headers
        (peer,) = service.peers
        assert b"ookie" not in peer.received


@pytest.mark.req("input/B37", "gateway/X3")
async def test_interim_answers_are_skipped_and_answers_without_a_body_end_with_their_head() -> None:
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    answers = (
        OK + b"Content-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 204 No\r\n\r\n",
        b"HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n",
    )
    script = [step for answer in answers for step in (read(), send(interim), send(answer))]
    async with upstream(script) as service, calling() as caller:
        got = [await caller.call(service.origin) for _ in answers]
        assert [(answer.status, answer.body) for answer in got] == [(200, b"hi"), (204, b""), (304, b"")]
        assert len(service.peers) == 1


@pytest.mark.req("gateway/X6", "fault/F10")
@pytest.mark.parametrize("end", [close(), reset(), half_close()])
async def test_a_request_is_never_sent_a_second_time(end: Step) -> None:
    async with upstream((*GOOD, read(), end), GOOD) as service, calling() as caller:
        assert (await caller.call(service.origin)).body == b"good"
        answer = await caller.call(service.origin, b'{"pay": 1}')
        assert answer == UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=True)
        await service.ended(0)
        assert sum(bytes(peer.received).count(b'{"pay": 1}') for peer in service.peers) == 1


@pytest.mark.req("gateway/X6")
@pytest.mark.parametrize("end", [close(), reset(), half_close()])
async def test_an_unused_connection_that_the_service_closed_is_not_used(end: Step) -> None:
    async with upstream((*GOOD, end), GOOD) as service, calling() as caller:
        for number in range(2):
            assert (await caller.call(service.origin)).body == b"good"
            if number == 0:
                await service.ended(0)
                await asyncio.sleep(0)
        assert len(service.peers) == 2


@pytest.mark.req("gateway/X6")
async def test_a_close_that_the_event_loop_has_not_seen_yet_is_seen_before_the_connection_is_used() -> None:
    async with (
        upstream((read(), send(OK + b"Content-Length: 2\r\n\r\nhi"), read()), GOOD) as service,
        calling() as caller,
    ):
        assert (await caller.call(service.origin)).body == b"hi"
        service.peers[0].half_close()  # and in the same turn of the loop:
        exchange = caller.start(service.origin)
        assert (await exchange.answer()).body == b"good"
        assert service.peers[0].received.count(b"POST") == 1
