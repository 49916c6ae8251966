"""Which definitions there are."""

import pytest

from axhub.toolkit.rules import definition_files
from support.telling import Case, Told, told
from support.toolkit_facts import FOLDER, TOOL, declared, definition, facts, located

RULES = {rule.id: rule for rule in definition_files.RULES}


@pytest.mark.req("rule/TK301")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "no definition",
            facts(declared("ins_contract_search", category_key="ins"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool "ins_contract_search" has no definition file. Create '
                    "src/my_tools/tool_definitions/ins/ins_contract_search.yml; `axhub explain TK302` shows what "
                    "stands in it.",
                    '도구 "ins_contract_search"의 정의 파일이 없습니다. '
                    "src/my_tools/tool_definitions/ins/ins_contract_search.yml 파일을 만드십시오. 내용의 예는 `axhub "
                    "explain TK302` 명령으로 볼 수 있습니다.",
                ),
            ),
        ),
        Case(
            "a file that is named almost so",
            facts(definition("cmm_claim_serach")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool "cmm_claim_search" has no definition file, and '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_serach.yml belongs to no tool. If they belong "
                    "together, rename the file to src/my_tools/tool_definitions/cmm/cmm_claim_search.yml and write "
                    "`name: cmm_claim_search` in it, or change the name here.",
                    '도구 "cmm_claim_search"의 정의 파일이 없고, '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_serach.yml 파일에 맞는 도구가 없습니다. 서로 맞는 "
                    "것이라면 파일 이름을 src/my_tools/tool_definitions/cmm/cmm_claim_search.yml로 바꾸고 그 안에 "
                    "`name: cmm_claim_search` 값을 쓰거나, 여기의 이름을 고치십시오.",
                ),
            ),
        ),
        Case(
            "a file with a hyphen that says the name",
            facts(definition(stem="cmm-claim-search")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool "cmm_claim_search" has no definition file, and '
                    "src/my_tools/tool_definitions/cmm/cmm-claim-search.yml belongs to no tool. If they belong "
                    "together, rename the file to src/my_tools/tool_definitions/cmm/cmm_claim_search.yml and write "
                    "`name: cmm_claim_search` in it, or change the name here.",
                    '도구 "cmm_claim_search"의 정의 파일이 없고, '
                    "src/my_tools/tool_definitions/cmm/cmm-claim-search.yml 파일에 맞는 도구가 없습니다. 서로 맞는 "
                    "것이라면 파일 이름을 src/my_tools/tool_definitions/cmm/cmm_claim_search.yml로 바꾸고 그 안에 "
                    "`name: cmm_claim_search` 값을 쓰거나, 여기의 이름을 고치십시오.",
                ),
            ),
        ),
        Case(
            "a definition without a tool",
            facts(definition(), definition("ins_other_lookup", category="ins")),
            (
                Told(
                    "tool_definitions/ins/ins_other_lookup.yml:1:1 error",
                    'No tool is named "ins_other_lookup", as this file is. Declare @tool(name="ins_other_lookup", …), '
                    "rename the file to the name of its tool, or delete it.",
                    '이 파일의 이름과 같은 도구 "ins_other_lookup" 선언이 없습니다. @tool(name="ins_other_lookup", '
                    "…)을 선언하거나, 파일 이름을 도구 이름으로 바꾸거나, 파일을 지우십시오.",
                ),
            ),
        ),
        Case(
            "two definitions",
            facts(definition(), definition(category="ins")),
            (
                Told(
                    "tool_definitions/ins/cmm_claim_search.yml:1:1 error",
                    'The tool "cmm_claim_search" has a second definition here; the first is '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml. Delete one of the two.",
                    '도구 "cmm_claim_search"의 정의 파일이 여기에 또 있습니다. 첫 번째 파일: '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml. 둘 중 하나를 지우십시오.",
                ),
            ),
        ),
        Case(
            "a copied definition that still says the other name",
            facts(declared(), declared("cmm_claim_pay", line=40), definition(), definition(stem="cmm_claim_pay")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_pay.yml:1:7 error",
                    'The definition says `name: "cmm_claim_search"`, and its file is named "cmm_claim_pay". Write '
                    "`name: cmm_claim_pay`.",
                    '정의 파일 안의 name 값은 "cmm_claim_search"인데 파일 이름은 "cmm_claim_pay"입니다. `name: '
                    "cmm_claim_pay` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a definition that ends in .yaml",
            facts(
                declared(),
                definition("ins_x", category="ins", problem="a tab"),
                misspelt_definitions=(f"{FOLDER}/tool_definitions/cmm/{TOOL}.yaml",),
                problems=(located("x"),),
            ),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool "cmm_claim_search" has no definition file; '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yaml ends in .yaml. Rename it to "
                    "cmm_claim_search.yml.",
                    '도구 "cmm_claim_search"의 정의 파일이 없습니다. '
                    "src/my_tools/tool_definitions/cmm/cmm_claim_search.yaml 파일 이름이 .yaml로 끝납니다. 파일 이름을 "
                    "cmm_claim_search.yml(으)로 바꾸십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_tools_and_definitions_without_each_other_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK301"], case.facts) == case.told


@pytest.mark.req("rule/TK301")
@pytest.mark.parametrize(
    "case",
    [
        Case("a file that may belong to a tool with a bad name", facts(declared("cmm.claim_search"))),
        Case("a file that cannot be read", facts(definition(problem="a tab"))),
        Case(
            "a file without a tool that nobody may read",
            facts(definition(), definition("ins_x", category="ins", problem="cannot be read: Permission denied")),
        ),
        Case(
            "a folder that nobody may read",
            facts(declared(), unreadable=(located("no", f"{FOLDER}/tool_definitions"),)),
        ),
        Case(
            "a file whose tool may stand in a source that cannot be read",
            facts(definition(), definition("ins_other_lookup", category="ins"), problems=(located("invalid syntax"),)),
        ),
        Case("a bad name inside", facts(definition("cmm.claim", stem=TOOL))),
    ],
    ids=str,
)
def test_tk301_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK301"], case.facts) == ()
