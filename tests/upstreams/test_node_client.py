"""The official Node client through the gateway to real MCP servers, beside the same client at the servers."""

import asyncio
import json
from typing import Any

import pytest

from tools.conformance import npm
from upstreams import compare, prepare
from upstreams.calls import CALLS
from upstreams.kinds import NEW, REFERENCE, require
from upstreams.stand import Stand

pytestmark = pytest.mark.req("gateway/P11")

CLIENT_CALLS = [*CALLS.values(), ("progress", {})]


async def seen(url: str, era: str, calls: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """Run the client and return what it saw, without what each hop adds."""
    node = npm.node(prepare.NODE / "node_modules")
    process = await asyncio.create_subprocess_exec(
        *(node, str(prepare.NODE / "client.mjs"), url, era),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, errors = await process.communicate(json.dumps(calls).encode())
    assert process.returncode == 0, errors.decode()
    document = json.loads(printed)
    outcomes = [
        {**one, "result": compare.result_document(one["result"])} if "result" in one else one
        for one in document["outcomes"]
    ]
    return {"tools": compare.tool_documents(document["tools"]), "outcomes": outcomes}


async def test_it_sees_the_same_tools_results_errors_and_progress(stand: Stand, era: str) -> None:
    require(REFERENCE)  # the client is installed with it
    asks = era == NEW and stand.kind.spoken == NEW
    calls = [*CLIENT_CALLS, *([("ask", {})] if asks else [])]
    found = await seen(stand.url, stand.era(era), calls)
    expected = await seen(stand.server.url, stand.direct_era(era), calls)
    assert found["tools"] == expected["tools"]
    for (name, arguments), ours, theirs in zip(calls, found["outcomes"], expected["outcomes"], strict=True):
        assert ours == theirs, f"{name} {arguments}"
    assert len(found["tools"]) == 11
    if asks:
        assert found["outcomes"][-1]["result"]["content"] == [{"type": "text", "text": "안녕하세요, 홍길동님"}]
