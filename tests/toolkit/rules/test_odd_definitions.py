"""Whatever stands in a definition or a decorator: every rule about them answers in both languages, and none fails."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.toolkit.facts.service import Facts
from axhub.toolkit.rules import (
    agreement,
    behaviour,
    declarations,
    definitions,
    environment,
    name_parts,
    names,
    neighbours,
    ownership,
    queries,
    reading,
    texts,
)
from axhub.toolkit.rules.definitions import DESCRIPTION_PARTS, OPTIONAL_KEYS, REQUIRED_KEYS
from support.telling import told
from support.toolkit_facts import ARGUMENTS, TOOL, declared, definition, facts

FAMILIES: Final = (
    agreement,
    behaviour,
    declarations,
    definitions,
    environment,
    name_parts,
    names,
    neighbours,
    ownership,
    queries,
    reading,
    texts,
)
RULES: Final = tuple(rule for family in FAMILIES for rule in family.RULES)
KNOWN: Final = {rule.id for rule in RULES}

SCALARS: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=True),
    st.text(max_size=20),
    st.sampled_from(
        ["", " ", "\u3000", "{}", "{name}", "%s", "yes", "1.10", "\ud55c", "\u1112\u1161\u11ab", "a\nb", "`", '"']
    ),
)
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=5,
)
POINTERS: Final = (
    *(f"/{key}" for key in (*REQUIRED_KEYS, *OPTIONAL_KEYS)),
    *(f"/description/{part}" for part in DESCRIPTION_PARTS),
    "/example_queries/0",
    "/tags/0",
)


def ids(found: Facts) -> set[str]:
    """Return which rules have something to say, once each has said it."""
    return {rule.id for rule in RULES if told(rule, found)}


def test_the_good_service_breaks_no_rule() -> None:
    assert ids(facts()) == set()


@given(pointer=st.sampled_from(POINTERS), value=VALUES)
def test_any_value_of_a_definition_is_looked_at(pointer: str, value: Any) -> None:
    assert ids(facts(definition(stem=TOOL, at={pointer: value}))) <= KNOWN


@given(values=st.dictionaries(st.sampled_from(REQUIRED_KEYS + OPTIONAL_KEYS) | st.text(max_size=8), VALUES, max_size=6))
def test_any_values_together_are_looked_at(values: dict[str, Any]) -> None:
    pointers = {f"/{key.replace('~', '~0').replace('/', '~1')}": value for key, value in values.items()}
    assert ids(facts(definition(stem=TOOL, at=pointers))) <= KNOWN


@given(argument=st.sampled_from(tuple(ARGUMENTS)) | st.text(max_size=8), value=VALUES)
def test_any_value_of_a_decorator_is_looked_at(argument: str, value: Any) -> None:
    arguments = {argument: value} if argument != "name" else {}
    found = facts(declared(value if argument == "name" else TOOL, **arguments))
    assert ids(found) <= KNOWN


@pytest.mark.parametrize("pointer", [f"/{key}" for key in REQUIRED_KEYS if key != "parameters_schema"])
def test_a_missing_key_is_said_by_one_rule(pointer: str) -> None:
    assert ids(facts(definition(without=[pointer], stem=TOOL))) == {"TK302"}


ONE_RULE: Final = {
    "/name": "TK101",
    "/display_name": "TK303",
    "/version": "TK304",
    "/category_key": "TK303",
    "/description": "TK303",
    "/description/io_limits": "TK303",
    "/display_description": "TK303",
    "/example_queries": "TK305",
    "/example_queries/1": "TK305",
    "/read_only": "TK307",
    "/destructive": "TK307",
    "/idempotent": "TK307",
    "/tags": "TK313",
    "/legacy_interface_id": "TK215",
    "/required_env_keys": "TK312",
    "/owner_org": "TK313",
    "/open_world": "TK307",
    "/examples": "TK302",
    "/signoff": "TK901",
    "/repeat": "TK804",
}


@pytest.mark.parametrize("value", [12, 1.1, [1], {"a": 1}], ids=str)
@pytest.mark.parametrize("pointer", ONE_RULE)
def test_a_value_of_a_wrong_kind_is_said_by_one_rule(pointer: str, value: object) -> None:
    assert ids(facts(definition(stem=TOOL, at={pointer: value}))) == {
        "TK302" if pointer == "/description" and isinstance(value, dict) else ONE_RULE[pointer]
    }


@pytest.mark.parametrize(
    "pointer", [key for key in ONE_RULE if key not in {"/open_world", "/examples", "/signoff", "/repeat"}]
)
def test_nothing_where_something_is_needed_is_said_by_one_rule(pointer: str) -> None:
    assert ids(facts(definition(stem=TOOL, at={pointer: None}))) == {ONE_RULE[pointer]}
