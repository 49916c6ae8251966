"""What an operator reads of an agent, and the process's own time and chance (agent/L5)."""

import logging

import pytest

from axhub.agent.adapters.log import LogObserver
from axhub.agent.adapters.system import RandomIds, SystemClock
from axhub.agent.ports.effects import Noted


def test_notes_are_lines_of_names_and_numbers_and_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    observer = LogObserver()
    with caplog.at_level(logging.INFO, logger="axhub.agent"):
        observer.note(Noted.CALL, tool="refund_order", kind="ok", seconds=0.5)
        observer.note(Noted.REJECTED, run="r-1", reason="unknown_tool")
        observer.note(Noted.TURN, run="r-1")
    assert [(one.levelname, one.getMessage()) for one in caplog.records] == [
        ("INFO", "call tool=refund_order kind=ok seconds=0.5"),
        ("WARNING", "rejected run=r-1 reason=unknown_tool"),
        ("INFO", "turn run=r-1"),
    ]
    assert observer.counts == {"call:ok": 1, "rejected:unknown_tool": 1, "turn": 1}


def test_a_fault_is_logged_under_the_reference_that_was_given_out(caplog: pytest.LogCaptureFixture) -> None:
    observer = LogObserver()
    observer.fault("ref-1", RuntimeError("inner"), run="r-1", tool="refund_order")
    (record,) = caplog.records
    assert record.getMessage() == "fault reference=ref-1 run=r-1 tool=refund_order"
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "inner"
    assert observer.counts["fault"] == 1


async def test_ids_cannot_be_guessed_and_time_only_grows() -> None:
    ids = {RandomIds().new() for _ in range(100)}
    assert len(ids) == 100
    assert {len(one) for one in ids} == {32}
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0.001)
    assert clock.monotonic() > before
