"""`axhub tools watch` beside a real gateway whose tools change, come and go (gateway/C5, gateway/P9)."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse

from axhub.cli.main import main
from support.gateway import manifest, tool
from support.mcp_hosts import McpHost, listed
from support.mcp_sdk_server import example_server, serving
from support.ports import free_ports
from support.process import GatewayProcess, declared, gateway_process, mcp, often
from support.tool_service import Hang, ToolService, reply

pytestmark = pytest.mark.req("gateway/C5")

PATIENCE_SECONDS = 40.0
LEAVING, SLOW = 3.0, 10.0
"""How long a server has to let its client go, and what a busy machine takes more."""
TIME = r"\d\d:\d\d:\d\d"


@dataclass
class Watching:
    """A running `axhub tools watch`."""

    process: asyncio.subprocess.Process

    async def line(self) -> str:
        """Return the next line that it prints."""
        return await self._read(self.process.stdout)

    async def document(self) -> dict[str, Any]:
        """Return the next line as JSON."""
        found: dict[str, Any] = json.loads(await self.line())
        return found

    async def message(self) -> str:
        """Return the next line on standard error."""
        return await self._read(self.process.stderr)

    async def _read(self, stream: asyncio.StreamReader | None) -> str:
        assert stream is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            return (await stream.readline()).decode().rstrip("\n")

    async def interrupted(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and what it had still to say."""
        self.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_SECONDS):
            out, err = await self.process.communicate()
        return self.process.returncode or 0, (out + err).decode()


