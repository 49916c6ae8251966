"""The catalogue: the immutable snapshot built from the last-good manifests of all enabled bundles (gateway/K1-K6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from axhub.contract.manifest import Tool


@dataclass(frozen=True, slots=True)
class CatalogueTool:
    """One tool and the bundle it came from."""

    bundle_id: str
    tool: Tool


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All tools at one moment, ascending by code point of `(bundle_id, name)`, disabled ones included."""

    tools: tuple[CatalogueTool, ...]
    by_name: Mapping[str, CatalogueTool]
    built_at: datetime
    digest: str
    """`sha256:…` of the `tools` array as revision 2025-11-25 shows it (gateway/M2)."""
    size_bytes: int
    """Length of that array."""
    tool_count: int
    """Tools shown, without disabled ones."""
