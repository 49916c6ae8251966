"""Which recursive schemas make the work double with every level of a value."""

from typing import Any

import pytest

from axhub.contract.schema_growth import growing_places
from axhub.contract.schema_refs import read_references
from axhub.contract.schema_walk import pointer, walk

NODE = {"$ref": "#/$defs/node"}


def growing(schema: Any, *one_of_them: str) -> list[str]:
    places = {place.path: place for place in walk(schema)}
    found = read_references(places)[0]
    return [pointer(*path) for path in growing_places(found, frozenset(one_of_them))]


def node(**keywords: Any) -> dict[str, Any]:
    return {**NODE, "$defs": {"node": keywords}}


def having(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"anyOf": [{"type": "string"}, having(a={"anyOf": [{"type": "string"}, {"type": "null"}]})]},
        node(**having(left=NODE, right=NODE)),
        node(**having(children={"type": "array", "items": NODE})),
        node(anyOf=[having(next=NODE), {"type": "null"}, {"type": "string"}]),
        node(anyOf=[having(all=NODE), having(any=NODE)]),
        node(anyOf=[{"type": "object", "additionalProperties": NODE}, {"type": "array", "items": NODE}]),
        node(properties={"a": NODE, "b": True}, additionalProperties=NODE),
        node(prefixItems=[NODE, NODE], items=NODE),
        node(anyOf=[having(a=NODE), {"properties": {"a": True}, "additionalProperties": NODE}]),
        node(properties={"a": NODE}, propertyNames={"pattern": "^a"}, required=["a"]),
        {"properties": {"x": {"$ref": "#"}}, "$defs": {"other": having(x={"type": "string"})}},
        {"anyOf": [NODE, having(where=NODE)], "$defs": {"node": having(next=NODE)}},
    ],
)
def test_recursion_by_itself_does_no_harm(schema: Any) -> None:
    assert growing(schema) == []


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        (node(anyOf=[having(of=NODE), having(of=NODE)]), ["/$defs/node"]),
        (node(oneOf=[having(of={"items": NODE}), having(of={"items": NODE})]), ["/$defs/node"]),
        (node(allOf=[having(of=NODE)], **having(of=NODE)), ["/$defs/node"]),
        (node(anyOf=[having(a=NODE), {"additionalProperties": NODE}]), ["/$defs/node"]),
        (node(properties={"a": NODE}, patternProperties={"^a": NODE}), ["/$defs/node"]),
        (node(items=NODE, contains=NODE), ["/$defs/node"]),
        (node(patternProperties={"^a": NODE, "b$": NODE}), ["/$defs/node"]),
        ({"if": having(x={"$ref": "#"}), "then": having(x={"$ref": "#"})}, [""]),
        ({"dependentSchemas": {"a": having(x={"$ref": "#"})}, "properties": {"x": {"$ref": "#"}}}, [""]),
        (
            {
                "properties": {"where": {"anyOf": [{"$ref": "#/$defs/and"}, {"$ref": "#/$defs/or"}]}},
                "$defs": {
                    name: having(of={"items": {"anyOf": [{"$ref": "#/$defs/and"}, {"$ref": "#/$defs/or"}]}})
                    for name in ("and", "or")
                },
            },
            ["/$defs/and/properties/of/items", "/$defs/or/properties/of/items"],
        ),
    ],
)
def test_a_member_that_is_looked_at_twice_on_the_way_back_is_found(schema: Any, places: list[str]) -> None:
    assert growing(schema) == places


def test_branches_of_which_only_one_is_taken_do_no_harm() -> None:
    two = [having(of=NODE), having(of=NODE)]
    assert growing(node(oneOf=two), "oneOf") == []
    assert growing(node(anyOf=two), "oneOf") == ["/$defs/node"]
    assert growing(node(oneOf=two, **having(of=NODE)), "oneOf") == ["/$defs/node"]


def test_large_schemas_are_no_matter() -> None:
    deep: Any = NODE
    for _ in range(300):
        deep = {"allOf": [deep]}
    assert growing(node(**having(a=deep))) == []
    wide = [having(**{f"p{at}": NODE}) for at in range(900)]
    assert growing(node(anyOf=wide)) == []
