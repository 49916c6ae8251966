"""JSON Schema draft-07, which most MCP servers of the handshake era write, read as 2020-12 (gateway/P11).

MCP asks to honour a declared dialect or to refuse it (2025-11-25, `server/tools`). These things changed between the
two: a list of `items`, `dependencies`, anchors (an `$id` that is a fragment), what stands beside a `$ref`, and keywords
that were none yet. What is published stays as it was written; only what is checked and validated with is rewritten. A
reference to one of the places that are rewritten leads nowhere then, and is refused.
"""

import re
from typing import Any, Final

_DIALECTS: Final = tuple(
    f"{scheme}://json-schema.org/draft-07/schema{fragment}" for scheme in ("http", "https") for fragment in ("", "#")
)
_ANCHOR: Final = re.compile(r"#[A-Za-z_][-A-Za-z0-9._]*")
_DATA: Final = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose values are data: what looks like a keyword in there is none."""
_LATER: Final = frozenset(
    {
        *("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary"),
        *("dependentRequired", "dependentSchemas", "maxContains", "minContains", "prefixItems"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
"""Keywords that draft-07 does not know, and so passes over."""
_NAMED: Final = frozenset({"definitions", "$defs", "properties", "patternProperties"})
"""Keywords whose values name schemas: the names are the author's own."""


def is_draft07(schema: Any) -> bool:
    """Say whether a document declares itself to be draft-07."""
    return isinstance(schema, dict) and schema.get("$schema") in _DIALECTS


def as_2020_12(schema: Any) -> Any:
    """Return what means in 2020-12 what a draft-07 schema means; the caller has bounded its depth."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:  # whatever stands beside it is ignored in draft-07, but for what others refer to
        schema = {name: value for name, value in schema.items() if name in {"$ref", "definitions", "$defs"}}
    result: dict[str, Any] = {}
    for name, value in schema.items():
        if name not in _LATER and not (name == "$schema" and value in _DIALECTS):
            result |= _keyword(name, value, schema)
    return result


def _keyword(name: str, value: Any, schema: dict[str, Any]) -> dict[str, Any]:
    """Return what one keyword of draft-07 is in 2020-12."""
    tuples = isinstance(schema.get("items"), list)
    if name == "items" and tuples:
        return {"prefixItems": [as_2020_12(item) for item in value]}
    if name == "additionalItems":
        return {"items": as_2020_12(value)} if tuples else {}
    if name == "dependencies" and isinstance(value, dict):
        return _dependencies(value)
    if name == "$id" and isinstance(value, str) and _ANCHOR.fullmatch(value):
        return {"$anchor": value[1:]}
    if name in _DATA:
        return {name: value}
    if name in _NAMED and isinstance(value, dict):
        return {name: {own: as_2020_12(inner) for own, inner in value.items()}}
    if isinstance(value, list):
        return {name: [as_2020_12(item) for item in value]}
    return {name: as_2020_12(value)}


def _dependencies(value: dict[str, Any]) -> dict[str, Any]:
    required = {name: needs for name, needs in value.items() if isinstance(needs, list)}
    schemas = {name: as_2020_12(needs) for name, needs in value.items() if not isinstance(needs, list)}
    kinds = {"dependentRequired": required, "dependentSchemas": schemas}
    return {name: found for name, found in kinds.items() if found}
