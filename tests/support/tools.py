"""Tools and snapshots for tests that need no manifest text."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from axhub.contract.endpoints import Endpoint, Origin
from axhub.contract.headers import HeaderParam
from axhub.contract.manifest import Tool
from axhub.gateway.domain.catalogue import CatalogueTool, Snapshot, build_snapshot
from axhub.gateway.domain.revision import Revision
from axhub.gateway.usecases.list_tools import tools_array

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def tool(
    name: str = "claim_search",
    *,
    endpoint: Endpoint | None = None,
    enabled: bool = True,
    timeout_millis: int = 5000,
    header_params: tuple[HeaderParam, ...] = (),
    **members: Any,
) -> Tool:
    """Return a tool; `members` are public members as Python values, in the order given."""
    shown = {"name": name, "description": f"{name} 설명", "inputSchema": {"type": "object"}, **members}
    return Tool(
        name=name,
        version="1.0.0",
        members={member: msgspec.json.encode(value) for member, value in shown.items()},
        endpoint=endpoint or Endpoint(Origin("http", "127.0.0.1", 8081), b"/tools/" + name.encode()),
        timeout_millis=timeout_millis,
        enabled=enabled,
        header_params=header_params,
    )


def snapshot(*tools: Tool, bundle_id: str = "ins") -> Snapshot:
    """Return a snapshot of tools of one bundle, in the order given."""
    return snapshot_of([CatalogueTool(bundle_id, entry) for entry in tools])


def snapshot_of(entries: Sequence[CatalogueTool]) -> Snapshot:
    """Return a snapshot of these entries, in the order given."""
    return build_snapshot(entries, tools_array(entries, Revision.V2025_11_25), NOON)
