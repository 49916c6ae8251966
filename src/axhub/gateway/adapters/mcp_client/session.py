"""How a server is spoken to, and every request that it is sent: bytes in, bytes out (gateway/P11, MCP 2025-03-26 on).

Pure. A server of the stateless era needs nothing remembered but that it is one; a server of the handshake era has a
revision and, if it gave one, a session. Both are one value, `Session`, so that nobody else asks for the era.
"""

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from axhub.configuration.faults import excerpt
from axhub.contract.endpoints import Endpoint
from axhub.gateway.domain.revision import HANDSHAKE_REVISIONS, LATEST_HANDSHAKE, STATELESS_REVISIONS, TRAITS, Revision
from axhub.gateway.ports import McpCall

OWN_KEYS: Final = "io.modelcontextprotocol/"
"""How the keys of `_meta` begin that belong to the protocol: those between caller and gateway go no further."""
LATEST_STATELESS: Final = STATELESS_REVISIONS[-1]
_ACCEPT: Final = b"Accept: application/json, text/event-stream\r\nAccept-Encoding: identity\r\n"
_ID_CHARACTERS: Final = bytes(range(0x21, 0x7F))
_as_json: Final = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of a server that has answered."""

    revision: Revision
    id: bytes = b""
    """`Mcp-Session-Id`; empty if the server gave none."""
    announces: bool = False
    """Whether it says when its tools have changed."""

    @property
    def stateless(self) -> bool:
        """Whether each request stands for itself (revision 2026-07-28)."""
        return TRAITS[self.revision].stateless


DISCOVERING: Final = Session(LATEST_STATELESS)
"""How a server is spoken to of which nothing is known yet."""


@dataclass(frozen=True, slots=True)
class Client:
    """The gateway as a client of one server."""

    server: Endpoint
    info: bytes
    """`clientInfo`, as JSON."""

    @property
    def address(self) -> str:
        """The declared address for the log, without its query."""
        return str(self.server).partition("?")[0]

    def head(self, session: Session | None, method: str, verb: bytes = b"POST") -> bytes:
        """Return request line and headers of a request; `session` is None for the one that opens a session."""
        lines = b"%b %b HTTP/1.1\r\nHost: %b\r\n" % (verb, self.server.target, self.server.origin.authority)
        if verb == b"POST":
            lines += b"Content-Type: application/json\r\n" + _ACCEPT
        else:
            lines += b"Accept: text/event-stream\r\nAccept-Encoding: identity\r\n"
        if session is None:
            return lines
        lines += b"MCP-Protocol-Version: %b\r\n" % session.revision.encode()
        if session.stateless:
            return lines + b"Mcp-Method: %b\r\n" % method.encode()
        return lines + (b"Mcp-Session-Id: %b\r\n" % session.id if session.id else b"")

    def resume_head(self, session: Session | None, event_id: bytes, session_id: bytes = b"") -> bytes:
        """Return request line and headers of the request for what a stream brings after an event.

        Without a session, for the rest of the answer that opens the one with `session_id`; its revision is not known.
        """
        named = b"Mcp-Session-Id: %b\r\n" % session_id if session is None else b""
        return b"%b%bLast-Event-ID: %b\r\n" % (self.head(session, "", b"GET"), named, event_id)

    def request(self, session: Session, number: int, method: str, params: dict[str, Any] | None = None) -> bytes:
        """Return the body of a request of the gateway's own."""
        members = dict(params or {})
        if session.stateless:
            members["_meta"] = {
                OWN_KEYS + "protocolVersion": session.revision.value,
                OWN_KEYS + "clientCapabilities": {},
                OWN_KEYS + "clientInfo": msgspec.Raw(self.info),
            }
        return _as_json({"jsonrpc": "2.0", "id": number, "method": method, "params": members})

    def initialize(self, number: int) -> bytes:
        """Return the body that opens a session: no capability is declared, so a server has nothing to ask for."""
        params: dict[str, Any] = {
            "protocolVersion": LATEST_HANDSHAKE.value,
            "capabilities": {},
            "clientInfo": msgspec.Raw(self.info),
        }
        return _as_json({"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params})

    def call(self, session: Session, number: int, call: McpCall, *, progress: bool) -> bytes:
        """Return the body of a `tools/call`: the caller's own bytes wherever they mean something to the tool.

        The token of progress is the call's own number: callers choose theirs freely, and so two may choose the same.
        """
        meta = [b'"%b":%b' % (_as_json(name)[1:-1], value) for name, value in call.meta.items() if _goes_on(name)]
        if progress:
            meta.append(b'"progressToken":%d' % number)
        if session.stateless:
            info = call.meta.get(OWN_KEYS + "clientInfo", self.info)
            meta.append(
                b'"io.modelcontextprotocol/protocolVersion":"%b","io.modelcontextprotocol/clientCapabilities":%b,'
                b'"io.modelcontextprotocol/clientInfo":%b' % (session.revision.encode(), call.capabilities, info)
            )
        retry = call.retry if session.stateless else b""
        shown = b',"_meta":{%b}' % b",".join(meta) if meta else b""
        return b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%b","arguments":%b%b%b}}' % (
            number,
            call.name,
            call.arguments,
            retry,
            shown,
        )


INITIALIZED: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


def cancelled(number: int) -> bytes:
    """Return the notification that a call is not wanted any more; only the handshake era has it."""
    reason = b'"reason":"The caller has gone, or its time was over."'
    return b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,%b}}' % (number, reason)


