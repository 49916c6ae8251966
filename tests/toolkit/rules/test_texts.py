"""Texts and versions of definitions."""

import pytest

from axhub.toolkit.rules import texts
from axhub.toolkit.rules.definitions import DESCRIPTION_PARTS
from support.telling import Case, Told, told
from support.toolkit_facts import VALUES, declared, definition, facts

RULES = {rule.id: rule for rule in texts.RULES}


@pytest.mark.req("rule/TK303")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "an empty part",
            facts(definition(at={"/description/when_to_use": ""})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:7:16 error",
                    'description.when_to_use is empty. Write a text for it: `when_to_use: "…"`.',
                    'description.when_to_use 값이 비어 있습니다. 내용을 쓰십시오: `when_to_use: "…"`.',
                ),
            ),
        ),
        Case(
            "null",
            facts(definition(display_name=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:15 error",
                    'display_name is empty. Write a text for it: `display_name: "…"`.',
                    'display_name 값이 비어 있습니다. 내용을 쓰십시오: `display_name: "…"`.',
                ),
            ),
        ),
        Case(
            "full-width blanks",
            facts(definition(display_description="\u3000\u3000")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:10:22 error",
                    'display_description is empty. Write a text for it: `display_description: "…"`.',
                    'display_description 값이 비어 있습니다. 내용을 쓰십시오: `display_description: "…"`.',
                ),
            ),
        ),
        Case(
            "a number",
            facts(definition(display_name=2024)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:15 error",
                    'display_name has to be a text, and here stands the number 2024. Write `display_name: "2024"`.',
                    'display_name 값은 문자열이어야 합니다. 지금 값: 숫자 2024. `display_name: "2024"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a category that is true",
            facts(definition(category_key=True)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:4:15 error",
                    'category_key has to be a text, and here stands true. Write `category_key: "true"`.',
                    'category_key 값은 문자열이어야 합니다. 지금 값: true. `category_key: "true"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a list",
            facts(definition(at={"/description/function": ["a"]})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:7:5 error",
                    'description.function has to be a text, and here stands a list. Write `function: "…"`.',
                    'description.function 값은 문자열이어야 합니다. 지금 값: 목록. `function: "…"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a marker",
            facts(definition(at={"/description/io_limits": "TODO: 제한을 적는다"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:9:14 error",
                    'The text of description.io_limits still has "TODO" in it. Write what people and models shall '
                    "read.",
                    'description.io_limits 글에 "TODO" 표시가 남아 있습니다. 사람과 모델이 읽을 실제 내용을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a Korean marker",
            facts(definition(display_description="여기에 설명을 작성해 주세요")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:10:22 error",
                    'The text of display_description still has "작성해 주세요" in it. Write what people and models '
                    "shall read.",
                    'display_description 글에 "작성해 주세요" 표시가 남아 있습니다. 사람과 모델이 읽을 실제 내용을 '
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "a placeholder",
            facts(definition(at={"/description/when_not_to_use": "없음."})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:8:20 error",
                    'The text of description.when_not_to_use is only a placeholder: "없음.". Write what people and '
                    "models shall read.",
                    'description.when_not_to_use 글이 자리표시뿐입니다: "없음.". 사람과 모델이 읽을 실제 내용을 '
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "angle brackets",
            facts(definition(display_name="<표시명>")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:15 error",
                    'The text of display_name is only a placeholder: "<표시명>". Write what people and models shall '
                    "read.",
                    'display_name 글이 자리표시뿐입니다: "<표시명>". 사람과 모델이 읽을 실제 내용을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "dots only",
            facts(definition(display_description="...")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:10:22 error",
                    'The text of display_description is only a placeholder: "...". Write what people and models shall '
                    "read.",
                    'display_description 글이 자리표시뿐입니다: "...". 사람과 모델이 읽을 실제 내용을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a marker in a query and in the decorator",
            facts(declared(title="TODO"), definition(at={"/example_queries/1": "TBD"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:13:5 error",
                    'The text of example_queries[1] still has "TBD" in it. Write what people and models shall read.',
                    'example_queries[1] 글에 "TBD" 표시가 남아 있습니다. 사람과 모델이 읽을 실제 내용을 쓰십시오.',
                ),
                Told(
                    "biz/cmm/usecase.py:12:10 error",
                    'The text of title still has "TODO" in it. Write what people and models shall read.',
                    'title 글에 "TODO" 표시가 남아 있습니다. 사람과 모델이 읽을 실제 내용을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a text instead of parts",
            facts(definition(description="청구 상태를 조회한다.")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:5:14 error",
                    'description has four parts below it, and here stands the text "청구 상태를 조회한다.". Write '
                    "function:, when_to_use:, when_not_to_use: and io_limits: below description:, each indented by two "
                    "blanks.",
                    'description 아래에는 네 부분이 있어야 합니다. 지금 값: 문자열 "청구 상태를 조회한다.". '
                    "description: 아래에 function:, when_to_use:, when_not_to_use:, io_limits: 를 공백 두 칸씩 들여 "
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "no parts",
            facts(definition(description=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:5:14 error",
                    "description has four parts below it, and here stands nothing. Write function:, when_to_use:, "
                    "when_not_to_use: and io_limits: below description:, each indented by two blanks.",
                    "description 아래에는 네 부분이 있어야 합니다. 지금 값: 빈 값. description: 아래에 function:, "
                    "when_to_use:, when_not_to_use:, io_limits: 를 공백 두 칸씩 들여 쓰십시오.",
                ),
            ),
        ),
        Case(
            "too long together",
            facts(definition(at={"/description/function": "가" * 1000})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:6:3 error",
                    "The four parts of the description have 1110 characters together, more than 1024. Shorten them by "
                    "86 or more.",
                    "description 네 부분의 길이는 모두 1110자로 1024자보다 깁니다. 86자 이상 줄이십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_texts_that_say_nothing_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK303"], case.facts) == case.told


@pytest.mark.req("rule/TK303")
@pytest.mark.parametrize(
    "case",
    [
        Case("missing keys", facts(definition(without=["/display_name", "/description/function"]))),
        Case("parts that are not indented", facts(definition(description=None, **VALUES["description"]))),
        Case(
            "a to-do list in small letters and placeholders in brackets",
            facts(definition(at={"/description/io_limits": "todo 목록의 [완료] 항목과 <제목>을 준다."})),
        ),
        Case(
            "exactly as long as it may be",
            facts(definition(description=dict.fromkeys(DESCRIPTION_PARTS, "가" * 255) | {"function": "가" * 256})),
        ),
    ],
    ids=str,
)
def test_tk303_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK303"], case.facts) == ()


@pytest.mark.req("rule/TK304")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a decimal number",
            facts(definition(version=1.1)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    "version is the number 1.1, no text; a zero at its end (1.10) is lost when YAML reads it. Write "
                    'three numbers in quotes: `version: "1.1.0"`, or "1.10.0" if you wrote 1.10.',
                    "version 값이 문자열이 아닙니다: 숫자 1.1. YAML이 읽을 때 끝의 0이 사라집니다(1.10). 세 숫자를 "
                    '따옴표로 묶어 쓰십시오: `version: "1.1.0"`. 1.10 값을 뜻했다면 "1.10.0".',
                ),
            ),
        ),
        Case(
            "an integer",
            facts(definition(version=2)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version is the number 2, no text. Write three numbers in quotes: `version: "2.0.0"`.',
                    'version 값이 문자열이 아닙니다: 숫자 2. 세 숫자를 따옴표로 묶어 쓰십시오: `version: "2.0.0"`.',
                ),
            ),
        ),
        Case(
            "two numbers",
            facts(definition(version="1.0")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version "1.0" is not of the form 1.2.3: three numbers without leading zeros, and nothing else. '
                    'Write `version: "1.0.0"`.',
                    'version "1.0" 값은 1.2.3 형식이 아닙니다. 앞에 0이 붙지 않은 세 숫자만 씁니다. `version: "1.0.0"` '
                    "값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a v",
            facts(definition(version="v1.2.3")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version "v1.2.3" is not of the form 1.2.3: three numbers without leading zeros, and nothing else. '
                    'Write `version: "1.2.3"`.',
                    'version "v1.2.3" 값은 1.2.3 형식이 아닙니다. 앞에 0이 붙지 않은 세 숫자만 씁니다. `version: '
                    '"1.2.3"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a leading zero",
            facts(definition(version="1.02.0")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version "1.02.0" is not of the form 1.2.3: three numbers without leading zeros, and nothing else. '
                    'Write `version: "1.2.0"`.',
                    'version "1.02.0" 값은 1.2.3 형식이 아닙니다. 앞에 0이 붙지 않은 세 숫자만 씁니다. `version: '
                    '"1.2.0"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "full width",
            facts(definition(version="\uff11.\uff10.\uff12")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version "\uff11.\uff10.\uff12" is not of the form 1.2.3: three numbers without leading zeros, and '
                    'nothing else. Write `version: "1.0.2"`.',
                    'version "\uff11.\uff10.\uff12" 값은 1.2.3 형식이 아닙니다. 앞에 0이 붙지 않은 세 숫자만 씁니다. '
                    '`version: "1.0.2"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a line end",
            facts(definition(version="1.0.0\n")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version "1.0.0\\n" is not of the form 1.2.3: three numbers without leading zeros, and nothing '
                    'else. Write `version: "1.0.0"`.',
                    'version "1.0.0\\n" 값은 1.2.3 형식이 아닙니다. 앞에 0이 붙지 않은 세 숫자만 씁니다. `version: '
                    '"1.0.0"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a word",
            facts(definition(version="latest")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version "latest" is not of the form 1.2.3. Write major, minor and patch number with dots, such as '
                    '`version: "1.0.0"`.',
                    'version "latest" 값은 1.2.3 형식이 아닙니다. 주, 부, 수 번호를 점으로 이어 쓰십시오. 예: '
                    '`version: "1.0.0"`.',
                ),
            ),
        ),
        Case(
            "nothing",
            facts(definition(version=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:10 error",
                    'version is empty. Write `version: "1.0.0"`.',
                    'version 값이 비어 있습니다. `version: "1.0.0"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a list",
            facts(definition(version=[1, 0, 0])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:4:3 error",
                    'version is a list, no text. Write three numbers in quotes: `version: "1.0.0"`.',
                    'version 값이 문자열이 아닙니다: 목록. 세 숫자를 따옴표로 묶어 쓰십시오: `version: "1.0.0"`.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_version_that_is_no_text_of_three_numbers_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK304"], case.facts) == case.told


@pytest.mark.req("rule/TK304")
@pytest.mark.parametrize(
    "case",
    [
        Case("a pre-release and a build", facts(definition(version="1.10.0-rc.1+build.5"))),
        Case("a missing key", facts(definition(without=["/version"]))),
    ],
    ids=str,
)
def test_tk304_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK304"], case.facts) == ()
