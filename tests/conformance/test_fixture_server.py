"""The MCP server that stands behind the gateway in `make conformance`: what each of its tools does."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import ElicitResult, InputRequiredResult, InputResponses, TextContent

from support.asgi_server import on_loopback
from tools.conformance import fixture_server
from tools.conformance.fixture_questions import ASKING, NEEDS, Questions, Tampered, step
from tools.conformance.fixture_tools import FIXTURES

NEW = "2026-07-28"
EVERYTHING: dict[str, Any] = {capability: {} for capability in NEEDS.values()}
ANSWERS: dict[str, Any] = {
    "user_name": {"action": "accept", "content": {"name": "홍길동"}},
    "confirm": {"action": "accept", "content": {"ok": True}},
    "step1": {"action": "accept", "content": {"name": "홍길동"}},
    "step2": {"action": "accept", "content": {"color": "blue"}},
    "capital_question": {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "test"},
    "greeting": {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "test"},
    "client_roots": {"roots": [{"uri": "file:///test/root"}]},
}
SAID = {
    "elicitation": "Hello, 홍길동!",
    "sampling": "Paris",
    "list_roots": "roots: file:///test/root",
    "request_state": "state-ok",
    "tampered_state": "state-ok",
    "multiple_inputs": "Hello, 홍길동!",
    "multi_round": "color: blue",
    "capabilities": "asked",
}


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with on_loopback(fixture_server.app(), lifespan="on") as port:
        yield f"http://127.0.0.1:{port}/mcp"


async def _no_elicitation(context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="decline")


@pytest.mark.parametrize("mode", ["legacy", NEW])
async def test_every_tool_is_listed_and_those_with_fixed_answers_give_them(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        found = {name: await client.call_tool(name, {}) for name in fixture_server.FIXED}
    assert listed == {*fixture_server.FIXED, *fixture_server.CALLED}
    assert set(FIXTURES) <= listed  # one table serves both fixtures
    assert {name: found[name].content for name in found} == {
        name: fixed.content for name, fixed in fixture_server.FIXED.items()
    }
    assert {name for name in found if found[name].is_error} == {"test_error_handling"}


@pytest.mark.parametrize("mode", ["legacy", NEW])
async def test_progress_comes_in_three_steps(url: str, mode: str) -> None:
    seen: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async with Client(url, mode=mode) as client:
        result = await client.call_tool("test_tool_with_progress", {}, progress_callback=note)
    assert (seen, result.content) == ([0, 50, 100], [TextContent(type="text", text="done")])


async def test_a_missing_capability_is_a_protocol_error_that_names_it(url: str) -> None:
    async with Client(url, mode=NEW) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("test_missing_capability", {})
    assert caught.value.code == -32021
    assert caught.value.data == {"requiredCapabilities": {"sampling": {}}}


async def test_a_change_of_the_list_is_told_to_who_listens(url: str) -> None:
    async with Client(url, mode=NEW) as client, client.listen(tools_list_changed=True) as changes:
        before = {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("test_trigger_tool_change", {})
        async with asyncio.timeout(20):
            await anext(aiter(changes))
        after = {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("test_trigger_tool_change", {})
    assert before ^ after == {"test_changed_tool"}


@pytest.mark.parametrize("tool", ASKING)
def test_each_asking_tool_asks_in_rounds_and_then_answers(tool: str) -> None:
    responses: dict[str, Any] = {}
    found = step(tool, responses, None, EVERYTHING)
    rounds = 0
    while isinstance(found, Questions):
        rounds += 1
        assert (found.state is not None) == ASKING[tool].signed
        responses = {key: ANSWERS[key] for key in found.requests}
        found = step(tool, responses, found.state, EVERYTHING)
    assert rounds == len(ASKING[tool].rounds)
    assert found == SAID[tool.removeprefix("test_input_required_result_")]


@pytest.mark.parametrize("tool", [name for name, asking in ASKING.items() if asking.signed])
def test_a_state_that_was_altered_or_belongs_to_another_tool_is_refused(tool: str) -> None:
    other = next(name for name, asking in ASKING.items() if asking.signed and name != tool)
    mine, others = (step(name, {}, None, EVERYTHING) for name in (tool, other))
    assert isinstance(mine, Questions)
    assert isinstance(others, Questions)
    for state in (f"{mine.state}-TAMPERED", others.state, "", "é"):
        with pytest.raises(Tampered):
            step(tool, ANSWERS, state, EVERYTHING)


def test_only_what_the_client_can_answer_is_asked() -> None:
    asked = step("test_input_required_result_capabilities", {}, None, {"sampling": {}})
    assert isinstance(asked, Questions)
    assert {one["method"] for one in asked.requests.values()} == {"sampling/createMessage"}


async def test_questions_and_answers_go_over_the_wire_and_an_altered_state_is_a_protocol_error(url: str) -> None:
    tool = "test_input_required_result_request_state"
    async with Client(url, mode=NEW, elicitation_callback=_no_elicitation) as client:
        asked = await client.session.call_tool(tool, {}, allow_input_required=True)
        assert isinstance(asked, InputRequiredResult)
        answers: InputResponses = {"confirm": ElicitResult(action="accept", content={"ok": True})}
        state = asked.request_state
        done = await client.session.call_tool(tool, {}, input_responses=answers, request_state=state)
        with pytest.raises(MCPError) as caught:
            await client.session.call_tool(tool, {}, input_responses=answers, request_state=f"{state}x")
    assert done.content == [TextContent(type="text", text="state-ok")]
    assert caught.value.code == -32602
