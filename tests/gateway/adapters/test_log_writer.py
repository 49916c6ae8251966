"""The writer behind the log, on real pipes and a real full disk: nobody waits for it, and no line is cut."""

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.log import JsonLog, TextLog
from axhub.gateway.adapters.log_writer import LineWriter
from axhub.gateway.ports import CallRecord, Outcome, Severity

CANARIES = [b"CANARY-arguments", b"CANARY-result", b"CANARY-employee", b"CANARY-virtual", b"CANARY-token"]


@dataclass
class Pipe:
    """Both ends of a pipe; whoever reads it gets all lines up to the end."""

    read_end: int
    write_end: int

    def read_line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            line += os.read(self.read_end, 1)
        return line

    def read_all_lines(self) -> list[bytes]:
        os.close(self.write_end)
        self.write_end = -1
        with os.fdopen(os.dup(self.read_end), "rb") as stream:
            return stream.read().splitlines(keepends=True)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    ends = Pipe(*os.pipe())
    yield ends
    for fd in (ends.read_end, ends.write_end):
        if fd >= 0:
            os.close(fd)


def report(count: int) -> bytes:
    return b"dropped %d\n" % count


def test_lines_come_out_in_the_order_they_went_in_without_being_asked_for(pipe: Pipe) -> None:
    writer = LineWriter(pipe.write_end)
    writer.write(b"before the start\n")
    writer.start(report)
    writer.write(b"after\n")
    assert [pipe.read_line(), pipe.read_line()] == [b"before the start\n", b"after\n"]
    assert writer.close()


def test_a_line_is_out_within_a_tenth_of_a_second(pipe: Pipe) -> None:
    writer = LineWriter(pipe.write_end)
    writer.start(report)
    waits = []
    for _ in range(5):
        started = time.monotonic()
        writer.write(b"line\n")
        pipe.read_line()
        waits.append(time.monotonic() - started)
    assert min(waits[1:]) < 0.1  # each but the first began just after the thread had looked
    assert writer.close()


def test_closing_writes_what_is_left(pipe: Pipe) -> None:
    writer = LineWriter(pipe.write_end, interval=30)
    writer.start(report)
    for number in range(2500):
        writer.write(b"%d\n" % number)
    assert writer.close()
    assert pipe.read_all_lines() == [b"%d\n" % number for number in range(2500)]


@pytest.mark.req("fault/F24")
def test_a_blocked_pipe_delays_nobody_and_the_dropped_lines_are_told_once_it_flows(pipe: Pipe) -> None:
    writer = LineWriter(pipe.write_end, max_bytes=300_000)
    writer.start(report)
    line = b"x" * 99 + b"\n"
    accepted = 0
    while writer.dropped < 1000:  # a write that waited would wait for ever: nobody reads
        dropped = writer.dropped
        writer.write(line)
        accepted += writer.dropped == dropped
    written = [pipe.read_line() for _ in range(accepted + 1)]
    assert written[:accepted] == [line] * accepted
    assert written[accepted] == report(writer.dropped)
    writer.write(b"again\n")
    assert pipe.read_line() == b"again\n"
    assert writer.close()


@pytest.mark.req("fault/F24")
def test_closing_does_not_wait_for_a_pipe_that_nobody_reads(pipe: Pipe) -> None:
    writer = LineWriter(pipe.write_end, interval=0.001)
    writer.start(report)
    for _ in range(3000):
        writer.write(b"x" * 99 + b"\n")
    assert not writer.close(0.05)  # one that waited would wait for ever
    assert [pipe.read_line() for _ in range(3000)] == [b"x" * 99 + b"\n"] * 3000  # it went on meanwhile
    assert writer.close()


