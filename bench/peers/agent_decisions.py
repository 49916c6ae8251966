"""Our agent while others wait for a person: what a decision costs, and what the run that goes on then costs.

Lines in: `waiting OTHERS OWN` fills a database with that many approvals that nobody decides on, and with those that are
decided on; `decide OTHERS` decides on them and lets their runs go on. Lines out, as JSON: microseconds of CPU of each.
"""

import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from axhub.agent import Answered, Decider, Decision, Waiting
from bench.peers.agent_axhub import ACTOR, Axhub, RefundOrder
from bench.peers.agent_desk import Files, Script, question, serve

APPROVER = Decider("approver-1", ACTOR.tenant_id, frozenset({"approver"}))
WARM_UP = 5
"""Decisions after the database was opened that are not timed."""
TABLES = ("agent_conversation", "agent_run", "agent_message", "agent_call", "agent_approval")
"""What a waiting run has rows in, in the order of their keys."""


class Decisions:
    """One agent whose tool needs an approval."""

    def __init__(self, folder: Path) -> None:
        self._files = Files(folder)
        self._system = Axhub(Script(), RefundOrder())
        self._approvals: dict[int, list[str]] = {}

    async def waiting(self, others: int, own: int) -> Any:
        """Fill a database."""
        path = self._files.fresh(f"waiting{others}")
        await self._system.open(path)
        if others:
            copied = await self._held(0)
            await self._system.close()
            _copy(path, copied, others - 1)
            await self._system.open(path)
        self._approvals[others] = [(await self._held(number)).approvals[0].id for number in range(1, own + WARM_UP + 1)]
        await self._system.close()
        self._files.settled(path)
        return len(await self._pending(path))

    async def decide(self, others: int) -> Any:
        """Time the decisions, then the runs that go on."""
        await self._system.open(self._files.fresh("work", f"waiting{others}"))
        approvals = self._approvals[others]
        await self._decided(approvals[:WARM_UP])
        await self._gone_on(WARM_UP)
        began = time.process_time()
        await self._decided(approvals[WARM_UP:])
        decided = time.process_time()
        await self._gone_on(len(approvals) - WARM_UP)
        gone_on = time.process_time()
        await self._system.close()
        times = len(approvals) - WARM_UP
        return {"decision": (decided - began) / times * 1e6, "goingOn": (gone_on - decided) / times * 1e6}

    async def _held(self, number: int) -> Waiting:
        outcome = await self._system.asked(None, question(number))
        if not isinstance(outcome, Waiting):
            raise TypeError(outcome)
        return outcome

    async def _pending(self, path: Path) -> Any:
        await self._system.open(path)
        found = await self._system.agent.decide.pending(APPROVER, 1_000_000)
        await self._system.close()
        return found

    async def _decided(self, approvals: list[str]) -> None:
        for one in approvals:
            decided = await self._system.agent.decide.decide(one, Decision.APPROVE, "", APPROVER)
            if decided.fault is not None or not decided.is_run_ready:
                raise ValueError(decided.fault)

    async def _gone_on(self, times: int) -> None:
        for _ in range(times):
            outcome = await self._system.agent.resume.next()
            if not isinstance(outcome, Answered):
                raise TypeError(outcome)


def _copy(path: Path, waiting: Waiting, times: int) -> None:
    """Add runs that wait like another one: the same rows, with other ids and other business keys."""
    ids = {waiting.run_id, waiting.conversation_id, *(one.id for one in waiting.approvals)}
    connection = sqlite3.connect(path)
    for table in TABLES:
        cursor = connection.execute(f"SELECT * FROM {table}")  # names of our own
        keys = [column == "business_key" for column, *_ in cursor.description]
        for row in cursor.fetchall():
            changes = [value is not None and (is_key or value in ids) for value, is_key in zip(row, keys, strict=True)]
            added = (
                [f"{value}-{number}" if is_changed else value for value, is_changed in zip(row, changes, strict=True)]
                for number in range(times)
            )
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", added)
    connection.commit()
    connection.close()


if __name__ == "__main__":
    desk = Decisions(Path(sys.argv[1]))
    serve({"waiting": desk.waiting, "decide": desk.decide})
