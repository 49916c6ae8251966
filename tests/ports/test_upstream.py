"""The port `Upstream`: the HTTP client and the shipped scripted one keep the same promises."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from axhub.contract.endpoints import parse_origin
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import BundleLimits, Http1Client
from axhub.gateway.adapters.upstream_scripted import ScriptedUpstream, ok
from axhub.gateway.ports import Failure, Upstream, UpstreamAnswer, UpstreamRequest
from support.tool_service import Hang, ToolService, reply

HEAD = b"POST /%b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@dataclass
class Subject:
    """One adapter; `/echo` answers the body, `/hang` never answers."""

    upstream: Upstream
    request: Callable[[str, bytes], UpstreamRequest]
    arrived: Callable[[int], object]


@pytest.fixture(params=["http1", "scripted"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    async with ToolService() as service:
        service.on("/echo", lambda seen: reply(body=seen.body))
        service.on("/hang", (Hang(),))
        origin = parse_origin(service.origin)

        def make(path: str, body: bytes) -> UpstreamRequest:
            return UpstreamRequest("ins", origin, HEAD % path.encode(), body, 5.0)

        if request.param == "scripted":
            scripted = ScriptedUpstream(lambda seen: None if b"/hang" in seen.head else ok(seen.body))
            yield Subject(scripted, make, lambda _number: asyncio.sleep(0))
            return
        client = Http1Client({"ins": BundleLimits(max_concurrent=4)}, 1.0, 10_000, None, SystemClock())
        yield Subject(client, make, service.received)
        await client.close()


async def answered(subject: Subject, path: str, body: bytes) -> UpstreamAnswer:
    done: asyncio.Future[UpstreamAnswer] = asyncio.get_running_loop().create_future()
    subject.upstream.send(subject.request(path, body), done.set_result)
    async with asyncio.timeout(5):
        return await done


@pytest.mark.req("gateway/X1", "gateway/X6")
async def test_the_body_arrives_as_it_is_and_the_answer_comes_once(subject: Subject) -> None:
    answer = await answered(subject, "echo", b'{ "a" : 1.0 }')
    assert (answer.status, answer.body, answer.failure) == (200, b'{ "a" : 1.0 }', None)


@pytest.mark.req("gateway/X8")
async def test_cancelling_ends_a_request_once_and_later_cancels_do_nothing(subject: Subject) -> None:
    answers: list[UpstreamAnswer] = []
    cancel = subject.upstream.send(subject.request("hang", b"{}"), answers.append)
    arrived = subject.arrived(1)
    assert asyncio.iscoroutine(arrived)
    async with asyncio.timeout(5):
        await arrived
    cancel()
    cancel()
    assert [(answer.status, answer.failure) for answer in answers] == [(0, Failure.CANCELLED)]


@pytest.mark.req("gateway/X10")
async def test_cancelling_what_has_ended_does_nothing(subject: Subject) -> None:
    done: asyncio.Future[UpstreamAnswer] = asyncio.get_running_loop().create_future()
    cancel = subject.upstream.send(subject.request("echo", b"1"), done.set_result)
    async with asyncio.timeout(5):
        await done
    cancel()
    assert (await answered(subject, "echo", b"2")).body == b"2"


@pytest.mark.req("gateway/X10")
async def test_requests_at_the_same_time_get_their_own_answers(subject: Subject) -> None:
    bodies = [b"%d" % number for number in range(20)]
    answers = await asyncio.gather(*(answered(subject, "echo", body) for body in bodies))
    assert [answer.body for answer in answers] == bodies
