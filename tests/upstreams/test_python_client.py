"""The official Python client through the gateway to real MCP servers, beside the same client at the servers."""

import asyncio
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import ElicitResult, InputResponses

from upstreams import compare
from upstreams.calls import CALLS
from upstreams.kinds import KINDS, NEW, OLD
from upstreams.stand import DIRECT, GATEWAY, THROUGH, Stand

pytestmark = pytest.mark.req("gateway/P11")

SPEAKING_NEW = [kind for kind in KINDS if NEW in kind.eras]
only_through_the_gateway = pytest.mark.skipif(THROUGH == DIRECT, reason="only a gateway does this")


async def outcome(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        return compare.result(await client.call_tool(name, arguments))
    except MCPError as raised:
        return compare.error(raised)


async def answer(context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "홍길동"})


def through(stand: Stand, era: str, **more: Any) -> Client:
    return Client(stand.url, mode=stand.era(era), **more)


def beside(stand: Stand, era: str, **more: Any) -> Client:
    return Client(stand.server.url, mode=stand.direct_era(era), **more)


async def test_the_same_tools_are_listed(stand: Stand, era: str) -> None:
    async with through(stand, era) as client, beside(stand, era) as direct:
        pages = [await direct.list_tools()]
        while pages[-1].next_cursor:
            pages.append(await direct.list_tools(cursor=pages[-1].next_cursor))
        expected = compare.tools(tool for page in pages for tool in page.tools)
        found = [await client.list_tools()]
        while found[-1].next_cursor:
            found.append(await client.list_tools(cursor=found[-1].next_cursor))
    assert compare.tools(tool for page in found for tool in page.tools) == expected
    assert len(expected) == 11


async def test_calls_have_the_same_results_and_errors(stand: Stand, era: str) -> None:
    async with through(stand, era) as client, beside(stand, era) as direct:
        found = {said: await outcome(client, *call) for said, call in CALLS.items()}
        expected = {said: await outcome(direct, *call) for said, call in CALLS.items()}
    assert found == expected


async def test_an_exception_of_a_tool_is_a_failure_either_way(stand: Stand, era: str) -> None:
    async with through(stand, era) as client, beside(stand, era) as direct:
        found, expected = await outcome(client, "raise", {}), await outcome(direct, "raise", {})
    assert ("code" in found, found.get("isError")) == ("code" in expected, expected.get("isError"))
    assert "code" in found or found.get("isError")


async def test_progress_is_reported_alike(stand: Stand, era: str) -> None:
    seen: dict[str, list[tuple[float, float | None, str | None]]] = {"through": [], "beside": []}

    def noting(where: str) -> Any:
        async def note(progress: float, total: float | None, message: str | None) -> None:
            seen[where].append((progress, total, message))

        return note

    async with through(stand, era) as client, beside(stand, era) as direct:
        found = await client.call_tool("progress", {}, progress_callback=noting("through"))
        expected = await direct.call_tool("progress", {}, progress_callback=noting("beside"))
    assert compare.result(found) == compare.result(expected)
    assert seen["through"] == seen["beside"]
    assert [step[0] for step in seen["beside"]] == ([0, 50, 100] if stand.kind.reports_progress else [])


async def test_many_calls_at_once_get_their_own_answers(stand: Stand, era: str) -> None:
    async with through(stand, era) as client:
        results = await asyncio.gather(*(client.call_tool("slow_state", {"key": f"{n}"}) for n in range(40)))
        echoed = await asyncio.gather(*(client.call_tool("echo", {"integer": n}) for n in range(40)))
    assert {str(compare.result(one)["content"][0]["text"]) for one in results} == {"unknown"}
    texts = [str(compare.result(one)["content"][0]["text"]).replace(" ", "") for one in echoed]
    assert texts == [f'{{"integer":{n}}}' for n in range(40)]


@pytest.mark.parametrize("stand", SPEAKING_NEW, ids=lambda kind: kind.name, indirect=True)
async def test_a_tool_that_asks_is_answered_through_the_way_as_at_the_server(stand: Stand) -> None:
    async with (
        through(stand, NEW, elicitation_callback=answer) as client,
        beside(stand, NEW, elicitation_callback=answer) as direct,
    ):
        found, expected = await outcome(client, "ask", {}), await outcome(direct, "ask", {})
    assert found == expected
    assert found["content"] == [{"type": "text", "text": "안녕하세요, 홍길동님"}]