@pytest.mark.req("fault/F24")
def test_a_pipe_that_somebody_made_non_blocking_loses_nothing(pipe: Pipe) -> None:
    os.set_blocking(pipe.write_end, False)
    writer = LineWriter(pipe.write_end, interval=0.001)
    writer.start(report)
    lines = [b"%06d %s\n" % (number, b"x" * 90) for number in range(3000)]
    for line in lines:
        writer.write(line)
    assert [pipe.read_line() for _ in lines] == lines
    assert writer.close()


@pytest.mark.req("fault/F24")
def test_a_non_blocking_pipe_that_stays_full_is_given_up_when_closing(pipe: Pipe) -> None:
    os.set_blocking(pipe.write_end, False)
    writer = LineWriter(pipe.write_end, interval=0.001)
    writer.start(report)
    for _ in range(3000):
        writer.write(b"x" * 99 + b"\n")
    assert not writer.close(5)


@pytest.mark.req("fault/F24")
def test_a_reader_that_went_away_costs_lines_and_nothing_else() -> None:
    ends = Pipe(*os.pipe())
    os.close(ends.read_end)
    writer = LineWriter(ends.write_end, max_bytes=100, interval=0.001)
    writer.start(report)
    for _ in range(1000):
        writer.write(b"x" * 9 + b"\n")
    assert writer.dropped == 990
    assert not writer.close()
    os.close(ends.write_end)


@pytest.mark.req("fault/F24")
def test_a_full_disk_cuts_no_line_and_writing_resumes_by_itself(tmp_path: Path) -> None:
    target, full = tmp_path / "log", os.open("/dev/full", os.O_WRONLY)
    fd = os.dup(full)
    writer = LineWriter(fd, interval=0.001)
    writer.start(report)
    writer.write(b"first\n")
    while writer.failures < 2:
        threading.Event().wait(0.001)
    file = os.open(target, os.O_WRONLY | os.O_CREAT)
    os.dup2(file, fd)  # room again
    writer.write(b"second\n")
    assert writer.close()
    assert target.read_bytes() == b"first\nsecond\n"
    for each in (full, fd, file):
        os.close(each)


def test_a_writer_that_never_started_says_that_its_lines_are_not_out() -> None:
    writer = LineWriter(-1)
    assert writer.close()
    writer.write(b"line\n")
    assert not writer.close()


@pytest.mark.req("threat/T11")
@pytest.mark.parametrize("kind", [JsonLog, TextLog])
def test_planted_secrets_do_not_come_through_the_real_writer(pipe: Pipe, kind: type[JsonLog] | type[TextLog]) -> None:
    writer = LineWriter(pipe.write_end)
    log = kind(writer.write, ManualClock(), Severity.DEBUG)
    writer.start(log.dropped_line)
    for outcome in Outcome:
        log.call_ended(CallRecord("search", outcome, 0.001, b"guid-1", b"request-1", b"trace-1", "error-1"))
    arguments, result, employee, virtual, token = (canary.decode() for canary in CANARIES)
    log.event(
        Severity.ERROR,
        "sample",
        arguments=arguments,
        result=result,
        employeeNo=employee,
        virtualEmployeeNo=virtual,
        authorization=f"Bearer {token}",
    )
    assert writer.close()
    text = b"".join(pipe.read_all_lines())
    assert [canary for canary in CANARIES if canary in text] == []
    assert text.count(b"guid-1") == len(Outcome)


@pytest.mark.req("fault/F24")
def test_the_line_about_dropped_lines_is_a_line_of_the_log(pipe: Pipe) -> None:
    writer = LineWriter(pipe.write_end, max_bytes=1, interval=0.001)
    log = JsonLog(writer.write, ManualClock())
    log.event(Severity.INFO, "kept")
    log.event(Severity.INFO, "no_room")
    log.event(Severity.INFO, "no_room")
    writer.start(log.dropped_line)
    kept, dropped = json.loads(pipe.read_line()), json.loads(pipe.read_line())
    assert kept["event"] == "kept"
    assert (dropped["event"], dropped["level"], dropped["count"]) == ("log_lines_dropped", "warning", 2)
    assert writer.close()
