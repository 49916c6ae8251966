"""What is wrong with a sample, with a mend by the kind of its cause: part of TK503 (seed 003 §7)."""

import re
from collections.abc import Mapping
from typing import Final

from axhub.toolkit.facts.service import Facts, Imported, Place
from axhub.toolkit.rules.environment import TK312
from axhub.toolkit.rules.model import Breach, Message, Text
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.saying import in_words

__all__ = ["FAILED", "failed"]

_PROBLEM: Final = Text(
    "The sample {path} does not become an answer: {answer}.",
    "{path} 샘플이 응답으로 변환되지 않습니다: {answer_ko}.",
)
_UNSET: Final = re.compile(r"the environment variable \S+ is not set(?: at \S+)?")
_TOO_MANY: Final = frozenset({"other", "unused"})
"""What rule/TK312 says of variables that are listed in vain."""
_VARIANTS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("lookup", re.compile(r"KeyError\b.*")),
    ("await", re.compile(r"the coroutine .* was never awaited.*")),
    ("body", re.compile(r"the answer is no (?P<body>\w+): .*|its members are none of (?P<layout>\w+): .*", re.DOTALL)),
    (
        "null",
        re.compile(
            r"(?:\w+ cannot be made|what the tool returned is no answer of it): (?:/\S* null(?:, )?)+(?: at .*)?"
        ),
    ),
)
"""By how what the inspection says begins; `failed` is any other cause."""

FAILED: Final[Mapping[str, Message]] = {
    "failed": Message(
        _PROBLEM,
        Text(
            "Correct the converter, or the sample if the legacy system never answers so.",
            "converter를 고치거나, 레거시 시스템이 이렇게 응답하지 않으면 샘플을 고치십시오.",
        ),
    ),
    "lookup": Message(
        _PROBLEM,
        Text(
            "The mapping there has no entry for a value: add it, or correct the value that is looked up.",
            "그 줄의 매핑에 없는 값을 찾았습니다. 항목을 추가하거나 찾는 값을 고치십시오.",
        ),
    ),
    "await": Message(_PROBLEM, Text("Write `await` there.", "그 호출 앞에 `await`를 쓰십시오.")),
    "body": Message(
        _PROBLEM,
        Text(
            "Correct the sample if the legacy system never answers so, else the fields of {body}.",
            "레거시 시스템이 이렇게 응답하지 않으면 샘플을, 이렇게 응답하면 {body} 클래스의 필드를 고치십시오.",
        ),
    ),
    "null": Message(
        _PROBLEM,
        Text(
            "Let the converter give a value there, or let the field be `… | None` and say in its description what null "
            "means.",
            "converter가 그 자리에 값을 주게 하거나, 필드를 `… | None`으로 하고 null의 의미를 설명에 적으십시오.",
        ),
    ),
    "variable": Message(
        _PROBLEM,
        Text(
            "Read it in the use case or the client, and list it in `required_env_keys` of {definition}; what is listed "
            "is set while samples are tried.",
            "use case나 클라이언트에서 읽고 {definition} 파일의 `required_env_keys` 목록에 추가하십시오. 목록에 있으면 "
            "샘플을 시험할 때 값이 설정됩니다.",
        ),
    ),
}


def failed(facts: Facts, tool: Imported, path: str, answer: str) -> Breach | None:
    """Return what is wrong with a sample that becomes no answer; None where another rule says it.

    Args:
        facts: of the service.
        tool: whose sample it is.
        path: of the sample.
        answer: what the inspection says.
    """
    values = {"path": path, **in_both("answer", in_words(answer))}
    if _UNSET.fullmatch(answer) is not None:
        return _of_variable(facts, tool, values)
    for variant, pattern in _VARIANTS:
        if (found := pattern.fullmatch(answer)) is not None:
            body = next(filter(None, found.groups()), "")
            return Breach(Place(path, 1, 1), variant, {**values, "body": body}, tool.name)
    return Breach(Place(path, 1, 1), "failed", values, tool.name)


def _of_variable(facts: Facts, tool: Imported, values: dict[str, str]) -> Breach | None:
    """Return that a variable is missing, unless rule/TK312 says so, or that the list cannot be read."""
    definition = facts.definition_of(tool.name)
    told = (one.variant for one in TK312.check(facts) if one.tool == tool.name)
    if definition is None or any(variant not in _TOO_MANY for variant in told):
        return None
    said = {**values, "definition": definition.path}
    return Breach(Place(values["path"], 1, 1), "variable", said, tool.name)
