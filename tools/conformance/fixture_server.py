"""The MCP server that the conformance suite calls, through the gateway or directly: all its fixture tools.

On the official Python SDK's lowlevel server, both eras, answers as SSE where something comes before the result:
`fixture_server.py PORT`. Names, schemas and texts are those that the suite asks for; what a server of tools alone
cannot have (prompts, resources, completion, logging) is left out.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError

from tools.conformance.fixture_questions import ASKING, Questions, Tampered, step
from tools.conformance.fixture_tools import FIXTURES, NO_ARGUMENTS

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
PROGRESS_SECONDS = 0.05
BUS = InMemorySubscriptionBus()

Call = Callable[[Any, types.CallToolRequestParams], Awaitable[Any]]
has_changed = False


def text(said: str, *, is_error: bool = False) -> types.CallToolResult:
    """Return a result of one text block."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)], is_error=is_error)


def _resource(uri: str, mime_type: str, said: str) -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=said)
    return types.EmbeddedResource(type="resource", resource=contents)


IMAGE = types.ImageContent(type="image", data=PNG, mime_type="image/png")
FIXED: dict[str, types.CallToolResult] = {
    "json_schema_2020_12_tool": text("ok"),
    "test_audio_content": types.CallToolResult(
        content=[types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")]
    ),
    "test_embedded_resource": types.CallToolResult(
        content=[_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
    ),
    "test_error_handling": text("This tool intentionally returns an error for testing", is_error=True),
    "test_header_parameter": text("ok"),
    "test_image_content": types.CallToolResult(content=[IMAGE]),
    "test_logging_tool": text("nothing was logged"),
    "test_multiple_content_types": types.CallToolResult(
        content=[
            types.TextContent(type="text", text="Multiple content types test:"),
            IMAGE,
            _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ]
    ),
    "test_simple_text": text("This is a simple text response for testing."),
    "test_streaming_elicitation": text("nothing was asked"),
}


async def _progress(context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100, f"Completed step {done} of 100")
        await asyncio.sleep(PROGRESS_SECONDS)
    return text("done")


async def _missing_capability(context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    if "sampling" in _capabilities(context):
        return text("ok")
    data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
    raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "The client must be able to sample", data)


async def _change(_context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
    global has_changed  # noqa: PLW0603 - the server's one state
    has_changed = not has_changed
    await BUS.publish(ToolsListChanged())
    return text("The list of tools has changed.")


async def _ask(context: Any, params: types.CallToolRequestParams) -> Any:
    given = params.input_responses or {}
    responses = {key: one.model_dump(mode="json", by_alias=True, exclude_none=True) for key, one in given.items()}
    try:
        found = step(params.name, responses, params.request_state, _capabilities(context))
    except Tampered as error:
        raise MCPError(types.INVALID_PARAMS, "The request state is not one that was given out") from error
    if isinstance(found, Questions):
        asked = {"inputRequests": found.requests, "requestState": found.state}
        return types.InputRequiredResult.model_validate(asked)
    return text(found)


def _capabilities(context: Any) -> dict[str, Any]:
    declared = context.session.client_capabilities
    return {} if declared is None else declared.model_dump(mode="json", by_alias=True, exclude_none=True)


CALLED: dict[str, Call] = {
    "test_missing_capability": _missing_capability,
    "test_tool_with_progress": _progress,
    "test_trigger_tool_change": _change,
    **dict.fromkeys(ASKING, _ask),
}


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    """Answer `tools/list`."""
    names = sorted([*FIXED, *CALLED, *(["test_changed_tool"] if has_changed else [])])
    return types.ListToolsResult(tools=[_listed(name) for name in names])


def _listed(name: str) -> types.Tool:
    known = FIXTURES.get(name)
    described = (known.description, known.schema) if known else (f"Fixture {name}", NO_ARGUMENTS)
    return types.Tool(name=name, description=described[0], input_schema=described[1])


async def call_tool(context: Any, params: types.CallToolRequestParams) -> Any:
    """Answer `tools/call`."""
    if params.name in FIXED:
        return FIXED[params.name]
    if params.name in CALLED:
        return await CALLED[params.name](context, params)
    raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")


def app() -> Any:
    """Return the server as an ASGI app with its endpoint at /mcp."""
    server: Server[Any] = Server(
        "conformance-fixture",
        version="1.0.0",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(BUS),
    )
    return server.streamable_http_app()


if __name__ == "__main__":
    uvicorn.run(
        app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", timeout_graceful_shutdown=1, http="h11"
    )
