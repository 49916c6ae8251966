"""Validation of results: offline, bounded, and what cannot be evaluated left out (gateway/X12)."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.output_validator import _is_fault_of_input
from axhub.contract.schema import OutputValidator

pytestmark = pytest.mark.req("gateway/X12", "decision/D6")

TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            "required": ["v"],
            "additionalProperties": False,
        }
    },
}


def validator(schema: Any) -> OutputValidator:
    return OutputValidator(json.dumps(schema).encode())


def branches(depth: int, keyword: str = "anyOf") -> dict[str, Any]:
    """A schema that meets 2 to the `depth` schemas on its way."""
    defs: dict[str, Any] = {f"a{at}": {keyword: [{"$ref": f"#/$defs/a{at + 1}"}] * 2} for at in range(depth)}
    return {"$ref": "#/$defs/a0", "$defs": {**defs, f"a{depth}": {"type": "string"}}}


def tree(depth: int, leaf: Any = 1) -> dict[str, Any]:
    return {"v": 1, "kids": [tree(depth - 1, leaf) for _ in range(3)]} if depth else {"v": leaf}


@pytest.mark.parametrize(
    ("schema", "text", "accepted"),
    [
        ({"type": "object", "required": ["a"]}, b'{"a":1}', True),
        ({"type": "object", "required": ["a"]}, b"{}", False),
        (True, b"null", True),
        (False, b"null", False),
        ({"type": "integer"}, b"1.0", True),
        ({"type": "integer"}, b"1.10", False),
        ({"type": "integer"}, b"123456789012345678901234567890", True),
        ({"const": 123456789012345678901234567890}, b"123456789012345678901234567891", False),
        ({"type": "number"}, b"[1e400]", False),
        ({"type": "number"}, b"1e400", True),
        ({"type": "integer", "minimum": 0}, b"9" * 5000, True),
        ({"type": "integer", "minimum": 0}, b"-" + b"9" * 5000, False),
        ({"multipleOf": 0.01}, b"1.10", True),
        ({"type": "string", "maxLength": 2}, '"주문"'.encode(), True),
        ({"format": "email"}, b'"no mail"', True),
        ({"type": "string"}, b'"\\ud800"', False),
        ({}, b"[" * 100_000, False),
        ({}, b"not json", False),
        ({}, b"NaN", False),
        ({"$ref": "#/$defs/none"}, b"1", False),
        ({"minLength": "x"}, b"1", False),
    ],
)
def test_a_result_is_accepted_if_it_conforms(schema: Any, text: bytes, accepted: bool) -> None:
    assert validator(schema).accepts(text) == accepted


def test_references_and_anchors_are_followed() -> None:
    found = validator({"$ref": "#a", "$defs": {"x": {"$anchor": "a", "type": "integer"}}})
    assert found.accepts(b"1")
    assert not found.accepts(b'"x"')


@pytest.mark.parametrize(
    "schema",
    [
        {"$id": "urn:x", "items": {"$id": "b.json", "type": "integer"}, "contains": {"$ref": "#/items"}},
        {"$id": "http://a/b", "$defs": {"c": {"$id": "c", "$anchor": "d", "type": "array"}}, "$ref": "http://a/c#d"},
        {"$dynamicAnchor": "n", "type": "array", "items": {"anyOf": [{"$dynamicRef": "#n"}, {"type": "integer"}]}},
        {"$defs": {"a/b~ %": {"type": "array"}}, "allOf": [{"$ref": "#/$defs/a~1b~0%20%25"}]},
    ],
)
def test_addresses_of_any_form_are_followed(schema: Any) -> None:
    found = validator(schema)
    assert found.accepts(b"[1]")
    assert not found.accepts(b'["x"]') or not found.accepts(b'"x"')


class PanicException(BaseException):  # the name by which the library reports a panic
    pass


def test_a_panic_of_the_library_is_a_fault_of_the_input_and_other_exits_are_not() -> None:
    assert _is_fault_of_input(PanicException())
    assert not _is_fault_of_input(KeyboardInterrupt())
    assert not _is_fault_of_input(TypeError())


@pytest.mark.req("input/B31")
@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"type": "string", "pattern": "^[a-z]+$"}, b'"ab"', b'"AB"'),
        ({"type": "string", "pattern": "^(?=a)b$", "minLength": 2}, b'"zz"', b'"z"'),
        ({"type": "string", "pattern": "(", "minLength": 2}, b'"zz"', b'"z"'),
        ({"type": "string", "pattern": "a" * 1001, "minLength": 2}, b'"zz"', b'"z"'),
        ({"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False}, b'{"a":""}', b'{"b":""}'),
        (
            {
                "type": "object",
                "patternProperties": {"^(?!a)": {}, "^a": {"type": "string"}},
                "additionalProperties": False,
            },
            b'{"b":1}',
            b'{"a":1}',
        ),
        ({"allOf": [{"pattern": "a"}] * 50 + [{"pattern": "b"}]}, b'"a"', b'"b"'),
    ],
)
def test_a_pattern_that_is_not_evaluated_is_left_out_and_the_rest_holds(
    schema: Any, accepted: bytes, refused: bytes
) -> None:
    found = validator(schema)
    assert found.accepts(accepted)
    assert not found.accepts(refused)


@pytest.mark.req("input/B31", "threat/T09")
def test_an_evil_pattern_takes_linear_time() -> None:
    found = validator({"pattern": "^(a+)+$"})
    began = time.thread_time()
    assert not found.accepts(b'"' + b"a" * 100_000 + b'b"')
    assert time.thread_time() - began < 2


@pytest.mark.req("input/B29", "threat/T09")
def test_nothing_is_fetched() -> None:
    # A port that nothing listens on would give the same answer; the tests of the gateway count connections.
    assert not validator({"$ref": "http://127.0.0.1:9/schema.json"}).accepts(b"1")
    assert not validator({"$id": "http://127.0.0.1:9/", "$ref": "x.json"}).accepts(b"1")


@pytest.mark.req("input/B30", "threat/T09", "fault/F14")
@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf"])
@pytest.mark.parametrize("depth", [18, 60])
def test_branches_that_multiply_end_soon(keyword: str, depth: int) -> None:
    began = time.thread_time()
    found = validator(branches(depth, keyword))
    found.accepts(b'"x"')
    assert not found.accepts(b"5")
    assert time.thread_time() - began < 2


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf"])
def test_a_circle_of_branches_ends_soon(keyword: str) -> None:
    schema = branches(14, keyword)
    schema["$defs"]["a14"] = {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/a0"}}}
    began = time.thread_time()
    assert not validator(schema).accepts(b'{"a":' * 20 + b"5" + b"}" * 20)
    assert time.thread_time() - began < 2


def test_few_branches_are_decided_without_counting() -> None:
    found = validator(branches(5))
    assert found.accepts(b'"x"')
    assert not found.accepts(b"5")


def test_a_recursive_schema_is_decided_for_a_large_result() -> None:
    found = validator(TREE)
    assert found.accepts(json.dumps(tree(7)).encode())
    assert not found.accepts(json.dumps(tree(3, "x")).encode())
    assert not found.accepts(b'{"v":1,"kids":[{"v":1,"x":2}]}')


def test_one_result_does_not_use_up_the_budget_of_the_next() -> None:
    found = validator(branches(40))
    for _ in range(3):
        assert not found.accepts(b"5")
        assert found.accepts(b'"x"')


@given(
    st.recursive(
        st.builds(lambda v: {"v": v}, st.integers() | st.text(max_size=2)),
        lambda inner: st.builds(lambda v, kids: {"v": v, "kids": kids}, st.integers(), st.lists(inner, max_size=3)),
        max_leaves=10,
    )
)
def test_counting_changes_no_verdict(value: Any) -> None:
    def conforms(node: Any) -> bool:
        return isinstance(node["v"], int) and all(map(conforms, node.get("kids", ())))

    assert validator(TREE).accepts(json.dumps(value).encode()) == conforms(value)
