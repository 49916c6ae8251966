"""Flow 1, its end: the catalogue's tools as the bytes a revision shows (gateway/K4, gateway/K5, gateway/P8).

Rendered once a snapshot and revision; a request only writes what is ready.
"""

from collections.abc import Iterable

from axhub.contract.manifest import Tool
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.revision import TRAITS, Revision, shows_output_schema


def tools_array(tools: Iterable[CatalogueTool], revision: Revision) -> bytes:
    """Return the JSON array of the enabled tools, in the order given, each with the members `revision` knows."""
    return b"[" + b",".join(tool_object(entry.tool, revision) for entry in tools if entry.tool.enabled) + b"]"


def tool_object(tool: Tool, revision: Revision) -> bytes:
    """Return one tool as `revision` shows it."""
    shown = (
        b'"%b":%b' % (name.encode(), value)
        for name, value in tool.members.items()
        if (name != "title" or TRAITS[revision].tool_title)
        and (name != "outputSchema" or shows_output_schema(tool, revision))
    )
    return b"{" + b",".join(shown) + b"}"
