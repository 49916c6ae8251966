"""An MCP server on fastmcp, as its users write one: `fastmcp_server.py PORT [--stateless] [--json] [--old]`.

Runs in an environment of its own (requirements/upstreams.txt).
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import mcp_types as types
from fastmcp import Context, FastMCP  # type: ignore[import-not-found]  # it is in the server's environment only
from fastmcp.exceptions import ToolError  # type: ignore[import-not-found]  # likewise only there
from fastmcp.tools import Tool, ToolResult  # type: ignore[import-not-found]  # likewise only there
from mcp.shared.exceptions import MCPError
from pydantic import Field

from upstreams.servers.serving import options, serve

TABLE = json.loads((Path(__file__).parent / "tools.json").read_text(encoding="utf-8"))
SLOW_SECONDS = 30.0
MODERN = "2026-07-28"
OF = {tool["name"]: tool for tool in TABLE["tools"]}

server = FastMCP("fastmcp", version="1.0.0", list_page_size=TABLE["pageSize"])
slow: dict[str, str] = {}


def told(name: str) -> dict[str, Any]:
    """Return what a tool says of itself."""
    return {key: OF[name][key] for key in ("name", "title", "description", "annotations") if key in OF[name]}


def text(said: str) -> Any:
    """Return a result of one text block, without the structured content that fastmcp makes of a returned value."""
    return ToolResult(content=[types.TextContent(type="text", text=said)])


def echo(
    텍스트: Annotated[str | None, Field(max_length=100)] = None,  # noqa: N803, PLC2401 - callers name it so
    integer: int | None = None,
    number: float | None = None,
    items: list[Any] | None = None,
    nested: dict[str, Any] | None = None,
) -> Any:
    found = {"텍스트": 텍스트, "integer": integer, "number": number, "items": items, "nested": nested}
    return text(json.dumps({name: value for name, value in found.items() if value is not None}, ensure_ascii=False))


def contents() -> Any:
    data, said = TABLE["data"], TABLE["text"]
    resource = types.TextResourceContents(uri="test://contract/1", mime_type="text/plain", text=said)
    return ToolResult(
        content=[
            types.TextContent(type="text", text=said, annotations=types.Annotations(audience=["user"], priority=0.5)),
            types.ImageContent(type="image", data=data, mime_type="image/png"),
            types.AudioContent(type="audio", data=data, mime_type="audio/wav"),
            types.EmbeddedResource(type="resource", resource=resource),
            types.ResourceLink(type="resource_link", uri="test://contract/2", name="계약 2", mime_type="text/plain"),
        ]
    )


def structured(n: int) -> dict[str, Any]:
    return {"n": n, "이름": "홍길동"}


def refuse() -> str:
    raise ToolError(TABLE["error"])


def raise_() -> str:
    raise RuntimeError("secret of the server")


def protocol_error() -> str:
    raise MCPError(types.INVALID_PARAMS, "contractNo is malformed", {"field": "계약번호", "allowed": [1, 2]})


async def progress(context: Context) -> Any:
    for done in (0, 50, 100):
        await context.report_progress(done, 100, f"{done}%")
        await asyncio.sleep(0.02)
    return text("done")


async def slow_(key: str) -> str:
    slow[key] = "running"
    try:
        await asyncio.sleep(SLOW_SECONDS)
    except asyncio.CancelledError:
        slow[key] = "cancelled"
        raise
    slow[key] = "done"
    return "done"


def slow_state(key: str) -> Any:
    return text(slow.get(key, "unknown"))


async def change_tools(context: Context) -> Any:
    added = TABLE["added"]
    if await server.get_tool(added["name"]) is None:
        server.add_tool(Tool.from_function(lambda: "added", name=added["name"], description=added["description"]))
    else:
        server.local_provider.remove_tool(added["name"])
    await context.send_notification(types.ToolListChangedNotification())
    return text("changed")


def ask(context: Context) -> Any:
    asked = TABLE["ask"]
    answered = (context.input_responses or {}).get(asked["key"])
    if answered is None:
        form = types.ElicitRequestFormParams(message=asked["message"], requested_schema=asked["schema"])
        requests: dict[str, Any] = {asked["key"]: types.ElicitRequest(params=form)}
        return types.InputRequiredResult(input_requests=requests, request_state=asked["state"])
    if context.request_state != asked["state"]:
        raise MCPError(types.INVALID_PARAMS, "this is not the state of this call")
    return text(f"안녕하세요, {answered.content['name']}님")


TOOLS = (echo, contents, structured, refuse, raise_, protocol_error, progress, slow_, slow_state, change_tools, ask)
"""In this order; one whose name ends with an underscore is listed without it."""


def offer() -> None:
    """Register the tools; one of them says what shape its result has, of others fastmcp reads it from annotations."""
    for function in TOOLS:
        name = function.__name__.rstrip("_")
        shape = {"output_schema": OF[name]["outputSchema"]} if "outputSchema" in OF[name] else {}
        server.tool(**told(name), **shape)(function)


def main() -> None:
    """Serve until the process is ended."""
    said = options()
    offer()
    serve(server.http_app(path="/mcp", json_response=said.json, stateless_http=said.stateless), said)


if __name__ == "__main__":
    main()
