"""Two schemas side by side: where they differ, and where one accepts more."""

from typing import Any

import pytest

from axhub.toolkit.rules.schemas.comparing import (
    Difference,
    differences,
    property_at,
    schema_pointer,
    value_pointer,
    widenings,
)

pytestmark = pytest.mark.req("rule/TK401", "decision/D12")


def _object(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


TEXT = {"type": "string"}
NUMBER = {"type": "number"}
MODEL = _object(
    ("no",), no={"type": "string", "maxLength": 10}, kind={"type": "string", "enum": ["A", "B"]}, size=NUMBER
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (MODEL, []),
        ({**MODEL, "title": "T", "description": "d", "$comment": "c"}, []),
        (
            _object(
                ("no",),
                no=MODEL["properties"]["no"] | {"examples": ["1"], "title": "2"},
                kind={"enum": ["B", "A"]},
                size=NUMBER,
            ),
            [],
        ),
        ({"type": "object"}, [
            Difference("/no", "missing", "no", ""),
            Difference("/kind", "missing", "kind", ""),
            Difference("/size", "missing", "size", ""),
        ]),
        ({**MODEL, "required": []}, [Difference("/no", "required", "no", "no")]),
        ({**MODEL, "required": ["no", "size"]}, [Difference("/size", "optional", "size", "size")]),
        (_object(("no",), **MODEL["properties"], extra=TEXT), [Difference("/extra", "surplus", "", "extra")]),
        (
            _object(("no",), **{**MODEL["properties"], "size": {"type": ["number", "null"]}}),
            [Difference("/size", "type", "number", "number | null")],
        ),
        (
            _object(("no",), **{**MODEL["properties"], "kind": {"const": "A"}, "no": TEXT}),
            [Difference("/no", "bound", "maxLength: 10", ""), Difference("/kind", "enum", '"A", "B"', '"A"')],
        ),
        ("no schema", [Difference("", "type", "object", "any")]),
    ],
)  # fmt: skip
def test_each_difference_is_told_once(written: Any, expected: list[Difference]) -> None:
    assert list(differences(MODEL, written)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"type": ["string", "null"]}, {"oneOf": [{"type": "null"}, {"type": "string"}]}),
        ({"enum": ["A", None], "type": ["string", "null"]}, {"anyOf": [{"enum": ["A"]}, {"type": "null"}]}),
        ({"const": 1}, {"enum": [1]}),
        ({"type": "integer", "minimum": 1}, {"allOf": [{"type": "integer"}, {"minimum": 1}]}),
        (TEXT, {"$ref": "#/$defs/text"}),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": {"$ref": "#/$defs/text"}}),
        (
            {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
            {"type": "object", "properties": {"a": TEXT}, "allOf": [{"required": ["a"]}]},
        ),
    ],
)
def test_what_means_the_same_is_no_difference(one: Any, other: Any) -> None:
    written = {**_object(value=other), "$defs": {"text": TEXT}}
    assert list(differences(_object(value=one), written)) == []
    assert list(widenings(_object(value=one), written)) == []


def test_what_is_said_about_a_member_is_compared() -> None:
    model = _object(no={**TEXT, "default": "1", "description": "a  text"}, kind={**TEXT, "description": "b"}, size=TEXT)
    written = _object(
        no={**TEXT, "description": "a text"}, kind={**TEXT, "description": "c"}, size=TEXT | {"default": 1}
    )
    assert list(differences(model, written)) == [
        Difference("/no", "default", '"1"', ""),
        Difference("/kind", "description", "b", "c"),
        Difference("/size", "default", "", "1"),
    ]
    assert list(widenings(model, written)) == []


def test_differences_inside_lists_are_named_by_the_value_they_are_about() -> None:
    model = _object(rows={"type": "array", "items": _object(no=TEXT), "maxItems": 5})
    written = _object(rows={"type": "array", "items": _object(no=NUMBER)})
    assert list(differences(model, written)) == [
        Difference("/rows", "bound", "maxItems: 5", ""),
        Difference("/rows/*/no", "type", "string", "number"),
    ]


