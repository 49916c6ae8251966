"""The gateway behind nginx and haproxy: what one caller sends never becomes, or joins, a request of another.

Both keep few connections to the gateway and use each for all callers, so two requests that the proxy takes for one,
or the other way round, would shift what everybody gets. Each case is sent by an attacker while a victim calls, and
after it victims use every connection that was left (input/B55, threat/T15).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.server import Http1Server
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.mcp import wire as mcp_wire
from axhub.gateway.main import wire
from axhub.gateway.ports import Cancel, HttpHandler, HttpRequest, Reply
from support.gateway import CONTENT_TYPE, bundle, call_request, first_attempt, manifest, settings, tool
from support.http import exchange, read_response, render
from support.proxies import PROXIES, STAMP, proxy
from support.smuggling import attacks
from support.tool_service import Answer, Received, ToolService, reply
from wire.test_hostile_callers import SMUGGLING

PATIENCE_SECONDS = 20.0
AFTERWARDS = 4
"""So many victims call at the same time after an attack: more than connections were left."""
NUMBERS = count()
INSIDE = "smuggled"
"""The mark of the request inside an attack: where the proxy sees it too, it is one of the attacker's own."""


def marked(who: str) -> str:
    """Return a mark that nobody else has."""
    return f"{who}-{next(NUMBERS)}"


def call(mark: str, *more: tuple[bytes, bytes]) -> bytes:
    """Return a call whose arguments and whose caller's headers have the same mark."""
    _, lines = call_request("echo", arguments(mark))
    headers = ((b"guid", mark.encode()), (b"employee-no", mark.encode()))
    return render(call_body(mark), (CONTENT_TYPE, *lines, *headers, *more))


def call_body(mark: str) -> bytes:
    return call_request("echo", arguments(mark))[0]


def arguments(mark: str) -> bytes:
    return b'{"mark":"%b"}' % mark.encode()


def echo(seen: Received) -> Answer:
    return reply(body=b'{"guid":"%b","got":%b}' % (seen.headers.get(b"guid", b""), seen.body))


@dataclass
class Gateway:
    """The gateway with a tool behind it, and all that reached either."""

    handler: HttpHandler
    service: ToolService
    seen: list[HttpRequest] = field(default_factory=list)

    def __call__(self, request: HttpRequest, reply: Reply) -> Cancel | None:
        self.seen.append(request)
        return self.handler(request, reply)


@asynccontextmanager
async def gateway_with_echo() -> AsyncIterator[tuple[Gateway, Http1Server]]:
    clock = SystemClock()
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("echo")])))
        service.on("/tools/echo", echo)
        wired = wire(settings(bundle(service.url())), JsonLog(lambda _line: None, clock), clock)
        gateway = Gateway(wired.endpoint, service)
        server = Http1Server(gateway, mcp_wire.refuse, ServerLimits(), clock)
        await server.start("127.0.0.1", 0)
        try:
            async with wired.refreshing():
                await first_attempt(wired)
                yield gateway, server
        finally:
            await server.close()


async def victim(front: str, mark: str) -> None:
    """Call once through the proxy, and get exactly one's own answer."""
    reader, writer = await asyncio.open_unix_connection(front)
    try:
        writer.write(call(mark))
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await read_response(reader)
        assert answer.status == 200
        assert answer.json["result"]["content"][0]["text"] == f'{{"guid":"{mark}","got":{{"mark":"{mark}"}}}}'
    finally:
        writer.transport.abort()


async def attacker(front: str, data: bytes) -> bytes:
    """Send the bytes as they are; return all that comes back until the end."""
    reader, writer = await asyncio.open_unix_connection(front)
    try:
        writer.write(data)
        with suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await reader.read()
        return b""
    finally:
        writer.transport.abort()


