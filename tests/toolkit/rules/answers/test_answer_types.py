"""What an answer is made of, and samples that become one: TK503, TK517, TK518."""

from dataclasses import replace
from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Import, Layer, Located, Place, Shape
from axhub.toolkit.rules.answers.answer_types import TK503, TK517, TK518
from support.telling import expect, said
from support.toolkit_facts import (
    CLIENT,
    CONFIG,
    DTO,
    FOLDER,
    PACKAGE,
    TOOL,
    USECASE,
    YAML,
    declared,
    definition,
    facts,
    field,
    function,
    imported,
    module,
    modules,
)

SAMPLE = f"{FOLDER}/samples/{TOOL}/http-insurance.json"
RULES = (TK503, TK517, TK518)
ITEMS = {"shape": Shape.LIST, "description": "청구 전체 목록. 접수일 내림차순", "place": Place(DTO, 15, 5)}


def _with(**changes: Any) -> Facts:
    return facts(imported={TOOL: imported(**changes)})


@pytest.mark.req("rule/TK517")
def test_an_answer_that_is_no_model_is_told_at_the_annotation() -> None:
    usecase = f"{PACKAGE}.biz.cmm.usecase.ClaimUseCase.search_claim"
    returning = function(usecase, line=18, returns=Located("dict[str, Any]", Place(USECASE, 18, 70)))
    found = facts(
        imported={TOOL: imported(response="dict[str, Any]", response_is_model=False, outputs=())},
        modules=(module(USECASE, functions=(returning,)),),
    )
    expect(
        TK517,
        found,
        f"{USECASE}:18:70: error: The tool answers with dict[str, Any], which is no model. Declare `class "
        "…Response(Output)` with a described field for each value, and return it.",
        f"{USECASE}:18:70: error: 도구의 응답이 모델이 아니라 dict[str, Any] 타입입니다. `class …Response(Output)`에 "
        "값마다 설명이 있는 필드를 선언하고 그 모델을 반환하십시오.",
    )


@pytest.mark.req("rule/TK517")
@pytest.mark.parametrize(
    ("leak", "english", "korean"),
    [
        (
            "/items: ClaimBody",
            (
                "The answer holds ClaimBody at /items, which is a type of the legacy system. Declare a model `class "
                "Item(Output)` with the values that are needed, and map them in the converter."
            ),
            (
                "응답의 /items에 레거시 시스템의 ClaimBody 타입이 있습니다. 필요한 값만 있는 모델 `class "
                "Item(Output)`을 선언하고 converter에서 옮기십시오."
            ),
        ),
        (
            "/items/*: my_tools.infra.mci.cfpa.io.CLCNNB00001_O",
            (
                "The answer holds my_tools.infra.mci.cfpa.io.CLCNNB00001_O at /items/*, which is a type of the "
                "legacy system. Declare a model `class Item(Output)` with the values that are needed, and map them "
                "in the converter."
            ),
            (
                "응답의 /items/*에 레거시 시스템의 my_tools.infra.mci.cfpa.io.CLCNNB00001_O 타입이 있습니다. 필요한 "
                "값만 있는 모델 `class Item(Output)`을 선언하고 converter에서 옮기십시오."
            ),
        ),
    ],
)
def test_a_legacy_type_in_an_answer_is_told_at_the_field(leak: str, english: str, korean: str) -> None:
    found = _with(outputs=(field("/items", item=Shape.OBJECT, **ITEMS),), leaks=(leak,))
    expect(TK517, found, f"{DTO}:15:5: error: {english}", f"{DTO}:15:5: error: {korean}")
    assert said(TK518, found) == []


@pytest.mark.req("rule/TK517")
def test_an_open_type_in_an_answer_is_told_at_the_field() -> None:
    detail = field("/claimDetail", shape=Shape.OPEN, place=Place(DTO, 16, 5))
    expect(
        TK517,
        _with(outputs=(detail,), leaks=("/claimDetail: dict[str, Any]",)),
        f"{DTO}:16:5: error: The answer holds dict[str, Any] at /claimDetail, in which anything may stand. Declare a "
        "model `class ClaimDetail(Output)` with a described field for each value, and use it there.",
        f"{DTO}:16:5: error: 응답의 /claimDetail에 무엇이든 들어갈 수 있는 dict[str, Any] 타입이 있습니다. 값마다 "
        "설명이 있는 모델 `class ClaimDetail(Output)`을 선언해 그 자리에 쓰십시오.",
    )


