"""The words around findings, in both languages."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.toolkit.check.render import shown
from axhub.toolkit.check.report import Language, Report

__all__ = ["WORDS", "summary", "untried_lines"]

WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "error": "error",
        "warning": "warning",
        "fix": "fix",
        "says": "What it says",
        "bad": "Not so",
        "good": "But so",
        "exact": "It decides exactly.",
        "heuristic": "It is a heuristic: it may be wrong, so it only warns.",
        "allow": "Where it has to be broken, say so on its line: # axhub: allow {id} -- why",
        "never": "It holds without exception: no comment switches it off.",
        "fault": "rule {rule} could not be decided: {error}",
        "our_fault": "This is a fault of axhub itself, not of your service; please report it.",
    },
    "ko": {
        "error": "오류",
        "warning": "경고",
        "fix": "고침",
        "says": "메시지",
        "bad": "잘못된 예",
        "good": "올바른 예",
        "exact": "정확히 판정하는 규칙입니다.",
        "heuristic": "추정하는 규칙이라 틀릴 수 있으므로 경고만 합니다.",
        "allow": "꼭 어겨야 한다면 그 줄에 이유를 적으십시오: # axhub: allow {id} -- 이유",
        "never": "예외가 없는 규칙이며, 주석으로 끌 수 없습니다.",
        "fault": "규칙 {rule}을(를) 판정하지 못했습니다: {error}",
        "our_fault": "서비스가 아니라 axhub 자체의 결함입니다. 알려 주십시오.",
    },
}


_UNTRIED: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "writes": "samples not tried, since the tool writes: {tools}",
        "unknown": "samples not tried, since no usable definition tells whether the tool writes: {tools}",
        "hintless": "samples not tried, since @tool_hint(category_key=…), which leads to the definition, is missing: "
        "{tools}",
        "provided": "samples not tried, since the tool needs what app.py provides: {tools}",
        "opened": "samples not tried, since something is opened before the tool's first call: {tools}",
        "constructor": "samples not tried, since the constructor of {name} does more than keep what it is given: "
        "{tools}",
    },
    "ko": {
        "writes": "쓰기 도구라 샘플을 시험하지 않음: {tools}",
        "unknown": "쓰기 도구인지 알려 줄 정의 파일을 찾거나 읽을 수 없어 샘플을 시험하지 않음: {tools}",
        "hintless": "정의 파일을 찾을 @tool_hint(category_key=…)가 없어 샘플을 시험하지 않음: {tools}",
        "provided": "app.py가 제공하는 것이 필요해 샘플을 시험하지 않음: {tools}",
        "opened": "첫 호출 전에 여는 것이 있어 샘플을 시험하지 않음: {tools}",
        "constructor": "{name}의 생성자가 받은 값을 보관하는 것 외의 일을 해 샘플을 시험하지 않음: {tools}",
    },
}
"""Why tools were not run on their samples, by the first word of `Imported.untried`."""


def untried_lines(report: Report, language: Language) -> Iterator[str]:
    """Yield a line for each reason for which tools were not run on their samples, with their names."""
    reasons: dict[str, list[str]] = {}
    for tool, reason in report.untried.items():
        reasons.setdefault(reason, []).append(tool)
    for reason, tools in reasons.items():
        kind, _, name = reason.partition(" ")
        yield shown(_UNTRIED[language][kind].format(name=name, tools=", ".join(tools)))


def summary(report: Report, language: Language) -> str:
    """Return one line: how many findings of which kind, in how many tools."""
    return _KINDS[language](report)


def _english(report: Report) -> str:
    counts = [
        _count(report.errors, "error") if report.errors else "",
        _count(report.warnings, "warning") if report.warnings else "",
    ]
    found = ", ".join(filter(None, counts)) or "nothing found"
    parts = [f"{found} in {_count(len(report.tools), 'tool')}"]
    if report.allowed:
        parts.append(f"{_count(len(report.allowed), 'finding')} allowed by comments")
    if report.drafts:
        parts.append(f"under development, errors shown as warnings: {', '.join(report.drafts)}")
    return "; ".join(parts)


def _korean(report: Report) -> str:
    counts = [
        f"오류 {report.errors}건" if report.errors else "",
        f"경고 {report.warnings}건" if report.warnings else "",
    ]
    found = ", ".join(filter(None, counts)) or "발견된 문제 없음"
    parts = [f"도구 {len(report.tools)}개: {found}"]
    if report.allowed:
        parts.append(f"주석으로 허용 {len(report.allowed)}건")
    if report.drafts:
        parts.append(f"개발 중이라 오류를 경고로 표시: {', '.join(report.drafts)}")
    return "; ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


_KINDS: Final = {"en": _english, "ko": _korean}
