"""An agent in a world of its own: scripted model, tools that do what a test says, a store, and a look at all of it."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from sqlalchemy import update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import SqlAuditTrail
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.actor import CallContext
from axhub.agent.domain.approval import Decider, Decision
from axhub.agent.domain.audit import verify
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import ArgumentsError, OutcomeUnknownError
from axhub.agent.domain.messages import CallResult, ResultsMessage
from axhub.agent.domain.outcomes import AskRequest, Outcome, Stopped, Waiting
from axhub.agent.main import Agent, Effects, build_agent
from axhub.agent.ports.runs import Decided, RunStore
from axhub.agent.ports.tools import Tool, ToolSource
from axhub.agent.ports.turns import Turns
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import FakeActor, FixedClock, NumberedIds, RecordingObserver, ScriptedTurns
from axhub.agent.usecases.dispatch import ErrorPolicy
from axhub.agent.usecases.loop import LoopSettings

ACTOR: Final = FakeActor()
APPROVER: Final = Decider("boss", "tenant-1", frozenset({"approver"}))
SETTINGS: Final = LoopSettings(instructions="You help.")

Context = CallContext[FakeActor]
Behave = Callable[[Mapping[str, Any], Context], Awaitable[str]]


class Cap(StrEnum):
    """What an agent may do."""

    READ = "read"
    WRITE = "write"


async def _done(arguments: Mapping[str, Any], _context: Context) -> str:
    return json.dumps({"done": arguments.get("order_id")})


class Probe:
    """A tool that takes an order's id, does what a test says, and keeps how it was called."""

    def __init__(
        self,
        name: str = "refund_order",
        effect: Effect = Effect.WRITE,
        behave: Behave = _done,
        *,
        found: str | Exception | None = None,
        key: str | Exception | None = None,
        **more: Any,
    ) -> None:
        """Take the behaviour; `found` is what the use case knows of a key, `key` instead of the order's id."""
        fields = {"order_id": {"type": "string"}, "note": {"type": "string"}}
        parameters = {"type": "object", "properties": fields, "required": ["order_id"], "additionalProperties": False}
        has_key = effect is Effect.WRITE
        self.definition = ToolDefinition(name, f"Does {name}.", parameters, effect, has_key=has_key, **more)
        self.behave = behave
        self.found = found
        self.key = key
        self.calls: list[tuple[Mapping[str, Any], Context]] = []
        self.asked: list[str] = []
        """Keys whose outcome was asked for."""

    def read(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        extra = sorted(arguments.keys() - {"order_id", "note"})
        problems = [f"{name}: Extra inputs are not permitted" for name in extra]
        if not isinstance(arguments.get("order_id"), str):
            problems.append("order_id: Field required")
        if problems:
            raise ArgumentsError(tuple(problems))
        return arguments

    def key_of(self, arguments: Mapping[str, Any], context: Context) -> str:
        if isinstance(self.key, Exception):
            raise self.key
        return str(arguments["order_id"]) if self.key is None else self.key

    async def call(self, arguments: Mapping[str, Any], context: Context) -> str:
        self.calls.append((arguments, context))
        return await self.behave(arguments, context)

    async def outcome(self, arguments: Mapping[str, Any], context: Context) -> str | None:
        assert context.key is not None
        self.asked.append(context.key)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def reader(name: str = "search_orders", behave: Behave = _done, **more: Any) -> Probe:
    return Probe(name, Effect.READ, behave, **more)


def raising(error: BaseException) -> Behave:
    async def behave(_arguments: Mapping[str, Any], _context: Context) -> str:
        raise error

    return behave


@dataclass
class World:
    """One agent and everything around it."""

    turns: ScriptedTurns
    database: Database
    store: RunStore[FakeActor]
    agent: Agent[Cap, FakeActor]
    clock: FixedClock
    observer: RecordingObserver
    probes: dict[str, Probe]
    allowed: set[Cap] = field(default_factory=lambda: set(Cap))
    """What the policy allows now."""

    async def ask(
        self,
        message: str = "Please.",
        *,
        conversation: str | None = None,
        capabilities: AbstractSet[Cap] = frozenset(Cap),
        actor: FakeActor = ACTOR,
        on_text: Callable[[str], None] | None = None,
    ) -> Outcome:
        asked = AskRequest(
            agent="support", message=message, actor=actor, capabilities=capabilities, conversation_id=conversation
        )
        return await self.agent.ask(asked, on_text)

    async def held(self, message: str = "Please.") -> Waiting:
        outcome = await self.ask(message)
        assert isinstance(outcome, Waiting), outcome
        return outcome

    async def stopped(self, message: str = "Please.") -> Stopped:
        outcome = await self.ask(message)
        assert isinstance(outcome, Stopped), outcome
        return outcome

    async def decide(
        self, approval: str, decision: Decision = Decision.APPROVE, comment: str = "", who: Decider = APPROVER
    ) -> Decided:
        return await self.agent.decide.decide(approval, decision, comment, who)

    async def approve_all(self, waiting: Waiting) -> None:
        for one in waiting.approvals:
            assert (await self.decide(one.id)).fault is None

    async def resume(self) -> Outcome | None:
        return await self.agent.resume.next()

    def told(self, turn: int = -1) -> tuple[CallResult, ...]:
        """Return the last results that the model was told in a turn."""
        found = [one for one in self.turns.requests[turn].messages if isinstance(one, ResultsMessage)]
        return found[-1].results

    async def later(self, seconds: float) -> None:
        """Let time go by for the store: leases and approvals run out."""
        gone = int(seconds * 1000)

        def work(connection: Connection) -> None:
            run, approval, lost = tables.run, tables.approval, tables.call
            connection.execute(update(lost).values(looked_at=lost.c.looked_at - gone))
            connection.execute(update(run).values(lease_until=run.c.lease_until - gone))
            connection.execute(update(approval).values(expires_at=approval.c.expires_at - gone))

        await self.database.write(work)

    async def change(self, table: str, **values: Any) -> None:
        """Change all rows of a table, as somebody with the database's password could."""
        edited = update(tables.metadata.tables[table]).values(**values)
        await self.database.write(lambda connection: connection.execute(edited))

    async def audit(self) -> list[dict[str, Any]]:
        """Return the audit, which must hold."""
        trail = SqlAuditTrail(self.database)
        entries = [one async for one in trail.entries()]
        assert list(verify(entries, await trail.heads())) == []
        return [json.loads(one.body) for one in entries]


class Worlds:
    """Makes worlds over one database, and closes it."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(f"sqlite:///{folder / 'agent.sqlite3'}", patience_seconds=20)
        codec = ActorCodec[FakeActor](
            lambda one: {"user": one.user_id, "tenant": one.tenant_id, "roles": sorted(one.roles)},
            lambda kept: FakeActor(kept["user"], kept["tenant"], frozenset(kept["roles"])),
        )
        self.store = SqlRunStore(self.database, codec)
        self._is_made = False

    async def make(
        self,
        *turns: Any,
        tools: Sequence[Probe] = (),
        settings: LoopSettings = SETTINGS,
        errors: ErrorPolicy | None = None,
        store: Callable[[RunStore[FakeActor]], RunStore[FakeActor]] = lambda one: one,
        model: Callable[[ScriptedTurns], Turns] = lambda one: one,
        clock: FixedClock | None = None,
        sources: Sequence[ToolSource[Cap, FakeActor]] = (),
        **more: Any,
    ) -> World:
        if not self._is_made:
            async with self.database.engine.begin() as connection:
                await connection.run_sync(tables.metadata.create_all)
            self._is_made = True
        script, observer, time = ScriptedTurns(*turns), RecordingObserver(), clock or FixedClock()
        probes = {one.definition.name: one for one in tools}
        by_effect: dict[Cap, list[Tool[FakeActor]]] = {Cap.READ: [], Cap.WRITE: []}
        for one in tools:
            by_effect[Cap.READ if one.definition.effect is Effect.READ else Cap.WRITE].append(one)
        wrapped, allowed = store(self.store), set(Cap)
        agent = build_agent(
            turns=model(script),
            sources=[ToolRegistry[Cap, FakeActor](by_effect, observer), *sources],
            resolve=lambda _agent, _actor: frozenset(allowed),
            store=wrapped,
            settings=settings,
            errors=errors,
            effects=Effects(clock=time, ids=_IDS, observer=observer),
            **more,
        )
        return World(script, self.database, wrapped, agent, time, observer, probes, allowed)

    async def close(self) -> None:
        await self.database.close()


_IDS: Final = NumberedIds()


def limited(**limits: Any) -> LoopSettings:
    return replace(SETTINGS, limits=replace(SETTINGS.limits, **limits))


def unknown() -> Exception:
    return OutcomeUnknownError("nobody knows")
