"""Two who say that a tool is unknown, the gateway and an MCP server: each is told as it said it (gateway/P11, D5)."""

import json
from typing import Any

import pytest

from support.gateway import HANDSHAKE, NEW, running, settings
from support.mcp_hosts import McpHost, listed, mcp_bundle
from support.mcp_hosts_wire import error_to
from support.tool_service import reply

OWN = {"message": "Tool not found", "data": {"reason": "tool_not_found"}}


@pytest.mark.parametrize("data", [None, {"reason": "expired"}, "tool_not_found", {"x": [1.0]}], ids=json.dumps)
@pytest.mark.parametrize("revision", [*HANDSHAKE, NEW])
@pytest.mark.req("gateway/P11", "decision/D5")
async def test_an_error_of_a_server_with_the_gateways_own_code_is_told_apart_by_the_reason_that_only_the_gateway_gives(
    revision: str, data: Any
) -> None:
    """The server's error is its answer, so nothing is put into it; the mark is in the gateway's own."""
    own_code = -32602 if revision == NEW else -32001
    async with McpHost(listed("find"), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", lambda seen: reply(body=error_to(seen, own_code, "Request timed out", data)))
        theirs = (await gateway.call("find", revision=revision)).json["error"]
        assert theirs == {
            "code": own_code,
            "message": "Request timed out",
            **({} if data is None else {"data": data}),
        }
        ours = (await gateway.call("unknown", revision=revision)).json["error"]
        assert ours == {"code": own_code, **OWN}
