"""The client's pools: who waits, who is turned away, which connection is used, and what cancelling does."""

import asyncio
import contextlib
import socket
import ssl
import subprocess
from pathlib import Path

import pytest

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.limits import BundleLimits, PoolUsage
from axhub.gateway.ports import Failure, UpstreamAnswer, UpstreamRequest
from support.tries import kept
from support.wire import Peer, Step, close, drip, flood, hang, read, send, sleep, upstream
from support.wire_ends import calling

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
GOOD: list[Step] = [read(), send(OK)]


def now() -> float:
    return asyncio.get_running_loop().time()


def unused_port() -> Origin:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return Origin("http", "127.0.0.1", sock.getsockname()[1])


def gate(event: asyncio.Event) -> Step:
    """Wait for the test's sign."""

    async def step(peer: Peer) -> None:
        await event.wait()

    return step


@pytest.mark.req("gateway/X1")
@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 1 << 20])
async def test_the_request_is_the_head_as_given_a_length_and_the_body_as_given(size: int) -> None:
    head = b"POST /a%20b?c=d HTTP/1.1\r\nHost: x:1\r\ngUiD: \xed\x99\x8d\r\nX: \r\n"
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    async with upstream(GOOD * 2) as service, calling() as caller:
        for _ in range(2):
            answer = await caller.start(service.origin, body, head=head).answer()
            assert answer == UpstreamAnswer(200, {b"content-length": b"4"}, b"good")
        expected = head + b"Content-Length: %d\r\n\r\n" % size + body
        assert bytes(service.peers[0].received) == expected * 2


@pytest.mark.req("gateway/X6", "gateway/X9")
async def test_the_connection_used_last_is_used_first_and_unused_ones_close_in_time() -> None:
    go = asyncio.Event()
    script = [read(), gate(go), send(OK), *GOOD * 2]
    async with upstream(script) as service, calling(limits=BundleLimits(2, 0, idle_seconds=0.3)) as caller:
        both = [caller.start(service.origin) for _ in range(2)]
        await service.peer(1)
        go.set()
        for exchange in both:
            await exchange.answer()
        assert caller.usage == PoolUsage(active=0, queued=0, idle=2)
        before = now()
        for _ in range(2):
            await caller.call(service.origin)
        assert sorted(peer.received.count(b"POST") for peer in service.peers) == [1, 3]
        for number in range(2):
            await service.ended(number)
        assert now() - before > 0.25
        assert caller.usage == PoolUsage(0, 0, 0)


@pytest.mark.req("gateway/X9", "fault/F08")
async def test_a_full_bundle_queues_in_order_and_turns_the_next_away_at_once() -> None:
    go = asyncio.Event()
    async with (
        upstream([read(), gate(go), send(OK), *GOOD * 5]) as service,
        calling(limits=BundleLimits(1, 2)) as caller,
    ):
        calls = [caller.start(service.origin, b"%d" % number) for number in range(3)]
        assert caller.usage == PoolUsage(active=1, queued=2, idle=0)
        turned_away = caller.start(service.origin)
        assert turned_away.answers == [UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False)]
        turned_away.cancel()
        go.set()
        for call in calls:
            assert (await call.answer()).body == b"good"
        (peer,) = service.peers
        bodies = [text[-1:] for text in bytes(peer.received).split(b"POST /tool")[1:]]
        assert bodies == [b"0", b"1", b"2"]


@pytest.mark.req("gateway/X9")
@pytest.mark.parametrize(("timeout", "wait"), [(1.0, 0.1), (20.0, 0.25)])
async def test_a_call_waits_in_the_queue_for_a_tenth_of_its_time_and_a_quarter_second_at_most(
    timeout: float, wait: float
) -> None:
    async with upstream([hang()]) as service, calling(limits=BundleLimits(1, 1)) as caller:
        first = caller.start(service.origin, timeout=30.0)

        async def waited() -> float:
            before = now()
            answer = await caller.call(service.origin, timeout=timeout)
            assert answer == UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False)
            assert now() - before > wait - 0.01
            return now() - before

        await kept(wait + 0.1, waited)
        assert caller.usage == PoolUsage(active=1, queued=0, idle=0)
        first.cancel()


