"""What the decorators say: rules TK211 to TK213 (seed 003 §4, toolkit/T1)."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Declared, Facts
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, listed, nearest, quoted, squeezed, truth

__all__ = ["NEEDED", "RULES", "TAKES"]

NEEDED: Final = ("name", "title", "description")
_TEXT: Final = Text("a text", "문자열")
_OPTIONAL_TEXT: Final = Text("a text or None", "문자열 또는 None")
_SWITCH: Final = Text("True or False", "True 또는 False")
TAKES: Final[Mapping[str, tuple[tuple[type, ...], Text]]] = {
    "name": ((str,), _TEXT),
    "title": ((str,), _TEXT),
    "description": ((str,), _TEXT),
    "category_key": ((str,), _TEXT),
    "register": ((bool,), _SWITCH),
    "mapping_id": ((str, type(None)), _OPTIONAL_TEXT),
    "input_schema_resource": ((str, type(None)), _OPTIONAL_TEXT),
    "output_schema_resource": ((str, type(None)), _OPTIONAL_TEXT),
    "requires_employee": ((bool,), _SWITCH),
}
_MAX_TITLE: Final = 40
_MAX_SENTENCES: Final = 2
_NEAR: Final = 0.8
_SENTENCE_END: Final = re.compile(r"(?<=[^\s.]{2})[.!?。]+[\"')\]]*\s+(?=[A-Z가-힣\"'(\[])")


# --- TK211 -----------------------------------------------------------------------------------------------------------


def _ungiven(facts: Facts) -> Iterator[Breach]:
    for declared in facts.declared:
        if "tool" in declared.decorated_by:  # else TK202
            for argument in NEEDED:
                if argument not in declared.arguments and argument not in declared.computed:
                    yield Breach(declared.place, "missing", {"argument": argument}, declared.name)
        for one in declared.positional:
            yield Breach(one.place, "positional", {"argument": one.value}, declared.name)
        yield from _computed(declared)
        for argument, found in declared.arguments.items():
            if said := _wrong(argument, found.value):
                yield Breach(found.place, *said, declared.name)


def _computed(declared: Declared) -> Iterator[Breach]:
    places = list(declared.computed.values())
    for argument, place in declared.computed.items():
        if argument not in TAKES:
            yield Breach(place, *_unknown(argument), declared.name)
        elif places.count(place) == 1:
            yield Breach(place, "computed", {"argument": argument}, declared.name)
    for place in dict.fromkeys(place for place in places if places.count(place) > 1):
        yield Breach(place, "unpacked", {}, declared.name)  # `**…` stands for all that is not written beside it


def _wrong(argument: str, value: Any) -> tuple[str, dict[str, str | int]] | None:
    """Return which message one argument's value deserves, if any."""
    if argument not in TAKES:
        return _unknown(argument)
    types, takes = TAKES[argument]
    if type(value) not in types:
        found = described(value) if value is not None else Text("None", "None")
        better = _literal(value, bool in types)
        values: dict[str, str | int] = {
            "argument": argument,
            **in_both("takes", takes),
            **in_both("found", found),
            "better": better or "",
        }
        return ("kind" if better else "switch"), values
    return ("blank", {"argument": argument}) if argument in NEEDED and is_blank(value) else None


def _literal(value: object, is_switch: bool) -> str | None:
    """Return what to write instead of a value of another kind; None if either True or False may be meant."""
    if not is_switch:
        return f'"{excerpt(str(value))}"' if isinstance(value, int | float) else '"…"'
    meant = truth(value)
    return None if meant is None else str(meant)


def _unknown(argument: str) -> tuple[str, dict[str, str | int]]:
    near = nearest(argument, TAKES)
    known: dict[str, str | int] = {"argument": argument, "near": near or "", "known": listed(TAKES)}
    return ("unknown" if near is None else "misspelt"), known


_UNKNOWN_PROBLEM: Final = Text(
    'There is no argument "{argument}" of @tool or @tool_hint.',
    '@tool과 @tool_hint에 "{argument}" 인자가 없습니다.',
)

