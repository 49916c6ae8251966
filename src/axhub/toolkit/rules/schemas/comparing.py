"""What two object schemas accept, side by side: where they differ, and where one accepts more (decision/D12).

Titles and examples do not count, and of what one accepts more than the other, descriptions and defaults do not.
References are followed, `anyOf [T, null]` is a nullable T, `const` an `enum` of one. What cannot be told from the
schemas alone, as one pattern beside another, is not reported as wider. Pointers lead into the value, with `*` for any
item of a list.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from axhub.toolkit.facts.wording import kind_of, shown

__all__ = ["Difference", "differences", "property_at", "schema_pointer", "value_pointer", "widenings"]

_UPPER: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LOWER: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_BOUNDS: Final = (*_UPPER, *_LOWER, "pattern", "multipleOf", "uniqueItems")
_INSIDE: Final = ("items", "additionalProperties")
_ANY: Final = "any"


class Difference(NamedTuple):
    """One place where two schemas do not say the same."""

    pointer: str
    kind: str
    """`missing`, `surplus`, `required`, `optional`, `type`, `enum`, `bound`, `default`, `description`: as seen from the
    first schema."""
    first: str
    """What the first schema has there."""
    second: str


@dataclass(frozen=True, slots=True)
class _Node:
    """What one place accepts."""

    types: frozenset[str] | None = None
    codes: tuple[Any, ...] | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    items: Any = None
    bounds: Mapping[str, Any] = field(default_factory=dict)
    default: Any = None
    description: str | None = None
    closed: bool = False
    alternatives: bool = False
    """Whether it is one of several, of which only the types are known."""


class _Side(NamedTuple):
    """A place of a document, still as it is written."""

    schema: Any
    root: Any


def differences(model: Any, written: Any) -> Iterator[Difference]:
    """Yield where what is written differs from the model's schema, in what it accepts or in what it says."""
    yield from _differences("", _Side(model, model), _Side(written, written), ())


def widenings(model: Any, resource: Any) -> Iterator[Difference]:
    """Yield where a resource accepts what the model refuses; `first` is the model's."""
    yield from _widenings("", _Side(model, model), _Side(resource, resource), ())


def schema_pointer(pointer: str) -> str:
    """Return where in a schema a pointer into the value leads: `/rows/*` → `/properties/rows/items`."""
    steps = pointer.split("/")[1:]
    return "".join("/items" if step == "*" else f"/properties/{step}" for step in steps)


def value_pointer(path: tuple[str, ...]) -> str:
    """Return the pointer into the value of what stands at a path of a schema."""
    pointer, steps = "", iter(path)
    for step in steps:
        if step == "properties":
            pointer += f"/{_escaped(next(steps, ''))}"
        elif step in _INSIDE:
            pointer += "/*"
        else:  # a branch, by keyword and number or name, is about the same value
            next(steps, None)
    return pointer


def property_at(schema: Any, pointer: str) -> Any:
    """Return the schema of what a pointer into the value leads to; None where nothing is said about it."""
    here = _Side(schema, schema)
    for step in pointer.split("/")[1:]:
        node = _node(here)
        below = node.items if step == "*" else node.properties.get(_unescaped(step))
        here = _Side(below, schema)
    return here.schema


def _differences(pointer: str, first: _Side, second: _Side, seen: tuple[Any, ...]) -> Iterator[Difference]:
    one, two = _node(first), _node(second)
    if one.types != two.types:
        yield Difference(pointer, "type", _types(one), _types(two))
        return
    if _same_codes(one.codes) != _same_codes(two.codes):
        yield Difference(pointer, "enum", _codes(one), _codes(two))
    for bound in _BOUNDS:
        if one.bounds.get(bound) != two.bounds.get(bound):
            yield Difference(pointer, "bound", _bound(one, bound), _bound(two, bound))
    yield from _sayings(pointer, one, two)
    yield from _names(pointer, one, two)
    for step, ours, theirs in _inside(one, two):
        if (id(ours), id(theirs)) not in seen:
            inner = (*seen, (id(ours), id(theirs)))
            yield from _differences(pointer + step, _Side(ours, first.root), _Side(theirs, second.root), inner)


def _sayings(pointer: str, one: _Node, two: _Node) -> Iterator[Difference]:
    """Compare what is said about a member: its default, and its description where both have one (rule/TK310)."""
    if pointer.endswith("/*") or not pointer:
        return  # what an object is called by itself, and not where it is used
    if _told(one.default) != _told(two.default):
        yield Difference(pointer, "default", _told(one.default), _told(two.default))
    texts = one.description, two.description
    if all(texts) and _plain(texts[0]) != _plain(texts[1]):
        yield Difference(pointer, "description", _plain(texts[0]), _plain(texts[1]))


def _told(default: Any) -> str:
    return "" if default is None else shown(default)


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def _names(pointer: str, one: _Node, two: _Node) -> Iterator[Difference]:
    for name in one.properties:
        if name not in two.properties:
            yield Difference(f"{pointer}/{_escaped(name)}", "missing", name, "")
    for name in two.properties:
        at = f"{pointer}/{_escaped(name)}"
        if name not in one.properties:
            yield Difference(at, "surplus", "", name)
        elif (name in one.required) != (name in two.required):
            yield Difference(at, "required" if name in one.required else "optional", name, name)


