"""The tool of the bench on the official Python SDK: low-level, stateless, JSON answers, arguments read by Pydantic.

Runs in an environment of its own (bench/requirements/); it is spared the log line and the metrics. Environment: PORT.
Its best honest set-up: uvloop and httptools under uvicorn, the tool's description made once at the start.
"""

import os
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from pydantic import ValidationError

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.peers.claims import NAME, ClaimSearchRequest, search_claims

TOOL = types.Tool(
    name=NAME,
    title="보험금 청구 조회",
    description="계약번호와 상태로 보험금 청구 목록을 조회합니다.",
    input_schema=ClaimSearchRequest.model_json_schema(by_alias=True),
)


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    """Answer `tools/list`."""
    return types.ListToolsResult(tools=[TOOL])


async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Answer `tools/call`."""
    try:
        answer = await search_claims(ClaimSearchRequest.model_validate(params.arguments))
    except ValidationError as error:
        text = str(error.errors(include_url=False, include_input=False))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
    text = answer.model_dump_json(by_alias=True)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


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
