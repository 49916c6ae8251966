"""Flow 2 where the bundle is an MCP server: what such a server is sent of a caller's call (gateway/P11).

Pure. The caller's bytes go on wherever they mean something to the tool; what belongs to the protocol between caller
and gateway does not, and is written anew by the adapter, in the era that the server speaks.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.header_params import is_plain, mirrored
from axhub.gateway.domain.route import Route
from axhub.gateway.ports import McpCall

CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
PROGRESS_TOKEN: Final = "progressToken"  # noqa: S105 -- no secret: a member's name
_NOTHING: Final = b"{}"
"""What a caller of the handshake era can do was said in another request, to another replica: nothing, then."""
_RETRY: Final = ("inputResponses", "requestState")
_MIRRORED: Final = b"mcp-param-"


def mcp_call(call: ToolCall, route: Route, headers: bytes) -> McpCall:
    """Return the call that `route`'s server gets; `headers` are those that may go on, each line ended by CRLF."""
    if call.mirrors_arguments or route.header_params:
        headers += b"".join(b"%b: %b\r\n" % header for header in _mirrored_headers(call, route))
    return McpCall(
        bundle=route.bundle,
        name=route.own_name,
        headers=headers,
        arguments=call.arguments,
        meta=call.meta,
        capabilities=_capabilities(call) if call.mirrors_arguments else _NOTHING,
        retry=b"".join([b',"%b":%b' % (name.encode(), call.params[name]) for name in _RETRY if name in call.params]),
        timeout=route.timeout,
    )


def _mirrored_headers(call: ToolCall, route: Route) -> Iterator[tuple[bytes, bytes]]:
    """A caller that mirrors arguments has done so; for the others it is done here (MCP 2026-07-28, `x-mcp-header`).

    Headers of this kind that mean nothing to the gateway go on all the same, as the revision asks.
    """
    if call.mirrors_arguments:
        sent = call.headers.items()
        yield from ((name, value) for name, value in sent if name.startswith(_MIRRORED) and is_plain(value))
    else:
        yield from mirrored(route.header_params, call.arguments)


def _capabilities(call: ToolCall) -> bytes:
    stated: msgspec.Raw | bytes = call.meta.get(CAPABILITIES_KEY, _NOTHING)
    return bytes(stated)
