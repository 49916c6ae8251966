"""Arguments that are easy to fill, conditions that are enforced, null that has one meaning: TK404, TK405, TK406."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import FAILED, Kind, Place, Shape
from axhub.toolkit.rules.model import Severity
from axhub.toolkit.rules.schemas.requests import RULES, TK404, TK405, TK406
from support.telling import expect, said
from support.toolkit_facts import DTO, TOOL, YAML, declared, definition, facts, field, imported

MODEL = "my_tools.biz.cmm.dto.ClaimSearchRequest"


def test_all_of_them_are_warnings() -> None:
    assert [(rule.severity, rule.heuristic) for rule in RULES] == [
        (Severity.WARNING, True),
        (Severity.WARNING, True),
        (Severity.WARNING, False),
    ]


@pytest.mark.req("rule/TK404")
def test_more_than_twelve_fields_without_a_resource_are_pointed_out() -> None:
    fields = tuple(field(f"/f{number}", model=MODEL) for number in range(13))
    expect(
        TK404,
        facts(imported={TOOL: imported(inputs=fields)}),
        f"{DTO}:5:1: warning: ClaimSearchRequest has 13 fields, more than 12, and no schema resource. Leave out what "
        "the tool can find out itself, split the tool, or name an `input_schema_resource`.",
        f"{DTO}:5:1: warning: ClaimSearchRequest의 필드가 13개로 12개를 넘는데 스키마 리소스가 없습니다. 도구가 "
        "스스로 알 수 있는 값은 빼거나, 도구를 나누거나, `input_schema_resource`를 지정하십시오.",
    )
    assert said(TK404, facts(imported={TOOL: imported(inputs=fields[:12])})) == []
    assert said(TK404, facts(imported={TOOL: imported(inputs=fields, input_kind=Kind.RESOURCE)})) == []


@pytest.mark.req("rule/TK404")
def test_a_field_three_objects_deep_is_pointed_out() -> None:
    deep = field("/a/*/b/c/d", model=MODEL, place=Place(DTO, 9, 5))
    expect(
        TK404,
        facts(imported={TOOL: imported(inputs=(deep,))}),
        f"{DTO}:9:5: warning: The field /a/*/b/c/d of ClaimSearchRequest lies 3 objects deep, and there is no schema "
        "resource. Move it up to at most two objects, or name an `input_schema_resource`.",
        f"{DTO}:9:5: warning: ClaimSearchRequest의 /a/*/b/c/d 필드가 object 3단계 안에 있는데 스키마 리소스가 "
        "없습니다. object 두 단계 안으로 올리거나 `input_schema_resource`를 지정하십시오.",
    )
    assert said(TK404, facts(imported={TOOL: imported(inputs=(field("/a/*/b/c", model=MODEL),))})) == []


@pytest.mark.req("rule/TK404")
@pytest.mark.parametrize(
    ("schema", "english", "korean"),
    [
        (
            {"enum": [str(code) for code in range(51)]},
            (
                "The field /claimNo has 51 codes, more than 50. Take a text, say in its description which tool looks "
                "the codes up, and refuse unknown ones."
            ),
            (
                "/claimNo 필드의 코드가 51개로 50개를 넘습니다. 텍스트로 받고, 코드를 조회하는 도구를 설명에 쓰고, "
                "모르는 코드는 거절하십시오."
            ),
        ),
        (
            {"type": ["array", "null"], "items": {}},
            (
                "The list /claimNo does not say what its items are; some model providers refuse that. Write the "
                "item's type: `list[str]`, or a model."
            ),
            (
                "/claimNo 배열의 요소가 무엇인지 나와 있지 않아 일부 모델 제공자가 거절합니다. 요소의 타입을 "
                "쓰십시오: `list[str]` 또는 모델."
            ),
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            (
                "The input schema uses `oneOf` at /claimNo, which some model providers refuse or ignore. Say it in "
                "the description and check it in a validator of the request model, or use plain properties."
            ),
            (
                "입력 스키마의 /claimNo에 일부 모델 제공자가 거절하거나 무시하는 `oneOf` 키워드가 있습니다. 설명에 "
                "쓰고 요청 모델의 validator에서 검사하거나, 평범한 속성으로 바꾸십시오."
            ),
        ),
    ],
)
def test_what_some_model_providers_refuse_is_pointed_out(schema: Any, english: str, korean: str) -> None:
    whole = {"type": "object", "properties": {"claimNo": schema}}
    found = facts(imported={TOOL: imported(input_schema=whole)})
    expect(TK404, found, f"{DTO}:6:5: warning: {english}", f"{DTO}:6:5: warning: {korean}")


@pytest.mark.req("rule/TK404")
@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [str(code) for code in range(50)]},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "prefixItems": [{"type": "string"}]},
        {"type": "object", "properties": {"not": {"type": "string"}, "if": {"type": "string"}}},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ],
)
def test_plain_schemas_are_fine(schema: Any) -> None:
    found = facts(imported={TOOL: imported(input_schema={"type": "object", "properties": {"claimNo": schema}})})
    assert said(TK404, found) == []


@pytest.mark.req("rule/TK405")
def test_an_example_that_behaves_otherwise_is_pointed_out() -> None:
    examples = {"valid/0": "claimNo: 15 characters are needed.", "valid/1": None, "invalid/0": None, "invalid/1": "no"}
    broken = definition(examples={"valid": [{"claimNo": "1"}, {"claimNo": "2"}], "invalid": [{"a": 1}, {}]})
    valid, invalid = broken.place("/examples/valid/0"), broken.place("/examples/invalid/0")
    found = facts(broken, imported={TOOL: imported(examples=examples)})
    assert said(TK405, found) == [
        (
            f"{valid}: warning: The tool refuses `examples.valid[0]`: claimNo: 15 characters are needed. Correct the "
            "example, or move it to `examples.invalid` if it is to be refused."
        ),
        (
            f"{invalid}: warning: The tool accepts `examples.invalid[0]`, which is to be refused. Check the condition "
            "in the "
            'request model, with `@model_validator(mode="after")` and a `ValueError` that says what is needed, or '
            "correct the "
            "example."
        ),
    ]
    assert said(TK405, found, "ko") == [
        (
            f"{valid}: warning: 도구가 `examples.valid[0]` 예를 거절합니다: claimNo: 15 characters are needed. 예를 "
            "고치거나, 거절하는 것이 맞으면 `examples.invalid`로 옮기십시오."
        ),
        (
            f"{invalid}: warning: 거절해야 할 `examples.invalid[0]` 예를 도구가 받아들입니다. 요청 모델의 "
            '`@model_validator(mode="after")`에서 조건을 검사해 무엇이 필요한지 알리는 `ValueError`를 내거나, 예를 '
            "고치십시오."
        ),
    ]


@pytest.mark.req("rule/TK405")
def test_a_condition_that_no_example_proves_is_pointed_out() -> None:
    place = definition().place("/description/io_limits")
    expect(
        TK405,
        facts(imported={TOOL: imported(examples={"valid/0": None})}),
        f'{place}: warning: `io_limits` states a condition between arguments ("중 하나"), and no example proves that '
        "it is "
        "checked. Add arguments that break it, as in `examples: {invalid: [{}]}`; the request model must refuse them.",
        f'{place}: warning: `io_limits`에 인자 사이의 조건("중 하나")이 있는데, 검사된다는 것을 증명하는 예가 '
        "없습니다. 조건을 어기는 "
        "인자를 `examples: {invalid: [{}]}`처럼 추가하십시오. 요청 모델이 거절해야 합니다.",
    )


@pytest.mark.req("rule/TK405")
@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ("청구번호 또는 계약번호 중 하나 이상이 필요하다.", True),
        ("둘 중 한 가지만 넣는다.", True),
        ("One of claimNo or contractNo is needed.", True),
        ("Give at least one number.", True),
        ("최근 1년의 청구를 조회하며 조회 중 오류가 나면 다시 시도한다.", False),
        ("하나의 청구만 조회한다.", False),
        ("Neither of them is kept. Everyone offers it.", False),
        (12, False),
    ],
)
def test_only_a_condition_between_arguments_asks_for_an_example(limits: Any, told: bool) -> None:
    found = facts(definition(at={"/description/io_limits": limits}), imported={TOOL: imported(examples={})})
    assert bool(said(TK405, found)) is told


@pytest.mark.req("rule/TK405")
def test_a_tool_without_a_definition_or_with_an_odd_one_has_nothing_to_prove() -> None:
    assert said(TK405, facts(definitions=())) == []
    assert said(TK405, facts(definition(description="text"), imported={TOOL: imported(examples={})})) == []


@pytest.mark.req("rule/TK404", "rule/TK405")
def test_a_tool_whose_input_resource_cannot_be_used_is_left_to_the_rule_about_that() -> None:
    named = declared(input_schema_resource="tool_schemas/cmm/none-input-schema.json")
    fields = tuple(field(f"/f{number}", model=MODEL) for number in range(13))
    found = facts(named, imported={TOOL: imported(inputs=fields, examples={"invalid/0": None})})
    assert said(TK404, found) == said(TK405, found) == []


@pytest.mark.req("rule/TK406")
@pytest.mark.parametrize(
    ("changes", "english", "korean"),
    [
        (
            {"required": True, "nullable": True},
            (
                "The argument /contractNo of ClaimSearchRequest is required and may be null. Make it optional: "
                "`contract_no: Annotated[… | None, Desc(…)] = None`, or remove `| None`."
            ),
            (
                "ClaimSearchRequest의 /contractNo 인자는 필수인데 null일 수 있습니다. 선택 인자로 "
                "바꾸거나(`contract_no: Annotated[… | None, Desc(…)] = None`) `| None`을 지우십시오."
            ),
        ),
        (
            {"required": False, "nullable": True},
            (
                "The argument /contractNo of ClaimSearchRequest may be null, and its default is something else. "
                "Write `= None` and decide in the converter what null means, or remove `| None`."
            ),
            (
                "ClaimSearchRequest의 /contractNo 인자는 null일 수 있는데 기본값이 null이 아닙니다. `= None`으로 "
                "쓰고 null의 처리는 converter에서 정하거나, `| None`을 지우십시오."
            ),
        ),
        (
            {"required": False, "default_null": True},
            (
                "The argument /contractNo of ClaimSearchRequest is null by default, and its type refuses null. Write "
                "`contract_no: Annotated[… | None, Desc(…)] = None`."
            ),
            (
                "ClaimSearchRequest의 /contractNo 인자의 기본값이 null인데 타입은 null을 거절합니다. `contract_no: "
                "Annotated[… | None, Desc(…)] = None`으로 쓰십시오."
            ),
        ),
    ],
)
def test_null_that_means_two_things_is_pointed_out(changes: Any, english: str, korean: str) -> None:
    argument = field("/contractNo", model=MODEL, place=Place(DTO, 8, 5), **changes)
    found = facts(imported={TOOL: imported(inputs=(argument,))})
    expect(TK406, found, f"{DTO}:8:5: warning: {english}", f"{DTO}:8:5: warning: {korean}")


@pytest.mark.req("rule/TK406")
@pytest.mark.parametrize(
    "changes",
    [
        {"required": True},
        {"required": False, "nullable": True, "default_null": True},
        {"required": False, "shape": Shape.NUMBER},  # a default of its own, as `= 20`
    ],
)
def test_null_that_means_one_thing_is_fine(changes: Any) -> None:
    found = facts(imported={TOOL: imported(inputs=(field("/contractNo", model=MODEL, **changes),))})
    assert said(TK406, found) == []


def test_a_field_that_two_tools_share_is_told_once_and_for_the_one_that_is_released() -> None:
    shared = field("/contractNo", model=MODEL, nullable=True)
    tools = {name: imported(name, inputs=(shared,)) for name in (TOOL, "cmm_a_draft")}
    assert len(said(TK406, facts(imported=tools))) == 1
    assert YAML.endswith(f"{TOOL}.yml")


@pytest.mark.req("rule/TK405")
def test_a_request_model_that_fails_instead_of_refusing_is_pointed_out() -> None:
    broken = definition(examples={"invalid": [{}]})
    place = broken.place("/examples/invalid/0")
    expect(
        TK405,
        facts(broken, imported={TOOL: imported(examples={"invalid/0": f"{FAILED}KeyError at {DTO}:9"})}),
        f"{place}: warning: The request model fails at `examples.invalid[0]` with KeyError at {DTO}:9, so that the "
        "call is a 500. Raise `ValueError` there if the arguments are wrong, with words that say what is needed; else "
        "correct that line.",
        f"{place}: warning: `examples.invalid[0]` 예에서 요청 모델이 {DTO}:9 위치의 KeyError 예외로 실패하여, 호출에 "
        "500으로 응답합니다. 인자가 잘못된 경우라면 무엇이 필요한지 적은 `ValueError`를 내고, 아니면 그 줄을 "
        "고치십시오.",
    )
