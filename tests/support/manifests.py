"""Manifest documents for tests, right by default; odd ones are made by replacing members."""

import json
from collections.abc import Iterable
from typing import Any

TIMEOUT_MILLIS = 2000


def tool(name: str, *, meta: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """Return one tool as a manifest has it; `members` replace or add, `meta` adds to `_meta`."""
    return {
        "name": name,
        "description": f"{name}: 보험 상품을 조회합니다.",
        "inputSchema": {
            "type": "object",
            "properties": {"policyNo": {"type": "string", "description": "증권 번호"}},
            "required": ["policyNo"],
            "additionalProperties": False,
        },
        "endpoint": f"/tools/{name}",
        "_meta": {"version": "1.0.0", "timeoutMillis": TIMEOUT_MILLIS, **(meta or {})},
        **members,
    }


def manifest(bundle_id: str, tools: Iterable[dict[str, Any] | str], *, revision: str | None = None) -> bytes:
    """Return a manifest document; a tool given by its name alone is a plain one."""
    document: dict[str, Any] = {"bundleId": bundle_id}
    if revision is not None:
        document["revision"] = revision
    document["tools"] = [tool(entry) if isinstance(entry, str) else entry for entry in tools]
    return json.dumps(document, ensure_ascii=False).encode()
