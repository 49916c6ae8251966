"""Where a call goes and what goes with it: all that can be decided per snapshot, decided once (decision/D2, D13)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from axhub.contract.endpoints import Endpoint, Origin
from axhub.contract.headers import HeaderParam
from axhub.contract.schema import OutputValidator
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.revision import TRAITS, Revision, shows_output_schema


@dataclass(frozen=True, slots=True)
class CallRules:
    """What the deployment says about calls into one bundle."""

    own_origins: frozenset[Origin] = frozenset()
    """Origins of the bundle's own addresses; the only ones that may see `Authorization` (decision/D13)."""
    forward_authorization: bool = False
    public_error_fields: tuple[str, ...] = ()
    mcp_server: bool = False
    """Whether the bundle is an MCP server (gateway/P11)."""


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """One callable tool, bound to its endpoint."""

    tool: str
    bundle: str
    origin: Origin
    head: bytes
    """Request line and the headers that are the same in every call; the last one is not ended by CRLF yet.

    To an MCP server the adapter writes the request line, and only `Mcp-Name` is here.
    """
    timeout: float
    """Seconds from the decision to call until the answer is whole (gateway/G7, gateway/X11)."""
    forward_authorization: bool
    public_error_fields: tuple[str, ...]
    header_params: tuple[HeaderParam, ...]
    output: OutputValidator | None
    structured: frozenset[Revision] = frozenset()
    """Revisions that list the output schema, so that results have `structuredContent` there (gateway/X12)."""
    own_name: bytes = b""
    """What its MCP server calls the tool; empty for a tool of a Tool Service."""


def bind_routes(tools: Iterable[CatalogueTool], rules: Mapping[str, CallRules]) -> Mapping[str, Route]:
    """Return a route for each enabled tool by its name (decision/D7: a disabled one cannot be called)."""
    return {
        entry.tool.name: _bind(entry, rules.get(entry.bundle_id, CallRules())) for entry in tools if entry.tool.enabled
    }


def _bind(entry: CatalogueTool, rules: CallRules) -> Route:
    tool = entry.tool
    if tool.endpoint is None:  # only the relaxed check of `axhub manifest check` lets such a tool through
        raise ValueError(f"tool {tool.name} was adopted without an endpoint")
    output_schema = tool.members.get("outputSchema")
    own_name = (tool.own_name or tool.name).encode("ascii") if rules.mcp_server else b""
    return Route(
        tool=tool.name,
        bundle=entry.bundle_id,
        origin=tool.endpoint.origin,
        head=b"Mcp-Name: " + own_name if own_name else _head(tool.name, tool.endpoint),
        timeout=tool.timeout_millis / 1000,
        forward_authorization=rules.forward_authorization and tool.endpoint.origin in rules.own_origins,
        public_error_fields=rules.public_error_fields,
        header_params=tool.header_params,
        output=None if output_schema is None else OutputValidator(output_schema),
        structured=frozenset(revision for revision in TRAITS if shows_output_schema(tool, revision)),
        own_name=own_name,
    )


def _head(name: str, endpoint: Endpoint) -> bytes:
    return (
        b"POST %b HTTP/1.1\r\nHost: %b\r\nContent-Type: application/json\r\nAccept-Encoding: identity\r\n"
        b"Mcp-Method: tools/call\r\nMcp-Name: %b" % (endpoint.target, endpoint.origin.authority, name.encode("ascii"))
    )
