"""Log lines: what they carry, what they never carry, and that no caller can forge one."""

import io
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from axhub.contract.headers import SECRET_HEADERS
from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.log import JsonLog, TextLog, caller_text, field_of
from axhub.gateway.ports import CallRecord, EventLog, Outcome, Severity

STAMP = "2026-01-01T00:00:00.000Z"
GUID = b"3f2504e0-4f89-11d3-9a0c-0305e82c3301"
TRACE = b"0af7651916cd43dd8448eb211c80319c"
CALL = CallRecord("search", Outcome.OK, 0.0123456, GUID, b"req-1", TRACE)
HOSTILE = [
    pytest.param(b'a"b\\c', 'a"b\\c', id="quote and backslash"),
    pytest.param(b'","level":"error","x":"', '","level":"error","x":"', id="members of its own"),
    pytest.param(b'x\n{"event":"tool_call"}', 'x\n{"event":"tool_call"}', id="a line of its own"),
    pytest.param(b"\x00\x1b[31m\x7f\r\t", "\x00\x1b[31m\x7f\r\t", id="control characters"),
    pytest.param("a\u202eb\u2066c".encode(), "a\u202eb\u2066c", id="bidi"),
    pytest.param("a\u200b\ufeff\u2028b".encode(), "a\u200b\ufeff\u2028b", id="zero width and line separator"),
    pytest.param("\U000e0041".encode(), "\U000e0041", id="tag character"),
    pytest.param("홍길동".encode(), "홍길동", id="Korean"),
    pytest.param(b"ab\xff\xc3(", "ab\ufffd\ufffd(", id="not UTF-8"),
    pytest.param(b"x" * 8192, "x" * 255 + "…", id="8 KiB"),
    pytest.param("가".encode() * 2730, "가" * 255 + "…", id="8 KiB of Korean"),
]


class Lines:
    """A log and what it wrote, on a clock that stands still."""

    def __init__(self, level: Severity = Severity.INFO) -> None:
        self.clock = ManualClock()
        self.stream = io.BytesIO()
        self.json = JsonLog(self.stream.write, self.clock, level)
        self.text = TextLog(self.stream.write, self.clock, level)

    def raw(self) -> str:
        return self.stream.getvalue().decode()

    def objects(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.raw().splitlines()]


def json_line(record: CallRecord) -> dict[str, object]:
    lines = Lines()
    lines.json.call_ended(record)
    (line,) = lines.objects()
    return line


def text_line(record: CallRecord) -> str:
    lines = Lines()
    lines.text.call_ended(record)
    (line,) = lines.raw().splitlines()
    return line


def test_a_call_is_one_json_line_with_all_its_fields() -> None:
    assert json_line(CALL) == {
        "ts": STAMP,
        "level": "info",
        "event": "tool_call",
        "outcome": "ok",
        "tool": "search",
        "durationMs": 12.346,
        "guid": GUID.decode(),
        "xRequestId": "req-1",
        "traceId": TRACE.decode(),
    }


def test_the_correlation_id_the_caller_was_shown_is_in_the_line() -> None:
    line = json_line(replace(CALL, outcome=Outcome.UNREACHABLE, error_id="e-77"))
    assert (line["errorId"], line["level"]) == ("e-77", "warning")


def test_a_name_that_is_not_in_the_catalogue_is_null_and_absent_headers_are_empty() -> None:
    line = json_line(CallRecord(None, Outcome.NOT_FOUND, 0.0, b"", b"", b""))
    assert (line["tool"], line["guid"], line["xRequestId"], line["traceId"]) == (None, "", "", "")


def test_both_ways_of_rendering_a_call_give_the_same_members() -> None:
    fast = json_line(CALL)
    slow = json_line(replace(CALL, guid="홍".encode()))
    assert {**slow, "guid": GUID.decode()} == fast
    assert list(slow) == list(fast)


def test_a_call_is_one_line_for_people_too() -> None:
    assert text_line(CALL) == (
        f"{STAMP} INFO    tool_call outcome=ok tool=search durationMs=12.346 "
        f"guid={GUID.decode()} xRequestId=req-1 traceId={TRACE.decode()}"
    )


