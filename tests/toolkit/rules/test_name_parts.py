"""What the parts of a name say."""

import pytest

from axhub.toolkit.rules import name_parts
from support.telling import Case, Told, told
from support.toolkit_facts import USECASE, class_, declared, definition, facts, module

RULES = {rule.id: rule for rule in name_parts.RULES}


@pytest.mark.req("rule/TK103")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "one part",
            facts(declared("cmm")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 warning",
                    'The tool name "cmm" has 1 part; 3 are recommended: domain_function_action. Say domain, function '
                    'and action, as in "cmm_claim_search".',
                    '도구 이름 "cmm"의 구성은 1개 부분입니다. 업무도메인_업무기능_행위의 3개 부분을 권장합니다. '
                    '업무도메인, 업무기능, 행위를 모두 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "two parts",
            facts(declared("cmm_claim")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 warning",
                    'The tool name "cmm_claim" has 2 parts; 3 are recommended: domain_function_action. Add the part '
                    'that is missing, for instance the action: "cmm_claim_search".',
                    '도구 이름 "cmm_claim"의 구성은 2개 부분입니다. 업무도메인_업무기능_행위의 3개 부분을 권장합니다. '
                    '빠진 부분을 더하십시오. 예를 들어 행위를 더하면 "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "doubled underscores",
            facts(declared("cmm__claim_")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 warning",
                    'The tool name "cmm__claim_" has 2 parts; 3 are recommended: domain_function_action. Add the part '
                    'that is missing, for instance the action: "cmm_claim_search".',
                    '도구 이름 "cmm__claim_"의 구성은 2개 부분입니다. 업무도메인_업무기능_행위의 3개 부분을 '
                    '권장합니다. 빠진 부분을 더하십시오. 예를 들어 행위를 더하면 "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "another category first",
            facts(declared("claim_status_search"), definition("claim_status_search")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 warning",
                    'The tool name "claim_status_search" begins with "claim", and its category is "cmm". Begin the '
                    'name with the category: "cmm_claim_status_search".',
                    '도구 이름 "claim_status_search"의 첫 부분은 "claim"인데 업무 분류 코드는 "cmm"입니다. 이름을 업무 '
                    '분류 코드로 시작하십시오: "cmm_claim_status_search".',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_name_without_the_recommended_parts_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK103"], case.facts) == case.told


@pytest.mark.req("rule/TK103")
@pytest.mark.parametrize(
    "case",
    [
        Case("doubled underscores between three parts", facts(declared("cmm__claim_search"))),
        Case(
            "another category, where decorator and definition differ",
            facts(declared("ins_claim_search"), definition("ins_claim_search", category="ins")),
        ),
        Case("a Pod first", facts(declared("sal_claim"))),
        Case("an interface id", facts(declared("clcnnb00001"))),
    ],
    ids=str,
)
def test_tk103_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK103"], case.facts) == ()


@pytest.mark.req("rule/TK104")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a Pod",
            facts(declared("cmm_sal_claim_search")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The part "sal" of the tool name "cmm_sal_claim_search" is the name of a Pod. Leave it out: '
                    '"cmm_claim_search"; the same in the definition and its file name.',
                    '도구 이름 "cmm_sal_claim_search"의 "sal" 부분은 Pod 이름입니다. 그 부분을 빼십시오: '
                    '"cmm_claim_search". 정의 파일의 name과 파일 이름도 같게 고치십시오.',
                ),
            ),
        ),
        Case(
            "a Pod first",
            facts(declared("sys_claim_search")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The part "sys" of the tool name "sys_claim_search" is the name of a Pod. Leave it out: '
                    '"cmm_claim_search"; the same in the definition and its file name.',
                    '도구 이름 "sys_claim_search"의 "sys" 부분은 Pod 이름입니다. 그 부분을 빼십시오: '
                    '"cmm_claim_search". '
                    "정의 파일의 name과 파일 이름도 같게 고치십시오.",
                ),
            ),
        ),
        Case(
            "nothing but a Pod",
            facts(declared("pro")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The part "pro" of the tool name "pro" is the name of a Pod. Say there what the tool does, in the '
                    'form domain_function_action, as in "cmm_claim_search"; the same in the definition and its file '
                    "name.",
                    '도구 이름 "pro"의 "pro" 부분은 Pod 이름입니다. 그 자리에 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search". 정의 파일의 name과 파일 '
                    "이름도 같게 고치십시오.",
                ),
            ),
        ),
        Case(
            "a Pod without which the name is too short",
            facts(declared("cmm_pro_quote")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The part "pro" of the tool name "cmm_pro_quote" is the name of a Pod. Say there what the tool '
                    'does, in the form domain_function_action, as in "cmm_claim_search"; the same in the definition '
                    "and its file name.",
                    '도구 이름 "cmm_pro_quote"의 "pro" 부분은 Pod 이름입니다. 그 자리에 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search". 정의 파일의 name과 파일 '
                    "이름도 같게 고치십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_pod_in_a_name_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK104"], case.facts) == case.told


