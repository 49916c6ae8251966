"""Values against a published schema (toolkit/S3, toolkit/S4)."""

import json
import math
import time
from typing import Any

import pytest

from axhub.toolkit.published.validation import SchemaFault, SchemaValidator

pytestmark = pytest.mark.req("toolkit/S4")

SCHEMA = {
    "type": "object",
    "properties": {
        "claimNo": {"type": "string", "pattern": "^CLM[0-9]+$", "maxLength": 9},
        "status": {"enum": ["OPEN", "DONE"]},
        "rows": {"type": ["array", "null"], "items": {"type": "object", "properties": {"n": {"minimum": 1}}}},
        "way": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    },
    "required": ["claimNo"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ({"claimNo": "CLM1", "rows": [{"n": 1}], "status": "OPEN", "way": 1}, []),
        ({}, [SchemaFault((), "required", names=("claimNo",))]),
        ({"claimNo": "CLM1", "no": 1}, [SchemaFault((), "additionalProperties", names=("no",))]),
        ({"claimNo": 1}, [SchemaFault(("claimNo",), "type", ["string"])]),
        ({"claimNo": "x"}, [SchemaFault(("claimNo",), "pattern", "^CLM[0-9]+$")]),
        ({"claimNo": "CLM1234567"}, [SchemaFault(("claimNo",), "maxLength", 9)]),
        ({"claimNo": "CLM1", "status": "x"}, [SchemaFault(("status",), "enum", ["OPEN", "DONE"])]),
        ({"claimNo": "CLM1", "rows": 1}, [SchemaFault(("rows",), "type", ["array", "null"])]),
        ({"claimNo": "CLM1", "rows": [{"n": 1}, {"n": 0}]}, [SchemaFault(("rows", 1, "n"), "minimum", 1)]),
        ({"claimNo": "CLM1", "way": None}, [SchemaFault(("way",), "anyOf")]),
        ([], [SchemaFault((), "type", ["object"])]),
        ({"claimNo": "\ud800"}, [SchemaFault((), "json")]),
    ],
)
def test_what_does_not_conform_is_told_by_place_and_keyword(value: Any, faults: list[SchemaFault]) -> None:
    validator = SchemaValidator(SCHEMA)
    assert validator.faults(value) == faults
    assert validator.accepts(value) == (not faults)


def test_at_most_twenty_places_are_told() -> None:
    validator = SchemaValidator({"items": {"type": "integer"}})
    assert [fault.path for fault in validator.faults(["x"] * 100)] == [(at,) for at in range(20)]


def test_values_that_are_no_json_end_without_harm() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    validator = SchemaValidator({"type": ["integer", "number"]})
    assert [len(validator.faults(value)) for value in (deep, math.nan, math.inf, 10**400, 5.0)] == [1, 1, 1, 0, 0]


def test_a_pattern_that_could_take_forever_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^\"\^\(\?=a\)\(a\+\)\+\$\" is no pattern that can be matched in linear time"
    ):
        SchemaValidator({"pattern": "^(?=a)(a+)+$"})
    assert not SchemaValidator({"pattern": "^(a+)+$"}).accepts("a" * 50_000 + "b")


def test_true_and_false_are_schemas_too() -> None:
    assert SchemaValidator(True).accepts({"anything": 1})
    assert SchemaValidator(False).faults(1) == [SchemaFault((), "falseSchema")]


CONDITION = {
    "type": "object",
    "properties": {"where": {"$ref": "#/$defs/condition"}},
    "$defs": {
        "condition": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"of": {"items": {"$ref": "#/$defs/condition"}}, "op": {"enum": [op]}},
                    "required": ["op", "of"],
                }
                for op in ("and", "or")
            ]
            + [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}]
        }
    },
}


def nested(depth: int, leaf: Any, op: str = "or") -> Any:
    value = leaf
    for _ in range(depth):
        value = {"of": [value], "op": op}
    return {"where": value}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_recursive_schema_whose_branches_look_alike_takes_bounded_time(keyword: str) -> None:
    text = json.dumps(CONDITION).replace("anyOf", keyword)
    validator = SchemaValidator(json.loads(text))
    assert validator.faults(nested(3, {"a": 1})) == []
    assert validator.faults(nested(3, 1)) == [SchemaFault((), "anyOf")]
    began = time.thread_time()
    for depth in (12, 30, 100):
        assert validator.faults(nested(depth, 1, "neither")) == [SchemaFault((), "anyOf")]
    assert time.thread_time() - began < 5  # the first of these alone takes minutes without a bound
    assert validator.faults(nested(3, {"a": math.nan})) == [SchemaFault((), "json")]


def test_recursion_that_does_no_harm_is_told_place_by_place() -> None:
    node = {"type": "object", "properties": {"n": {"type": "integer"}, "kids": {"items": {"$ref": "#"}}}}
    validator = SchemaValidator(node)
    assert validator.faults({"kids": [{"n": 1}, {"kids": [{"n": "x"}]}]}) == [
        SchemaFault(("kids", 1, "kids", 0, "n"), "type", ["integer"])
    ]


def test_references_that_multiply_without_recursion_take_bounded_time() -> None:
    defs: dict[str, Any] = {f"a{at}": {"anyOf": [{"$ref": f"#/$defs/a{at + 1}"}] * 2} for at in range(40)}
    validator = SchemaValidator({"$ref": "#/$defs/a0", "$defs": {**defs, "a40": {"type": "string"}}})
    assert (validator.accepts("x"), validator.accepts(1)) == (True, False)
