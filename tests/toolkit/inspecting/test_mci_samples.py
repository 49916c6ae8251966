"""Tools that call MCI systems, run on their samples: named fields, captured telegrams, refusals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit.check.inspection import run_inspection
from axhub.toolkit.rules.telling.saying import in_words
from support.sampled import SECRET, TOOL, define, inspected, line_of, runs
from support.sampled_mci import TOOLS, mci_package, put_json, put_text
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("rule/TK503")

ANSWER: dict[str, Any] = {"state": "1", "rate": "1.25", "rows": [{"paid_on": "20260102"}]}
CAPTURED = b"1 00125        00000001" + b"20260102"


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with mci_package(tmp_path) as made:
        yield made


def test_each_sample_is_tried_in_the_process_of_the_check(package: ToolPackage) -> None:
    good, bad = put_json(package, ANSWER), put_json(package, {**ANSWER, "state": "7"}, "-2")
    captured = put_text(package, "CLCNNB00001-3.hex", f"# data\n{CAPTURED[:7].hex(' ')}\n{CAPTURED[7:].hex()}\n")
    result = run_inspection(package.root, package.name, 30)
    assert result.imported is not None
    line = line_of(package, "STATES[")
    assert result.imported[TOOL].sample_runs == {good: None, bad: f"KeyError at {line}", captured: None}
    assert result.unusable == ()


def test_a_case_is_the_answer_to_its_request_and_a_refusal_is_not_tried(package: ToolPackage) -> None:
    first = put_json(package, {"request": {"claim_no": "CLM1"}, "answer": {**ANSWER, "next_key": "page2"}})
    second = put_json(package, {"request": {"claim_no": "page2"}, "answer": ANSWER}, "-2")
    put_json(package, {"request": {"claim_no": "x"}, "error": {"code": "E1", "message": "m"}}, "-3")
    assert runs(package) == {first: None, second: None}


def test_a_refusal_by_the_tool_is_an_answer(package: ToolPackage) -> None:
    path = put_json(package, {**ANSWER, "state": "9"})
    assert runs(package) == {path: None}


@pytest.mark.parametrize(
    ("answer", "said", "english", "korean"),
    [
        (
            {**ANSWER, "state": SECRET},
            "the telegram CLCNNB00001_O cannot be made at state, byte 0: telegram-overflow",
            "the telegram CLCNNB00001_O does not work out at state, byte 0: the value is too long",
            "전문 CLCNNB00001_O의 state(0바이트째)에서 막힘: 값이 필드보다 김",
        ),
        (
            {**ANSWER, "rows": ANSWER["rows"] * 9},
            "the telegram CLCNNB00001_O cannot be made at rows, byte 23: telegram-rows 9 1",
            "the telegram CLCNNB00001_O does not work out at rows, byte 23: there are 9 rows, and the layout has 1",
            "전문 CLCNNB00001_O의 rows(23바이트째)에서 막힘: 행이 9개인데 레이아웃에는 1개임",
        ),
        (
            {**ANSWER, "rows": [{"paid_on": SECRET[:8], "more": SECRET}]},
            "its members are none of CLCNNB00001_O: rows[0].more: ClaimRow has no such field",
            "its members are none of the layout CLCNNB00001_O (rows[0].more: ClaimRow has no such field)",
            "레이아웃 CLCNNB00001_O의 필드와 맞지 않음(rows[0].more: 레이아웃 ClaimRow에 없는 필드)",
        ),
        (
            {"rate": 1, "rows": []},
            "its members are none of CLCNNB00001_O: CLCNNB00001_O lacks state",
            "its members are none of the layout CLCNNB00001_O (CLCNNB00001_O lacks state)",
            "레이아웃 CLCNNB00001_O의 필드와 맞지 않음(레이아웃 CLCNNB00001_O의 state 값이 없음)",
        ),
        (
            [],
            "it has to be an object with the fields of the answer",
            "it has to be an object with the fields of the answer",
            "응답의 필드를 적은 object여야 함",
        ),
        (
            {"request": {}, "error": SECRET},
            'error has to be an object such as {"code": "E0042", "message": "…"}',
            'error has to be an object such as {"code": "E0042", "message": "…"}',
            'error 값은 {"code": "E0042", "message": "…"} 같은 object여야 함',
        ),
        (
            {"request": SECRET, "answer": ANSWER},
            "request has to be an object with the fields that a request must have",
            "request has to be an object with its fields",
            "request 값은 그 필드를 적은 object여야 함",
        ),
    ],
)
def test_what_is_wrong_with_an_answer_is_told_without_what_stands_in_it(
    answer: Any, said: str, english: str, korean: str, package: ToolPackage
) -> None:
    path = put_json(package, answer)
    assert runs(package) == {path: said}
    assert in_words(said) == (english, korean)


@pytest.mark.parametrize(
    ("said", "english", "korean"),
    [
        ("a list has to be here", "a list is needed", "목록이 필요함"),
        ("a: a text has to be here", "a: a text is needed", "a: 문자열이 필요함"),
        ("a: a whole number has to be here", "a: a whole number is needed", "a: 정수가 필요함"),
        ("a: an object of X has to be here", "a: an object is needed for X", "a: 레이아웃 X의 object가 필요함"),
        (
            "a: a whole number, or a text with a decimal number, has to be here",
            "a: a whole number, or a text with a decimal number, is needed",
            "a: 정수나 소수를 적은 문자열이 필요함",
        ),
        (
            "a: a text such as 2026-01-31 has to be here",
            "a: a text such as 2026-01-31 is needed",
            "a: 2026-01-31 같은 문자열이 필요함",
        ),
    ],
)
def test_kinds_of_values_have_words_in_both_languages(said: str, english: str, korean: str) -> None:
    assert in_words(said) == (english, korean)


@pytest.mark.parametrize(
    ("text", "said", "korean"),
    [
        (
            CAPTURED[1:].hex(),
            "the telegram CLCNNB00001_O has 30 bytes instead of 31",
            "전문 CLCNNB00001_O의 길이가 31바이트가 아니라 30바이트임",
        ),
        (
            CAPTURED.replace(b"00125", b"12-34").hex(),
            "the telegram CLCNNB00001_O cannot be made at rate, byte 2: telegram-digits",
            "전문 CLCNNB00001_O의 rate(2바이트째)에서 막힘: 숫자가 필요함",
        ),
        (
            "31 3",
            "not readable as hexadecimal digits in UTF-8 (ValueError)",
            "캡처한 전문은 16진수 두 자리씩이어야 함",
        ),
    ],
)
def test_what_is_wrong_with_a_captured_telegram_is_told(
    text: str, said: str, korean: str, package: ToolPackage
) -> None:
    path = put_text(package, "CLCNNB00001.hex", text)
    assert runs(package) == {path: said}
    assert in_words(said).ko == korean


def test_a_request_that_is_no_telegram_is_told(package: ToolPackage) -> None:
    define(package, examples={"valid": [{"claimNo": "CLM123456789"}]})
    path = put_json(package, ANSWER)
    said = "the telegram CLCNNB00001_I cannot be made at claim_no, byte 0: telegram-overflow"
    assert runs(package) == {path: said}


@pytest.mark.parametrize(
    ("is_plain", "said", "korean"),
    [
        (
            True,
            'the tool asked the interface "CLCNNB00001" more than 50 times',
            '도구가 인터페이스 "CLCNNB00001"을(를) 50번 넘게 호출함',
        ),
        (
            False,
            'the tool asks the interface "CLCNNB00001" for what none of its samples is the answer to',
            '도구가 인터페이스 "CLCNNB00001"에 보낸 요청에 맞는 샘플이 없음',
        ),
    ],
)
def test_a_tool_that_asks_for_more_than_there_is_is_told(
    is_plain: bool, said: str, korean: str, package: ToolPackage
) -> None:
    answer = {**ANSWER, "next_key": "again"}
    path = put_json(package, answer if is_plain else {"request": {"claim_no": "CLM1"}, "answer": answer})
    assert runs(package) == {path: said}
    assert in_words(said).ko == korean


def test_an_interface_without_a_sample_is_named(package: ToolPackage) -> None:
    path = put_json(package, ANSWER)
    other = "class CLCNNB00002_O(CLCNNB00001_O, id='CLCNNB00002'): ..."
    asking = "await self._client.call(CLCNNB00001_I(claim_no='1'), CLCNNB00002_O)\n        return Found("
    package.declare(TOOLS.replace("class Gone", f"{other}\n\nclass Gone").replace("return Found(", asking))
    said = 'the tool also asks the interface "CLCNNB00002", of which it has no sample (mci-CLCNNB00002.json)'
    assert runs(package) == {path: said}
    assert in_words(said).ko == '도구가 인터페이스 "CLCNNB00002"도 호출하는데 그 샘플(mci-CLCNNB00002.json)이 없음'


def test_a_sample_that_is_no_json_is_left_to_the_rule_and_another_file_is_none(package: ToolPackage) -> None:
    put_text(package, "CLCNNB00001.json", "{")
    put_text(package, "CLCNNB00001.txt", "notes")
    assert inspected(package).sample_runs == {}


@pytest.mark.req("rule/TK517")
@pytest.mark.parametrize(
    ("answer", "leak"), [("CLCNNB00001_O", "/: CLCNNB00001_O"), ("list[CLCNNB00001_O]", "/*: CLCNNB00001_O")]
)
def test_a_telegram_that_is_the_answer_leaks(answer: str, leak: str, package: ToolPackage) -> None:
    package.declare(TOOLS.replace("-> Found:", f"-> {answer}:"))
    assert inspected(package).leaks == (leak,)
