"""What an operator reads of an agent, and the process's own time and chance (agent/L5)."""

import logging
import re
from typing import Final

import pytest

from axhub.agent.adapters.log import LogObserver, kinds
from axhub.agent.adapters.system import RandomIds, SystemClock
from axhub.agent.ports.effects import Noted
from axhub.agent.ports.turns import ModelUnavailableError

SECRET: Final = "sk-9f2c of whoever typed it"


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


@pytest.mark.req("agent/L5", "threat/T22")
def test_a_fault_is_logged_under_its_reference_with_types_and_places_and_without_a_word_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    observer = LogObserver()
    with caplog.at_level(logging.INFO, logger="axhub.agent"):
        observer.fault("ref-1", _raised(), run="r-1", tool="refund_order")
    (record,) = caplog.records
    here = __name__
    assert re.sub(r":\d+", ":N", record.getMessage()) == (
        "fault reference=ref-1 run=r-1 tool=refund_order "
        f"error=axhub.agent.ports.turns.ModelUnavailableError at {here}:N < ConnectionError at {here}:N"
    )
    assert record.exc_info is None
    assert observer.counts["fault"] == 1


@pytest.mark.req("agent/L5")
def test_the_text_is_there_for_who_asks_for_it(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="axhub.agent"):
        LogObserver().fault("ref-1", _raised())
    record = caplog.records[-1]
    assert (record.levelno, record.getMessage()) == (logging.DEBUG, "fault reference=ref-1")
    assert SECRET in caplog.text


@pytest.mark.req("agent/L5")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RuntimeError(SECRET), "RuntimeError"),
        (KeyError(SECRET).with_traceback(None), "KeyError"),
        (ExceptionGroup(SECRET, [ValueError(SECRET), OSError(SECRET)]), "ExceptionGroup of (ValueError, OSError)"),
    ],
)
def test_kinds_of_what_was_raised_have_no_word_of_it(error: BaseException, told: str) -> None:
    assert kinds(error) == told


@pytest.mark.req("agent/L5")
def test_a_chain_of_causes_has_an_end_and_what_was_hidden_stays_so() -> None:
    error: Exception = ValueError(SECRET)
    for _ in range(50):
        outer = RuntimeError(SECRET)
        outer.__cause__ = error
        error = outer
    assert kinds(error).count("Error") == 6
    hidden = KeyError()
    hidden.__context__, hidden.__suppress_context__ = OSError(SECRET), True
    assert kinds(hidden) == "KeyError"
    seen = KeyError()
    seen.__context__ = OSError(SECRET)
    assert kinds(seen) == "KeyError < OSError"


def _broken() -> None:
    raise ConnectionError(SECRET)


def _unavailable() -> None:
    try:
        _broken()
    except ConnectionError as error:
        raise ModelUnavailableError(SECRET) from error


def _raised() -> Exception:
    """Return what an adapter raises when a provider says something."""
    try:
        _unavailable()
    except ModelUnavailableError as error:
        return error
    raise AssertionError


async def test_ids_cannot_be_guessed_and_time_only_grows() -> None:
    ids = {RandomIds().new() for _ in range(100)}
    assert len(ids) == 100
    assert {len(one) for one in ids} == {32}
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0.001)
    assert clock.monotonic() > before