async def attack(gateway: Gateway, front: str, data: bytes) -> None:
    """Send an attack and an ordinary request behind it, victims beside and after it; nobody gets or sends another's."""
    mine = marked("attacker")
    during, after = [marked("victim") for _ in range(3)], [marked("victim") for _ in range(AFTERWARDS)]
    called, seen = len(gateway.service.requests), len(gateway.seen)
    answers, _ = await asyncio.gather(
        attacker(front, data + call(mine, (b"Connection", b"close"))), in_turn(front, during)
    )
    await asyncio.gather(*(victim(front, mark) for mark in after))
    assert b"victim" not in answers
    check_tool(gateway.service.requests[called:], [*during, *after], [mine, INSIDE])
    check_gateway(gateway.seen[seen:])


async def in_turn(front: str, marks: list[str]) -> None:
    for mark in marks:
        await victim(front, mark)


def check_tool(seen: list[Received], victims: list[str], others: list[str]) -> None:
    """Each victim's call has arrived once, the attacker's at most once, all of them whole."""
    calls = Counter((one.headers.get(b"guid"), one.headers.get(b"employee-no"), one.body) for one in seen)
    whole = {mark: (mark.encode(), mark.encode(), arguments(mark)) for mark in (*victims, *others)}
    assert set(calls) <= set(whole.values())
    assert set(calls.values()) == {1}
    assert {whole[mark] for mark in victims} <= set(calls)


def check_gateway(seen: list[HttpRequest]) -> None:
    """Each request is one that the proxy handed on, and none has a part of what another caller sent."""
    stamps = Counter(request.headers.get(STAMP.encode()) for request in seen)
    assert None not in stamps
    assert set(stamps.values()) == {1}
    assert not any(STAMP.encode() in request.repeated for request in seen)
    for request in seen:
        mark = request.headers.get(b"guid", b"")
        if mark.startswith(b"victim"):
            assert (request.headers.get(b"employee-no"), request.body) == (mark, call_body(mark.decode()))
        else:
            assert b"victim" not in b"\n".join([request.path, *request.headers.values(), request.body])


@pytest.mark.req("input/B55", "threat/T15", "threat/T18")
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.needs(program)) for kind, (program, *_) in PROXIES.items()]
)
async def test_behind_a_proxy_no_request_is_seen_that_nobody_sent_and_nobody_gets_anothers_answer(kind: str) -> None:
    async with gateway_with_echo() as (gateway, server), proxy(kind, server.port) as front:
        for name, data in [*SMUGGLING.items(), *attacks(call(INSIDE))]:
            try:
                await attack(gateway, front, data)
            except (AssertionError, OSError, EOFError) as error:
                raise AssertionError(f"{kind}, {name}: {error}") from error
        assert 0 < server.connections < len(gateway.seen) / 20, "callers share connections, or nothing is shown"


async def test_a_request_that_the_proxy_does_not_know_is_found() -> None:
    """The checks above see what they are for: what comes past the proxy, twice, or with a part of another's."""
    async with gateway_with_echo() as (gateway, server):
        mark, other = marked("victim"), marked("victim")
        stamp = (STAMP.encode(), b"1")
        spliced = call(mark, stamp).replace(b"employee-no: " + mark.encode(), b"employee-no: " + other.encode())
        sent = [
            call(mark),
            call(mark, stamp),
            call(mark, stamp, stamp),
            call(INSIDE, stamp, (b"X", b"victim")),
            spliced,
        ]
        for data in sent:
            assert (await exchange(server.port, data)).status == 200
        no_stamp, good, two_stamps, anothers, spliced_seen = gateway.seen
        calls = gateway.service.requests[1:]
    check_gateway([good])
    for wrong in ([no_stamp], [good, good], [two_stamps], [anothers], [spliced_seen]):
        with pytest.raises(AssertionError):
            check_gateway(wrong)
    check_tool(calls[:1], [mark], [INSIDE])
    for found in (calls[:2], calls[-1:], calls[3:4]):
        with pytest.raises(AssertionError):
            check_tool(found, [mark], [INSIDE])
