"""What a call to a legacy system takes along of the call that is being answered (toolkit/H2, decision/D8)."""

import secrets
from dataclasses import dataclass
from typing import Final

from axhub.toolkit.connectors.http_bodies import INVALID_REQUEST
from axhub.toolkit.context import ToolContext, current_tool
from axhub.toolkit.errors import LegacyError

__all__ = ["TOOL_HEADER", "Carried", "carried", "told_to_mocks"]

TOOL_HEADER: Final = "x-axhub-tool"
"""Tells a mock which tool asks; no system but a mock is sent it."""

_ID_BYTES: Final = 16
_MAX_ID: Final = 256


@dataclass(frozen=True, slots=True)
class Carried:
    """The ids of one call, and who makes it; the employee never shows."""

    trace_id: str
    request_id: str
    parent_request_id: str | None
    """The caller's, where `request_id` is a new one."""
    headers: dict[str, str]
    employee: str = ""
    """The encrypted number; empty without one."""

    def __repr__(self) -> str:
        return f"Carried({self.trace_id!r}, {self.request_id!r}, {self.parent_request_id!r})"


def carried(context: ToolContext | None, *, new_request_id: bool) -> Carried:
    """Return what goes along with a call.

    Args:
        context: of the call that is being answered; None outside of one, where the ids are new.
        new_request_id: whether the call gets a request id of its own.

    Raises:
        LegacyError: `invalid_request`: the employee number cannot stand in a header.
    """
    trace_id = _id(context.trace_id if context else "")
    parent = _id(context.request_id if context else "")
    request_id = secrets.token_hex(_ID_BYTES) if new_request_id else parent
    headers = {"trace-id": trace_id, "request-id": request_id}
    employee = ""
    if context is not None and context.employee is not None:
        employee = context.employee.reveal_cipher_text()
        if not (employee.isascii() and employee.isprintable()):
            raise LegacyError(INVALID_REQUEST, "the encrypted employee number is not printable ASCII")
        headers["employee-id"] = employee
    return Carried(trace_id, request_id, parent if new_request_id else None, headers, employee)


def told_to_mocks() -> dict[str, str]:
    """Return what a mock is told besides, and nothing else ever is: which tool asks."""
    tool = current_tool.get()
    return {TOOL_HEADER: tool} if tool.isascii() and tool.isprintable() and tool else {}


def _id(text: str) -> str:
    """Return an id that can stand in a header and a log line; a new one where nothing is left of it."""
    kept = "".join(c for c in text if c.isascii() and c.isprintable()).strip()
    return kept[:_MAX_ID] or secrets.token_hex(_ID_BYTES)
