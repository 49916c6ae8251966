"""Output resource and response model side by side: TK401, and TK503 which then has nothing to add."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Kind, Place
from axhub.toolkit.rules.answers.answer_types import TK503
from axhub.toolkit.rules.schemas.drift import TK401
from support.telling import expect, said
from support.toolkit_facts import DTO, FOLDER, OUTPUT_SCHEMA, TOOL, declared, facts, imported, resource

pytestmark = pytest.mark.req("rule/TK401", "decision/D12")

OUTPUT = "cmm/claim-output-schema.json"
FILE = f"{FOLDER}/tool_schemas/{OUTPUT}"
SAMPLE = f"{FOLDER}/samples/{TOOL}/http-insurance.json"
STATUS = OUTPUT_SCHEMA["properties"]["status"]
LABEL = OUTPUT_SCHEMA["properties"]["statusLabel"]


def _with(schema: Any, named: str = OUTPUT, **changes: Any) -> Facts:
    tool = imported(output_schema=schema, output_kind=Kind.RESOURCE, sample_runs={SAMPLE: "no"}, **changes)
    places = {"/properties/status": Place(FILE, 4, 20), "/properties/statusLabel/type": Place(FILE, 5, 30)}
    return facts(
        declared(output_schema_resource=f"tool_schemas/{named}"),
        imported={TOOL: tool},
        resources=(resource(named, schema, places=places),),
    )


def _properties(**changes: Any) -> dict[str, Any]:
    return {**OUTPUT_SCHEMA, "properties": {**OUTPUT_SCHEMA["properties"], **changes}}


@pytest.mark.parametrize(
    ("schema", "place", "english", "korean"),
    [
        (
            _properties(statusLabel={**LABEL, "type": "integer"}),
            "5:30",
            (
                f"/statusLabel|{DTO}:14:5|the resource says integer, the answer has string. Write in the resource "
                f"what the "
                'answer has: "statusLabel": {"type": "string", "description": "청구 상태의 이름"}, or change the model.'
            ),
            (
                "리소스는 integer, 응답은 string입니다. 리소스를 응답에 맞게 쓰거나 모델을 바꾸십시오: "
                '"statusLabel": {"type": "string", "description": "청구 상태의 이름"}.'
            ),
        ),
        (
            _properties(status={**STATUS, "enum": ["PAID"]}),
            "4:20",
            (
                f'/status|{DTO}:13:5|the resource says "PAID"; the answer may be "RECEIVED", "PAID", "REJECTED". '
                f"Write all "
                "values of the answer as `enum` of the resource, or change the model."
            ),
            (
                '리소스의 값은 "PAID", 응답의 값은 "RECEIVED", "PAID", "REJECTED"입니다. 리소스의 `enum`에 응답의 값을 '
                "모두 쓰거나 모델을 바꾸십시오."
            ),
        ),
        (
            {**OUTPUT_SCHEMA, "properties": {"status": STATUS}, "required": ["status"]},
            "1:1",
            (
                f"/statusLabel|{DTO}:14:5|only the answer has it. Write below `properties` of the resource: "
                '"statusLabel": {"type": "string", "description": "청구 상태의 이름"}.'
            ),
            (
                "응답에만 있습니다. 리소스의 `properties` 아래에 쓰십시오: "
                '"statusLabel": {"type": "string", "description": "청구 상태의 이름"}.'
            ),
        ),
        (
            {**_properties(memo=LABEL), "required": ["status", "statusLabel", "memo"]},
            "1:1",
            (
                f"/memo|{FOLDER}/biz/cmm/dto.py:12:1|the resource requires it, the answer may lack it. Remove "
                f"`memo` from "
                "`required` of the resource, or add a field to ClaimSearchResponse."
            ),
            (
                "리소스에서는 필수인데 응답에는 없을 수 있습니다. 리소스의 `required`에서 `memo` 이름을 지우거나 "
                "ClaimSearchResponse에 필드를 추가하십시오."
            ),
        ),
    ],
)
def test_an_output_resource_that_refuses_the_answer_is_an_error(
    schema: Any, place: str, english: str, korean: str
) -> None:
    pointer, dto, sentence = english.split("|", 2)
    start = f"{FILE}:{place}: error: claim-output-schema.json"
    found = _with(schema)
    expect(
        TK401,
        found,
        f"{start} and ClaimSearchResponse ({dto}) differ at {pointer}: {sentence}",
        f"{start} 파일과 ClaimSearchResponse({dto})의 {pointer} 속성이 서로 다릅니다. {korean}",
    )
    assert said(TK503, found) == []


@pytest.mark.parametrize(
    "schema",
    [
        OUTPUT_SCHEMA,
        _properties(statusLabel={**LABEL, "maxLength": 20}),
        _properties(statusLabel={**LABEL, "enum": ["접수", "지급", "거절"]}),
        {**OUTPUT_SCHEMA, "additionalProperties": True, "properties": {"status": STATUS}, "required": []},
    ],
)
def test_a_resource_that_allows_the_answer_is_fine(schema: Any) -> None:
    found = _with(schema)
    assert said(TK401, found) == []
    assert len(said(TK503, found)) == 1


def test_a_resource_that_cannot_be_used_or_an_answer_that_is_no_model_is_left_to_other_rules() -> None:
    wrong = _properties(statusLabel={"type": "integer"})
    assert said(TK401, _with(wrong, "cmm/claim-input-schema.json")) == []
    assert said(TK401, _with(None)) == []
    assert said(TK401, _with(wrong, response_is_model=False)) == []
    assert said(TK401, _with(wrong, leaks=("/items: ClaimBody",))) == []
