"""Rewrites one JSON Schema into the form that is published (toolkit/T7); pure, and blind to where it came from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from axhub.contract.schema_walk import pointer, walk

__all__ = ["render"]

_ONE: Final = frozenset(
    {
        "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
        "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_LIST: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED: Final = frozenset({"dependentSchemas", "patternProperties", "properties"})
_NOTES: Final = frozenset({"default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"})
"""Keywords that accept everything: they may stand beside any others."""
_IN_PLACE: Final = frozenset(
    {"$dynamicRef", "$ref", "allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"}
)
_ADDRESSES: Final = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")
_DEFINITIONS: Final = ("$defs", "definitions")
_ORDER: Final = {
    name: at
    for at, name in enumerate(
        (
            "type", "description", "enum", "format", "pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum",
            "maximum", "exclusiveMaximum", "multipleOf", "items", "prefixItems", "minItems", "maxItems", "uniqueItems",
            "properties", "required", "additionalProperties", "anyOf", "oneOf", "allOf", "default", "examples", "$defs",
        )
    )
}  # fmt: skip
_MAX_INLINED: Final = 3000
"""Schemas that come from following references; more would not be adopted anyway (gateway/G6)."""
_LAST: Final = len(_ORDER)


def render(schema: Mapping[str, Any], *, close: bool) -> dict[str, Any]:
    """Return a schema with the same meaning: references inlined, no titles, nullable as a list of types, no `const`.

    A reference stays where a schema is inside itself. A document that refers to anything else than the definitions of
    its root is returned as it is: what its references lead to must not move.

    Args:
        schema: the root of a document.
        close: for models: give objects `additionalProperties: false`, and leave out defaults that are null.
    """
    known = _definitions(schema)
    if not _is_plain(schema, known):
        return dict(schema)
    rendering = _Rendering(known, close, unquote(schema.get("$ref", "#")))
    rendered: dict[str, Any] = rendering.schema({name: schema[name] for name in schema if name not in _DEFINITIONS})
    return rendered | rendering.definitions()


def _definitions(schema: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in _DEFINITIONS:
        named = schema.get(word)
        if isinstance(named, dict):
            found |= {"#" + pointer(word, name): inner for name, inner in named.items()}
    return found


def _is_plain(schema: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    for place in walk(schema):
        if not isinstance(place.schema, dict):
            continue
        reference = place.schema.get("$ref", "#")
        inner_definitions = place.path and any(word in place.schema for word in _DEFINITIONS)
        if inner_definitions or any(word in place.schema for word in _ADDRESSES):
            return False
        if not isinstance(reference, str) or (reference != "#" and unquote(reference) not in known):
            return False
    return True


@dataclass(slots=True)
class _Rendering:
    known: Mapping[str, Any]
    close: bool
    root: str
    """What the root itself is, so that a reference to it is one to `#`."""
    kept: dict[str, None] = field(default_factory=dict)
    """References that stay, in the order of their first use."""
    inside: list[str] = field(default_factory=list)
    inlined: int = 0

    def definitions(self) -> dict[str, dict[str, Any]]:
        """Render the definitions that references still lead to; rendering one may keep more."""
        done: dict[str, Any] = {}
        while missing := [reference for reference in self.kept if reference not in done]:
            self.inside = [missing[0]]
            done[missing[0]] = self.schema(self.known[missing[0]])
        named: dict[str, dict[str, Any]] = {}
        for reference in sorted(done):
            _, word, name = reference.split("/", 2)
            named.setdefault(word, {})[name.replace("~1", "/").replace("~0", "~")] = done[reference]
        return named

    def schema(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        reference = unquote(schema.get("$ref", "#"))
        if reference != "#":
            target = self.known[reference]
            beside = {name: value for name, value in schema.items() if name != "$ref"}
            if self._can_be_inlined(reference, target, beside):
                self.inside.append(reference)
                self.inlined += 1
                inlined = self.schema(target | beside)
                self.inside.pop()
                return inlined
            if reference == self.root:
                return self._rewritten(beside | {"$ref": "#"})
            self.kept.setdefault(reference)
        return self._rewritten(schema)

    def _can_be_inlined(self, reference: str, target: Any, beside: Mapping[str, Any]) -> bool:
        if reference in self.inside or self.inlined >= _MAX_INLINED or not isinstance(target, dict):
            return False
        return beside.keys() <= _NOTES or not (beside.keys() & target.keys()) - _NOTES

    def _rewritten(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        rendered = dict(self._members(schema))
        if "const" in rendered and "enum" not in rendered:
            rendered["enum"] = [rendered.pop("const")]
        rendered = _nullable(rendered)
        if self.close and ("properties" in rendered or "object" in _types(rendered)):
            rendered.setdefault("additionalProperties", False)
        return {name: rendered[name] for name in sorted(rendered, key=lambda name: (_ORDER.get(name, _LAST), name))}

    def _members(self, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, value in schema.items():
            if name == "title" or (self.close and _is_noise(name, value)):
                continue
            if name in _ONE:
                yield name, self.schema(value)
            elif name in _LIST and isinstance(value, list):
                word = "anyOf" if name == "oneOf" and self.close else name
                yield word, [self.schema(one) for one in value]
            elif name in _NAMED and isinstance(value, dict):
                yield name, {inner: self.schema(one) for inner, one in value.items()}
            else:
                yield name, value


def _is_noise(name: str, value: Any) -> bool:
    return name == "discriminator" or (name == "default" and value is None)


def _types(schema: Mapping[str, Any]) -> list[Any]:
    found = schema.get("type", [])
    return found if isinstance(found, list) else [found]


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Say `anyOf: [T, null]` as T with null among its types, where T says nothing that null would break."""
    branches = schema.get("anyOf")
    beside = {name: value for name, value in schema.items() if name != "anyOf"}
    if not isinstance(branches, list) or {"type": "null"} not in branches or beside.keys() - _NOTES:
        return schema
    others = [branch for branch in branches if branch != {"type": "null"}]
    if len(others) != 1 or not isinstance(others[0], dict) or others[0].keys() & _IN_PLACE:
        return schema
    one = others[0] | beside
    if not _types(one) and "enum" not in one:
        return schema
    if "type" in one:
        one["type"] = [*_types(one), *(() if "null" in _types(one) else ("null",))]
    if "enum" in one and None not in one["enum"]:
        one["enum"] = [*one["enum"], None]
    return one
