"""No caller ever gets what belongs to another, whatever a Tool Service sends too much (gateway/X10, threat/T18)."""

import asyncio
from collections.abc import Callable

import pytest

from axhub.contract.endpoints import EndpointPolicy, parse_url
from support.callers import Caller, calling, is_error, many_calling, text_of
from support.gateway import NEW, REVISIONS, RunningGateway, bundle, manifest, running, settings, tool
from support.http import Response
from support.tool_service import Answer, Close, Received, Reset, Send, ToolService, Wait, reply, response

POISON = response(body=b'{"poison":"of another caller"}')
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"
CALLS = 12


def echo(seen: Received, after: bytes = b"") -> bytes:
    return response(body=seen.body) + after


SURPLUS: dict[str, Callable[[Received], Answer]] = {
    "an answer in the same packet": lambda seen: (Send(echo(seen, POISON)),),
    "an answer 50 ms late": lambda seen: (Send(echo(seen)), Wait(0.05), Send(POISON)),
    "an answer after 204 in the same packet": lambda seen: (Send(EMPTY + POISON),),
    "an answer 50 ms after 204": lambda seen: (Send(EMPTY), Wait(0.05), Send(POISON)),
    "an answer after the last chunk": lambda seen: (Send(response(body=seen.body, chunked=True) + POISON),),
    "half an answer": lambda seen: (Send(echo(seen, POISON[:20])),),
    "a line end, then an answer late": lambda seen: (Send(echo(seen, b"\r\n")), Wait(0.05), Send(POISON)),
    "body bytes over the length": lambda seen: (Send(echo(seen, b'{"poison":1}')),),
    "an answer, then the end": lambda seen: (Send(echo(seen, POISON)), Close()),
    "an answer, then a reset": lambda seen: (Send(echo(seen, POISON)), Reset()),
}


def mine(number: int) -> bytes:
    return b'{"mine":%d}' % number


def belongs(answer: Response, number: int) -> bool:
    """Say whether an answer is that of this call, or honestly none; never another's."""
    assert b"poison" not in answer.body
    return is_error(answer) or text_of(answer) in ("", mine(number).decode())


async def one_after_the_other(callers: list[Caller], name: str) -> list[bool]:
    """Call in turn on several connections of callers, 100 ms apart: the time in which late bytes come."""
    found = []
    for number in range(CALLS):
        answer = await callers[number % len(callers)].call(name, mine(number), revision=REVISIONS[number % 4])
        found.append(belongs(answer, number))
        if number < 4:
            await asyncio.sleep(0.1)
    return found


@pytest.mark.req("gateway/X10", "threat/T18", "input/B39")
async def test_surplus_bytes_reach_nobody() -> None:
    """All ways at once, each on an origin of its own: ten Tool Services, ten bundles."""
    names = [f"t_{at}" for at in range(len(SURPLUS))]
    services = [ToolService() for _ in names]
    try:
        for service, name, steps in zip(services, names, SURPLUS.values(), strict=True):
            await service.start()
            service.on("/tool-manifest", reply(body=manifest(name, [tool(name)])))
            service.on(f"/tools/{name}", steps)
        bundles = [bundle(service.url(), name) for service, name in zip(services, names, strict=True)]
        async with running(settings(*bundles)) as gateway, many_calling(gateway.port, 3 * len(names)) as callers:
            found = await asyncio.gather(
                *(one_after_the_other(callers[3 * at : 3 * at + 3], name) for at, name in enumerate(names))
            )
    finally:
        for service in services:
            await service.stop()
            if service._reserved is not None:
                service._reserved.close()
    for kind, service, belonging in zip(SURPLUS, services, found, strict=True):
        assert belonging == [True] * CALLS, kind
        calls = [seen for seen in service.requests if seen.method == b"POST"]
        assert len(calls) == CALLS, kind  # each sent once, whatever came of it
        assert len({seen.connection for seen in calls[1:]}) == CALLS - 1, kind  # never two on one connection again
        assert {seen.headers.get(b"connection") for seen in calls[2:]} == {b"close"}, kind


@pytest.mark.req("gateway/X10", "threat/T18")
async def test_a_good_origin_keeps_its_connection_beside_one_that_is_not_trusted() -> None:
    async with ToolService() as good, ToolService() as bad:
        good.on("/tool-manifest", reply(body=manifest("good", [tool("good_one")])))
        good.on("/tools/good_one", lambda seen: reply(body=seen.body))
        bad.on("/tool-manifest", reply(body=manifest("bad", [tool("bad_one")])))
        bad.on("/tools/bad_one", SURPLUS["an answer in the same packet"])
        bundles = bundle(good.url(), "good"), bundle(bad.url(), "bad")
        async with running(settings(*bundles)) as gateway, calling(gateway.port) as caller:
            for number in range(10):
                assert belongs(await caller.call("bad_one", mine(number)), number)
                assert text_of(await caller.call("good_one", mine(number))) == mine(number).decode()
                await trial_is_over(gateway, "good")
        assert (good.connections, bad.connections) == (2, 11)  # each with one for the manifest


