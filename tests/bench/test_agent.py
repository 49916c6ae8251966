"""The bench of agents: ours really runs and is checked, and whoever cannot run is said so."""

import os
import sqlite3
import sys
from pathlib import Path

import pytest

from bench import agent
from bench.agent import LANGCHAIN, PYDANTIC_AI, Extent
from bench.agent_report import KNOWN, NEW, OURS
from bench.peers.agent_desk import Counted
from bench.servers import NotRunning

HERE = Path(sys.executable)
CORE = min(os.sched_getaffinity(0))
SMALL = Extent(2, new=2, known=2, waiting=20, decisions=2, memory=(2, 4))


def not_installed() -> Path:
    raise NotRunning("its environment is not installed")


def test_our_agent_answers_rightly_and_gives_a_figure_a_round() -> None:
    found = agent.run(SMALL, CORE, {OURS: lambda: HERE, LANGCHAIN: not_installed})
    assert {way: len(figures) for way, figures in found.micros[OURS].items()} == {NEW: 2, KNOWN: 2}
    assert all(figure > 0 for figures in found.micros[OURS].values() for figure in figures)
    assert (found.missing, found.broken) == ({LANGCHAIN: "its environment is not installed"}, False)
    assert all(1 <= count <= 4 for count in found.counts[OURS].values())
    decisions = found.alone.decisions
    assert decisions is not None
    assert (decisions.waiting, len(decisions.none), len(decisions.many)) == (20, 2, 2)
    assert found.alone.memory is not None
    assert all(megabytes > 10 for megabytes in found.alone.memory)


def test_an_agent_that_ends_is_not_run_and_of_ours_that_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    nowhere = Path("/bin/false")
    found = agent.run(SMALL, CORE, {OURS: lambda: nowhere, PYDANTIC_AI: lambda: nowhere})
    reason = "it ended with exit code 1"
    assert (found.missing, found.broken) == ({OURS: reason, PYDANTIC_AI: reason}, True)
    assert (found.micros, found.counts) == ({}, {})
    assert "axhub is not run as an agent: it ended with exit code 1" in capfd.readouterr().err


def test_an_agent_that_answers_something_else_is_not_run(tmp_path: Path) -> None:
    liar = tmp_path / "python"
    liar.write_text("#!/bin/sh\nread line\necho '{\"said\": []}'\n", encoding="utf-8")
    liar.chmod(0o755)
    found = agent.run(SMALL, CORE, {LANGCHAIN: lambda: liar, OURS: not_installed})
    assert found.missing[LANGCHAIN] == "it answers or stores something else: {'said': []}"


def test_transactions_are_blocks_and_statements_outside_of_one() -> None:
    counted = Counted()
    connection = sqlite3.connect(":memory:", isolation_level=None)
    counted.watch(connection)
    connection.execute("PRAGMA user_version=1")
    connection.execute("CREATE TABLE one (id INTEGER)")
    assert counted.transactions == 1
    connection.execute("BEGIN")
    connection.execute("INSERT INTO one VALUES (1)")
    connection.execute("SELECT * FROM one")
    connection.execute("COMMIT")
    assert counted.transactions == 2
    connection.execute("INSERT INTO one VALUES (1)")
    connection.close()
    assert counted.transactions == 3
