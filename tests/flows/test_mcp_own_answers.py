"""No caller ever gets what belongs to another, whatever an MCP server sends, JSON or events (gateway/X10, P11)."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest

from support.callers import Caller, calling, is_error, many_calling, text_of, until
from support.events import asking
from support.gateway import NEW, REVISIONS, RunningGateway, running, settings
from support.http import Response
from support.mcp_hosts import Era, Heard, McpHost, listed, mcp_bundle, progress, timed
from support.mcp_hosts_wire import chunk, event, joined, response_to, stream, text
from support.tool_service import Answer, Close, Reset, Send, Wait, reply, response

ERAS: tuple[Era, ...] = ("new", "old")
CALLS = 8


def mine(number: int) -> bytes:
    return b'{"mine":%d}' % number


def right(seen: Heard) -> bytes:
    return response_to(seen, text(seen.arguments.decode(), new=seen.new))


def poison(seen: Heard, number: int) -> bytes:
    """Return a response with another text, to this call or to one that comes after it."""
    said = b'{"content":[{"type":"text","text":"poison"}],"resultType":"complete"}'
    return b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (int(seen.id) + number, said)


def again(seen: Heard, number: int = 1) -> Send:
    return Send(response(body=poison(seen, number)))


def others(seen: Heard, *numbers: int) -> list[bytes]:
    return [event(poison(seen, number)) for number in numbers]


def mine_in(seen: Heard) -> bytes:
    return event(right(seen))


SURPLUS: dict[str, Callable[[Heard], Answer]] = {
    "json and more in a packet": lambda seen: (Send(response(body=right(seen)) + again(seen).data),),
    "json and more late": lambda seen: (*reply(body=right(seen)), Wait(0.05), again(seen)),
    "json and a body too long": lambda seen: (Send(response(body=right(seen)) + poison(seen, 1)),),
    "events and more in a packet": lambda seen: joined((*stream(mine_in(seen)), again(seen))),
    "events and more late": lambda seen: (*stream(mine_in(seen)), Wait(0.05), again(seen)),
    "events after the last chunk": lambda seen: joined((*stream(mine_in(seen)), Send(chunk(others(seen, 1)[0])))),
    "events for the calls to come": lambda seen: stream(*others(seen, *range(1, 9)), mine_in(seen)),
    "events for the calls before": lambda seen: stream(*others(seen, *range(-8, 0)), mine_in(seen)),
    "a second response": lambda seen: stream(mine_in(seen), *others(seen, 0, 1)),
    "a second response late": lambda seen: stream(mine_in(seen), Wait(0.05), *others(seen, 0, 1)),
    "the wrong id": lambda seen: reply(body=poison(seen, 1)),
    "the wrong id in events": lambda seen: stream(*others(seen, 1)),
    "no answer, then one late": lambda seen: (Send(b"HTTP/1.1 204 No Content\r\n\r\n"), Wait(0.05), again(seen)),
    "events, then the end": lambda seen: (*stream(mine_in(seen), ends=False), Close()),
    "events, then a reset": lambda seen: (*stream(mine_in(seen), ends=False), Reset()),
}


def belongs(answer: Response, number: int) -> bool:
    """Say whether an answer is that of this call, or honestly none; never another's."""
    assert b"poison" not in answer.body
    return is_error(answer) or text_of(answer) == mine(number).decode()


async def one_after_the_other(callers: list[Caller], name: str) -> list[bool]:
    """Call in turn on several connections of callers, some of the times 100 ms apart, in which late bytes come."""
    found = []
    for number in range(CALLS):
        answer = await callers[number % len(callers)].call(name, mine(number), revision=REVISIONS[number % 4])
        found.append(belongs(answer, number))
        if number < 3:
            await asyncio.sleep(0.1)
    return found


@pytest.mark.req("gateway/P11", "gateway/X10", "gateway/X6", "threat/T18", "input/B39")
async def test_surplus_of_a_server_reaches_nobody() -> None:
    """All ways in both eras at once, each on a server of its own."""
    ways = [(f"{kind} {era}", era, makes) for kind, makes in SURPLUS.items() for era in ERAS]
    async with AsyncExitStack() as stack:
        hosts = []
        for at, (_, era, makes) in enumerate(ways):
            host = await stack.enter_async_context(McpHost(listed(f"t_{at}"), era=era))
            host.says("tools/call", makes)
            hosts.append(host)
        bundles = [mcp_bundle(host, f"b{at:02}") for at, host in enumerate(hosts)]
        gateway = await stack.enter_async_context(running(settings(*bundles)))
        callers = await stack.enter_async_context(many_calling(gateway.port, 2 * len(hosts)))
        found = await asyncio.gather(
            *(one_after_the_other(callers[2 * at : 2 * at + 2], f"t_{at}") for at in range(len(hosts)))
        )
        for (kind, _, _), host, belonging in zip(ways, hosts, found, strict=True):
            assert belonging == [True] * CALLS, kind
            sent = Counter(seen.arguments for seen in host.of("tools/call"))
            assert sent == {mine(number): 1 for number in range(CALLS)}, kind


