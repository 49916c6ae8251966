"""A lock to change in tests, and what changing it comes to."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from axhub.toolkit.promises.changes import Change, changes
from axhub.toolkit.promises.lock import Lock, LockedTool

NAME: Final = "cmm_claim_search"
HINTS: Final[Mapping[str, bool]] = {"readOnly": True, "destructive": False, "idempotent": True, "openWorld": False}
TEXT: Final[Mapping[str, Any]] = {"type": "string"}


def closed(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has no other members."""
    said = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **said, "additionalProperties": False}


def text(**more: Any) -> dict[str, Any]:
    """Return the schema of a text, bounded somehow."""
    return {"type": "string", **more}


def number(**more: Any) -> dict[str, Any]:
    """Return the schema of a number, bounded somehow."""
    return {"type": "number", **more}


def tool(**other: Any) -> LockedTool:
    """Return a released tool with some of it otherwise."""
    usual = LockedTool(
        version="1.4.0",
        title="청구 조회",
        description="청구를 조회한다.",
        hints=HINTS,
        input_schema=closed(("claimNo",), claimNo=TEXT),
        output_schema=closed(("status",), status=TEXT),
        output_published=True,
        timeout_millis=10_000,
    )
    return replace(usual, **other)


def lock(*, bundle_id: str = "claim-tools", namespace: str = "", **tools: LockedTool) -> Lock:
    """Return a lock with these tools; with the usual one if none is given."""
    return Lock(bundle_id, namespace, tools or {NAME: tool()})


def changed(**other: Any) -> tuple[Change, ...]:
    """Return the changes where the usual tool is changed in some of it."""
    return changes(lock(), lock(cmm_claim_search=tool(**other)))
