"""Log lines as JSON for machines and as text for people (chapter Logs of the gateway's page; threat/T11).

A line is rendered at once and handed on as bytes. What callers sent is not trusted: it is read as UTF-8 with
replacement, cut, and every character that cannot be seen (control, bidi, zero-width, line separators) is escaped.
"""

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from axhub.contract.headers import SECRET_HEADERS
from axhub.gateway.ports import CallRecord, Clock, Outcome, Severity

Field = str | float | bool | None
"""What a field of an event may hold."""

MAX_CALLER_CHARACTERS: Final = 256
MAX_FIELD_CHARACTERS: Final = 4096
"""Of one text field of an event; long enough for a finding with the configuration line that mends it."""


def field_of(header: bytes) -> str:
    """Return the name of the field that would hold a header's value: `xRequestId` for `x-request-id`."""
    first, *others = header.decode().split("-")
    return first + "".join(word.capitalize() for word in others)


CALL_EVENT: Final = "tool_call"
DROPPED_EVENT: Final = "log_lines_dropped"

_NEVER: Final = frozenset({"arguments", "result", *map(field_of, SECRET_HEADERS)})
"""Names whose values are masked whatever they hold: the last of several guards, none of which should be needed."""
_MASK: Final = "***"
_ELLIPSIS: Final = "…"
_ORDER: Final = {severity: rank for rank, severity in enumerate(Severity)}
_WARNED: Final = frozenset(
    {Outcome.TIMEOUT, Outcome.UNREACHABLE, Outcome.TOO_LARGE, Outcome.INVALID_RESULT, Outcome.BUSY}
)
"""Ends of calls that somebody may have to look after; the others are told as `info`."""
_PLAIN: Final = frozenset(range(0x20, 0x7F)) - frozenset(b'"\\')
"""ASCII that means itself inside a JSON string."""
_CHANGED: Final = bytes(code if code in _PLAIN else code ^ 1 for code in range(256))
"""A table for `bytes.translate` that changes everything else."""
_BARE: Final = re.compile(r"[\w./:@+-]+").fullmatch
_COLOURS: Final = {Severity.DEBUG: "2", Severity.INFO: "32", Severity.WARNING: "33", Severity.ERROR: "31"}


def caller_text(value: bytes) -> str:
    """Return a caller's bytes as at most `MAX_CALLER_CHARACTERS` characters; not yet escaped."""
    return _cut(value[: MAX_CALLER_CHARACTERS * 4].decode("utf-8", "replace"), MAX_CALLER_CHARACTERS)


