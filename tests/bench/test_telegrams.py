"""The bench of telegrams: ours really runs and is checked, and whoever cannot run is said so."""

import os
import sys
from pathlib import Path

import pytest

from bench import telegrams
from bench.plan import DECODE, ENCODE
from bench.report import goals_text
from bench.servers import NotRunning
from bench.telegrams import CONSTRUCT, FIXEDWIDTH, OURS, RAW, Telegrams

HERE = Path(sys.executable)
CORE = min(os.sched_getaffinity(0))


def not_installed() -> Path:
    raise NotRunning("its environment is not installed")


def test_our_codec_gives_the_right_answer_and_a_figure_a_round() -> None:
    found = telegrams.run(2, CORE, {OURS: lambda: HERE, CONSTRUCT: not_installed})
    assert len(RAW) == 175
    assert {way: len(figures) for way, figures in found.micros[OURS].items()} == {"decode": 2, "encode": 2}
    assert all(figure > 0 for figures in found.micros[OURS].values() for figure in figures)
    assert (found.missing, found.broken) == ({CONSTRUCT: "its environment is not installed"}, False)


def test_a_codec_that_ends_is_not_run_and_of_ours_that_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    nowhere = Path("/bin/false")
    found = telegrams.run(1, CORE, {OURS: lambda: nowhere})
    assert (found.missing, found.broken) == ({OURS: "it ended with exit code 1"}, True)
    assert "axhub is not run on telegrams: it ended with exit code 1" in capfd.readouterr().err


FOUND = Telegrams(
    {OURS: {"decode": [10.0, 12.0], "encode": [8.0, 8.0]}, CONSTRUCT: {"decode": [20.0, 36.0], "encode": [16.0, 8.0]}},
    {FIXEDWIDTH: "its environment is not installed"},
)


def test_codecs_are_compared_round_by_round() -> None:
    text = FOUND.text()
    assert "| axhub / construct |  2.50x | 2.00..3.00 |  1.50x | 1.00..2.00 |" in text
    assert text.endswith("pydantic-fixedwidth was not run: its environment is not installed\n")
    assert text.splitlines()[6] == "| pydantic-fixedwidth |   not run |    not run |   not run |    not run |"


def test_the_goals_of_the_codec_are_bounds_and_being_faster_than_both() -> None:
    goals = FOUND.goals()
    assert [(one.goal.name, one.value) for one in goals] == [
        (DECODE.name, 11.0),
        ("decode against construct", 2.5),
        ("decode against pydantic-fixedwidth", None),
        (ENCODE.name, 8.0),
        ("encode against construct", 1.5),
        ("encode against pydantic-fixedwidth", None),
    ]
    assert "not measured: axhub or pydantic-fixedwidth was not run" in goals_text(goals)


def test_the_document_has_every_round() -> None:
    assert FOUND.document() == {
        "bytes": 175,
        "rows": 5,
        "codecs": {
            OURS: {"decodeCpuMicros": [10.0, 12.0], "encodeCpuMicros": [8.0, 8.0]},
            CONSTRUCT: {"decodeCpuMicros": [20.0, 36.0], "encodeCpuMicros": [16.0, 8.0]},
        },
        "notRun": {FIXEDWIDTH: "its environment is not installed"},
    }
