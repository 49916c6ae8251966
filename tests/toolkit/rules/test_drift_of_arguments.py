"""What TK401 says about the words, defaults and patterns of an argument, and what it leaves to other rules."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Kind
from axhub.toolkit.rules.schemas.drift import TK401
from support.drifting import FILE, INPUT, MODEL, PARAMETERS, drift
from support.telling import expect, said
from support.toolkit_facts import (
    DTO,
    INPUT_SCHEMA,
    TOOL,
    declared,
    definition,
    facts,
    field,
    imported,
    resource,
)

pytestmark = pytest.mark.req("rule/TK401", "decision/D12")

# --- what is said about an argument --------------------------------------------------------------------------------


def _with_limit(**changes: Any) -> dict[str, Any]:
    limit = {"type": "integer", "description": "건수", **changes}
    return {**INPUT_SCHEMA, "properties": {**INPUT_SCHEMA["properties"], "limit": limit}}


@pytest.mark.parametrize(
    ("model", "written", "at", "english", "korean"),
    [
        (
            {"default": 30},
            {"default": 20},
            "/default",
            "the model's default is 30; the definition says 20. Write `default: 30`, or change the model.",
            "모델의 기본값은 30, 정의 파일의 기본값은 20입니다. `default: 30` 값을 쓰거나 모델을 바꾸십시오.",
        ),
        (
            {"default": 30},
            {},
            "",
            "the model's default is 30, which the definition leaves out. Add `default: 30`.",
            "모델의 기본값 30이(가) 정의 파일에 없습니다. `default: 30` 값을 추가하십시오.",
        ),
        (
            {},
            {"default": 20},
            "/default",
            (
                "the definition says default: 20, and the model has none. Remove `default` here, or give the field "
                "that "
                "default."
            ),
            (
                "정의 파일의 기본값은 20인데 모델에는 기본값이 없습니다. 여기서 `default`를 지우거나 필드에 그 "
                "기본값을 "
                "주십시오."
            ),
        ),
        (
            {"description": "최대 건수"},
            {"description": "최대: 건수"},
            "/description",
            (
                'the model says "최대 건수"; the definition says "최대: 건수". Write `description: 최대 건수`, or '
                "change "
                "the model."
            ),
            (
                '모델의 설명은 "최대 건수", 정의 파일의 설명은 "최대: 건수"입니다. `description: 최대 건수` 값을 '
                "쓰거나 "
                "모델을 바꾸십시오."
            ),
        ),
    ],
)
def test_what_is_said_about_an_argument_is_compared(
    model: Any, written: Any, at: str, english: str, korean: str
) -> None:
    broken = definition(parameters_schema=_with_limit(**written))
    schema = _with_limit(**model)
    found = facts(broken, imported={TOOL: imported(model_schema=schema, input_schema=schema)})
    place = broken.place(f"{PARAMETERS}/properties/limit{at}")
    expect(TK401, found, *drift("/limit", f"{DTO}:5:1", english, korean, place))


def test_what_is_missing_or_only_written_otherwise_is_no_difference_of_what_is_said() -> None:
    schema = _with_limit(default=None)
    for written in (_with_limit(description=" 건수\n"), _with_limit(description="")):
        found = facts(definition(parameters_schema=written), imported={TOOL: imported(model_schema=schema)})
        assert said(TK401, found) == []


def test_a_tool_without_a_request_model_has_no_arguments() -> None:
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    found = facts(imported={TOOL: imported(model_schema=nothing, input_schema=nothing, request="", inputs=())})
    place = definition().places[f"key:{PARAMETERS}/properties/claimNo"]
    expect(
        TK401,
        found,
        f"{place}: warning: The tool takes no request model, so it has no argument `claimNo`. Take `request: "
        "…Request`, or remove it here.",
        f"{place}: warning: 도구가 요청 모델을 받지 않으므로 `claimNo` 인자가 없습니다. `request: …Request` 매개변수를 "
        "받거나 여기서 지우십시오.",
    )


# --- what another rule says ------------------------------------------------------------------------------------------


def _with_pattern(pattern: str) -> dict[str, Any]:
    claim = {"type": "string", "description": "조회할 보험금 청구번호", "pattern": pattern}
    return {**INPUT_SCHEMA, "properties": {"claimNo": claim}}


def test_a_pattern_that_is_to_be_changed_is_not_to_be_copied() -> None:
    bad = _with_pattern(r"CLM\d+")
    found = facts(
        definition(parameters_schema=_with_pattern("^CLM[0-9]+$")), imported={TOOL: imported(model_schema=bad)}
    )
    assert said(TK401, found) == []
    missing = facts(
        definition(parameters_schema={**bad, "properties": {}}), imported={TOOL: imported(model_schema=bad)}
    )
    assert '"pattern": "^CLM[0-9]+$"' in said(TK401, missing)[0]


def test_a_required_argument_that_may_be_null_is_not_asked_for_in_the_definition() -> None:
    optional = {**INPUT_SCHEMA, "required": []}
    claim = field("/claimNo", nullable=True, required=True)
    assert said(TK401, facts(definition(parameters_schema=optional), imported={TOOL: imported(inputs=(claim,))})) == []


def test_a_definition_is_not_compared_while_its_resource_is_the_wrong_file_or_too_wide() -> None:
    wide = {**MODEL, "properties": {"claimNo": {"type": "string", "description": "d"}}}
    narrow = {**MODEL, "properties": {"claimNo": {"type": "string", "maxLength": 3, "enum": ["A"]}}}
    tool = {TOOL: imported(model_schema=MODEL, input_schema=wide, input_kind=Kind.RESOURCE)}
    wrong = "cmm/claim-output-schema.json"
    named = declared(input_schema_resource=f"tool_schemas/{wrong}")
    written = definition(parameters_schema=narrow)
    assert said(TK401, facts(named, written, imported=tool, resources=(resource(wrong, wide),))) == []
    named = declared(input_schema_resource=f"tool_schemas/{INPUT}")
    told = said(TK401, facts(named, written, imported=tool, resources=(resource(INPUT, wide),)))
    assert [one.partition(":")[0] for one in told] == [FILE]


def test_a_default_beyond_its_bounds_and_personal_data_are_not_to_be_copied() -> None:
    schema = _with_limit(maximum=50, default=200)
    found = facts(
        definition(parameters_schema=_with_limit(maximum=50, default=20)),
        imported={TOOL: imported(model_schema=schema)},
    )
    assert said(TK401, found) == []
    phone = {**INPUT_SCHEMA, "properties": {**INPUT_SCHEMA["properties"], "phoneNo": {"type": "string"}}}
    asked = field("/phoneNo", description="휴대폰 번호")
    assert said(TK401, facts(imported={TOOL: imported(model_schema=phone, inputs=(asked,))})) == []
    masked = field("/phoneNo", description="휴대폰 번호", masked="본인 확인에 필요하다")
    assert len(said(TK401, facts(imported={TOOL: imported(model_schema=phone, inputs=(masked,))}))) == 1


def test_a_definition_with_merge_keys_is_left_to_the_rule_about_keys() -> None:
    merging = {**INPUT_SCHEMA, "properties": {"claimNo": {"<<": {"type": "string"}}}}
    assert said(TK401, facts(definition(parameters_schema=merging))) == []


def test_tools_with_the_same_name_are_not_compared() -> None:
    found = facts(declared(), declared(line=40), definition(parameters_schema={**INPUT_SCHEMA, "required": []}))
    assert said(TK401, found) == []
