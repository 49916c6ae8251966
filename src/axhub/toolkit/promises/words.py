"""How much each kind of change matters, and what is said about it in both languages."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from axhub.toolkit.rules.model import Text

__all__ = ["SCHEMA_WORDS", "TOOL_WORDS", "SchemaWord", "Severity", "ToolWord"]


class Severity(Enum):
    """What a change does to who calls the tools."""

    BREAKING = "breaking"
    """Calls that were good are refused, or answers hold what was ruled out."""
    BEHAVIOURAL = "behavioural"
    """Every call stays good, but a model may decide otherwise."""
    SAFE = "safe"

    @property
    def rank(self) -> int:
        """Its place in a list: the worst first."""
        return list(Severity).index(self)


class ToolWord(NamedTuple):
    """One kind of change of a tool, or of all."""

    severity: Severity
    text: Text


class SchemaWord(NamedTuple):
    """One kind of change in a schema: accepting less breaks who sends, answering more breaks who reads."""

    of_input: Severity
    of_output: Severity
    text: Text


_B, _H, _S = Severity.BREAKING, Severity.BEHAVIOURAL, Severity.SAFE

TOOL_WORDS: Final[Mapping[str, ToolWord]] = {
    "bundle-id": ToolWord(
        _B,
        Text(
            'mcp.bundleId was "{before}" and is "{after}": a gateway refuses all tools until its `id` is the same.',
            'mcp.bundleId 값이 "{before}"에서 "{after}"(으)로 바뀌었습니다. 게이트웨이의 `id` 값이 같아질 때까지 모든 '
            "도구가 거부됩니다.",
        ),
    ),
    "namespace": ToolWord(
        _B,
        Text(
            'mcp.namespace was "{before}" and is "{after}": every tool has another name for its callers.',
            'mcp.namespace 값이 "{before}"에서 "{after}"(으)로 바뀌어, 호출하는 쪽에서 보는 모든 도구 이름이 바뀝니다.',
        ),
    ),
    "tool-gone": ToolWord(
        _B,
        Text("the tool is gone; its last version was {before}.", "도구가 없어졌습니다. 마지막 버전은 {before}입니다."),
    ),
    "tool-renamed": ToolWord(
        _B,
        Text(
            "the tool is gone; its last version was {before}, and {after} looks like its new name.",
            "도구가 없어졌습니다. 마지막 버전은 {before}이며, 새 이름은 {after}인 것으로 보입니다.",
        ),
    ),
    "tool-retired": ToolWord(_B, Text("the tool was retired: {after}", "도구를 폐기했습니다. 이유: {after}")),
    "tool-new": ToolWord(_S, Text("the tool is new, with version {after}.", "새 도구입니다. 버전은 {after}입니다.")),
    "disabled": ToolWord(
        _B,
        Text(
            "the tool is switched off: it is not listed, and calls are answered as if there were none.",
            "도구를 껐습니다. 목록에 나오지 않으며, 호출하면 없는 도구로 응답합니다.",
        ),
    ),
    "enabled": ToolWord(_S, Text("the tool is switched on.", "도구를 켰습니다.")),
    "version": ToolWord(
        _S, Text("the version was {before} and is {after}.", "버전이 {before}에서 {after}(으)로 올랐습니다.")
    ),
    "version-back": ToolWord(
        _H,
        Text(
            "the version was {before} and is {after}, which is no step up.",
            "버전이 {before}에서 {after}(으)로 바뀌었으며, 올라간 값이 아닙니다.",
        ),
    ),
    "title": ToolWord(
        _H, Text('the title was "{before}" and is "{after}".', '제목이 "{before}"에서 "{after}"(으)로 바뀌었습니다.')
    ),
    "description": ToolWord(
        _H,
        Text(
            "models read another description: {after}",
            "모델이 읽는 설명이 바뀌었습니다. 지금: {after}",
        ),
    ),
    "hint-less-safe": ToolWord(
        _B,
        Text(
            "the hint {hint} was {before} and is {after}: an agent that was let do this may no longer do so unasked.",
            "{hint} 힌트가 {before}에서 {after}(으)로 바뀌었습니다. 그대로 허용하던 에이전트도 이제 확인이 필요할 수 "
            "있습니다.",
        ),
    ),
    "hint-safer": ToolWord(
        _H,
        Text(
            "the hint {hint} was {before} and is {after}: an agent may now do this unasked.",
            "{hint} 힌트가 {before}에서 {after}(으)로 바뀌었습니다. 에이전트가 이제 확인 없이 호출할 수 있습니다.",
        ),
    ),
    "less-time": ToolWord(
        _H,
        Text(
            "a call may take {after} ms; it could take {before} ms.",
            "호출 제한 시간이 {before}ms에서 {after}ms로 줄었습니다.",
        ),
    ),
    "more-time": ToolWord(
        _S,
        Text(
            "a call may take {after} ms; it could take {before} ms.",
            "호출 제한 시간이 {before}ms에서 {after}ms로 늘었습니다.",
        ),
    ),
    "output-unpublished": ToolWord(
        _B,
        Text(
            "the manifest no longer has its output schema, so callers get no structured results.",
            "매니페스트에 출력 스키마가 더 이상 없어, 호출하는 쪽이 구조화된 결과를 받지 못합니다.",
        ),
    ),
    "output-published": ToolWord(
        _S,
        Text(
            "the manifest now has its output schema, so callers get structured results.",
            "매니페스트에 출력 스키마가 들어가, 호출하는 쪽이 구조화된 결과를 받습니다.",
        ),
    ),
    "output-unknown": ToolWord(
        _B,
        Text("nothing is said any more about what it answers.", "무엇을 응답하는지 더 이상 정해져 있지 않습니다."),
    ),
}

SCHEMA_WORDS: Final[Mapping[str, SchemaWord]] = {
    "gone": SchemaWord(_B, _B, Text("`{name}` ({before}) is gone.", "`{name}`({before}) 속성이 없어졌습니다.")),
    "new": SchemaWord(_S, _S, Text("`{name}` ({after}) is new.", "`{name}`({after}) 속성이 새로 생겼습니다.")),
    "new-required": SchemaWord(
        _B,
        _S,
        Text("`{name}` ({after}) is new and required.", "`{name}`({after}) 속성이 새로 생겼으며 필수입니다."),
    ),
    "required": SchemaWord(
        _B, _S, Text("`{name}` was optional and is required.", "`{name}` 속성이 선택에서 필수로 바뀌었습니다.")
    ),
    "optional": SchemaWord(
        _S, _B, Text("`{name}` was required and is optional.", "`{name}` 속성이 필수에서 선택으로 바뀌었습니다.")
    ),
    "not-nullable": SchemaWord(
        _B,
        _S,
        Text("null is no longer possible: it was {before} and is {after}.", "null이 없어졌습니다: {before} → {after}."),
    ),
    "nullable": SchemaWord(
        _S, _B, Text("null is possible: it was {before} and is {after}.", "null이 생겼습니다: {before} → {after}.")
    ),
    "narrower-type": SchemaWord(
        _B, _S, Text("the type was {before} and is {after}.", "타입이 바뀌었습니다: {before} → {after}.")
    ),
    "wider-type": SchemaWord(
        _S, _B, Text("the type was {before} and is {after}.", "타입이 바뀌었습니다: {before} → {after}.")
    ),
    "narrower-values": SchemaWord(
        _B, _S, Text("the values were {before} and are {after}.", "값이 바뀌었습니다: {before} → {after}.")
    ),
    "wider-values": SchemaWord(
        _S, _B, Text("the values were {before} and are {after}.", "값이 바뀌었습니다: {before} → {after}.")
    ),
    "narrower-bound": SchemaWord(
        _B,
        _S,
        Text("`{keyword}` was {before} and is {after}.", "`{keyword}` 제한이 바뀌었습니다: {before} → {after}."),
    ),
    "wider-bound": SchemaWord(
        _S,
        _B,
        Text("`{keyword}` was {before} and is {after}.", "`{keyword}` 제한이 바뀌었습니다: {before} → {after}."),
    ),
    "closed": SchemaWord(
        _B,
        _S,
        Text("members that are not named are no longer possible.", "이름이 없는 멤버는 더 이상 쓸 수 없습니다."),
    ),
    "open": SchemaWord(_S, _S, Text("members that are not named are possible.", "이름이 없는 멤버도 쓸 수 있습니다.")),
    "never": SchemaWord(_B, _S, Text("no value is possible any more.", "이제 어떤 값도 쓸 수 없습니다.")),
    "narrower-condition": SchemaWord(
        _B,
        _S,
        Text(
            "the condition `{keyword}` was {before} and is {after}; whether it still lets through all that it did "
            "cannot be told.",
            "`{keyword}` 조건이 바뀌었습니다: {before} → {after}. 통과하던 값이 모두 통과하는지는 알 수 없습니다.",
        ),
    ),
    "wider-condition": SchemaWord(
        _S,
        _B,
        Text(
            "the condition `{keyword}` was {before} and is {after}; it may let through what it did not.",
            "`{keyword}` 조건이 바뀌었습니다: {before} → {after}. 통과하지 않던 값이 통과할 수 있습니다.",
        ),
    ),
    "said": SchemaWord(
        _H, _H, Text("`{keyword}` was {before} and is {after}.", "`{keyword}` 값이 바뀌었습니다: {before} → {after}.")
    ),
    "rewritten": SchemaWord(
        _S,
        _S,
        Text("it is written in another way and means the same.", "쓰는 방식만 바뀌었고 뜻은 같습니다."),
    ),
}
