"""Planted secrets are looked for in everything that a gateway's process puts out (threat/T11, T22, T12, gateway/X4)."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.gateway import NEW, REVISIONS, manifest, tool
from support.http import Response, exchange, render
from support.process import GatewayProcess, declared, gateway_process, mcp
from support.tool_service import Answer, Close, Received, ToolService, reply

CANARY = "CANARY"
CALLER = [
    *((b"employee-no", b"CANARY-employee"), (b"virtual-employee-no", b"CANARY-virtual")),
    *((b"Authorization", b"Bearer CANARY-token"), (b"Cookie", b"session=CANARY-cookie")),
    *((b"Mcp-Session-Id", b"CANARY-session"), (b"X-Api-Key", b"CANARY-key")),
]
ARGUMENTS = b'{"ssn":"CANARY-argument"}'
TRACE = b"Traceback (most recent call last):\n  File '/srv/CANARY/app.py' at 10.1.2.3:5432 password=CANARY-password"


def tool_answers() -> dict[str, Answer]:
    """Return what tools answer whose contents must stay between them and the caller, or with them alone."""
    return {
        "result": reply(body=b'{"balance":"SHOWN"}'),
        "failure_500": reply(500, TRACE),
        "failure_400": reply(400, TRACE, content_type=b"text/plain"),
        "failure_422": reply(422, b'{"error":{"message":"SHOWN"},"trace":"CANARY","sql":"select CANARY"}'),
        "redirect": reply(302, TRACE, headers=[(b"Location", b"http://CANARY.internal/x")]),
        "not_text": reply(body=b"\xff" + TRACE),
        "mismatch": reply(body=b'{"CANARY":1}'),
        "cookie": reply(
            body=b'{"balance":"SHOWN"}', headers=[(b"Set-Cookie", b"id=CANARY-set"), (b"Server", b"CANARY")]
        ),
        "broken": (Close(),),
        "garbage": reply(599, TRACE, headers=[(b"X-Error-Id", b"CANARY <script>")]),
    }


def echo(seen: Received) -> Answer:
    return reply(body=json.dumps({name.decode(): value.decode() for name, value in seen.headers.items()}).encode())


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        schema = {"type": "object", "required": ["n"]}
        tools = [tool(name, **({"outputSchema": schema} if name == "mismatch" else {})) for name in tool_answers()]
        started.on("/tool-manifest?key=CANARY-key", reply(body=manifest("ins", [*tools, tool("echo")])))
        for name, answer in tool_answers().items():
            started.on(f"/tools/{name}", answer)
        started.on("/tools/echo", echo)
        yield started


BROKEN = [
    *(b'{"CANARY', b'["CANARY"]', b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"CANARY"}'),
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"result","arguments":"CANARY"}}',
    b'{"jsonrpc":"2.0","id":{"CANARY":1},"method":"CANARY","METHOD":"CANARY"}',
]
METHODS = ("initialize", "ping", "tools/list", "server/discover", "CANARY/method")
TWICE = [*CALLER, (b"employee-no", b"CANARY-second")]
LONG = [(b"employee-no", b"CANARY" * 2000)]


async def everything_a_caller_can_see(gateway: GatewayProcess) -> AsyncIterator[Response]:
    """Make calls of every kind, good and bad, each with all secrets of a caller."""
    for revision in REVISIONS:
        for name in [*tool_answers(), "CANARY_no_such_tool"]:
            yield await gateway.call(name, ARGUMENTS, revision=revision, headers=CALLER)
        for method in METHODS:
            yield await gateway.rpc(method, {"x": "CANARY"}, revision=revision, headers=CALLER)
    for body in BROKEN:
        yield await gateway.post(body, CALLER)
    for headers in (TWICE, LONG, [(b"Origin", b"http://CANARY.example")]):
        yield await gateway.call("result", ARGUMENTS, headers=headers)
    for path in (b"/CANARY", b"/mcp/CANARY?CANARY", b"/actuator/CANARY"):
        yield await exchange(gateway.port, render(b"{}", CALLER, path=path))


@pytest.mark.req("threat/T11", "threat/T12", "threat/T22", "gateway/X4", "gateway/M2", "gateway/M3", "decision/D14")
async def test_no_secret_of_callers_tools_or_configuration_is_in_any_output(
    service: ToolService, tmp_path: Path
) -> None:
    asked = {"refreshIntervalSeconds": 3600, "recheckMinIntervalMillis": 0}
    settings = mcp(declared("ins", service.url("/tool-manifest?key=${KEY}")), registry=asked)
    flags = ("--port", "0", "--management-port", "0", "--log-level", "debug")
    async with gateway_process(tmp_path, settings, flags=flags, environ={"KEY": "CANARY-key"}) as gateway:
        answers = [answer async for answer in everything_a_caller_can_see(gateway)]
        await service.stop()
        answers += [await gateway.call("result", ARGUMENTS, headers=CALLER, revision=NEW)]
        await gateway.call("CANARY_makes_a_pull_fail", headers=CALLER)
        await gateway.log.event("manifest_pull_failed", reason="ConnectFailed")
        pages = [
            (await gateway.get(path)).body
            for path in ("/actuator/health", "/actuator/info", "/actuator/toolBundles", "/actuator/prometheus")
        ]
    assert CANARY not in gateway.log.raw.decode()
    for page in pages:
        assert CANARY.encode() not in page
    for answer in answers:
        assert CANARY.encode() not in answer.body
        assert not any(CANARY.encode() in value for value in answer.headers.values())
        for never in (str(service.port).encode(), b"Traceback", b"/srv/", b"10.1.2.3", b"127.0.0.1", b".py"):
            assert never not in answer.body
    assert sum(b"SHOWN" in answer.body for answer in answers) == 3 * len(REVISIONS)


@pytest.mark.req("decision/D13", "gateway/X2", "threat/T11")
@pytest.mark.parametrize("forward", [False, True])
async def test_a_tool_sees_of_the_caller_what_the_deployment_forwards_and_the_log_nothing_of_it(
    service: ToolService, tmp_path: Path, forward: bool
) -> None:
    settings = mcp(declared("ins", service.url("/tool-manifest?key=CANARY-key"), forwardAuthorization=forward))
    async with gateway_process(tmp_path, settings) as gateway:
        answer = await gateway.call("echo", headers=[*CALLER, (b"guid", b"G-1")])
        seen = json.loads(answer.json["result"]["content"][0]["text"])
        await gateway.log.event("tool_call", guid="G-1")
    assert seen.pop("authorization", None) == ("Bearer CANARY-token" if forward else None)
    for name in ("host", "content-length"):
        del seen[name]
    assert seen == {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "mcp-method": "tools/call",
        "mcp-name": "echo",
        "guid": "G-1",
        "mcp-session-id": "CANARY-session",
        "employee-no": "CANARY-employee",
        "virtual-employee-no": "CANARY-virtual",
    }
    assert CANARY not in gateway.log.raw.decode()
    assert (
        bool([event for event in gateway.log.events if "forwardAuthorization" in event.get("message", "")]) is forward
    )
