"""A report as text, as JSON and as GitHub's annotations, in both languages."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.toolkit.check import Report, Result, ToolProject
from axhub.toolkit.check.explaining import blank, explained, listed
from axhub.toolkit.check.formats import fault_lines, github_lines, json_text, text_lines
from axhub.toolkit.check.report import RuleFault
from axhub.toolkit.facts.service import Place
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from support import toolkit_facts

RULE = Rule(
    id="TK101",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text("A name is short.", "이름은 짧아야 합니다."),
    why=Text("So that it fits.", "그래야 들어갑니다."),
    messages={"": Message(Text('"{name}" is long {{so}}.', '"{name}"이(가) 깁니다.'), Text("Cut it.", "줄이십시오."))},
    check=lambda _: (),
    bad='name="long"',
    good='name="short"',
)
HINT = Rule(
    id="TK901",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text("A hint.", "힌트."),
    why=Text("Maybe.", "아마도."),
    messages=RULE.messages,
    check=RULE.check,
    suppressible=False,
    heuristic=True,
)
PROJECT = ToolProject(Path("/srv/a"), "my-tools", toolkit_facts.project())


def result(rule: Rule = RULE, place: Place = Place("src/a.py", 2, 7), problem: str = "Bad.") -> Result:  # noqa: B008 - a value
    breach = Breach(place, values={"name": "x"}, tool="cmm_x")
    return Result(rule, breach, rule.severity, {"en": (problem, "Mend it."), "ko": ("나쁨.", "고치십시오.")})


def report(*results: Result, **changes: object) -> Report:
    return Report(PROJECT, results, **{"tools": ("cmm_x",), **changes})  # type: ignore[arg-type]  # fields by name


def test_text_names_place_severity_rule_problem_and_mend() -> None:
    found = report(result(), result(HINT, Place("src/b.yml", 3)))
    assert list(text_lines(found)) == [
        "src/a.py:2:7: error TK101: Bad.",
        "    fix: Mend it.      (axhub explain TK101)",
        "src/b.yml:3: warning TK901: Bad.",
        "    fix: Mend it.      (axhub explain TK901)",
        "1 error, 1 warning in 1 tool",
    ]
    assert list(text_lines(found, "ko")) == [
        "src/a.py:2:7: 오류 TK101: 나쁨.",
        "    고침: 고치십시오.      (axhub explain TK101)",
        "src/b.yml:3: 경고 TK901: 나쁨.",
        "    고침: 고치십시오.      (axhub explain TK901)",
        "도구 1개: 오류 1건, 경고 1건",
    ]


def test_paths_are_as_seen_from_the_reader_and_colours_only_on_request() -> None:
    plain, mend, _ = text_lines(report(result()), prefix="../tools")
    assert plain == "../tools/src/a.py:2:7: error TK101: Bad."
    painted = next(iter(text_lines(report(result()), colour=True)))
    assert painted == "\x1b[1msrc/a.py:2:7\x1b[0m: \x1b[1;31merror\x1b[0m TK101: Bad."
    assert "\x1b" not in plain + mend


@pytest.mark.parametrize(
    ("found", "en", "ko"),
    [
        (report(tools=()), "nothing found in 0 tools", "도구 0개: 발견된 문제 없음"),
        (report(result(), result()), "2 errors in 1 tool", "도구 1개: 오류 2건"),
        (
            report(allowed=(result(),), drafts=("cmm_x", "cmm_y"), tools=("cmm_x", "cmm_y")),
            (
                "nothing found in 2 tools; 1 finding allowed by comments; "
                "under development, errors shown as warnings: cmm_x, cmm_y"
            ),
            "도구 2개: 발견된 문제 없음; 주석으로 허용 1건; 개발 중이라 오류를 경고로 표시: cmm_x, cmm_y",
        ),
    ],
)
def test_the_last_line_counts(found: Report, en: str, ko: str) -> None:
    assert (list(text_lines(found))[-1], list(text_lines(found, "ko"))[-1]) == (en, ko)


@pytest.mark.req("rule/TK503")
def test_tools_that_were_not_tried_are_named_a_line_for_each_reason() -> None:
    untried = {
        "a": "writes",
        "b": "constructor Search",
        "c": "writes",
        "d": "provided",
        "e": "opened",
        "f": "unknown",
        "g": "hintless",
    }
    found = report(untried=untried)
    assert list(text_lines(found)) == [
        "samples not tried, since the tool writes: a, c",
        "samples not tried, since the constructor of Search does more than keep what it is given: b",
        "samples not tried, since the tool needs what app.py provides: d",
        "samples not tried, since something is opened before the tool's first call: e",
        "samples not tried, since no usable definition tells whether the tool writes: f",
        "samples not tried, since @tool_hint(category_key=…), which leads to the definition, is missing: g",
        "nothing found in 1 tool",
    ]
    korean = [
        "쓰기 도구라 샘플을 시험하지 않음: a, c",
        "Search의 생성자가 받은 값을 보관하는 것 외의 일을 해 샘플을 시험하지 않음: b",
        "app.py가 제공하는 것이 필요해 샘플을 시험하지 않음: d",
        "첫 호출 전에 여는 것이 있어 샘플을 시험하지 않음: e",
        "쓰기 도구인지 알려 줄 정의 파일을 찾거나 읽을 수 없어 샘플을 시험하지 않음: f",
        "정의 파일을 찾을 @tool_hint(category_key=…)가 없어 샘플을 시험하지 않음: g",
        "도구 1개: 발견된 문제 없음",
    ]
    assert list(text_lines(found, "ko")) == list(github_lines(found, "ko")) == korean


def test_json_has_one_stable_shape() -> None:
    found = report(result(), allowed=(result(HINT),), faults=(RuleFault("TK105", "KeyError: 'x'"),), drafts=("d",))
    found = replace(found, untried={"cmm_x": "writes"})
    shown = {
        "rule": "TK101",
        "severity": "error",
        "file": "src/a.py",
        "line": 2,
        "column": 7,
        "tool": "cmm_x",
        "problem": "나쁨.",
        "mend": "고치십시오.",
        "draft": False,
    }
    assert json.loads(json_text(found, "ko")) == {
        "project": "my-tools",
        "root": "/srv/a",
        "tools": ["cmm_x"],
        "drafts": ["d"],
        "errors": 1,
        "warnings": 0,
        "findings": [shown],
        "allowed": [{**shown, "rule": "TK901", "severity": "warning"}],
        "faults": [{"rule": "TK105", "error": "KeyError: 'x'"}],
        "untried": [{"tool": "cmm_x", "reason": "writes"}],
    }


def test_github_annotations_are_escaped() -> None:
    odd = result(place=Place("src/a,b:c%.py", 0, 0), problem="50%\r\nof: it, all")
    assert list(github_lines(report(odd, result(HINT)), prefix="services/a")) == [
        "::error file=services/a/src/a%2Cb%3Ac%25.py,line=1,col=1,title=TK101::50%25%0D%0Aof: it, all fix: Mend it.",
        "::warning file=services/a/src/a.py,line=2,col=7,title=TK901::Bad. fix: Mend it.",
        "1 error, 1 warning in 1 tool",
    ]


def test_a_rule_that_could_not_be_decided_is_called_a_fault_of_ours() -> None:
    found = report(faults=(RuleFault("TK105", "KeyError: 'a\nb'"),))
    assert list(fault_lines(found)) == [
        "rule TK105 could not be decided: KeyError: 'a\\nb'",
        "This is a fault of axhub itself, not of your service; please report it.",
    ]
    assert list(fault_lines(found, "ko")) == [
        "규칙 TK105을(를) 판정하지 못했습니다: KeyError: 'a\\nb'",
        "서비스가 아니라 axhub 자체의 결함입니다. 알려 주십시오.",
    ]
    assert list(fault_lines(report())) == []


def test_a_rule_is_explained_with_its_messages_and_samples() -> None:
    assert "\n".join(explained(RULE)) == (
        "TK101 (error): A name is short.\n"
        "\n"
        "So that it fits.\n"
        "It decides exactly.\n"
        "\n"
        "What it says:\n"
        '  "{name}" is long {so}.\n'
        "      fix: Cut it.\n"
        "\n"
        "Not so:\n"
        '    name="long"\n'
        "\n"
        "But so:\n"
        '    name="short"\n'
        "\n"
        "Where it has to be broken, say so on its line: # axhub: allow TK101 -- why"
    )
    assert "\n".join(explained(HINT, "ko")) == (
        "TK901 (경고): 힌트.\n"
        "\n"
        "아마도.\n"
        "추정하는 규칙이라 틀릴 수 있으므로 경고만 합니다.\n"
        "\n"
        "메시지:\n"
        '  "{name}"이(가) 깁니다.\n'
        "      고침: 줄이십시오.\n"
        "\n"
        "예외가 없는 규칙이며, 주석으로 끌 수 없습니다."
    )


def test_a_problem_with_several_mends_is_told_once() -> None:
    messages = {
        "": RULE.messages[""],
        "near": Message(RULE.messages[""].problem, Text("Write {name}.", "{name}(으)로 쓰십시오.")),
        "other": Message(Text("It is odd.", "이상합니다."), Text("Cut it.", "줄이십시오.")),
        "again": Message(Text("It is odd.", "이상합니다."), Text("Cut it.", "줄이십시오.")),
    }
    lines = list(explained(replace(RULE, messages=messages)))
    assert lines[5:11] == [
        "What it says:",
        '  "{name}" is long {so}.',
        "      fix: Cut it.",
        "      fix: Write {name}.",
        "  It is odd.",
        "      fix: Cut it.",
    ]


def test_all_rules_are_listed_one_a_line() -> None:
    assert list(listed([RULE, HINT])) == ["TK101  error    A name is short.", "TK901  warning  A hint."]


@pytest.mark.parametrize(
    ("found", "plain", "strict"),
    [
        (report(), 0, 0),
        (report(result(HINT)), 0, 1),
        (report(result(), result(HINT)), 1, 1),
        (report(result(), faults=(RuleFault("TK1", "x"),)), 2, 2),
    ],
)
def test_the_exit_code_tells_the_cases_apart(found: Report, plain: int, strict: int) -> None:
    assert (found.exit_code(), found.exit_code(strict=True)) == (plain, strict)


def test_values_have_the_same_name_in_both_languages() -> None:
    assert (blank("is {found}"), blank("지금 값: {found_ko}")) == ("is {found}", "지금 값: {found}")
