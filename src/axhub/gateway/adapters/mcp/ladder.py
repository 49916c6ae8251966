"""Which revision a message speaks, told from its headers and its `_meta` alone (gateway/P1, gateway/P4).

Pure. The presence of the `_meta` key of the stateless era decides; the header is held against it.
The rows in the comments are those of the wire digest's decision table.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message, text_of
from axhub.gateway.domain.header_params import decode_header_value, is_encoded
from axhub.gateway.domain.revision import HANDSHAKE_REVISIONS, STATELESS_REVISIONS, Revision
from axhub.gateway.ports import HttpRequest

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
VERSION_HEADER: Final = b"mcp-protocol-version"
METHOD_HEADER: Final = b"mcp-method"
NAME_HEADER: Final = b"mcp-name"
_ROUTING_HEADERS: Final = frozenset({VERSION_HEADER, METHOD_HEADER, NAME_HEADER})
_BY_HEADER: Final = {revision.value.encode(): revision for revision in Revision}
_AGREED: Final[dict[tuple[bytes, bytes | None], Revision]] = {
    (b'"%b"' % revision.encode(), revision.encode()): revision for revision in STATELESS_REVISIONS
}
"""`_meta` and header as every client writes them."""
_NAMED_METHODS: Final = frozenset({"tools/call", "prompts/get"})
_URI_METHOD: Final = "resources/read"
_KEPT_METHODS: Final = frozenset({"tools/call", "tools/list", "ping"})
"""What callers send often: only of these a claim is kept, since what is kept lives as long as the connection."""
_MOST_NAME: Final = 256
"""A longer name of a tool is held against the head each time."""

Headers = Mapping[bytes, bytes]


class LadderError(ValueError):
    """The message is refused with HTTP 400; `code` and `data` go into the JSON-RPC error."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Claim(msgspec.Struct, frozen=True, gc=False):
    """What the body of a message said, which its head was found to agree with."""

    method: str
    name: str | None
    version: msgspec.Raw | None
    """The revision in `_meta`, as written; None in the handshake era, where names are not in headers either."""
    meta: dict[str, msgspec.Raw] | None
    """All of `_meta`, if that is kept too."""
    revision: Revision


def agreed_revision(message: Message, request: HttpRequest) -> Revision:
    """Return the revision a request speaks; on a connection that repeats its head, most often without a second look.

    Raises:
        LadderError: as `revision_of`.
    """
    notes, meta = request.notes, message.meta
    claim: Claim | None = None if notes is None else notes.claim
    if (
        claim is not None
        and claim.method == message.method
        and (claim.meta is meta or _says_the_same(claim, meta))
        and (claim.version is None or claim.name == message.name)
    ):
        return claim.revision
    revision = revision_of(message, request.headers, request.repeated)
    if notes is not None and message.method in _KEPT_METHODS:
        kept = meta if not meta or (notes.meta is not None and notes.meta.members is meta) else None
        if (version := meta.get(VERSION_KEY)) is None:  # then a name says nothing of the head
            notes.claim = Claim(message.method, None, None, kept, revision)
        elif message.name is None or len(message.name) <= _MOST_NAME:  # a copy has no message around it
            notes.claim = Claim(message.method, message.name, version.copy(), kept, revision)
    return revision


def _says_the_same(claim: Claim, meta: Mapping[str, msgspec.Raw]) -> bool:
    version = meta.get(VERSION_KEY)
    return claim.version == version and (version is None or bytes(meta.get(CAPABILITIES_KEY, b""))[:1] == b"{")


