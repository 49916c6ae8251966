"""An agent, a real gateway and the insurer's Tool Service behind it: processes and a whole loop (agent/A9)."""

import asyncio
import json
import logging
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.agent import (
    Answered,
    AskRequest,
    Decision,
    McpServer,
    SealedActor,
    ToolRegistry,
    Waiting,
    mcp_tools,
    reads,
    tool_digests,
    writes,
)
from axhub.agent.adapters.mcp_tools.source import McpTools
from axhub.agent.domain.messages import CallResult, ResultKind, ResultsMessage
from axhub.agent.main import Agent, Effects, build_agent
from axhub.agent.testing import (
    FakeActor,
    MemoryData,
    MemoryRunStore,
    RecordingObserver,
    ScriptedTurns,
    call,
    calls,
)
from support import tree
from support.agents import APPROVER, SETTINGS
from support.desk import eventually
from support.ports import free_ports
from support.process import GatewayProcess, declared, gateway_process, mcp, often
from support.remote import BOTH, Can
from support.service_process import ServiceProcess, service_process
from support.tool_service import Hang, ToolService, reply

pytestmark = [pytest.mark.req("agent/A9"), pytest.mark.timeout(120)]

CLAIM: Final = {"contractNo": "2023-0001234", "accidentOn": "2026-08-01", "cause": "계단에서 넘어져 골절"}
PROJECT: Final = tree.ROOT / "examples" / "insurance_tools"
REFUSAL: Final = "claimNo 또는 contractNo 중 하나 이상이 필요합니다"
CANARY: Final = "canary-person-4711"
MINJI: Final = FakeActor(user_id=CANARY)


class Reversing:
    async def seal(self, actor: FakeActor) -> SealedActor:
        return SealedActor(employee_no=f"enc:{actor.user_id[::-1]}")


@dataclass
class House:
    """Everything that runs."""

    service: ServiceProcess
    gateway: GatewayProcess
    source: McpTools[Can, FakeActor]
    agent: Agent[Can, FakeActor]
    turns: ScriptedTurns
    observer: RecordingObserver

    async def ask(self, message: str = "부탁합니다.") -> Any:
        asked = AskRequest(agent="desk", message=message, actor=MINJI, capabilities=BOTH)
        return await self.agent.ask(asked)

    def told(self) -> tuple[CallResult, ...]:
        """Return the last results that the model read."""
        found = [one for one in self.turns.requests[-1].messages if isinstance(one, ResultsMessage)]
        return found[-1].results


@asynccontextmanager
async def house(tmp_path: Path, *turns: Any) -> AsyncIterator[House]:
    """Run the insurer's service, a gateway before it, and an agent with tools of that gateway and of its own."""
    async with AsyncExitStack() as stack:
        (port,) = free_ports(1)  # one that is known before: the systems behind it are its own mocks
        said = {"AXHUB_SERVICE__SERVER__PORT": str(port), "INSURANCE_TOOLS_REPEATS": str(tmp_path / "repeats.sqlite3")}
        words = ("insurance_tools", "--profile", "local")
        service = await stack.enter_async_context(service_process(*words, cwd=PROJECT, **said))
        await service.ready()
        bundle = declared("insurance-tools", f"http://127.0.0.1:{service.port}/tool-manifest")
        gateway = await stack.enter_async_context(gateway_process(tmp_path, mcp(bundle, registry=often(0.5))))
        server = McpServer(id="insurance", url=f"http://127.0.0.1:{gateway.port}/mcp", refresh_seconds=1.0)
        digests = await tool_digests(server)
        mapping = {
            Can.READ: [reads("cmm_claim_search")],
            Can.WRITE: [
                writes("cmm_claim_register", digest=digests["cmm_claim_register"], key=["contractNo", "accidentOn"])
            ],
        }
        effects = Effects(observer=RecordingObserver())
        assert isinstance(effects.observer, RecordingObserver)
        source = mcp_tools(server, mapping, cipher=Reversing(), effects=effects)
        script = ScriptedTurns(*turns)
        agent = build_agent(
            turns=script,
            sources=[ToolRegistry[Can, FakeActor]({}, effects.observer, elsewhere=source.capabilities), source],
            resolve=lambda _agent, _actor: BOTH,
            store=MemoryRunStore[FakeActor](MemoryData()),
            settings=SETTINGS,
            effects=effects,
        )
        await stack.enter_async_context(source.running(20))
        yield House(service, gateway, source, agent, script, effects.observer)