def test_a_schema_that_contains_itself_is_compared_once() -> None:
    node = {"$defs": {"node": _object(below={"type": "array", "items": {"$ref": "#/$defs/node"}}, no=TEXT)}}
    other = {"$defs": {"node": _object(below={"type": "array", "items": {"$ref": "#/$defs/node"}}, no=NUMBER)}}
    model, written = (
        {**node, **_object(root={"$ref": "#/$defs/node"})},
        {**other, **_object(root={"$ref": "#/$defs/node"})},
    )
    assert list(differences(model, written)) == [
        Difference("/root/below/*/no", "type", "string", "number"),
        Difference("/root/no", "type", "string", "number"),
    ]
    assert list(differences(model, model)) == []


def test_a_reference_to_itself_ends() -> None:
    circle = {"$defs": {"a": {"$ref": "#/$defs/a"}}, **_object(a={"$ref": "#/$defs/a"})}
    assert list(differences(circle, circle)) == []


@pytest.mark.parametrize(
    "resource",
    [
        MODEL,
        _object(("no", "kind"), no={"type": "string", "maxLength": 9}, kind={"const": "A"}, size={"type": "integer"}),
        _object(("no",), no={"type": "string", "enum": ["1"]}),
        {**MODEL, "anyOf": [{"required": ["kind"]}, {"required": ["size"]}]},
        _object(("no",), no={"type": "string", "maxLength": 10}, kind={"oneOf": [{"const": "A"}, {"const": "B"}]}),
        _object(("no",), no={"type": "string", "maxLength": 10}, extra=False),
    ],
)
def test_a_resource_may_narrow(resource: Any) -> None:
    assert list(widenings(MODEL, resource)) == []


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        (_object(("no",), **MODEL["properties"], extra=TEXT), [Difference("/extra", "surplus", "", "extra")]),
        ({**MODEL, "required": []}, [Difference("/no", "required", "no", "no")]),
        (
            _object(("no",), no=TEXT, kind={"type": "string", "enum": ["A", "C"]}, size=TEXT),
            [
                Difference("/no", "bound", "maxLength: 10", ""),
                Difference("/kind", "enum", '"A", "B"', '"A", "C"'),
                Difference("/size", "type", "number", "string"),
            ],
        ),
        (
            _object(("no",), no={"type": "string", "maxLength": 11}, kind=TEXT),
            [Difference("/no", "bound", "maxLength: 10", "maxLength: 11"), Difference("/kind", "enum", '"A", "B"', "")],
        ),
        (_object(("no",), no={}), [Difference("/no", "type", "string", "any")]),
        (
            _object(("no",), no={"anyOf": [TEXT, NUMBER]}),
            [Difference("/no", "type", "string", "number | string")],
        ),
    ],
)
def test_a_resource_that_accepts_more_is_told(resource: Any, expected: list[Difference]) -> None:
    assert list(widenings(MODEL, resource)) == expected


def test_what_cannot_be_told_is_not_called_wider() -> None:
    model = _object(
        no={"type": "string", "pattern": "^[0-9]+$"}, either={"anyOf": [TEXT, NUMBER]}, any={}, open={"type": "object"}
    )
    resource = _object(no={"type": "string", "pattern": "^[1-9]+$"}, either=TEXT, any=TEXT, open=_object(a=TEXT))
    assert list(widenings(model, resource)) == []


def test_a_lower_bound_is_wider_when_it_is_lower() -> None:
    model, lower, higher = (
        {"type": "object", "properties": {"n": {"type": "integer", "minimum": n}}} for n in (5, 4, 6)
    )
    assert list(widenings(model, lower)) == [Difference("/n", "bound", "minimum: 5", "minimum: 4")]
    assert list(widenings(model, higher)) == []


def test_pointers_lead_from_value_to_schema_and_back() -> None:
    assert schema_pointer("/rows/*/no") == "/properties/rows/items/properties/no"
    assert value_pointer(("properties", "rows", "items", "properties", "no")) == "/rows/*/no"
    assert value_pointer(("properties", "a/b", "anyOf", "0", "properties", "items")) == "/a~1b/items"
    assert value_pointer(()) == ""


def test_the_schema_of_a_value_is_found() -> None:
    schema = _object(rows={"type": "array", "items": _object(no=TEXT)})
    assert property_at(schema, "/rows/*/no") == TEXT
    assert property_at(schema, "/nothing/here") is None
