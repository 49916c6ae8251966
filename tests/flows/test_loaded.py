"""What a running gateway has loaded: nothing of what its deployment does not use (ops: at most 40 MB)."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from support.callers import until
from support.gateway import manifest, tool
from support.mcp_hosts import McpHost
from support.process import GatewayProcess, declared, gateway_process, mcp
from support.tool_service import ToolService, reply

UNUSED: Final = {
    "axhub.agent",
    "axhub.toolkit",
    "axhub.gateway.adapters.mcp_client.calls",
    "axhub.gateway.main.pull",
    "bz2",
    "difflib",
    "httpx",
    "httpx2",
    "lzma",
    "mcp",
    "pydantic",
    "shutil",
    "sqlalchemy",
    "starlette",
    "uvicorn",
}


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        started.on("/tool-manifest", reply(body=manifest("ins", [tool("find")])))
        started.on("/tools/find", reply(body=b'{"found":true}'))
        yield started


async def loaded(gateway: GatewayProcess) -> set[str]:
    """Call a tool, read the metrics, end the gateway; return the modules that it loaded until then."""
    await gateway.rpc("tools/list")
    await gateway.rpc("tools/call", {"name": "find", "arguments": {}})
    await gateway.metrics()
    gateway.signal(signal.SIGTERM)
    assert await gateway.exit_code() == 0
    await until(lambda: gateway.log.ended)
    lines, gateway.log.other_lines = gateway.log.other_lines, []
    assert all(line.startswith("import time:") for line in lines)
    return {line.rpartition("|")[2].strip() for line in lines}


@pytest.mark.req("gateway/C6")
async def test_a_gateway_loads_nothing_that_its_deployment_does_not_use(service: ToolService, tmp_path: Path) -> None:
    settings, environ = mcp(declared("ins", service.url())), {"PYTHONPROFILEIMPORTTIME": "1"}
    async with gateway_process(tmp_path, settings, environ=environ) as gateway:
        modules = await loaded(gateway)
    assert {"axhub.gateway.main.wire", "axhub.gateway.adapters.http1.pool"} <= modules
    assert modules & UNUSED == set()


@pytest.mark.req("gateway/P11")
async def test_a_gateway_with_an_mcp_server_loads_what_speaks_to_it(tmp_path: Path) -> None:
    async with McpHost() as host:
        settings = mcp(declared("host", host.url("/mcp"), protocol="mcp"))
        async with gateway_process(tmp_path, settings, environ={"PYTHONPROFILEIMPORTTIME": "1"}) as gateway:
            modules = await loaded(gateway)
    assert modules & UNUSED == {"axhub.gateway.adapters.mcp_client.calls"}
