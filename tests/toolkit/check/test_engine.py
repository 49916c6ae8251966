"""The engine decides every rule, whatever one of them does, and what counts."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from axhub.toolkit.check.engine import judge
from axhub.toolkit.check.report import RuleFault
from axhub.toolkit.facts.service import Allowance, Facts, Place
from axhub.toolkit.rules import checking
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from support import toolkit_facts

HERE = Place("a.py", 3, 5)
GOOD = toolkit_facts.facts()
Check = Callable[[Facts], Iterable[Breach]]


def rule(
    id_: str,
    check: Check | Breach,
    *,
    severity: Severity = Severity.ERROR,
    stage: Stage = Stage.SOURCE,
    suppressible: bool = True,
    heuristic: bool = False,
) -> Rule:
    always: Check = (lambda _: [check]) if isinstance(check, Breach) else check
    messages = {"": Message(Text("{name} is wrong", "{name}이(가) 틀림"), Text("mend it", "고치십시오"))}
    text = Text("title", "제목")
    return Rule(id_, severity, stage, text, text, messages, always, "", "", suppressible, heuristic)


def breach(place: Place = HERE, name: str = "x", **changes: object) -> Breach:
    return replace(Breach(place, values={"name": name}), **changes)  # type: ignore[arg-type]  # fields by name


def allowing(*rules: str, reason: str = "why", line: int = 3, last: int = 0) -> Facts:
    return replace(GOOD, allowances=(Allowance(Place("a.py", line, 9), rules, reason, line, last or line),))


def said(facts: Facts, *rules: Rule) -> list[str]:
    found = [result.finding("en") for result in judge(facts, rules).results]
    return [f"{one.place} {one.severity.value} {one.rule}: {one.problem}" for one in found]


def test_findings_are_sorted_by_place_without_repeats_and_heuristic_ones_come_last() -> None:
    rules = (
        rule("TK903", breach(Place("a.py", 1, 1)), severity=Severity.WARNING, heuristic=True),
        rule("TK902", lambda _: [breach(Place("b.py", 1)), breach(), breach(), breach(name="y")]),
        rule("TK901", lambda _: [breach(), breach(Place("a.py", 3, 4))], severity=Severity.WARNING),
    )
    assert said(GOOD, *rules) == [
        "a.py:3:4 warning TK901: x is wrong",
        "a.py:3:5 warning TK901: x is wrong",
        "a.py:3:5 error TK902: x is wrong",
        "a.py:3:5 error TK902: y is wrong",
        "b.py:1 error TK902: x is wrong",
        "a.py:1:1 warning TK903: x is wrong",
    ]


def test_a_rule_that_fails_is_a_fault_with_its_id_and_the_others_are_decided() -> None:
    def fails(facts: Facts) -> Iterable[Breach]:
        yield breach()
        raise KeyError("name")

    judged = judge(GOOD, [rule("TK901", fails), rule("TK902", breach(variant="none")), rule("TK903", breach())])
    assert judged.faults == (RuleFault("TK901", "KeyError: 'name'"), RuleFault("TK902", "KeyError: 'none'"))
    assert [result.rule.id for result in judged.results] == ["TK903"]


def test_a_message_that_names_a_missing_value_is_a_fault_too() -> None:
    judged = judge(GOOD, [rule("TK901", Breach(HERE))])
    assert judged.faults == (RuleFault("TK901", "KeyError: 'name'"),)


def test_errors_of_a_tool_under_development_are_warnings() -> None:
    draft = toolkit_facts.facts(toolkit_facts.declared(register=False))
    wrong = breach(tool=toolkit_facts.TOOL)
    assert said(draft, rule("TK901", wrong), rule("TK902", breach())) == [
        "a.py:3:5 warning TK901: x is wrong",
        "a.py:3:5 error TK902: x is wrong",
    ]
    assert [result.draft for result in judge(draft, [rule("TK901", wrong)]).results] == [True]


def test_a_breach_may_matter_less_than_its_rule() -> None:
    assert said(GOOD, rule("TK901", breach(severity=Severity.WARNING))) == ["a.py:3:5 warning TK901: x is wrong"]


def test_values_stay_on_their_line_and_nothing_in_them_is_obeyed() -> None:
    wrong = breach(name="a\nb\x1b[2J\u202e" + "한" * 3000)
    ((problem, _),) = [result.texts["en"] for result in judge(GOOD, [rule("TK901", wrong)]).results]
    assert problem.startswith("a\\nb\\x1b[2J\\u202e한")
    assert len(problem) < 2100


@pytest.mark.parametrize(("line", "last"), [(3, 3), (2, 3), (1, 4)])
def test_an_allowed_finding_is_counted_apart(line: int, last: int) -> None:
    facts = allowing("TK900", "TK901", line=line, last=last)
    judged = judge(facts, [rule("TK900", breach()), rule("TK901", breach()), *checking.RULES])
    assert judged.results == ()
    assert [result.rule.id for result in judged.allowed] == ["TK900", "TK901"]


def test_a_finding_without_a_line_stands_in_the_first() -> None:
    facts = allowing("TK901", line=1)
    assert said(facts, rule("TK901", breach(Place("a.py"))), *checking.RULES) == []


@pytest.mark.req("rule/TK003")
def test_without_a_reason_the_finding_counts_and_so_does_the_comment() -> None:
    assert said(allowing("TK901", reason=""), rule("TK901", breach()), *checking.RULES) == [
        "a.py:3:5 error TK901: x is wrong",
        "a.py:3:9 error TK003: This comment allows TK901 without a reason.",
    ]


@pytest.mark.req("rule/TK003")
def test_a_comment_that_cannot_be_read_is_a_finding_that_shows_the_form() -> None:
    judged = judge(allowing(reason=""), checking.RULES)
    (found,) = [result.finding("en") for result in judged.results]
    assert (found.rule, found.severity) == ("TK003", Severity.ERROR)
    assert found.problem == "This comment for axhub cannot be read."
    assert found.mend == 'Write "# axhub: allow TK105 -- …", with the id of the finding and a reason after "--".'


@pytest.mark.req("rule/TK004")
@pytest.mark.parametrize(
    ("id_", "en", "ko"),
    [
        (
            "TK902",
            (
                "This comment allows TK902, which finds nothing here. "
                "Remove TK902 from the comment, or move the comment to the line that the finding names."
            ),
            (
                "이 주석은 TK902를 허용하지만, 여기에는 TK902의 결과가 없습니다. "
                "주석에서 TK902를 지우거나, 결과가 가리키는 줄로 주석을 옮기십시오."
            ),
        ),
        (
            "TK999",
            (
                "This comment allows TK999, but there is no such rule. "
                "Write the id that the finding shows; `axhub explain` lists all."
            ),
            (
                "이 주석은 TK999를 허용하지만, 그런 규칙은 없습니다. "
                "결과에 표시된 ID를 쓰십시오. 전체 목록은 `axhub explain`으로 볼 수 있습니다."
            ),
        ),
        (
            "TK903",
            (
                "This comment allows TK903, which holds without exception. "
                "Remove TK903 from the comment, and mend what it reports."
            ),
            (
                "이 주석은 TK903를 허용하지만, TK903에는 예외가 없습니다. "
                "주석에서 TK903를 지우고, 보고된 내용을 고치십시오."
            ),
        ),
    ],
)
def test_a_comment_that_allows_nothing_is_a_warning(id_: str, en: str, ko: str) -> None:
    others = (
        rule("TK902", breach(Place("a.py", 4))),
        rule("TK903", breach(Place("a.py", 3, 1)), suppressible=False),
    )
    results = judge(allowing(id_), (*others, *checking.RULES)).results
    (found,) = [result for result in results if result.rule.id not in {"TK902", "TK903"}]
    assert (found.rule.id, found.severity, found.breach.place) == ("TK004", Severity.WARNING, Place("a.py", 3, 9))
    assert {language: " ".join(texts) for language, texts in found.texts.items()} == {"en": en, "ko": ko}


def test_a_rule_without_exceptions_is_not_silenced() -> None:
    always = rule("TK901", breach(), suppressible=False)
    assert said(allowing("TK901"), always) == ["a.py:3:5 error TK901: x is wrong"]


def test_what_was_not_decided_is_not_called_unused() -> None:
    facts = replace(allowing("TK901", "TK902"), imported=None)
    late = rule("TK901", lambda _: [], stage=Stage.IMPORTED)
    assert said(facts, late, rule("TK902", lambda _: []), *checking.RULES) == [
        "a.py:3:9 warning TK004: This comment allows TK902, which finds nothing here."
    ]


def test_the_manifest_is_rendered_only_when_nothing_stands_against_it() -> None:
    def about_all(facts: Facts) -> Iterable[Breach]:
        return [breach(name=str(facts.manifest))] if facts.manifest else []

    late = rule("TK801", about_all, stage=Stage.SERVICE)
    clean = judge(GOOD, [late], lambda _: b"M")
    assert [result.texts["en"][0] for result in clean.results] == ["b'M' is wrong"]
    broken = judge(GOOD, [late, rule("TK901", breach())], lambda _: b"M")
    assert [result.rule.id for result in broken.results] == ["TK901"]


def test_a_manifest_that_cannot_be_rendered_is_a_fault_too() -> None:
    def fails(facts: Facts) -> bytes:
        raise ValueError("no")

    assert judge(GOOD, [], fails).faults == (RuleFault("TK805", "ValueError: no"),)


@pytest.mark.req("rule/TK005")
def test_a_service_of_the_workspace_that_cannot_be_read_is_a_warning() -> None:
    facts = replace(GOOD, unread_siblings=(toolkit_facts.located("../x: it is not there", "pyproject.toml", 4),))
    (found,) = judge(facts, checking.RULES).results
    assert (found.severity, found.breach.place) == (Severity.WARNING, Place("pyproject.toml", 4, 1))
    assert {language: " ".join(texts) for language, texts in found.texts.items()} == {
        "en": 'The service "../x" of the workspace cannot be read: it is not there. '
        "Correct the folder in [tool.axhub] workspace, which counts from this file, or remove it.",
        "ko": '워크스페이스의 서비스 "../x"를 읽을 수 없습니다: it is not there. '
        "[tool.axhub] workspace의 폴더를 이 파일 기준 상대 경로로 고치거나 지우십시오.",
    }
