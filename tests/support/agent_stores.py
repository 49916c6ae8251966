"""All stores of the agent, for the suites of their ports: in memory, in a SQLite file, in a PostgreSQL database.

    @pytest.fixture(params=STORES)
    async def stores(request, tmp_path):
        async with opened(request.param, tmp_path) as made:
            yield made

Time passes by `await stores.pass_time(seconds)`: in memory by the clock, in a database by moving what is stored.
"""

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import update

from axhub.agent.adapters.memory import (
    MemoryAuditTrail,
    MemoryData,
    MemoryOnce,
    MemoryOutbox,
    MemoryRetention,
    MemoryRunStore,
)
from axhub.agent.adapters.sql import idempotency, tables
from axhub.agent.adapters.sql.chain import SqlAuditTrail
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.migrations import upgrade
from axhub.agent.adapters.sql.outbox import SqlOutbox, add_event
from axhub.agent.adapters.sql.retention import SqlRetention
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.approval import Decider
from axhub.agent.domain.audit import AuditAction, AuditEntry, ChainedEntry
from axhub.agent.domain.calls import CallEvent, CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, CallRequest, CallResult, ResultKind
from axhub.agent.domain.once import Known
from axhub.agent.domain.records import ApprovalView, Begun, CallRecord, NewRun, RunRecord
from axhub.agent.ports.audit import AuditTrail
from axhub.agent.ports.events import Event, OutboxStore
from axhub.agent.ports.retention import RetentionStore
from axhub.agent.ports.runs import Lost, LostCall, RunStore, Settled
from support import postgres

STORES: Final = ["memory", "sqlite", pytest.param("postgresql", marks=postgres.NEEDED)]
DATABASES: Final = ["sqlite", pytest.param("postgresql", marks=postgres.NEEDED)]
LEASE: Final = 30.0
ANY_NUMBER: Final = 10_000
"""Of calls that may wait."""
_TIMES: Final = (
    (tables.run, "lease_until"),
    (tables.call, "looked_at"),
    (tables.approval, "expires_at"),
    (tables.outbox, "next_at"),
    (tables.outbox, "created_at"),
    (tables.outbox, "published_at"),
    (tables.idempotency, "locked_until"),
    (tables.idempotency, "created_at"),
    (tables.full_result, "created_at"),
)
_numbers: Final = itertools.count(1)


@dataclass(frozen=True)
class Person:
    """An actor."""

    user_id: str = "u1"
    tenant_id: str = "t1"
    roles: frozenset[str] = frozenset()


OWNER: Final = Person()
BOSS: Final = Decider("boss", "t1", frozenset({"approver"}))
ACTORS: Final = ActorCodec[Person](
    lambda one: {"user": one.user_id, "tenant": one.tenant_id, "roles": sorted(one.roles)},
    lambda stored: Person(stored["user"], stored["tenant"], frozenset(stored["roles"])),
)


@dataclass(frozen=True)
class Once:
    """The idempotency record, each step in a transaction of its own."""

    begin: Callable[..., Awaitable[Known]]
    """Scope, key, fingerprint, seconds of the lease, and who it is."""
    finish: Callable[..., Awaitable[None]]
    """Scope, key, response, and who it is."""
    forget: Callable[..., Awaitable[None]]
    """Scope, key, and who it is."""


@dataclass(frozen=True)
class Stores:
    """What was opened."""

    runs: RunStore[Person]
    trail: AuditTrail
    outbox: OutboxStore
    add_event: Callable[[Event], Awaitable[None]]
    once: Once
    retention: RetentionStore
    pass_time: Callable[[float], Awaitable[None]]

    async def entries(self) -> list[ChainedEntry]:
        """Return the whole audit."""
        return [entry async for entry in self.trail.entries()]


@asynccontextmanager
async def opened(kind: str, folder: Path) -> AsyncIterator[Stores]:
    """Open stores that are empty."""
    if kind == "memory":
        yield _in_memory()
        return
    async with opened_database(kind, folder) as database:
        yield over(database)


@asynccontextmanager
async def opened_database(kind: str, folder: Path, patience_seconds: float = 20) -> AsyncIterator[Database]:
    """Open a database with the agent's tables, and nothing in them; a busy machine needs more patience than a user."""
    async with migrated_url(kind, folder) as url:
        database = Database(url, patience_seconds=patience_seconds)
        try:
            yield database
        finally:
            await database.close()


@asynccontextmanager
async def migrated_url(kind: str, folder: Path) -> AsyncIterator[str]:
    """Make a database with the agent's tables; return its address."""
    if kind == "postgresql":
        async with postgres.database(migrated=True) as url:
            yield url
        return
    url = f"sqlite:///{folder / 'agent.sqlite3'}"
    database = Database(url, patience_seconds=20)
    await upgrade(database)
    await database.close()
    yield url