def reply_to(request_id: bytes, method: str) -> bytes:
    """Return what a server is answered that asks its client: alive, and not able to do anything else."""
    if method == "ping":
        return b'{"jsonrpc":"2.0","id":%b,"result":{}}' % request_id
    error = b'{"code":-32601,"message":"Method not found"}'
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (request_id, error)


class _Tools(msgspec.Struct, rename="camel"):
    list_changed: bool = False


class _Capabilities(msgspec.Struct):
    tools: _Tools = msgspec.field(default_factory=_Tools)


class _Discovered(msgspec.Struct, rename="camel"):
    supported_versions: list[str]
    capabilities: _Capabilities = msgspec.field(default_factory=_Capabilities)


class _Initialized(msgspec.Struct, rename="camel"):
    protocol_version: str
    capabilities: _Capabilities = msgspec.field(default_factory=_Capabilities)


def discovered(result: bytes) -> Session | None:
    """Return the session that the result of `server/discover` means; None: the server has none of our revisions."""
    try:
        found = msgspec.json.decode(result, type=_Discovered)
    except msgspec.DecodeError:
        return None
    if LATEST_STATELESS not in found.supported_versions:
        return None
    return Session(LATEST_STATELESS, announces=found.capabilities.tools.list_changed)


def is_session_id(value: bytes) -> bool:
    """Say whether a `Mcp-Session-Id` is one, or empty: only such a one can be sent back as it came."""
    return not value.translate(None, _ID_CHARACTERS)


def initialized(result: bytes, session_id: bytes) -> Session | None:
    """Return the session that the result of `initialize` means; None: it speaks another revision, or nonsense."""
    try:
        found = msgspec.json.decode(result, type=_Initialized)
    except msgspec.DecodeError:
        return None
    if found.protocol_version not in HANDSHAKE_REVISIONS or not is_session_id(session_id):
        return None
    return Session(Revision(found.protocol_version), session_id, found.capabilities.tools.list_changed)


def revisions_apart(result: bytes) -> str:
    """Return which revision the result of `initialize` names, and which could be spoken."""
    try:
        named = msgspec.json.decode(result, type=_Initialized).protocol_version
    except msgspec.DecodeError:
        named = ""
    came = f'"{excerpt(named)}"' if named else "none"
    return f"{came} came, and it speaks {', '.join(TRAITS)}"


def _goes_on(name: str) -> bool:
    return name != "progressToken" and not name.startswith(OWN_KEYS)
