"""Owners, tags and signatures."""

import pytest

from axhub.toolkit.rules import ownership
from support.telling import Case, Told, told
from support.toolkit_facts import definition, facts, project

RULES = {rule.id: rule for rule in ownership.RULES}


@pytest.mark.req("rule/TK313")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "no owner",
            facts(definition(owner_org="")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:12 warning",
                    'owner_org has to name an organisation, and here stands an empty text. Write `owner_org: "…"`.',
                    'owner_org에는 담당 조직을 문자열로 써야 합니다. 지금 값: 빈 문자열. `owner_org: "…"` 값을 '
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "a number as owner",
            facts(definition(owner_org=12)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:12 warning",
                    'owner_org has to name an organisation, and here stands the number 12. Write `owner_org: "…"`.',
                    'owner_org에는 담당 조직을 문자열로 써야 합니다. 지금 값: 숫자 12. `owner_org: "…"` 값을 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a misspelt owner",
            facts(definition(owner_org="mcp-tools")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:12 warning",
                    'owner_org "mcp-tools" is not in the project\'s list: MCP_TOOL. Did you mean "MCP_TOOL"?',
                    'owner_org "mcp-tools" 값이 프로젝트 목록에 없습니다: MCP_TOOL. "MCP_TOOL" 조직을 뜻했다면 그렇게 '
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "an unlisted owner",
            facts(definition(owner_org="HR")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:12 warning",
                    'owner_org "HR" is not in the project\'s list: MCP_TOOL. Use one of these, or add it to owners of '
                    "[tool.axhub] in pyproject.toml.",
                    'owner_org "HR" 값이 프로젝트 목록에 없습니다: MCP_TOOL. 목록의 조직을 쓰거나 pyproject.toml의 '
                    "[tool.axhub] owners에 더하십시오.",
                ),
            ),
        ),
        Case(
            "no tags",
            facts(definition(tags=[])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:27:7 warning",
                    "tags is empty. Write at least one word to find the tool by: `tags: [보험금]`.",
                    "tags 값이 비어 있습니다. 도구를 찾을 말을 하나 이상 쓰십시오: `tags: [보험금]`.",
                ),
            ),
        ),
        Case(
            "a text as tags",
            facts(definition(tags="보험금, 청구")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:27:7 warning",
                    'tags has to be a list, and here stands the text "보험금, 청구". Put brackets around it: `tags: '
                    "[보험금, 청구]`.",
                    'tags 값은 목록이어야 합니다. 지금 값: 문자열 "보험금, 청구". 대괄호로 묶으십시오: `tags: [보험금, '
                    "청구]`.",
                ),
            ),
        ),
        Case(
            "a number and nothing as tags",
            facts(definition(tags=["보험금", 2024, None])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:29:5 warning",
                    "Tag 2 has to be a text, and here stands the number 2024. Write a word, in quotes if it is a "
                    "number, or remove it.",
                    "2번째 태그는 문자열이어야 합니다. 지금 값: 숫자 2024. 말을 쓰거나(숫자는 따옴표로 묶음) "
                    "지우십시오.",
                ),
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:30:5 warning",
                    "Tag 3 has to be a text, and here stands nothing. Write a word, in quotes if it is a number, or "
                    "remove it.",
                    "3번째 태그는 문자열이어야 합니다. 지금 값: 빈 값. 말을 쓰거나(숫자는 따옴표로 묶음) 지우십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_missing_owners_and_tags_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK313"], case.facts) == case.told


@pytest.mark.req("rule/TK313")
@pytest.mark.parametrize(
    "case",
    [
        Case("no list of owners", facts(definition(owner_org="HR"), project=project(owners=None))),
        Case("missing keys", facts(definition(without=["/owner_org", "/tags"]))),
    ],
    ids=str,
)
def test_tk313_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK313"], case.facts) == ()


@pytest.mark.req("rule/TK901")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "nothing signed",
            facts(definition(without=["/signoff"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:1 warning",
                    "Not yet signed by a reviewer (4): texts, schema, answer, privacy. Once they have been reviewed "
                    "(texts: title, description, use and non-use conditions are concrete; schema: simple and complex "
                    "schemas are chosen rightly; answer: meaning of null, conditions, order and truncation of the "
                    "answer are described rightly; privacy: unneeded personal data is out of input and output), list "
                    "them: `signoff: [texts, schema, answer, privacy]`.",
                    "검토자가 아직 확인하지 않은 항목(4개): texts, schema, answer, privacy. 검토한 뒤(texts: title, "
                    "description, 사용·비사용 조건이 구체적임; schema: 스키마의 단순·복잡 기준을 적용함; answer: "
                    "응답의 null 의미, 조건, 정렬, 잘림 여부를 바르게 설명함; privacy: 불필요한 개인정보를 입출력에서 "
                    "제거함) 항목을 적으십시오: `signoff: [texts, schema, answer, privacy]`.",
                ),
            ),
        ),
        Case(
            "one not signed",
            facts(definition(signoff=["texts", "schema", "answer"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:34:3 warning",
                    "Not yet signed by a reviewer (1): privacy. Once they have been reviewed (privacy: unneeded "
                    "personal data is out of input and output), list them: `signoff: [texts, schema, answer, "
                    "privacy]`.",
                    "검토자가 아직 확인하지 않은 항목(1개): privacy. 검토한 뒤(privacy: 불필요한 개인정보를 입출력에서 "
                    "제거함) 항목을 적으십시오: `signoff: [texts, schema, answer, privacy]`.",
                ),
            ),
        ),
        Case(
            "a misspelt item",
            facts(definition(signoff=["text", "schema", "answer", "privacy"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:34:5 warning",
                    'signoff has no item "text"; there are texts, schema, answer, privacy. Did you mean "texts"?',
                    'signoff에 "text" 항목은 없습니다. 쓸 수 있는 항목: texts, schema, answer, privacy. "texts" 항목을 '
                    "뜻했다면 그렇게 쓰십시오.",
                ),
            ),
        ),
        Case(
            "an unknown item",
            facts(definition(signoff=["texts", "schema", "answer", "privacy", 12])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:38:5 warning",
                    "signoff has no item 12; there are texts, schema, answer, privacy. Remove it.",
                    "signoff에 12 항목은 없습니다. 쓸 수 있는 항목: texts, schema, answer, privacy. 지우십시오.",
                ),
            ),
        ),
        Case(
            "a text",
            facts(definition(signoff="texts")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:33:10 warning",
                    'signoff has to be a list, and here stands the text "texts". List the items that a reviewer has '
                    "looked at, of [texts, schema, answer, privacy].",
                    'signoff 값은 목록이어야 합니다. 지금 값: 문자열 "texts". 검토자가 확인한 항목을 목록으로 '
                    "적으십시오. 쓸 수 있는 항목: [texts, schema, answer, privacy].",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_items_that_nobody_signed_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK901"], case.facts) == case.told
