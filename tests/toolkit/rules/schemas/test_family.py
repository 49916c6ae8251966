"""Written schemas and the models beside them: TK309, TK310, TK311, TK403."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Field, Kind, Place, Shape
from axhub.toolkit.rules.model import Severity
from axhub.toolkit.rules.schemas.family import RULES, TK309, TK310, TK311
from axhub.toolkit.rules.schemas.resources import TK403
from support.telling import breaches, expect, said
from support.toolkit_facts import DTO, FOLDER, TOOL, YAML, declared, definition, facts, field, imported, resource

PARAMETERS = "/parameters_schema"
INPUT = "cmm/claim-input-schema.json"
FILE = f"{FOLDER}/tool_schemas/{INPUT}"
GOOD: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


def test_the_family_has_its_rules_in_order() -> None:
    ids = ["TK309", "TK310", "TK311", "TK401", "TK403", "TK404", "TK405", "TK406", "TK407", "TK408", "TK409"]
    assert [rule.id for rule in RULES] == ids


def test_the_good_service_breaks_none_of_them() -> None:
    assert [said(rule, facts()) for rule in RULES] == [[]] * len(RULES)


@pytest.mark.req("rule/TK309")
@pytest.mark.parametrize(
    ("value", "place", "english", "korean"),
    [
        (
            [1],
            "",
            (
                "parameters_schema is a list, not an object schema. Write a schema that begins with `type: object` "
                "and has `properties`."
            ),
            (
                "parameters_schema 값이 object 스키마가 아니라 목록입니다. `type: object`로 시작하고 `properties`가 "
                "있는 스키마를 쓰십시오."
            ),
        ),
        (
            {"properties": {}},
            "",
            "The root of parameters_schema has no `type`. Add `type: object` at its top.",
            "parameters_schema의 최상위에 `type`이 없습니다. 맨 위에 `type: object`를 추가하십시오.",
        ),
        (
            {"type": ["object", "null"]},
            "/type",
            (
                'The root of parameters_schema has the type ["object", "null"], not object. Write '
                "`type: object`, and put what is there now below `properties` under a name."
            ),
            (
                'parameters_schema의 최상위 타입이 object가 아니라 ["object", "null"]입니다. '
                "`type: object`로 쓰고, 지금 내용은 이름을 붙여 `properties` 아래에 두십시오."
            ),
        ),
    ],
)
def test_a_root_that_is_no_object_is_told(value: Any, place: str, english: str, korean: str) -> None:
    broken = definition(at={PARAMETERS: value})
    where = broken.place(f"{PARAMETERS}{place}")
    expect(TK309, facts(broken), f"{where}: error: {english}", f"{where}: error: {korean}")
    assert said(TK310, facts(broken)) == said(TK311, facts(broken)) == []


@pytest.mark.req("rule/TK309")
def test_a_combinator_at_the_root_of_an_input_resource_is_a_warning() -> None:
    schema = {**GOOD, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    found = facts(resources=(resource(INPUT, schema, places={"/anyOf": Place(FILE, 4, 12)}),))
    expect(
        TK309,
        found,
        f"{FILE}:4:12: warning: The root of claim-input-schema.json has `anyOf`, which several model providers "
        "refuse. Remove it from the root, say the condition in `description.io_limits`, and check it in a validator "
        "of the request model.",
        f"{FILE}:4:12: warning: claim-input-schema.json의 최상위에 있는 `anyOf` 키워드는 여러 모델 제공자가 "
        "거절합니다. 최상위에서 지우고, 조건은 `description.io_limits`에 쓰고, 요청 모델의 validator에서 "
        "검사하십시오.",
    )
    answer = resource("cmm/claim-output-schema.json", schema)
    assert said(TK309, facts(resources=(answer,))) == []


@pytest.mark.req("rule/TK309")
def test_a_resource_whose_root_is_a_list_is_told_with_the_tool_that_names_it() -> None:
    tool = declared(input_schema_resource=f"classpath:tool-schemas/{INPUT}")
    [breach] = breaches(TK309, facts(tool, resources=(resource(INPUT, {"type": "array"}),)))
    assert (breach.place, breach.tool, breach.values["found"]) == (Place(FILE, 1, 1), TOOL, '"array"')


@pytest.mark.req("rule/TK310")
def test_a_field_without_a_description_is_told_at_its_declaration() -> None:
    field_ = field("/items/*/paidAmount", description=" ", place=Place(DTO, 21, 5), python_name="paid_amount")
    found = facts(imported={TOOL: imported(outputs=(field_,))})
    expect(
        TK310,
        found,
        f"{DTO}:21:5: error: The field /items/*/paidAmount of ClaimSearchResponse has no description. Describe it: "
        '`paid_amount: Annotated[…, Desc("what it is")]`.',
        f"{DTO}:21:5: error: ClaimSearchResponse의 /items/*/paidAmount 필드에 설명이 없습니다. 설명을 쓰십시오: "
        '`paid_amount: Annotated[…, Desc("무엇인지")]`.',
    )


@pytest.mark.req("rule/TK310")
def test_fields_of_a_legacy_type_in_an_answer_are_left_to_the_rule_about_that() -> None:
    fields = (field("/items", description="d"), field("/items/*/clmNo", description="", place=Place(DTO, 21, 5)))
    assert len(said(TK310, facts(imported={TOOL: imported(outputs=fields)}))) == 1
    for leak in ("/items/*: ClaimBody", "/items: ClaimBody", "/: ClaimListBody"):
        assert said(TK310, facts(imported={TOOL: imported(outputs=fields, leaks=(leak,))})) == []


@pytest.mark.req("rule/TK310")
def test_a_property_without_a_description_gets_that_of_the_model() -> None:
    broken = definition(without=[f"{PARAMETERS}/properties/claimNo/description"])
    where = broken.places[f"key:{PARAMETERS}/properties/claimNo"]
    expect(
        TK310,
        facts(broken),
        f"{where}: error: The property /properties/claimNo of parameters_schema has no `description`. Add to "
        "`claimNo` what the model says: `description: 조회할 보험금 청구번호`.",
        f"{where}: error: parameters_schema의 /properties/claimNo 속성에 `description`이 없습니다. `claimNo`에 모델의 "
        "설명을 추가하십시오: `description: 조회할 보험금 청구번호`.",
    )


@pytest.mark.req("rule/TK310")
def test_a_property_that_only_a_resource_has_is_told_at_every_depth() -> None:
    rows = {"type": "array", "description": "d", "items": {**GOOD, "properties": {"no": {"type": "string"}}}}
    found = facts(resources=(resource(INPUT, {**GOOD, "properties": {"rows": rows}}),))
    expect(
        TK310,
        found,
        f"{FILE}:1:1: error: The property /properties/rows/items/properties/no of claim-input-schema.json has no "
        "`description`. Add a `description` to `no` that says what it is.",
        f"{FILE}:1:1: error: claim-input-schema.json의 /properties/rows/items/properties/no 속성에 `description`이 "
        "없습니다. `no`에 무엇인지 알려 주는 `description`을 추가하십시오.",
    )


@pytest.mark.req("rule/TK310", "rule/TK311")
@pytest.mark.parametrize(
    "schema",
    [
        {**GOOD, "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string", "description": "d"}}},
        {**GOOD, "properties": {"a": {"$ref": "#/$defs/a", "description": "d"}}, "$defs": {"a": {"type": "string"}}},
        {**GOOD, "properties": {"a": False}},
        {**GOOD, "anyOf": [{"properties": {"a": {"const": 1}}}, {"required": ["a"]}]},
        {**GOOD, "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}},
        {**GOOD, "unevaluatedProperties": False},
        {"type": "object", "unevaluatedProperties": False},
    ],
)
def test_conditions_and_references_need_no_description_of_their_own(schema: Any) -> None:
    found = facts(resources=(resource(INPUT, schema),))
    assert said(TK310, found) == said(TK311, found) == []


@pytest.mark.req("rule/TK311")
def test_an_open_root_and_an_open_object_inside_are_told() -> None:
    inner = {"type": "object", "description": "d", "properties": {}}
    broken = definition(at={f"{PARAMETERS}/properties/period": inner}, without=[f"{PARAMETERS}/additionalProperties"])
    root, below = broken.place(PARAMETERS), broken.place(f"{PARAMETERS}/properties/period")
    assert said(TK311, facts(broken)) == [
        (
            f"{root}: error: The root of parameters_schema does not say `additionalProperties: false`. Add "
            "`additionalProperties: false` beside its `properties`."
        ),
        (
            f"{below}: error: The object /properties/period of parameters_schema does not say `additionalProperties: "
            "false`. Add `additionalProperties: false` beside its `properties`."
        ),
    ]
    assert said(TK311, facts(broken), "ko") == [
        (
            f"{root}: error: parameters_schema의 최상위에 `additionalProperties: false`가 없습니다. `properties` 옆에 "
            "`additionalProperties: false`를 추가하십시오."
        ),
        (
            f"{below}: error: parameters_schema의 /properties/period object에 `additionalProperties: false`가 "
            "없습니다. `properties` 옆에 `additionalProperties: false`를 추가하십시오."
        ),
    ]


@pytest.mark.req("rule/TK311")
def test_a_dict_in_a_request_and_a_model_that_takes_extra_members_are_told_at_the_model() -> None:
    schema = {
        "type": "object",
        "properties": {"labels": {"type": "object", "description": "d", "additionalProperties": {"type": "string"}}},
        "additionalProperties": True,
    }
    labels = Field("/labels", "labels", "my_tools.dto.Search", Place(DTO, 7, 5), Shape.OPEN, description="d")
    found = facts(imported={TOOL: imported(model_schema=schema, inputs=(labels,))})
    assert said(TK311, found) == [
        (
            f"{DTO}:5:1: error: ClaimSearchRequest accepts members that it does not name. Derive it from `Input`, and "
            "remove `extra` from its `model_config`."
        ),
        (
            f"{DTO}:7:5: error: The object /labels of the request accepts members that Search does not name. Derive "
            "the model from `Input` without another `extra`, and give a `dict` a model of its own: `class "
            "Condition(Input): …`."
        ),
    ]
    assert said(TK311, found, "ko") == [
        (
            f"{DTO}:5:1: error: ClaimSearchRequest 모델이 선언하지 않은 멤버도 받아들입니다. `Input`에서 파생하고 "
            "`model_config`의 `extra`를 지우십시오."
        ),
        (
            f"{DTO}:7:5: error: 요청의 /labels object는 Search에 없는 멤버도 받아들입니다. 모델은 `extra`를 바꾸지 "
            "말고 `Input`에서 파생하고, `dict`는 별도 모델로 바꾸십시오: `class Condition(Input): …`."
        ),
    ]


def test_rules_of_this_family_are_errors_that_a_reason_may_allow() -> None:
    kept = [(rule.severity, rule.suppressible) for rule in (TK309, TK310, TK311, TK403)]
    assert kept == [(Severity.ERROR, True)] * 4


def test_odd_facts_break_no_rule() -> None:
    odd = definition(
        at={PARAMETERS: {"type": "object", "properties": [1], "required": 3, "additionalProperties": False}}
    )
    tool = imported(
        input_schema=None, model_schema=7, answer_schema=[], output_schema=None, input_kind=Kind.RESOURCE, request=""
    )
    for rule in RULES:
        said(rule, facts(odd, imported={TOOL: tool}, resources=(resource(INPUT, "text"),)), "ko")
    assert odd.path == YAML
