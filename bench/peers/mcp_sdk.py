"""The official Python SDK as a gateway: low-level, stateless, JSON answers, tools called with httpx or aiohttp.

Runs in an environment of its own (bench/requirements/). Environment: MANIFEST, PORT, CLIENT (httpx or aiohttp).
Its best honest set-up: uvloop and httptools under uvicorn, one shared client, tools validated once at the start.
"""

import json
import os
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server

FORWARDED = ("guid", "x-request-id", "mcp-session-id", "employee-no", "virtual-employee-no")
MANIFEST = json.loads(Path(os.environ["MANIFEST"]).read_text(encoding="utf-8"))
ENDPOINTS = {tool["name"]: tool["endpoint"] for tool in MANIFEST["tools"]}
TOOLS = [
    types.Tool.model_validate({key: value for key, value in tool.items() if key not in ("_meta", "endpoint")})
    for tool in sorted(MANIFEST["tools"], key=lambda tool: tool["name"])
]
Post = Callable[[str, Any, dict[str, str]], Awaitable[tuple[int, Any]]]


def with_httpx() -> Post:
    """Return a sender on one shared httpx client."""
    httpx = import_module("httpx")
    limits = httpx.Limits(max_connections=256, max_keepalive_connections=256)
    client = httpx.AsyncClient(limits=limits, timeout=5)

    async def post(url: str, arguments: object, headers: dict[str, str]) -> tuple[int, Any]:
        answer = await client.post(url, json=arguments, headers=headers)
        return answer.status_code, answer.json()

    return post


def with_aiohttp() -> Post:
    """Return a sender on one shared aiohttp session, made inside the running loop."""
    aiohttp = import_module("aiohttp")
    sessions: list[Any] = []

    async def post(url: str, arguments: object, headers: dict[str, str]) -> tuple[int, Any]:
        if not sessions:
            sessions.append(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=256)))
        async with sessions[0].post(url, json=arguments, headers=headers) as answer:
            return answer.status, await answer.json()

    return post


POST = {"httpx": with_httpx, "aiohttp": with_aiohttp}[os.environ["CLIENT"]]()


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    """Answer `tools/list`."""
    return types.ListToolsResult(tools=TOOLS)


async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Answer `tools/call` as our gateway does: caller headers on, compact text, the time it took."""
    sent = context.request.headers
    headers = {name: sent[name] for name in FORWARDED if name in sent}
    start = time.perf_counter()
    status, document = await POST(ENDPOINTS[params.name], params.arguments, headers)
    elapsed = round((time.perf_counter() - start) * 1000)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    block = types.TextContent.model_validate({"type": "text", "text": text, "_meta": {"searchTime": elapsed}})
    return types.CallToolResult(content=[block], is_error=status >= 400)


if __name__ == "__main__":
    server: Server[Any] = Server("peer", on_list_tools=list_tools, on_call_tool=call_tool)
    uvicorn.run(
        server.streamable_http_app(json_response=True, stateless_http=True),
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        log_level="warning",
        access_log=False,
        loop="uvloop",
        http="httptools",
    )
