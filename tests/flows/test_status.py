"""What operators see of a running gateway through every status of its bundles (gateway/M1, gateway/M2, gateway/K2)."""

import asyncio
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.callers import names_of, text_of
from support.gateway import manifest, tool
from support.process import GatewayProcess, declared, gateway_process, mcp, often
from support.tool_service import Hang, ToolService, reply

LOCAL = ("--profile", "local", "--port", "0", "--management-port", "0")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
MEMBERS = [
    *("id", "status", "toolCount", "revision", "lastAttemptAt", "lastSuccessAt"),
    *("consecutiveFailures", "lastFailureReason", "shrunk", "stale"),
]
HEALTHY = {"status": "healthy", "consecutiveFailures": 0, "lastFailureReason": None, "shrunk": False, "stale": False}


def shown(entry: dict[str, Any], *without: str) -> dict[str, Any]:
    """Return what is left of a bundle's entry when moments are only looked at."""
    assert list(entry) == MEMBERS
    for key in ("lastAttemptAt", "lastSuccessAt"):
        assert entry[key] is None or MOMENT.fullmatch(entry[key])
    return {key: value for key, value in entry.items() if key not in ("id", "lastAttemptAt", *without)}


async def readiness(gateway: GatewayProcess) -> tuple[int, str]:
    answer = await gateway.get("/actuator/health/readiness")
    assert (await gateway.get("/actuator/health/liveness")).json == {"status": "UP"}
    assert (await gateway.get("/actuator/health")).status == answer.status
    return answer.status, answer.json["status"]


@pytest.mark.req("gateway/M1", "gateway/M2", "gateway/K2", "gateway/K7", "gateway/G8", "gateway/G1", "fault/F07")
async def test_a_gateway_through_every_status_of_its_bundles(tmp_path: Path) -> None:
    async with ToolService() as up, ToolService() as late, ToolService() as filed, ToolService() as off:
        up.on("/tool-manifest", reply(body=manifest("up", [tool("up_one"), tool("up_two")], revision="r1")))
        filed.on("/tool-manifest", reply(body=manifest("filed", [tool("filed_new")])))
        late.on("/tool-manifest", reply(body=manifest("late", [tool("late_one")])))
        for down in (late, filed):
            await down.stop()
        (tmp_path / "filed.json").write_bytes(manifest("filed", [tool("filed_old")]))
        settings = mcp(
            declared("up", up.url("/tool-manifest"), namePrefix="up_"),
            declared("filed", filed.url(), fallbackManifestFile="filed.json"),
            declared("late", late.url()),
            declared("off", off.url(), enabled=False),
            registry=often(0.1),
        )
        async with gateway_process(tmp_path, settings, flags=LOCAL, wait_ready=False) as gateway:
            await nothing_while_one_never_succeeded(gateway)
            await late.start()
            await whole_once_it_has(gateway)
            await up.stop()
            await still_whole_when_one_is_gone(gateway)
            before = len(gateway.log.events)
            await filed.start()
            await the_remote_one_replaces_the_file(gateway, before)
            bodies = [
                (await gateway.get(path)).body
                for path in ("/actuator/health", "/actuator/info", "/actuator/toolBundles")
            ]
        for body in bodies:
            for never in (b"127.0.0.1", b"manifestUrl", b"up_", b"tool-manifest", *(b"%d" % up.port,)):
                assert never not in body
        assert off.connections == 0


