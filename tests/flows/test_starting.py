"""The start of a gateway: what it says when it cannot, and what it does before anything answers it."""

import json
import signal
import socket
from pathlib import Path

import pytest

from support.callers import names_of, text_of
from support.gateway import NEW, REVISIONS, manifest, tool
from support.process import declared, gateway_process, mcp, often, run_to_end, write_config
from support.tool_service import Hang, ToolService, reply

NOWHERE = "http://127.0.0.1:9/tool-manifest"
ELSEWHERE = "203.0.113.1"  # of a network that exists in documents only (RFC 5737)


@pytest.mark.parametrize(
    ("flag", "other", "ways"),
    [
        ("--port", "--management-port", "--port or AXHUB_PORT"),
        ("--management-port", "--port", "--management-port or AXHUB_MANAGEMENT_PORT"),
    ],
)
@pytest.mark.req("gateway/C6")
async def test_a_taken_port_ends_the_start_with_one_sentence_that_names_it_and_the_ways_to_change_it(
    tmp_path: Path, flag: str, other: str, ways: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = await run_to_end(
            write_config(tmp_path, mcp(declared("ins", NOWHERE))), "--profile", "local", flag, str(port), other, "0"
        )
    assert (ended.code, ended.stdout) == (1, "")
    (line,) = ended.stderr.splitlines()
    told = json.loads(line)
    assert told["level"] == "error"
    assert told["message"] == f"cannot listen on 127.0.0.1:{port} (Address already in use); set {ways} to a free one"


@pytest.mark.parametrize("flag", ["--host", "--management-host"])
@pytest.mark.req("gateway/C6")
async def test_an_address_that_is_not_ours_ends_the_start_and_names_the_flag(tmp_path: Path, flag: str) -> None:
    config = write_config(tmp_path, mcp(declared("ins", NOWHERE)))
    ended = await run_to_end(config, "--profile", "local", flag, ELSEWHERE, "--port", "0", "--management-port", "0")
    assert (ended.code, ended.stdout) == (1, "")
    told = [json.loads(line) for line in ended.stderr.splitlines()][-1]["message"]
    reason = "Cannot assign requested address"
    assert told == f"cannot listen on {ELSEWHERE}:0 ({reason}); set {flag} to an address of this machine"


@pytest.mark.req("gateway/C1", "gateway/C2", "gateway/C6")
async def test_a_bad_configuration_ends_the_start_with_every_fault_and_no_stack_trace(tmp_path: Path) -> None:
    settings = mcp(declared("ins", "ftp://x/m"), declared("ins", NOWHERE, enabld=True), drainSeconds="soon")
    config = write_config(tmp_path, settings)
    ended = await run_to_end(config, "--port", "no", environ={"AXHUB_MCP__IDENTITI": "x"})
    assert (ended.code, ended.stdout) == (2, "")
    for told in (
        "ftp://x/m",
        "enabld",
        "enabled",
        "drainSeconds",
        "soon",
        "--port",
        "AXHUB_MCP__IDENTITI",
        str(config),
    ):
        assert told in ended.stderr
    assert ended.stderr.count(f"{config}:") >= 4
    for never in ("Traceback", "Error(", ".py"):
        assert never not in ended.stderr


@pytest.mark.req("fault/F34", "gateway/C6")
async def test_a_bad_new_configuration_ends_the_new_process_and_leaves_the_old_one_serving(tmp_path: Path) -> None:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("kept")])))
        async with gateway_process(tmp_path, mcp(declared("ins", service.url()))) as old:
            new = await run_to_end(write_config(tmp_path, mcp(declared("ins", service.url(), baseEndpoit="/x"))))
            assert new.code == 2
            assert "baseEndpoit" in new.stderr
            assert names_of(await old.rpc("tools/list")) == ["kept"]


@pytest.mark.req("gateway/G1", "gateway/M1", "gateway/K7", "gateway/P3", "fault/F01")
async def test_it_serves_at_once_while_the_first_pull_hangs(tmp_path: Path) -> None:
    async with ToolService() as silent, ToolService() as disabled:
        silent.on("/tool-manifest", (Hang(),))
        settings = mcp(declared("ins", silent.url()), declared("off", disabled.url(), enabled=False))
        settings["discovery"] = {"readTimeoutMillis": 60_000}
        async with gateway_process(tmp_path, settings, wait_ready=False) as gateway:
            await silent.received(1)
            assert gateway.cpu_seconds() < 2.0
            assert (await gateway.get("/actuator/health/liveness")).status == 200
            assert (await gateway.get("/actuator/health/readiness")).status == 503
            health = (await gateway.get("/actuator/health")).json
            assert health["components"]["readinessState"]["details"] == {"reason": "first_attempt"}
            status = await gateway.status()
            assert status["snapshot"] is None
            assert (status["ins"]["status"], status["ins"]["lastAttemptAt"]) == ("unreachable", None)
            for revision in REVISIONS:
                for refused in (
                    await gateway.rpc("tools/list", revision=revision),
                    await gateway.call("any", revision=revision),
                ):
                    assert (refused.status, refused.headers[b"retry-after"]) == (503, b"1")
                    assert refused.json["error"]["code"] == -32603
                    assert refused.json["error"]["data"] == {"reason": "registry_unavailable"}
            assert (await gateway.rpc("ping")).json["result"] == {}
            assert (await gateway.rpc("server/discover", revision=NEW)).status == 200
        assert (len(silent.requests), disabled.connections) == (1, 0)