@pytest.mark.req("rule/TK104")
@pytest.mark.parametrize(
    "case",
    [
        Case("parts that contain a Pod's name", facts(declared("ins_insurance_processor"))),
        Case("a name that begins like a Pod's", facts(declared("cmm_customer_system_sales"))),
    ],
    ids=str,
)
def test_tk104_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK104"], case.facts) == ()


@pytest.mark.req("rule/TK105")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "an interface id",
            facts(declared("clcnnb00001")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "clcnnb00001" is nothing but the interface id CLCNNB00001. Say what the tool does, '
                    'in the form domain_function_action, as in "cmm_claim_search".',
                    '도구 이름 "clcnnb00001" 전체가 인터페이스 ID CLCNNB00001입니다. 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "an interface id of another tool",
            facts(declared("onnba3011", mapping_id=None)),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "onnba3011" is nothing but the interface id onnba3011. Say what the tool does, in '
                    'the form domain_function_action, as in "cmm_claim_search".',
                    '도구 이름 "onnba3011" 전체가 인터페이스 ID onnba3011입니다. 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "the id of the definition in parts",
            facts(
                declared("clcnnb_0002", mapping_id=None), definition("clcnnb_0002", legacy_interface_id="CLCNNB-0002")
            ),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "clcnnb_0002" is nothing but the interface id CLCNNB-0002. Say what the tool does, '
                    'in the form domain_function_action, as in "cmm_claim_search".',
                    '도구 이름 "clcnnb_0002" 전체가 인터페이스 ID CLCNNB-0002입니다. 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "a class",
            facts(declared("claim_use_case")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "claim_use_case" is nothing but the name of the class ClaimUseCase. Say what the '
                    'tool does, in the form domain_function_action, as in "cmm_claim_search".',
                    '도구 이름 "claim_use_case" 전체가 클래스 이름 ClaimUseCase입니다. 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "an implementing class",
            facts(declared("claimusecaseimpl")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 error",
                    'The tool name "claimusecaseimpl" is nothing but the name of the class ClaimUseCaseImpl. Say what '
                    'the tool does, in the form domain_function_action, as in "cmm_claim_search".',
                    '도구 이름 "claimusecaseimpl" 전체가 클래스 이름 ClaimUseCaseImpl입니다. 도구가 하는 일을 '
                    '업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
                ),
            ),
        ),
        Case(
            "an interface id as a part",
            facts(declared("cmm_clcnnb00001_search")),
            (
                Told(
                    "biz/cmm/usecase.py:11:10 warning",
                    'The part "clcnnb00001" of the tool name "cmm_clcnnb00001_search" looks like an interface id. Say '
                    "what the tool does there; the interface id stands in mapping_id.",
                    '도구 이름 "cmm_clcnnb00001_search"의 "clcnnb00001" 부분은 인터페이스 ID로 보입니다. 그 자리에 '
                    "도구가 하는 일을 쓰십시오. 인터페이스 ID는 mapping_id에 씁니다.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_name_that_is_a_class_or_an_interface_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK105"], case.facts) == case.told


@pytest.mark.req("rule/TK105")
@pytest.mark.parametrize(
    "case",
    [
        Case("a part with few digits", facts(declared("cmm_form12_search"))),
        Case(
            "a class that is called after the tool",
            facts(modules=(module(USECASE, classes=(class_("CmmClaimSearch"),)),)),
        ),
    ],
    ids=str,
)
def test_tk105_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK105"], case.facts) == ()