@pytest.mark.req("rule/TK517")
def test_a_legacy_type_that_is_the_whole_answer_is_told_at_the_tool() -> None:
    expect(
        TK517,
        _with(response="my_tools.io.ClaimBody", outputs=(), leaks=("/: ClaimBody",)),
        f"{USECASE}:10:6: error: The tool answers with ClaimBody, which is a type of the legacy system. Declare "
        "`class …Response(Output)` with the values that are needed, and map them in the converter.",
        f"{USECASE}:10:6: error: 도구의 응답이 레거시 시스템의 ClaimBody 타입입니다. 필요한 값만 있는 `class "
        "…Response(Output)`을 선언하고 converter에서 옮기십시오.",
    )


@pytest.mark.req("rule/TK517")
def test_a_leak_that_tools_share_is_told_once() -> None:
    shared = imported(outputs=(field("/items", item=Shape.OBJECT, **ITEMS),), leaks=("/items: ClaimBody",))
    assert len(said(TK517, facts(imported={TOOL: shared, "cmm_claim_list": shared}))) == 1


@pytest.mark.req("rule/TK518")
@pytest.mark.parametrize("leak", ["/claimItems: dict[str, str]", "/claimItems/*: dict[str, str]"])
def test_items_without_a_model_are_told_with_the_name_to_give_them(leak: str) -> None:
    found = _with(outputs=(field("/claimItems", item=Shape.OPEN, **ITEMS),), leaks=(leak,))
    pointer = leak.partition(":")[0]
    expect(
        TK518,
        found,
        f"{DTO}:15:5: error: The items of the list {pointer} of ClaimSearchResponse are dict[str, str], not a model. "
        "Declare `class ClaimItem(Output)` with a described field for each value, and write `list[ClaimItem]`.",
        f"{DTO}:15:5: error: ClaimSearchResponse의 {pointer} 배열의 요소가 모델이 아니라 dict[str, str] 타입입니다. "
        "값마다 설명이 있는 `class ClaimItem(Output)`을 선언하고 `list[ClaimItem]`으로 쓰십시오.",
    )
    assert said(TK517, found) == []


@pytest.mark.req("rule/TK518")
def test_lists_of_models_and_of_plain_values_are_fine() -> None:
    fields = (field("/items", item=Shape.OBJECT, **ITEMS), field("/tags", item=Shape.TEXT, **ITEMS))
    assert [said(rule, _with(outputs=fields)) for rule in RULES] == [[], [], []]


# --- TK503 -----------------------------------------------------------------------------------------------------------


@pytest.mark.req("rule/TK503")
def test_a_tool_with_a_client_needs_a_sample() -> None:
    expect(
        TK503,
        facts(samples={}),
        f"{USECASE}:10:6: error: The tool cmm_claim_search calls a legacy system, and there is no sample of its "
        f"answer. Put an anonymised answer into {SAMPLE}.",
        f"{USECASE}:10:6: error: cmm_claim_search 도구는 레거시 시스템을 호출하는데 응답 샘플이 없습니다. 익명화한 "
        f"응답을 {SAMPLE}에 두십시오.",
    )


@pytest.mark.req("rule/TK503")
def test_a_module_function_with_a_client_needs_a_sample_too() -> None:
    name = f"{PACKAGE}.biz.cmm.usecase.claim_search"
    client = f"{PACKAGE}.infra.http.insurance.client.InsuranceClient"
    own = module(USECASE, functions=(function(name, {"client": f"{client} | None"}),))
    others = tuple(found for found in modules() if found.layer is not Layer.USECASE)
    found = facts(declared(function=name), modules=(own, *others), samples={})
    assert len(said(TK503, found)) == 1


@pytest.mark.req("rule/TK503")
def test_a_tool_without_a_client_needs_none() -> None:
    name = f"{PACKAGE}.biz.cmm.usecase.claim_search"
    own = module(USECASE, functions=(function(name, {"request": f"{PACKAGE}.biz.cmm.dto.ClaimSearchRequest"}),))
    others = tuple(found for found in modules() if found.layer is not Layer.USECASE)
    assert said(TK503, facts(declared(function=name), modules=(own, *others), samples={})) == []
    assert any(found.path == CLIENT for found in others)


