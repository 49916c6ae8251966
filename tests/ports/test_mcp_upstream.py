"""The port `McpUpstream`: the client of MCP servers, in either era, and the shipped scripted one keep its promises."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import BundleLimits, Http1Client
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Client
from axhub.gateway.adapters.mcp_upstream_scripted import ScriptedMcpUpstream, text_result
from axhub.gateway.ports import Failure, McpAnswer, McpCall, McpUpstream
from support.mcp_clients import call
from support.mcp_hosts import Heard, McpHost, listed, progress
from support.mcp_hosts_wire import error_to, event, response_to, stream
from support.tool_service import Answer, Hang, Hold

ERROR = b'{"code":-32602,"message":"m","data":{"n":1e400,"n":1.0}}'
ARGUMENTS = b'{ "a" : 1.0, "a":1e400 }'
ASKED = {"progressToken": msgspec.Raw(b'"same"')}


@dataclass
class Subject:
    """One adapter: `echo` answers its arguments, `fail` an error, `hold` waits; all are tools of the bundle `mcp`."""

    upstream: McpUpstream
    arrived: Callable[[int], Coroutine[Any, Any, object]]
    """Waits until so many calls have come."""
    tell: Callable[[], None]
    """Lets the held call say how far it is, then end."""


def scripted() -> Subject:
    def answer(asked: McpCall) -> McpAnswer | None:
        if asked.name == b"hold":
            return None
        return (
            McpAnswer(error=ERROR)
            if asked.name == b"fail"
            else text_result(msgspec.json.encode(asked.arguments.decode()))
        )

    upstream = ScriptedMcpUpstream(answer)

    def tell() -> None:
        upstream.progress(b',"progress":1.50,"total":2,"message":"\\u00e9"')
        upstream.finish(text_result(b'"over"'))

    return Subject(upstream, lambda _number: asyncio.sleep(0), tell)


def answers(host: McpHost, gate: asyncio.Event) -> Callable[[Heard], Answer]:
    def told(seen: Heard) -> bytes:
        notice = progress(seen, 1.5, total=2, message="M")
        return event(notice.replace(b"1.5,", b"1.50,").replace(b'"M"', b'"\\u00e9"'))

    def answer(seen: Heard) -> Answer:
        if seen.name == "fail":
            return host.respond(seen, error_to(seen, 0, "").replace(b'{"code": 0, "message": ""}', ERROR))
        if seen.name != "hold":
            return host.usually(seen)
        if "progressToken" not in seen.meta:
            return stream(Hang())
        over = response_to(seen, b'{"content":[{"type":"text","text":"over"}]}')
        return stream(Hold(gate), told(seen), event(over))

    return answer


async def real(**about: Any) -> AsyncIterator[Subject]:
    gate = asyncio.Event()
    async with McpHost(listed("echo"), **about) as host:
        host.says("tools/call", answers(host, gate))
        client = Http1Client({"mcp": BundleLimits(max_concurrent=4)}, 1.0, 10_000, None, SystemClock())
        server = McpServer(
            "mcp", Client(parse_url(host.url("/mcp")), b'{"name":"t"}'), client.fetch, lambda _bundle: None
        )
        upstream = McpCalls({"mcp": server}, client.send, SystemClock())
        yield Subject(upstream, lambda number: host.hears("tools/call", number), gate.set)
        await server.end(1.0)
        await client.close()


HOSTS: dict[str, dict[str, Any]] = {
    "stateless": {"era": "new"},
    "stateless, streams": {"era": "new", "streams": True},
    "sessions": {"era": "old"},
    "sessions, streams": {"era": "old", "streams": True},
    "handshake without sessions": {"era": "old", "sessions": False, "revision": "2025-03-26"},
}


@pytest.fixture(params=["scripted", *HOSTS])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    if request.param == "scripted":
        yield scripted()
        return
    async for made in real(**HOSTS[request.param]):
        yield made


async def answered(subject: Subject, asked: McpCall) -> McpAnswer:
    done: asyncio.Future[McpAnswer] = asyncio.get_running_loop().create_future()
    subject.upstream.call(asked, done.set_result, None)
    async with asyncio.timeout(20):
        return await done


def text_of(answer: McpAnswer) -> str:
    assert answer.result is not None, answer
    assert (answer.error, answer.http) == (None, None)
    text: str = json.loads(answer.result)["content"][0]["text"]
    return text


@pytest.mark.req("gateway/P11", "gateway/X1")
async def test_the_arguments_arrive_as_they_are_and_the_result_comes_once(subject: Subject) -> None:
    assert text_of(await answered(subject, call("echo", ARGUMENTS))) == ARGUMENTS.decode()


@pytest.mark.req("gateway/P11")
async def test_an_error_comes_as_it_was_written(subject: Subject) -> None:
    assert await answered(subject, call("fail")) == McpAnswer(error=ERROR)


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_calls_at_the_same_time_get_their_own_answers(subject: Subject) -> None:
    sent = [b'{"n":%d}' % number for number in range(20)]
    found = await asyncio.gather(*(answered(subject, call("echo", arguments)) for arguments in sent))
    assert [text_of(answer).encode() for answer in found] == sent


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_ends_a_call_once_and_later_cancels_do_nothing(subject: Subject) -> None:
    found: list[McpAnswer] = []
    cancel = subject.upstream.call(call("hold"), found.append, None)
    async with asyncio.timeout(20):
        await subject.arrived(1)
    cancel()
    cancel()
    (answer,) = found
    assert (answer.result, answer.error) == (None, None)
    assert answer.http is not None
    assert (answer.http.status, answer.http.failure) == (0, Failure.CANCELLED)
    assert text_of(await answered(subject, call("echo", b"{}"))) == "{}"


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_before_anything_was_sent_ends_a_call_too(subject: Subject) -> None:
    found: list[McpAnswer] = []
    cancel = subject.upstream.call(call("hold"), found.append, None)
    cancel()
    assert [answer.http.failure for answer in found if answer.http is not None] == [Failure.CANCELLED]
    assert text_of(await answered(subject, call("echo", b"{}"))) == "{}"


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_what_has_ended_does_nothing(subject: Subject) -> None:
    done: asyncio.Future[McpAnswer] = asyncio.get_running_loop().create_future()
    cancel = subject.upstream.call(call("echo", b"{}"), done.set_result, None)
    async with asyncio.timeout(20):
        await done
    cancel()
    assert text_of(await answered(subject, call("echo", b'{"b":1}'))) == '{"b":1}'


@pytest.mark.req("gateway/P11")
async def test_progress_is_told_without_its_token_and_before_the_end(subject: Subject) -> None:
    told: list[bytes | McpAnswer] = []
    over = asyncio.Event()

    def ended(answer: McpAnswer) -> None:
        told.append(answer)
        over.set()

    subject.upstream.call(call("hold", meta=ASKED), ended, told.append)
    async with asyncio.timeout(20):
        await subject.arrived(1)
        subject.tell()
        await over.wait()
    assert told[:-1] == [b',"progress":1.50,"total":2,"message":"\\u00e9"']
    assert isinstance(told[-1], McpAnswer)
    assert text_of(told[-1]) == "over"
