"""Calls of one bundle in the way of nobody: own slots, a short queue, one deadline (gateway/X9, X11, fault/F08)."""

import asyncio
import json
import socket
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.gateway.adapters.http1.limits import PoolUsage
from axhub.gateway.config.settings import DiscoverySettings
from support.callers import Caller, calling, is_error, many_calling, text_of, until
from support.gateway import REVISIONS, RunningGateway, bundle, manifest, running, settings, tool
from support.http import Response
from support.tool_service import Answer, Drip, Hang, Hold, Received, Send, ToolService, Wait, reply, response
from support.tries import kept

BUSY = "The tool is busy: too many calls are running. Nothing was sent; try again shortly."
TIMED_OUT = "The tool did not answer within its time limit. It is not known whether it did its work."
LATE_NOT_SENT = "The tool could not be reached within its time limit. Nothing was sent; try again later."
NOT_SENT = "The tool cannot be reached at the moment. Nothing was sent; try again later."


def timed(name: str, millis: int) -> dict[str, Any]:
    return tool(name, _meta={"version": "1", "timeoutMillis": millis})


@asynccontextmanager
async def service_with(bundle_id: str, *tools: dict[str, Any]) -> AsyncIterator[ToolService]:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest(bundle_id, tools)))
        yield service


def usage(gateway: RunningGateway, bundle_id: str = "ins") -> PoolUsage:
    return gateway.gateway.client.usage()[bundle_id]


async def queued(gateway: RunningGateway, number: int) -> None:
    await until(lambda: usage(gateway) == PoolUsage(active=1, queued=number, idle=0))


async def taking(caller: Caller, name: str) -> tuple[Response, float]:
    """Call; return the answer and how long it took."""
    began = time.monotonic()
    answer = await caller.call(name)
    return answer, time.monotonic() - began


@pytest.mark.parametrize(("millis", "longest"), [(1000, 0.1), (30_000, 0.25)])
@pytest.mark.req("gateway/X9")
async def test_a_queued_call_waits_a_tenth_of_its_time_at_most_and_is_busy_then(millis: int, longest: float) -> None:
    async with service_with("ins", timed("endless", 30_000), timed("t", millis)) as service:
        service.on("/tools/endless", (Hang(),))
        limited = bundle(service.url(), max_concurrent_calls=1, max_queued_calls=2)
        async with running(settings(limited)) as gateway, many_calling(gateway.port, 3) as callers:
            callers[0].start_call("endless")
            await service.received(2)

            async def both_wait() -> float:
                found = await asyncio.gather(*(taking(caller, "t") for caller in callers[1:]))
                assert [(text_of(answer), is_error(answer)) for answer, _ in found] == [(BUSY, True)] * 2
                assert longest * 0.95 < min(took for _, took in found)
                return max(took for _, took in found)

            await kept(longest + 0.1, both_wait)
        assert len(service.requests) == 2


@pytest.mark.req("gateway/X9")
async def test_queued_calls_are_made_in_the_order_they_came() -> None:
    gate = asyncio.Event()
    async with service_with("ins", timed("t", 30_000)) as service:
        service.on("/tools/t", (Hold(gate), Send(response())), reply())
        limited = bundle(service.url(), max_concurrent_calls=1, max_queued_calls=32)
        async with running(settings(limited)) as gateway, many_calling(gateway.port, 11) as callers:
            for number, caller in enumerate(callers):
                caller.start_call("t", b'{"n":%d}' % number)
                await queued(gateway, number)
            gate.set()
            assert [text_of(await caller.read()) for caller in callers] == ["{}"] * 11
        assert [json.loads(seen.body)["n"] for seen in service.requests[1:]] == list(range(11))


@pytest.mark.req("gateway/X9", "fault/F08")
async def test_a_full_queue_is_answered_within_50_milliseconds() -> None:
    async with service_with("ins", timed("t", 30_000)) as service:
        service.on("/tools/t", (Hang(),))
        limited = bundle(service.url(), max_concurrent_calls=1, max_queued_calls=0)
        async with running(settings(limited)) as gateway, many_calling(gateway.port, 2) as callers:
            callers[0].start_call("t")
            await service.received(2)

            async def refused() -> float:
                answer, took = await taking(callers[1], "t")
                assert (text_of(answer), is_error(answer)) == (BUSY, True)
                return took

            await kept(0.05, refused)
            assert usage(gateway).active == 1


@pytest.mark.req("fault/F08", "gateway/X9", "threat/T19")
async def test_a_hanging_bundle_under_twice_its_limit_slows_no_other_bundle() -> None:
    async with service_with("bad", timed("hang", 30_000)) as bad, service_with("ok", timed("fine", 2000)) as good:
        bad.on("/tools/hang", (Hang(),))
        good.on("/tools/fine", reply(body=b'{"fine":1}'))
        bundles = bundle(bad.url(), "bad", max_concurrent_calls=8, max_queued_calls=4), bundle(good.url(), "ok")
        async with running(settings(*bundles)) as gateway, calling(gateway.port) as caller:

            async def slower_by() -> float:
                alone = await fine_calls(caller)
                async with many_calling(gateway.port, 16) as crowd:
                    pressing = [asyncio.create_task(press(one)) for one in crowd]
                    await until(lambda: usage(gateway, "bad") == PoolUsage(active=8, queued=4, idle=0))
                    beside = await fine_calls(caller)
                    for task in pressing:
                        task.cancel()
                    assert sum(await asyncio.gather(*pressing)) > 0
                return beside - 2 * alone

            await kept(0.02, slower_by)  # the aim is a fifth more; a place in the other queue would take 0.25


