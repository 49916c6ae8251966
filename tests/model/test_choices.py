"""What a small model may write, made from the tools of a request: nothing else, and nothing endless (agent/A10)."""

from typing import Any, Final

import jsonschema_rs
import pytest

from tools.small_model.choices import names_of, schema_of

SEARCH: Final = {
    "type": "object",
    "title": "SearchArgs",
    "properties": {
        "text": {"anyOf": [{"type": "string", "maxLength": 500}, {"type": "null"}], "default": None},
        "state": {"enum": ["PAID", "SHIPPED"], "type": "string"},
        "title": {"type": "string", "pattern": "^[a-z]+$", "description": "A property named like a keyword."},
        "number": {"type": "string", "pattern": "^ORD-[0-9]{1,6}$", "maxLength": 10},
        "several": {"type": "array", "items": {"$ref": "#/$defs/One"}},
        "most": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
    },
    "required": ["state"],
    "$defs": {"One": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
}
ANSWER: Final = {"answer": "ok"}


def request(*names: str, choice: Any = None) -> dict[str, Any]:
    tools = [{"type": "function", "function": {"name": name, "parameters": SEARCH}} for name in names]
    return {"messages": [], "tools": tools} | ({} if choice is None else {"tool_choice": choice})


def one(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


@pytest.mark.parametrize(
    ("choice", "names", "may_answer"),
    [
        (None, ("a", "b"), True),
        ("auto", ("a", "b"), True),
        ("required", ("a", "b"), False),
        ("none", (), True),
        (one("b"), ("b",), False),
    ],
)
def test_a_request_says_which_tools_there_are_to_choose_from(choice: Any, names: Any, may_answer: bool) -> None:
    assert names_of(request("a", "b", choice=choice)) == (names, may_answer)
    valid = jsonschema_rs.validator_for(schema_of(request("a", "b", choice=choice))).is_valid
    assert valid(ANSWER) is may_answer
    called = {"state": "PAID"}
    assert tuple(name for name in ("a", "b", "c") if valid({"tool": name, "arguments": called})) == names


def test_without_tools_there_is_only_an_answer() -> None:
    assert names_of(request()) == ((), True)
    assert jsonschema_rs.is_valid(schema_of(request()), ANSWER)


@pytest.mark.parametrize(
    ("arguments", "is_allowed"),
    [
        ({"state": "PAID"}, True),
        ({}, False),
        ({"state": "LOST"}, False),
        ({"state": "PAID", "other": 1}, False),
        ({"state": "PAID", "text": None, "number": "ORD-123456", "most": 3}, True),
        ({"state": "PAID", "text": "x" * 61}, False),
        ({"state": "PAID", "title": "x" * 61}, False),
        ({"state": "PAID", "title": "Ä"}, True),
        ({"state": "PAID", "number": "ORD-1234567"}, False),
        ({"state": "PAID", "several": [{"name": "x"}] * 3}, True),
        ({"state": "PAID", "several": [{"name": "x"}] * 4}, False),
        ({"state": "PAID", "several": [{"name": "x" * 61}]}, False),
        ({"state": "PAID", "several": [{"name": "x", "other": 1}]}, False),
    ],
)
def test_arguments_are_those_of_the_tool_and_bounded(arguments: dict[str, Any], is_allowed: bool) -> None:
    written = {"tool": "find", "arguments": arguments}
    assert jsonschema_rs.is_valid(schema_of(request("other", "find")), written) is is_allowed


def test_an_answer_is_bounded_and_not_empty() -> None:
    valid = jsonschema_rs.validator_for(schema_of(request("find"))).is_valid
    assert [valid({"answer": "x" * size}) for size in (0, 1, 200, 201)] == [False, True, True, False]
