"""What the headers of a call say: who calls, how to trace it, what the body is (toolkit/S2, toolkit/T3, decision/D8).

Both families of names are read in one pass over the headers:

| field of `ToolContext` | headers, the first that is there |
|---|---|
| `trace_id` | the trace id of `traceparent`, `trace-id`, `guid`, else new |
| `request_id` | `x-request-id`, `request-id`, else new |
| `guid`, `session_id` | `guid`, `mcp-session-id` |
| `employee`, `virtual_employee` | `employee-no` or `employee-id`, `virtual-employee-no` |
"""

import secrets
from collections.abc import Iterable, Sequence
from enum import IntEnum, auto
from typing import Final

from axhub.contract.headers import MAX_VALUE_BYTES, traceparent
from axhub.toolkit.context import Encrypted, ToolContext

__all__ = ["MAX_HEADERS", "MAX_HEADER_BYTES", "Header", "HeaderError", "conflicts", "context_of", "read_headers"]

MAX_HEADERS: Final = 64
MAX_HEADER_BYTES: Final = 32_768
"""Of all names and values together (as in the gateway)."""
_ID_BYTES: Final = 16


class Header(IntEnum):
    """The headers that mean something here; the value is the index in what `read_headers` returns."""

    TRACEPARENT = 0
    TRACE_ID = auto()
    GUID = auto()
    X_REQUEST_ID = auto()
    REQUEST_ID = auto()
    MCP_SESSION_ID = auto()
    EMPLOYEE_NO = auto()
    EMPLOYEE_ID = auto()
    VIRTUAL_EMPLOYEE_NO = auto()
    MCP_NAME = auto()
    MCP_METHOD = auto()
    CONTENT_TYPE = auto()
    CONTENT_LENGTH = auto()
    CONTENT_ENCODING = auto()


_INDEX: Final = {header.name.lower().replace("_", "-").encode(): int(header) for header in Header}
_BLANKS: Final = b" \t"
"""What stands around a value by the rules of HTTP; anything else belongs to it."""
_VISIBLE: Final = range(0x21, 0x7F)
_EMPTY: Final = [b""] * len(Header)
_SAME: Final = (
    (Header.X_REQUEST_ID, Header.REQUEST_ID, "request-id"),
    (Header.EMPLOYEE_NO, Header.EMPLOYEE_ID, "employee-id"),
)
# Plain integers: indexing with members of an enum costs more than the look-up itself.
_TRACEPARENT: Final = int(Header.TRACEPARENT)
_TRACE_ID: Final = int(Header.TRACE_ID)
_GUID: Final = int(Header.GUID)
_X_REQUEST_ID: Final = int(Header.X_REQUEST_ID)
_REQUEST_ID: Final = int(Header.REQUEST_ID)
_SESSION: Final = int(Header.MCP_SESSION_ID)
_EMPLOYEE_NO: Final = int(Header.EMPLOYEE_NO)
_EMPLOYEE_ID: Final = int(Header.EMPLOYEE_ID)
_VIRTUAL: Final = int(Header.VIRTUAL_EMPLOYEE_NO)


class HeaderError(ValueError):
    """The headers cannot be used; `name` is the one that came twice, empty if they are too many or too long."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.name = name


def read_headers(headers: Iterable[tuple[bytes, bytes]]) -> Sequence[bytes]:
    """Return the values of the known headers by `Header`, empty where there is none, or none that can be seen.

    Args:
        headers: as ASGI gives them, names in lower case.

    Raises:
        HeaderError: too many, too long, or a known one twice with different values.
    """
    found = _EMPTY.copy()
    count = size = 0
    index_of = _INDEX.get
    for name, value in headers:
        count += 1
        size += len(name) + len(value)
        index = index_of(name)
        if index is None:
            continue
        said = value.strip(_BLANKS)
        if not said or (said[0] not in _VISIBLE and _is_blank(said)):
            continue
        if found[index] and found[index] != said:
            raise HeaderError(name.decode())
        found[index] = said
    if count > MAX_HEADERS or size > MAX_HEADER_BYTES or (size > MAX_VALUE_BYTES and _too_long(found)):
        raise HeaderError
    return found


def context_of(found: Sequence[bytes], deadline: float | None) -> ToolContext:
    """Return the context of a call.

    Args:
        found: from `read_headers`.
        deadline: when the call is cut off, on the event loop's clock.
    """
    guid = found[_GUID]
    parent = found[_TRACEPARENT]
    trace_id = (traceparent(parent) if parent else None) or found[_TRACE_ID] or guid
    request_id = found[_X_REQUEST_ID] or found[_REQUEST_ID]
    session = found[_SESSION]
    employee = found[_EMPLOYEE_NO] or found[_EMPLOYEE_ID]
    virtual = found[_VIRTUAL]
    return ToolContext(
        _text(trace_id) if trace_id else secrets.token_hex(_ID_BYTES),
        _text(request_id) if request_id else secrets.token_hex(_ID_BYTES),
        _text(guid) if guid else None,
        _text(session) if session else None,
        _secret(employee) if employee else None,
        _secret(virtual) if virtual else None,
        deadline,
    )


def conflicts(found: Sequence[bytes]) -> list[str]:
    """Return the names of the second family whose values were not taken, as the first family says otherwise."""
    names = [second for one, other, second in _SAME if found[one] and found[other] and found[one] != found[other]]
    parent = found[_TRACEPARENT]
    trace = traceparent(parent) if parent and found[_TRACE_ID] else None
    return names if trace is None or trace == found[_TRACE_ID] else [*names, "trace-id"]


def _too_long(found: Sequence[bytes]) -> bool:
    return any(len(value) > MAX_VALUE_BYTES for value in found)


def _is_blank(value: bytes) -> bool:
    """Say whether nothing of a value can be seen, such as a no-break space alone, in UTF-8 or in Latin-1."""
    readings = (value.decode("utf-8", "replace"), value.decode("latin-1"))
    return any(all(one.isspace() or not one.isprintable() for one in reading) for reading in readings)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _secret(value: bytes) -> Encrypted:
    # Escaped surrogates keep bytes that are not UTF-8, so that what is passed on is what came.
    return Encrypted(value.decode("utf-8", "surrogateescape"))