@pytest.mark.req("rule/TK503")
def test_a_sample_that_is_no_json_is_told_where_it_ends_to_be() -> None:
    expect(
        TK503,
        facts(sample_texts={SAMPLE: '{\n  "clmNo": }'}),
        f"{SAMPLE}:2:12: error: The sample {SAMPLE} is not valid JSON: a value is needed here. Correct this line or "
        "the one before it.",
        f"{SAMPLE}:2:12: error: {SAMPLE} 샘플이 올바른 JSON이 아닙니다: 여기에 값이 있어야 합니다. 이 줄이나 바로 "
        f"앞 줄을 "
        "고치십시오.",
    )
    assert len(said(TK503, facts(sample_texts={SAMPLE: "[" * 100_000}))) == 1
    assert said(TK503, facts(sample_texts={SAMPLE: '{"clmNo": "1"}'})) == []


@pytest.mark.req("rule/TK503")
def test_a_sample_that_does_not_become_an_answer_is_told_with_the_reason() -> None:
    expect(
        TK503,
        _with(sample_runs={SAMPLE: "converter: unknown state '99'."}),
        f"{SAMPLE}:1:1: error: The sample {SAMPLE} does not become an answer: converter: unknown state '99'. Correct "
        "the converter, or the sample if the legacy system never answers so.",
        f"{SAMPLE}:1:1: error: {SAMPLE} 샘플이 응답으로 변환되지 않습니다: converter: unknown state '99'. converter를 "
        "고치거나, 레거시 시스템이 이렇게 응답하지 않으면 샘플을 고치십시오.",
    )
    assert said(TK503, _with(sample_runs={SAMPLE: None})) == []


@pytest.mark.req("rule/TK503")
def test_the_kinds_of_validators_are_told_in_words() -> None:
    expect(
        TK503,
        _with(sample_runs={SAMPLE: "the answer is no ClaimBody: /amount float_parsing, /no missing"}),
        f"{SAMPLE}:1:1: error: The sample {SAMPLE} does not become an answer: ClaimBody cannot be made of it (/amount: "
        "a number is needed, and there is a text; /no: it is missing). Correct the sample if the legacy system never "
        "answers so, else the fields of ClaimBody.",
        f"{SAMPLE}:1:1: error: {SAMPLE} 샘플이 응답으로 변환되지 않습니다: ClaimBody 모델로 읽을 수 없음(/amount: "
        "숫자가 필요한데 문자열이 있음; /no: 값이 없음). 레거시 시스템이 이렇게 응답하지 않으면 샘플을, 이렇게 "
        "응답하면 ClaimBody 클래스의 필드를 고치십시오.",
    )


@pytest.mark.req("rule/TK503")
def test_samples_that_could_not_be_tried_are_told_where_the_example_is_missing() -> None:
    found = _with(lacks_example=True)
    expect(
        TK503,
        found,
        f"{YAML}:1:1: warning: The samples of cmm_claim_search were not tried: nothing says what a call of it looks "
        "like. Add arguments that it accepts to the definition: `examples: {valid: [{…}]}`.",
        f"{YAML}:1:1: warning: cmm_claim_search 도구의 호출 예시가 없어 샘플을 변환해 보지 못했습니다. 받아들이는 "
        "인자를 정의 파일에 추가하십시오: `examples: {valid: [{…}]}`.",
    )


@pytest.mark.req("rule/TK503")
def test_a_tool_that_reaches_out_while_it_is_tried_is_told_where_it_does() -> None:
    place = Place(USECASE, 12)
    expect(
        TK503,
        _with(reaches=Located("file", place)),
        f"{USECASE}:12: warning: The samples of cmm_claim_search were not tried: the tool wanted to write a file while "
        "it was tried, which a check refuses. Call other systems through the `HttpClient` or `MciClient`, and take "
        "what else reaches out as a parameter that app.py provides; if the tool writes, say `read_only: false`.",
        f"{USECASE}:12: warning: cmm_claim_search 도구가 시험 실행 중에 파일을 쓰려고 했으므로 막았고, 샘플을 변환해 "
        "보지 못했습니다. 다른 시스템은 `HttpClient`나 `MciClient`로 호출하고, 그 밖에 외부에 닿는 것은 "
        "app.py가 provide하는 매개변수로 받으십시오. 쓰기 도구라면 `read_only: false`로 적으십시오.",
    )
    assert len(said(TK503, _with(reaches=Located("process", place)))) == 1


