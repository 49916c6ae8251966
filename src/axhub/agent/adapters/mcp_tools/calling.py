"""One `tools/call`, once: whatever happens, it is not sent again (agent/A9, agent/L6).

Each call is a conversation of its own, which takes over what was negotiated with the server: one that breaks takes no
other call with it, and the headers of one actor are never near another's.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import mcp_param_headers
from mcp_types import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    DiscoverResult,
    Implementation,
    InitializeResult,
    InputRequiredResult,
)
from pydantic import TypeAdapter

from axhub import __version__
from axhub.agent.adapters.mcp_tools.quiet import quiet
from axhub.agent.adapters.mcp_tools.results import Answer, read_result
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.adapters.mcp_tools.wire import LostError, Pool, Seen, UnsentError
from axhub.contract.headers import HeaderParam

__all__ = ["CLIENT", "Call", "Negotiated", "RefusedError", "call", "leaves"]

CLIENT: Final = Implementation(name="axhub-agent", version=__version__)
_RESULT: Final[TypeAdapter[CallToolResult | InputRequiredResult]] = TypeAdapter(CallToolResult | InputRequiredResult)
_PARAM: Final = b"mcp-param-"
_BEFORE_IT_RAN: Final = frozenset({HEADER_MISMATCH, INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION})
"""Error codes by which a server says that it has not begun; others may come from the middle of a tool's work."""
_NOT_BEGUN: Final = frozenset({"overloaded", "registry_unavailable", "tool_not_found"})
"""What an axhub gateway says so with, in `data.reason` (gateway/K7, gateway/X14, decision/D5)."""


class RefusedError(Exception):
    """The server answered that it does not make this call; nothing was done."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(f"status {status}, code {code}")
        self.status = status
        self.code = code
        self.message = message
        """The server's, of arguments that it does not take; else empty."""

    @property
    def is_outdated(self) -> bool:
        """Whether what was negotiated or listed may not hold any more: a session is gone, or a schema is another."""
        return self.status in {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND} or self.code == HEADER_MISMATCH


@dataclass(frozen=True, slots=True)
class Negotiated:
    """What a call needs of the conversation that listed the tools."""

    result: InitializeResult | DiscoverResult
    session: str | None

    @property
    def headers(self) -> Mapping[str, str]:
        """What each request carries besides."""
        return {} if self.session is None else {"mcp-session-id": self.session}


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent."""

    tool: str
    """Its name in the catalogue."""
    arguments: Mapping[str, Any]
    text: bytes
    """The arguments as they leave: canonical, as they were approved."""
    headers: Mapping[str, str]
    """Who acts, and the ids of run and call."""
    params: tuple[HeaderParam, ...]
    connect_seconds: float


async def call(server: McpServer, pool: Pool, negotiated: Negotiated, it: Call) -> Answer:
    """Make a call.

    Raises:
        UnsentError: nothing was sent.
        RefusedError: the server did not begin.
        LostError: nobody knows.
    """
    headers = {**negotiated.headers, **it.headers}
    if isinstance(negotiated.result, DiscoverResult):
        tokens = {param.path: param.header.removeprefix(_PARAM).decode() for param in it.params}
        headers |= mcp_param_headers(tokens, it.arguments)
    seen = Seen()
    request = CallToolRequest(params=CallToolRequestParams(name=it.tool, arguments={}))
    try:
        with quiet():
            async with (
                pool.client(seen, headers, it.text, it.connect_seconds) as http,
                streamable_http_client(
                    server.url, http_client=http, max_sse_event_size=server.max_answer_bytes
                ) as streams,
                ClientSession(*streams, client_info=CLIENT) as session,
            ):
                session.adopt(negotiated.result)
                return read_result(await session.send_request(request, _RESULT))
    except* Exception as group:  # noqa: BLE001 -- all are judged below
        failures = group
    raise _judged(failures, seen)


def leaves(group: BaseExceptionGroup[Any]) -> Iterable[Exception]:
    """Yield the exceptions of a group, at any depth."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from leaves(error)
        else:
            yield error


def _judged(group: BaseExceptionGroup[Any], seen: Seen) -> Exception:
    """Return what a failure means for the call."""
    found = list(leaves(group))
    for kind in (UnsentError, LostError):
        ours = next((error for error in found if isinstance(error, kind)), None)
        if ours is not None:
            return ours
    said = next((error for error in found if isinstance(error, MCPError)), None)
    if said is not None and _has_not_begun(said, seen):
        message = said.message if said.code == INVALID_PARAMS else ""
        return RefusedError(seen.status, said.code, message)
    lost = LostError(type(said or found[0]).__name__)
    lost.__cause__ = said or found[0]
    return lost


def _has_not_begun(error: MCPError, seen: Seen) -> bool:
    """Say whether an error is one that no call is in the middle of."""
    if isinstance(error.data, Mapping) and error.data.get("reason") in _NOT_BEGUN:
        return True
    if seen.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return False
    if seen.status >= HTTPStatus.BAD_REQUEST and not seen.names_request:
        return True
    return error.code in _BEFORE_IT_RAN
