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


EVENTS = b"text/event-stream"


def scripted_answer(seen: UpstreamRequest) -> UpstreamAnswer | None:
    if b"/hang" in seen.head:
        return None
    if b"/echo" in seen.head:
        return ok(seen.body)
    return UpstreamAnswer(404 if b"/refused" in seen.head else 200, {b"content-type": EVENTS}, seen.body)


@dataclass
class Subject:
    """One adapter; `/echo` answers the body, `/stream` does so as an event stream, `/hang` never answers."""

    upstream: Upstream
    request: Callable[[str, bytes], UpstreamRequest]
    arrived: Callable[[int], object]


@pytest.fixture(params=["http1", "scripted"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    async with ToolService() as service:
        service.on("/echo", lambda seen: reply(body=seen.body))
        service.on("/stream", lambda seen: reply(body=seen.body, content_type=EVENTS, chunked=True))
        service.on("/refused", lambda seen: reply(404, seen.body, content_type=EVENTS))
        service.on("/hang", (Hang(),))
        origin = parse_origin(service.origin)

        def make(path: str, body: bytes) -> UpstreamRequest:
            return UpstreamRequest("ins", origin, HEAD % path.encode(), body, 5.0)

        if request.param == "scripted":
            scripted = ScriptedUpstream(scripted_answer)
            yield Subject(scripted, make, lambda _number: asyncio.sleep(0))
            return
        client = Http1Client({"ins": BundleLimits(max_concurrent=4)}, 1.0, 10_000, None, SystemClock())
        yield Subject(client, make, service.received)
        await client.close()


async def answered(
    subject: Subject, path: str, body: bytes, on_event: Callable[[bytes], bool] | None = None
) -> UpstreamAnswer:
    done: asyncio.Future[UpstreamAnswer] = asyncio.get_running_loop().create_future()
    subject.upstream.send(subject.request(path, body), done.set_result, on_event)
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


def keeping(events: list[bytes], last: bytes | None = None) -> Callable[[bytes], bool]:
    """Return what keeps events, and wants no more after the last."""

    def keep(data: bytes) -> bool:
        events.append(data)
        return data == last

    return keep


STREAM = b": hello\n\nevent: message\ndata: a\n\nid: 7\ndata:\n\ndata: b\r\ndata: c\r\n\r\ndata: no end"


@pytest.mark.req("gateway/P11")
async def test_events_are_told_one_by_one_and_the_body_is_empty(subject: Subject) -> None:
    events: list[bytes] = []
    answer = await answered(subject, "stream", STREAM, keeping(events))
    assert events == [b"a", b"", b"b\nc"]
    assert (answer.status, answer.body, answer.failure) == (200, b"", None)
    assert answer.headers[b"content-type"] == EVENTS


@pytest.mark.req("gateway/P11")
async def test_after_the_last_event_that_is_wanted_none_is_told(subject: Subject) -> None:
    events: list[bytes] = []
    answer = await answered(subject, "stream", b"data: a\n\ndata: b\n\ndata: c\n\n", keeping(events, b"b"))
    assert events == [b"a", b"b"]
    assert (answer.status, answer.body) == (200, b"")


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(("path", "status"), [("echo", 200), ("refused", 404)])
async def test_what_is_no_successful_event_stream_is_a_body(subject: Subject, path: str, status: int) -> None:
    events: list[bytes] = []
    answer = await answered(subject, path, b"data: a\n\n", keeping(events))
    assert (events, answer.status, answer.body) == ([], status, b"data: a\n\n")


@pytest.mark.req("gateway/P11")
async def test_an_event_stream_is_a_body_for_who_wants_no_events(subject: Subject) -> None:
    assert (await answered(subject, "stream", STREAM)).body == STREAM
    events: list[bytes] = []
    await answered(subject, "stream", b"data: a\n\n", keeping(events))
    assert (await answered(subject, "stream", b"data: b\n\n")).body == b"data: b\n\n"
    assert events == [b"a"]