@pytest.mark.req("gateway/X9", "fault/F08")
async def test_a_hanging_bundle_does_not_slow_another() -> None:
    bundles = {"slow": BundleLimits(2, 2), "fast": BundleLimits(2, 2)}
    async with upstream([hang()]) as slow, upstream(GOOD * 99) as fast, calling(bundles=bundles) as caller:
        stuck = [caller.start(slow.origin, bundle="slow", timeout=30.0) for _ in range(6)]
        assert [call.answers[0].failure for call in stuck if call.answers] == [Failure.BUSY] * 2
        for _ in range(50):
            assert (await caller.start(fast.origin, bundle="fast").answer()).body == b"good"
        assert caller.client.usage()["slow"].active == 2
        for call in stuck:
            call.cancel()
        assert caller.client.usage()["slow"] == PoolUsage(0, 0, 0)


@pytest.mark.req("gateway/X4")
async def test_a_refused_connection_is_unreachable_and_nothing_was_sent() -> None:
    async with calling() as caller:
        answer = await caller.call(unused_port())
        assert answer == UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False, detail="connection refused")
        assert caller.usage == PoolUsage(0, 0, 0)


@pytest.mark.req("gateway/X4")
@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 64 + ".example", "x..y"])
async def test_a_name_that_cannot_be_resolved_is_unreachable(host: str) -> None:
    async with calling(connect_timeout=2.0) as caller:
        answer = await caller.call(Origin("http", host, 80), timeout=3.0)
        assert answer == UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False, detail="name not known")


@pytest.mark.req("gateway/X11")
@pytest.mark.parametrize(
    ("connect_timeout", "timeout", "expected"), [(0.1, 5.0, Failure.UNREACHABLE), (5.0, 0.1, Failure.TIMEOUT)]
)
async def test_connecting_ends_at_its_own_time_limit_or_the_call_s(
    connect_timeout: float, timeout: float, expected: Failure
) -> None:
    async with full_listener() as origin, calling(connect_timeout=connect_timeout) as caller:
        before = now()
        answer = await caller.call(origin, timeout=timeout)
        detail = "no connection within 0.1 s" if expected is Failure.UNREACHABLE else ""
        assert answer == UpstreamAnswer(0, {}, b"", expected, sent=False, detail=detail)
        assert 0.09 < now() - before < 3  # the other limit is longer
        assert caller.usage == PoolUsage(0, 0, 0)


class full_listener:  # noqa: N801 - used as a function
    """A port whose queue of connections is full, so that connecting hangs."""

    async def __aenter__(self) -> Origin:
        self.socks = [socket.create_server(("127.0.0.1", 0), backlog=0)]
        address = self.socks[0].getsockname()
        for _ in range(3):
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex(address)
            self.socks.append(sock)
        await asyncio.sleep(0.02)
        return Origin("http", "127.0.0.1", address[1])

    async def __aexit__(self, *_: object) -> None:
        for sock in self.socks:
            sock.close()


@pytest.mark.req("gateway/X11", "gateway/X4")
async def test_one_deadline_covers_queueing_connecting_head_and_body() -> None:
    slow: list[Step] = [read(), sleep(0.15), send(OK[:10]), sleep(0.15), send(OK[10:])]
    async with upstream(slow) as service, calling(limits=BundleLimits(1, 1)) as caller:
        first = caller.start(service.origin, timeout=0.2)
        before = now()
        second = caller.start(service.origin, timeout=0.35)
        assert (await first.answer()).failure is Failure.TIMEOUT
        assert (await second.answer()).failure in {Failure.TIMEOUT, Failure.BUSY}
        assert now() - before < 3


