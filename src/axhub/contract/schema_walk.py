"""Walks a JSON Schema 2020-12 document: every place where a schema stands, and nothing that is data."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

_ONE: Final = frozenset(
    {
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_LIST: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
# Keywords whose schemas apply to the very value that the schema around them applies to.
_IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})

Path = tuple[str, ...]
"""Unescaped tokens of a JSON pointer from the root of the document."""


class Place(NamedTuple):
    """One schema of a document."""

    schema: Any
    """An object or a boolean, or what stands there instead."""
    path: Path
    parent: Path | None
    """Path of the schema around this one."""
    properties: Path | None
    """Names of the properties from the root, if nothing but `properties` lies between."""

    def pointer_to(self, *more: str) -> str:
        """Return the JSON pointer of this place, or of a member below it."""
        return pointer(*self.path, *more)


def pointer(*tokens: str) -> str:
    """Write a JSON pointer (RFC 6901)."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def walk(root: Any) -> Iterator[Place]:
    """Yield the root and then every sub-schema, each before what is inside it, in the order of the document."""
    stack = [Place(root, (), None, ())]
    while stack:
        place = stack.pop()
        yield place
        if isinstance(place.schema, dict):
            stack += reversed([_below(place, *step) for step in _steps(place.schema)])


def in_place(schema: Any) -> Iterator[Path]:
    """Yield the steps to the sub-schemas that apply to the same value as `schema` itself; references apart."""
    if isinstance(schema, dict):
        for steps, _ in _steps({keyword: value for keyword, value in schema.items() if keyword in _IN_PLACE}):
            yield steps


def shallow(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with `true` for everything inside it that stands where a schema stands."""
    copy = dict(schema)
    for keyword, value in schema.items():
        if keyword in _ONE:
            copy[keyword] = True
        elif keyword in _LIST and isinstance(value, list):
            copy[keyword] = [True] * len(value)
        elif keyword in _NAMED and isinstance(value, dict):
            copy[keyword] = dict.fromkeys(value, True)
    return copy


def _below(place: Place, steps: Path, schema: Any) -> Place:
    properties = None
    if place.properties is not None and steps[0] == "properties":
        properties = (*place.properties, steps[1])
    return Place(schema, place.path + steps, place.path, properties)


def _steps(schema: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    for keyword, value in schema.items():
        if keyword in _ONE:
            yield (keyword,), value
        elif keyword in _LIST and isinstance(value, list):
            yield from (((keyword, str(at)), element) for at, element in enumerate(value))
        elif keyword in _NAMED and isinstance(value, dict):
            yield from (((keyword, name), element) for name, element in value.items())
