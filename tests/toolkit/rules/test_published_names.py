"""Names as callers see them: with the namespace, and beside those of other services."""

import pytest

from axhub.toolkit.facts.service import Sibling
from axhub.toolkit.rules import names
from support.telling import Case, Told, told
from support.toolkit_facts import TOOL, declared, facts, place, settings

RULES = {rule.id: rule for rule in names.RULES}


@pytest.mark.req("rule/TK102")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "too long with the namespace",
            facts(declared("cmm_" + "a" * 56), settings=settings(namespace="processing_")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The published name "processing_cmm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" has '
                    '71 characters, 7 more than 64: the namespace "processing_" takes 11. Shorten '
                    '"cmm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" to at most 53 characters, or '
                    "shorten mcp.namespace by 7.",
                    '등록 이름 "processing_cmm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"의 길이는 '
                    '71자로 64자보다 7자 깁니다. 네임스페이스 "processing_"의 길이가 11자입니다. '
                    '"cmm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"의 길이를 53자 이하로 줄이거나 '
                    "mcp.namespace 값을 7자 줄이십시오.",
                ),
            ),
        ),
        Case(
            "a namespace with a blank",
            facts(settings=settings(namespace="my tools_")),
            (
                Told(
                    "config/service.yaml:3:14 error",
                    'mcp.namespace "my tools_" has " " (U+0020) at character 3; only A-Z, a-z, 0-9, _, -, . and / may '
                    'stand in it. Remove that character; "processing_" is an example of a good namespace.',
                    'mcp.namespace "my tools_"의 3번째 문자 " " (U+0020): A-Z, a-z, 0-9, _, -, ., /만 쓸 수 있습니다. '
                    '그 문자를 빼십시오. 좋은 네임스페이스의 예: "processing_".',
                ),
            ),
        ),
        Case(
            "a namespace with a full stop",
            facts(settings=settings(namespace="processing.")),
            (
                Told(
                    "config/service.yaml:3:14 warning",
                    'mcp.namespace "processing." makes names that model providers refuse: they take letters, digits, _ '
                    'and -, beginning with a letter. Write `mcp.namespace: "processing_"`, and agree on it with the '
                    "gateway's namePrefix.",
                    'mcp.namespace "processing." 값이 붙은 이름은 모델 제공사가 거부합니다. 영문자로 시작하고 영문자, '
                    '숫자, _, -만 써야 합니다. `mcp.namespace: "processing_"` 값을 쓰고 게이트웨이의 namePrefix 값과 '
                    "맞추십시오.",
                ),
            ),
        ),
        Case(
            "a namespace that begins with a digit",
            facts(settings=settings(namespace="1_")),
            (
                Told(
                    "config/service.yaml:3:14 warning",
                    'mcp.namespace "1_" makes names that model providers refuse: they take letters, digits, _ and -, '
                    'beginning with a letter. Write `mcp.namespace: "processing_"`, and agree on it with the '
                    "gateway's namePrefix.",
                    'mcp.namespace "1_" 값이 붙은 이름은 모델 제공사가 거부합니다. 영문자로 시작하고 영문자, 숫자, _, '
                    '-만 써야 합니다. `mcp.namespace: "processing_"` 값을 쓰고 게이트웨이의 namePrefix 값과 '
                    "맞추십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_published_name_that_callers_refuse_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK102"], case.facts) == case.told


@pytest.mark.req("rule/TK102")
@pytest.mark.parametrize(
    "case",
    [
        Case("sixty-four characters together", facts(declared("a" * 53), settings=settings(namespace="processing_"))),
        Case("no configuration", facts(declared("a" * 64), settings=None)),
        Case("capitals and a hyphen", facts(settings=settings(namespace="Ins-"))),
    ],
    ids=str,
)
def test_tk102_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK102"], case.facts) == ()


@pytest.mark.req("rule/TK107")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "the same name twice",
            facts(declared(), declared(line=40, function="my_tools.biz.cmm.usecase.find")),
            (
                Told(
                    "biz/cmm/usecase.py:41:10 error",
                    'The tool name "cmm_claim_search" is already used at src/my_tools/biz/cmm/usecase.py:11:10. Rename '
                    "one of the two, with its definition; every tool has a name of its own.",
                    '도구 이름 "cmm_claim_search" 값을 이미 src/my_tools/biz/cmm/usecase.py:11:10 위치에서 쓰고 '
                    "있습니다. 둘 중 하나의 이름을 정의 파일과 함께 바꾸십시오. 모든 도구의 이름은 서로 달라야 합니다.",
                ),
            ),
        ),
        Case(
            "a name of another service",
            facts(siblings=(Sibling("other-tools", {TOOL: place("../other/src/other/usecase.py", 7)}),)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The published tool name "cmm_claim_search" is already used by the service other-tools, at '
                    "../other/src/other/usecase.py:7:1. Rename one of the two, with its definition, or give one of the "
                    "services another mcp.namespace.",
                    '등록 이름 "cmm_claim_search" 값을 이미 other-tools 서비스의 ../other/src/other/usecase.py:7:1 '
                    "위치에서 쓰고 있습니다. 둘 중 하나의 이름을 정의 파일과 함께 바꾸거나, 한 서비스의 mcp.namespace "
                    "값을 다르게 하십시오.",
                ),
            ),
        ),
        Case(
            "a published name of another service in other case",
            facts(
                settings=settings(namespace="Ins_"),
                siblings=(Sibling("other-tools", {"ins_cmm_claim_search": place("../other/a.py", 7)}),),
            ),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The published tool name "Ins_cmm_claim_search" is already used by the service other-tools, at '
                    "../other/a.py:7:1. Rename one of the two, with its definition, or give one of the services "
                    "another mcp.namespace.",
                    '등록 이름 "Ins_cmm_claim_search" 값을 이미 other-tools 서비스의 ../other/a.py:7:1 위치에서 쓰고 '
                    "있습니다. 둘 중 하나의 이름을 정의 파일과 함께 바꾸거나, 한 서비스의 mcp.namespace 값을 다르게 "
                    "하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_name_that_is_used_twice_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK107"], case.facts) == case.told


@pytest.mark.req("rule/TK107")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a name of another service, published with a namespace",
            facts(settings=settings(namespace="ins_"), siblings=(Sibling("other", {TOOL: place()}),)),
        ),
        Case("blank names", facts(declared(""), declared("", line=40))),
    ],
    ids=str,
)
def test_tk107_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK107"], case.facts) == ()


@pytest.mark.req("rule/TK107", "toolkit/T1")
@pytest.mark.parametrize("is_first", [True, False])
def test_decorators_on_contract_and_implementation_are_told_at_the_implementation(is_first: bool) -> None:
    contract = declared(line=10)
    implementation = declared(line=30, function=contract.function.replace("ClaimUseCase.", "ClaimUseCaseImpl."))
    both = (implementation, contract) if is_first else (contract, implementation)
    assert told(RULES["TK107"], facts(*both)) == (
        Told(
            "biz/cmm/usecase.py:31:10 error",
            f'The tool "{TOOL}" is declared a second time where it is implemented; its contract has it at '
            f"{contract.place_of('name')}. Remove the decorators here; the method implements what the contract "
            "declares.",
            f'도구 "{TOOL}" 선언이 구현에 다시 있습니다. 선언은 이미 {contract.place_of("name")} 위치의 계약에 '
            "있습니다. 여기의 데코레이터를 지우십시오. 이 메서드는 계약에 선언한 것을 구현하기만 합니다.",
        ),
    )