TK211: Final = Rule(
    id="TK211",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Name, title and description are given; all arguments of the decorators are literals of the right kind.",
        "name, title, description이 있고, 데코레이터의 모든 인자는 알맞은 종류의 리터럴이어야 합니다.",
    ),
    why=Text(
        "The check reads declarations without running anything, so that an editor and a build see the same. A value "
        "that is computed cannot be checked. Source: seed 003 §4.",
        "검사는 코드를 실행하지 않고 선언을 읽으므로 편집기와 빌드가 같은 것을 봅니다. 계산한 값은 검사할 수 없습니다. "
        "출처: 설계 가이드 003 §4.",
    ),
    messages={
        "missing": Message(
            Text("@tool has no argument {argument}.", "@tool에 {argument} 인자가 없습니다."),
            Text('Add `{argument}="…"`.', '`{argument}="…"` 인자를 더하십시오.'),
        ),
        "blank": Message(
            Text("The argument {argument} is empty.", "{argument} 인자의 값이 비어 있습니다."),
            Text('Write a text for people: `{argument}="…"`.', '사람이 읽을 글을 쓰십시오: `{argument}="…"`.'),
        ),
        "computed": Message(
            Text(
                "The argument {argument} is computed, so it cannot be read without running the code.",
                "{argument} 인자가 계산식이어서 코드를 실행하지 않고는 읽을 수 없습니다.",
            ),
            Text(
                "Write the value itself here: a text in quotes, True, False or None; no variable, f-string or call.",
                "값 자체를 여기에 쓰십시오. 따옴표로 묶은 글, True, False, None만 되며 변수, f-string, 호출은 안 "
                "됩니다.",
            ),
        ),
        "unpacked": Message(
            Text(
                "Arguments are unpacked here with **, so they cannot be read without running the code.",
                "여기서 **로 푼 인자는 코드를 실행하지 않고는 읽을 수 없습니다.",
            ),
            Text(
                'Write each argument with its value: `name="…"`, `title="…"`, `description="…"`.',
                '인자와 값을 하나씩 쓰십시오: `name="…"`, `title="…"`, `description="…"`.',
            ),
        ),
        "positional": Message(
            Text(
                "The argument {argument} is given without its name.",
                "{argument} 인자에 이름이 없습니다.",
            ),
            Text("Write its name before it: `{argument}=…`.", "앞에 이름을 쓰십시오: `{argument}=…`."),
        ),
        "kind": Message(
            Text(
                "The argument {argument} takes {takes}, and here stands {found}.",
                "{argument} 인자의 값은 다음 종류여야 합니다: {takes_ko}. 지금 값: {found_ko}.",
            ),
            Text("Write `{argument}={better}`.", "`{argument}={better}` 값을 쓰십시오."),
        ),
        "switch": Message(
            Text(
                "The argument {argument} takes {takes}, and here stands {found}.",
                "{argument} 인자의 값은 다음 종류여야 합니다: {takes_ko}. 지금 값: {found_ko}.",
            ),
            Text(
                "Write `{argument}=True` or `{argument}=False`.",
                "`{argument}=True` 또는 `{argument}=False` 값을 쓰십시오.",
            ),
        ),
        "misspelt": Message(
            _UNKNOWN_PROBLEM,
            Text('Did you mean "{near}"? Write {near}=….', '"{near}" 인자를 뜻했다면 {near}=… 형식으로 쓰십시오.'),
        ),
        "unknown": Message(
            _UNKNOWN_PROBLEM,
            Text("Remove it; the arguments are: {known}.", "그 인자를 지우십시오. 쓸 수 있는 인자: {known}."),
        ),
    },
    check=_ungiven,
    bad='@tool(name=PREFIX + "_search", title="", description="…")',
    good='@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="…")',
)


# --- TK212, TK213 ----------------------------------------------------------------------------------------------------


def _texts(facts: Facts) -> Iterator[tuple[Declared, str | None, str | None]]:
    """Yield title and description where they are texts; the others are TK211's."""
    for declared in facts.declared:
        found = (declared.arguments.get("title"), declared.arguments.get("description"))
        title, description = (
            one.value if one is not None and isinstance(one.value, str) and not is_blank(one.value) else None
            for one in found
        )
        yield declared, title, description


