"""Nothing is called safe that is not: schemas and values at random, judged by the validator that services use."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.contract.schema_walk import walk
from axhub.toolkit.promises.acceptance import Refusal, refusals
from axhub.toolkit.promises.changes import Severity
from axhub.toolkit.promises.schema_changes import Side, schema_changes
from axhub.toolkit.promises.words import SCHEMA_WORDS
from axhub.toolkit.published.validation import SchemaValidator
from support.promises import TEXT, closed

pytestmark = pytest.mark.req("decision/D12")

NAMES = st.sampled_from(["a", "b"])
NUMBERS = st.sampled_from([-1, 0, 1, 2, 1.5, 2.0])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "A", "AB", "B"]))
TYPES = st.sampled_from(["null", "boolean", "object", "array", "string", "integer", "number"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=2)),
    max_leaves=4,
)


def _keywords(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    some = st.lists(inner, min_size=1, max_size=2)
    return {
        "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
        "enum": st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr),
        "minimum": NUMBERS,
        "exclusiveMaximum": NUMBERS,
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "pattern": st.sampled_from(["^A", "B$"]),
        "items": inner,
        "maxItems": st.integers(0, 2),
        "uniqueItems": st.booleans(),
        "prefixItems": some,
        "properties": st.dictionaries(NAMES, inner, max_size=2),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(st.just("^a"), inner, max_size=1),
        "minProperties": st.integers(0, 2),
        "anyOf": some,
        "allOf": some,
        "oneOf": some,
        "not": inner,
        "$ref": st.sampled_from(["#", "#/$defs/A"]),
    }


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keywords = _keywords(inner)
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


SCHEMAS = _schemas(st.one_of(st.booleans(), _schemas(st.booleans())))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Return two schemas, the second mostly the first with one thing otherwise."""
    old = draw(SCHEMAS)
    new = copy.deepcopy(old)
    inside = [place.schema for place in walk(new) if isinstance(place.schema, dict)]
    changed = draw(st.sampled_from(inside))
    if draw(st.booleans()):
        changed.pop(draw(st.sampled_from(sorted(changed))), None)
    else:
        changed |= draw(SCHEMAS)
    definitions = {"A": draw(SCHEMAS)}
    return {**old, "$defs": definitions}, {**new, "$defs": copy.deepcopy(definitions)}


def _validator(schema: Any) -> SchemaValidator | None:
    try:
        return SchemaValidator(schema)
    except ValueError:
        return None  # a reference to itself with nothing between


@settings(max_examples=100, deadline=None)
@given(pairs(), st.lists(VALUES, min_size=8, max_size=16))
def test_a_value_that_was_accepted_and_is_refused_is_told_as_breaking(pair: tuple[Any, Any], values: list[Any]) -> None:
    old, new = (_validator(schema) for schema in pair)
    if old is None or new is None:
        return
    broken = any(old.accepts(value) and not new.accepts(value) for value in values)
    found = schema_changes(*pair, Side.INPUT)
    breaking = [one for one in found if SCHEMA_WORDS[one.kind].of_input is Severity.BREAKING]
    assert breaking or not broken


@settings(max_examples=100, deadline=None)
@given(SCHEMAS)
def test_a_schema_beside_itself_has_no_change(schema: Any) -> None:
    for side in Side:
        assert schema_changes(schema, copy.deepcopy(schema), side) == ()


@settings(max_examples=100, deadline=None)
@given(pairs())
def test_different_schemas_always_have_a_change(pair: tuple[Any, Any]) -> None:
    old, new = pair
    assert bool(schema_changes(old, new, Side.OUTPUT)) is (repr(old) != repr(new) and _is_other(old, new))


def _is_other(old: Any, new: Any) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() != new.keys() or any(_is_other(old[name], new[name]) for name in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) != len(new) or any(map(_is_other, old, new))
    return repr(old) != repr(new)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (closed(a=TEXT), {"type": "object"}),
        ({"const": "A"}, {"pattern": "^A"}),
        ({"enum": [1, 2]}, {"type": "integer", "minimum": 1}),
        ({"type": "boolean"}, {"enum": [True, False, None]}),
        ({"type": "integer", "maximum": 4.5}, {"type": "number", "maximum": 4}),
        ({"multipleOf": 4, "type": "integer"}, {"multipleOf": 2}),
        ({"allOf": [{"minLength": 2}, {"minLength": 1}]}, {"minLength": 2}),
        ({"anyOf": [{"const": "A"}, {"const": "B"}]}, {"enum": ["A", "B", "C"]}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ({"$ref": "#/$defs/A", "$defs": {"A": TEXT}}, {"type": ["string", "integer"]}),
        (False, TEXT),
    ],
)
def test_what_is_surely_accepted_is_seen(first: Any, second: Any) -> None:
    assert refusals(first, second) == ()


def test_a_comparison_that_would_take_too_long_ends_and_is_told_as_unknown() -> None:
    branches = [{"minLength": length} for length in range(8)]
    first = {"allOf": [{"anyOf": [{**one, "maxLength": 90 + at} for one in branches]} for at in range(8)]}
    assert Refusal("", "condition", "") in refusals(first, {"anyOf": [{"minLength": 8}, {"maxLength": 8}]})