@pytest.mark.req("gateway/X8", "gateway/X6")
async def test_cancelling_ends_a_call_at_once_whatever_it_is_doing() -> None:
    cancelled_unsent = UpstreamAnswer(0, {}, b"", Failure.CANCELLED, sent=False)
    cancelled = UpstreamAnswer(0, {}, b"", Failure.CANCELLED, sent=True)
    async with upstream([read(), hang()]) as service, calling(limits=BundleLimits(1, 1)) as caller:
        active = caller.start(service.origin)
        queued = caller.start(service.origin)
        queued.cancel()
        assert queued.answers == [cancelled_unsent]
        await (await service.peer()).saw(b"POST")
        active.cancel()
        assert active.answers == [cancelled]
        await service.ended()  # its time would end it much later
        connecting = caller.start(service.origin)
        assert caller.usage == PoolUsage(1, 0, 0)
        connecting.cancel()
        assert connecting.answers == [cancelled_unsent]
        assert caller.usage == PoolUsage(0, 0, 0)
        for call in (active, queued, connecting):
            call.cancel()
            assert len(call.answers) == 1


@pytest.mark.req("gateway/X9")
async def test_a_place_that_becomes_free_by_a_failure_goes_to_the_next_in_the_queue() -> None:
    scripts = ([read(), close()], [read(), flood(b"x")], GOOD * 2)
    async with upstream(*scripts) as service, calling(limits=BundleLimits(1, 5)) as caller:
        calls = [caller.start(service.origin) for _ in range(3)]
        refused = caller.start(unused_port())
        last = caller.start(service.origin)
        failures = [(await call.answer()).failure for call in (*calls, refused, last)]
        assert failures == [Failure.UNREACHABLE, Failure.INVALID, None, Failure.UNREACHABLE, None]


async def test_a_call_made_inside_an_answer_stands_behind_those_that_wait() -> None:
    order: list[str] = []
    async with upstream(GOOD * 9) as service, calling(limits=BundleLimits(1, 5)) as caller:
        first = caller.start(service.origin)
        second = caller.start(service.origin)
        third = asyncio.get_running_loop().create_future()
        request = UpstreamRequest("ins", service.origin, b"POST / HTTP/1.1\r\nHost: x\r\n", b"", 2.0)

        def call_again() -> None:
            order.append("first")
            caller.client.send(request, third.set_result)

        first.then = call_again
        second.then = lambda: order.append("second")
        await third
        assert order == ["first", "second"]


async def test_an_undeclared_bundle_is_a_fault_of_the_caller_of_the_port() -> None:
    async with calling() as caller:
        with pytest.raises(KeyError):
            caller.start(unused_port(), bundle="other")


async def test_closing_the_client_cancels_every_call_and_closes_every_connection() -> None:
    async with upstream(GOOD, [read(), hang()]) as service:
        async with calling(limits=BundleLimits(1, 1)) as caller:
            await caller.call(service.origin)
            active, queued = caller.start(service.origin), caller.start(service.origin)
            await caller.client.close()
            assert [call.answers[0].failure for call in (active, queued)] == [Failure.CANCELLED] * 2
            connecting = caller.start(service.origin)
            await caller.client.close()
            assert connecting.answers[0].failure is Failure.CANCELLED
        await service.ended(0)


@pytest.mark.req("gateway/G4")
async def test_fetch_gets_on_a_connection_of_its_own_and_closes_it() -> None:
    async with upstream([read(), send(OK)]) as service, calling() as caller:
        for number in range(2):
            head = b"GET /manifest HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n"
            answer = await caller.client.fetch(service.origin, head, 1.0, 1000)
            assert (answer.status, answer.body, answer.failure) == (200, b"good", None)
            await service.ended(number)
            assert bytes(service.peers[number].received) == head + b"Connection: close\r\n\r\n"


@pytest.mark.req("gateway/G4", "input/B75")
async def test_fetch_leaves_a_content_coding_for_the_reader_to_judge() -> None:
    encoded = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08"
    async with upstream([read(), send(encoded)]) as service, calling() as caller:
        answer = await caller.client.fetch(service.origin, b"GET / HTTP/1.1\r\nHost: x\r\n", 1.0, 1000)
        assert (answer.status, answer.body) == (200, b"\x1f\x8b\x08")
        assert answer.headers[b"content-encoding"] == b"gzip"


