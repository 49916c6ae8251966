"""What calling a tool does to the world: rules TK307, TK308 and TK804 (seed 003 §5)."""

from collections.abc import Iterator
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Definition, Facts
from axhub.toolkit.rules.definitions import readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import (
    described,
    in_both,
    is_blank,
    listed,
    nearest,
    quoted,
    squeezed,
    truth,
    values_of,
)

__all__ = ["RULES"]

_FLAGS: Final = ("read_only", "destructive", "idempotent", "open_world")
_WRITING: Final = frozenset(
    {
        "add", "approve", "cancel", "change", "create", "delete", "modify", "register", "remove", "save", "send",
        "submit", "update", "write",
    }
)  # fmt: skip
_WRITING_KO: Final = (
    "등록", "접수", "신청", "수정", "변경", "삭제", "취소", "해지", "발송", "전송", "송금", "저장", "승인", "생성",
)  # fmt: skip


# --- TK307 -----------------------------------------------------------------------------------------------------------


def _flags(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        for flag in _FLAGS:
            value = value_at(definition, f"/{flag}")
            if value is not ... and not isinstance(value, bool):
                meant = truth(value)
                values = {"flag": flag, **in_both("found", described(value)), "better": quoted(meant)}
                variant = "like" if meant is None else "meant"
                yield Breach(definition.place(f"/{flag}"), variant, values, definition.stem)


_FLAG_PROBLEM: Final = Text(
    "{flag} has to be true or false without quotes, and here stands {found}.",
    "{flag} 값은 따옴표 없는 true 또는 false여야 합니다. 지금 값: {found_ko}.",
)

TK307: Final = Rule(
    id="TK307",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "read_only, destructive and idempotent are true or false.",
        "read_only, destructive, idempotent 값은 true 또는 false여야 합니다.",
    ),
    why=Text(
        "Agents decide by these flags whether they ask a person first. YAML 1.2 reads yes and on as texts, and older "
        "readers read them as true: only true and false mean the same everywhere. open_world may be left out. "
        "Source: seed 003 §5.",
        "에이전트는 이 값으로 사람에게 먼저 물을지 정합니다. YAML 1.2는 yes와 on을 문자열로, 옛 판독기는 참으로 "
        "읽으므로 true와 "
        "false만 어디서나 같은 뜻입니다. open_world는 없어도 됩니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "meant": Message(_FLAG_PROBLEM, Text("Write `{flag}: {better}`.", "`{flag}: {better}` 값을 쓰십시오.")),
        "like": Message(
            _FLAG_PROBLEM,
            Text("Write `{flag}: true` or `{flag}: false`.", "`{flag}: true` 또는 `{flag}: false` 값을 쓰십시오."),
        ),
    },
    check=_flags,
    bad="read_only: yes",
    good="read_only: true",
)


# --- TK308 -----------------------------------------------------------------------------------------------------------


