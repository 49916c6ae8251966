"""What a store in a file promises beyond the port: other processes, and the end of its own (rule/TK804)."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from axhub.toolkit import SqliteRepeatStore
from support.bounded import SECONDS

pytestmark = pytest.mark.req("rule/TK804")

TAKES_KEYS: Final = """
import asyncio, sys
from axhub.toolkit import SqliteRepeatStore

async def main():
    async with SqliteRepeatStore(sys.argv[1]) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        taken = [await store.begin("a_tool", f"k{number}") is None for number in range(40)]
        print(taken.count(True), flush=True)
        sys.stdin.readline()

asyncio.run(main())
"""
"""A process that takes as many of forty keys as it gets, tells how many, and stays."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "repeats.sqlite3"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[SqliteRepeatStore]:
    async with SqliteRepeatStore(file) as made:
        yield made


def process(file: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", TAKES_KEYS, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def told(of: "subprocess.Popen[str]") -> str:
    assert of.stdout is not None
    return of.stdout.readline().strip()


def go_on(of: "subprocess.Popen[str]") -> None:
    assert of.stdin is not None
    of.stdin.write("\n")
    of.stdin.flush()


async def test_a_second_instance_sees_what_the_first_one_did(store: SqliteRepeatStore, file: Path) -> None:
    async with SqliteRepeatStore(file) as other:
        assert await store.begin("a_tool", "k") is None
        found = await other.begin("a_tool", "k")
        assert found is not None
        assert found.answer is None
        await store.finish("a_tool", "k", b'{"n":1}')
        found = await other.begin("a_tool", "k")
        assert found is not None
        assert found.answer == b'{"n":1}'


def test_of_two_processes_one_takes_each_key(file: Path) -> None:
    with process(file) as first, process(file) as second:
        both = (first, second)
        assert [told(one) for one in both] == ["ready", "ready"]
        for one in both:
            go_on(one)
        assert sum(int(told(one)) for one in both) == 40
        for one in both:
            go_on(one)
            assert one.wait(SECONDS) == 0


async def test_after_a_kill_between_the_call_and_its_answer_the_outcome_is_unknown(file: Path) -> None:
    with process(file) as killed:
        assert told(killed) == "ready"
        go_on(killed)
        assert told(killed) == "40"
        killed.send_signal(signal.SIGKILL)
        assert killed.wait(SECONDS) == -signal.SIGKILL
    async with SqliteRepeatStore(file) as store:
        found = await store.begin("a_tool", "k7")
        assert found is not None
        assert found.answer is None


async def test_an_answer_is_there_after_a_new_start(file: Path) -> None:
    async with SqliteRepeatStore(file) as store:
        await store.begin("a_tool", "k")
        await store.finish("a_tool", "k", b"{}")
    async with SqliteRepeatStore(file) as store:
        found = await store.begin("a_tool", "k")
        assert found is not None
        assert found.answer == b"{}"


async def test_a_caller_that_gives_up_waiting_has_not_taken_the_key(store: SqliteRepeatStore, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # nobody else can write meanwhile
        waiting = asyncio.create_task(store.begin("a_tool", "k"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(waiting, 0.05)
        other.execute("ROLLBACK")
    assert await store.begin("a_tool", "k") is None


async def test_a_store_works_without_being_opened_and_again_after_it_was_closed(file: Path) -> None:
    store = SqliteRepeatStore(file)
    assert await store.begin("a_tool", "k") is None
    async with store:
        assert await store.begin("a_tool", "l") is None
    async with store:
        assert await store.begin("a_tool", "k") is not None


async def test_only_the_owner_can_read_what_is_stored(store: SqliteRepeatStore, file: Path) -> None:
    await store.begin("a_tool", "k")
    modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
    assert modes == dict.fromkeys(modes, 0o600)


async def test_a_file_that_cannot_be_used_is_named_at_the_start(tmp_path: Path) -> None:
    missing = tmp_path / "no-folder" / "repeats.sqlite3"
    text = tmp_path / "text.sqlite3"
    text.write_text("not a database, but long enough to look at: " * 10)
    for file, reason in ((missing, "No such file or directory"), (text, "file is not a database")):
        with pytest.raises(OSError, match="cannot be used") as caught:
            await SqliteRepeatStore(file).__aenter__()
        assert str(caught.value) == f"the repeat store {file} cannot be used: {reason}"


async def test_a_file_of_an_earlier_version_goes_on_without_digests(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as earlier:
        earlier.execute(
            "CREATE TABLE calls (tool TEXT NOT NULL, key TEXT NOT NULL, begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, "
            "answer BLOB, PRIMARY KEY (tool, key)) WITHOUT ROWID"
        )
        earlier.execute("INSERT INTO calls (tool, key, answer) VALUES ('a_tool', 'k', x'7b7d')")
    async with SqliteRepeatStore(file) as store, SqliteRepeatStore(file) as other:
        found = await store.begin("a_tool", "k", "d")
        assert found is not None
        assert (found.answer, found.digest) == (b"{}", None)
        assert await other.begin("a_tool", "l", "d") is None
        noted = await store.begin("a_tool", "l")
        assert noted is not None
        assert noted.digest == "d"
