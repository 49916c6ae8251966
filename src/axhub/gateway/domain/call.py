"""A `tools/call` as the protocol adapter understood it, and which of its headers go on to the tool.

Pure. Header values are passed on byte for byte or the call is refused (gateway/X2, decision/D2, D8, D13).
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from axhub.contract.headers import CALLER_HEADERS, MAX_VALUE_BYTES, traceparent
from axhub.gateway.domain.route import Route

_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


class ToolCall(NamedTuple):
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


class HeaderFaultError(ValueError):
    """A header of the caller cannot be passed on; the message names it and never its value."""


class ForwardedHeaders:
    """The rule of one deployment: 001's five headers, what `extraForwardHeaders` adds, W3C trace context."""

    def __init__(self, extra: tuple[bytes, ...] = ()) -> None:
        """`extra` are lower-case names."""
        names = CALLER_HEADERS + tuple(name for name in extra if name not in CALLER_HEADERS)
        self._lines = tuple((name, name + b": ") for name in names)
        self._single = frozenset((*names, b"authorization"))

    def head_for(self, call: ToolCall, route: Route) -> tuple[bytes, bytes]:
        """Return the whole request head for `route`, and the call's trace id (empty if it has none).

        Raises:
            HeaderFaultError: one of the headers came twice, is over 8 KiB, or holds control characters.
        """
        if call.repeated and (twice := call.repeated & self._single):
            raise HeaderFaultError(f"the header {min(twice).decode()} came more than once")
        get = call.headers.get
        parts = [route.head]
        values = []
        for name, start in self._lines:
            value = get(name)
            if value:
                parts += (start, value, b"\r\n")
                values.append(value)
        sent = b"".join(values)  # what holds for all of them together holds for each
        if len(sent) > MAX_VALUE_BYTES or _CONTROLS.search(sent):
            self._refuse_one(call)
        trace_id = _add_trace(call, parts)
        if route.forward_authorization and (credentials := get(b"authorization")):
            parts += (b"authorization: ", credentials, b"\r\n")
        return b"".join(parts), trace_id

    def _refuse_one(self, call: ToolCall) -> None:
        for name, _ in self._lines:
            value = call.headers.get(name, b"")
            if len(value) > MAX_VALUE_BYTES:
                raise HeaderFaultError(f"the header {name.decode()} is over {MAX_VALUE_BYTES} bytes")
            if _CONTROLS.search(value):
                raise HeaderFaultError(f"the header {name.decode()} holds control characters")


def _add_trace(call: ToolCall, parts: list[bytes]) -> bytes:
    """Add the caller's trace context; a malformed one is dropped, as W3C Trace Context asks."""
    headers = call.headers
    value = headers.get(b"traceparent") or call.meta_traceparent
    if not value or b"traceparent" in call.repeated:
        return b""
    trace_id = traceparent(value)
    if trace_id is None:
        return b""
    parts.append(b"traceparent: %b\r\n" % value)
    state = headers.get(b"tracestate")
    if state and len(state) <= MAX_VALUE_BYTES and b"traceparent" in headers and b"tracestate" not in call.repeated:
        parts.append(b"tracestate: %b\r\n" % state)
    return trace_id
