"""What the decorators say, argument by argument."""

from dataclasses import replace

import pytest

from axhub.toolkit.facts.service import Declared, Unusable
from axhub.toolkit.rules import declarations, functions
from support.telling import Case, Told, told
from support.toolkit_facts import TOOL, declared, facts, place

RULES = {rule.id: rule for rule in (*declarations.RULES, *functions.RULES)}


def at_one_place(found: Declared) -> Declared:
    """Return a declaration whose computed arguments all come from one `**…`."""
    first = next(iter(found.computed.values()))
    return replace(found, computed=dict.fromkeys(found.computed, first))


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a function that is not async",
            facts(declared(is_async=False)),
            (
                Told(
                    "biz/cmm/usecase.py:18:5 error",
                    "The tool ClaimUseCase.search_claim is no async function. Write `async def search_claim(…)`, and "
                    "await what it calls.",
                    "도구 ClaimUseCase.search_claim: async 함수가 아닙니다. `async def search_claim(…)` 형식으로 쓰고 "
                    "호출하는 것을 await 하십시오.",
                ),
            ),
        ),
        Case(
            "a hint alone",
            facts(declared(decorated_by=["tool_hint"], without=["name", "title", "description"])),
            (
                Told(
                    "biz/cmm/usecase.py:10:6 error",
                    "ClaimUseCase.search_claim has @tool_hint and no @tool, so it is no tool. Add @tool(name=…, "
                    "title=…, description=…) beside it, or remove @tool_hint.",
                    "ClaimUseCase.search_claim에 @tool_hint만 있고 @tool이 없어 도구가 아닙니다. @tool(name=…, "
                    "title=…, description=…)을 함께 붙이거나 @tool_hint를 지우십시오.",
                ),
            ),
        ),
        Case(
            "two declarations of one function",
            facts(declared(), declared("cmm_claim_find", line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:40:6 error",
                    "ClaimUseCase.search_claim is declared twice, also at src/my_tools/biz/cmm/usecase.py:10:6. Keep "
                    "one @tool here; a second tool is a function of its own with its own definition.",
                    "ClaimUseCase.search_claim의 선언이 두 번 있습니다. 다른 위치: "
                    "src/my_tools/biz/cmm/usecase.py:10:6. @tool을 하나만 남기십시오. 두 번째 도구는 별도의 함수와 "
                    "정의 파일로 만듭니다.",
                ),
            ),
        ),
        Case(
            "what only the import shows",
            facts(unusable=(Unusable("no-return", place(line=18), {"function": "ClaimUseCase.search_claim"}, TOOL),)),
            (
                Told(
                    "biz/cmm/usecase.py:18:1 error",
                    "ClaimUseCase.search_claim does not say what it returns. Write the response model: -> …Response.",
                    "ClaimUseCase.search_claim에 반환 타입이 없습니다. 응답 모델을 적으십시오: -> …Response.",
                ),
            ),
        ),
        Case(
            "a fault that the import shows again",
            facts(
                declared(is_async=False),
                unusable=(Unusable("not-async", place(line=18), {"function": "f", "method": "f"}, TOOL),),
            ),
            (
                Told(
                    "biz/cmm/usecase.py:18:5 error",
                    "The tool ClaimUseCase.search_claim is no async function. Write `async def search_claim(…)`, and "
                    "await what it calls.",
                    "도구 ClaimUseCase.search_claim: async 함수가 아닙니다. `async def search_claim(…)` 형식으로 쓰고 "
                    "호출하는 것을 await 하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_what_cannot_be_a_tool_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK202"], case.facts) == case.told


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "several tools in one class",
            facts(
                declared(),
                declared("cmm_claim_list", line=40, function="my_tools.biz.cmm.usecase.ClaimUseCase.list_claims"),
            ),
        ),
        Case(
            "what another rule says",
            facts(unusable=(Unusable("no-definition", place(), {"name": TOOL, "path": "x"}, TOOL),)),
        ),
    ],
    ids=str,
)
def test_tk202_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK202"], case.facts) == ()


