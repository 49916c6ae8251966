"""`axhub gateway check --pull` where a bundle is an MCP server (gateway/P11, gateway/C4)."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.check_cli import run_beside
from support.configs import write
from support.manifests import manifest
from support.mcp_hosts import Era, McpHost, listed
from support.tool_service import ToolService, reply

Output = pytest.CaptureFixture[str]


def configured(folder: Path, host: McpHost, service: ToolService | None = None, more: str = "") -> str:
    bundles = f"    - id: weather\n      protocol: mcp\n      manifestUrl: {host.url('/mcp')}\n{more}"
    if service is not None:
        bundles += f"    - id: a\n      manifestUrl: {service.url('/a')}\n"
    return str(write(folder, f"mcp:\n  identity: x\n  bundles:\n{bundles}"))


@pytest.mark.req("gateway/P11", "gateway/C4")
@pytest.mark.parametrize("era", ["new", "old"])
async def test_the_list_of_an_mcp_server_is_checked_beside_manifests(tmp_path: Path, capsys: Output, era: Era) -> None:
    async with McpHost(listed("find"), listed("list"), era=era) as host, ToolService() as service:
        service.on("/a", reply(body=manifest("a", ["a_find"], revision="r")))
        path = configured(tmp_path, host, service)
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local") == 0
        assert [request.target for request in service.requests] == [b"/a"]
        assert len(host.of("tools/list")) == 1
        assert len(host.of("DELETE")) == (1 if era == "old" else 0)
    assert capsys.readouterr().out.splitlines()[1:] == ["weather: accepted, 2 tools", "a: accepted, 1 tool, revision r"]


@pytest.mark.req("gateway/P11", "gateway/C4")
async def test_what_is_wrong_with_a_tool_is_said_with_its_shown_name_and_place(tmp_path: Path, capsys: Output) -> None:
    async with McpHost(listed("find"), {"name": "list", "inputSchema": {"type": "object"}}) as host:
        path = configured(tmp_path, host, more="      namePrefix: w_\n      addPrefix: true\n")
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local") == 1
    output = capsys.readouterr().out
    assert "weather: rejected, 1 finding" in output
    assert "tool w_list  /tools/1/description  rule tool.description.missing" in output


@pytest.mark.req("gateway/P11", "gateway/C4")
@pytest.mark.parametrize(
    ("method", "answer", "failure"),
    [
        ("tools/list", reply(503), "HttpStatus"),
        ("server/discover", reply(200, b"<html>", content_type=b"text/html"), None),
    ],
)
async def test_a_server_that_gives_no_list_is_named_with_the_reason(
    tmp_path: Path, capsys: Output, method: str, answer: Any, failure: str | None
) -> None:
    async with McpHost(listed("find"), era="old") as host:
        host.says(method, answer)
        path = configured(tmp_path, host)
        expected = 0 if failure is None else 1
        arguments = ("gateway", "check", "--config", path, "--pull", "--profile", "local", "--json")
        assert await run_beside(*arguments) == expected
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [(bundle["name"], bundle["failure"]) for bundle in document["bundles"]] == [("weather", failure)]


@pytest.mark.req("gateway/P11", "gateway/C4")
async def test_a_server_that_is_not_there_is_named_with_the_reason(tmp_path: Path, capsys: Output) -> None:
    async with McpHost() as host:
        path = configured(tmp_path, host)
        await host.stop()
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local") == 1
    assert "weather: not pulled, ConnectFailed" in capsys.readouterr().out