def revision_of(message: Message, headers: Headers, repeated: frozenset[bytes]) -> Revision:
    """Return the revision a request speaks, with everything that revision asks of headers checked.

    Raises:
        LadderError: headers and body disagree, a required part is missing, or the revision is not served.
    """
    if repeated and not repeated.isdisjoint(_ROUTING_HEADERS):
        raise LadderError(wire.HEADER_MISMATCH, "A routing header came more than once")
    if VERSION_KEY in message.meta:
        return _stateless(message, headers)
    named = headers.get(VERSION_HEADER)
    if message.method == "initialize":  # row 8
        return Revision.V2025_11_25
    if named is None:  # row 10
        return Revision.V2025_03_26
    revision = _BY_HEADER.get(named)
    if revision is None:  # row 5
        raise _unsupported(named)
    if revision in STATELESS_REVISIONS:  # row 2
        raise LadderError(wire.INVALID_PARAMS, f"params._meta must have {VERSION_KEY} and {CAPABILITIES_KEY}")
    return revision  # row 9


def check_notification(headers: Headers) -> None:
    """Row 13: a notification is dropped, but a revision that is not served is named.

    Raises:
        LadderError: the header names an unknown revision.
    """
    named = headers.get(VERSION_HEADER)
    if named is not None and named not in _BY_HEADER:
        raise _unsupported(named)


def allows_batch(headers: Headers) -> bool:
    """Say whether an array may stand here (rows 11, 12)."""
    return headers.get(VERSION_HEADER, b"2025-03-26") == b"2025-03-26"


def _stateless(message: Message, headers: Headers) -> Revision:
    raw, named = bytes(message.meta[VERSION_KEY]), headers.get(VERSION_HEADER)
    revision = _AGREED.get((raw, named)) or _settle(text_of(message.meta[VERSION_KEY]), named)
    capabilities = message.meta.get(CAPABILITIES_KEY)
    if capabilities is None or bytes(capabilities)[:1] != b"{":
        raise LadderError(wire.INVALID_PARAMS, f"params._meta must have {CAPABILITIES_KEY}, an object")
    _check_routing(message, headers)
    return revision


def _settle(version: str | None, named: bytes | None) -> Revision:
    """Return the revision of a spelling that is not the usual one, or refuse it."""
    if version is None:
        raise LadderError(wire.INVALID_PARAMS, f"params._meta[{VERSION_KEY!r}] must be a string")
    if named is None or named != version.encode("utf-8", "replace") or version in HANDSHAKE_REVISIONS:  # rows 3, 6, 7
        raise LadderError(
            wire.HEADER_MISMATCH,
            f"The header MCP-Protocol-Version must be there and equal params._meta[{VERSION_KEY!r}]",
        )
    if version not in STATELESS_REVISIONS:  # row 4
        raise _unsupported(named)
    return Revision(version)


def _check_routing(message: Message, headers: Headers) -> None:
    """`Mcp-Method` on every request, `Mcp-Name` where something is named; both equal to the body."""
    if not _says(headers.get(METHOD_HEADER), message.method):
        raise LadderError(wire.HEADER_MISMATCH, "The header Mcp-Method must be there and equal the body's method")
    member, wanted = "name", message.name if message.method in _NAMED_METHODS else None
    if message.method == _URI_METHOD:
        member, wanted = "uri", text_of(message.params.get("uri"))
    # Where something should be named and is not, that is the body's own fault; the method answers it.
    if wanted is not None and not _says(headers.get(NAME_HEADER), wanted):
        raise LadderError(wire.HEADER_MISMATCH, f"The header Mcp-Name must be there and equal params.{member}")


def _says(header: bytes | None, wanted: str) -> bool:
    """Say whether a header, as it is or encoded, holds the text; nearly all do as they are."""
    if header is None:
        return False
    return (wanted.isascii() and header == wanted.encode() and not is_encoded(header)) or (
        decode_header_value(header) == wanted
    )


def _unsupported(named: bytes) -> LadderError:
    requested = named.decode("utf-8", "replace")[:64]
    return LadderError(
        wire.UNSUPPORTED_REVISION,
        "Unsupported protocol version",
        {"supported": list(STATELESS_REVISIONS), "requested": requested},
    )
