"""What `axhub sync` says, in both languages."""

from collections.abc import Mapping
from typing import Final

from axhub.configuration.languages import Language
from axhub.toolkit.rules.model import Text

__all__ = ["WORDS", "say"]

WORDS: Final[Mapping[str, Text]] = {
    "reason": Text(
        'a tool is retired with --retire NAME and --reason "why", both of them',
        '도구를 폐기하려면 --retire NAME과 --reason "이유"를 함께 쓰십시오',
    ),
    "written": Text("written: {path}", "고침: {path}"),
    "changed": Text(
        "parameters_schema: {count} changed, {same} as they were",
        "parameters_schema: {count}개 고침, {same}개 그대로",
    ),
    "would-change": Text(
        "parameters_schema: {count} would be changed, {same} are as they should be; nothing was written",
        "parameters_schema: {count}개를 고칠 예정, {same}개는 그대로. 아무것도 쓰지 않았습니다",
    ),
    "not-released": Text(
        "nothing was released: mend the definitions above first",
        "배포하지 않았습니다. 위의 정의 파일을 먼저 고치십시오",
    ),
    "errors": Text(
        "nothing was released: errors stand ({count}); `axhub check` shows all that is found",
        "배포하지 않았습니다. 오류가 {count}건 있습니다. 전체 내용은 `axhub check` 명령으로 볼 수 있습니다",
    ),
    "step": Text(
        "nothing was released: {name} breaks its callers and its version is still {version}; write "
        '`version: "{next}"` in {path}, or take the change back',
        "배포하지 않았습니다. {name}: 호환되지 않는 변경인데 버전이 {version}에서 오르지 않았습니다. {path} 파일에 "
        '`version: "{next}"` 값을 쓰거나 변경을 되돌리십시오',
    ),
    "first-one": Text("first release: 1 tool", "첫 배포: 도구 1개"),
    "first": Text("first release: {count} tools", "첫 배포: 도구 {count}개"),
    "lock-same": Text("as it was: {path}", "그대로: {path}"),
    "lock-written": Text("written: {path}; commit it with the change", "고침: {path}. 변경과 함께 커밋하십시오"),
    "breaking": Text("breaking", "호환되지 않음"),
    "behavioural": Text("behavioural", "동작 변경"),
    "safe": Text("safe", "안전"),
    "no-lock": Text(
        "there is no {lock}, so nothing was released that could be retired",
        "{lock} 파일이 없습니다. 배포한 것이 없어 폐기할 것도 없습니다",
    ),
    "unknown": Text("{name} was never released", "{name} 도구는 배포한 적이 없습니다"),
    "unknown-near": Text(
        "{name} was never released; did you mean {near}?",
        "{name} 도구는 배포한 적이 없습니다. {near} 도구를 뜻했습니까?",
    ),
    "still-there": Text(
        "{name} is still there, at {place}; remove it first, or write `register=False`",
        "{name} 도구가 아직 있습니다({place}). 먼저 지우거나 `register=False` 값을 쓰십시오",
    ),
    "retired": Text("retired: {name}", "폐기: {name}"),
    "retired-before": Text("{name} is retired already: {reason}", "{name} 도구는 이미 폐기했습니다. 이유: {reason}"),
}


def say(word: str, language: Language, **values: object) -> str:
    """Return a sentence with what belongs into it."""
    return WORDS[word].said(language).format_map(values)
