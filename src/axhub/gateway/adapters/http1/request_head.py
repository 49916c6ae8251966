"""What a request's head must satisfy beyond the grammar that llhttp holds it to; pure (gateway/P6).

llhttp refuses bare line feeds, folded lines, control characters, unsound lengths, two lengths, and a length beside
`Transfer-Encoding`. Left to us: limits, `Host`, the form of the target, transfer codings, versions.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from axhub.gateway.adapters.http1.limits import ServerLimits

_HOST: Final = re.compile(rb"(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._~-]{1,255})(?::[0-9]{1,5})?")


class Fault(NamedTuple):
    """Why a request is refused: an HTTP status and a sentence for the caller."""

    status: int
    message: str


def head_fault(target: bytes, headers: Mapping[bytes, bytes], repeated: frozenset[bytes], version: str) -> Fault | None:
    """Ask for a known version, an origin-form target, one sound `Host`, and a transfer coding that is understood."""
    if version not in {"1.0", "1.1"}:
        return Fault(400, "The request is not HTTP/1.1.")
    if not target.startswith(b"/") or b"#" in target:
        return Fault(400, "The request target must be a path that begins with '/'.")
    coding = headers.get(b"transfer-encoding")
    if coding is not None and (coding.lower() != b"chunked" or version != "1.1"):
        return Fault(400, "The only transfer coding understood is chunked, on HTTP/1.1.")
    if b"host" in repeated:
        return Fault(400, "The request has more than one Host header.")
    host = headers.get(b"host")
    if host is None:  # HTTP/1.0 may go without (RFC 9112 section 3.2)
        return Fault(400, "The request has no Host header.") if version == "1.1" else None
    return None if _HOST.fullmatch(host) else Fault(400, "The Host header is not a host name with an optional port.")


def size_fault(fields: int, size: int, limits: ServerLimits) -> Fault | None:
    """Hold the head against its limits: number of header fields, bytes with line ends."""
    if fields > limits.max_header_fields:
        return Fault(431, f"The request has more than {limits.max_header_fields} header fields.")
    if size > limits.max_head_bytes:
        return Fault(431, f"The request line and header fields are longer than {limits.max_head_bytes} bytes.")
    return None


def body_too_large(limits: ServerLimits) -> Fault:
    """Return the fault of a body over its limit."""
    return Fault(413, f"The request body is larger than {limits.max_body_bytes} bytes.")