async def trial_is_over(gateway: RunningGateway, bundle_id: str) -> None:
    """Wait until the bundle has a connection that may be used again."""
    async with asyncio.timeout(5):
        while gateway.gateway.client.usage()[bundle_id].idle == 0:  # noqa: ASYNC110 -- the product offers a gauge
            await asyncio.sleep(0.005)


@pytest.mark.req("gateway/X10", "gateway/X9")
async def test_bundles_at_one_origin_share_no_connection() -> None:
    async with ToolService() as service:
        for name in ("one", "two"):
            service.on(f"/{name}", reply(body=manifest(name, [tool(f"{name}_tool")])))
            service.on(f"/tools/{name}_tool", reply())
        bundles = bundle(service.url("/one"), "one"), bundle(service.url("/two"), "two")
        async with running(settings(*bundles)) as gateway, calling(gateway.port) as caller:
            for _ in range(3):
                for name in ("one", "two"):
                    assert text_of(await caller.call(f"{name}_tool")) == "{}"
                    await trial_is_over(gateway, name)
        used = {
            name: {seen.connection for seen in service.requests if seen.target == f"/tools/{name}_tool".encode()}
            for name in ("one", "two")
        }
    assert [len(connections) for connections in used.values()] == [1, 1]
    assert used["one"].isdisjoint(used["two"])


@pytest.mark.req("gateway/X10", "gateway/X8", "threat/T18")
async def test_the_answer_to_a_call_whose_caller_left_reaches_nobody() -> None:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("t")])))
        service.on("/tools/t", lambda seen: (Wait(0.02), Send(echo(seen))))
        async with running(settings(bundle(service.url(), max_concurrent_calls=4))) as gateway:
            for revision in ("2025-11-25", NEW):
                for number in range(20):
                    async with calling(gateway.port) as leaver:
                        leaver.start_call("t", mine(1_000 + number), revision=revision)
                        await service.received(len(service.requests) + 1)
                    assert belongs(await gateway.call("t", mine(number), revision=revision), number)


def numbered(seen: Received) -> bytes:
    """Return an answer that can belong to no other call: it repeats the request's body."""
    return response(body=seen.body)


@pytest.mark.req("gateway/X10", "threat/T18")
async def test_answers_that_come_twice_and_late_reach_nobody_under_steady_traffic() -> None:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("t")])))
        service.on("/tools/t", lambda seen: (Send(numbered(seen)), Wait(0.05), Send(POISON)))
        async with running(settings(bundle(service.url()))) as gateway, many_calling(gateway.port, 6) as callers:
            for number in range(20):
                answers = await asyncio.gather(*(caller.call("t", mine(number)) for caller in callers))
                assert [belongs(answer, number) for answer in answers] == [True] * 6


@pytest.mark.req("gateway/X10", "threat/T18")
async def test_a_service_that_greets_each_connection_with_an_answer_shifts_no_other_callers_answers() -> None:
    greeting: set[asyncio.Task[None] | None] = set()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        greeting.add(asyncio.current_task())
        writer.write(POISON)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(line for line in head.split(b"\r\n") if line.startswith(b"Content-Length: "))
                body = await reader.readexactly(int(length.rpartition(b" ")[2]))
                await asyncio.sleep(0.03)
                writer.write(response(body=body))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with ToolService() as service:
        tools = [tool("t", endpoint=f"http://127.0.0.1:{port}/t")]
        service.on("/tool-manifest", reply(body=manifest("ins", tools)))
        open_to_all = EndpointPolicy(
            service_domain=parse_url(service.origin), base_endpoint=None, declared=frozenset(), any_origin=True
        )
        configured = settings(bundle(service.url(), endpoints=open_to_all))
        async with running(configured) as gateway, calling(gateway.port) as caller:
            shown = [await caller.call("t", mine(number)) for number in range(12)]
    await asyncio.wait({task for task in greeting if task is not None})
    server.close()
    await server.wait_closed()
    others = [mine(number).decode() for number in range(12)]
    for number, answer in enumerate(shown):  # the greeting itself belongs to nobody, but no answer is another's
        assert text_of(answer) not in others[:number] + others[number + 1 :]
