"""The part of the bench with an MCP server behind the gateway."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import inputs
from bench.answers import check_call
from bench.compare import Round
from bench.goals import ours_failed, speeds
from bench.inputs import LEGACY, MODERN, Request
from bench.mcp_suts import DIRECT, DIRECT_MODERN, FASTMCP, FASTMCP_MODERN, McpField
from bench.peers import mcp_upstream
from bench.plan import FULL, MCP_1, MCP_4, MCP_CPU, MCP_LATENCY, QUICK
from bench.processes import choose_cores
from bench.servers import Running, start
from bench.suts import OURS, OURS_MODERN

ROUND = Round(requests=2000, rate=1000.0, p50=100.0, p99=200.0, cpu=20.0, busy=0.99, resident=30.0, errors=0)
EVERYONE = (DIRECT, DIRECT_MODERN, OURS, OURS_MODERN, FASTMCP, FASTMCP_MODERN)


def asked(request: Request) -> tuple[str, dict[str, Any]]:
    """Return status line and body of the upstream's answer."""
    head = "\r\n".join(["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in request.headers.items())])
    first, _, rest = mcp_upstream.answer(head.lower().encode(), request.body).partition(b"\r\n")
    return first.decode(), json.loads(rest.partition(b"\r\n\r\n")[2] or b"null")


@pytest.mark.parametrize("wire", [LEGACY, MODERN])
def test_the_server_behind_all_answers_calls_and_lists_on_both_wires(wire: str) -> None:
    status, called = asked(inputs.call_request(wire))
    assert (status, called["id"]) == ("HTTP/1.1 200 OK", 1)
    assert called["result"]["content"] == [{"type": "text", "text": inputs.answer()}]
    _, listed = asked(inputs.list_request(wire))
    assert listed["result"]["tools"] == inputs.public_tools(inputs.manifest(50, "http://nowhere"))
    for result in (called["result"], listed["result"]):
        assert ("resultType" in result) == (wire == MODERN)
    assert ("ttlMs" in listed["result"]) == (wire == MODERN)


def test_the_server_behind_all_takes_the_id_as_it_is_and_knows_no_more_than_it_must() -> None:
    body = b'{"jsonrpc":"2.0","method":"%b","id":"a-\\u002d"}'
    old, new = b"post /mcp http/1.1", b"post /mcp http/1.1\r\nmcp-protocol-version: 2026-07-28"
    assert b'"id":"a-\\u002d"' in mcp_upstream.answer(old, body % b"initialize")
    assert mcp_upstream.answer(old, b'{"jsonrpc":"2.0","method":"notifications/initialized"}').startswith(
        b"HTTP/1.1 202"
    )
    assert mcp_upstream.answer(b"get /mcp http/1.1", b"").startswith(b"HTTP/1.1 405")
    assert mcp_upstream.answer(new, body % b"subscriptions/listen").startswith(b"HTTP/1.1 404")
    assert b"-32601" in mcp_upstream.answer(old, body % b"resources/list")
    assert mcp_upstream.answer(new, body % b"initialize").startswith(b"HTTP/1.1 404")
    assert b"supportedVersions" in mcp_upstream.answer(new, body % b"server/discover")


def test_it_serves_on_a_port_and_is_itself_a_contestant_on_both_wires(tmp_path: Path) -> None:
    field = McpField(tmp_path, 50)
    makers = dict(field.contestants())
    assert tuple(makers) == EVERYONE
    started: list[Running] = []
    try:
        running = start(field.upstream(), choose_cores({0}).sut, started.append)
        sizes = [check_call(makers[name](), running.server.port, inputs.answer()) for name in (DIRECT, DIRECT_MODERN)]
    finally:
        for one in started:
            one.stop()
    assert all(size > len(inputs.answer()) for size in sizes)


def test_the_gateway_has_the_server_as_a_bundle_that_speaks_mcp(tmp_path: Path) -> None:
    server = McpField(tmp_path, 50).gateway()
    text = (tmp_path / "gateway_mcp.yaml").read_text(encoding="utf-8")
    assert "protocol: mcp\n" in text
    assert "--config" in server.command
    assert server.management_port


def test_each_wire_is_held_against_the_proxy_and_the_bare_server_on_that_wire() -> None:
    rounds = {
        OURS: [ROUND],
        OURS_MODERN: [ROUND._replace(cpu=40.0, p50=150.0)],
        FASTMCP: [ROUND._replace(cpu=8000.0)],
        FASTMCP_MODERN: [ROUND._replace(cpu=20_000.0)],
        DIRECT: [ROUND._replace(p50=20.0)],
        DIRECT_MODERN: [ROUND._replace(p50=30.0)],
    }
    found = {one.goal.name: one.value for one in speeds({MCP_1: rounds, MCP_4: rounds})}
    assert found == {
        MCP_CPU.name: 400.0,
        MCP_LATENCY.name: 80.0,
        f"{MCP_CPU.name}, {MODERN} wire": 500.0,
        f"{MCP_LATENCY.name}, {MODERN} wire": 120.0,
    }


def test_a_proxy_that_is_not_installed_leaves_its_goal_unmeasured_and_breaks_nothing() -> None:
    rounds = {OURS: [ROUND], OURS_MODERN: [ROUND], DIRECT: [ROUND], DIRECT_MODERN: [ROUND]}
    missing = {MCP_1: {FASTMCP: "its environment is not installed"}}
    verdicts = [one.verdict for one in speeds({MCP_1: rounds, MCP_4: rounds}) if one.value is None]
    assert verdicts == [
        f"not measured: {OURS} or {FASTMCP} was not run",
        f"not measured: {OURS_MODERN} or {FASTMCP_MODERN} was not run",
    ]
    assert not ours_failed({MCP_1: rounds}, missing)
    assert ours_failed({MCP_1: rounds}, {MCP_1: {OURS: "gave another answer"}})


def test_the_bounds_are_three_hundred_times_and_a_millisecond() -> None:
    assert (MCP_CPU.reach, MCP_LATENCY.reach, MCP_LATENCY.unit) == (300, 1000, "us")


def test_the_part_about_mcp_has_its_cases_alone_and_everyone_in_them() -> None:
    part = QUICK.of_mcp()
    assert part.cases == (MCP_1, MCP_4)
    assert (part.memory_seconds, part.checks, part.telegrams, part.agents) == (0, 0, 0, 0)
    assert all(part.takes_part(name, case) for name in EVERYONE for case in part.cases)
    assert {MCP_1, MCP_4} <= set(FULL.cases)
    assert {MCP_1, MCP_4} <= set(QUICK.cases)
    assert MCP_1.name == "MCP call @1"