@pytest.mark.parametrize("stand", SPEAKING_NEW, ids=lambda kind: kind.name, indirect=True)
async def test_questions_and_their_state_pass_through_and_an_altered_state_is_refused_alike(stand: Stand) -> None:
    answers: InputResponses = {"who": await answer(None, None)}
    found = []
    for make in (through, beside):
        async with make(stand, NEW, elicitation_callback=answer) as client:
            asked = await client.session.call_tool("ask", {}, allow_input_required=True)
            document = compare.result(asked)
            state = document.pop("requestState")
            again = client.session.call_tool("ask", {}, input_responses=answers, request_state=f"{state}x")
            try:
                refused = compare.result(await again)
            except MCPError as raised:
                refused = compare.error(raised)
            found.append((document, refused))
    assert found[0] == found[1]
    assert "who" in found[0][0]["inputRequests"]
    assert "안녕하세요" not in str(found[0][1])


@pytest.mark.parametrize("stand", SPEAKING_NEW, ids=lambda kind: kind.name, indirect=True)
async def test_what_the_client_cannot_be_asked_is_said_as_the_server_says_it(stand: Stand) -> None:
    found = []
    for make in (through, beside):
        async with make(stand, NEW) as client:
            try:
                asked = compare.result(await client.session.call_tool("ask", {}, allow_input_required=True))
                asked.pop("requestState")
            except MCPError as raised:
                asked = compare.error(raised)
            found.append(asked)
    assert found[0] == found[1]


@only_through_the_gateway
@pytest.mark.parametrize("stand", SPEAKING_NEW, ids=lambda kind: kind.name, indirect=True)
async def test_a_client_of_the_initialize_era_is_told_that_a_tool_asks_what_it_cannot_be_asked(stand: Stand) -> None:
    async with through(stand, OLD) as client:
        found = await outcome(client, "ask", {})
    refused_by_the_server = {"code": -32021, "data": {"requiredCapabilities": {"elicitation": {"form": {}}}}}
    assert found.get("isError") or found.items() >= refused_by_the_server.items()


async def state_of(stand: Stand, key: str, wanted: str) -> str:
    """Wait until the server itself says that of a slow call, and return what it said last."""
    said = ""
    async with Client(stand.server.url, mode=stand.kind.spoken) as direct:
        for _ in range(400):
            said = str(compare.result(await direct.call_tool("slow_state", {"key": key}))["content"][0]["text"])
            if said == wanted:
                break
            await asyncio.sleep(0.05)
    return said


LEAVING = [
    kind
    for kind in KINDS
    if kind.spoken in kind.notices_leaving and (THROUGH == GATEWAY or kind.spoken == NEW)  # who leaves speaks NEW
]


@pytest.mark.req("gateway/X8")
@pytest.mark.parametrize("stand", LEAVING, ids=lambda kind: kind.name, indirect=True)
async def test_a_caller_that_leaves_cancels_the_tool(stand: Stand) -> None:
    async with through(stand, NEW) as client:
        call = asyncio.create_task(client.call_tool("slow", {"key": "left"}))
        assert await state_of(stand, "left", "running") == "running"
        call.cancel()
        assert await state_of(stand, "left", "cancelled") == "cancelled"


ANNOUNCING = [
    kind
    for kind in KINDS
    if (kind.spoken in kind.announces and (THROUGH == GATEWAY or kind.spoken == NEW))
    or (kind.tells_the_caller and THROUGH == GATEWAY)  # the gateway was the caller, and tells who listens
]


@pytest.mark.req("gateway/P9")
@pytest.mark.parametrize("stand", ANNOUNCING, ids=lambda kind: kind.name, indirect=True)
async def test_a_change_of_the_servers_list_reaches_who_listens_and_the_next_list(stand: Stand) -> None:
    async with through(stand, NEW) as client, client.listen(tools_list_changed=True) as changes:
        try:
            await client.call_tool("change_tools", {})
            async with asyncio.timeout(20):
                await anext(aiter(changes))
            found = [await client.list_tools(cache_mode="refresh")]
            while found[-1].next_cursor:
                found.append(await client.list_tools(cursor=found[-1].next_cursor))
        finally:
            await client.call_tool("change_tools", {})
    assert "added" in compare.tools(tool for page in found for tool in page.tools)
