"""A manifest as large as it may be is checked and taken in steps, and other requests hardly wait (fault/F14).

What is measured is the processor time of the thread between two turns of the event loop, in which nobody else is
served: unlike the clock on the wall, it does not tell of other programs on the machine.
"""

import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.gateway.config.settings import DiscoverySettings, RegistrySettings
from support.callers import calling, names_of
from support.gateway import bundle, manifest, running, settings, tool
from support.tool_service import ToolService, reply
from support.tries import kept

MOST_BYTES, MOST_TOOLS, MOST_PARTS = 1_048_576, 100, 1900
TRACED = sys.gettrace() is not None
"""Coverage makes Python several times as slow: then only the longest turn is held; `make test` holds both."""
LONGEST, LONG, SHARE = 0.2, 0.05, 0.01
ASKED = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=0)


def tools(count: int, schema: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [tool(f"t_{number}", outputSchema={"type": "object", **schema}, **more) for number in range(count)]


def usual() -> bytes:
    """Return the maximum of tools with rich schemas, in and out."""
    text = {"type": "string", "description": "설명 " * 8, "pattern": "^[a-z가-힣0-9]{1,20}$", "maxLength": 20}
    schema = {"properties": {f"속성_{number}": text for number in range(26)}, "additionalProperties": False}
    found = tools(MOST_TOOLS, schema, inputSchema={"type": "object", **schema}, description="설명" * 100)
    return manifest("ins", found)


def parts() -> bytes:
    return manifest(
        "ins", tools(14, {"properties": {f"p{at}": {"type": ["string", "null"]} for at in range(MOST_PARTS)}})
    )


def alternatives() -> bytes:
    return manifest("ins", tools(30, {"anyOf": [{"const": at} for at in range(MOST_PARTS)]}))


def references() -> bytes:
    chain: dict[str, Any] = {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(1000)}
    return manifest("ins", tools(25, {"$defs": {**chain, "d1000": True}, "$ref": "#/$defs/d0"}))


def patterns() -> bytes:
    texts = {f"p{at}": {"pattern": f"^(a{at}|b{at}|c[x-z]{{1,{at % 50 + 1}}})+$"} for at in range(900)}
    return manifest("ins", tools(20, {"properties": texts}))


def unknown_members() -> bytes:
    return manifest("ins", [tool("t_0")], x=[{"a": 1, "b": 2}] * 58_000)


def no_tools_at_all() -> bytes:
    return manifest("ins", [{}] * 260_000)


Shape = Callable[[], bytes]
SHAPES: tuple[Shape, ...] = (usual, parts, alternatives, references, patterns, unknown_members, no_tools_at_all)


@asynccontextmanager
async def measured() -> AsyncIterator[list[float]]:
    """Collect the seconds of processor time of each turn of the loop.

    What other tests left in this process is kept from the garbage collector: a gateway has none of it to look through.
    """
    turns: list[float] = []

    async def measure() -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            turns.append(now - last)
            last = now

    gc.collect()
    gc.freeze()
    measuring = asyncio.create_task(measure())
    try:
        yield turns
    finally:
        measuring.cancel()
        gc.unfreeze()


def share_that_waits(turns: list[float]) -> float:
    """Return which part of callers, coming at any moment, waits longer than `LONG` for the loop's next turn."""
    return sum(max(0.0, turn - LONG) for turn in turns) / sum(turns)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.req("fault/F14", "gateway/G6", "input/B10", "input/B30")
async def test_a_manifest_of_the_maximum_size_holds_nobody_up(shape: Shape) -> None:
    body = shape()
    assert MOST_BYTES * 0.6 < len(body) <= MOST_BYTES

    async def used_of_what_is_allowed() -> float:
        async with ToolService() as service:
            service.on("/tool-manifest", reply(body=manifest("ins", [tool("old")])))
            configured = settings(bundle(service.url()), discovery=DiscoverySettings(), registry=ASKED)
            async with running(configured) as gateway:
                service.on("/tool-manifest", reply(body=body))
                async with measured() as turns:
                    await gateway.gateway.refresh.recheck()
                (state,) = gateway.gateway.refresh.bundles()
        assert state.status == ("degraded" if shape is no_tools_at_all else "healthy")
        return max(max(turns) / LONGEST, 0 if TRACED else share_that_waits(turns) / SHARE)

    await kept(1, used_of_what_is_allowed, tries=5)


@pytest.mark.req("fault/F14", "gateway/K3")
async def test_lists_are_answered_between_the_steps_of_a_check() -> None:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("old")])))
        async with running(settings(bundle(service.url()), registry=ASKED)) as gateway, calling(gateway.port) as caller:
            service.on("/tool-manifest", reply(body=usual()))
            refreshing = asyncio.create_task(gateway.gateway.refresh.recheck())
            answered = 0
            while names_of(await caller.rpc("tools/list")) == ["old"]:
                answered += 1
            await refreshing
    assert answered > 20
