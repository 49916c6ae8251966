"""Whether everything could be read at all: rules TK001 and TK002."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.toolkit.facts.service import Definition, Facts, Located, Resource
from axhub.toolkit.rules.functions import fails_the_import, implementing, refused_awaits
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.saying import of_yaml

__all__ = ["RULES", "is_closed"]

_MAX_CAUSE: Final = 300
_OF_FILE: Final = re.compile(r" \([^()]*\.pyc?\)$")
"""Where Python found a module: the same as its name, for one machine only."""
_NO_YAML: Final = re.compile(r"text that is not YAML: (.*); needed: .*")
_CLOSED: Final = "cannot be read: "
"""Begins the problem of a file that nobody may read; how the system says why follows."""
_PATTERN: Final = re.compile(r"the pattern of (\w+) is no regular expression: (.*)", re.DOTALL)
_UNKNOWN: Final = re.compile(r"NameError: name '(\w+)' is not defined.*")
_HOMES: Final[Mapping[str, str]] = {
    name: module
    for module, names in {
        "datetime": ("date", "datetime", "time", "timedelta"),
        "decimal": ("Decimal",),
        "enum": ("Enum", "StrEnum"),
        "typing": ("Annotated", "Any", "Final", "Literal", "Protocol", "TypeVar"),
        "axhub.toolkit": (
            *("Desc", "EmployeeCipher", "Encrypted", "HttpBody", "HttpClient", "Input", "LegacyError", "Output"),
            *("RepeatStore", "ToolContext", "ToolError", "masked", "output_schema", "tool", "tool_hint"),
        ),
    }.items()
    for name in names
}
"""Where the names come from that tools are written with."""
_TAB: Final = "found character '\\t'"


def is_closed(found: Definition | Resource) -> bool:
    """Say whether nobody may read a file, which TK001 tells."""
    return found.problem is not None and found.problem.value.startswith(_CLOSED)


def _closed(facts: Facts) -> Iterator[Breach]:
    for problem in facts.unreadable:
        yield Breach(problem.place, "closed", {"cause": problem.value})
    both: tuple[Definition | Resource, ...] = (*facts.resources, *facts.definitions)
    for found in both:
        if found.problem is not None and is_closed(found):
            tool = found.stem if isinstance(found, Definition) else None
            yield Breach(found.problem.place, "closed", {"cause": found.problem.value.removeprefix(_CLOSED)}, tool)


def _cause(problem: Located[str]) -> dict[str, str]:
    # An error's text has several lines at times; the first says what it is, and a message ends its sentence itself.
    lines = [line.strip() for line in problem.value.splitlines() if line.strip()]
    first = _OF_FILE.sub("", lines[0] if lines else "")
    return {"cause": first[:_MAX_CAUSE].rstrip(".")}


def _why(problem: Located[str]) -> dict[str, str]:
    """Return why a definition cannot be read: as its reader says it, and in Korean."""
    cause = _cause(problem)
    yaml = _NO_YAML.fullmatch(cause["cause"])
    return {**cause, "cause_ko": of_yaml(cause["cause"] if yaml is None else yaml[1]).ko}


def _unreadable(facts: Facts) -> Iterator[Breach]:
    for problem in facts.problems:
        yield Breach(problem.place, "source", _cause(problem))
    yield from _closed(facts)
    yield from _awaits(facts)
    for definition in facts.definitions:
        if definition.problem is not None and not is_closed(definition):
            cause = _why(definition.problem)
            variant, values = "definition", cause
            if _NO_YAML.fullmatch(cause["cause"]) is not None:
                variant, values = "tab" if _TAB in cause["cause"] else "yaml", cause
            yield Breach(definition.problem.place, variant, values, definition.stem)


def _awaits(facts: Facts) -> Iterator[Breach]:
    """Find functions that Python refuses; of those that implement a tool TK202 tells."""
    tools = {declared.function for declared in facts.declared}
    waiting = [function for function in refused_awaits(facts) if function.qualified not in tools]
    told = implementing(facts) if waiting else {}
    for function in waiting:
        if function.qualified not in told:
            yield Breach(function.place, "await", {"function": function.name})


def _not_imported(facts: Facts) -> Iterator[Breach]:
    problem = facts.import_problem
    if problem is None or facts.problems or fails_the_import(facts, problem.value):
        return  # a file that is no Python, or a declaration that Python refuses, is reported where it stands
    if hung := facts.import_hung:
        variant = "hung" if hung["called"] else "stood" if hung["at"] else "slow"
        yield Breach(problem.place, variant, hung)
        return
    cause = {**_cause(problem), "package": facts.project.package}
    if (pattern := _PATTERN.fullmatch(cause["cause"])) is not None:
        yield Breach(problem.place, "pattern", {"field": pattern[1], "cause": pattern[2]})
    elif (unknown := _UNKNOWN.fullmatch(cause["cause"])) is not None and unknown[1] in _HOMES:
        line = f"from {_HOMES[unknown[1]]} import {unknown[1]}"
        yield Breach(problem.place, "name", {"name": unknown[1], "line": line})
    else:
        yield Breach(problem.place, values=cause)


TK001: Final = Rule(
    id="TK001",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text("Every source and definition file can be read.", "모든 소스 파일과 정의 파일을 읽을 수 있어야 합니다."),
    why=Text(
        "A file that cannot be read is checked by no other rule, so nothing is known about it. The message names the "
        "place at which the reader gave up; the mistake stands there or in the line before.",
        "읽을 수 없는 파일은 다른 규칙으로도 검사할 수 없습니다. 메시지는 읽기를 멈춘 위치를 알려 주며, 실수는 그 "
        "줄이나 바로 앞 "
        "줄에 있습니다.",
    ),
    messages={
        "source": Message(
            Text("This file is not valid Python ({cause}).", "이 파일은 올바른 Python이 아닙니다({cause})."),
            Text(
                "Correct this line or the one before it; nothing else in the file was checked.",
                "이 줄이나 바로 앞 줄을 고치십시오. 파일의 나머지는 검사하지 않았습니다.",
            ),
        ),
        "definition": Message(
            Text("This definition cannot be read ({cause}).", "이 정의 파일을 읽을 수 없습니다({cause_ko})."),
            Text(
                "Correct this line or the one before it; nothing else in the file was checked.",
                "이 줄이나 바로 앞 줄을 고치십시오. 파일의 나머지는 검사하지 않았습니다.",
            ),
        ),
        "yaml": Message(
            Text("This definition cannot be read ({cause}).", "이 정의 파일은 올바른 YAML이 아닙니다({cause_ko})."),
            Text(
                "Correct this line or the one before it; nothing else in the file was checked.",
                "이 줄이나 바로 앞 줄을 고치십시오. 파일의 나머지는 검사하지 않았습니다.",
            ),
        ),
        "closed": Message(
            Text("This cannot be read: {cause}.", "읽을 수 없습니다: {cause}."),
            Text(
                "Give read permission, or remove it; nothing in it was checked.",
                "읽기 권한을 주거나 지우십시오. 그 안의 내용은 검사하지 않았습니다.",
            ),
        ),
        "await": Message(
            Text(
                "The function {function} awaits something, and is no async function.",
                "함수 {function}에서 await를 쓰지만 async 함수가 아닙니다.",
            ),
            Text(
                "Write `async def {function}(…)`, and await it where it is called.",
                "`async def {function}(…)` 형식으로 쓰고 호출하는 곳에서 await 하십시오.",
            ),
        ),
        "tab": Message(
            Text("This definition indents with a tab.", "이 정의 파일의 들여쓰기에 탭이 있습니다."),
            Text(
                "Indent with spaces; nothing else in the file was checked.",
                "탭을 공백으로 바꾸십시오. 파일의 나머지는 검사하지 않았습니다.",
            ),
        ),
    },
    check=_unreadable,
    bad="description:\n\tfunction: 청구 상태를 조회한다.   # a tab",
    good="description:\n  function: 청구 상태를 조회한다.",
    suppressible=False,
)

_MOVE: Final = Text(
    "Move what waits into a function; rules about models were not run.",
    "기다리는 코드를 함수 안으로 옮기십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
)

TK002: Final = Rule(
    id="TK002",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text("The package can be imported.", "패키지를 가져올(import) 수 있어야 합니다."),
    why=Text(
        "Schemas are made from the models after the package was imported in a process of its own. When that fails, the "
        "rules about models, schemas and the manifest have nothing to look at, and the service would not start either.",
        "스키마는 패키지를 별도 프로세스에서 가져온 뒤 모델에서 만듭니다. 가져오지 못하면 모델, 스키마, 매니페스트 "
        "규칙을 "
        "검사할 수 없고 서비스도 시작하지 못합니다.",
    ),
    messages={
        "": Message(
            Text("The package cannot be imported ({cause}).", "패키지를 가져올(import) 수 없습니다({cause})."),
            Text(
                'Correct this line, so that `python -c "import {package}"` and the imports of its modules succeed; '
                "rules about models were not run.",
                '이 줄을 고쳐 `python -c "import {package}"` 명령과 모듈 가져오기가 성공하게 하십시오. '
                "모델에 대한 규칙은 검사하지 않았습니다.",
            ),
        ),
        "pattern": Message(
            Text(
                "The pattern of {field} is no regular expression that the request model takes ({cause}).",
                "{field} 필드의 정규식을 요청 모델이 받지 않습니다({cause}).",
            ),
            Text(
                "Close every bracket; instead of look-around and back-references list the allowed forms with `|`. "
                "Rules about models were not run.",
                "괄호를 모두 닫고, 전후방 탐색이나 역참조 대신 허용하는 형식을 `|`로 나열하십시오. 모델에 대한 규칙은 "
                "검사하지 않았습니다.",
            ),
        ),
        "name": Message(
            Text(
                "The package cannot be imported: `{name}` is used here and not imported.",
                "패키지를 가져올(import) 수 없습니다. 여기에서 쓰는 `{name}` 이름을 import 하지 않았습니다.",
            ),
            Text(
                "Add `{line}` to the imports of this file; rules about models were not run.",
                "이 파일의 import에 `{line}` 줄을 추가하십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
            ),
        ),
        "hung": Message(
            Text(
                "Importing {module} did not end within {seconds} seconds; it stood in {at} ({called}).",
                "{module} 가져오기(import)가 {seconds}초 안에 끝나지 않았습니다. 멈춘 곳: {at} ({called}).",
            ),
            _MOVE,
        ),
        "stood": Message(
            Text(
                "Importing {module} did not end within {seconds} seconds; it stood in {at}.",
                "{module} 가져오기(import)가 {seconds}초 안에 끝나지 않았습니다. 멈춘 곳: {at}.",
            ),
            _MOVE,
        ),
        "slow": Message(
            Text(
                "Importing {module} did not end within {seconds} seconds.",
                "{module} 가져오기(import)가 {seconds}초 안에 끝나지 않았습니다.",
            ),
            _MOVE,
        ),
    },
    check=_not_imported,
    bad="from my_tools.biz.cmm.dto import ClaimSearchReqest",
    good="from my_tools.biz.cmm.dto import ClaimSearchRequest",
    suppressible=False,
)

RULES: Final = (TK001, TK002)
