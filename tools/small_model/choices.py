"""What a small model may write: one offered tool with its arguments, or a text, as one JSON schema.

A model of this size calls no tools by itself. Held to this schema it writes one of them, and nothing that is none.
Every string and list is bounded: without a bound a small model goes on until it is cut off, and that is no JSON.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

__all__ = ["ANSWER", "ARGUMENTS", "TOOL", "names_of", "schema_of"]

TOOL: Final = "tool"
ARGUMENTS: Final = "arguments"
ANSWER: Final = "answer"

_LONGEST_ANSWER: Final = 200
_LONGEST_STRING: Final = 60
_LONGEST_LIST: Final = 3
_UNBOUNDED: Final = re.compile(r"[*+]|\{\d+,\}")
"""A pattern that something of any length may match; the service still checks it."""
_DEFINITIONS: Final = "#/$defs/"
_ONE: Final = frozenset({"items"})
_MANY: Final = frozenset({"allOf", "anyOf", "oneOf"})
_NAMED: Final = frozenset({"properties"})
_KEPT: Final = frozenset(
    {
        "const",
        "enum",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "pattern",
        "required",
        "type",
    }
)
"""Keywords that a grammar is made of. What the others say is left to the service, which checks every argument."""


def names_of(body: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    """Return the tools that a request lets a model choose from, and whether it may choose none of them."""
    offered = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
    choice: Any = body.get("tool_choice") or "auto"
    if choice == "none" or not offered:
        return (), True
    if isinstance(choice, str):
        return offered, choice != "required"
    return (choice["function"]["name"],), False


def schema_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of all that may be written in answer to a request."""
    names, may_answer = names_of(body)
    by_name = {tool["function"]["name"]: tool["function"] for tool in body.get("tools") or ()}
    definitions: dict[str, Any] = {}
    branches = []
    for name in names:
        parameters = by_name[name].get("parameters") or {"type": "object"}
        arguments = _bounded(parameters, name)
        definitions |= {_own(name, key): _bounded(one, name) for key, one in parameters.get("$defs", {}).items()}
        branches.append(_object({TOOL: {"const": name}, ARGUMENTS: arguments}))
    if may_answer:
        branches.append(_object({ANSWER: {"type": "string", "minLength": 1, "maxLength": _LONGEST_ANSWER}}))
    return {"anyOf": branches} | ({"$defs": definitions} if definitions else {})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _own(tool: str, definition: str) -> str:
    """Return the name of a tool's definition among those of all."""
    return f"{tool}.{definition}"


def _bounded(schema: Mapping[str, Any], tool: str) -> dict[str, Any]:
    """Return a schema of arguments, or a part of one, that nothing endless matches."""
    made = {name: value for name, value in schema.items() if name in _KEPT}
    if "$ref" in schema:
        made["$ref"] = _DEFINITIONS + _own(tool, schema["$ref"].removeprefix(_DEFINITIONS))
    made |= {name: _bounded(schema[name], tool) for name in _ONE & schema.keys()}
    made |= {name: [_bounded(one, tool) for one in schema[name]] for name in _MANY & schema.keys()}
    made |= {name: {key: _bounded(one, tool) for key, one in schema[name].items()} for name in _NAMED & schema.keys()}
    types = _types(made)
    if "object" in types:
        made["additionalProperties"] = False
    if "array" in types:
        made["maxItems"] = min(made.get("maxItems", _LONGEST_LIST), _LONGEST_LIST)
    return _short(made) if "string" in types and not {"const", "enum"} & made.keys() else made


def _types(schema: Mapping[str, Any]) -> Sequence[str]:
    said = schema.get("type", ())
    return (said,) if isinstance(said, str) else said


def _short(schema: dict[str, Any]) -> dict[str, Any]:
    if _UNBOUNDED.search(schema.get("pattern", "")):
        del schema["pattern"]
    if "pattern" in schema:
        return {name: value for name, value in schema.items() if name not in {"minLength", "maxLength"}}
    return schema | {"maxLength": min(schema.get("maxLength", _LONGEST_STRING), _LONGEST_STRING)}
