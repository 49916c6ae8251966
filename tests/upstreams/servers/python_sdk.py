"""An MCP server on the official Python SDK's lowlevel server: `python_sdk.py PORT [--stateless] [--json] [--old]`.

Serves both eras on one endpoint, the initialize era with sessions of its own, or stateless; answers as SSE, or as JSON.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError

from upstreams.servers.serving import options, serve

TABLE = json.loads((Path(__file__).parent / "tools.json").read_text(encoding="utf-8"))
BUS = InMemorySubscriptionBus()
SLOW_SECONDS = 30.0
MODERN = "2026-07-28"

listed: list[dict[str, Any]] = list(TABLE["tools"])
slow: dict[str, str] = {}


async def list_tools(_context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    """Answer `tools/list` in pages; the cursor is the number of the first tool."""
    cursor = params.cursor if params and params.cursor else "0"
    if not cursor.isdecimal():
        raise MCPError(types.INVALID_PARAMS, f"Invalid cursor: {cursor}")
    first = int(cursor)
    end = first + int(TABLE["pageSize"])
    tools = [types.Tool.model_validate(tool) for tool in listed[first:end]]
    return types.ListToolsResult(tools=tools, next_cursor=str(end) if end < len(listed) else None)


async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult | Any:
    """Answer `tools/call`."""
    made = {
        "contents": _contents,
        "structured": _structured,
        "refuse": _refuse,
        "raise": _raise,
        "protocol_error": _protocol_error,
        "progress": _progress,
        "slow": _slow,
        "slow_state": _slow_state,
        "change_tools": _change_tools,
        "ask": _ask,
    }
    if params.name in {"echo", "added"}:
        return _text(json.dumps(params.arguments, ensure_ascii=False))
    if params.name not in made:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
    return await made[params.name](context, params)


def _text(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def _contents(_context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    data, text = TABLE["data"], TABLE["text"]
    resource = types.TextResourceContents(uri="test://contract/1", mime_type="text/plain", text=text)
    return types.CallToolResult(
        content=[
            types.TextContent(type="text", text=text, annotations=types.Annotations(audience=["user"], priority=0.5)),
            types.ImageContent(type="image", data=data, mime_type="image/png"),
            types.AudioContent(type="audio", data=data, mime_type="audio/wav"),
            types.EmbeddedResource(type="resource", resource=resource),
            types.ResourceLink(type="resource_link", uri="test://contract/2", name="계약 2", mime_type="text/plain"),
        ]
    )


async def _structured(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    found = {"n": (params.arguments or {})["n"], "이름": "홍길동"}
    text = types.TextContent(type="text", text=json.dumps(found, ensure_ascii=False))
    return types.CallToolResult(content=[text], structured_content=found)


async def _refuse(_context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=TABLE["error"])], is_error=True)


async def _raise(_context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    raise RuntimeError("secret of the server")


async def _protocol_error(_context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    raise MCPError(types.INVALID_PARAMS, "contractNo is malformed", {"field": "계약번호", "allowed": [1, 2]})


async def _progress(context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100, f"{done}%")
        await asyncio.sleep(0.02)
    return _text("done")


async def _slow(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    key = str((params.arguments or {})["key"])
    slow[key] = "running"
    try:
        await asyncio.sleep(SLOW_SECONDS)
    except asyncio.CancelledError:
        slow[key] = "cancelled"
        raise
    slow[key] = "done"
    return _text("done")


async def _slow_state(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    return _text(slow.get(str((params.arguments or {})["key"]), "unknown"))


async def _change_tools(context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    if len(listed) == len(TABLE["tools"]):
        listed.append(TABLE["added"])
    else:
        listed.pop()
    if context.protocol_version == MODERN:
        await BUS.publish(ToolsListChanged())
    else:
        await context.session.send_tool_list_changed()
    return _text(str(len(listed)))


async def _ask(context: Any, params: types.CallToolRequestParams) -> Any:
    asked = TABLE["ask"]
    if context.protocol_version != MODERN:
        return _text("nobody can be asked on this revision")
    answered: Any = (params.input_responses or {}).get(asked["key"])
    if answered is None:
        form = types.ElicitRequestFormParams(message=asked["message"], requested_schema=asked["schema"])
        requests: dict[str, Any] = {asked["key"]: types.ElicitRequest(params=form)}
        return types.InputRequiredResult(input_requests=requests, request_state=asked["state"])
    if params.request_state != asked["state"]:
        raise MCPError(types.INVALID_PARAMS, "this is not the state of this call")
    return _text(f"안녕하세요, {answered.content['name']}님")


class Announcing(Server[Any]):
    """Says in the initialize era, too, that its list may change; the SDK leaves this to who runs the streams."""

    def create_initialization_options(self, *_args: Any, **more: Any) -> Any:
        """Return the SDK's own, with that one thing said."""
        return super().create_initialization_options(NotificationOptions(tools_changed=True), **more)


def main() -> None:
    """Serve until the process is ended."""
    said = options()
    server = Announcing(
        "python-sdk",
        version="1.0.0",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(BUS),
    )
    serve(server.streamable_http_app(json_response=said.json, stateless_http=said.stateless), said)


if __name__ == "__main__":
    main()