async def test_a_claim_is_found_and_after_a_persons_yes_registered_and_every_log_leads_to_the_audit(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    search = call("cmm_claim_search", contractNo=CLAIM["contractNo"])
    async with house(tmp_path, calls(search), calls(call("cmm_claim_register", **CLAIM)), "접수했습니다.") as it:
        waiting = await it.ask()
        assert isinstance(waiting, Waiting)
        (approval,) = waiting.approvals
        assert (approval.tool, approval.arguments) == ("cmm_claim_register", CLAIM)
        assert (await it.agent.decide.decide(approval.id, Decision.APPROVE, "", APPROVER)).fault is None
        answered = await it.agent.resume.next()
        assert answered == Answered(waiting.run_id, waiting.conversation_id, "접수했습니다.")
        (registered,) = it.told()
        assert registered.kind is ResultKind.OK
        assert "claimNo" in registered.text

        await it.gateway.log.event("tool_call", tool="cmm_claim_register", outcome="ok", guid=waiting.run_id)
        here = it.gateway.log.named("tool_call")
        assert [one["tool"] for one in here] == ["cmm_claim_search", "cmm_claim_register"]
        assert {one["guid"] for one in here} == {waiting.run_id}
        assert here[1]["xRequestId"] == approval.id
        there = await it.service.log.event("tool_call", tool="cmm_claim_register")
        assert (there["guid"], there["xRequestId"]) == (waiting.run_id, approval.id)

        prompts = repr(it.turns.requests)
        logs = f"{it.gateway.log.raw.decode()} {it.service.log.raw.decode()} {caplog.text} {it.observer.notes}"
        for secret in (CANARY, CANARY[::-1]):
            assert secret not in prompts
            assert secret not in logs
        assert it.observer.faults == {}
        assert "employee" not in prompts


async def test_names_and_schemas_that_a_model_reads_are_those_of_the_catalogue(tmp_path: Path) -> None:
    async with house(tmp_path, "안녕하세요.") as it:
        await it.ask()
        shown = {one.name: one for one in it.turns.requests[0].tools}
        assert set(shown) == {"cmm_claim_search", "cmm_claim_register"}
        listed = (await it.gateway.rpc("tools/list")).json["result"]["tools"]
        published = {one["name"]: one for one in listed}
        for name, one in shown.items():
            assert (one.description, one.parameters) == (published[name]["description"], published[name]["inputSchema"])


async def test_a_refusal_of_the_service_is_told_in_its_words_and_bad_arguments_never_leave(tmp_path: Path) -> None:
    wrong, right = call("cmm_claim_search", claimNo="x"), call("cmm_claim_search")
    async with house(tmp_path, calls(wrong), calls(right), "없습니다.") as it:
        await it.ask()
        first, second = [one.results[0] for one in it.turns.requests[-1].messages if isinstance(one, ResultsMessage)]
        assert "do not fit the schema: claimNo: it does not match" in first.text
        assert (second.kind, REFUSAL in second.text) == (ResultKind.ERROR, True)
        await it.gateway.log.event("tool_call", tool="cmm_claim_search")
        assert len(it.gateway.log.named("tool_call")) == 1


@asynccontextmanager
async def slow_write(tmp_path: Path) -> AsyncIterator[tuple[ToolService, GatewayProcess, Any]]:
    """Run a gateway before a service whose write never answers, and a source with it."""
    tool: Mapping[str, Any] = {
        "name": "slow_add",
        "description": "Adds, slowly.",
        "inputSchema": {"type": "object", "properties": {"no": {"type": "string"}}, "required": ["no"]},
        "endpoint": "/slow",
        "_meta": {"version": "1.0.0", "timeoutMillis": 20_000},
    }
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=json.dumps({"bundleId": "ins", "tools": [tool]}).encode()))
        service.on("/slow", (Hang(),))
        async with gateway_process(tmp_path, mcp(declared("ins", service.url()))) as gateway:
            server = McpServer(id="ins", url=f"http://127.0.0.1:{gateway.port}/mcp", refresh_seconds=600.0)
            digest = (await tool_digests(server))["slow_add"]
            wanted = writes("slow_add", digest=digest, key=["no"], timeout_seconds=30.0)
            source = mcp_tools(server, {Can.WRITE: [wanted]}, effects=Effects(observer=RecordingObserver()))
            async with source.running(20):
                yield service, gateway, source


@pytest.mark.req("agent/L6")
@pytest.mark.parametrize("dies", ["gateway", "service"])
async def test_a_process_that_dies_in_the_middle_of_a_write_leaves_it_unknown_and_nothing_is_sent_again(
    tmp_path: Path, dies: str
) -> None:
    turns = ScriptedTurns(calls(call("slow_add", no="7")), "I do not know.")
    async with slow_write(tmp_path) as (service, gateway, source):
        store = MemoryRunStore[FakeActor](MemoryData())
        agent = build_agent(
            turns=turns, sources=[source], resolve=lambda _agent, _actor: BOTH, store=store, settings=SETTINGS
        )
        waiting = await agent.ask(AskRequest(agent="desk", message="Add.", actor=MINJI, capabilities=BOTH))
        assert isinstance(waiting, Waiting)
        await agent.decide.decide(waiting.approvals[0].id, Decision.APPROVE, "", APPROVER)
        going = asyncio.create_task(agent.resume.next())
        await eventually(lambda: any(one.target == b"/slow" for one in service.requests))
        if dies == "gateway":
            gateway.signal(signal.SIGKILL)
            await gateway.exit_code()
        else:
            await service.stop()
        assert isinstance(await going, Answered)
        (told,) = [one.results[0] for one in turns.requests[-1].messages if isinstance(one, ResultsMessage)]
        assert told.kind is ResultKind.UNKNOWN
        assert len([one for one in service.requests if one.target == b"/slow"]) == 1
