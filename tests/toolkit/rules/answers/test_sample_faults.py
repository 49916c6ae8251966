"""What is wrong with a sample, with a mend by the kind of its cause: part of TK503."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Located, Module, Place
from axhub.toolkit.rules.answers.answer_types import TK503
from axhub.toolkit.rules.environment import TK312
from support.telling import expect, said
from support.toolkit_facts import (
    CONVERTER,
    FOLDER,
    TOOL,
    USECASE,
    YAML,
    definition,
    facts,
    imported,
    modules,
    usecase_module,
)

pytestmark = pytest.mark.req("rule/TK503")
SAMPLE = f"{FOLDER}/samples/{TOOL}/http-insurance.json"
AT = f"{CONVERTER}:20"
ENGLISH = f"{SAMPLE}:1:1: error: The sample {SAMPLE} does not become an answer: "
KOREAN = f"{SAMPLE}:1:1: error: {SAMPLE} 샘플이 응답으로 변환되지 않습니다: "
VARIABLE = "CLAIM_MODE"
UNSET = f"the environment variable {VARIABLE} is not set at {AT}"


def _told(answer: str, *parts: Any) -> Facts:
    return facts(*parts, imported={TOOL: imported(sample_runs={SAMPLE: answer})})


LOOKUP = "The mapping there has no entry for a value: add it, or correct the value that is looked up."
NULL = (
    "Let the converter give a value there, or let the field be `… | None` and say in its description what null means."
)
IS_NULL, IS_NULL_KO = "it is null, which the field does not allow", "null인데 필드가 null을 허용하지 않음"
ANY = "Correct the converter, or the sample if the legacy system never answers so."
ANY_KO = "converter를 고치거나, 레거시 시스템이 이렇게 응답하지 않으면 샘플을 고치십시오."
NULL_KO = "converter가 그 자리에 값을 주게 하거나, 필드를 `… | None`으로 하고 null의 의미를 설명에 적으십시오."
LOOKUP_KO = "그 줄의 매핑에 없는 값을 찾았습니다. 항목을 추가하거나 찾는 값을 고치십시오."
CAUSES = {
    "a key of the author's": (
        f'KeyError "PAYED" at {AT}',
        f'there is no entry "PAYED" (KeyError) at {AT}. {LOOKUP}',
        f'"PAYED" 항목이 없음(KeyError)({AT}). {LOOKUP_KO}',
    ),
    "a key of the sample's": (f"KeyError at {AT}", f"KeyError at {AT}. {LOOKUP}", f"KeyError({AT}). {LOOKUP_KO}"),
    "a forgotten await": (
        f"the coroutine Client.call was never awaited at {AT}",
        f"`await` is missing before the call of Client.call at {AT}. Write `await` there.",
        f"Client.call 호출 앞에 `await`가 없음({AT}). 그 호출 앞에 `await`를 쓰십시오.",
    ),
    "a layout": (
        "its members are none of Claim_O: amount: a text has to be here",
        (
            "its members are none of the layout Claim_O (amount: a text is needed). Correct the sample if the legacy "
            "system never answers so, else the fields of Claim_O."
        ),
        (
            "레이아웃 Claim_O의 필드와 맞지 않음(amount: 문자열이 필요함). 레거시 시스템이 이렇게 응답하지 않으면 "
            "샘플을, 이렇게 응답하면 Claim_O 클래스의 필드를 고치십시오."
        ),
    ),
    "a null": (
        f"Found cannot be made: /items/0/why null, /label null at {AT}",
        f"Found cannot be made (/items/0/why: {IS_NULL}; /label: {IS_NULL}) at {AT}. {NULL}",
        f"Found 모델을 만들 수 없음(/items/0/why: {IS_NULL_KO}; /label: {IS_NULL_KO})({AT}). {NULL_KO}",
    ),
    "a null in a model that was made without validation": (
        "what the tool returned is no answer of it: /why: null",
        f"what the tool returns is no answer of it (/why: {IS_NULL}). {NULL}",
        f"도구가 돌려준 값이 응답 스키마에 맞지 않음(/why: {IS_NULL_KO}). {NULL_KO}",
    ),
    "a null beside another fault": (
        f"Found cannot be made: /why null, /label missing at {AT}",
        f"Found cannot be made (/why: {IS_NULL}; /label: it is missing) at {AT}. {ANY}",
        f"Found 모델을 만들 수 없음(/why: {IS_NULL_KO}; /label: 값이 없음)({AT}). {ANY_KO}",
    ),
    "another error": (
        f"ValueError at {AT}",
        f"ValueError at {AT}. Correct the converter, or the sample if the legacy system never answers so.",
        f"ValueError({AT}). converter를 고치거나, 레거시 시스템이 이렇게 응답하지 않으면 샘플을 고치십시오.",
    ),
}


@pytest.mark.parametrize(("answer", "english", "korean"), CAUSES.values(), ids=CAUSES)
def test_the_mend_is_that_of_the_cause(answer: str, english: str, korean: str) -> None:
    expect(TK503, _told(answer), ENGLISH + english, KOREAN + korean)


def _reading() -> tuple[Module, ...]:
    own = usecase_module(environment=(Located(VARIABLE, Place(USECASE, 20, 9)),))
    return tuple(own if one.path == USECASE else one for one in modules())


@pytest.mark.req("rule/TK312")
def test_a_variable_that_is_not_listed_is_told_by_the_rule_about_the_list() -> None:
    service = facts(modules=_reading(), imported={TOOL: imported(sample_runs={SAMPLE: UNSET})})
    assert (said(TK503, service), len(said(TK312, service))) == ([], 1)


def test_a_variable_that_the_list_cannot_be_compared_with_is_named() -> None:
    expect(
        TK503,
        _told(UNSET),
        f"{ENGLISH}while samples are tried, nothing sets the environment variable {VARIABLE} at {AT}. Read it in the "
        f"use case or the client, and list it in `required_env_keys` of {YAML}; what is listed is set while samples "
        "are tried.",
        f"{KOREAN}샘플을 시험할 때 환경 변수 {VARIABLE} 값이 없음({AT}). use case나 클라이언트에서 읽고 {YAML} 파일의 "
        "`required_env_keys` 목록에 추가하십시오. 목록에 있으면 샘플을 시험할 때 값이 설정됩니다.",
    )
    assert said(TK503, _told(UNSET, definition(required_env_keys="x"))) == []
