"""Events of an answer on their way to who asked for them, and what becomes of the connection (gateway/P11)."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from axhub.contract.endpoints import parse_origin
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import BundleLimits, Http1Client
from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest
from support.mcp_hosts_wire import stream
from support.tool_service import Answer, Close, Drip, Hang, Hold, Reset, Send, ToolService, reply
from support.wire import eventually

A, B, C = (b"data: %b\n\n" % letter for letter in (b"a", b"b", b"c"))
Take = Callable[[bytes], bool]


class Asking:
    """A client with one place, and a service that answers with streams."""

    def __init__(self, service: ToolService, client: Http1Client) -> None:
        self.service = service
        self.client = client
        self.events: list[bytes] = []
        self.answers: list[UpstreamAnswer] = []
        self.over = asyncio.Event()

    def start(self, *answers: Answer, take: Take | None = None, seconds: float = 60.0) -> Cancel:
        if answers:
            self.service.on("/t", *answers)
        head = b"POST /t HTTP/1.1\r\nHost: x\r\n"
        request = UpstreamRequest("ins", parse_origin(self.service.origin), head, b"{}", seconds)
        return self.client.send(request, self._ended, take or self._keep)

    def _keep(self, data: bytes) -> bool:
        self.events.append(data)
        return False

    def until(self, last: bytes) -> Take:
        def take(data: bytes) -> bool:
            self._keep(data)
            return data == last

        return take

    def _ended(self, answer: UpstreamAnswer) -> None:
        self.answers.append(answer)
        self.over.set()

    async def answer(self) -> UpstreamAnswer:
        async with asyncio.timeout(20):
            await self.over.wait()
        (answer,) = self.answers
        self.answers.clear()
        self.over.clear()
        return answer

    @property
    def active(self) -> int:
        return self.client.usage()["ins"].active


@pytest.fixture
async def asking() -> AsyncIterator[Asking]:
    async with ToolService() as service:
        limits = BundleLimits(max_concurrent=1, max_queued=0)
        client = Http1Client({"ins": limits}, 20.0, 1000, None, SystemClock(), trial_seconds=0.0)
        yield Asking(service, client)
        await client.close()


@pytest.mark.req("gateway/P11")
async def test_each_event_is_told_as_it_comes(asking: Asking) -> None:
    gate = asyncio.Event()
    asking.start(stream(A, Hold(gate), B))
    await eventually(lambda: asking.events == [b"a"])
    assert asking.answers == []
    gate.set()
    assert (await asking.answer()).failure is None
    assert asking.events == [b"a", b"b"]


@pytest.mark.req("gateway/P11")
async def test_events_that_drip_are_whole(asking: Asking) -> None:
    whole = stream(A + B)
    data = b"".join(step.data for step in whole if isinstance(step, Send))
    asking.start((Drip(data, 0.001, 3),))
    assert (await asking.answer()).status == 200
    assert asking.events == [b"a", b"b"]


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_who_cancels_in_the_middle_of_events_hears_of_no_other_and_of_one_end(asking: Asking) -> None:
    cancels: list[Cancel] = []

    def take(data: bytes) -> bool:
        asking.events.append(data)
        cancels[0]()
        return False

    cancels.append(asking.start(stream(A + B + C, Hang()), take=take))
    answer = await asking.answer()
    assert (answer.failure, answer.sent, asking.events, asking.active) == (Failure.CANCELLED, True, [b"a"], 0)


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_a_stream_that_ends_by_itself_keeps_its_connection(asking: Asking) -> None:
    for _ in range(3):
        asking.start(stream(A + B + C), take=asking.until(b"b"))
        assert (await asking.answer()).status == 200
    assert asking.events == [b"a", b"b"] * 3
    assert asking.service.connections == 1


@pytest.mark.req("gateway/P11", "gateway/X9", "gateway/X10")
async def test_a_stream_that_goes_on_after_the_last_event_is_closed_and_its_place_is_free(asking: Asking) -> None:
    asking.start(stream(A, Hang()), take=asking.until(b"a"), seconds=60.0)
    await eventually(lambda: asking.events == [b"a"])
    assert asking.active == 1
    async with asyncio.timeout(10):
        answer = await asking.answer()
    assert (answer.status, answer.failure, asking.active) == (200, None, 0)
    await asking.service.ended(1)


@pytest.mark.req("gateway/P11", "gateway/X11")
async def test_the_deadline_is_that_of_the_whole_stream(asking: Asking) -> None:
    asking.start((*stream(A, ends=False), Drip(b"6\r\n: x\n\n\n\r\n" * 10_000, 0.01, 11)), seconds=1.5)
    async with asyncio.timeout(15):
        assert (await asking.answer()).failure is Failure.TIMEOUT
    assert asking.events == [b"a"]


@pytest.mark.req("gateway/P11", "gateway/X4")
@pytest.mark.parametrize("step", [Close(), Reset()])
async def test_a_stream_that_breaks_is_told_after_its_events(asking: Asking, step: Close | Reset) -> None:
    gate = asyncio.Event()
    asking.start((*stream(A, Hold(gate), ends=False), step))
    await eventually(lambda: asking.events == [b"a"])
    gate.set()
    assert (await asking.answer()).failure is Failure.UNREACHABLE
    assert asking.active == 0


@pytest.mark.req("gateway/P11", "threat/T22")
async def test_a_fault_in_taking_an_event_ends_this_exchange_and_no_other(asking: Asking) -> None:
    faults: list[BaseException | None] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: faults.append(context.get("exception")))

    def take(data: bytes) -> bool:
        raise RuntimeError(data)

    try:
        asking.start(stream(A, Hang()), take=take)
        assert (await asking.answer()).failure is Failure.UNREACHABLE
    finally:
        loop.set_exception_handler(None)
    assert [str(fault) for fault in faults] == ["b'a'"]
    asking.start(reply(body=b"{}"))
    assert (await asking.answer()).body == b"{}"


@pytest.mark.req("gateway/P11")
async def test_a_fetch_takes_a_body_and_tells_events_too(asking: Asking) -> None:
    asking.service.on("/t", stream(A + B), reply(404, b"no"))
    origin, head = parse_origin(asking.service.origin), b"POST /t HTTP/1.1\r\nHost: x\r\n"
    found = await asking.client.fetch(origin, head, 5.0, 1000, b'{"a":1}', asking.until(b""))
    assert (found.status, found.body, asking.events) == (200, b"", [b"a", b"b"])
    refused = await asking.client.fetch(origin, head, 5.0, 1000, b"x", asking.until(b""))
    assert (refused.status, refused.body) == (404, b"no")
    assert [seen.body for seen in asking.service.requests] == [b'{"a":1}', b"x"]
    assert {seen.headers[b"connection"] for seen in asking.service.requests} == {b"close"}
