"""Request model, `parameters_schema` and input resource side by side: TK401."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Kind, Place
from axhub.toolkit.rules.schemas.drift import TK401
from support.drifting import FIELD, FILE, INPUT, LINE, MODEL, PARAMETERS, drift
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


@pytest.mark.parametrize(
    ("changes", "at", "english", "korean"),
    [
        (
            {"properties": {}},
            "/properties",
            f"only the model has it. Write below `properties`: {LINE}.",
            f"모델에만 있습니다. `properties` 아래에 쓰십시오: {LINE}.",
        ),
        (
            {"properties": {"claim_no": {"type": "string", "description": "d"}}, "required": ["claim_no"]},
            "/properties/claim_no",
            "the definition calls it claim_no. Write the name that is sent over the wire, in `required` too: claimNo.",
            "정의 파일에는 claim_no 이름으로 적혀 있습니다. 전송되는 이름으로 고치십시오(`required`도 함께): claimNo.",
        ),
        (
            {"required": []},
            "/required",
            "the model requires it, the definition does not. Add `claimNo` to `required`.",
            "모델에서는 필수이고 정의 파일에서는 필수가 아닙니다. `required`에 `claimNo` 이름을 추가하십시오.",
        ),
        (
            {"properties": {"claimNo": {"type": "integer", "description": "d"}}},
            "/properties/claimNo/type",
            f"the model says string, the definition integer. Write what the model says: {LINE}.",
            f"모델은 string, 정의 파일은 integer입니다. 모델에 맞게 쓰십시오: {LINE}.",
        ),
        (
            {"properties": {"claimNo": {**INPUT_SCHEMA["properties"]["claimNo"], "enum": ["A"]}}},
            "/properties/claimNo/enum",
            (
                'the definition allows only "A", the model anything. Remove `enum` here, or write `Literal["A"]` in '
                "ClaimSearchRequest."
            ),
            (
                '정의 파일의 값은 "A"뿐인데 모델에는 제한이 없습니다. 여기서 `enum`을 지우거나 ClaimSearchRequest에 '
                '`Literal["A"]` '
                "타입을 쓰십시오."
            ),
        ),
        (
            {"properties": {"claimNo": {**INPUT_SCHEMA["properties"]["claimNo"], "maxLength": 3}}},
            "/properties/claimNo/maxLength",
            (
                "the definition says maxLength: 3, which the model does not. Remove it here, or bound the field in "
                "ClaimSearchRequest."
            ),
            (
                "정의 파일의 maxLength: 3 제한이 모델에 없습니다. 여기서 지우거나 ClaimSearchRequest의 필드에 제한을 "
                "추가하십시오."
            ),
        ),
    ],
)
def test_a_difference_of_the_definition_is_a_warning_and_with_a_lock_an_error(
    changes: Any, at: str, english: str, korean: str
) -> None:
    broken = definition(parameters_schema={**INPUT_SCHEMA, **changes})
    name = f"key:{PARAMETERS}{at}"
    place = broken.places[name] if at.endswith("claim_no") else broken.place(f"{PARAMETERS}{at}")
    expect(TK401, facts(broken), *drift("/claimNo", FIELD, english, korean, place))
    expect(TK401, facts(broken, has_lock=True), *drift("/claimNo", FIELD, english, korean, place, "error"))


@pytest.mark.parametrize(
    ("schema", "at", "english", "korean"),
    [
        (
            {"type": "string", "maxLength": 15, "description": "d"},
            "/properties/claimNo",
            'the model allows only "A", "B", the definition anything. Write what the model says: ',
            '모델의 값은 "A", "B"뿐인데 정의 파일에는 `enum`이 없습니다. 모델에 맞게 쓰십시오: ',
        ),
        (
            {"type": "string", "maxLength": 15, "enum": ["A", "C"], "description": "d"},
            "/properties/claimNo/enum",
            'the model allows "A", "B"; the definition allows "A", "C". Write what the model says: ',
            '모델의 값은 "A", "B", 정의 파일의 값은 "A", "C"입니다. 모델에 맞게 쓰십시오: ',
        ),
        (
            {"type": "string", "enum": ["A", "B"], "description": "d"},
            "/properties/claimNo",
            "the model says maxLength: 15, which the definition leaves out. Write what the model says: ",
            "모델의 maxLength: 15 제한이 정의 파일에 없습니다. 모델에 맞게 쓰십시오: ",
        ),
        (
            {"type": "string", "maxLength": 16, "enum": ["A", "B"], "description": "d"},
            "/properties/claimNo/maxLength",
            "the model says maxLength: 15; the definition says maxLength: 16. Write what the model says: ",
            "모델은 maxLength: 15, 정의 파일은 maxLength: 16입니다. 모델에 맞게 쓰십시오: ",
        ),
    ],
)
def test_bounds_and_codes_are_compared_too(schema: Any, at: str, english: str, korean: str) -> None:
    broken = definition(parameters_schema={**MODEL, "properties": {"claimNo": schema}})
    line = 'claimNo: {"type": "string", "maxLength": 15, "enum": ["A", "B"], "description": "d"}.'
    sentences = drift("/claimNo", FIELD, english + line, korean + line, broken.place(f"{PARAMETERS}{at}"))
    expect(TK401, facts(broken, imported={TOOL: imported(model_schema=MODEL, input_schema=MODEL)}), *sentences)


def test_what_only_the_definition_has_and_what_only_it_requires_is_told_at_the_model() -> None:
    more = {**INPUT_SCHEMA["properties"], "memo": {"type": "string", "description": "d"}}
    broken = definition(parameters_schema={**INPUT_SCHEMA, "properties": more})
    expect(
        TK401,
        facts(broken),
        *drift(
            "/memo",
            f"{DTO}:5:1",
            "only the definition has it. Remove `memo` here, or add a field to ClaimSearchRequest.",
            "정의 파일에만 있습니다. 여기서 `memo` 이름을 지우거나 ClaimSearchRequest에 필드를 추가하십시오.",
            broken.places[f"key:{PARAMETERS}/properties/memo"],
        ),
    )
    optional = {**INPUT_SCHEMA, "required": []}
    expect(
        TK401,
        facts(imported={TOOL: imported(model_schema=optional, input_schema=optional)}),
        *drift(
            "/claimNo",
            FIELD,
            "the definition requires it, the model does not. Remove `claimNo` from `required`.",
            "정의 파일에서는 필수이고 모델에서는 필수가 아닙니다. `required`에서 `claimNo` 이름을 지우십시오.",
            definition().place(f"{PARAMETERS}/required"),
        ),
    )


def test_two_names_that_are_not_alike_are_two_differences() -> None:
    broken = definition(
        parameters_schema={
            **INPUT_SCHEMA,
            "properties": {"policy": {"type": "string", "description": "d"}},
            "required": [],
        }
    )
    assert len(said(TK401, facts(broken))) == 2


def test_examples_titles_and_the_order_of_names_are_no_difference() -> None:
    text = {**INPUT_SCHEMA["properties"]["claimNo"], "examples": ["CLM202608100001"], "title": "Claim No"}
    written = {**INPUT_SCHEMA, "properties": {"claimNo": text}, "description": "d"}
    assert said(TK401, facts(definition(parameters_schema=written))) == []


@pytest.mark.parametrize("written", [None, "text", {}, {"type": "array"}])
def test_a_root_that_is_no_object_is_left_to_its_own_rule(written: Any) -> None:
    assert said(TK401, facts(definition(parameters_schema=written))) == []


def _with_resource(schema: Any, **changes: Any) -> Facts:
    tool = imported(model_schema=MODEL, input_schema=schema, input_kind=Kind.RESOURCE, **changes)
    places = {"/properties": Place(FILE, 3, 17), "/properties/claimNo": Place(FILE, 4, 20)}
    return facts(
        declared(input_schema_resource=f"tool_schemas/{INPUT}"),
        definition(parameters_schema=schema),
        imported={TOOL: tool},
        resources=(resource(INPUT, schema, places=places),),
    )


@pytest.mark.parametrize(
    ("changes", "place", "english", "korean"),
    [
        (
            {"properties": {**MODEL["properties"], "memo": {"type": "string"}}},
            "3:17",
            (
                f"/memo|{DTO}:5:1|the model refuses this member. Remove `memo` from the resource, or add a field to "
                "ClaimSearchRequest."
            ),
            "모델은 이 멤버를 거절합니다. 리소스에서 `memo` 이름을 지우거나 ClaimSearchRequest에 필드를 추가하십시오.",
        ),
        (
            {"required": []},
            "1:1",
            (
                f"/claimNo|{FIELD}|the model requires this member. Add `claimNo` to `required` of the resource, or "
                "give the field a default."
            ),
            "모델에서는 필수입니다. 리소스의 `required`에 `claimNo` 이름을 추가하거나 필드에 기본값을 주십시오.",
        ),
        (
            {"properties": {"claimNo": {"type": ["string", "null"]}}},
            "4:20",
            (
                f"/claimNo|{FIELD}|the model takes string, the resource string | null. Narrow the resource's `type` "
                "to the model's, or change the model."
            ),
            "모델은 string, 리소스는 string | null입니다. 리소스의 `type`을 모델에 맞게 좁히거나 모델을 바꾸십시오.",
        ),
        (
            {"properties": {"claimNo": {"type": "string", "enum": ["A", "C"]}}},
            "4:20",
            (
                f'/claimNo|{FIELD}|the model takes "A", "B"; the resource takes "A", "C". Leave only values of the '
                "model in the "
                "resource's `enum`, or change the model."
            ),
            (
                '모델의 값은 "A", "B", 리소스의 값은 "A", "C"입니다. 리소스의 `enum`에 모델의 값만 남기거나 모델을 '
                "바꾸십시오."
            ),
        ),
        (
            {"properties": {"claimNo": {"type": "string", "maxLength": 15}}},
            "4:20",
            (
                f'/claimNo|{FIELD}|the model takes only "A", "B", the resource anything. Write the model\'s values as '
                "`enum` in "
                "the resource."
            ),
            '모델의 값은 "A", "B"뿐인데 리소스에는 `enum`이 없습니다. 리소스의 `enum`에 모델의 값을 쓰십시오.',
        ),
    ],
)
def test_a_resource_that_accepts_more_than_the_model_is_an_error(
    changes: Any, place: str, english: str, korean: str
) -> None:
    pointer, dto, sentence = english.split("|", 2)
    start = f"{FILE}:{place}: error: claim-input-schema.json"
    expect(
        TK401,
        _with_resource({**MODEL, **changes}),
        f"{start} accepts more than ClaimSearchRequest ({dto}) at {pointer}: {sentence}",
        f"{start}의 {pointer} 속성이 ClaimSearchRequest({dto})보다 넓습니다. {korean}",
    )


@pytest.mark.parametrize(
    ("bound", "english", "korean"),
    [
        (
            {"maxLength": 20},
            (
                "the model says maxLength: 15; the resource says maxLength: 20. Write maxLength: 15 in the resource, "
                "or a narrower bound."
            ),
            "모델은 maxLength: 15, 리소스는 maxLength: 20입니다. 리소스에 maxLength: 15 또는 더 좁은 한계를 쓰십시오.",
        ),
        (
            {},
            (
                "the model says maxLength: 15, the resource sets no such bound. Write maxLength: 15 in the resource, "
                "or a narrower bound."
            ),
            "모델의 maxLength: 15 제한이 리소스에 없습니다. 리소스에 maxLength: 15 또는 더 좁은 한계를 쓰십시오.",
        ),
    ],
)
def test_a_resource_with_a_wider_bound_is_an_error(bound: Any, english: str, korean: str) -> None:
    model = {**MODEL, "properties": {"claimNo": {"type": "string", "maxLength": 15}}}
    schema = {**MODEL, "properties": {"claimNo": {"type": "string", **bound}}}
    tool = imported(model_schema=model, input_schema=schema, input_kind=Kind.RESOURCE)
    named = declared(input_schema_resource=f"tool_schemas/{INPUT}")
    found = facts(
        named, definition(parameters_schema=schema), imported={TOOL: tool}, resources=(resource(INPUT, schema),)
    )
    start = f"{FILE}:1:1: error: claim-input-schema.json"
    expect(
        TK401,
        found,
        f"{start} accepts more than ClaimSearchRequest ({FIELD}) at /claimNo: {english}",
        f"{start}의 /claimNo 속성이 ClaimSearchRequest({FIELD})보다 넓습니다. {korean}",
    )


def test_a_narrower_resource_is_fine_and_the_definition_may_repeat_it() -> None:
    assert said(TK401, _with_resource({**MODEL, "properties": {"claimNo": {"type": "string", "enum": ["A"]}}})) == []


def test_with_a_resource_the_definition_may_repeat_the_model_instead() -> None:
    narrow = {**MODEL, "properties": {"claimNo": {"type": "string", "enum": ["A"]}}}
    found = facts(
        declared(input_schema_resource=f"tool_schemas/{INPUT}"),
        definition(parameters_schema=MODEL),
        imported={TOOL: imported(model_schema=MODEL, input_schema=narrow, input_kind=Kind.RESOURCE)},
        resources=(resource(INPUT, narrow),),
    )
    assert said(TK401, found) == []


def test_a_field_inside_a_list_is_named_with_its_own_line() -> None:
    row = {"type": "object", "properties": {"no": {"type": "string"}}, "additionalProperties": False}
    model = {"type": "object", "properties": {"rows": {"type": "array", "items": row}}, "additionalProperties": False}
    other = {**row, "properties": {"no": {"type": "integer"}}}
    written = {**model, "properties": {"rows": {"type": "array", "items": other}}}
    rows = field("/rows/*/no", place=Place(DTO, 8, 5))
    found = facts(definition(parameters_schema=written), imported={TOOL: imported(model_schema=model, inputs=(rows,))})
    place = found.definitions[0].place(f"{PARAMETERS}/properties/rows/items/properties/no/type")
    expect(
        TK401,
        found,
        *drift(
            "/rows/*/no",
            f"{DTO}:8:5",
            'the model says string, the definition integer. Write what the model says: no: {"type": "string"}.',
            '모델은 string, 정의 파일은 integer입니다. 모델에 맞게 쓰십시오: no: {"type": "string"}.',
            place,
        ),
    )


def test_a_definition_is_not_compared_while_the_resource_that_it_may_repeat_is_missing() -> None:
    named = declared(input_schema_resource="tool_schemas/cmm/none-input-schema.json")
    assert said(TK401, facts(named, definition(parameters_schema=MODEL))) == []


@pytest.mark.parametrize(
    ("changes", "at", "english", "korean"),
    [
        (
            {"required": True},
            "required",
            (
                "`required` stands inside of claimNo in parameters_schema, where it says nothing. Remove it here; "
                "which arguments are needed says the list `required` beside `properties`."
            ),
            (
                "parameters_schema의 claimNo 안에 있는 `required`는 아무 뜻이 없습니다. 여기서 지우십시오. 필수 인자는 "
                "`properties` 옆의 `required` 목록에 적습니다."
            ),
        ),
        (
            {"examples": "A"},
            "examples",
            (
                "parameters_schema is no JSON Schema at /properties/claimNo/examples: 'examples' is not a list. Mend: "
                "write a list."
            ),
            (
                "parameters_schema의 /properties/claimNo/examples 값은 JSON Schema 2020-12에 맞지 않습니다. 이 "
                "키워드에 허용되는 값으로 고치십시오."
            ),
        ),
    ],
)
def test_what_is_no_json_schema_is_told_though_all_that_is_compared_agrees(
    changes: Any, at: str, english: str, korean: str
) -> None:
    claim = {**INPUT_SCHEMA["properties"]["claimNo"], **changes}
    broken = definition(parameters_schema={**INPUT_SCHEMA, "properties": {"claimNo": claim}})
    place = broken.place(f"{PARAMETERS}/properties/claimNo/{at}")
    expect(TK401, facts(broken), f"{place}: warning: {english}", f"{place}: warning: {korean}")
    expect(TK401, facts(broken, has_lock=True), f"{place}: error: {english}", f"{place}: error: {korean}")
