"""The service's log: one JSON object a line on stderr; errors with their frames, never with a value.

Exception texts are left out on purpose: they quote what callers sent and legacy systems answered. What stays is the
type of each error along the chain, where it was raised, and for validation errors the fields and rules.
"""

import logging
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from axhub.contract.text import clean_text
from axhub.toolkit.context import ToolContext
from axhub.toolkit.service.answers import Answer, Outcome
from axhub.toolkit.service.traces import trace_of

__all__ = ["LOGGER", "CallLog", "JsonFormatter", "ensure_output", "log_config", "trace_of"]

LOGGER: Final = "axhub.service"
CALL_EVENT: Final = "tool_call"
_MAX_CHARACTERS: Final = 256
_MAX_MESSAGE: Final = 4096
_WARNED: Final = frozenset({Outcome.TIMEOUT, Outcome.ERROR, Outcome.INVALID_RESULT, Outcome.BUSY, Outcome.STOPPED})
_FIELDS: Final = "fields"
_encode: Final = msgspec.json.Encoder(enc_hook=str).encode


class CallLog:
    """Writes the one line of each call, and what went wrong inside one."""

    __slots__ = ("_logger",)

    def __init__(self, logger: logging.Logger | None = None) -> None:
        """Write to the logger `axhub.service`, or to another one."""
        self._logger = logger or logging.getLogger(LOGGER)

    def ended(self, tool: str | None, answer: Answer, context: ToolContext | None, seconds: float) -> None:
        """Write the line of a call; `tool` is the published name, None if there is no such tool."""
        level = logging.WARNING if answer.outcome in _WARNED else logging.INFO
        if not self._logger.isEnabledFor(level):
            return
        fields: dict[str, Any] = {
            "tool": tool,
            "outcome": answer.outcome,
            "status": answer.status,
            "durationMs": round(seconds * 1000, 3),
        }
        if context is not None:
            fields.update(_ids(context))
        if answer.error_id:
            fields["errorId"] = answer.error_id
        self._logger.log(level, CALL_EVENT, extra={_FIELDS: fields})

    def failed(self, event: str, tool: str, error_id: str, context: ToolContext, **more: Any) -> None:
        """Write why a call failed; inside an `except` block with `error=` the error."""
        fields = {"tool": tool, "errorId": error_id, **_ids(context), **more}
        error = fields.pop("error", None)
        if isinstance(error, BaseException):
            fields |= trace_of(error)
        self._logger.error(event, extra={_FIELDS: fields})

    def event(self, level: int, event: str, **fields: Any) -> None:
        """Write any other event."""
        self._logger.log(level, event, extra={_FIELDS: fields})


class JsonFormatter(logging.Formatter):
    """One record as one line of JSON; of an exception only what `trace_of` tells."""

    def __init__(self) -> None:
        super().__init__()
        self._second = -1
        self._stamp = ""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without its end."""
        line: dict[str, Any] = {"ts": self._time(record), "level": record.levelname.lower()}
        fields = record.__dict__.get(_FIELDS)
        if fields is None:
            line |= {"event": "log", "logger": record.name, "message": _cut(_message(record), _MAX_MESSAGE)}
        else:
            line["event"] = record.msg
            line.update(fields)
        if record.exc_info and record.exc_info[1] is not None:
            line.update(trace_of(record.exc_info[1]))
        return _encode(line).decode()

    def _time(self, record: logging.LogRecord) -> str:
        second = int(record.created)
        if second != self._second:
            self._stamp, self._second = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second)), second
        return f"{self._stamp}.{int(record.msecs):03}Z"


def log_config(level: str = "INFO") -> dict[str, Any]:
    """Return the configuration for `logging.config.dictConfig` under which everything goes to stderr as JSON."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": "json"}},
        "root": {"level": level, "handlers": ["stderr"]},
        "loggers": {"uvicorn.access": {"level": "CRITICAL"}, "uvicorn.error": {"level": "WARNING"}},
    }


def ensure_output() -> None:
    """Send the service's events to stderr if nobody has configured logging: they must not vanish."""
    logger = logging.getLogger(LOGGER)
    if not logger.hasHandlers():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonFormatter())
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)


def _ids(context: ToolContext) -> Mapping[str, str]:
    return {
        "guid": _cut(context.guid) if context.guid else "",
        "xRequestId": _cut(context.request_id),
        "traceId": _cut(context.trace_id),
    }


def _message(record: logging.LogRecord) -> str:
    """Return a record's text; what asyncio says of tasks and callbacks shows values after its first line or words."""
    try:
        text = record.getMessage()
    except Exception as error:  # noqa: BLE001 - the values may be anything, and so what their `__str__` raises
        return f"a record that cannot be formatted ({type(error).__name__}, {record.pathname}:{record.lineno})"
    return text.partition("\n")[0].partition("<")[0] if record.name == "asyncio" else text


def _cut(text: str, limit: int = _MAX_CHARACTERS) -> str:
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return text if text.isprintable() else clean_text(text).replace("\n", " ").replace("\t", " ")
