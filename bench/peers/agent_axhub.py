"""Our agent as an application builds it: a registry with one capability, its policy, the store on SQLite."""

import json
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from pydantic import Field

from axhub.agent import (
    Answered,
    AskRequest,
    CallContext,
    Effect,
    LoopSettings,
    Tool,
    ToolArgs,
    ToolRegistry,
    ToolResult,
)
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.migrations import upgrade
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    ModelTurn,
    ResultsMessage,
    TurnRequest,
    UserMessage,
)
from axhub.agent.main import Agent, build_agent
from axhub.agent.testing import FakeActor
from bench.peers.agent_desk import ARGUMENT, DESCRIPTION, INSTRUCTIONS, TOOL, Script, rows, serve_agent, view

ACTOR = FakeActor()
ACTORS = ActorCodec[FakeActor](
    lambda one: {"user": one.user_id, "tenant": one.tenant_id, "roles": sorted(one.roles)},
    lambda kept: FakeActor(kept["user"], kept["tenant"], frozenset(kept["roles"])),
)


class Capability(StrEnum):
    ORDERS = "orders"


class SearchArgs(ToolArgs):
    order_id: str = Field(description=ARGUMENT)


class OrderView(ToolResult):
    order_id: str
    state: str
    items: int
    total: int


class SearchOrders(Tool[SearchArgs, OrderView, FakeActor]):
    name = TOOL
    description = DESCRIPTION
    effect = Effect.READ

    async def run(self, args: SearchArgs, _context: CallContext[FakeActor]) -> OrderView:
        return OrderView(**view(args.order_id))


class RefundOrder(Tool[SearchArgs, OrderView, FakeActor]):
    name = "refund_order"
    description = "Refund one order of the signed-in customer."
    effect = Effect.WRITE

    def key(self, args: SearchArgs, _context: CallContext[FakeActor]) -> str:
        return args.order_id

    async def run(self, args: SearchArgs, _context: CallContext[FakeActor]) -> OrderView:
        return OrderView(**view(args.order_id))


class Model:
    """Follows the script; see `Turns`."""

    def __init__(self, script: Script, tool: str = TOOL) -> None:
        self._script = script
        self._tool = tool
        self._calls = 0

    async def take(self, request: TurnRequest, _on_text: Callable[[str], None] | None = None) -> ModelTurn:
        last = request.messages[-1]
        if isinstance(last, ResultsMessage):
            return ModelTurn(AssistantMessage(self._script.answer(last.results[-1].text)))
        if not isinstance(last, UserMessage):
            raise TypeError(last)
        people = sum(isinstance(one, UserMessage) for one in request.messages)
        self._calls += 1
        wanted = json.dumps(self._script.wanted(last.text, people))
        return ModelTurn(AssistantMessage(calls=(CallRequest(f"call-{self._calls}", self._tool, wanted),)))


class Axhub:
    """See `System`."""

    def __init__(self, script: Script, tool: Tool[SearchArgs, OrderView, FakeActor] | None = None) -> None:
        self._tool = tool or SearchOrders()
        self._model = Model(script, self._tool.name)
        self._database: Database | None = None
        self._agent: Agent[Capability, FakeActor] | None = None

    @property
    def agent(self) -> Agent[Capability, FakeActor]:
        """The agent of the open database."""
        if self._agent is None:
            raise AssertionError
        return self._agent

    async def open(self, path: Path) -> None:
        self._database = Database(f"sqlite:///{path}")
        await upgrade(self._database)
        self._agent = build_agent(
            turns=self._model,
            sources=[ToolRegistry[Capability, FakeActor]({Capability.ORDERS: [self._tool]})],
            resolve=lambda _agent, _actor: frozenset({Capability.ORDERS}),
            store=SqlRunStore(self._database, ACTORS),
            settings=LoopSettings(instructions=INSTRUCTIONS, pending_approvals=1_000_000),
        )

    async def close(self) -> None:
        if self._database is not None:
            await self._database.close()

    async def asked(self, conversation: str | None, text: str) -> Any:
        """Return the outcome of a message."""
        allowed = frozenset({Capability.ORDERS})
        return await self.agent.ask(
            AskRequest(agent="support", message=text, actor=ACTOR, capabilities=allowed, conversation_id=conversation)
        )

    async def ask(self, conversation: str | None, text: str) -> tuple[str, str]:
        outcome = await self.asked(conversation, text)
        if not isinstance(outcome, Answered):
            raise TypeError(outcome)
        return outcome.conversation_id, outcome.text

    def stored(self, path: Path, conversation: str) -> Any:
        query = "SELECT kind, body FROM agent_message WHERE conversation_id = ? ORDER BY seq"
        return [line for kind, body in rows(path, query, conversation) for line in _lines(kind, json.loads(body))]


def _lines(kind: str, body: Any) -> list[list[Any]]:
    if kind == "results":
        return [["result", json.loads(one["text"])] for one in body["results"]]
    calls = [["call", one["name"], json.loads(one["arguments"])] for one in body.get("calls", ())]
    return [*([[kind, body["text"]]] if body["text"] else []), *calls]


if __name__ == "__main__":
    own = Script()
    serve_agent(Axhub(own), own)
