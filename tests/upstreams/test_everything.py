"""The reference server `everything`, in the initialize era, through the gateway and beside it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import Tool

from upstreams import compare
from upstreams.kinds import REFERENCE, require
from upstreams.stand import GATEWAY, THROUGH, Stand, standing

pytestmark = pytest.mark.req("gateway/P11")

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("echo", {"message": "홍길동 😀"}),
    ("get-sum", {"a": 2**53 - 1, "b": 0.5}),
    ("get-sum", {"a": "x", "b": 1}),
    ("get-tiny-image", {}),
    ("get-annotated-message", {"messageType": "error", "includeImage": True}),
    ("get-structured-content", {"location": "Chicago"}),
    ("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
    ("get-resource-reference", {"resourceType": "Blob", "resourceId": 2}),
    ("get-resource-links", {"count": 3}),
    ("get-resource-links", {"count": 11}),
)
TIME = re.compile(r"\d+:\d\d:\d\d [AP]M|'blob': '[^']*'")
"""What differs from call to call: the time of day, and a blob with it."""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    require(REFERENCE)
    with standing(REFERENCE, tmp_path_factory.mktemp("everything")) as started:
        yield started


def is_task(tool: Tool) -> bool:
    """Tell whether a tool can only be called as a task, so that a gateway leaves it out."""
    return tool.execution is not None and tool.execution.task_support == "required"


async def test_the_same_tools_are_listed(reference: Stand, era: str) -> None:
    async with Client(reference.url, mode=reference.era(era)) as client, Client(reference.server.url) as direct:
        found = compare.tools((await client.list_tools()).tools)
        listed = (await direct.list_tools()).tools
    left_out = {tool.name for tool in listed if is_task(tool)} if THROUGH == GATEWAY else set()
    expected = compare.tools(listed)
    assert found == {name: tool for name, tool in expected.items() if name not in left_out}
    assert len(found) >= 12


@pytest.mark.parametrize(
    ("name", "arguments"), CALLS, ids=[f"{name} {number}" for number, (name, _) in enumerate(CALLS)]
)
async def test_calls_have_the_same_results(reference: Stand, era: str, name: str, arguments: dict[str, Any]) -> None:
    async with Client(reference.url, mode=reference.era(era)) as client, Client(reference.server.url) as direct:
        found, expected = [await outcome(one, name, arguments) for one in (client, direct)]
    assert found == expected


async def outcome(client: Client, name: str, arguments: dict[str, Any]) -> str:
    """Return what came of a call, without the time of day that some results hold."""
    try:
        return TIME.sub("TIME", str(compare.result(await client.call_tool(name, arguments))))
    except MCPError as raised:
        return str(compare.error(raised))


async def test_a_long_call_reports_its_progress(reference: Stand, era: str) -> None:
    seen: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total))

    async with Client(reference.url, mode=reference.era(era)) as client:
        arguments = {"duration": 0.2, "steps": 2}
        result = await client.call_tool("trigger-long-running-operation", arguments, progress_callback=note)
    assert seen == [(1, 2), (2, 2)]
    assert result.is_error is not True