@pytest.mark.req("gateway/G4", "fault/F03", "fault/F04")
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ([read(), drip(OK[:-4] + b"x" * 500, 0.01)], Failure.TIMEOUT),
        ([read(), send(OK[:-4]), drip(b"x" * 500, 0.3)], Failure.TIMEOUT),
        ([hang()], Failure.TIMEOUT),
        ([read(), send(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001)], Failure.TOO_LARGE),
        ([read(), send(b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")], Failure.TOO_LARGE),
        ([close()], Failure.UNREACHABLE),
    ],
)
async def test_fetch_ends_at_one_absolute_deadline_and_at_its_bound(script: list[Step], expected: Failure) -> None:
    async with upstream(script) as service, calling() as caller:
        before = now()
        seconds = 0.25 if expected is Failure.TIMEOUT else 15.0
        answer = await caller.client.fetch(service.origin, b"GET / HTTP/1.1\r\nHost: x\r\n", seconds, 1000)
        assert answer.failure is expected
        assert now() - before < 4  # the drips would take longer
        await service.ended()


async def test_a_fetch_that_nobody_waits_for_any_more_closes_its_connection() -> None:
    async with upstream([read(), hang()]) as service, calling() as caller:
        task = asyncio.create_task(caller.client.fetch(service.origin, b"GET / HTTP/1.1\r\nHost: x\r\n", 5.0, 1000))
        await (await service.peer()).saw(b"\r\n\r\n")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await service.ended()
        assert task.cancelled()


async def test_closing_the_client_ends_fetches_too() -> None:
    async with upstream([read(), hang()]) as service, calling() as caller:
        fetch = caller.client.fetch(service.origin, b"GET / HTTP/1.1\r\nHost: x\r\n", 5.0, 1000)
        task = asyncio.create_task(fetch)
        await (await service.peer()).saw(b"\r\n\r\n")
        await caller.client.close()
        assert (await task).failure is Failure.CANCELLED


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a key and certificate of `localhost`, trusted by nobody else."""
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    made = subprocess.run([*command.split(), "-keyout", "-", "-out", "-"], check=True, capture_output=True)
    path.write_bytes(made.stdout)
    return path


@pytest.mark.needs("openssl")
@pytest.mark.req("gateway/X10", "gateway/X11")
async def test_https_origins_are_verified_reused_and_distrusted_like_others(certificate: Path) -> None:
    requests: list[bytes] = []
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    served.load_cert_chain(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                requests.append(await reader.readuntil(b"{}"))
                writer.write(OK + (b"x" if len(requests) == 3 else b""))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=served)
    origin = Origin("https", "localhost", server.sockets[0].getsockname()[1])
    trusting = ssl.create_default_context(cafile=certificate)
    async with calling(tls=trusting) as caller:
        for _ in range(3):
            assert (await caller.call(origin)).body == b"good"
        await caller.call(origin)
        assert [b"Connection: close" in head for head in requests] == [False, False, False, True]
        wrong_name = Origin("https", "127.0.0.1", origin.port)
        answer = await caller.call(wrong_name)
        assert answer.failure is Failure.UNREACHABLE
        assert answer.detail.startswith("certificate not trusted: IP address mismatch")
    async with calling(tls=None) as caller:
        answer = await caller.call(origin)
        detail = "certificate not trusted: self-signed certificate"
        assert answer == UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False, detail=detail)
    server.close()


@pytest.mark.req("gateway/X8", "gateway/X6")
async def test_a_call_cancelled_at_any_moment_of_connecting_leaves_no_connection_and_sends_nothing_after() -> None:
    for turns in range(12):
        async with upstream([hang()]) as service, calling(limits=BundleLimits(1, 0)) as caller:
            call = caller.start(service.origin)
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
            assert [answer.failure for answer in call.answers] == [Failure.CANCELLED]
            assert caller.usage == PoolUsage(0, 0, 0)
            await asyncio.sleep(0.01)
            assert not caller.client._deadlines.items
            if service.peers:
                await service.ended(0)
                assert bool(service.peers[0].received) is call.answers[0].sent