@pytest.mark.req("gateway/P11", "gateway/X10", "threat/T18")
async def test_an_origin_that_sent_too_much_gets_a_connection_for_each_call() -> None:
    async with McpHost(listed("t")) as bad, McpHost(listed("good")) as good:
        bad.says("tools/call", SURPLUS["events and more in a packet"])
        good.says("tools/call", lambda seen: stream(event(right(seen))))
        bundles = mcp_bundle(bad, "bad"), mcp_bundle(good, "good")
        async with running(settings(*bundles)) as gateway, calling(gateway.port) as caller:
            for number in range(6):
                assert belongs(await caller.call("t", mine(number)), number)
                assert text_of(await caller.call("good", mine(number))) == mine(number).decode()
                await has_an_idle_connection(gateway, "good")
        used = {seen.request.connection for seen in bad.of("tools/call")}
        assert len(used) == 6
        assert {seen.request.headers.get(b"connection") for seen in bad.of("tools/call")[2:]} == {b"close"}
        assert len({seen.request.connection for seen in good.of("tools/call")}) == 1


MIXED = [makes for kind, makes in SURPLUS.items() if "wrong" not in kind and not kind.startswith("no answer")]


def mixing(seed: int) -> Callable[[Heard], Answer]:
    """Return what answers in any order and each time otherwise, with notices that belong to others in between."""
    chance = random.Random(seed)

    def answer(seen: Heard) -> Answer:
        delay = Wait(chance.random() / 50)
        if "progressToken" not in seen.meta:
            return (delay, *chance.choice(MIXED)(seen))
        own = seen.meta["progressToken"]
        foreign = [event(progress(seen, 666).replace(b"%d" % own, b"%d" % (own + at))) for at in (-2, -1, 1, 2)]
        told = event(progress(seen, int(seen.json["params"]["arguments"]["mine"])))
        return (delay, *stream(*foreign, told, *foreign, *others(seen, 1), mine_in(seen), *others(seen, 2)))

    return answer


async def calls(caller: Caller, at: int) -> None:
    for number in range(at * 100, at * 100 + 6):
        answer = await caller.call("t", mine(number), revision=REVISIONS[at % 4])
        assert b"poison" not in answer.body
        assert text_of(answer) == mine(number).decode()


async def calls_and_listens(port: int, at: int) -> None:
    for number in range(at * 100, at * 100 + 6):
        params = {"name": "t", "arguments": {"mine": number}, "_meta": {"progressToken": 5}}
        async with asking(port, "tools/call", params, revision=(NEW, "2025-06-18")[at % 2]) as answer:
            assert (await answer.message())["params"] == {"progressToken": 5, "progress": number}
            assert (await answer.message())["result"]["content"][0]["text"] == json.dumps({"mine": number})
            assert await answer.block() == b""


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.req("gateway/P11", "gateway/X10", "threat/T18")
async def test_forty_callers_at_once_get_their_own_answers_and_progress_from_a_server_that_mixes_everything(
    era: Era,
) -> None:
    async with McpHost(timed("t", 20_000), era=era) as host:
        host.says("tools/call", mixing(7))
        async with running(settings(mcp_bundle(host))) as gateway, many_calling(gateway.port, 30) as callers:
            await asyncio.gather(
                *(calls(caller, at) for at, caller in enumerate(callers)),
                *(calls_and_listens(gateway.port, at) for at in range(30, 40)),
            )
        assert len(host.of("tools/call")) == 40 * 6


@pytest.mark.req("gateway/P11", "gateway/X10", "gateway/X8", "threat/T18")
async def test_the_answer_to_a_call_whose_caller_left_reaches_nobody() -> None:
    for era in ERAS:
        async with McpHost(listed("t"), era=era) as host:
            host.says("tools/call", lambda seen: (Wait(0.01), *stream(event(right(seen)))))
            async with running(settings(mcp_bundle(host, max_concurrent_calls=4))) as gateway:
                for revision in ("2025-11-25", NEW):
                    for number in range(10):
                        sent = len(host.of("tools/call"))
                        async with calling(gateway.port) as leaver:
                            leaver.start_call("t", mine(1_000 + number), revision=revision)
                            await host.hears("tools/call", sent + 1)
                        assert belongs(await gateway.call("t", mine(number), revision=revision), number)


@pytest.mark.req("gateway/P11", "gateway/X10", "gateway/X9")
async def test_two_bundles_at_one_server_share_neither_connection_nor_session() -> None:
    async with McpHost(listed("t"), era="old") as host:
        bundles = [mcp_bundle(host, name, name_prefix=f"{name}_", add_prefix=True) for name in ("one", "two")]
        async with running(settings(*bundles)) as gateway, calling(gateway.port) as caller:
            for number in range(4):
                for name in ("one", "two"):
                    assert text_of(await caller.call(f"{name}_t", mine(number))) == mine(number).decode()
                    await has_an_idle_connection(gateway, name)
        used = {
            session: {seen.request.connection for seen in host.of("tools/call") if seen.session == session}
            for session in host.sessions
        }
        assert [len(connections) for connections in used.values()] == [1, 1]
        assert set.intersection(*used.values()) == set()


async def has_an_idle_connection(gateway: RunningGateway, bundle_id: str) -> None:
    await until(lambda: gateway.gateway.client.usage()[bundle_id].idle == 1)