async def nothing_while_one_never_succeeded(gateway: GatewayProcess) -> None:
    assert (await gateway.log.event("catalogue_waits"))["bundles"] == "late"
    await gateway.log.event("manifest_pull_failed", bundle="filed", consecutiveFailures=2)
    assert await readiness(gateway) == (503, "DOWN")
    health = (await gateway.get("/actuator/health")).json
    assert health["components"]["readinessState"]["details"] == {"reason": "no_snapshot"}
    assert health["components"]["livenessState"] == {"status": "UP"}
    assert (await gateway.rpc("tools/list")).status == 503
    assert (await gateway.call("up_one")).status == 503
    status = await gateway.status()
    assert status["snapshot"] is None
    assert shown(status["up"], "lastSuccessAt") == {**HEALTHY, "toolCount": 2, "revision": "r1"}
    fallback = shown(status["filed"], "consecutiveFailures")
    assert status["filed"]["consecutiveFailures"] >= 2
    assert fallback == {
        "status": "fallback",
        "toolCount": 1,
        "revision": None,
        "lastSuccessAt": None,
        "lastFailureReason": "ConnectFailed",
        "shrunk": False,
        "stale": False,
    }
    assert shown(status["late"], "consecutiveFailures") == {**fallback, "status": "unreachable", "toolCount": 0}
    assert status["late"]["consecutiveFailures"] >= 1
    assert status["off"] == {
        **dict.fromkeys(MEMBERS),
        "id": "off",
        "status": "disabled",
        "toolCount": 0,
        "consecutiveFailures": 0,
        "shrunk": False,
        "stale": False,
    }


async def whole_once_it_has(gateway: GatewayProcess) -> None:
    published = await gateway.log.event("catalogue_published")
    assert await readiness(gateway) == (200, "UP")
    listed = await gateway.rpc("tools/list")
    assert names_of(listed) == ["filed_old", "late_one", "up_one", "up_two"]
    status = await gateway.status()
    snapshot = status["snapshot"]
    array = json.dumps(listed.json["result"]["tools"], ensure_ascii=False, separators=(",", ":")).encode()
    assert MOMENT.fullmatch(snapshot.pop("builtAt"))
    assert snapshot == {"digest": published["digest"], "toolCount": 4, "sizeBytes": len(array), "stale": False}
    assert shown(status["late"], "lastSuccessAt", "revision") == {**HEALTHY, "toolCount": 1}
    assert status["filed"]["status"] == "fallback"


async def still_whole_when_one_is_gone(gateway: GatewayProcess) -> None:
    await gateway.log.event("manifest_pull_failed", bundle="up", consecutiveFailures=2)
    status = await gateway.status()
    assert shown(status["up"], "lastSuccessAt", "consecutiveFailures", "stale") == {
        "status": "degraded",
        "toolCount": 2,
        "revision": "r1",
        "lastFailureReason": "ConnectFailed",
        "shrunk": False,
    }
    assert MOMENT.fullmatch(status["up"]["lastSuccessAt"])
    assert await readiness(gateway) == (200, "UP")
    assert names_of(await gateway.rpc("tools/list")) == ["filed_old", "late_one", "up_one", "up_two"]


async def the_remote_one_replaces_the_file(gateway: GatewayProcess, before: int) -> None:
    await gateway.log.event("manifest_adopted", bundle="filed", since=before)
    await gateway.log.event("catalogue_published", since=before)
    assert (await gateway.status())["filed"]["status"] == "healthy"
    assert names_of(await gateway.rpc("tools/list")) == ["filed_new", "late_one", "up_one", "up_two"]


GOOD = manifest("ins", [tool("claim_find")], revision="good")
REASONS = [
    ("ConnectFailed", None),
    ("TimedOut", (Hang(),)),
    ("HttpStatus", reply(503, GOOD)),
    ("ContentType", reply(body=GOOD, content_type=b"text/html")),
    ("ContentType", reply(body=gzip.compress(GOOD), headers=[(b"Content-Encoding", b"gzip")])),
    ("TooLarge", reply(body=GOOD + b" " * 65_536)),
    ("InvalidJson", reply(body=GOOD[:-1])),
    ("InvalidManifest", reply(body=manifest("other", [tool("claim_find")]))),
    ("UnexpectedNotModified", reply(304, b"", length=None)),
]