@pytest.mark.req("rule/TK503")
def test_a_way_beside_the_client_is_told_once() -> None:
    reaches = Located("socket", Place(USECASE, 12))
    assert len(said(TK503, _with(reaches=reaches))) == 1
    other = module(USECASE, imports=(Import("httpx", "", Place(USECASE, 1)),))
    found = facts(modules=(*modules(), other), imported={TOOL: imported(reaches=reaches)})
    assert said(TK503, found) == []


OTHER_FAULTS = {
    "no definition": (definition("cmm_claim_find"),),
    "another name in the definition": (definition("cmm_claim_find", stem=TOOL),),
    "a definition that cannot be read": (definition(problem="broken"),),
    "a misspelt key": (definition(example={"valid": [{}]}),),
    "examples that are no group": (definition(examples=[1]),),
    "valid examples that are no list": (definition(examples={"valid": 1}),),
    "another category": (declared(category_key="ins"),),
}


@pytest.mark.req("rule/TK503")
@pytest.mark.parametrize("parts", OTHER_FAULTS.values(), ids=OTHER_FAULTS)
def test_what_another_rule_says_is_not_said_again(parts: tuple[Any, ...]) -> None:
    assert said(TK503, facts(*parts, imported={TOOL: imported(lacks_example=True)})) == []


@pytest.mark.req("rule/TK503")
@pytest.mark.parametrize("parts", [(definition("cmm_claim_find"),), (definition("cmm_claim_find", stem=TOOL),)])
def test_a_tool_whose_definition_has_another_name_is_not_asked_for_samples(parts: tuple[Any, ...]) -> None:
    runs = imported(sample_runs={SAMPLE: "no"})
    assert said(TK503, facts(*parts, samples={}, imported={TOOL: runs})) == []


@pytest.mark.req("rule/TK503")
def test_samples_of_a_tool_that_must_be_renamed_are_asked_for_unless_they_stand_under_its_other_name() -> None:
    name = "cus_claim_search"
    parts = (declared(name), definition(name))
    given = {"imported": {name: imported(name)}}
    assert len(said(TK503, facts(*parts, samples={}, **given))) == 1
    assert said(TK503, facts(*parts, samples={"cmm_claim_search": (SAMPLE,)}, **given)) == []


def test_a_tool_that_is_imported_but_not_declared_in_the_source_ends_no_rule() -> None:
    tool = imported("cmm_other", leaks=("/x: Any",), response_is_model=False)
    assert [len(said(rule, facts(imported={"cmm_other": tool}))) for rule in RULES] == [0, 1, 0]


@pytest.mark.req("rule/TK503")
@pytest.mark.parametrize("name", ["claim.json", "http_claim.json", "http-claim.hex", "mci.json"])
def test_a_sample_that_is_called_like_none_is_told(name: str) -> None:
    path = f"{SAMPLE.rpartition('/')[0]}/{name}"
    expect(
        TK503,
        facts(samples={TOOL: (path, SAMPLE)}),
        f"{path}:1:1: error: Nothing reads {path}: it is called like no sample. Rename it to `http-{{api}}.json` with "
        "the name of the API, or to `mci-{INTERFACE}.json` or `.hex`.",
        f"{path}:1:1: error: {path} 파일을 읽는 곳이 없습니다. 샘플 이름이 아닙니다. API 이름을 넣은 "
        "`http-{api}.json`, 또는 `mci-{INTERFACE}.json`이나 `.hex`로 이름을 바꾸십시오.",
    )


@pytest.mark.req("rule/TK503", "toolkit/H1")
def test_a_request_that_cannot_be_sent_as_the_configuration_says_is_told_once_and_there() -> None:
    why = 'the request to the API "insurance" cannot be sent: the API\'s url has {no}, and the request has no usable no'
    second = SAMPLE.replace(".json", "-2.json")
    expect(
        TK503,
        replace(_with(sample_runs={SAMPLE: why, second: why}), samples={TOOL: (SAMPLE, second)}),
        f"{CONFIG}:12:17: error: What cmm_claim_search asks the API insurance cannot be sent as this entry says: the "
        "url has {no}, and the request has no usable member no. Correct `url` or `method` here, or what the converter "
        "puts into the request.",
        f"{CONFIG}:12:17: error: cmm_claim_search 도구의 요청을 이 설정대로 API insurance에 보낼 수 없습니다: url에 "
        "{no}이(가) 있는데 요청에 쓸 수 있는 no 값이 없음. 여기의 `url`이나 `method` 값, 또는 converter가 만드는 "
        "요청을 고치십시오.",
    )
