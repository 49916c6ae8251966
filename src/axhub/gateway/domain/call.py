"""A `tools/call` as the protocol adapter understood it, and which of its headers go on to the tool.

Pure. Header values are passed on byte for byte or the call is refused (gateway/X2, decision/D2, D8, D13).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from axhub.contract.headers import CALLER_HEADERS, MAX_VALUE_BYTES, traceparent
from axhub.gateway.domain.route import Route

_ALLOWED: Final = bytes([0x09, *range(0x20, 0x7F), *range(0x80, 0x100)])
"""What a field value may hold (RFC 9110 §5.5): visible characters, blanks, bytes beyond ASCII."""


class _Forwarded(NamedTuple):
    """What the last call with the same headers was sent with."""

    route: Route
    head: bytes
    trace_id: bytes


class HeadNotes:
    """What was made of the head of a request; it lives as long as its connection repeats that head.

    It holds what callers sent, and so has no text of its own.
    """

    __slots__ = ("claim", "forwarded", "meta", "takes_json")

    def __init__(self) -> None:
        self.takes_json: bool | None = None
        """Whether its sender takes JSON answers, all others getting events; None until the head was let in at all."""
        self.claim: Any = None
        """What the protocol adapter keeps of the message that it last held against this head."""
        self.meta: Any = None
        """What it keeps of the last `_meta`: many clients say there the same each time."""
        self.forwarded: _Forwarded | None = None


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """One call, before it is known whether the tool exists."""

    name: str
    arguments: bytes
    """The `arguments` object's own bytes (gateway/X1)."""
    headers: Mapping[bytes, bytes]
    repeated: frozenset[bytes] = frozenset()
    meta_traceparent: bytes = b""
    """`_meta.traceparent` of the body, used if the header is absent."""
    mirrors_arguments: bool = False
    """Whether the revision mirrors arguments in `Mcp-Param-*` headers (gateway/P4)."""
    meta: Mapping[str, msgspec.Raw] = MappingProxyType({})
    """The members of `_meta`; only an MCP server gets them, not those that belong to the protocol."""
    params: Mapping[str, msgspec.Raw] = MappingProxyType({})
    """All other members of `params`."""
    notes: HeadNotes | None = None
    """What was made of these headers before, if their connection repeats them."""


_OWN_TO_MCP: Final = frozenset({b"mcp-session-id", b"mcp-protocol-version", b"last-event-id", b"accept"})
_MIRRORED: Final = b"mcp-param-"
"""To a Tool Service these may be the caller's; an MCP server would take them for the gateway's own (gateway/P11)."""


class HeaderFaultError(ValueError):
    """A header of the caller cannot be passed on; the message names it and never its value."""


class ForwardedHeaders:
    """The rule of one deployment: 001's five headers, what `extraForwardHeaders` adds, W3C trace context."""

    def __init__(self, extra: tuple[bytes, ...] = ()) -> None:
        """`extra` are lower-case names."""
        names = CALLER_HEADERS + tuple(name for name in extra if name not in CALLER_HEADERS)
        self._lines = tuple((name, b"\r\n%b: " % name) for name in names)
        self._lines_to_mcp = tuple(line for line in self._lines if _goes_to_mcp(line[0]))
        self._single = frozenset(names)

    def head_for(self, call: ToolCall, route: Route) -> tuple[bytes, bytes]:
        """Return the whole request head for `route`, and the call's trace id (empty if it has none).

        Raises:
            HeaderFaultError: one of the headers came twice, is over 8 KiB, or holds control characters.
        """
        notes = call.notes
        if notes is None or call.meta_traceparent:
            return self._made(call, route)
        last = notes.forwarded
        if last is None or last.route is not route:
            notes.forwarded = last = _Forwarded(route, *self._made(call, route))
        return last.head, last.trace_id

    def _made(self, call: ToolCall, route: Route) -> tuple[bytes, bytes]:
        if call.repeated:
            self._refuse_repeated(call, route)
        get = call.headers.get
        parts = [route.head]
        for name, start in self._lines_to_mcp if route.own_name else self._lines:
            value = get(name)
            if value:
                parts += (start, value)
        trace_id = b""
        if call.meta_traceparent or b"traceparent" in call.headers:
            trace_id = _add_trace(call, parts)
        if route.forward_authorization and (credentials := get(b"authorization")):
            parts += (b"\r\nauthorization: ", credentials)
        values = b"".join(parts[2::2])  # everything that is not ours; what holds for all together holds for each
        if len(values) > MAX_VALUE_BYTES or values.translate(None, _ALLOWED):
            _refuse_one(parts)
        parts.append(b"\r\n")
        return b"".join(parts), trace_id

    def _refuse_repeated(self, call: ToolCall, route: Route) -> None:
        twice = call.repeated & self._single
        if route.forward_authorization and b"authorization" in call.repeated:
            twice |= {b"authorization"}
        if twice:
            raise HeaderFaultError(f"the header {min(twice).decode()} came more than once")


def _goes_to_mcp(name: bytes) -> bool:
    return name not in _OWN_TO_MCP and not name.startswith(_MIRRORED)


def _refuse_one(parts: list[bytes]) -> None:
    """Name the header at fault; `parts` is our own head, then pairs of what begins a line and its value."""
    for start, value in zip(parts[1::2], parts[2::2], strict=True):
        name = start.strip(b"\r\n: ").decode()
        if len(value) > MAX_VALUE_BYTES:
            raise HeaderFaultError(f"the header {name} is over {MAX_VALUE_BYTES} bytes")
        if value.translate(None, _ALLOWED):
            raise HeaderFaultError(f"the header {name} holds control characters")


def _add_trace(call: ToolCall, parts: list[bytes]) -> bytes:
    """Add the caller's trace context; a malformed one is dropped, as W3C Trace Context asks."""
    headers = call.headers
    value = headers.get(b"traceparent") or call.meta_traceparent
    if not value or b"traceparent" in call.repeated:
        return b""
    trace_id = traceparent(value)
    if trace_id is None:
        return b""
    parts += (b"\r\ntraceparent: ", value)
    state = headers.get(b"tracestate")
    if state and b"traceparent" in headers and b"tracestate" not in call.repeated and _is_sound(state):
        parts += (b"\r\ntracestate: ", state)
    return trace_id


def _is_sound(value: bytes) -> bool:
    return len(value) <= MAX_VALUE_BYTES and not value.translate(None, _ALLOWED)