def _contradictions(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        if value_at(definition, "/read_only") is not True:
            continue
        if value_at(definition, "/destructive") is True:
            yield Breach(definition.place("/destructive"), "destructive", {}, definition.stem)
        elif (word := _writing_word(definition)) is not None:
            values = {"word": word}
            yield Breach(definition.place("/read_only"), "writes", values, definition.stem, Severity.WARNING)


def _writing_word(definition: Definition) -> str | None:
    """Return the word at the end of the name or title that says that something is changed."""
    action = definition.stem.rpartition("_")[2]
    if action in _WRITING:
        return action
    title = value_at(definition, "/display_name")
    text = title.strip() if isinstance(title, str) else ""
    return next((word for word in _WRITING_KO if text.endswith((word, f"{word}하기", f"{word}합니다"))), None)


TK308: Final = Rule(
    id="TK308",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A tool that only reads is not destructive and is not called after a change.",
        "조회만 하는 도구는 destructive가 아니며 변경을 뜻하는 이름을 쓰지 않아야 합니다.",
    ),
    why=Text(
        "`read_only: true` lets an agent call a tool without asking. With `destructive: true` beside it one of the two "
        "is "
        "wrong; a name or title that ends in a word such as delete or 등록 is a warning. Source: seed 003 §5.",
        "`read_only: true`이면 에이전트가 묻지 않고 도구를 호출합니다. `destructive: true`가 함께 있으면 둘 중 하나는 "
        "틀린 "
        "것이며, 이름이나 "
        "표시명이 delete, 등록 같은 말로 끝나면 경고입니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "destructive": Message(
            Text(
                "`destructive: true` stands beside `read_only: true`; what only reads destroys nothing.",
                "`read_only: true`와 `destructive: true`가 함께 있습니다. 조회만 하는 도구는 아무것도 지우지 않습니다.",
            ),
            Text(
                "Write `destructive: false`, or `read_only: false` if the tool does change anything.",
                "`destructive: false` 값을 쓰거나, 도구가 무엇이든 바꾸면 `read_only: false` 값을 쓰십시오.",
            ),
        ),
        "writes": Message(
            Text(
                'The definition says `read_only: true`, and the tool is called after a change: "{word}".',
                "정의 파일의 값은 `read_only: true`인데 도구의 이름이나 표시명은 변경을 뜻하는 말로 끝납니다: "
                '"{word}".',
            ),
            Text(
                "Write `read_only: false` if it changes anything; else name it after what it reads.",
                "무엇이든 바꾸면 `read_only: false` 값을 쓰고, 그렇지 않으면 조회를 뜻하는 이름을 쓰십시오.",
            ),
        ),
    },
    check=_contradictions,
    bad="read_only: true\ndestructive: true",
    good="read_only: true\ndestructive: false",
)


# --- TK804 -----------------------------------------------------------------------------------------------------------

_KEY: Final = "/repeat/key"
_LEGACY: Final = "/repeat/legacy"
_STORE: Final = "RepeatStore"
_OF_A_CALL: Final = frozenset({"guid", "xrequestid", "requestid", "traceid", "traceparent", "mcpsessionid"})