def escaped(text: str) -> str:
    """Return `text` for the inside of a JSON string: unseen characters, quotes and backslashes as escapes."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return "".join(char if char.isprintable() and char not in '"\\' else json.dumps(char)[1:-1] for char in text)


class _Log(ABC):
    """What both formats share: the threshold, the fields of a call, the time stamp."""

    def __init__(self, write: Callable[[bytes], object], clock: Clock, level: Severity = Severity.INFO) -> None:
        self._write = write
        self._clock = clock
        self._shown = frozenset(severity for severity in Severity if _ORDER[severity] >= _ORDER[level])

    def event(self, severity: Severity, name: str, /, **fields: Field) -> None:
        """Write one event, unless it is quieter than the threshold."""
        if severity in self._shown:
            self._write(self._line(severity, name, fields))

    def call_ended(self, record: CallRecord) -> None:
        """Write the one line of a call; `durationMs` is in milliseconds."""
        severity = _severity(record.outcome)
        if severity in self._shown:
            self._write(self._line(severity, CALL_EVENT, _call_fields(record)))

    def dropped_line(self, count: int) -> bytes:
        """Render the line that stands for `count` lines that had no room; safe on any thread."""
        return self._line(Severity.WARNING, DROPPED_EVENT, {"count": count})

    @abstractmethod
    def _line(self, severity: Severity, name: str, fields: Mapping[str, Field]) -> bytes:
        """Render one event with the newline at its end."""

    def _stamp(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")


class JsonLog(_Log):
    """An `EventLog` that writes one JSON object a line: `ts`, `level`, `event`, then the fields.

    A call is rendered by one bytes format where its values are plain ASCII; the time stamp is made once a millisecond.
    """

    def __init__(self, write: Callable[[bytes], object], clock: Clock, level: Severity = Severity.INFO) -> None:
        super().__init__(write, clock, level)
        self._monotonic = clock.monotonic
        self._millisecond = -1
        self._opening = b""
        self._middles = {
            outcome: b'"level":"%b","event":"%b","outcome":"%b","tool":"'
            % (_severity(outcome).encode(), CALL_EVENT.encode(), outcome.encode())
            for outcome in Outcome
            if _severity(outcome) in self._shown
        }

    def call_ended(self, record: CallRecord) -> None:
        """Write the one line of a call; `durationMs` is in milliseconds."""
        middle = self._middles.get(record.outcome)
        if middle is None:
            return
        tool, guid, request_id, trace_id = record.tool, record.guid, record.x_request_id, record.trace_id
        ids = guid + request_id + trace_id
        if tool is None or record.error_id or len(ids) > MAX_CALLER_CHARACTERS or ids.translate(_CHANGED) != ids:
            super().call_ended(record)
            return
        monotonic = self._monotonic
        millisecond = int(monotonic() * 1000)
        if millisecond != self._millisecond:
            self._millisecond = millisecond
            self._opening = b'{"ts":"%b",' % self._stamp().encode()
        self._write(
            b'%b%b%b","durationMs":%.3f,"guid":"%b","xRequestId":"%b","traceId":"%b"}\n'
            % (self._opening, middle, tool.encode(), record.seconds * 1000, guid, request_id, trace_id)
        )

    def _line(self, severity: Severity, name: str, fields: Mapping[str, Field]) -> bytes:
        head = f'{{"ts":"{self._stamp()}","level":"{severity}","event":"{escaped(name)}"'
        tail = "".join(f',"{key}":{_json(_bounded(key, value))}' for key, value in fields.items())
        return f"{head}{tail}}}\n".encode()


class TextLog(_Log):
    """An `EventLog` for a terminal: time, level, event, `name=value`; empty values are left out.

    `colour` marks the level; pass it only for a stream that is a terminal. It carries no meaning of its own.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        clock: Clock,
        level: Severity = Severity.INFO,
        *,
        colour: bool = False,
    ) -> None:
        super().__init__(write, clock, level)
        self._levels = {
            severity: f"\x1b[{_COLOURS[severity]}m{severity.upper():7}\x1b[0m" if colour else f"{severity.upper():7}"
            for severity in Severity
        }

    def _line(self, severity: Severity, name: str, fields: Mapping[str, Field]) -> bytes:
        shown = ((key, _bounded(key, value)) for key, value in fields.items())
        tail = "".join(f" {key}={_text(value)}" for key, value in shown if value not in (None, ""))
        return f"{self._stamp()} {self._levels[severity]} {escaped(name)}{tail}\n".encode()


def _severity(outcome: Outcome) -> Severity:
    return Severity.WARNING if outcome in _WARNED else Severity.INFO


def _call_fields(record: CallRecord) -> dict[str, Field]:
    fields: dict[str, Field] = {
        "outcome": record.outcome.value,
        "tool": record.tool,
        "durationMs": round(record.seconds * 1000, 3),
        "guid": caller_text(record.guid),
        "xRequestId": caller_text(record.x_request_id),
        "traceId": caller_text(record.trace_id),
    }
    if record.error_id:
        fields["errorId"] = _cut(record.error_id, MAX_CALLER_CHARACTERS)
    return fields


def _bounded(key: str, value: Field) -> Field:
    if key in _NEVER:
        return _MASK
    return _cut(value, MAX_FIELD_CHARACTERS) if isinstance(value, str) else value


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + _ELLIPSIS


def _json(value: Field) -> str:
    if isinstance(value, str):
        return f'"{escaped(value)}"'
    if isinstance(value, float) and not math.isfinite(value):
        return "null"
    return json.dumps(value)


def _text(value: Field) -> str:
    if not isinstance(value, str):
        return _json(value)
    return value if _BARE(value) else f'"{escaped(value)}"'
