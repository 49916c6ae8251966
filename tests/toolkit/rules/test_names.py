"""Names that callers cannot use, each with the name to write instead."""

import pytest

from axhub.toolkit.rules import names
from support.telling import Case, Told, told
from support.toolkit_facts import TOOL, declared, definition, facts

RULES = {rule.id: rule for rule in names.RULES}


@pytest.mark.req("rule/TK101")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a full stop",
            facts(declared("cmm.claim"), definition("cmm_claim")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm.claim" has "." at character 4; only a-z, 0-9 and _ may stand in it. Write '
                    '"cmm_claim"; decorator, definition and the definition\'s file name all have the same name.',
                    '도구 이름 "cmm.claim"의 4번째 문자 ".": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. "cmm_claim" 값을 '
                    "쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "a full stop in one that is not the definition's",
            facts(declared("cmm.find"), definition("cmm_claim_search")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm.find" has "." at character 4; only a-z, 0-9 and _ may stand in it. Write '
                    '"cmm_claim_search"; decorator, definition and the definition\'s file name all have the same name.',
                    '도구 이름 "cmm.find"의 4번째 문자 ".": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. "cmm_claim_search" '
                    "값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "a bad name near one of two definitions without a tool",
            facts(declared("ins-claim-find"), definition(), definition("ins_claim_find")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "ins-claim-find" has "-" at character 4; only a-z, 0-9 and _ may stand in it. Write '
                    '"ins_claim_find"; decorator, definition and the definition\'s file name all have the same name.',
                    '도구 이름 "ins-claim-find"의 4번째 문자 "-": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. '
                    '"ins_claim_find" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 '
                    "합니다.",
                ),
            ),
        ),
        Case(
            "capitals",
            facts(declared("cmmClaimFind"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmmClaimFind" has "C" at character 4; only a-z, 0-9 and _ may stand in it. Write '
                    '"cmm_claim_find"; decorator, definition and the definition\'s file name all have the same name.',
                    '도구 이름 "cmmClaimFind"의 4번째 문자 "C": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. '
                    '"cmm_claim_find" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 '
                    "합니다.",
                ),
            ),
        ),
        Case(
            "a hyphen",
            facts(declared("cmm-claim-search"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm-claim-search" has "-" at character 4; only a-z, 0-9 and _ may stand in it. '
                    'Write "cmm_claim_search"; decorator, definition and the definition\'s file name all have the same '
                    "name.",
                    '도구 이름 "cmm-claim-search"의 4번째 문자 "-": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. '
                    '"cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 '
                    "합니다.",
                ),
            ),
        ),
        Case(
            "a blank",
            facts(declared("cmm claim search"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm claim search" has " " (U+0020) at character 4; only a-z, 0-9 and _ may stand '
                    'in it. Write "cmm_claim_search"; decorator, definition and the definition\'s file name all have '
                    "the same name.",
                    '도구 이름 "cmm claim search"의 4번째 문자 " " (U+0020): 이름에는 a-z, 0-9, _만 쓸 수 있습니다. '
                    '"cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 '
                    "합니다.",
                ),
            ),
        ),
        Case(
            "a line end",
            facts(declared("cmm_claim_search\n"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm_claim_search\\n" has "\\n" (U+000A) at character 17; only a-z, 0-9 and _ may '
                    'stand in it. Write "cmm_claim_search"; decorator, definition and the definition\'s file name all '
                    "have the same name.",
                    '도구 이름 "cmm_claim_search\\n"의 17번째 문자 "\\n" (U+000A): 이름에는 a-z, 0-9, _만 쓸 수 '
                    '있습니다. "cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 '
                    "같아야 합니다.",
                ),
            ),
        ),
        Case(
            "full-width letters",
            facts(declared("\uff43\uff4d\uff4d_claim"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "\uff43\uff4d\uff4d_claim" has "\uff43" (U+FF43) at character 1; only a-z, 0-9 and '
                    '_ may stand in it. Write "cmm_claim_search"; decorator, definition and the definition\'s file '
                    "name all have the same name.",
                    '도구 이름 "\uff43\uff4d\uff4d_claim"의 1번째 문자 "\uff43" (U+FF43): 이름에는 a-z, 0-9, _만 쓸 수 '
                    '있습니다. "cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 '
                    "같아야 합니다.",
                ),
            ),
        ),
        Case(
            "Korean",
            facts(declared("청구조회"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "청구조회" has "청" (U+CCAD) at character 1; only a-z, 0-9 and _ may stand in it. '
                    "Write 3 to 64 characters a-z, 0-9 and _ in the form domain_function_action, such as "
                    '"cmm_claim_search".',
                    '도구 이름 "청구조회"의 1번째 문자 "청" (U+CCAD): 이름에는 a-z, 0-9, _만 쓸 수 있습니다. a-z, 0-9, '
                    '_만으로 3~64자의 이름을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "decomposed Korean",
            facts(declared("cmm_\u110e\u1165ng"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm_\u110e\u1165ng" has "\u110e" (U+110E) at character 5; only a-z, 0-9 and _ may '
                    'stand in it. Write "cmm_claim_search"; decorator, definition and the definition\'s file name all '
                    "have the same name.",
                    '도구 이름 "cmm_\u110e\u1165ng"의 5번째 문자 "\u110e" (U+110E): 이름에는 a-z, 0-9, _만 쓸 수 '
                    '있습니다. "cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 '
                    "같아야 합니다.",
                ),
            ),
        ),
        Case(
            "an invisible character",
            facts(declared("cmm_\u200bclaim_search"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm_\\u200bclaim_search" has "\\u200b" (U+200B) at character 5; only a-z, 0-9 and '
                    '_ may stand in it. Write "cmm_claim_search"; decorator, definition and the definition\'s file '
                    "name all have the same name.",
                    '도구 이름 "cmm_\\u200bclaim_search"의 5번째 문자 "\\u200b" (U+200B): 이름에는 a-z, 0-9, _만 쓸 수 '
                    '있습니다. "cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 '
                    "같아야 합니다.",
                ),
            ),
        ),
        Case(
            "a digit first",
            facts(declared("3rd_claim_search"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "3rd_claim_search" begins with "3"; it has to begin with a letter a-z. Write '
                    '"rd_claim_search"; decorator, definition and the definition\'s file name all have the same name.',
                    '도구 이름 "3rd_claim_search"의 첫 문자 "3": 이름은 영문 소문자 a-z로 시작해야 합니다. '
                    '"rd_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 '
                    "합니다.",
                ),
            ),
        ),
        Case(
            "an underscore first",
            facts(declared("_claim"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "_claim" begins with "_"; it has to begin with a letter a-z. Write "claim"; '
                    "decorator, definition and the definition's file name all have the same name.",
                    '도구 이름 "_claim"의 첫 문자 "_": 이름은 영문 소문자 a-z로 시작해야 합니다. "claim" 값을 '
                    "쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "two letters",
            facts(declared("cm"), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cm" has 2 characters; it needs 3 to 64. Write "cmm_claim_search"; decorator, '
                    "definition and the definition's file name all have the same name.",
                    '도구 이름 "cm"의 길이는 2자입니다. 3자 이상 64자 이하여야 합니다. "cmm_claim_search" 값을 '
                    "쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "too long",
            facts(declared("cmm_" + "a" * 63), definition()),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cmm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" has 67 '
                    "characters, 3 more than the 64 that are allowed. Shorten it by 3 or more, for instance by leaving "
                    "a part out; decorator, definition and the definition's file name all have the same name.",
                    '도구 이름 "cmm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"의 길이는 67자로, '
                    "허용된 64자보다 3자 깁니다. 한 부분을 빼는 등 3자 이상 줄이십시오. 데코레이터, 정의 파일의 name, "
                    "정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "a bad name in the definition only",
            facts(definition("cmm.claim_search", stem=TOOL)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:7 error",
                    'The tool name "cmm.claim_search" has "." at character 4; only a-z, 0-9 and _ may stand in it. '
                    'Write "cmm_claim_search"; decorator, definition and the definition\'s file name all have the same '
                    "name.",
                    '도구 이름 "cmm.claim_search"의 4번째 문자 ".": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. '
                    '"cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 '
                    "합니다.",
                ),
            ),
        ),
        Case(
            "a number in the definition",
            facts(definition(12, stem=TOOL)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:7 error",
                    'The tool name has to be a text, and here stands the number 12. Write "cmm_claim_search"; '
                    "decorator, definition and the definition's file name all have the same name.",
                    '도구 이름은 문자열이어야 합니다. 지금 값: 숫자 12. "cmm_claim_search" 값을 쓰십시오. 데코레이터, '
                    "정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "a list in the definition",
            facts(definition([TOOL], stem=TOOL)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:3 error",
                    'The tool name has to be a text, and here stands a list. Write "cmm_claim_search"; decorator, '
                    "definition and the definition's file name all have the same name.",
                    '도구 이름은 문자열이어야 합니다. 지금 값: 목록. "cmm_claim_search" 값을 쓰십시오. 데코레이터, '
                    "정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "nothing in the definition",
            facts(definition(None, stem=TOOL)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:7 error",
                    'The tool name is empty. Write "cmm_claim_search"; decorator, definition and the definition\'s '
                    "file name all have the same name.",
                    '도구 이름이 비어 있습니다. "cmm_claim_search" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 '
                    "파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "blanks in the definition whose file name is bad too",
            facts(definition("\u3000", stem="청구")),
            (
                Told(
                    "tool_definitions/cmm/청구.yml:1:7 error",
                    "The tool name is empty. Write 3 to 64 characters a-z, 0-9 and _ in the form "
                    'domain_function_action, such as "cmm_claim_search".',
                    "도구 이름이 비어 있습니다. a-z, 0-9, _만으로 3~64자의 이름을 업무도메인_업무기능_행위 형식으로 "
                    '쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "a short name in the definition",
            facts(definition("cm", stem=TOOL)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:7 error",
                    'The tool name "cm" has 2 characters; it needs 3 to 64. Write "cmm_claim_search"; decorator, '
                    "definition and the definition's file name all have the same name.",
                    '도구 이름 "cm"의 길이는 2자입니다. 3자 이상 64자 이하여야 합니다. "cmm_claim_search" 값을 '
                    "쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "one letter beside a good name",
            facts(declared("c"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "c" has 1 character; it needs 3 to 64. Write 3 to 64 characters a-z, 0-9 and _ in '
                    'the form domain_function_action, such as "cmm_claim_search".',
                    '도구 이름 "c"의 길이는 1자입니다. 3자 이상 64자 이하여야 합니다. a-z, 0-9, _만으로 3~64자의 '
                    '이름을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "two letters beside a good name",
            facts(declared("cm"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "cm" has 2 characters; it needs 3 to 64. Write 3 to 64 characters a-z, 0-9 and _ in '
                    'the form domain_function_action, such as "cmm_claim_search".',
                    '도구 이름 "cm"의 길이는 2자입니다. 3자 이상 64자 이하여야 합니다. a-z, 0-9, _만으로 3~64자의 '
                    '이름을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "digits only",
            facts(declared("2024"), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "2024" begins with "2"; it has to begin with a letter a-z. Write 3 to 64 characters '
                    'a-z, 0-9 and _ in the form domain_function_action, such as "cmm_claim_search".',
                    '도구 이름 "2024"의 첫 문자 "2": 이름은 영문 소문자 a-z로 시작해야 합니다. a-z, 0-9, _만으로 '
                    '3~64자의 이름을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "underscores that make it too long",
            facts(declared("a" + "_" * 64), declared(line=40)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "a________________________________________________________________" has 65 '
                    "characters, 1 more than the 64 that are allowed. Shorten it by 1 or more, for instance by leaving "
                    "a part out; decorator, definition and the definition's file name all have the same name.",
                    '도구 이름 "a________________________________________________________________"의 길이는 65자로, '
                    "허용된 64자보다 1자 깁니다. 한 부분을 빼는 등 1자 이상 줄이십시오. 데코레이터, 정의 파일의 name, "
                    "정의 파일 이름이 모두 같아야 합니다.",
                ),
            ),
        ),
        Case(
            "a number in a definition whose file name is bad too",
            facts(definition(12, stem="청구")),
            (
                Told(
                    "tool_definitions/cmm/청구.yml:1:7 error",
                    "The tool name has to be a text, and here stands the number 12. Write 3 to 64 characters a-z, 0-9 "
                    'and _ in the form domain_function_action, such as "cmm_claim_search".',
                    "도구 이름은 문자열이어야 합니다. 지금 값: 숫자 12. a-z, 0-9, _만으로 3~64자의 이름을 "
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_name_that_is_not_well_formed_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK101"], case.facts) == case.told


@pytest.mark.req("rule/TK101")
@pytest.mark.parametrize(
    "case",
    [
        Case("three characters", facts(declared("abc"))),
        Case("sixty-four characters", facts(declared("a" * 64))),
        Case("digits and doubled underscores", facts(declared("a1__2_"))),
        Case("a name that is no text", facts(declared(12))),
        Case("a definition without a name", facts(definition(without=["/name"], stem=TOOL))),
    ],
    ids=str,
)
def test_tk101_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK101"], case.facts) == ()