@pytest.mark.req("gateway/M2", "gateway/G5", "gateway/K6", "gateway/M3")
async def test_each_reason_of_a_failed_pull_shows_and_a_success_clears_it(tmp_path: Path) -> None:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=GOOD))
        service.on("/tools/claim_find", reply(body=b'{"found":1}'))
        settings = mcp(declared("ins", service.url()), registry=often(0.05))
        settings["discovery"] = {"readTimeoutMillis": 2_000, "connectTimeoutMillis": 1_000, "maxManifestBytes": 65_536}
        async with gateway_process(tmp_path, settings) as gateway:
            for reason, answer in REASONS:
                before = len(gateway.log.events)
                if answer is None:
                    await service.stop()
                else:
                    service.on("/tool-manifest", answer)
                await gateway.log.event("manifest_pull_failed", since=before, reason=reason)
                entry = (await gateway.status())["ins"]
                assert (entry["status"], entry["lastFailureReason"], entry["toolCount"]) == ("degraded", reason, 1)
                assert await readiness(gateway) == (200, "UP")
                assert text_of(await gateway.call("claim_find")) == '{"found":1}' or answer is None
                assert names_of(await gateway.rpc("tools/list")) == ["claim_find"]
                before = len(gateway.log.events)
                service.on("/tool-manifest", reply(body=GOOD))
                if answer is None:
                    await service.start()
                await gateway.log.event("bundle_recovered", since=before, bundle="ins", status="healthy")
                entry = (await gateway.status())["ins"]
                assert shown(entry, "lastSuccessAt") == {**HEALTHY, "toolCount": 1, "revision": "good"}
            metrics = await gateway.metrics()
    for reason, _ in REASONS:
        assert metrics[f'axhub_refreshes_total{{bundle="ins",outcome="{reason}"}}'] >= 1
    assert metrics['axhub_refreshes_total{bundle="ins",outcome="ok"}'] >= len(REASONS)
    assert metrics['axhub_bundle_status{bundle="ins",status="healthy"}'] == 1


@pytest.mark.req("gateway/K8", "decision/D16", "gateway/M2")
async def test_a_drop_and_a_long_silence_are_obeyed_and_marked(tmp_path: Path) -> None:
    many, few = ([tool(f"claim_{number}") for number in range(count)] for count in (5, 2))
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", many)))
        async with gateway_process(tmp_path, mcp(declared("ins", service.url()), registry=often(0.05))) as gateway:
            service.on("/tool-manifest", reply(body=manifest("ins", few)))
            shrunk = await gateway.log.event("bundle_shrunk")
            assert (shrunk["toolsBefore"], shrunk["tools"]) == (5, 2)
            await gateway.log.event("catalogue_published", tools=2)
            assert len(names_of(await gateway.rpc("tools/list"))) == 2
            service.on("/tool-manifest", reply(500))
            await gateway.log.event("bundle_stale")
            status = await gateway.status()
            assert (status["ins"]["shrunk"], status["ins"]["stale"], status["snapshot"]["stale"]) == (True, True, True)
            assert len(names_of(await gateway.rpc("tools/list"))) == 2
            metrics = await gateway.metrics()
            assert metrics['axhub_bundle_stale{bundle="ins"}'] == metrics['axhub_bundle_shrunk{bundle="ins"}'] == 1
            service.on("/tool-manifest", reply(body=manifest("ins", few)))
            await gateway.log.event("bundle_recovered")
            status = await gateway.status()
            assert (status["ins"]["shrunk"], status["ins"]["stale"], status["snapshot"]["stale"]) == (
                True,
                False,
                False,
            )


@pytest.mark.req("gateway/M1", "threat/T12")
async def test_management_and_mcp_know_nothing_of_each_other(tmp_path: Path) -> None:
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=GOOD))
        async with gateway_process(tmp_path, mcp(declared("ins", service.url()))) as gateway:
            paths = [
                *("/actuator/health", "/actuator/health/readiness", "/actuator/health/liveness", "/actuator/info"),
                *("/actuator/toolBundles", "/actuator/prometheus"),
            ]
            assert [(await gateway.get(path)).status for path in paths] == [200] * 6
            assert (await gateway.get("/actuator/info")).json["identity"] == "mcp-test"
            gateway.port, gateway.management_port = gateway.management_port, gateway.port
            assert [(await gateway.get(path)).status for path in paths] == [404] * 6
            refused = await asyncio.gather(gateway.rpc("tools/list"), gateway.call("claim_find"))
            assert [answer.status for answer in refused] == [404, 404]
            gateway.port, gateway.management_port = gateway.management_port, gateway.port
