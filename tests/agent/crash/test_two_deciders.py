"""Two people on two processes decide about the same at the same moment, five hundred times (agent/R3, fault F38)."""

import asyncio
import json
from collections import Counter

import pytest

from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.calls import CallState
from support.crash_look import look
from support.crash_orders import paid
from support.crash_service import Server

ROUNDS = 500
BUSY = 0.02
"""Part of the calls that may fail, with nothing done, as the other process has the file for longer than is waited."""


@pytest.mark.req("agent/R3", "fault/F38")
@pytest.mark.parametrize(("one", "other"), [("approve", "deny"), ("approve", "approve")])
async def test_one_decision_counts_and_is_carried_out_once(
    url: str, database: Database, pair: tuple[Server, ...], one: str, other: str
) -> None:
    orders = await paid(database, ROUNDS // 2)
    approvals = await pair[0].does(url, "hold", *orders)
    said = await _at_once(pair, url, [[one, *approvals], [other, *approvals]])
    counts = Counter(tuple(sorted(both)) for both in zip(*said, strict=True))
    expected = ("counts", "counts") if one == other else ("already_decided", "counts")
    assert counts == {expected: len(orders)}
    await pair[0].does(url, "go_on")
    found = await look(database)
    found.is_at_rest()
    decided = [entry for entry in found.audit if entry["action"] == "call_decided"]
    assert len({entry["call_id"] for entry in decided}) == len(decided) == len(orders)
    approved = {entry["call_id"] for entry in decided if entry["decision"] == "approve"}
    ended = {call.id: call.state for call in found.calls if call.id in approved}
    assert set(ended.values()) <= {CallState.DONE, CallState.FAILED}
    done = {call.id for call in found.calls if call.state == CallState.DONE}
    assert done <= approved
    assert len(found.refunded) == len(done)
    assert len(approved - done) <= len(approved) * BUSY


async def _at_once(pair: tuple[Server, ...], url: str, words: list[list[str]]) -> list[list[str]]:
    """Let each process decide, and return what it says of each approval."""
    asked = [server.say([url, "contend", said, None, None, 86_400.0]) for server, said in zip(pair, words, strict=True)]
    assert await asyncio.gather(*asked) == ["ready\n"] * len(pair)
    return [json.loads(line) for line in await asyncio.gather(*(server.say("go") for server in pair))]
