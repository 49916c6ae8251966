"""What a failed start says beside what the rules say, in both languages (toolkit/T1, toolkit/S7)."""

from collections.abc import Mapping
from typing import Final

from axhub.toolkit.rules.model import Text

__all__ = ["start_text"]

_WORDS: Final[Mapping[str, Text]] = {
    "no-package": Text(
        "there is no package {package}; install the project, or start where it can be imported",
        "패키지 {package}이(가) 없습니다. 프로젝트를 설치하거나 가져올(import) 수 있는 곳에서 시작하십시오",
    ),
    "one-module": Text(
        "{package} is a single module; a Tool Service is a package, a folder with an __init__.py",
        "{package}은(는) 단일 모듈입니다. 도구 서비스는 __init__.py가 있는 폴더, 곧 패키지여야 합니다",
    ),
    "not-imported": Text(
        "the package {package} cannot be imported: {cause}{where}",
        "패키지 {package}을(를) 가져올(import) 수 없습니다: {cause_ko}{where}",
    ),
    "no-tool": Text(
        "the package {package} declares no tool; write one with @tool(…)",
        "패키지 {package}에 도구가 없습니다. @tool(…)로 선언하십시오",
    ),
    "unknown-disabled": Text(
        "disabledTools names {name}, which no tool is called; take it out or correct it",
        "disabledTools에 적힌 {name}이라는 도구가 없습니다. 빼거나 바로잡으십시오",
    ),
    "unknown-timeout": Text(
        "tools.{name}.timeoutMillis is set, but no tool is called '{name}'; take it out or correct it",
        "tools.{name}.timeoutMillis 값이 있지만 '{name}'이라는 도구가 없습니다. 빼거나 바로잡으십시오",
    ),
    "no-variable": Text(
        "the environment variable {key} is not set; needed by {tools} (required_env_keys)",
        "환경 변수 {key} 값이 없습니다. 필요한 도구: {tools} (required_env_keys)",
    ),
    "unknown-api": Text(
        '{client}.API_NAME is "{name}", and glow.communication.http.api-list has no entry of that name; there are: '
        "{known}",
        '{client}.API_NAME 값이 "{name}"인데 glow.communication.http.api-list에 그런 이름의 항목이 없습니다. 있는 '
        "이름: {known_ko}",
    ),
    "unknown-system": Text(
        '{client}.SYSTEM is "{name}", and glow.communication.mci.system-list has no entry of that name; there are: '
        "{known}",
        '{client}.SYSTEM 값이 "{name}"인데 glow.communication.mci.system-list에 그런 이름의 항목이 없습니다. 있는 '
        "이름: {known_ko}",
    ),
    "no-envelope": Text(
        "the port of the MCI system {system} is 0, so the service has to mock it, and infra/mci/{system} has no "
        "ENVELOPE; write envelope.py there, or give the system a port",
        "MCI 시스템 {system}의 port가 0이므로 서비스가 모의 시스템을 띄워야 하는데 infra/mci/{system}에 ENVELOPE가 "
        "없습니다. 그곳에 envelope.py를 쓰거나 port를 지정하십시오",
    ),
    "forgetful-store": Text(
        "the tool {tool} has a repeat.key, and MemoryRepeatStore forgets it with the process; outside the profile "
        "local provide a RepeatStore that all replicas share; on one host that is SqliteRepeatStore(path)",
        "도구 {tool}에 repeat.key가 있는데 MemoryRepeatStore는 프로세스가 끝나면 잊어버립니다. local 프로파일이 아니면 "
        "모든 복제본이 함께 쓰는 RepeatStore를 주십시오. 서버가 한 대면 SqliteRepeatStore(path)를 쓸 수 있습니다",
    ),
    "key-without-arguments": Text(
        "the tool {tool} has a repeat.key but takes no arguments; name its arguments, or none",
        "도구 {tool}에 repeat.key가 있지만 받는 인자가 없습니다. 인자를 받게 하거나 repeat.key를 빼십시오",
    ),
    "unknown-key": Text(
        "the tool {tool}: repeat.key names {unknown}; its arguments are {known}",
        "도구 {tool}: repeat.key에 적힌 {unknown_ko}은(는) 인자가 아닙니다. 인자: {known}",
    ),
    "refused": Text(
        "{where} would be refused by a gateway: {problem} ({pointer}); {mend}",
        "게이트웨이가 {where_ko} 거부합니다({pointer}): {problem_ko}. {mend_ko}",
    ),
    "over-cap": Text(
        "tools.{tool}.timeoutMillis is {timeout}, and a gateway cuts a call off after {cap} ms; give it {cap} or less",
        "tools.{tool}.timeoutMillis 값이 {timeout}인데 게이트웨이는 {cap}ms 뒤에 호출을 끊습니다. {cap} 이하로 "
        "하십시오",
    ),
    "over-budget": Text(
        "a call of the {system} may take {total} ms (totalTimeoutMillis), which is not less than the timeout of "
        "{tool}, {timeout} ms; raise tools.{tool}.timeoutMillis or lower the other",
        "{system} 호출이 {total}ms까지(totalTimeoutMillis) 걸릴 수 있어 도구 {tool}의 timeout {timeout}ms보다 작지 "
        "않습니다. tools.{tool}.timeoutMillis를 올리거나 totalTimeoutMillis를 내리십시오",
    ),
    "over-sum": Text(
        "the calls of {tool} may take {total} ms together ({sum}, totalTimeoutMillis), which is not less than its own "
        "timeout, {timeout} ms; raise tools.{tool}.timeoutMillis or lower the others",
        "도구 {tool}의 호출 시간 합계({sum}, totalTimeoutMillis)가 {total}ms로 도구의 timeout {timeout}ms보다 작지 "
        "않습니다. tools.{tool}.timeoutMillis를 올리거나 totalTimeoutMillis를 내리십시오",
    ),
    "not-opened": Text("an adapter could not be opened: {error}", "어댑터를 열 수 없습니다: {error}"),
    "not-closed": Text("an adapter could not be closed: {error}", "어댑터를 닫을 수 없습니다: {error}"),
}


def start_text(kind: str, **values: object) -> Text:
    """Return one of the sentences, filled in; `name_ko` stands for `name` in the Korean one where it is another."""
    text = _WORDS[kind]
    return Text(text.en.format_map(values), text.ko.format_map(values))