@asynccontextmanager
async def watching(url: str, *words: str, stdout: int = asyncio.subprocess.PIPE) -> AsyncIterator[Watching]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "axhub.cli.main", "tools", "watch", url, *words),
        stdout=stdout,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Watching(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def url_of(gateway: GatewayProcess) -> str:
    return f"http://127.0.0.1:{gateway.port}/mcp"


def publishes(service: ToolService, *tools: dict[str, Any]) -> None:
    service.on("/tool-manifest", reply(body=manifest("ins", tools)))


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        publishes(started, tool("claim_search", title="청구 조회"), tool("claim_old"))
        yield started


@pytest.fixture
async def gateway(service: ToolService, tmp_path: Path) -> AsyncIterator[GatewayProcess]:
    settings = mcp(declared("ins", service.url()), registry=often(0.1))
    async with gateway_process(tmp_path, settings) as started:
        yield started


async def test_it_shows_the_list_once_and_then_each_change_until_ctrl_c(
    service: ToolService, gateway: GatewayProcess
) -> None:
    async with watching(url_of(gateway)) as watch:
        assert (await watch.line()).split()[:2] == ["NAME", "TITLE"]
        assert [(await watch.line()).split()[0] for _ in range(2)] == ["claim_old", "claim_search"]
        assert await watch.line() == "2 tools at mcp-test 0.1.0, MCP 2026-07-28"
        assert await watch.message() == "axhub tools: waiting for changes; Ctrl-C ends this"
        publishes(
            service, tool("claim_search", title="청구 찾기", annotations={"readOnlyHint": True}), tool("claim_new")
        )
        assert re.fullmatch(TIME + r"  new      claim_new     claim_new: 청구를 조회합니다", await watch.line())
        assert re.fullmatch(TIME + r"  gone     claim_old", await watch.line())
        assert re.fullmatch(TIME + r"  changed  claim_search  title, annotations", await watch.line())
        publishes(service, tool("claim_new"))
        assert re.fullmatch(TIME + r"  gone     claim_search", await watch.line())
        assert await watch.interrupted() == (0, "")


async def test_for_scripts_it_prints_one_json_object_a_line(service: ToolService, gateway: GatewayProcess) -> None:
    async with watching(url_of(gateway), "--json") as watch:
        first = await watch.document()
        assert list(first) == ["at", "event", "url", "protocol", "server", "tools"]
        assert (first["event"], first["protocol"], first["server"]["name"]) == ("list", "2026-07-28", "mcp-test")
        assert [entry["name"] for entry in first["tools"]] == ["claim_old", "claim_search"]
        publishes(service, tool("claim_search"), tool("claim_new"))
        change = await watch.document()
        assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ", change.pop("at"))
        assert [entry["name"] for entry in change.pop("added")] == ["claim_new"]
        changed = [{"name": "claim_search", "members": ["title"]}]
        assert change == {"event": "change", "removed": ["claim_old"], "changed": changed}
        assert (await watch.interrupted())[0] == 0


@pytest.mark.parametrize("words", [(), ("--json",)])
async def test_a_server_without_notices_is_asked_at_intervals_and_that_is_said(
    service: ToolService, gateway: GatewayProcess, words: tuple[str, ...]
) -> None:
    async with watching(url_of(gateway), "--protocol", "legacy", "--every", "0.2", *words) as watch:
        said = "axhub tools: no change notices from this server at MCP 2025-11-25: asking every 0.2 s; Ctrl-C ends this"
        assert await watch.message() == said
        for _ in range(1 if words else 4):
            await watch.line()
        publishes(service, tool("claim_search", title="청구 조회"))
        shown = await watch.line()
        assert ('"removed": ["claim_old"]' if words else "  gone     claim_old") in shown
        assert (await watch.interrupted())[0] == 0


async def test_after_an_outage_it_goes_on_and_tells_what_changed_meanwhile(
    service: ToolService, tmp_path: Path
) -> None:
    settings = mcp(declared("ins", service.url()), registry=often(0.1))
    flags = ("--port", str(free_ports(1)[0]), "--management-port", "0")
    async with gateway_process(tmp_path, settings, flags=flags) as first:
        url = url_of(first)
        manager = watching(url, "--json")
        watch = await manager.__aenter__()
        assert (await watch.document())["event"] == "list"
        assert "waiting" in await watch.message()
        first.signal(signal.SIGTERM)
        assert await first.exit_code() == 0
    try:
        again = "(connecting again until it works)"
        assert await watch.message() == f"axhub tools: the server has ended the subscription {again}"
        publishes(service, tool("claim_search", title="청구 조회"), tool("claim_new"))
        async with gateway_process(tmp_path, settings, flags=flags) as second:
            assert await watch.message() == "axhub tools: connected again"
            change = await watch.document()
            assert ([entry["name"] for entry in change["added"]], change["removed"]) == (["claim_new"], ["claim_old"])
            publishes(service, tool("claim_new"))
            assert (await watch.document())["removed"] == ["claim_search"]
            second.process.kill()
            await second.process.wait()
            assert await watch.message() == f"axhub tools: the connection to {url} broke {again}"
            assert (await watch.interrupted()) == (0, "")
    finally:
        await manager.__aexit__(None, None, None)


async def test_where_nobody_has_ever_answered_is_exit_code_3() -> None:
    url = f"http://127.0.0.1:{free_ports(1)[0]}/mcp"
    async with watching(url) as watch:
        problem = f"nothing listens at {url}; is the server running, and is the port right?"
        assert await watch.message() == f"axhub tools: {problem}"
        assert await watch.process.wait() == 3


async def test_a_reader_that_has_enough_ends_it_without_a_word(service: ToolService, gateway: GatewayProcess) -> None:
    reading, writing = os.pipe()
    async with watching(url_of(gateway), "--json", stdout=writing) as watch:
        os.close(writing)
        assert "waiting" in await watch.message()
        os.close(reading)
        publishes(service, tool("claim_new"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await watch.process.wait() == 0
        assert await watch.message() == ""


def test_the_specimen_server_of_the_sdk_is_watched_too() -> None:
    async def watched(url: str) -> tuple[int, str]:
        async with watching(url) as watch:
            lines = [await watch.line() for _ in range(6)]
            assert lines[-1].startswith("4 tools at ")
            assert "waiting for changes" in await watch.message()
            return await watch.interrupted()

    with serving(example_server()) as server:
        assert asyncio.run(watched(server.url)) == (0, "")


@pytest.mark.parametrize("every", ["0", "-1", "nan", "inf"])
def test_an_interval_that_is_none_is_exit_code_2(every: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "watch", "http://127.0.0.1:1/mcp", "--every", every]) == 2
    assert capsys.readouterr().err.startswith("axhub tools: --every takes a number of seconds above 0; found ")


def test_a_server_that_refuses_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        body = json.loads((await receive())["body"])
        error = {"code": -32603, "message": "no list today"}
        await JSONResponse({"jsonrpc": "2.0", "id": body.get("id"), "error": error})(scope, receive, send)

    with serving(app) as server:
        assert main(["tools", "watch", server.url, "--protocol", "2026-07-28"]) == 1
    assert "no list today" in capsys.readouterr().err


@pytest.mark.parametrize("hangs", ["nowhere", "DELETE", "tools/list"])
async def test_whatever_the_server_does_ctrl_c_ends_it_soon_and_well(hangs: str) -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        if hangs == "tools/list":
            host.says(hangs, host.usually, (Hang(),))
        else:
            host.says(hangs, (Hang(),))
        async with watching(host.url("/mcp"), "--protocol", "legacy", "--every", "0.01") as watch:
            await host.hears("tools/list")  # "nowhere": its answer is still being read
            if hangs != "nowhere":
                assert await watch.line() != await watch.line()
                await host.hears("tools/list", 2)
            began = asyncio.get_running_loop().time()
            code, said = await watch.interrupted()
            assert asyncio.get_running_loop().time() - began < LEAVING + SLOW
            assert (code, "fault" in said) == (0, False), said
