"""Whether everything could be read at all: rules TK001 and TK002."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.toolkit.facts.service import Definition, Facts, Located, Resource
from axhub.toolkit.facts.source import TOO_LARGE
from axhub.toolkit.layout import CONFIGURATION
from axhub.toolkit.rules.functions import fails_the_import, implementing, refused_awaits
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.python_errors import of_python
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
_KEY: Final = re.compile(r"KeyError: '([A-Za-z_][A-Za-z0-9_]*)'")
_BARE: Final = re.compile(r"TypeError: (tool|tool_hint)\(\) takes 0 positional arguments but 1 was given")
"""What Python says about a decorator without parentheses; of arguments without names TK211 tells."""
_CALLS: Final = {
    "tool": "@tool(name=…, title=…, description=…)",
    "tool_hint": "@tool_hint(category_key=…, mapping_id=…)",
}
_HOMES: Final[Mapping[str, str]] = {
    name: module
    for module, names in {
        "datetime": ("date", "datetime", "time", "timedelta"),
        "decimal": ("Decimal",),
        "enum": ("Enum", "StrEnum"),
        "pydantic": ("BaseModel", "Field", "field_validator", "model_validator"),
        "typing": ("Annotated", "Any", "Final", "Literal", "Protocol", "TypeVar"),
        "axhub.toolkit": (
            *("Desc", "EmployeeCipher", "Encrypted", "HttpBody", "HttpClient", "Input", "LegacyError"),
            *(
                "MciClient",
                "Output",
                "RepeatStore",
                "ToolContext",
                "ToolError",
                "masked",
                "output_schema",
                "tool",
                "tool_hint",
            ),
        ),
        "axhub.toolkit.mci": ("Date", "Envelope", "Filler", "Layout", "MciCall", "Num", "Packed", "Rows", "Text"),
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
        yield Breach(problem.place, "closed", in_both("cause", of_python(problem.value)))
    both: tuple[Definition | Resource, ...] = (*facts.resources, *facts.definitions)
    for found in both:
        if found.problem is not None and is_closed(found):
            tool = found.stem if isinstance(found, Definition) else None
            cause = of_python(found.problem.value.removeprefix(_CLOSED))
            yield Breach(found.problem.place, "closed", in_both("cause", cause), tool)


def _cause(problem: Located[str]) -> dict[str, str]:
    # An error's text has several lines at times; the first says what it is, and a message ends its sentence itself.
    lines = [line.strip() for line in problem.value.splitlines() if line.strip()]
    first = _OF_FILE.sub("", lines[0] if lines else "")
    return {"cause": first[:_MAX_CAUSE].rstrip(".")}


def _python_cause(problem: Located[str]) -> dict[str, str]:
    """Return why Python refuses something: as it says it, and in Korean."""
    return in_both("cause", of_python(_cause(problem)["cause"]))


def _why(problem: Located[str]) -> dict[str, str]:
    """Return why a definition cannot be read: as its reader says it, and in Korean."""
    cause = _cause(problem)
    yaml = _NO_YAML.fullmatch(cause["cause"])
    return {**cause, "cause_ko": of_yaml(cause["cause"] if yaml is None else yaml[1]).ko}


def _unreadable(facts: Facts) -> Iterator[Breach]:
    for problem in facts.problems:
        if problem.value.startswith(TOO_LARGE):
            yield Breach(problem.place, "large", {"size": problem.value.removeprefix(TOO_LARGE).partition(" ")[0]})
        else:
            yield Breach(problem.place, "source", _python_cause(problem))
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
        values = {"field": pattern[1], **in_both("cause", of_python(pattern[2]))}
        yield Breach(problem.place, "pattern", values)
    elif (bare := _BARE.fullmatch(cause["cause"])) is not None:
        yield Breach(problem.place, "bare", {"decorator": bare[1], "call": _CALLS[bare[1]]})
    elif (variable := _variable(facts, cause["cause"])) is not None:
        yield Breach(problem.place, "variable", {"name": variable, "config": f"{facts.project.folder}/{CONFIGURATION}"})
    elif (home := _home(facts, cause["cause"])) is not None:
        yield Breach(problem.place, "name", home)
    else:
        yield Breach(problem.place, values={**cause, **_python_cause(problem)})


def _variable(facts: Facts, cause: str) -> str | None:
    """Return the environment variable that is read while the package is imported, and that is not set then."""
    missing = _KEY.fullmatch(cause)
    read = {one.value for module in facts.modules for one in module.environment}
    return missing[1] if missing is not None and missing[1] in read else None


def _home(facts: Facts, cause: str) -> dict[str, str] | None:
    """Return a name that is used without being imported, and the line that imports it, if that is known."""
    unknown = _UNKNOWN.fullmatch(cause)
    if unknown is None:
        return None
    name = unknown[1]
    own = [
        module.name
        for module in facts.modules
        if any(one.qualified == f"{module.name}.{name}" for one in module.classes)
    ]
    home = _HOMES.get(name, own[0] if len(own) == 1 else None)
    return None if home is None else {"name": name, "line": f"from {home} import {name}"}


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
            Text("This file is not valid Python ({cause}).", "이 파일은 올바른 Python이 아닙니다({cause_ko})."),
            Text(
                "Correct this line or the one before it; nothing else in the file was checked.",
                "이 줄이나 바로 앞 줄을 고치십시오. 파일의 나머지는 검사하지 않았습니다.",
            ),
        ),
        "large": Message(
            Text(
                "This file has {size} bytes; source of more than 1 MiB is not checked.",
                "이 파일은 {size}바이트입니다. 1 MiB보다 큰 소스는 검사하지 않습니다.",
            ),
            Text(
                "Split it, or move its tables into a data file that the package reads.",
                "파일을 나누거나, 표를 데이터 파일로 옮겨 패키지에서 읽으십시오.",
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
            Text("This cannot be read: {cause}.", "읽을 수 없습니다: {cause_ko}."),
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
            Text("The package cannot be imported ({cause}).", "패키지를 가져올(import) 수 없습니다({cause_ko})."),
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
                "{field} 필드의 정규식을 요청 모델이 받지 않습니다({cause_ko}).",
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
        "variable": Message(
            Text(
                "The package cannot be imported: the environment variable {name} is read meanwhile, and a check has "
                "no variables.",
                "패키지를 가져올(import) 수 없습니다. 가져오는 동안 환경 변수 {name} 값을 읽는데, 검사에는 환경 변수가 "
                "없습니다.",
            ),
            Text(
                "Let {config} read what an address or a credential is, as `${{{name}}}`; what else is needed is read "
                "in app.py with `os.environ.get`. Rules about models were not run.",
                "주소나 인증 값은 {config}에 `${{{name}}}`으로 쓰고, 그 밖의 값은 app.py에서 `os.environ.get`으로 "
                "읽으십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
            ),
        ),
        "bare": Message(
            Text(
                "The package cannot be imported: @{decorator} stands here without parentheses.",
                "패키지를 가져올(import) 수 없습니다. 여기의 @{decorator}에 괄호가 없습니다.",
            ),
            Text(
                "Write `{call}`; rules about models were not run.",
                "`{call}` 형식으로 쓰십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
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