def _repeated(facts: Facts) -> Iterator[Breach]:
    for declared, title, description in _texts(facts):
        if title is None or description is None:
            continue
        first, second = squeezed(title), squeezed(description)
        place, values = declared.place_of("description"), {"title": quoted(title), "description": quoted(description)}
        if first == second:
            yield Breach(place, "same", values, declared.name)
        elif SequenceMatcher(None, first, second, autojunk=False).ratio() >= _NEAR:
            yield Breach(place, "near", values, declared.name, Severity.WARNING)


_SAY_MORE: Final = Text(
    "Keep the title a short noun phrase, and let the description say in one or two sentences what it works on, under "
    "which condition and with which result.",
    "title은 짧은 명칭으로 두고, description에는 대상·조건·결과를 한두 문장으로 쓰십시오.",
)

TK212: Final = Rule(
    id="TK212",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Title and description of a tool say different things.",
        "도구의 title과 description은 같은 문장을 반복하지 않아야 합니다.",
    ),
    why=Text(
        "The title is a short name on a screen; the description says what for, when and with which result. Blanks, "
        "punctuation and case do not count when they are compared; texts that are nearly the same are a warning. "
        "Source: seed 003 §4.",
        "title은 화면에 보이는 짧은 명칭이고 description은 대상·조건·결과를 말합니다. 비교할 때 공백, 문장 부호, "
        "대소문자는 보지 "
        "않으며 거의 같은 글은 경고입니다. 출처: 설계 가이드 003 §4.",
    ),
    messages={
        "same": Message(
            Text("The description repeats the title {title}.", "description 내용이 title {title} 그대로입니다."),
            _SAY_MORE,
        ),
        "near": Message(
            Text(
                "The description {description} says hardly more than the title {title}.",
                "description {description} 내용이 title {title} 내용과 거의 같습니다.",
            ),
            _SAY_MORE,
        ),
    },
    check=_repeated,
    bad='@tool(…, title="보험금 청구 상태 조회", description="보험금 청구 상태 조회.")',
    good='@tool(…, title="보험금 청구 상태 조회", description="청구번호로 보험금 청구 상태를 조회합니다.")',
)


def _long(facts: Facts) -> Iterator[Breach]:
    for declared, title, description in _texts(facts):
        characters = len(unicodedata.normalize("NFC", title or ""))
        if characters > _MAX_TITLE:
            counts = {"count": characters, "over": characters - _MAX_TITLE}
            yield Breach(declared.place_of("title"), "title", counts, declared.name)
        sentences = len(_SENTENCE_END.findall((description or "").strip())) + 1
        if sentences > _MAX_SENTENCES:
            yield Breach(declared.place_of("description"), "description", {"count": sentences}, declared.name)


TK213: Final = Rule(
    id="TK213",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A title has at most 40 characters, a description one or two sentences.",
        "title은 40자 이하, description은 한두 문장이 좋습니다.",
    ),
    why=Text(
        "Both are shown in lists for people; what a model needs stands in the four parts of the definition's "
        "description. Source: seed 003 §4.",
        "둘 다 사람이 보는 목록에 나옵니다. 모델에게 필요한 내용은 정의 파일의 description 네 부분에 씁니다. "
        "출처: 설계 가이드 003 §4.",
    ),
    messages={
        "title": Message(
            Text("The title has {count} characters.", "title의 길이가 {count}자입니다."),
            Text(
                "Shorten it by {over}, to at most 40; the rest belongs in the description.",
                "{over}자를 줄여 40자 이하로 하십시오. 나머지는 description에 씁니다.",
            ),
        ),
        "description": Message(
            Text("The description has {count} sentences.", "description이 {count}문장입니다."),
            Text(
                "Keep one or two; conditions and limits belong in the four parts of the definition's description.",
                "한두 문장만 남기십시오. 조건과 제한은 정의 파일의 description 네 부분에 씁니다.",
            ),
        ),
    },
    check=_long,
    bad='@tool(…, title="고객이 접수한 보험금 청구의 현재 진행 상태와 심사 결과를 청구번호 또는 계약번호로 조회하기")',
    good='@tool(…, title="보험금 청구 상태 조회")',
)

RULES: Final = (TK211, TK212, TK213)
