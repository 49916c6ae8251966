"""What a client saw, in a form that can be compared: without what has to differ between a server and a gateway."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from mcp import MCPError
from mcp_types import CallToolResult, InputRequiredResult, Tool

SHOWN: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""The members of a tool that a gateway shows (gateway/K4)."""
_OF_THE_HOP: Final = ("io.modelcontextprotocol/serverInfo", "searchTime")
"""What each hop says of itself, in `_meta`."""


def tools(listed: Iterable[Tool]) -> dict[str, dict[str, Any]]:
    """Return the tools by name, each with the members that are shown."""
    return tool_documents(tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed)


def tool_documents(listed: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the same from tools as JSON."""
    return {one["name"]: {member: one[member] for member in SHOWN if member in one} for one in listed}


def result(found: CallToolResult | InputRequiredResult) -> dict[str, Any]:
    """Return a result as JSON without what the hop added."""
    return result_document(found.model_dump(mode="json", by_alias=True, exclude_none=True))


def result_document(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same from a result as JSON; what is said by leaving it out is left out."""
    document: dict[str, Any] = _without_hop(dict(found))
    unsaid = {"isError": False, "resultType": "complete"}
    return {name: value for name, value in document.items() if name not in unsaid or value != unsaid[name]}


def error(raised: MCPError) -> dict[str, Any]:
    """Return a protocol error."""
    return {"code": raised.error.code, "message": raised.error.message, "data": raised.error.data}


def _without_hop(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_hop(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {name: _without_hop(item) for name, item in value.items()}
    if "_meta" in found:
        found["_meta"] = {name: item for name, item in found["_meta"].items() if name not in _OF_THE_HOP}
        if not found["_meta"]:
            del found["_meta"]
    return found
