"""Where decorator, definition and folder say the same."""

import pytest

from axhub.toolkit.rules import agreement
from support.telling import Case, Told, told
from support.toolkit_facts import declared, definition, facts, project

RULES = {rule.id: rule for rule in agreement.RULES}


@pytest.mark.req("rule/TK214")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "another category in the decorator",
            facts(declared(category_key="ins")),
            (
                Told(
                    "biz/cmm/usecase.py:15:10 error",
                    'The categories differ: decorator "ins", definition "cmm", folder "cmm". Write '
                    '`category_key="cmm"` here.',
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "ins", 정의 파일 "cmm", 폴더 "cmm". 여기에 '
                    '`category_key="cmm"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "another category in the definition",
            facts(definition(category_key="ins")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:4:15 error",
                    'The categories differ: decorator "cmm", definition "ins", folder "cmm". Write `category_key: cmm` '
                    "here.",
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "cmm", 정의 파일 "ins", 폴더 "cmm". 여기에 '
                    "`category_key: cmm` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "another folder",
            facts(definition(category="ins")),
            (
                Told(
                    "tool_definitions/ins/cmm_claim_search.yml:1:1 error",
                    'The categories differ: decorator "cmm", definition "cmm", folder "ins". Move this file to '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml.",
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "cmm", 정의 파일 "cmm", 폴더 "ins". 이 파일을 '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml 위치로 옮기십시오.",
                ),
            ),
        ),
        Case(
            "capitals in the definition",
            facts(definition(category_key="CMM")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:4:15 error",
                    'The categories differ: decorator "cmm", definition "CMM", folder "cmm". Write `category_key: cmm` '
                    "here.",
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "cmm", 정의 파일 "CMM", 폴더 "cmm". 여기에 '
                    "`category_key: cmm` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "three categories",
            facts(declared(category_key="aaa"), definition(category="ccc", category_key="bbb")),
            (
                Told(
                    "biz/cmm/usecase.py:15:10 error",
                    'The categories differ: decorator "aaa", definition "bbb", folder "ccc". Make them the same '
                    "everywhere.",
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "aaa", 정의 파일 "bbb", 폴더 "ccc". 모든 곳에 같은 '
                    "코드를 쓰십시오.",
                ),
            ),
        ),
        Case(
            "the two that agree are not in the list",
            facts(definition(category="cmx", category_key="cmx")),
            (
                Told(
                    "tool_definitions/cmx/cmm_claim_search.yml:4:15 error",
                    'The categories differ: decorator "cmm", definition "cmx", folder "cmx". Write `category_key: cmm` '
                    "here.",
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "cmm", 정의 파일 "cmx", 폴더 "cmx". 여기에 '
                    "`category_key: cmm` 값을 쓰십시오.",
                ),
                Told(
                    "tool_definitions/cmx/cmm_claim_search.yml:1:1 error",
                    'The categories differ: decorator "cmm", definition "cmx", folder "cmx". Move this file to '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml.",
                    '업무 분류 코드가 서로 다릅니다. 데코레이터 "cmm", 정의 파일 "cmx", 폴더 "cmx". 이 파일을 '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml 위치로 옮기십시오.",
                ),
            ),
        ),
        Case(
            "none in the decorator",
            facts(declared(without=["category_key"])),
            (
                Told(
                    "biz/cmm/usecase.py:10:6 error",
                    'The decorators name no category_key. Add `category_key="cmm"`, the folder of the definition.',
                    '데코레이터에 category_key가 없습니다. 정의 파일의 폴더와 같은 `category_key="cmm"` 인자를 '
                    "더하십시오.",
                ),
            ),
        ),
        Case(
            "none anywhere",
            facts(declared("cmm_other_search", category_key="")),
            (
                Told(
                    "biz/cmm/usecase.py:15:10 error",
                    'The decorators name no category_key. Add `category_key="…"`, which is also the folder of the '
                    "definition.",
                    '데코레이터에 category_key가 없습니다. 정의 파일의 폴더 이름이기도 한 `category_key="…"` 인자를 '
                    "더하십시오.",
                ),
            ),
        ),
        Case(
            "a misspelt category",
            facts(
                declared(category_key="cm"),
                definition(category="cm", category_key="cm"),
                project=project(categories=("cmm", "ins")),
            ),
            (
                Told(
                    "biz/cmm/usecase.py:15:10 error",
                    'The category "cm" is not in the project\'s list: cmm, ins. Did you mean "cmm"? Write it in '
                    "decorator, definition and folder name.",
                    '업무 분류 코드 "cm" 값이 프로젝트 목록에 없습니다: cmm, ins. "cmm" 코드를 뜻했다면 데코레이터, '
                    "정의 파일, 폴더 이름에 모두 그렇게 쓰십시오.",
                ),
            ),
        ),
        Case(
            "an unlisted category",
            facts(declared(category_key="hrm"), definition(category="hrm", category_key="hrm")),
            (
                Told(
                    "biz/cmm/usecase.py:15:10 error",
                    'The category "hrm" is not in the project\'s list: cmm, ins. Use one of these, or add it to '
                    "categories of [tool.axhub] in pyproject.toml.",
                    '업무 분류 코드 "hrm" 값이 프로젝트 목록에 없습니다: cmm, ins. 목록의 코드를 쓰거나 '
                    "pyproject.toml의 [tool.axhub] categories에 더하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_categories_that_differ_or_are_unknown_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK214"], case.facts) == case.told


@pytest.mark.req("rule/TK214")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "no list of categories",
            facts(
                declared(category_key="x"), definition(category="x", category_key="x"), project=project(categories=None)
            ),
        ),
        Case("a computed category", facts(declared(computed=["category_key"]))),
        Case("a category that is no text", facts(definition(category_key=12))),
        Case("a definition without a category", facts(definition(without=["/category_key"]))),
    ],
    ids=str,
)
def test_tk214_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK214"], case.facts) == ()


@pytest.mark.req("rule/TK215")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "another interface",
            facts(definition(legacy_interface_id="CLCNNB00002")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:30:22 warning",
                    'legacy_interface_id is "CLCNNB00002", and the decorator says `mapping_id="CLCNNB00001"`. Write '
                    "`legacy_interface_id: CLCNNB00001`, or correct mapping_id.",
                    'legacy_interface_id 값은 "CLCNNB00002"인데 데코레이터의 값은 `mapping_id="CLCNNB00001"`입니다. '
                    "`legacy_interface_id: CLCNNB00001` 값을 쓰거나 mapping_id를 고치십시오.",
                ),
            ),
        ),
        Case(
            "none in the definition",
            facts(definition(legacy_interface_id=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:30:22 warning",
                    'legacy_interface_id is empty, and the decorator says `mapping_id="CLCNNB00001"`. Write '
                    "`legacy_interface_id: CLCNNB00001`.",
                    'legacy_interface_id 값이 비어 있는데 데코레이터의 값은 `mapping_id="CLCNNB00001"`입니다. '
                    "`legacy_interface_id: CLCNNB00001` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "none in the decorator",
            facts(declared(mapping_id=None)),
            (
                Told(
                    "biz/cmm/usecase.py:16:10 warning",
                    'The decorators have no mapping_id, and the definition says legacy_interface_id "CLCNNB00001". Add '
                    '`mapping_id="CLCNNB00001"`.',
                    '데코레이터에 mapping_id가 없는데 정의 파일의 legacy_interface_id 값은 "CLCNNB00001"입니다. '
                    '`mapping_id="CLCNNB00001"` 인자를 더하십시오.',
                ),
            ),
        ),
        Case(
            "a number",
            facts(declared(mapping_id="12"), definition(legacy_interface_id=12)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:30:22 error",
                    "legacy_interface_id has to be a text, and here stands the number 12. Write `legacy_interface_id: "
                    '"12"`, or null if there is none.',
                    'legacy_interface_id 값은 문자열이어야 합니다. 지금 값: 숫자 12. `legacy_interface_id: "12"` 값을 '
                    "쓰거나, 없으면 null을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a list",
            facts(definition(legacy_interface_id=["CLCNNB00001"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:31:3 error",
                    'legacy_interface_id has to be a text, and here stands a list. Write `legacy_interface_id: "…"`, '
                    "or null if there is none.",
                    'legacy_interface_id 값은 문자열이어야 합니다. 지금 값: 목록. `legacy_interface_id: "…"` 값을 '
                    "쓰거나, 없으면 null을 쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_interfaces_that_differ_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK215"], case.facts) == case.told


@pytest.mark.req("rule/TK215")
@pytest.mark.parametrize(
    "case",
    [
        Case("neither", facts(declared(mapping_id=None), definition(legacy_interface_id=""))),
        Case("a computed mapping", facts(declared(computed=["mapping_id"]))),
        Case("a definition without the key", facts(definition(without=["/legacy_interface_id"]))),
    ],
    ids=str,
)
def test_tk215_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK215"], case.facts) == ()


@pytest.mark.req("rule/TK217")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "another title",
            facts(definition(display_name="청구 조회")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:15 error",
                    'display_name is "청구 조회", and the decorator says `title="보험금 청구 상태 조회"`. Write '
                    "`display_name: 보험금 청구 상태 조회`, or the same text as title.",
                    'display_name 값은 "청구 조회"인데 데코레이터의 값은 `title="보험금 청구 상태 조회"`입니다. '
                    "`display_name: 보험금 청구 상태 조회` 값을 쓰거나 title을 같은 글로 고치십시오.",
                ),
            ),
        ),
        Case(
            "a decomposed title",
            facts(declared(title="청구"), definition(display_name="\u110e\u1165\u11bc\u1100\u116e")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:15 error",
                    'display_name "\u110e\u1165\u11bc\u1100\u116e" and `title="청구"` look alike and differ in blanks, '
                    "in width, or in how their characters are composed. Copy one of the two over the other, as "
                    "`display_name: 청구`.",
                    'display_name "\u110e\u1165\u11bc\u1100\u116e" 값과 `title="청구"` 값은 비슷해 보이지만 공백, '
                    "전각·반각, 또는 글자 조합 방식(NFC·NFD)이 다릅니다. 한쪽 값을 다른 쪽에 복사해 넣으십시오: "
                    "`display_name: 청구`.",
                ),
            ),
        ),
        Case(
            "a line end",
            facts(definition(display_name="보험금 청구 상태 조회\n")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:15 error",
                    'display_name "보험금 청구 상태 조회\\n" and `title="보험금 청구 상태 조회"` look alike and differ '
                    "in blanks, in width, or in how their characters are composed. Copy one of the two over the other, "
                    "as `display_name: 보험금 청구 상태 조회`.",
                    'display_name "보험금 청구 상태 조회\\n" 값과 `title="보험금 청구 상태 조회"` 값은 비슷해 보이지만 '
                    "공백, 전각·반각, 또는 글자 조합 방식(NFC·NFD)이 다릅니다. 한쪽 값을 다른 쪽에 복사해 넣으십시오: "
                    "`display_name: 보험금 청구 상태 조회`.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_titles_that_differ_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK217"], case.facts) == case.told


@pytest.mark.req("rule/TK217")
@pytest.mark.parametrize(
    "case",
    [
        Case("a number", facts(definition(display_name=12))),
        Case("no title", facts(declared(without=["title"]))),
    ],
    ids=str,
)
def test_tk217_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK217"], case.facts) == ()


@pytest.mark.req("rule/TK214", "rule/TK215", "rule/TK217")
def test_tools_with_the_same_name_are_not_compared_with_the_definition_of_one() -> None:
    found = facts(
        declared(), declared(title="다른 도구", category_key="ins", mapping_id="CLCNNB00002", line=40), definition()
    )
    assert [told(rule, found) for rule in agreement.RULES] == [(), (), ()]