@pytest.mark.req("fault/F01", "gateway/G2", "gateway/M1")
async def test_a_service_that_appears_after_the_start_is_adopted_by_the_next_refresh(tmp_path: Path) -> None:
    service = ToolService()
    async with service:
        await service.stop()
        settings = mcp(declared("ins", service.url()), registry=often(0.1))
        async with gateway_process(tmp_path, settings, wait_ready=False) as gateway:
            failed = await gateway.log.event("manifest_pull_failed", consecutiveFailures=2)
            assert (failed["bundle"], failed["reason"]) == ("ins", "ConnectFailed")
            service.on("/tool-manifest", reply(body=manifest("ins", [tool("late")])))
            assert (await gateway.get("/actuator/health/readiness")).status == 503
            await service.start()
            await gateway.log.event("catalogue_published")
            assert (await gateway.get("/actuator/health/readiness")).status == 200
            assert names_of(await gateway.rpc("tools/list")) == ["late"]


def local_file(folder: Path, document: bytes) -> dict[str, object]:
    (folder / "tools.json").write_bytes(document)
    return {"registry": {"localFile": "tools.json"}, "discovery": {"enabled": False}}


@pytest.mark.req("gateway/C3", "gateway/M2", "decision/D24")
async def test_the_local_profile_serves_a_file_and_pulls_nothing(tmp_path: Path) -> None:
    async with ToolService() as service, ToolService() as other:
        service.on("/base/tools/filed", reply(body=b'{"from":"file"}'))
        keys = local_file(tmp_path, manifest("ins", [tool("filed")], revision="r1"))
        settings = mcp(
            declared("ins", service.url(), serviceDomain=service.url("/base")), declared("two", other.url()), **keys
        )
        async with gateway_process(
            tmp_path, settings, flags=("--profile", "local", "--port", "0", "--management-port", "0")
        ) as gateway:
            assert names_of(await gateway.rpc("tools/list")) == ["filed"]
            assert text_of(await gateway.call("filed")) == '{"from":"file"}'
            assert (await gateway.call("unknown")).json["error"]["code"] == -32001
            status = await gateway.status()
            assert [status[name]["status"] for name in ("ins", "two")] == ["fallback", "disabled"]
            assert (status["ins"]["revision"], status["ins"]["lastAttemptAt"]) == ("r1", None)
            assert status["snapshot"]["toolCount"] == 1
            gateway.signal(signal.SIGTERM)
            assert await gateway.exit_code() == 0
        assert [seen.target for seen in service.requests] == [b"/base/tools/filed"]
        assert other.connections == 0


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (b"{", "not JSON"),
        (manifest("three", [tool("filed")]), "three"),
        (manifest("ins", [tool("filed", description="")]), "description"),
        (manifest("ins", [tool("filed", endpoint="http://169.254.169.254/x")]), "allowedEndpointOrigins"),
        (manifest("ins", [tool("one"), tool("two"), tool("six")]), "maxToolsTotal"),
    ],
    ids=["no JSON", "foreign bundle", "blank description", "undeclared origin", "too many"],
)
@pytest.mark.req("gateway/C3", "gateway/G6")
async def test_a_local_file_that_does_not_pass_ends_the_start(tmp_path: Path, document: bytes, told: str) -> None:
    keys = local_file(tmp_path, document)
    keys["discovery"] = {"enabled": False, "maxToolsTotal": 2}
    ended = await run_to_end(
        write_config(tmp_path, mcp(declared("ins", NOWHERE), **keys)), "--profile", "local", "--port", "0"
    )
    assert (ended.code, ended.stdout) == (2, "")
    assert told in ended.stderr
    assert "tools.json" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.req("gateway/C2", "gateway/C3", "threat/T32")
async def test_production_has_neither_local_file_nor_fallback(tmp_path: Path) -> None:
    keys = local_file(tmp_path, manifest("ins", [tool("filed")]))
    settings = mcp(declared("ins", NOWHERE, fallbackManifestFile="tools.json"), **keys)
    ended = await run_to_end(write_config(tmp_path, settings))
    assert ended.code == 2
    assert "discovery.enabled" in ended.stderr
    assert "fallbackManifestFile" in ended.stderr
