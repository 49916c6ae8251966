"""Flags, and repeated calls."""

import pytest

from axhub.toolkit.rules import behaviour
from support.telling import Case, Told, told
from support.toolkit_facts import TOOL, declared, definition, facts, field, imported

RULES = {rule.id: rule for rule in behaviour.RULES}


@pytest.mark.req("rule/TK307")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "yes",
            facts(definition(read_only="yes")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:12 error",
                    'read_only has to be true or false without quotes, and here stands the text "yes". Write '
                    "`read_only: true`.",
                    'read_only 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 문자열 "yes". `read_only: true` '
                    "값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a quoted false",
            facts(definition(destructive="false")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:16:14 error",
                    'destructive has to be true or false without quotes, and here stands the text "false". Write '
                    "`destructive: false`.",
                    'destructive 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 문자열 "false". `destructive: '
                    "false` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "one",
            facts(definition(idempotent=1)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:17:13 error",
                    "idempotent has to be true or false without quotes, and here stands the number 1. Write "
                    "`idempotent: true`.",
                    "idempotent 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 숫자 1. `idempotent: true` 값을 "
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "null",
            facts(definition(read_only=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:12 error",
                    "read_only has to be true or false without quotes, and here stands nothing. Write `read_only: "
                    "true` or `read_only: false`.",
                    "read_only 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 빈 값. `read_only: true` 또는 "
                    "`read_only: false` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a Korean word",
            facts(definition(read_only="예")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:12 error",
                    'read_only has to be true or false without quotes, and here stands the text "예". Write '
                    "`read_only: true`.",
                    'read_only 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 문자열 "예". `read_only: true` '
                    "값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "another text for open_world",
            facts(definition(open_world="maybe")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:38:13 error",
                    'open_world has to be true or false without quotes, and here stands the text "maybe". Write '
                    "`open_world: true` or `open_world: false`.",
                    'open_world 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 문자열 "maybe". `open_world: '
                    "true` 또는 `open_world: false` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a list",
            facts(definition(read_only=[True])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:16:3 error",
                    "read_only has to be true or false without quotes, and here stands a list. Write `read_only: true` "
                    "or `read_only: false`.",
                    "read_only 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: 목록. `read_only: true` 또는 "
                    "`read_only: false` 값을 쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_flags_that_are_no_booleans_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK307"], case.facts) == case.told


@pytest.mark.req("rule/TK307")
@pytest.mark.parametrize(
    "case",
    [
        Case("open_world", facts(definition(open_world=True))),
        Case("missing keys", facts(definition(without=["/read_only", "/destructive"]))),
    ],
    ids=str,
)
def test_tk307_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK307"], case.facts) == ()


@pytest.mark.req("rule/TK308")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "reading and destroying",
            facts(definition(destructive=True)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:16:14 error",
                    "`destructive: true` stands beside `read_only: true`; what only reads destroys nothing. Write "
                    "`destructive: false`, or `read_only: false` if the tool does change anything.",
                    "`read_only: true`와 `destructive: true`가 함께 있습니다. 조회만 하는 도구는 아무것도 지우지 "
                    "않습니다. `destructive: false` 값을 쓰거나, 도구가 무엇이든 바꾸면 `read_only: false` 값을 "
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "a name of a change",
            facts(declared("cmm_claim_cancel"), definition("cmm_claim_cancel")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_cancel.yml:15:12 warning",
                    'The definition says `read_only: true`, and the tool is called after a change: "cancel". Write '
                    "`read_only: false` if it changes anything; else name it after what it reads.",
                    "정의 파일의 값은 `read_only: true`인데 도구의 이름이나 표시명은 변경을 뜻하는 말로 끝납니다: "
                    '"cancel". 무엇이든 바꾸면 `read_only: false` 값을 쓰고, 그렇지 않으면 조회를 뜻하는 이름을 '
                    "쓰십시오.",
                ),
            ),
        ),
        Case(
            "a title of a change",
            facts(definition(display_name="보험금 청구 접수")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:12 warning",
                    'The definition says `read_only: true`, and the tool is called after a change: "접수". Write '
                    "`read_only: false` if it changes anything; else name it after what it reads.",
                    "정의 파일의 값은 `read_only: true`인데 도구의 이름이나 표시명은 변경을 뜻하는 말로 끝납니다: "
                    '"접수". 무엇이든 바꾸면 `read_only: false` 값을 쓰고, 그렇지 않으면 조회를 뜻하는 이름을 '
                    "쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_contradicting_flags_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK308"], case.facts) == case.told


@pytest.mark.req("rule/TK308")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a history of changes",
            facts(declared("cmm_cancel_history"), definition("cmm_cancel_history", display_name="등록 이력 조회")),
        ),
        Case("texts instead of flags", facts(definition(read_only="yes", destructive="yes"))),
    ],
    ids=str,
)
def test_tk308_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK308"], case.facts) == ()


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a tool that writes",
            facts(definition(read_only=False)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:12 error",
                    "read_only is false, and nothing says how a repeated call is kept from writing twice. Add `repeat: "
                    '{key: [field]}` with the arguments that identify the business request, or `repeat: {legacy: "why '
                    'the legacy system writes only once"}`.',
                    "read_only 값이 false인데 반복 호출이 두 번 반영되지 않게 하는 방법이 없습니다. 업무 요청을 "
                    "식별하는 인자를 `repeat: {key: [field]}` 형식으로 적거나, 레거시 시스템이 막는 경우 `repeat: "
                    '{legacy: "한 번만 반영되는 이유"}` 형식으로 적으십시오.',
                ),
            ),
        ),
        Case(
            "an empty repeat",
            facts(definition(read_only=False, repeat=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:38:9 error",
                    "read_only is false, and nothing says how a repeated call is kept from writing twice. Add `repeat: "
                    '{key: [field]}` with the arguments that identify the business request, or `repeat: {legacy: "why '
                    'the legacy system writes only once"}`.',
                    "read_only 값이 false인데 반복 호출이 두 번 반영되지 않게 하는 방법이 없습니다. 업무 요청을 "
                    "식별하는 인자를 `repeat: {key: [field]}` 형식으로 적거나, 레거시 시스템이 막는 경우 `repeat: "
                    '{legacy: "한 번만 반영되는 이유"}` 형식으로 적으십시오.',
                ),
            ),
        ),
        Case(
            "a word",
            facts(definition(read_only=False, repeat="legacy")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:38:9 error",
                    'repeat has the key `key` or `legacy` below it, and here stands the text "legacy". Write `repeat: '
                    '{key: [field]}` or `repeat: {legacy: "the reason"}`.',
                    'repeat 아래에는 key 또는 legacy가 있어야 합니다. 지금 값: 문자열 "legacy". `repeat: {key: '
                    '[field]}` 또는 `repeat: {legacy: "이유"}` 형식으로 쓰십시오.',
                ),
            ),
        ),
        Case(
            "an unknown key",
            facts(definition(read_only=False, repeat={"keys": ["claimNo"]})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:39:3 error",
                    'repeat has no key "keys". Write `repeat: {key: [field]}` or `repeat: {legacy: "the reason"}`.',
                    'repeat에 "keys" 키를 쓸 수 없습니다. `repeat: {key: [field]}` 또는 `repeat: {legacy: "이유"}` '
                    "형식으로 쓰십시오.",
                ),
            ),
        ),
        Case(
            "both",
            facts(definition(read_only=False, repeat={"key": ["claimNo"], "legacy": "이유"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:39:3 error",
                    "repeat says both key and legacy; only one can hold. Keep key if the RepeatStore prevents "
                    "repetition, legacy if the legacy system does.",
                    "repeat에 key와 legacy가 함께 있습니다. 하나만 쓸 수 있습니다. RepeatStore가 반복을 막으면 key만, "
                    "레거시 시스템이 막으면 legacy만 남기십시오.",
                ),
            ),
        ),
        Case(
            "no reason",
            facts(definition(read_only=False, repeat={"legacy": " "})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:39:11 error",
                    'repeat.legacy gives no reason. Say why the legacy system writes only once: `legacy: "…"`.',
                    'repeat.legacy에 이유가 없습니다. 레거시 시스템에 한 번만 반영되는 이유를 쓰십시오: `legacy: "…"`.',
                ),
            ),
        ),
        Case(
            "a text as key",
            facts(definition(read_only=False, repeat={"key": "claimNo"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:39:8 error",
                    'repeat.key has to be a list of argument names, and here stands the text "claimNo". Write the '
                    "names in brackets, such as `key: [claimNo]`.",
                    'repeat.key 값은 인자 이름의 목록이어야 합니다. 지금 값: 문자열 "claimNo". 대괄호 안에 이름을 '
                    "쓰십시오. 예: `key: [claimNo]`.",
                ),
            ),
        ),
        Case(
            "an empty key",
            facts(definition(read_only=False, repeat={"key": []})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:39:8 error",
                    "repeat.key has to be a list of argument names, and here stands an empty list. Write the names in "
                    "brackets, such as `key: [claimNo]`.",
                    "repeat.key 값은 인자 이름의 목록이어야 합니다. 지금 값: 빈 목록. 대괄호 안에 이름을 쓰십시오. 예: "
                    "`key: [claimNo]`.",
                ),
            ),
        ),
        Case(
            "a request id as key",
            facts(definition(read_only=False, repeat={"key": ["claimNo", "X-Request-Id"]})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:41:7 error",
                    'repeat.key names "X-Request-Id", which identifies a call and differs in a repeated one. Name '
                    "arguments that identify the business request, such as an order number.",
                    'repeat.key에 적은 "X-Request-Id" 값은 호출을 식별하며 반복 호출에서는 달라집니다. 주문번호처럼 '
                    "업무 요청을 식별하는 인자를 적으십시오.",
                ),
            ),
        ),
        Case(
            "a misspelt argument",
            facts(definition(read_only=False, repeat={"key": ["claim_no"]})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:40:7 error",
                    'repeat.key names "claim_no", and the tool has no such argument. Did you mean "claimNo"?',
                    'repeat.key에 적은 "claim_no" 인자가 도구에 없습니다. "claimNo" 인자를 뜻했다면 그렇게 쓰십시오.',
                ),
            ),
        ),
        Case(
            "an unknown argument",
            facts(definition(read_only=False, repeat={"key": ["amount"]}), imported=None),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:40:7 error",
                    'repeat.key names "amount", and the tool has no such argument. Name arguments as they are on the '
                    "wire: claimNo.",
                    'repeat.key에 적은 "amount" 인자가 도구에 없습니다. 전송되는 인자 이름을 쓰십시오: claimNo.',
                ),
            ),
        ),
        Case(
            "only optional arguments",
            facts(
                definition(read_only=False, repeat={"key": ["claimNo"]}),
                imported={TOOL: imported(inputs=(field("/claimNo", required=False),))},
            ),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:40:5 error",
                    "All arguments of repeat.key may be missing (claimNo), so a call could come without a key. Make "
                    "one of them required, or name a required argument besides.",
                    "repeat.key의 모든 인자가 생략될 수 있어(claimNo) 키 없는 호출이 생길 수 있습니다. 그중 하나를 "
                    "필수로 하거나 필수 인자를 함께 적으십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_writing_tool_without_a_way_against_repetition_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK804"], case.facts) == case.told


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    "case",
    [
        Case("a key of the request", facts(definition(read_only=False, repeat={"key": ["claimNo"]}))),
        Case("a key, not imported", facts(definition(read_only=False, repeat={"key": ["claimNo"]}), imported=None)),
        Case(
            "a key of an unknown request",
            facts(definition(read_only=False, repeat={"key": ["x"]}, parameters_schema=None), imported=None),
        ),
        Case("a reason", facts(definition(read_only=False, repeat={"legacy": "접수번호로 막는다"}))),
        Case("a text instead of the flag", facts(definition(read_only="no"))),
    ],
    ids=str,
)
def test_tk804_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK804"], case.facts) == ()
