"""The MCP revisions the gateway speaks, and what differs between them, as one table (gateway/P1, gateway/P8)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec

from axhub.contract.manifest import Tool


class Revision(StrEnum):
    """A protocol revision by its wire name."""

    V2025_03_26 = "2025-03-26"
    V2025_06_18 = "2025-06-18"
    V2025_11_25 = "2025-11-25"
    V2026_07_28 = "2026-07-28"


@dataclass(frozen=True, slots=True)
class Traits:
    """How one revision differs from the others where a tools-only server can notice."""

    stateless: bool = False
    """Per-request `_meta` and headers instead of a handshake; `resultType`, cache fields, status codes of its own."""
    batches: bool = False
    tool_title: bool = True
    output_schema: bool = True
    """Whether a tool may show an `outputSchema` at all."""
    resource_links: bool = True
    """Whether a result may have blocks of the type `resource_link`."""
    output_schema_any_root: bool = False
    """Whether its root may be something other than `type: object`."""


TRAITS: Final = {
    Revision.V2025_03_26: Traits(batches=True, tool_title=False, output_schema=False, resource_links=False),
    Revision.V2025_06_18: Traits(),
    Revision.V2025_11_25: Traits(),
    Revision.V2026_07_28: Traits(stateless=True, output_schema_any_root=True),
}

HANDSHAKE_REVISIONS: Final = tuple(revision for revision, traits in TRAITS.items() if not traits.stateless)
STATELESS_REVISIONS: Final = tuple(revision for revision, traits in TRAITS.items() if traits.stateless)
LATEST_HANDSHAKE: Final = HANDSHAKE_REVISIONS[-1]


def shows_output_schema(tool: Tool, revision: Revision) -> bool:
    """Say whether `revision` lists the tool's `outputSchema`, and so must get `structuredContent` (gateway/X12)."""
    schema = tool.members.get("outputSchema")
    if schema is None or not TRAITS[revision].output_schema:
        return False
    return TRAITS[revision].output_schema_any_root or _is_object_rooted(schema)


class _Root(msgspec.Struct):
    """All of a schema that is looked at here; the rest is skipped, which is many times faster than reading it."""

    type: object = None


_read_root: Final = msgspec.json.Decoder(_Root).decode


def _is_object_rooted(schema: bytes) -> bool:
    try:
        return _read_root(schema).type == "object"
    except msgspec.ValidationError:  # `true` and `false` are schemas too
        return False
