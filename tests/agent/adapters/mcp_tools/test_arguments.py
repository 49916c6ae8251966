"""Arguments against a published schema: places, no echo, bounded time (agent/L1, agent/A7, threat/T09)."""

import json
import time
from typing import Any

import pytest

from axhub.agent.adapters.mcp_tools.arguments import ArgumentsCheck
from axhub.agent.adapters.mcp_tools.judging import NotOffered, judged
from axhub.agent.adapters.mcp_tools.mapping import reads
from axhub.agent.domain.errors import ArgumentsError

pytestmark = pytest.mark.req("agent/A9", "agent/L1")

CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "no": {"type": "string", "pattern": "^[0-9]{4}$"},
        "pages": {"type": "array", "items": {"type": "integer", "minimum": 1}},
    },
    "required": ["no"],
    "additionalProperties": False,
}


def problems(schema: dict[str, Any], arguments: dict[str, Any]) -> tuple[str, ...]:
    try:
        ArgumentsCheck(schema).check(arguments)
    except ArgumentsError as error:
        return error.problems
    return ()


@pytest.mark.req("input/B79")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"no": "0001", "pages": [1, 2]}, ()),
        ({}, ('the arguments: "no" is a required property',)),
        ({"no": "canary-1"}, ('no: it does not match "^[0-9]{4}$"',)),
        ({"no": "0001", "pages": [1, 0]}, ("pages/1: it is less than the minimum of 1",)),
        ({"no": "0001", "pages": "canary-2"}, ('pages: it is not of type "array"',)),
        (
            {"no": "0001", "more": "canary-3"},
            ("the arguments: Additional properties are not allowed ('more' was unexpected)",),
        ),
    ],
)
def test_a_model_reads_where_its_arguments_do_not_fit_and_not_what_it_wrote(
    arguments: dict[str, Any], told: tuple[str, ...]
) -> None:
    assert problems(CLOSED, arguments) == told
    assert "canary" not in json.dumps(told)


def test_whether_there_may_be_other_arguments_is_the_schemas_to_say() -> None:
    assert problems({"type": "object", "properties": {"no": {}}}, {"no": 1, "more": {"x": [1]}}) == ()


@pytest.mark.req("agent/A7", "threat/T24", "input/B79")
@pytest.mark.parametrize("schema", [{"type": "object"}, CLOSED])
def test_an_argument_named_like_an_identity_is_refused_also_where_the_schema_is_open(schema: dict[str, Any]) -> None:
    (told,) = problems(schema, {"no": "0001", "filter": {"employeeNo": "canary"}})
    assert told == "filter/employeeNo: this is decided by the server, never by a model; leave it out"


@pytest.mark.req("threat/T09", "input/B31")
def test_a_pattern_that_cannot_be_matched_in_linear_time_is_left_to_the_server() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?!x)(a+)+$"}, "n": {"minimum": 1}}}
    began = time.monotonic()
    assert problems(schema, {"a": "a" * 5000 + "!"}) == ()
    assert problems(schema, {"n": 0}) == ("the arguments: they do not fit the schema",)
    assert time.monotonic() - began < 5


@pytest.mark.req("threat/T09", "input/B29", "input/B30")
def test_a_schema_that_multiplies_its_work_ends_in_bounded_time() -> None:
    node = {"anyOf": [{"properties": {"a": {"$ref": "#/$defs/n"}}}, {"properties": {"a": {"$ref": "#/$defs/n"}}}]}
    schema = {"type": "object", "$defs": {"n": {**node, "required": ["b"]}}, "$ref": "#/$defs/n"}
    value: dict[str, Any] = {}
    for _ in range(40):
        value = {"a": value}
    began = time.monotonic()
    assert problems(schema, value) == ("the arguments: they do not fit the schema",)
    assert time.monotonic() - began < 5


def test_a_hundred_faults_are_told_in_part() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert len(problems(schema, {f"m{number}": "x" for number in range(100)})) == 20


def test_draft07_is_read_as_what_it_means() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"pair": {"items": [{"type": "integer"}, {"type": "string"}], "additionalItems": False}},
    }
    assert problems(schema, {"pair": [1, "a"]}) == ()
    assert problems(schema, {"pair": ["a"]}) == ('pair/0: it is not of type "integer"',)
    assert problems(schema, {"pair": [1, "a", 2]}) != ()


@pytest.mark.req("agent/A7", "agent/A9")
def test_an_argument_that_is_only_named_like_an_identity_is_let_through_where_the_application_says_why() -> None:
    schema = {"type": "object", "properties": {"ownerName": {"type": "string"}}}
    wanted = reads("car_find", identity_exceptions={"ownerName": "the owner of the car, as on the form"})
    found = {"name": "car_find", "description": "Finds a car.", "inputSchema": schema}
    definition = judged("car_find", wanted, found).definition
    assert definition is not None
    check = ArgumentsCheck(schema, definition.identity_exceptions)
    check.check({"ownerName": "Kim"})
    with pytest.raises(ArgumentsError, match="employeeNo"):
        check.check({"ownerName": "Kim", "employeeNo": "1"})
    assert judged("car_find", reads("car_find"), found).reason is NotOffered.UNSAFE
    assert judged("car_find", reads("car_find", identity_exceptions={"ownerName": " "}), found).definition is None
