"""What an import costs, and how the app behaves in other people's hands (toolkit/T1, toolkit/S6)."""

import asyncio
import subprocess
import sys

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from support.asgi_server import on_loopback
from support.desk import desk
from support.http import exchange, render

BODY = b'{"end": "refuse"}'
HEAVY = ("aiohttp", "prometheus_client", "starlette", "uvicorn", "yaml")


@pytest.mark.req("toolkit/T1")
def test_an_import_of_the_toolkit_loads_no_server_and_no_client() -> None:
    code = f"import sys, axhub.toolkit; print([name for name in {HEAVY!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


async def test_a_web_socket_is_closed_at_once() -> None:
    async with desk() as running:
        sent: list[object] = []

        async def receive() -> dict[str, object]:
            return {"type": "websocket.connect"}

        async def send(message: object) -> None:
            sent.append(message)

        await running.app({"type": "websocket"}, receive, send)
        assert sent == [{"type": "websocket.close", "code": 1000}]


async def test_the_app_can_be_mounted_below_another_path() -> None:
    async with desk() as running:
        outer = Starlette(routes=[Mount("/claims", app=running.app)])
        async with on_loopback(outer, lifespan="off") as port:
            call = await exchange(port, render(BODY, path=b"/claims/tools/desk_end"))
            shared = await exchange(port, render(BODY, ((b"Mcp-Name", b"desk_end"),), path=b"/claims/mcp"))
            manifest = await exchange(port, render(b"", method=b"GET", path=b"/claims/tool-manifest"))
            assert [call.status, shared.status, manifest.status] == [409, 409, 200]


@pytest.mark.req("toolkit/S6", "threat/T17")
async def test_a_body_that_does_not_come_is_waited_for_only_so_long() -> None:
    async with desk() as running:
        endpoint = running.app.prepare().endpoint
        hasty = type(endpoint)(
            running.app.prepare().by_name,
            type(endpoint.limits)(1000, 10, body_seconds=0.05),
            "en",
            running.app.prepare().log,
            endpoint.metrics,
        )
        sent: list[dict[str, object]] = []

        async def receive() -> dict[str, object]:
            await asyncio.Event().wait()
            return {}

        async def send(message: object) -> None:
            assert isinstance(message, dict)
            sent.append(message)

        await hasty.by_path(running.app.prepare().by_name["desk_end"], {"headers": []}, receive, send)
        assert sent[0]["status"] == 408
        assert b"SLOW_BODY" in bytes(str(sent[1]["body"]), "utf-8")