def _widenings(pointer: str, model: _Side, resource: _Side, seen: tuple[Any, ...]) -> Iterator[Difference]:
    one, two = _node(model), _node(resource)
    if one.alternatives:
        return
    if not _fits(one.types, two.types):
        yield Difference(pointer, "type", _types(one), _types(two))
        return
    if two.alternatives and two.codes is None:
        return
    if one.codes is not None and not _same_codes(two.codes or (_ANY,)) <= _same_codes(one.codes):
        yield Difference(pointer, "enum", _codes(one), _codes(two))
    elif two.codes is None:
        yield from _looser(pointer, one, two)
    yield from _accepted_names(pointer, one, two)
    for step, ours, theirs in _inside(one, two):
        if (id(ours), id(theirs)) not in seen:
            inner = (*seen, (id(ours), id(theirs)))
            yield from _widenings(pointer + step, _Side(ours, model.root), _Side(theirs, resource.root), inner)


def _accepted_names(pointer: str, one: _Node, two: _Node) -> Iterator[Difference]:
    for name, schema in two.properties.items():
        if name not in one.properties and one.closed and schema is not False:
            yield Difference(f"{pointer}/{_escaped(name)}", "surplus", "", name)
    if two.types is None or "object" in two.types:
        for name in sorted(one.required - two.required):
            yield Difference(f"{pointer}/{_escaped(name)}", "required", name, name)


def _looser(pointer: str, one: _Node, two: _Node) -> Iterator[Difference]:
    for bound, limit in one.bounds.items():
        given = two.bounds.get(bound)
        if given is None:
            looser = True
        elif bound in _UPPER:
            looser = given > limit
        else:
            looser = given < limit if bound in _LOWER else False
        if looser:
            yield Difference(pointer, "bound", _bound(one, bound), _bound(two, bound))


def _inside(one: _Node, two: _Node) -> Iterator[tuple[str, Any, Any]]:
    for name, schema in one.properties.items():
        if name in two.properties:
            yield f"/{_escaped(name)}", schema, two.properties[name]
    if one.items is not None and two.items is not None:
        yield "/*", one.items, two.items


def _fits(wanted: frozenset[str] | None, given: frozenset[str] | None) -> bool:
    if wanted is None:
        return True
    return given is not None and given <= (wanted | {"integer"} if "number" in wanted else wanted)


def _node(side: _Side) -> _Node:
    schema = _resolved(side)
    if not isinstance(schema, dict):
        return _Node()
    for part in _listed(schema, "allOf"):
        schema = _merged(_resolved(_Side(part, side.root)), schema)
    node = _Node(
        _stated_types(schema),
        _stated_codes(schema),
        _named(schema),
        frozenset(name for name in _listed(schema, "required") if isinstance(name, str)),
        schema.get("items"),
        {bound: schema[bound] for bound in _BOUNDS if _is_bound(bound, schema.get(bound))},
        schema.get("default"),
        schema["description"] if isinstance(schema.get("description"), str) else None,
        schema.get("additionalProperties") is False,
    )
    branches = [*_listed(schema, "anyOf"), *_listed(schema, "oneOf")]
    return _with_branches(node, [_node(_Side(branch, side.root)) for branch in branches]) if branches else node


def _with_branches(node: _Node, branches: list[_Node]) -> _Node:
    """Add what one of several may be, where the node itself leaves it open."""
    if node.types is not None or any(branch.types is None for branch in branches):
        return node
    types = frozenset().union(*(branch.types or () for branch in branches))
    values = [branch for branch in branches if branch.types != frozenset({"null"})]
    codes = None
    if all(branch.codes is not None for branch in values):
        null = (None,) if "null" in types else ()
        codes = tuple(code for branch in values for code in branch.codes or ()) + null
    if len(values) != 1:
        return replace(node, types=types, codes=codes, alternatives=True)
    said = {"default": node.default, "description": node.description or values[0].description}
    return replace(values[0], types=types, codes=codes, **said)


def _resolved(side: _Side) -> Any:
    schema, steps = side.schema, 0
    while isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and steps < len(_BOUNDS):
        schema, steps = _target(side.root, schema["$ref"]), steps + 1
    return schema


def _target(root: Any, reference: str) -> Any:
    here = root
    for step in reference.removeprefix("#").split("/")[1:]:
        here = here.get(_unescaped(step)) if isinstance(here, dict) else None
    return here if reference.startswith("#") else None


def _merged(part: Any, schema: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(part, dict):
        return schema
    properties = {**_named(part), **_named(schema)}
    required = [*_listed(part, "required"), *_listed(schema, "required")]
    both = {**part, **schema}
    return both | ({"properties": properties} if properties else {}) | ({"required": required} if required else {})


def _stated_types(schema: dict[str, Any]) -> frozenset[str] | None:
    stated = schema.get("type")
    if isinstance(stated, str):
        return frozenset({stated})
    if isinstance(stated, list):
        return frozenset(str(name) for name in stated)
    codes = _stated_codes(schema)
    return None if codes is None else frozenset(_type_of(code) for code in codes)


def _type_of(value: Any) -> str:
    return "integer" if type(value) is int else kind_of(value)


def _stated_codes(schema: dict[str, Any]) -> tuple[Any, ...] | None:
    if "const" in schema:
        return (schema["const"],)
    codes = schema.get("enum")
    return tuple(codes) if isinstance(codes, list) else None


def _is_bound(bound: str, value: Any) -> bool:
    if bound == "pattern":
        return isinstance(value, str)
    return value is True if bound == "uniqueItems" else isinstance(value, int | float) and not isinstance(value, bool)


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _listed(schema: dict[str, Any], keyword: str) -> list[Any]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _same_codes(codes: tuple[Any, ...] | None) -> frozenset[str]:
    return frozenset(shown(code) for code in codes or ())


def _types(node: _Node) -> str:
    names = sorted(node.types or {_ANY}, key=lambda name: (name == "null", name))
    return " | ".join(names)


def _codes(node: _Node) -> str:
    return "" if node.codes is None else ", ".join(shown(code) for code in node.codes)


def _bound(node: _Node, bound: str) -> str:
    return f"{bound}: {shown(node.bounds[bound])}" if bound in node.bounds else ""


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
