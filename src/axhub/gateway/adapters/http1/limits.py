"""The bounds of the HTTP/1.1 server and client, as plain values."""

from dataclasses import dataclass
from typing import Final

JOINED_BYTES: Final = 64 * 1024
"""Smaller bodies are copied behind their head and written at once; larger ones are handed over as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """What one caller's connection may cost (gateway/P6, chapter 4 of the threat catalogue). Times are seconds."""

    max_header_fields: int = 64
    max_head_bytes: int = 32 * 1024
    """Request line and header fields with their line ends."""
    max_body_bytes: int = 1_048_576
    head_seconds: float = 10.0
    """From the first byte of a request (of a new connection: from its start) to the end of its head."""
    body_seconds: float = 30.0
    """From the end of the head to the end of the body."""
    linger_seconds: float = 1.0
    """How long is read on after a last answer, so that a reset does not destroy it."""
    idle_seconds: float = 75.0
    """How long a kept-alive connection may be silent between two requests."""
    write_stall_seconds: float = 10.0
    """How long a caller may take nothing of an answer."""
    max_unsent_bytes: int = 1_048_576
    """When so much of an answer in pieces waits for its caller to take it, the next piece cuts the caller off."""
    half_closed_seconds: float = 60.0
    """How long an answer is waited for after the caller's end of stream."""
    drain_idle_seconds: float = 0.25
    """How long a silent connection is kept while draining: a request that is under way is still answered."""
    max_connections: int = 4096
    """One more is answered 503 and closed."""
    max_turned_away: int = 256
    """So many over the limit are told so at a time; the rest is cut off without a word."""
    max_pipelined: int = 16
    """With this many requests waiting, no more is parsed."""


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """What the calls of one bundle may occupy (gateway/X9)."""

    max_concurrent: int = 64
    max_queued: int = 32
    idle_seconds: float = 3.0
    """How long an unused connection is kept."""


@dataclass(frozen=True, slots=True)
class PoolUsage:
    """What the calls of one bundle occupy at the moment."""

    active: int
    """Calls that connect or wait for their answer."""
    queued: int
    idle: int
    """Unused open connections."""
