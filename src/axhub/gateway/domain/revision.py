"""The MCP revisions the gateway speaks, and what differs between them, as one table (gateway/P1, gateway/P8)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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
    output_schema_any_root: bool = False
    """Whether its root may be something other than `type: object`."""


TRAITS: Final = {
    Revision.V2025_03_26: Traits(batches=True, tool_title=False, output_schema=False),
    Revision.V2025_06_18: Traits(),
    Revision.V2025_11_25: Traits(),
    Revision.V2026_07_28: Traits(stateless=True, output_schema_any_root=True),
}

HANDSHAKE_REVISIONS: Final = tuple(revision for revision, traits in TRAITS.items() if not traits.stateless)
STATELESS_REVISIONS: Final = tuple(revision for revision, traits in TRAITS.items() if traits.stateless)
LATEST_HANDSHAKE: Final = HANDSHAKE_REVISIONS[-1]