def over(database: Database) -> Stores:
    """Return the stores of a database."""

    def once(work: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        async def run(*arguments: Any) -> Any:
            async with database.transaction() as connection:
                return await connection.run_sync(work, *arguments)

        return run

    async def pass_time(seconds: float) -> None:
        async with database.transaction() as connection:
            for table, name in _TIMES:
                await connection.execute(update(table).values({name: table.c[name] - int(seconds * 1000)}))

    return Stores(
        SqlRunStore(database, ACTORS),
        SqlAuditTrail(database),
        SqlOutbox(database),
        once(add_event),
        Once(once(_begin_once), once(_finish_once), once(_forget_once)),
        SqlRetention(database),
        pass_time,
    )


def _begin_once(connection: Any, scope: str, key: str, fingerprint: str, seconds: float, owner: str = "first") -> Known:
    return idempotency.begin_once(connection, scope, key, fingerprint, owner=owner, lease_seconds=seconds)


def _finish_once(connection: Any, scope: str, key: str, response: str, owner: str = "first") -> None:
    idempotency.finish_once(connection, scope, key, response, owner=owner)


def _forget_once(connection: Any, scope: str, key: str, owner: str = "first") -> None:
    idempotency.forget_once(connection, scope, key, owner=owner)


def _in_memory() -> Stores:
    data = MemoryData[Person](lambda: 1_000_000_000.0)
    outbox, once = MemoryOutbox(data), MemoryOnce(data)

    def awaited(work: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        async def run(*arguments: Any) -> Any:
            return work(*arguments)

        return run

    def begin(scope: str, key: str, fingerprint: str, seconds: float, owner: str = "first") -> Known:
        return once.begin(scope, key, fingerprint, owner=owner, lease_seconds=seconds)

    def finish(scope: str, key: str, response: str, owner: str = "first") -> None:
        once.finish(scope, key, response, owner=owner)

    def forget(scope: str, key: str, owner: str = "first") -> None:
        once.forget(scope, key, owner=owner)

    steps = Once(awaited(begin), awaited(finish), awaited(forget))
    trail, runs = MemoryAuditTrail(data), MemoryRunStore(data)
    return Stores(runs, trail, outbox, awaited(outbox.add), steps, MemoryRetention(data), awaited(data.advance))


def new_run(
    conversation_id: str | None = None, *, actor: Person = OWNER, message: str = "Refund it."
) -> NewRun[Person]:
    """Return a run that is about to begin."""
    number = next(_numbers)
    return NewRun(
        id=f"run-{number}",
        conversation_id=conversation_id or f"talk-{number}",
        is_new_conversation=conversation_id is None,
        agent="support",
        actor=actor,
        message=message,
        offered={"refund_order": "d1", "search_orders": "d2"},
        policy_version="7",
        trace_id="trace",
        lease_seconds=LEASE,
    )


def new_call(state: CallState, *, position: int = 0, turn: int = 1, key: str | None = None) -> CallRecord:
    """Return a call of the model's."""
    return CallRecord(
        id=f"call-{next(_numbers)}",
        request_id=f"r{position}",
        turn=turn,
        position=position,
        tool="refund_order",
        digest="d1",
        arguments='{"order_id":"ORD-1"}',
        sha256="5" * 64,
        state=state,
        key=key,
        needs_approval=state is CallState.WAITING,
    )


def response(calls: Sequence[CallRecord]) -> AssistantMessage:
    """Return what the model said to make these calls."""
    return AssistantMessage("", tuple(CallRequest(one.request_id, one.tool, one.arguments) for one in calls))


def entry(run: RunRecord[Person], call: CallRecord | None = None, **members: Any) -> AuditEntry:
    """Return an entry of the audit."""
    action = members.pop("action", AuditAction.CALL_INTENDED)
    actor, call_id = run.actor, "" if call is None else call.id
    made = AuditEntry(
        action=action, tenant_id=actor.tenant_id, user_id=actor.user_id, run_id=run.id, agent=run.agent, call_id=call_id
    )
    return replace(made, **members)


def proposals(run: RunRecord[Person], calls: Sequence[CallRecord]) -> list[AuditEntry]:
    """Return what the audit is told of calls that are held."""
    return [
        entry(run, one, action=AuditAction.CALL_PROPOSED, tool=one.tool, arguments_sha256=one.sha256) for one in calls
    ]


async def held(
    stores: Stores, count: int = 1, *, seconds: float = 60.0, most: int = ANY_NUMBER, actor: Person = OWNER
) -> tuple[Begun[Person], tuple[ApprovalView, ...]]:
    """Begin a run and let some calls of it wait for a person."""
    begun = await stores.runs.begin(new_run(actor=actor))
    calls = [new_call(CallState.WAITING, position=position) for position in range(count)]
    told = proposals(begun.run, calls)
    views = await stores.runs.hold(begun.run, response(calls), calls, Counters(), told, seconds, most)
    return begun, views


async def running(stores: Stores, key: str = "t1:refund_order:ORD-1") -> tuple[RunRecord[Person], CallRecord]:
    """Begin a run and record the intent of a write."""
    begun = await stores.runs.begin(new_run())
    call = new_call(CallState.RUNNING, key=key)
    run, busy = await stores.runs.intend(
        begun.run, response([call]), [call], Counters(), [entry(begun.run, call)], LEASE
    )
    assert busy == ()
    return run, call


def done(call: CallRecord, text: str = '{"status":"REFUNDED"}') -> Settled:
    """Return a call that succeeded."""
    result = CallResult(call.request_id, call.tool, ResultKind.OK, text)
    return Settled(replace(call, state=CallState.DONE, result=result), CallEvent.SUCCEED)


async def claimed(stores: Stores) -> Begun[Person]:
    """Take the one run that is ready."""
    begun = await stores.runs.claim_ready(LEASE)
    assert isinstance(begun, Begun)
    return begun


async def taken_over(stores: Stores) -> Lost[Person]:
    """Take the run of a process that died."""
    lost = await stores.runs.take_over(LEASE)
    assert isinstance(lost, Lost)
    return lost


async def doubtful(stores: Stores, most: int = 9) -> list[LostCall[Person]]:
    """Return calls of unknown outcome, all of which can be read."""
    found = await stores.runs.unknown(most)
    readable = [one for one in found if isinstance(one, LostCall)]
    assert len(readable) == len(found)
    return readable
