"""Defaults and examples beside the bounds of their own field: TK408."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Place, Shape
from axhub.toolkit.rules.schemas.own_bounds import TK408
from support.telling import expect, said
from support.toolkit_facts import DTO, INPUT_SCHEMA, OUTPUT_SCHEMA, TOOL, declared, facts, field, imported

pytestmark = pytest.mark.req("rule/TK408")

MODEL = "my_tools.biz.cmm.dto.ClaimSearchRequest"
LIMIT = field("/limit", model=MODEL, place=Place(DTO, 8, 5), shape=Shape.NUMBER)


def _with(**schema: Any) -> dict[str, Any]:
    return {TOOL: imported(model_schema={**INPUT_SCHEMA, "properties": {"limit": schema}}, inputs=(LIMIT,))}


@pytest.mark.parametrize(
    ("schema", "value", "english", "korean"),
    [
        ({"type": "integer", "maximum": 50, "default": 200}, 200, "at most 50 is allowed", "50 이하여야 함"),
        ({"type": "integer", "default": "20"}, '"20"', "the type integer is needed, and this is string", ""),
        ({"type": ["integer", "null"], "minimum": 1, "default": 0}, 0, "at least 1 is needed", "1 이상이어야 함"),
        ({"enum": [10, 20], "default": 30}, 30, "one of 10, 20 is needed", "10, 20 가운데 하나여야 함"),
    ],
)
def test_a_default_beyond_its_own_bounds_is_an_error(schema: Any, value: Any, english: str, korean: str) -> None:
    expect(
        TK408,
        facts(imported=_with(**schema)),
        f"{DTO}:8:5: error: The default {value} of /limit of ClaimSearchRequest breaks the field's own bounds: "
        f"{english}. Give `limit` a default that it takes, or change its bounds.",
        f"{DTO}:8:5: error: ClaimSearchRequest의 /limit 기본값 {value}이(가) 필드 자신의 제한에 맞지 않습니다: "
        f"{korean or '타입이 integer이어야 하는데 string 값임'}. `limit`에 허용되는 기본값을 주거나 제한을 고치십시오.",
    )


def test_an_example_that_breaks_its_own_pattern_is_an_error() -> None:
    schema = {"type": "string", "pattern": "^B-[0-9]{3}$", "examples": ["001"]}
    expect(
        TK408,
        facts(imported=_with(**schema)),
        f'{DTO}:8:5: error: The example "001" of /limit of ClaimSearchRequest breaks the field\'s own bounds: a text '
        "of the form ^B-[0-9]{3}$ is needed. Give `limit` an example that it takes, or change its bounds.",
        f'{DTO}:8:5: error: ClaimSearchRequest의 /limit 예시 "001"이(가) 필드 자신의 제한에 맞지 않습니다: '
        "^B-[0-9]{3}$ 형식이어야 함. `limit`에 허용되는 예시를 주거나 제한을 고치십시오.",
    )


def test_answers_are_looked_at_too_and_what_tools_share_once() -> None:
    status = {**OUTPUT_SCHEMA["properties"]["status"], "examples": ["GONE"]}
    tool = imported(answer_schema={**OUTPUT_SCHEMA, "properties": {"status": status}})
    assert len(said(TK408, facts(imported={TOOL: tool, "cmm_other_search": tool}))) == 1


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "maximum": 50, "default": 20, "examples": [10]},
        {"type": "integer", "default": None},  # rule/TK406
        {"type": "string", "pattern": "(", "examples": ["a"]},  # rule/TK407
        {"type": "string", "format": "date", "examples": ["a day"]},
        {"$ref": "#/$defs/gone", "examples": [1]},
        True,
    ],
)
def test_what_fits_or_cannot_be_told_is_fine(schema: Any) -> None:
    model = {**INPUT_SCHEMA, "properties": {"limit": schema}}
    assert said(TK408, facts(imported={TOOL: imported(model_schema=model, inputs=(LIMIT,))})) == []


def test_tools_with_the_same_name_are_left_to_the_rule_about_names() -> None:
    found = facts(declared(), declared(line=40), imported=_with(type="integer", default="a"))
    assert said(TK408, found) == []
