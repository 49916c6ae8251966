"""What each agent of the bench does with its standard input: answer, be timed, be counted.

The conversation, the model's script and the tool's answer are here, the same for all. Lines in: `answers`,
`prepare CONVERSATIONS TURNS`, `new TURNS`, `known TURNS`, `count new` or `count known`, `memory TURNS TURNS`. Lines
out, as JSON; times are microseconds of CPU a turn, of all threads. It imports nothing but the standard library, since
it runs in the environments of all of them.
"""

import asyncio
import json
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

TOOL = "search_orders"
DESCRIPTION = "Find one order of the signed-in customer."
ARGUMENT = "Number of the order, such as ORD-1."
INSTRUCTIONS = "You help customers with their orders. Answer briefly."
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL")
"""Of each database here: a turn that was answered is on the disk."""
WARM_UP = 5
"""Turns after a database was opened that are not timed."""
_ORDER = re.compile(r"ORD-\d+")
_STATE = re.compile(r'"state": ?"([a-z]+)"')


class System(Protocol):
    """One agent with its conversations in one SQLite file."""

    async def open(self, path: Path) -> None: ...

    async def close(self) -> None: ...

    async def ask(self, conversation: str | None, text: str) -> tuple[str, str]:
        """Answer a message in a known conversation or a new one; return its id and the answer."""
        ...

    def stored(self, path: Path, conversation: str) -> Any:
        """Return what a conversation holds, as `user`, `call`, `result` and `assistant` with what each says."""
        ...


class Script:
    """The model: it asks for the order that the person named, then says in which state the tool found it."""

    def __init__(self) -> None:
        self.messages = 0
        """How many messages of people it was shown the last time."""

    def wanted(self, question: str, messages: int) -> Mapping[str, str]:
        """Return the arguments of the call that a person's message leads to."""
        self.messages = messages
        return {"order_id": _ORDER.findall(question)[-1]}

    def answer(self, result: str) -> str:
        """Return the text that a tool's result leads to."""
        return f"Your order is {_STATE.findall(result)[-1]}."


def view(order_id: str) -> dict[str, Any]:
    """Return what the tool says of an order."""
    state = "shipped" if int(order_id.removeprefix("ORD-")) % 2 else "delivered"
    return {"order_id": order_id, "state": state, "items": 3, "total": 48_900}


def question(number: int) -> str:
    """Return a message of a person."""
    return f"Where is my order ORD-{number}?"


def rows(path: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Return rows of a database that nobody has open."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


class Files:
    """The databases of one process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fresh(self, name: str, source: str = "") -> Path:
        """Return the path of a database that is not there, or is a copy of another one."""
        path = self._path(name)
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        if source:
            shutil.copy(self._path(source), path)
        return path

    @staticmethod
    def settled(path: Path) -> None:
        """Bring all that was committed into the one file that is copied."""
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.sqlite3"


class Desk:
    """One agent with its files."""

    def __init__(self, system: System, script: Script, files: Files) -> None:
        self._system = system
        self._script = script
        self._files = files
        self._known: list[str] = []

    async def answers(self) -> Any:
        """Return what two turns of one conversation give, and what is stored of them after all was closed."""
        path = await self._opened("answers")
        conversation, first = await self._system.ask(None, question(1))
        again, second = await self._system.ask(conversation, question(2))
        shown = self._script.messages
        await self._system.close()
        stored = self._system.stored(path, conversation)
        return {"said": [first, second], "isSame": conversation == again, "shown": shown, "stored": stored}

    async def prepare(self, conversations: int, turns: int) -> Any:
        """Fill a database with conversations of some length, to be copied."""
        path = await self._opened("known")
        self._known = []
        for _ in range(conversations):
            one: str | None = None
            for number in range(turns):
                one, _ = await self._system.ask(one, question(number))
            self._known.append(one or "")
        await self._system.close()
        self._files.settled(path)
        return conversations

    async def new(self, turns: int) -> Any:
        """Time turns in conversations of their own."""
        await self._opened("work")
        return await self._timed([None] * turns)

    async def known(self, turns: int) -> Any:
        """Time one turn in each of some prepared conversations; `shown` is what the model saw of the last."""
        await self._opened("work", "known")
        return await self._timed(self._known[:turns])

    async def count(self, kind: str) -> Any:
        """Count the transactions of one turn."""
        await self._opened("work", "known" if kind == "known" else "")
        await self._warm_up()
        before = counted.transactions
        await self._system.ask(self._known[0] if kind == "known" else None, question(1))
        after = counted.transactions
        await self._system.close()
        return after - before

    async def memory(self, first: int, last: int) -> Any:
        """Return the resident megabytes after so many turns in conversations of their own, and after so many more."""
        await self._opened("work")
        found = []
        done = 0
        for until in (first, last):
            for number in range(done, until):
                await self._system.ask(None, question(number))
            done = until
            found.append(_resident_megabytes())
        await self._system.close()
        return found

    async def _timed(self, conversations: list[Any]) -> Any:
        await self._warm_up()
        began = time.process_time()
        for number, one in enumerate(conversations):
            await self._system.ask(one, question(number))
        micros = (time.process_time() - began) / len(conversations) * 1e6
        await self._system.close()
        return {"micros": micros, "shown": self._script.messages}

    async def _warm_up(self) -> None:
        for number in range(WARM_UP):
            conversation, _ = await self._system.ask(None, question(number))
            await self._system.ask(conversation, question(number))

    async def _opened(self, name: str, source: str = "") -> Path:
        path = self._files.fresh(name, source)
        await self._system.open(path)
        return path


class Counted:
    """Counts transactions on each connection: blocks from BEGIN on, and each statement outside of one."""

    def __init__(self) -> None:
        self.transactions = 0

    def start(self) -> None:
        """Watch every connection that this process makes from now on."""
        connect = sqlite3.connect

        def watched(*args: Any, **options: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*args, **options)
            self.watch(connection)
            return connection

        vars(sqlite3)["connect"] = vars(sqlite3.dbapi2)["connect"] = watched

    def watch(self, connection: sqlite3.Connection) -> None:
        """Watch one connection."""
        connection.set_trace_callback(self._listener())

    def _listener(self) -> Callable[[str], None]:
        is_open = False

        def listen(statement: str) -> None:
            nonlocal is_open
            word = statement.lstrip().partition(" ")[0].rstrip(";").upper()
            if word in {"COMMIT", "ROLLBACK", "END"}:
                is_open = False
            elif word != "PRAGMA" and not is_open:
                self.transactions += 1
                is_open = word == "BEGIN"

        return listen


counted = Counted()


def serve_agent(system: System, script: Script) -> None:
    """Serve the lines of an agent that follows a script; arguments of the program: a folder, and `count` to count."""
    if "count" in sys.argv[2:]:
        counted.start()
    one = Desk(system, script, Files(Path(sys.argv[1])))
    lines = (one.answers, one.prepare, one.new, one.known, one.count, one.memory)
    serve({line.__name__: line for line in lines})


def serve(lines: Mapping[str, Callable[..., Awaitable[Any]]]) -> None:
    """Answer lines, by their first word, until the input ends."""
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            what, *values = line.split()
            print(json.dumps(runner.run(_answered(lines[what], values))), flush=True)


async def _answered(work: Callable[..., Awaitable[Any]], values: list[str]) -> Any:
    return await work(*(int(one) if one.isdigit() else one for one in values))


def _resident_megabytes() -> float:
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024
