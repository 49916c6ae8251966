"""The default log of a whole agent, whatever fails in it: no word of a prompt, an argument, a provider or a tool.

Everything that any logger writes at INFO and above is looked at as an operator would read it, tracebacks included.
"""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import update

from axhub.agent.adapters.log import LogObserver
from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.errors import ToolError
from axhub.agent.domain.messages import CallRequest
from axhub.agent.domain.outcomes import AskRequest, Waiting
from axhub.agent.main import Agent, Effects, build_agent
from axhub.agent.ports.turns import ModelRefusedError, ModelUnavailableError
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import FixedClock, NumberedIds, ScriptedTurns, call, calls
from axhub.agent.usecases.dispatch import ErrorPolicy
from support.agent_stores import opened_database
from support.agents import ACTOR, APPROVER, SETTINGS, Cap, Probe, raising, reader

pytestmark = pytest.mark.req("agent/L5", "threat/T22", "input/B94")

SECRET: Final = "canary-4e1d"
READ: Final = calls(call("search_orders", order_id=SECRET))
WRITE: Final = calls(call("refund_order", order_id=SECRET))
BAD: Final = calls(
    CallRequest("a", "search_orders", f'{{"order_id": "{SECRET}"'),
    CallRequest("b", "search_orders", f'{{"order_id": 1, "{SECRET}": 2}}'),
    CallRequest("c", f"drop_{SECRET}", "{}"),
)


class Heard:
    """What stands in the log."""

    def __init__(self) -> None:
        self.stream = StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()


@pytest.fixture
def heard() -> Iterator[Heard]:
    """Listen to all loggers, at the level that operators run with."""
    made, root = Heard(), logging.getLogger()
    handler, level = logging.StreamHandler(made.stream), root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield made
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database("sqlite", tmp_path) as made:
        yield made


def _load(stored: Any) -> Any:
    if "user" not in stored:
        raise ValueError(f"no actor: {stored}")
    return ACTOR


class NobodyDecides:
    """An approval policy that asks nobody."""

    version = "none"

    def needs_approval(self, *_: object) -> bool:
        return False


class Fails:
    """An approval policy that says in its error what it was asked."""

    version = "fails"

    def needs_approval(self, _tool: object, arguments: object, _actor: object) -> bool:
        raise LookupError(arguments)


def _agent(database: Database, *turns: Any, tools: list[Probe], **more: Any) -> Agent[Cap, Any]:
    """Return an agent that watches itself as one in operation does."""
    return build_agent(
        turns=ScriptedTurns(*turns),
        sources=[ToolRegistry[Cap, Any]({Cap.READ: tools})],
        resolve=lambda _agent, _actor: frozenset(Cap),
        store=SqlRunStore(database, ActorCodec(lambda _: {"user": SECRET}, _load)),
        settings=SETTINGS,
        effects=Effects(FixedClock(), NumberedIds(), LogObserver()),
        **more,
    )


def _asked() -> AskRequest[Any, Cap]:
    return AskRequest(agent="a", message=f"I am {SECRET}.", actor=ACTOR, capabilities=frozenset(Cap))


def _refused() -> Exception:
    error = ModelRefusedError(SECRET)
    error.__cause__ = ConnectionError(SECRET)
    return error


@pytest.mark.parametrize(
    ("turns", "tool", "policy", "told"),
    [
        ([READ, "Well."], reader(behave=raising(RuntimeError(SECRET))), NobodyDecides(), "error=RuntimeError"),
        ([READ, "Well."], reader(behave=raising(ToolError(SECRET, SECRET))), NobodyDecides(), "kind=error"),
        ([WRITE, "Well."], Probe(behave=raising(OSError(SECRET)), found=KeyError(SECRET)), NobodyDecides(), "error=OS"),
        ([WRITE, "Well."], Probe(key=ValueError(SECRET)), NobodyDecides(), "error=ValueError"),
        ([WRITE], Probe(), Fails(), "error=LookupError"),
        ([BAD, SECRET], reader(), NobodyDecides(), "reason=bad_json"),
        ([_refused()], reader(), NobodyDecides(), "error=axhub.agent.ports.turns.ModelRefusedError"),
        ([ModelUnavailableError(SECRET)], reader(), NobodyDecides(), "ModelUnavailableError"),
        ([ValueError(SECRET)], reader(), NobodyDecides(), "error=ValueError"),
    ],
)
async def test_whatever_fails_in_a_run(
    database: Database, heard: Heard, turns: list[Any], tool: Probe, policy: Any, told: str
) -> None:
    await _agent(database, *turns, tools=[tool], approvals=policy).ask(_asked())
    assert told in heard.text
    assert SECRET not in heard.text


async def test_what_fails_when_nobody_waits_for_it_any_more(database: Database, heard: Heard) -> None:
    inside, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        inside.set()
        await go.wait()
        raise RuntimeError(SECRET)

    agent = _agent(database, READ, tools=[reader(behave=behave)], errors=ErrorPolicy(abort_all=True))
    asking = asyncio.create_task(agent.ask(_asked()))
    await inside.wait()
    asking.cancel()
    await asyncio.wait({asking})
    go.set()
    await agent.drain()
    del asking
    gc.collect()
    await asyncio.sleep(0)
    assert "error=RuntimeError" in heard.text
    assert SECRET not in heard.text


async def test_runs_that_cannot_be_read(database: Database, heard: Heard) -> None:
    agent = _agent(database, WRITE, tools=[Probe()])
    waiting = await agent.ask(_asked())
    assert isinstance(waiting, Waiting)
    await agent.decide.decide(waiting.approvals[0].id, Decision.APPROVE, SECRET, APPROVER)
    damaged = update(tables.run).values(actor=f'{{"who": "{SECRET}"}}')
    await database.write(lambda connection: connection.execute(damaged))
    assert await agent.resume.next() is None
    assert f"unreadable_run run={waiting.run_id} reason=damaged" in heard.text
    assert "error=ValueError" in heard.text
    assert SECRET not in heard.text