def _repeats(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        repeat = value_at(definition, "/repeat")
        if value_at(definition, "/read_only") is False and (repeat is ... or is_blank(repeat)):
            place = definition.place("/repeat" if repeat is not ... else "/read_only")
            yield Breach(place, "missing", {}, definition.stem)
        elif repeat is not ... and not is_blank(repeat):
            yield from _repeat(facts, definition, repeat)


def _repeat(facts: Facts, definition: Definition, repeat: Any) -> Iterator[Breach]:
    place, tool = definition.place("/repeat"), definition.stem
    given = values_of(repeat)
    if not given:
        yield Breach(place, "kind", in_both("found", described(repeat)), tool)
    elif strange := [key for key in given if key not in {"key", "legacy"}]:
        at = definition.places.get(f"key:/repeat/{strange[0]}", place)
        yield Breach(at, "unknown", {"key": excerpt(str(strange[0]))}, tool)
    elif len(given) > 1:
        yield Breach(place, "both", {}, tool)
    elif "legacy" in given:
        if not isinstance(given["legacy"], str) or is_blank(given["legacy"]):
            yield Breach(definition.place(_LEGACY), "reason", {}, tool)
    else:
        yield from _key(facts, definition, given["key"])


def _key(facts: Facts, definition: Definition, key: Any) -> Iterator[Breach]:
    fields = _fields(facts, definition)
    example = {"example": next(iter(fields or {}), "requestNo")}
    names = key if isinstance(key, list) else []
    if not names or any(not isinstance(name, str) or is_blank(name) for name in names):
        yield Breach(definition.place(_KEY), "list", {**in_both("found", described(key)), **example}, definition.stem)
        return
    wrong = [said for at, name in enumerate(names) for said in _name(definition, name, at, fields)]
    yield from wrong
    if fields is not None and not wrong and not any(fields[name] for name in names):
        yield Breach(definition.place(_KEY), "optional", {"names": listed(names)}, definition.stem)
    elif not wrong and facts.provided is not None and not _has_store(facts.provided):
        yield Breach(definition.place(_KEY), "store", {}, definition.stem, Severity.WARNING)


def _has_store(provided: frozenset[str]) -> bool:
    return any(name.rpartition(".")[2] == _STORE for name in provided)


def _name(definition: Definition, name: str, at: int, fields: dict[str, bool] | None) -> Iterator[Breach]:
    place = definition.place(f"{_KEY}/{at}")
    if squeezed(name) in _OF_A_CALL:
        yield Breach(place, "call", {"name": excerpt(name)}, definition.stem)
    elif fields is not None and name not in fields:
        near = nearest(name, fields)
        values = {"name": quoted(name), "near": near or "", "known": listed(fields) or "-"}
        yield Breach(place, "unfound" if near is None else "misspelt", values, definition.stem)


def _fields(facts: Facts, definition: Definition) -> dict[str, bool] | None:
    """Return the arguments by wire name with whether they are always there; None where they are not known."""
    if facts.is_doubled(definition.stem):
        return None  # rule/TK107
    imported = (facts.imported or {}).get(definition.stem)
    if imported is not None:
        top = [field for field in imported.inputs if field.pointer.count("/") == 1]
        return {field.name: field.required and not field.nullable for field in top}
    schema = values_of(definition.values.get("parameters_schema"))
    properties = schema.get("properties")
    required = schema.get("required")
    if not isinstance(properties, dict):
        return None
    return {str(name): name in (required if isinstance(required, list) else ()) for name in properties}


_UNFOUND_PROBLEM: Final = Text(
    "repeat.key names {name}, and the tool has no such argument.",
    "repeat.key에 적은 {name} 인자가 도구에 없습니다.",
)

TK804: Final = Rule(
    id="TK804",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "A tool that writes says how a repeated call is kept from writing twice.",
        "변경하는 도구는 반복 호출이 두 번 반영되지 않게 하는 방법을 밝혀야 합니다.",
    ),
    why=Text(
        "Models and networks repeat calls. `repeat: {key: [field]}` names the arguments that identify the business "
        "request: a second call with the same values gets the first answer from the RepeatStore. `repeat: {legacy: "
        "reason}` says that the legacy system itself refuses repetition. guid and x-request-id identify a call and not "
        "the business, so they are never such a key. Source: seed 001 §10.",
        "모델과 네트워크는 호출을 반복합니다. `repeat: {key: [field]}`는 업무 요청을 식별하는 인자를 적으며, 같은 값의 "
        "두 번째 호출은 "
        "RepeatStore에 있는 첫 응답을 받습니다. `repeat: {legacy: 이유}`는 레거시 시스템이 반복을 막는다는 뜻입니다. "
        "guid와 "
        "x-request-id는 업무가 아니라 호출을 식별하므로 키가 될 수 없습니다. 출처: 설계 가이드 001 §10.",
    ),
    messages={
        "missing": Message(
            Text(
                "read_only is false, and nothing says how a repeated call is kept from writing twice.",
                "read_only 값이 false인데 반복 호출이 두 번 반영되지 않게 하는 방법이 없습니다.",
            ),
            Text(
                "Add `repeat: {{key: [field]}}` with the arguments that identify the business request, or "
                '`repeat: {{legacy: "why the legacy system writes only once"}}`.',
                "업무 요청을 식별하는 인자를 `repeat: {{key: [field]}}` 형식으로 적거나, 레거시 시스템이 막는 경우 "
                '`repeat: {{legacy: "한 번만 반영되는 이유"}}` 형식으로 적으십시오.',
            ),
        ),
        "kind": Message(
            Text(
                "repeat has the key `key` or `legacy` below it, and here stands {found}.",
                "repeat 아래에는 key 또는 legacy가 있어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                'Write `repeat: {{key: [field]}}` or `repeat: {{legacy: "the reason"}}`.',
                '`repeat: {{key: [field]}}` 또는 `repeat: {{legacy: "이유"}}` 형식으로 쓰십시오.',
            ),
        ),
        "unknown": Message(
            Text('repeat has no key "{key}".', 'repeat에 "{key}" 키를 쓸 수 없습니다.'),
            Text(
                'Write `repeat: {{key: [field]}}` or `repeat: {{legacy: "the reason"}}`.',
                '`repeat: {{key: [field]}}` 또는 `repeat: {{legacy: "이유"}}` 형식으로 쓰십시오.',
            ),
        ),
        "both": Message(
            Text(
                "repeat says both key and legacy; only one can hold.",
                "repeat에 key와 legacy가 함께 있습니다. 하나만 쓸 수 있습니다.",
            ),
            Text(
                "Keep key if the RepeatStore prevents repetition, legacy if the legacy system does.",
                "RepeatStore가 반복을 막으면 key만, 레거시 시스템이 막으면 legacy만 남기십시오.",
            ),
        ),
        "reason": Message(
            Text("repeat.legacy gives no reason.", "repeat.legacy에 이유가 없습니다."),
            Text(
                'Say why the legacy system writes only once: `legacy: "…"`.',
                '레거시 시스템에 한 번만 반영되는 이유를 쓰십시오: `legacy: "…"`.',
            ),
        ),
        "list": Message(
            Text(
                "repeat.key has to be a list of argument names, and here stands {found}.",
                "repeat.key 값은 인자 이름의 목록이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Write the names in brackets, such as `key: [{example}]`.",
                "대괄호 안에 이름을 쓰십시오. 예: `key: [{example}]`.",
            ),
        ),
        "call": Message(
            Text(
                'repeat.key names "{name}", which identifies a call and differs in a repeated one.',
                'repeat.key에 적은 "{name}" 값은 호출을 식별하며 반복 호출에서는 달라집니다.',
            ),
            Text(
                "Name arguments that identify the business request, such as an order number.",
                "주문번호처럼 업무 요청을 식별하는 인자를 적으십시오.",
            ),
        ),
        "misspelt": Message(
            _UNFOUND_PROBLEM,
            Text('Did you mean "{near}"?', '"{near}" 인자를 뜻했다면 그렇게 쓰십시오.'),
        ),
        "unfound": Message(
            _UNFOUND_PROBLEM,
            Text("Name arguments as they are on the wire: {known}.", "전송되는 인자 이름을 쓰십시오: {known}."),
        ),
        "optional": Message(
            Text(
                "All arguments of repeat.key may be missing ({names}), so a call could come without a key.",
                "repeat.key의 모든 인자가 생략될 수 있어({names}) 키 없는 호출이 생길 수 있습니다.",
            ),
            Text(
                "Make one of them required, or name a required argument besides.",
                "그중 하나를 필수로 하거나 필수 인자를 함께 적으십시오.",
            ),
        ),
        "store": Message(
            Text(
                "The tool has a repeat.key, and the ToolService provides no RepeatStore: outside the profile local the "
                "service does not start.",
                "도구에 repeat.key가 있는데 ToolService가 RepeatStore를 제공하지 않습니다. 프로필 local 외에서는 "
                "서비스가 시작되지 않습니다.",
            ),
            Text(
                "Write in app.py `provide={{RepeatStore: SqliteRepeatStore(path)}}`, or a store of your own that all "
                "replicas share.",
                "app.py에 `provide={{RepeatStore: SqliteRepeatStore(path)}}` 또는 모든 복제본이 공유하는 자체 저장소를 "
                "적으십시오.",
            ),
        ),
    },
    check=_repeats,
    bad="read_only: false",
    good="read_only: false\nrepeat: {key: [requestNo]}",
    suppressible=False,
)

RULES: Final = (TK307, TK308, TK804)