async def fine_calls(caller: Caller) -> float:
    """Return the median seconds of 50 good calls."""
    seconds = []
    for _ in range(50):
        answer, took = await taking(caller, "fine")
        assert text_of(answer) == '{"fine":1}'
        seconds.append(took)
    return statistics.median(seconds)


async def press(caller: Caller) -> int:
    """Call what hangs again and again; return how often it was busy."""
    busy = 0
    try:
        while True:
            assert text_of(await caller.call("hang")) == BUSY
            busy += 1
            await asyncio.sleep(0.02)
    except asyncio.CancelledError:
        return busy


ENDLESS: dict[str, Answer] = {
    "nothing at all": (Hang(),),
    "a dripping head": (Drip(response(headers=[(b"X-Long", b"x" * 1000)])),),
    "a dripping body": (Send(response(length=1000, body=b"")), Drip(b"x" * 1000)),
    "a dripping chunk": (Send(response(body=b"", chunked=True)[:-5]), Drip(b"3e8\r\n" + b"x" * 1000)),
    "interim answers": (Drip(b"HTTP/1.1 102 Processing\r\n\r\n" * 1000, size=27, every=0.2),),
}


@pytest.mark.req("gateway/X11", "gateway/X4", "threat/T19", "input/B65", "input/B74")
async def test_whatever_part_of_an_answer_does_not_end_the_call_ends_at_its_deadline() -> None:
    names = [f"t_{at}" for at in range(len(ENDLESS))]
    async with service_with("ins", *(timed(name, 1_500) for name in names)) as service:
        for name, steps in zip(names, ENDLESS.values(), strict=True):
            service.on(f"/tools/{name}", steps)
        async with running(settings(bundle(service.url()))) as gateway:
            answers = await asyncio.gather(*(gateway.call(name) for name in names))
            assert usage(gateway) == PoolUsage(0, 0, 0)
            await service.ended(1 + len(names))
    for kind, answer in zip(ENDLESS, answers, strict=True):
        assert (text_of(answer), is_error(answer)) == (TIMED_OUT, True), kind
        assert 1_450 <= answer.json["result"]["content"][0]["_meta"]["searchTime"] < 15_000


def millis_of(answer: Response) -> int:
    """Return how long a call says that it took."""
    millis = answer.json["result"]["content"][0]["_meta"]["searchTime"]
    assert isinstance(millis, int)
    return millis


@pytest.mark.req("gateway/X11", "gateway/X9")
async def test_time_in_the_queue_is_part_of_the_deadline() -> None:
    """Three times at once, since a busy machine may delay one of them, or let it wait for longer than it may."""
    millis, occupied = 2500, 0.12
    async with service_with("ins", *(timed(f"t_{at}", millis) for at in range(3))) as service:

        def occupying_or_endless(seen: Received) -> Answer:
            return (Wait(occupied), *reply()) if b"first" in seen.body else ENDLESS["a dripping body"]

        bundles = []
        for at in range(3):
            service.on(f"/m/{at}", reply(body=manifest(f"b{at}", [timed(f"t_{at}", millis)])))
            service.on(f"/tools/t_{at}", occupying_or_endless)
            bundles.append(bundle(service.url(f"/m/{at}"), f"b{at}", max_concurrent_calls=1))

        async with running(settings(*bundles)) as gateway, many_calling(gateway.port, 6) as callers:

            async def later_than_its_time() -> float:
                received = len(service.requests)
                for at in range(3):
                    callers[at].start_call(f"t_{at}", b'{"n":"first"}')
                await service.received(received + 3)
                for at in range(3):
                    callers[3 + at].start_call(f"t_{at}", b'{"n":"second"}')
                for caller in callers[:3]:
                    assert text_of(await caller.read()) == "{}"
                answers = [await caller.read() for caller in callers[3:]]
                ended = [millis_of(answer) for answer in answers if text_of(answer) == TIMED_OUT]
                assert {text_of(answer) for answer in answers} <= {TIMED_OUT, BUSY}
                return min(ended, default=2 * millis) - millis

            await kept(occupied * 1000 - 20, later_than_its_time, tries=5)


@pytest.mark.parametrize(
    ("millis", "connect_millis", "told"), [(200, 5000, LATE_NOT_SENT), (5000, 200, NOT_SENT)], ids=["call", "connect"]
)
@pytest.mark.req("gateway/X11", "gateway/X4", "gateway/X6")
async def test_connecting_is_part_of_the_deadline_and_has_a_bound_of_its_own(
    millis: int, connect_millis: int, told: str
) -> None:
    with socket.socket() as deaf, socket.socket() as filler, socket.socket() as second:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for fills in (filler, second):  # the backlog is full then: what comes next is not even answered
            fills.setblocking(False)
            fills.connect_ex(deaf.getsockname())
        endpoint = f"http://127.0.0.1:{deaf.getsockname()[1]}/x"
        async with service_with("ins", {**timed("t", millis), "endpoint": endpoint}) as service:
            policy = bundle(service.url()).endpoints
            anywhere = type(policy)(policy.service_domain, policy.base_endpoint, policy.declared, any_origin=True)
            slow = DiscoverySettings(connect_timeout_millis=connect_millis)
            configured = settings(bundle(service.url(), endpoints=anywhere), discovery=slow)
            async with running(configured) as gateway, calling(gateway.port) as caller:
                for revision in REVISIONS[::3]:
                    answer = await caller.call("t", revision=revision)
                    assert (text_of(answer), is_error(answer)) == (told, True)
                    assert 180 <= answer.json["result"]["content"][0]["_meta"]["searchTime"] < 3000
