"""Schemas in draft-07 mean what they meant there (gateway/P11): held against a validator of that dialect."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.contract.findings import Finding
from axhub.contract.output_validator import OutputValidator
from axhub.contract.schema import check_schema_in_steps
from axhub.contract.schema_draft07 import as_2020_12, is_draft07

DIALECT = "http://json-schema.org/draft-07/schema#"


def declared(**members: Any) -> dict[str, Any]:
    return {"$schema": DIALECT, **members}


def findings(schema: Any, *, draft07: bool = True, root_object: bool = True) -> list[Finding]:
    steps = check_schema_in_steps(json.dumps(schema).encode(), "", "t", root_object, draft07)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: list[Finding] = end.value
            return found


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("schema", "is_one"),
    [
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, True),
        ({"$schema": "http://json-schema.org/draft-07/schema"}, True),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, False),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, False),
        ({"$schema": [DIALECT]}, False),
        ({"$schema": {}}, False),
        ({}, False),
        (True, False),
        (None, False),
    ],
)
def test_the_dialect_is_what_the_root_declares(schema: Any, is_one: bool) -> None:
    assert is_draft07(schema) is is_one


A, B = {"type": "integer"}, {"type": "string"}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "tuple": ({"items": [A, B]}, {"prefixItems": [A, B]}),
    "closed tuple": ({"items": [A], "additionalItems": False}, {"prefixItems": [A], "items": False}),
    "tuple and more": ({"items": [A], "additionalItems": B}, {"prefixItems": [A], "items": B}),
    "list": ({"items": A, "additionalItems": False}, {"items": A}),
    "no items": ({"additionalItems": False}, {}),
    "dependencies": (
        {"dependencies": {"a": ["b"], "c": {"minProperties": 2}, "d": True}},
        {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minProperties": 2}, "d": True}},
    ),
    "no dependencies": ({"dependencies": {}}, {}),
    "beside a reference": (
        {"$ref": "#/definitions/x", "type": "string", "description": "d", "definitions": {"x": A}},
        {"$ref": "#/definitions/x", "definitions": {"x": A}},
    ),
    "anchor": ({"allOf": [{"$id": "#x", **A}]}, {"allOf": [{"$anchor": "x", **A}]}),
    "address": ({"$id": "http://x/y#"}, {"$id": "http://x/y#"}),
    "later keywords": (
        {"minContains": 3, "unevaluatedProperties": False, "prefixItems": [A], "title": "t"},
        {"title": "t"},
    ),
    "data": (
        {"const": {"items": [1]}, "enum": [{"$ref": 1}], "default": {"dependencies": {}}, "examples": [{"$schema": 1}]},
        {"const": {"items": [1]}, "enum": [{"$ref": 1}], "default": {"dependencies": {}}, "examples": [{"$schema": 1}]},
    ),
    "names": (
        {
            "properties": {
                "items": {"items": [A]},
                "$ref": B,
                "$schema": B,
                "dependencies": {"dependencies": {"a": ["b"]}},
            }
        },
        {
            "properties": {
                "items": {"prefixItems": [A]},
                "$ref": B,
                "$schema": B,
                "dependencies": {"dependentRequired": {"a": ["b"]}},
            }
        },
    ),
    "everywhere": (
        {
            **{word: {"items": [A]} for word in ("not", "if", "then", "else", "contains", "propertyNames")},
            "additionalProperties": {"items": [A]},
            "allOf": [{"items": [A]}, True],
            "patternProperties": {"^x": {"items": [A]}},
            "items": {"items": [{"items": [A]}]},
        },
        {
            **{word: {"prefixItems": [A]} for word in ("not", "if", "then", "else", "contains", "propertyNames")},
            "additionalProperties": {"prefixItems": [A]},
            "allOf": [{"prefixItems": [A]}, True],
            "patternProperties": {"^x": {"prefixItems": [A]}},
            "items": {"prefixItems": [{"prefixItems": [A]}]},
        },
    ),
}


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("name", CASES)
def test_each_keyword_that_changed_is_rewritten_wherever_it_stands(name: str) -> None:
    schema, expected = CASES[name]
    before = json.dumps(schema)
    assert as_2020_12(declared(**schema)) == expected
    assert json.dumps(schema) == before


NAMES = st.sampled_from(["a", "b", "c"])
SCALARS: list[Any] = [None, True, 0, 1, 2, "", "a", "bb"]
VALUES: list[Any] = [
    *SCALARS,
    *([], [1], ["a"], [1, "a"], ["a", 1], [1, 1], [1, 2, 3], [1, "a", True], [[1]], [["a", 1]], [{"a": 1}]),
    *({}, {"a": 1}, {"a": "a"}, {"b": 1}, {"b": "a"}, {"a": 1, "b": 1}, {"a": 1, "c": 1}, {"a": [1, "a"], "c": ["a"]}),
]
REFERENCES = st.sampled_from(["#/definitions/a", "#/definitions/b", "#there"])
LEAVES = st.sampled_from([True, False, {}, A, B, {"const": 1}, {"type": "array"}, {"required": ["a"]}])


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(NAMES, inner, max_size=2)
    some = st.lists(inner, min_size=1, max_size=2)
    needed = st.lists(NAMES, max_size=2, unique=True)
    items = st.fixed_dictionaries(
        {"items": some | inner},
        optional={"additionalItems": inner, "minItems": st.integers(0, 2), "prefixItems": some},
    )
    left_over = st.fixed_dictionaries(
        {}, optional={"additionalItems": inner, "prefixItems": some, "unevaluatedItems": inner}
    )
    contains = st.fixed_dictionaries(
        {"contains": inner}, optional={"minContains": st.integers(0, 3), "maxContains": st.integers(0, 1)}
    )
    dependencies = st.fixed_dictionaries(
        {"dependencies": st.dictionaries(NAMES, inner | needed, max_size=2)},
        optional={"dependentRequired": st.dictionaries(NAMES, needed, max_size=1), "dependentSchemas": named},
    )
    objects = st.fixed_dictionaries(
        {"properties": named},
        optional={
            "additionalProperties": inner,
            "unevaluatedProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=1),
            "propertyNames": inner,
            "required": needed,
        },
    )
    choices = st.fixed_dictionaries(
        {},
        optional={"not": inner, "if": inner, "then": inner, "else": inner, "allOf": some, "anyOf": some, "oneOf": some},
    )
    datum = st.sampled_from([*VALUES, {"items": [1]}, {"$ref": "#/x"}, {"dependencies": {"a": ["b"]}}])
    data = st.fixed_dictionaries({"enum": st.lists(datum, min_size=1, max_size=3)}, optional={"default": datum})
    plain = st.one_of(items, left_over, contains, dependencies, objects, choices, data)
    referring = st.tuples(plain, REFERENCES).map(lambda both: {**both[0], "$ref": both[1]})
    return st.one_of(plain, plain, plain, referring)


SCHEMAS = _schemas(st.recursive(LEAVES, _schemas, max_leaves=4))


@pytest.mark.req("gateway/P11", "gateway/X12")
@settings(max_examples=400)
@given(schema=SCHEMAS, a=LEAVES, b=LEAVES, there=st.sampled_from([A, B, {"type": "array"}]))
def test_a_schema_accepts_what_it_accepts_in_its_own_dialect(
    schema: dict[str, Any], a: Any, b: Any, there: dict[str, Any]
) -> None:
    definitions = {"a": a, "b": b, "c": {"$id": "#there", **there}}
    # Below the root, where a reference may stand beside other keywords without hiding the definitions.
    whole = {"$schema": DIALECT, "allOf": [schema], "definitions": definitions}
    validator = jsonschema_rs.Draft7Validator(whole, validate_formats=False, offline=True)
    output = OutputValidator(json.dumps(whole).encode())
    differ = [value for value in VALUES if output.accepts(json.dumps(value).encode()) is not validator.is_valid(value)]
    assert differ == []


@pytest.mark.req("gateway/P11", "gateway/G6")
def test_draft_07_is_taken_where_it_is_asked_for_and_nowhere_else() -> None:
    schema = declared(type="object", properties={"pair": {"type": "array", "items": [A, B], "additionalItems": False}})
    assert findings(schema) == []
    assert [found.rule for found in findings(schema, draft07=False)] == ["schema.invalid", "schema.dialect"]


@pytest.mark.req("gateway/P11", "gateway/G6")
@pytest.mark.parametrize(
    ("schema", "rule", "pointer"),
    [
        (declared(type="array"), "schema.root", ""),
        (declared(type="object", properties={"a": {"type": "int"}}), "schema.invalid", "/properties/a/type"),
        (declared(type="object", properties={"a": {"items": [{"type": 1}]}}), "schema.invalid", None),
        (declared(type="object", properties={"a": {"$ref": "#/definitions/x"}}), "schema.ref.dangling", None),
        (declared(type="object", properties={"a": {"$ref": "http://x/y"}}), "schema.ref.remote", None),
        (declared(type="object", properties={"a": {"$ref": "#/properties/a"}}), "schema.ref.circle", None),
        (
            declared(type="object", properties={"a": {"$schema": "http://json-schema.org/draft-04/schema#"}}),
            "schema.dialect",
            "/properties/a/$schema",
        ),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}, "schema.dialect", "/$schema"),
        (declared(type="object", properties={"a": {"dependencies": {"x": 5}}}), "schema.invalid", None),
        (declared(type="object", properties={"a": {"dependencies": 5}}), "schema.invalid", None),
    ],
)
def test_what_is_wrong_in_draft_07_is_found(schema: dict[str, Any], rule: str, pointer: str | None) -> None:
    found = findings(schema)
    assert rule in {finding.rule for finding in found}
    assert pointer is None or pointer in {finding.pointer for finding in found}


@pytest.mark.req("gateway/P11", "gateway/G6")
def test_texts_that_the_dialect_passes_over_are_looked_at_all_the_same() -> None:
    beside = {"$ref": "#/definitions/x", "description": "left\u202eright"}
    schema = declared(type="object", properties={"a": beside}, definitions={"x": {"type": "string"}})
    assert [(finding.rule, finding.pointer) for finding in findings(schema)] == [
        ("text.character", "/properties/a/description")
    ]


@pytest.mark.req("gateway/P11")
def test_a_reference_to_a_place_that_is_rewritten_is_refused() -> None:
    pair = {"items": [A, B]}
    schema = declared(type="object", properties={"a": pair, "b": {"$ref": "#/properties/a/items/0"}})
    assert [finding.rule for finding in findings(schema)] == ["schema.ref.dangling"]