@pytest.mark.req("rule/TK211")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "no title",
            facts(declared(without=["title"])),
            (
                Told(
                    "biz/cmm/usecase.py:10:6 error",
                    '@tool has no argument title. Add `title="…"`.',
                    '@tool에 title 인자가 없습니다. `title="…"` 인자를 더하십시오.',
                ),
            ),
        ),
        Case(
            "a blank description",
            facts(declared(description=" \u3000\n")),
            (
                Told(
                    "biz/cmm/usecase.py:13:10 error",
                    'The argument description is empty. Write a text for people: `description="…"`.',
                    'description 인자의 값이 비어 있습니다. 사람이 읽을 글을 쓰십시오: `description="…"`.',
                ),
            ),
        ),
        Case(
            "an invisible title",
            facts(declared(title="\u200b\u3164")),
            (
                Told(
                    "biz/cmm/usecase.py:12:10 error",
                    'The argument title is empty. Write a text for people: `title="…"`.',
                    'title 인자의 값이 비어 있습니다. 사람이 읽을 글을 쓰십시오: `title="…"`.',
                ),
            ),
        ),
        Case(
            "a computed name",
            facts(declared(computed=["name"])),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    "The argument name is computed, so it cannot be read without running the code. Write the value "
                    "itself here: a text in quotes, True, False or None; no variable, f-string or call.",
                    "name 인자가 계산식이어서 코드를 실행하지 않고는 읽을 수 없습니다. 값 자체를 여기에 쓰십시오. "
                    "따옴표로 묶은 글, True, False, None만 되며 변수, f-string, 호출은 안 됩니다.",
                ),
            ),
        ),
        Case(
            "unpacked arguments",
            facts(at_one_place(declared(computed=["title", "description", "register"]))),
            (
                Told(
                    "biz/cmm/usecase.py:12:10 error",
                    "Arguments are unpacked here with **, so they cannot be read without running the code. Write each "
                    'argument with its value: `name="…"`, `title="…"`, `description="…"`.',
                    "여기서 **로 푼 인자는 코드를 실행하지 않고는 읽을 수 없습니다. 인자와 값을 하나씩 쓰십시오: "
                    '`name="…"`, `title="…"`, `description="…"`.',
                ),
            ),
        ),
        Case(
            "a number as name",
            facts(declared(12)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The argument name takes a text, and here stands the number 12. Write `name="12"`.',
                    'name 인자의 값은 다음 종류여야 합니다: 문자열. 지금 값: 숫자 12. `name="12"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a text for register",
            facts(declared(register="no")),
            (
                Told(
                    "biz/cmm/usecase.py:14:10 error",
                    'The argument register takes True or False, and here stands the text "no". Write `register=False`.',
                    'register 인자의 값은 다음 종류여야 합니다: True 또는 False. 지금 값: 문자열 "no". '
                    "`register=False` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a word for register that may mean either",
            facts(declared(register="maybe")),
            (
                Told(
                    "biz/cmm/usecase.py:14:10 error",
                    'The argument register takes True or False, and here stands the text "maybe". Write '
                    "`register=True` or `register=False`.",
                    'register 인자의 값은 다음 종류여야 합니다: True 또는 False. 지금 값: 문자열 "maybe". '
                    "`register=True` 또는 `register=False` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a list for category_key",
            facts(declared(category_key=["cmm"])),
            (
                Told(
                    "biz/cmm/usecase.py:15:10 error",
                    'The argument category_key takes a text, and here stands a list. Write `category_key="…"`.',
                    'category_key 인자의 값은 다음 종류여야 합니다: 문자열. 지금 값: 목록. `category_key="…"` 값을 '
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "None as title",
            facts(declared(title=None)),
            (
                Told(
                    "biz/cmm/usecase.py:12:10 error",
                    'The argument title takes a text, and here stands None. Write `title="…"`.',
                    'title 인자의 값은 다음 종류여야 합니다: 문자열. 지금 값: None. `title="…"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "an argument in camel case",
            facts(declared(categoryKey="cmm")),
            (
                Told(
                    "biz/cmm/usecase.py:17:10 error",
                    'There is no argument "categoryKey" of @tool or @tool_hint. Did you mean "category_key"? Write '
                    "category_key=….",
                    '@tool과 @tool_hint에 "categoryKey" 인자가 없습니다. "category_key" 인자를 뜻했다면 category_key=… '
                    "형식으로 쓰십시오.",
                ),
            ),
        ),
        Case(
            "an argument that does not exist",
            facts(declared(owner="me")),
            (
                Told(
                    "biz/cmm/usecase.py:17:10 error",
                    'There is no argument "owner" of @tool or @tool_hint. Remove it; the arguments are: name, title, '
                    "description, category_key, register, mapping_id, input_schema_resource, output_schema_resource, "
                    "requires_employee.",
                    '@tool과 @tool_hint에 "owner" 인자가 없습니다. 그 인자를 지우십시오. 쓸 수 있는 인자: name, title, '
                    "description, category_key, register, mapping_id, input_schema_resource, output_schema_resource, "
                    "requires_employee.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_arguments_that_cannot_be_read_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK211"], case.facts) == case.told


@pytest.mark.req("rule/TK211")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "all arguments",
            facts(declared(input_schema_resource="a", output_schema_resource=None, requires_employee=True)),
        ),
        Case("a hint alone", facts(declared(decorated_by=["tool_hint"], without=["name", "title", "description"]))),
    ],
    ids=str,
)
def test_tk211_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK211"], case.facts) == ()