def test_the_text_line_leaves_out_what_is_empty() -> None:
    record = CallRecord(None, Outcome.NOT_FOUND, 0.0, b"", b"", b"")
    assert text_line(record) == f"{STAMP} INFO    tool_call outcome=not_found durationMs=0.0"


@pytest.mark.req("threat/T11")
@pytest.mark.parametrize(("value", "meant"), HOSTILE)
@pytest.mark.parametrize("field", ["guid", "x_request_id", "trace_id"])
def test_what_a_caller_sends_stays_inside_its_field(field: str, value: bytes, meant: str) -> None:
    names = {"guid": "guid", "x_request_id": "xRequestId", "trace_id": "traceId"}
    line = json_line(CallRecord(**{**asdict(CALL), field: value}))
    assert line == {**json_line(CALL), names[field]: meant}


@pytest.mark.req("threat/T11")
@given(st.binary(max_size=300), st.binary(max_size=300), st.text(max_size=200))
def test_any_bytes_give_exactly_one_line_without_a_character_that_cannot_be_seen(
    guid: bytes, request_id: bytes, error_id: str
) -> None:
    record = replace(CALL, guid=guid, x_request_id=request_id, error_id=error_id)
    lines = Lines()
    lines.json.call_ended(record)
    lines.text.call_ended(record)
    raw = lines.raw()
    assert raw.count("\n") == 2
    assert raw.replace("\n", "").isprintable()
    assert json.loads(raw.splitlines()[0])["guid"] == caller_text(guid)


@pytest.mark.req("threat/T11")
def test_a_caller_cannot_colour_or_break_the_terminal() -> None:
    line = text_line(replace(CALL, guid=b"\x1b[2J\rfake \xe2\x80\xae"))
    assert 'guid="\\u001b[2J\\rfake \\u202e"' in line


@pytest.mark.parametrize("length", [255, 256, 257, 8192])
def test_a_callers_value_is_cut_at_256_characters(length: int) -> None:
    text = caller_text("가".encode() * length)
    assert len(text) == min(length, 256)
    assert text.endswith("…") == (length > 256)


SEVERITIES = {
    Outcome.OK: "info",
    Outcome.TOOL_ERROR: "info",
    Outcome.TIMEOUT: "warning",
    Outcome.UNREACHABLE: "warning",
    Outcome.TOO_LARGE: "warning",
    Outcome.INVALID_RESULT: "warning",
    Outcome.BUSY: "warning",
    Outcome.CANCELLED: "info",
    Outcome.REFUSED: "info",
    Outcome.NOT_FOUND: "info",
}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_each_end_of_a_call_has_its_level(outcome: Outcome) -> None:
    assert json_line(replace(CALL, outcome=outcome))["level"] == SEVERITIES[outcome]
    assert f" {SEVERITIES[outcome].upper():7} tool_call" in text_line(replace(CALL, outcome=outcome))


@pytest.mark.parametrize("outcome", list(Outcome))
def test_the_threshold_holds_for_calls(outcome: Outcome) -> None:
    lines = Lines(Severity.WARNING)
    lines.json.call_ended(replace(CALL, outcome=outcome))
    lines.text.call_ended(replace(CALL, outcome=outcome))
    assert lines.raw().count("\n") == (2 if SEVERITIES[outcome] == "warning" else 0)


@pytest.mark.parametrize("level", list(Severity))
def test_the_threshold_holds_for_events(level: Severity) -> None:
    lines = Lines(level)
    for severity in Severity:
        lines.json.event(severity, "something")
    order = [severity.value for severity in Severity]
    assert [line["level"] for line in lines.objects()] == order[order.index(level) :]


def test_an_event_carries_fields_of_every_kind() -> None:
    lines = Lines()
    lines.json.event(
        Severity.WARNING, "sample", name="업무\n", count=3, share=0.5, on=True, gone=None, bad=math.nan, far=math.inf
    )
    assert lines.objects() == [
        {
            "ts": STAMP,
            "level": "warning",
            "event": "sample",
            "name": "업무\n",
            "count": 3,
            "share": 0.5,
            "on": True,
            "gone": None,
            "bad": None,
            "far": None,
        }
    ]
    assert "업무\\n" in lines.raw()


