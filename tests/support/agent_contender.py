"""Processes that want the same of one database at the same moment.

    with contenders(2) as pair:
        said = await pair.contend(url, ["decide", "approve", *ids], ["decide", "deny", *ids])

Each reads a line of JSON (address, what to do, arguments), answers `ready`, waits for another line, does it, and
writes what came of it as a line of JSON.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.records import Begun
from axhub.agent.ports.events import Event
from axhub.agent.ports.retention import Spent
from axhub.agent.ports.runs import Lost, TooManyPendingError
from support import agent_stores
from support.agent_stores import BOSS, LEASE, Stores, entry, new_call, new_run, response

_TESTS: Final = Path(__file__).resolve().parents[1]


async def _decide(stores: Stores, word: str, *ids: str) -> list[str | None]:
    """Decide on approvals; the faults."""
    said = [await stores.runs.decide(one, Decision(word), "", BOSS, may_decide_own=False) for one in ids]
    return [None if one.fault is None else one.fault.value for one in said]


async def _claim(stores: Stores) -> list[str]:
    """Take runs that are ready until there are none; their ids."""
    taken = []
    while isinstance(begun := await stores.runs.claim_ready(LEASE), Begun):
        taken.append(begun.run.id)
    return taken


async def _take_over(stores: Stores) -> list[str]:
    """Take runs of dead processes until there are none; their ids."""
    taken = []
    while isinstance(lost := await stores.runs.take_over(LEASE), Lost):
        taken.append(lost.run.id)
    return taken


async def _intend(stores: Stores, name: str, *keys: str) -> list[int]:
    """Record the intent of a write with each key; how many were busy."""
    busy = []
    for key in keys:
        new = new_run()
        begun = await stores.runs.begin(_named(new, f"{name}-{new.id}"))
        call = _named(new_call(CallState.RUNNING, key=key), f"{name}-{key}")
        found = await stores.runs.intend(begun.run, response([call]), [call], Counters(), [entry(begun.run)], LEASE)
        busy.append(len(found[1]))
    return busy


async def _hold(stores: Stores, name: str, count: str, most: str) -> int:
    """Let a call of each of some runs of one person wait, while that is allowed; how many wait."""
    waiting = 0
    for number in range(int(count)):
        begun = await stores.runs.begin(_named(new_run(), f"{name}-{number}"))
        call = _named(new_call(CallState.WAITING), f"{name}-call-{number}")
        told = [entry(begun.run, call)]
        try:
            await stores.runs.hold(begun.run, response([call]), [call], Counters(), told, LEASE, int(most))
        except TooManyPendingError:
            await stores.runs.end(begun.run, "Refused.", None, [])
        else:
            waiting += 1
    return waiting


async def _remove(stores: Stores, what: str, age: str, most: str) -> int:
    """Remove what is old, batch by batch, until there is nothing; how much that was."""
    removed = 0
    while gone := await stores.retention.remove(Spent(what), float(age), int(most)):
        removed += gone
    return removed


async def _append(stores: Stores, name: str, count: str) -> int:
    """Append to the audit of one tenant from many tasks."""

    async def one(number: int) -> None:
        new = _named(new_run(), f"{name}-{number}")
        begun = await stores.runs.begin(new)
        await stores.runs.end(begun.run, "Done.", None, [entry(begun.run, reference=f"{name}-{number}")])

    await asyncio.gather(*map(one, range(int(count))))
    return int(count)


async def _begin(stores: Stores, name: str, talk: str, count: str) -> list[str]:
    """Begin runs in one conversation."""
    new = [_named(new_run(talk), f"{name}-{number}") for number in range(int(count))]
    came = await asyncio.gather(*map(stores.runs.begin, new), return_exceptions=True)
    return [type(one).__name__ for one in came]


async def _relay(stores: Stores) -> list[str]:
    """Take and publish events until there are none; their ids in order."""
    left: list[str] = []
    while await stores.outbox.lag_seconds() > 0:
        for item in await stores.outbox.claim(5, LEASE):
            left.append(item.event.id)
            await stores.outbox.published(item.event.id)
    return left


_DOES: Final[dict[str, Callable[..., Awaitable[Any]]]] = {
    "decide": _decide,
    "claim": _claim,
    "take_over": _take_over,
    "intend": _intend,
    "append": _append,
    "begin": _begin,
    "hold": _hold,
    "remove": _remove,
    "relay": _relay,
}


def _named(one: Any, name: str) -> Any:
    """Return a record with an id that no other process has."""
    members = {member: getattr(one, member) for member in one.__slots__} | {"id": name}
    if "conversation_id" in members and one.is_new_conversation:
        members["conversation_id"] = f"talk-{name}"
    return type(one)(**members)


class Contenders:
    """Processes that have started."""

    def __init__(self, count: int) -> None:
        command = [sys.executable, "-m", "support.agent_contender"]
        start = partial(subprocess.Popen, command, cwd=_TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._started: list[subprocess.Popen[str]] = [start() for _ in range(count)]

    async def contend(self, url: str, *each: Sequence[str]) -> list[Any]:
        """Give each process something to do, let them go at once, and return what each says."""
        asked = [json.dumps([url, *one]) for one in each]
        assert await asyncio.gather(*map(self._say, self._started, asked)) == ["ready\n"] * len(each)
        said = await asyncio.gather(*map(self._say, self._started, ["go"] * len(each)))
        return [json.loads(line) for line in said]

    @staticmethod
    async def _say(process: subprocess.Popen[str], line: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return await asyncio.to_thread(process.stdout.readline)

    def close(self) -> None:
        """End all of them."""
        for one in self._started:
            one.kill()
            one.communicate()


@contextmanager
def contenders(count: int) -> Iterator[Contenders]:
    """Start some processes; they are gone at the end of the block."""
    made = Contenders(count)
    try:
        yield made
    finally:
        made.close()


async def _done(url: str, what: str, *arguments: str) -> None:
    database = Database(url, patience_seconds=20)
    await database.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    said = await _DOES[what](agent_stores.over(database), *arguments)
    sys.stdout.write(f"{json.dumps(said)}\n")
    sys.stdout.flush()
    await database.close()


async def add_events(stores: Stores, *names: str) -> None:
    """Add events; a name is the aggregate's and a number."""
    for name in names:
        await stores.add_event(Event(name, name[0], "order.refunded", {}))


if __name__ == "__main__":
    while asked := sys.stdin.readline():
        asyncio.run(_done(*json.loads(asked)))
