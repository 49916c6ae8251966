"""What the stores ask is found by an index, however much is stored: ten thousand waiting approvals slow nobody down."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.settlement import Finding
from axhub.agent.ports.retention import Spent
from axhub.agent.ports.runs import PendingApprovalError
from support.agent_statements import sent
from support.agent_stores import (
    BOSS,
    DATABASES,
    LEASE,
    OWNER,
    Stores,
    done,
    held,
    new_run,
    opened_database,
    over,
    response,
    running,
)

MANY: Final = 10_000
NUMBERS: Final = {
    "sqlite": f"WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < {MANY})",
    "postgresql": f"WITH t(n) AS (SELECT generate_series(1, {MANY}))",
}
LATER: Final = 9_000_000_000_000
ACTOR: Final = '{"user":"u1","tenant":"t1","roles":[]}'
ROWS: Final = {
    "agent_conversation": "'c' || n, 't1', 'u1', 'r' || n, 1",
    "agent_run": f"'r' || n, 'c' || n, 't1', 'u1', 'a', '{ACTOR}', 'WAITING', 1, '{{}}', '7', '', '{{}}', '{{}}', NULL,"
    " NULL, 0, NULL, n, 1, ''",
    "agent_message": "'c' || n, 1, 'r' || n, 'user', '{\"text\":\"x\"}'",
    "agent_call": "'a' || n, 'r' || n, 1, 0, '\"r\"', 'refund_order', 'd1', '{}', 'h', 'WAITING', NULL, TRUE,"
    " NULL, '', NULL, 0, NULL",
    "agent_approval": f"'a' || n, 'a' || n, 'r' || n, 't1', 'u' || (n % 1000 + 1), n, {LATER}, NULL, '', '', NULL,"
    " TRUE",
    "agent_audit": "'t1', n, '{}', 'p', 'h'",
    "agent_audit_head": f"'t' || n, {MANY}, 'h'",
    "agent_outbox": "n, 'e' || n, 'o' || (n % 100), 'x', '{}', n, 1, n, CASE WHEN n < 9900 THEN n END, NULL",
    "agent_idempotency": "'t1:u' || (n % 100), 'k' || n, 'f', '{}', NULL, n, ''",
    "agent_full_result": "'a' || n, 't1', 'u1', 4, 'h', NULL, n",
}
BOUND: Final = {"sqlite": r"SCAN (agent_\w+)\b(?! USING)", "postgresql": r"Seq Scan on (agent_\w+)"}
SMALL: Final = {"agent_audit_head"}
"""Tables with a row a tenant, which PostgreSQL reads whole while they are small."""


def _filled(kind: str, connection: Connection) -> None:
    for table, values in ROWS.items():
        numbers = NUMBERS[kind]
        chosen = f"SELECT {values} FROM t"
        made = (
            f"INSERT INTO {table} {numbers} {chosen}" if kind == "sqlite" else f"{numbers} INSERT INTO {table} {chosen}"
        )
        connection.execute(text(made.replace(":", r"\:")))
    connection.execute(text("ANALYZE"))


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path) as made:
        await made.write(partial(_filled, request.param), seconds=30)
        yield made


def _scans(statements: list[tuple[str, Any]], connection: Connection) -> list[tuple[str, str]]:
    """Return which tables would be read whole, each with the statement that would."""
    kind = connection.dialect.name
    asked = "EXPLAIN QUERY PLAN" if kind == "sqlite" else "EXPLAIN"
    found = []
    for statement, parameters in statements:
        plan = "\n".join(str(row) for row in connection.exec_driver_sql(f"{asked} {statement}", parameters))
        found += [(table, statement) for table in re.findall(BOUND[kind], plan) if table not in SMALL]
    return found


async def _decide(stores: Stores) -> object:
    return await stores.runs.decide("a5000", Decision.APPROVE, "", BOSS, may_decide_own=False)


async def _claim(stores: Stores) -> object:
    await _decide(stores)
    return await stores.runs.claim_ready(LEASE)


async def _begin(stores: Stores) -> object:
    with pytest.raises(PendingApprovalError):
        await stores.runs.begin(new_run("c5002"))
    return None


async def _hold(stores: Stores) -> object:
    """Let a call wait: those of its requester must be found among all that wait."""
    return await held(stores, most=100)


async def _renew(stores: Stores) -> object:
    return await stores.runs.renew((await stores.runs.begin(new_run())).run, LEASE)


async def _remove(stores: Stores) -> object:
    return [await stores.retention.remove(what, 60, 100) for what in Spent]


async def _write(stores: Stores) -> object:
    """Begin a run, record the intent of a write, settle it: the key must be looked up among all calls ever stored."""
    run, call = await running(stores, "t1:refund_order:ORD-9")
    return await stores.runs.settle(run, response([call]), [done(call)], run.counters, [], LEASE)


ASKED: Final[dict[str, Callable[[Stores], Awaitable[object]]]] = {
    "approvals": lambda stores: stores.runs.approvals("t1", 50),
    "decide": _decide,
    "claim_ready": _claim,
    "expire": lambda stores: stores.runs.expire(),
    "withdraw": lambda stores: stores.runs.withdraw("r5001", OWNER),
    "run": lambda stores: stores.runs.run("r5000", OWNER),
    "conversation": lambda stores: stores.runs.conversation("c5000", OWNER),
    "take_over": lambda stores: stores.runs.take_over(LEASE),
    "unknown": lambda stores: stores.runs.unknown(50),
    "doubtful": lambda stores: stores.runs.doubtful("t1", 50),
    "settle_unknown": lambda stores: stores.runs.settle_unknown("a5000", Finding.HAPPENED, BOSS, may_decide_own=False),
    "newer": lambda stores: stores.runs.newer(50),
    "full_result": lambda stores: stores.runs.full_result("a5000", OWNER),
    "hold": _hold,
    "renew": _renew,
    "remove": _remove,
    "begin": _begin,
    "write": _write,
    "claim": lambda stores: stores.outbox.claim(50, LEASE),
    "lag": lambda stores: stores.outbox.lag_seconds(),
}


@pytest.mark.req("agent/R3")
async def test_what_expires_is_found_in_the_order_of_its_end(database: Database) -> None:
    with sent() as seen:
        await over(database).runs.expire()
    asked = [one for one in seen.statements if "DISTINCT" in one[0]]
    assert asked == [], "distinct runs of all approvals ever made are walked, each time"


async def test_no_table_is_read_whole(database: Database) -> None:
    stores, found = over(database), {}
    for name, ask in ASKED.items():
        with sent() as seen:
            await ask(stores)
        asked = [one for one in seen.statements if one[0].startswith(("SELECT", "UPDATE", "DELETE"))]
        assert asked, name
        found[name] = await database.read(partial(_scans, asked))
    assert {name: scans for name, scans in found.items() if scans} == {}
    read = await database.read(partial(_scans, [("SELECT * FROM agent_run WHERE agent = 'a'", ())]))
    assert [table for table, _ in read] == ["agent_run"], "a table that is read whole is seen"
