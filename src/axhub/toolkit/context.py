"""Who calls, and how to trace it: what a use case may know besides its arguments (toolkit/T3, decision/D8).

None of it is in a tool's schema, so a model can neither see nor set it.
"""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

__all__ = ["Encrypted", "ToolContext", "current_context", "current_tool"]


class Encrypted:
    """A value that only its owner's key can read; it prints as `***` wherever it is shown."""

    __slots__ = ("_cipher_text",)

    def __init__(self, cipher_text: str) -> None:
        self._cipher_text = cipher_text

    def reveal_cipher_text(self) -> str:
        """Return the value as it came, still encrypted: for `EmployeeCipher` and for passing it on."""
        return self._cipher_text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encrypted) and other._cipher_text == self._cipher_text

    def __hash__(self) -> int:
        return hash(self._cipher_text)

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The context of one call. A use case asks for it with a parameter of this type, and it stops there.

    Converters, clients and application ports get plain values instead (decision/D19).
    """

    trace_id: str
    """`traceparent`'s trace id, else `trace-id`, else `guid`, else a new one; stays the same along a flow."""
    request_id: str
    """`x-request-id`, else `request-id`, else a new one."""
    guid: str | None = None
    session_id: str | None = None
    """`mcp-session-id`."""
    employee: Encrypted | None = None
    """`employee-no`, else `employee-id`; may be missing."""
    virtual_employee: Encrypted | None = None
    """`virtual-employee-no`; may be missing."""
    deadline: float | None = None
    """When the call is cut off, on the event loop's clock, in seconds."""


current_context: Final[ContextVar[ToolContext | None]] = ContextVar("axhub_tool_context", default=None)
"""The context of the call that is running: for adapters that pass it on (toolkit/H2). A use case takes a parameter."""

current_tool: Final[ContextVar[str]] = ContextVar("axhub_tool", default="")
"""The authored name of the tool that is running, in the profile `local` alone: mocks answer each tool with its own
samples (toolkit/B4)."""
