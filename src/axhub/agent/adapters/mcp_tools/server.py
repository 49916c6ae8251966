"""Where a catalogue is, and how patiently it is asked (agent/A9)."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from axhub.agent.domain.errors import RegistrationError
from axhub.contract.endpoints import EndpointError, parse_url
from axhub.contract.headers import CALLER_HEADERS

__all__ = ["AUTO", "HANDSHAKE", "STATELESS", "McpServer"]

AUTO: Final = "auto"
"""Asks the server which revision it speaks, the stateless one first."""
HANDSHAKE: Final = "legacy"
"""Revisions up to 2025-11-25."""
STATELESS: Final = "2026-07-28"

_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110, section 5.6.2
_VALUE: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_OF_THE_PROTOCOL: Final = frozenset({"accept", "content-type", "content-length", "host", "transfer-encoding"})
_MCP: Final = "mcp-"


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """One MCP server over Streamable HTTP; proxies and other settings of the environment are not looked at.

    Raises:
        RegistrationError: something of it cannot be used; the text names each.
    """

    id: str
    """What it is called in logs and in names; it may not change, since names of tools are made with it."""
    url: str
    """Its endpoint, such as `http://gateway:8080/mcp`."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with each request, such as `Authorization`. Who acts goes another way: by an `ActorCipher`."""
    protocol: str = AUTO
    trusts_hints: bool = False
    """Whether its `readOnlyHint` is believed; only then may a tool be mapped with `by_hint`."""
    is_required: bool = True
    """Whether a turn that needs its tools ends while they are not known yet; else it goes on without them."""
    refresh_seconds: float = 30.0
    """After this long the list is read again at the latest: sooner, if its `ttlMs` or a notice says so."""
    connect_seconds: float = 5.0
    list_seconds: float = 10.0
    """For the whole list, all pages."""
    max_answer_bytes: int = 4_194_304
    """Of one answer; what a model reads of it is bounded by the tool's `max_result_bytes`."""
    ca_file: str | None = None
    """File in PEM with certificates that are believed besides the system's own."""

    def __post_init__(self) -> None:
        problems = "; ".join((*_words(self), *_headers(self.headers), *_numbers(self)))
        if problems:
            raise RegistrationError(f"MCP server {self.id!r}: {problems}")


def _words(server: McpServer) -> Iterator[str]:
    if _ID.fullmatch(server.id) is None:
        yield "the id is not up to 63 of a-z, 0-9, _ and -, beginning with a letter"
    try:
        parse_url(server.url)
    except EndpointError as error:
        yield f"url {server.url!r}: {error}"
    if server.protocol not in {AUTO, HANDSHAKE, STATELESS}:
        yield f"protocol is one of {AUTO}, {HANDSHAKE}, {STATELESS}"


def _headers(headers: Mapping[str, str]) -> Iterator[str]:
    for name, value in headers.items():
        if _TOKEN.fullmatch(name) is None or _VALUE.fullmatch(value) is None:
            yield f"the header {name!r} has a name or a value that HTTP does not take"
        elif name.lower().encode() in CALLER_HEADERS:
            yield f"the header {name} is set for each call, from who acts"
        elif name.lower() in _OF_THE_PROTOCOL or name.lower().startswith(_MCP):
            yield f"the header {name} belongs to the protocol"


def _numbers(server: McpServer) -> Iterator[str]:
    for name in ("refresh_seconds", "connect_seconds", "list_seconds", "max_answer_bytes"):
        if not 0 < getattr(server, name) < math.inf:
            yield f"{name} must be above 0"
