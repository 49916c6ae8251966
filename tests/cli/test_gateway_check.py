"""`axhub gateway check`."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.check_cli import run, run_beside
from support.configs import GOOD, write
from support.manifests import manifest, tool
from support.tool_service import ToolService, reply

Output = pytest.CaptureFixture[str]


def _config(folder: Path, service: ToolService, *bundles: str, more: str = "") -> str:
    items = "".join(
        f"    - id: {bundle}\n      manifestUrl: http://127.0.0.1:{service.port}/{bundle}\n" for bundle in bundles
    )
    return str(write(folder, f"mcp:\n  identity: x\n  bundles:\n{items}{more}"))


@pytest.mark.req("gateway/C4")
def test_a_good_configuration_is_said_to_be_right(tmp_path: Path, capsys: Output) -> None:
    path = str(write(tmp_path, GOOD + "    - {id: b, manifestUrl: 'http://b/m', enabled: false}\n"))
    assert run("gateway", "check", "--config", path) == 0
    expected = f"{path}: the configuration is right (profile production, bundles: 2, 1 disabled)\n"
    assert capsys.readouterr() == (expected, "")


@pytest.mark.req("gateway/C4", "decision/D13")
def test_warnings_are_shown_and_do_not_fail(tmp_path: Path, capsys: Output) -> None:
    path = str(write(tmp_path, GOOD + "      forwardAuthorization: true\n"))
    assert run("gateway", "check", "--config", path) == 0
    warning = f"warning: {path}:6  mcp.bundles[0].forwardAuthorization  the callers' Authorization goes on to this"
    assert warning in capsys.readouterr().out


@pytest.mark.req("gateway/C1", "gateway/C4")
def test_a_faulty_configuration_is_one_message_on_stderr_and_exit_2(tmp_path: Path, capsys: Output) -> None:
    path = str(write(tmp_path, GOOD + "  pagesize: 1\n  maxConnections: 0\n"))
    assert run("gateway", "check", "--config", path, "--pull", "--port", "x") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("The configuration has 3 faults:\n")
    for part in (f"{path}:6  mcp.pagesize", f"{path}:7  mcp.maxConnections", "command line --port"):
        assert part in output.err
    assert "Traceback" not in output.err


@pytest.mark.req("gateway/C4")
def test_without_a_configuration_there_is_nothing_to_check(capsys: Output) -> None:
    assert run("gateway", "check") == 2
    assert "--config" in capsys.readouterr().err


@pytest.mark.req("gateway/C4")
def test_the_environment_counts(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXHUB_MCP__MAXCONNECTIONS", "0")
    assert run("gateway", "check", "--config", str(write(tmp_path, GOOD))) == 2
    assert "environment AXHUB_MCP__MAXCONNECTIONS  mcp.maxConnections" in capsys.readouterr().err


@pytest.mark.req("gateway/C4")
def test_faults_come_as_json_too(tmp_path: Path, capsys: Output) -> None:
    path = str(write(tmp_path, GOOD + "  maxConnections: 0\n"))
    assert run("gateway", "check", "--config", path, "--json") == 2
    output = capsys.readouterr()
    assert output.err == ""
    assert json.loads(output.out) == {
        "ok": False,
        "faults": [
            {
                "place": f"{path}:6",
                "key": "mcp.maxConnections",
                "found": "0",
                "allowed": "a whole number from 1 to 1000000",
            }
        ],
    }


@pytest.mark.req("gateway/C4")
def test_nothing_is_contacted_unless_asked_for(tmp_path: Path, capsys: Output) -> None:
    path = str(write(tmp_path, GOOD.replace("tool-processing:8080", "127.0.0.1:9")))
    assert run("gateway", "check", "--config", path, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is True
    assert (document["config"], document["profile"]) == (path, "production")
    assert "bundles" not in document


@pytest.mark.req("gateway/C4")
async def test_pull_asks_each_enabled_bundle_once(tmp_path: Path, capsys: Output) -> None:
    async with ToolService() as service:
        for bundle in ("a", "b"):
            body = manifest(bundle, [f"{bundle}_find"], revision=f"r-{bundle}")
            service.on(f"/{bundle}", reply(body=body))
        path = _config(tmp_path, service, "a", "b", "c", more="      enabled: false\n")
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local") == 0
        assert sorted(request.target for request in service.requests) == [b"/a", b"/b"]
    assert capsys.readouterr().out.splitlines()[1:] == [
        "a: accepted, 1 tool, revision r-a",
        "b: accepted, 1 tool, revision r-b",
        "c: disabled, left alone",
    ]


@pytest.mark.req("gateway/C4", "decision/D1")
async def test_pull_prints_every_finding_with_tool_pointer_rule_and_mend(tmp_path: Path, capsys: Output) -> None:
    tools = [
        tool("ok_tool", endpoint="http://elsewhere:9/x"),
        tool("bad name", endpoint="/x"),
        tool("no_text", description=" "),
    ]
    async with ToolService() as service:
        service.on("/a", reply(body=manifest("a", tools)))
        path = _config(tmp_path, service, "a")
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local") == 1
    output = capsys.readouterr().out
    assert "a: rejected, 3 findings" in output
    for part in ("tool bad name  /tools/1/name  rule ", "tool no_text  /tools/2/description  rule ", "      mend: "):
        assert part in output
    assert 'allowedEndpointOrigins: ["http://elsewhere:9"]' in output


@pytest.mark.req("gateway/C4")
async def test_a_bundle_that_gives_no_manifest_is_named_with_the_reason(tmp_path: Path, capsys: Output) -> None:
    async with ToolService() as service:
        service.on("/a", reply(503))
        service.on("/b", reply(body=manifest("b", ["b_find"])))
        path = _config(tmp_path, service, "a", "b")
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local", "--json") == 1
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["ok"] is False
    assert [(bundle["name"], bundle["status"], bundle["failure"]) for bundle in document["bundles"]] == [
        ("a", "not pulled", "HttpStatus"),
        ("b", "accepted", None),
    ]
    assert document["together"] == []


@pytest.mark.req("gateway/C4")
async def test_bundles_that_cannot_be_served_together_are_found(tmp_path: Path, capsys: Output) -> None:
    async with ToolService() as service:
        service.on("/a", reply(body=manifest("a", ["find"])))
        service.on("/b", reply(body=manifest("b", ["Find"])))
        path = _config(tmp_path, service, "a", "b")
        assert await run_beside("gateway", "check", "--config", path, "--pull", "--profile", "local") == 1
    output = capsys.readouterr().out
    assert "all bundles together: refused, 1 finding" in output
    assert "rule catalogue.name.collision" in output


@pytest.mark.req("gateway/C3", "gateway/C4")
def test_a_local_file_is_checked_and_nothing_pulled(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "local.json").write_bytes(manifest("insurance-processing", ["a", "b"]))
    path = str(write(tmp_path, GOOD + "  discovery: {enabled: false}\n  registry: {localFile: local.json}\n"))
    assert run("gateway", "check", "--config", path, "--profile", "local", "--pull") == 0
    expected = "insurance-processing: served from registry.localFile (tools: 2), nothing is pulled"
    assert expected in capsys.readouterr().out