def test_an_event_for_people_quotes_what_has_blanks() -> None:
    lines = Lines()
    lines.text.event(Severity.ERROR, "sample", problem="no such host", bundle="주문", on=False, gone=None)
    assert lines.raw() == f'{STAMP} ERROR   sample problem="no such host" bundle=주문 on=false\n'


def test_a_long_field_of_an_event_is_cut_far_behind_the_longest_finding() -> None:
    lines = Lines()
    lines.json.event(Severity.INFO, "sample", detail="x" * 5000)
    (line,) = lines.objects()
    assert line["detail"] == "x" * 4095 + "…"


@pytest.mark.parametrize(("severity", "code"), [("debug", "2"), ("info", "32"), ("warning", "33"), ("error", "31")])
def test_colour_marks_the_level_and_nothing_else(severity: str, code: str) -> None:
    stream, clock = io.BytesIO(), ManualClock()
    level = Severity(severity)
    TextLog(stream.write, clock, Severity.DEBUG, colour=True).event(level, "sample")
    assert stream.getvalue().decode() == f"{STAMP} \x1b[{code}m{severity.upper():7}\x1b[0m sample\n"


def test_the_time_stamp_follows_the_clock_to_the_millisecond() -> None:
    lines = Lines()
    for seconds in (0.0, 0.0004, 0.0004, 0.0004, 61.0):
        lines.clock.advance(seconds)
        lines.json.call_ended(CALL)
    assert [str(line["ts"])[17:] for line in lines.objects()] == [
        "00.000Z",
        "00.000Z",
        "00.000Z",
        "00.001Z",
        "01.001Z",
    ]
    assert all(re.fullmatch(r"2026-01-01T00:0\d:\d\d\.\d{3}Z", str(line["ts"])) for line in lines.objects())


@pytest.mark.req("threat/T11")
@pytest.mark.parametrize("name", ["arguments", "result", "authorization", "employeeNo", "virtualEmployeeNo"])
def test_a_field_that_must_never_be_logged_is_masked_whatever_it_holds(name: str) -> None:
    lines = Lines()
    lines.json.event(Severity.ERROR, "sample", **{name: "CANARY"})
    lines.text.event(Severity.ERROR, "sample", **{name: "CANARY"})
    assert "CANARY" not in lines.raw()
    assert json.loads(lines.raw().splitlines()[0])[name] == "***"


@pytest.mark.req("threat/T11")
@pytest.mark.parametrize("field", [*map(field_of, sorted(SECRET_HEADERS)), "arguments", "result"])
@pytest.mark.parametrize("log", ["json", "text"])
def test_every_secret_header_has_its_masked_field(log: str, field: str) -> None:
    lines = Lines()
    getattr(lines, log).event(Severity.ERROR, "sample", **{field: "CANARY", "guid": "SHOWN"})
    assert "CANARY" not in lines.raw()
    assert "***" in lines.raw()
    assert "SHOWN" in lines.raw()


@pytest.mark.parametrize(
    ("header", "field"),
    [
        (b"guid", "guid"),
        (b"x-request-id", "xRequestId"),
        (b"employee-no", "employeeNo"),
        (b"virtual-employee-no", "virtualEmployeeNo"),
        (b"authorization", "authorization"),
    ],
)
def test_a_headers_field_is_its_name_in_camel_case(header: bytes, field: str) -> None:
    assert field_of(header) == field


@pytest.mark.req("threat/T11")
def test_a_call_record_has_no_room_for_arguments_results_or_who_the_employee_is() -> None:
    fields = ("tool", "outcome", "seconds", "guid", "x_request_id", "trace_id", "error_id")
    assert CallRecord.__struct_fields__ == fields


@pytest.mark.parametrize("kind", ["json", "text"])
def test_both_logs_are_event_logs_and_tell_how_many_lines_were_dropped(kind: str) -> None:
    lines = Lines()
    log: JsonLog | TextLog = lines.json if kind == "json" else lines.text
    port: EventLog = log
    port.event(Severity.INFO, "sample")
    assert b"log_lines_dropped" in log.dropped_line(7)
    assert b"7" in log.dropped_line(7)
