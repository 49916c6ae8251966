"""Rules about what an answer must tell its reader (seed 003 §8): TK503, TK511 to TK518."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.fields import Used, answer_fields, python_name
from axhub.toolkit.facts.service import Facts, Field, Shape
from axhub.toolkit.facts.wording import end_of_text, is_korean, words
from axhub.toolkit.rules.answers import answer_types
from axhub.toolkit.rules.answers.descriptions import is_conditional, says_complete, says_order, says_what_null_means
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.personal import family as personal
from axhub.toolkit.rules.telling.placeholders import is_unwritten

__all__ = ["RULES"]

_CODE_WORDS: Final = frozenset({"code", "cd"})
_CODE_NAMES: Final = frozenset({"code", "cd", "status", "type", "yn"})
_PLAIN_CODES: Final = frozenset({"zip", "postal", "post", "currency", "country", "language", "error", "bar", "qr"})
"""`zipCode` and the like are values that people read as they are."""
_LABEL_WORDS: Final = frozenset({"label", "name", "nm", "text", "desc", "title"})
_LABEL_TEXT: Final = re.compile(r"한글|명칭|이름|라벨|표시명|\blabel\b|\bin words\b|\bname of\b", re.IGNORECASE)
_HANGUL: Final = re.compile(r"[가-힣]")

_MORE: Final = frozenset({"more", "total", "cursor", "truncated", "next", "remaining", "page", "paging", "pagination"})
_SHARED_LETTERS: Final = 4
"""Letters that a word and a code must share at their beginning to be about the same: `rejectReason`, `REJECTED`."""


def _described(facts: Facts) -> Iterator[Used]:
    for used in answer_fields(facts):
        text = used.field.description
        if text.strip() and not is_unwritten(text):  # else rule/TK310, rule/TK303
            yield used


def _values(field: Field) -> dict[str, str | int]:
    return {"pointer": field.pointer, "model": field.model.rpartition(".")[2], "name": python_name(field)}


def _with(field: Field, korean: str, english: str) -> str:
    """Return a field's description with a sentence more, as it would be written in the source."""
    text = field.description
    return f'Desc("{end_of_text(text)} {korean if is_korean(text) else english}")'


def _unlabelled(facts: Facts) -> Iterator[Breach]:
    for used in answer_fields(facts):
        field = used.field
        exact = field.shape is Shape.CODE and not all(_HANGUL.search(str(code)) for code in field.codes or ("",))
        if (exact or _looks_like_a_code(field)) and not any(_is_label(field, other) for other in used.beside):
            values = {**_values(field), "wire": field.name, "label": _label_name(field), "line": _label_line(field)}
            severity = None if exact else Severity.WARNING
            yield Breach(field.place, "" if exact else "named", values, used.tool, severity)


def _looks_like_a_code(field: Field) -> bool:
    parts = words(field.name)
    if field.shape is not Shape.TEXT or not parts or parts[-1] not in _CODE_NAMES:
        return False
    return not (_PLAIN_CODES & {*parts} or _LABEL_TEXT.search(field.description))


def _subject(field: Field) -> tuple[str, ...]:
    parts = words(field.name)
    return parts[:-1] if parts[-1:] and parts[-1] in _CODE_WORDS else parts


def _is_label(field: Field, other: Field) -> bool:
    parts, subject = words(other.name), _subject(field)
    if other.shape is not Shape.TEXT or not parts:
        return False
    if parts[-1] not in _LABEL_WORDS:
        return parts == subject != words(field.name)  # statusCode beside status
    about = parts[:-1]
    if not about:  # `name` beside `status` is the name of something else
        return not subject or parts == ("label",)
    return about == words(field.name) or about == subject[len(subject) - len(about) :]


def _label_name(field: Field) -> str:
    parts = (*_subject(field), "label")
    return "_".join(parts) if "_" in field.name else parts[0] + "".join(part.capitalize() for part in parts[1:])


def _label_line(field: Field) -> str:
    about = re.split(r"[.,;(\n]", field.description.strip() or field.name)[0].strip()
    name = "_".join((*_subject(field), "label"))
    korean = is_korean(about)
    text = f"{about.removesuffix('코드').rstrip()} 이름" if korean else f"{about.removesuffix(' code')} in words"
    if not field.nullable:
        return f'{name}: Annotated[str, Desc("{text}")]'
    null = f"{field.name} 값이 null이면 null" if korean else f"null where {field.name} is null"
    return f'{name}: Annotated[str | None, Desc("{text}. {null}")]'


TK511: Final = Rule(
    id="TK511",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text("A code has its label beside it.", "코드 옆에는 라벨이 있어야 합니다."),
    why=Text(
        "A model guesses what `03` or `REJECTED` means, and tells the customer its guess. So an answer has both, as "
        "in `status` and `statusLabel` (seed 003 §8.1). It is an error for `Literal` and `Enum`, and a warning for a "
        "text whose name ends like a code's. Codes that are Korean words themselves need none.",
        "모델은 `03`이나 `REJECTED`의 뜻을 추측해서 고객에게 말합니다. 그래서 `status`와 `statusLabel`처럼 함께 "
        "제공합니다(가이드 003 §8.1). `Literal`과 `Enum`은 오류이고, 이름이 코드처럼 끝나는 텍스트는 경고입니다. "
        "값이 한글인 코드에는 필요 없습니다.",
    ),
    messages={
        "": Message(
            Text(
                "The code {pointer} of {model} has no label beside it.",
                "{model}의 {pointer} 코드 옆에 라벨이 없습니다.",
            ),
            Text(
                "Add `{label}` below it, and fill it in the converter: {line}",
                "아래에 `{label}` 필드를 추가하고 converter에서 채우십시오: {line}",
            ),
        ),
        "named": Message(
            Text(
                "The field {pointer} of {model} looks like a code and has no label beside it.",
                "{model}의 {pointer} 필드는 코드로 보이는데 옆에 라벨이 없습니다.",
            ),
            Text(
                "If it is a code, add `{label}` below it: {line}",
                "코드라면 아래에 `{label}` 필드를 추가하십시오: {line}",
            ),
        ),
    },
    check=_unlabelled,
    bad='status: Annotated[Literal["PAID", "REJECTED"], Desc("청구 상태 코드")]',
    good='status: Annotated[Literal["PAID", "REJECTED"], Desc("청구 상태 코드")]\n'
    'status_label: Annotated[str, Desc("청구 상태 이름")]',
)


def _unexplained_nulls(facts: Facts) -> Iterator[Breach]:
    for used in _described(facts):
        field = used.field
        if field.nullable and not says_what_null_means(field.description):
            is_number, is_list = field.shape is Shape.NUMBER, field.shape is Shape.LIST
            korean = "이며 0으로 해석하지 않는다" if is_number else "이며 빈 목록과 다르다" if is_list else ""
            english = ", which is not 0" if is_number else ", which is not an empty list" if is_list else ""
            line = _with(field, f"아직 정해지지 않았으면 null{korean}", f"Null until it is known{english}")
            yield Breach(field.place, values={**_values(field), "line": line}, tool=used.tool)


TK512: Final = Rule(
    id="TK512",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text("A nullable field says what null means.", "null일 수 있는 필드는 null의 의미를 설명해야 합니다."),
    why=Text(
        "Null may mean not yet, never, unknown or none, and a model takes it for zero (seed 003 §8.2). The "
        "description has to say when there is no value. It looks for words, so it may be wrong: null, none, absent, "
        "unknown, unset, left out, N/A, only when, 없, 아니. That something may be null says nothing.",
        "null은 아직, 해당 없음, 알 수 없음 등을 뜻할 수 있고 모델은 0으로 읽기도 합니다(가이드 003 §8.2). 설명에 "
        "언제 값이 없는지 있어야 합니다. 낱말을 찾는 검사라 틀릴 수 있습니다(null, 없, 아니, 때만, none, unset 등). "
        "null일 수 있다는 말만으로는 의미를 알 수 없습니다.",
    ),
    messages={
        "": Message(
            Text(
                "The field {pointer} of {model} may be null, and its description does not say what null means.",
                "{model}의 {pointer} 필드는 null일 수 있는데 설명에 null의 의미가 없습니다.",
            ),
            Text(
                "Say when `{name}` has no value, in words such as null, unknown, unset, left out or only when, for "
                "instance: {line}",
                "`{name}`에 언제 값이 없는지 null, 없으면, 때만 같은 말로 쓰십시오. 예: {line}",
            ),
        ),
    },
    check=_unexplained_nulls,
    bad='paid_amount: Annotated[int | None, Desc("지급액(원)")]',
    good='paid_amount: Annotated[int | None, Desc("지급액(원). 심사 전이면 null이며 0으로 해석하지 않는다")]',
)


def _unconditional(facts: Facts) -> Iterator[Breach]:
    for used in _described(facts):
        field, text = used.field, used.field.description
        if not field.nullable or is_conditional(text) or not says_what_null_means(text):
            continue
        for other, code in _about_a_code(used):
            if other.name not in text and code not in text:
                line = _with(field, f"{other.name} 값이 {code}일 때만 있다", f"Only when {other.name} is {code}")
                values = {**_values(field), "other": other.name, "code": code, "line": line}
                yield Breach(field.place, values=values, tool=used.tool)
                break


def _about_a_code(used: Used) -> Iterator[tuple[Field, str]]:
    """Yield the codes beside a field that its name is about."""
    for other in used.beside:
        parts = set(words(used.field.name)) - set(words(other.name))
        for code in other.codes if other.shape is Shape.CODE else ():
            beginnings = {word[:_SHARED_LETTERS] for word in words(str(code)) if len(word) >= _SHARED_LETTERS}
            if beginnings & {part[:_SHARED_LETTERS] for part in parts if len(part) >= _SHARED_LETTERS}:
                yield other, str(code)


TK513: Final = Rule(
    id="TK513",
    severity=Severity.WARNING,
    stage=Stage.IMPORTED,
    title=Text("A conditional field states its condition.", "조건부 필드는 조건을 설명하는 것이 좋습니다."),
    why=Text(
        "A field that has a value only in one state should say in which: “only when status is REJECTED” (seed 003 "
        "§8.3). This is a guess from names: a nullable field that is called like a code beside it, as `rejectReason` "
        "and `REJECTED`.",
        "특정 상태에서만 값이 있는 필드는 그 조건을 씁니다: “status가 REJECTED일 때만 값이 있다.”(가이드 003 §8.3) "
        "이 검사는 `rejectReason`과 `REJECTED`처럼 옆의 코드와 이름이 비슷한 nullable 필드를 찾는 추측입니다.",
    ),
    messages={
        "": Message(
            Text(
                "The field {pointer} of {model} seems to depend on `{other}` being {code}, and does not say so.",
                "{model}의 {pointer} 필드는 `{other}` 값이 {code}일 때만 있는 것으로 보이는데 설명에 조건이 없습니다.",
            ),
            Text("State the condition, for instance: {line}", "조건을 쓰십시오. 예: {line}"),
        ),
    },
    check=_unconditional,
    bad='reject_reason: Annotated[str | None, Desc("거절 사유. 없는 값도 있음")]',
    good='reject_reason: Annotated[str | None, Desc("거절 사유. status가 REJECTED일 때만 값이 있다")]',
    heuristic=True,
)


def _unordered(facts: Facts) -> Iterator[Breach]:
    for used in _described(facts):
        field = used.field
        if field.shape is Shape.LIST and not says_order(field.description):
            line = _with(field, "접수일 내림차순", "Newest first")
            yield Breach(field.place, values={**_values(field), "line": line}, tool=used.tool)


TK514: Final = Rule(
    id="TK514",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text("A list says in which order it is.", "배열은 정렬 기준을 설명해야 합니다."),
    why=Text(
        "A model that does not know the order calls the first item the latest one (seed 003 §8.4). If there is no "
        "order, the description says that. It looks for words, so it may be wrong: sorted, ordered, ascending, first, "
        "last, then, by, grouped, ranked, 정렬, 순, 부터, 먼저.",
        "정렬 기준을 모르면 모델은 첫 요소를 최신 건이라고 말합니다(가이드 003 §8.4). 정해진 순서가 없으면 없다고 "
        "씁니다. 낱말을 찾는 검사라 틀릴 수 있습니다(정렬, 순, 부터, 먼저, sorted, first, by 등).",
    ),
    messages={
        "": Message(
            Text(
                "The description of the list {pointer} of {model} does not state the order.",
                "{model}의 {pointer} 배열 설명에 정렬 기준이 없습니다.",
            ),
            Text(
                "Add the order in words such as sorted, by, first, then or grouped, for instance: {line}, or say that "
                "it is not sorted.",
                "정렬 기준을 정렬, 순, 부터, 먼저 같은 말로 추가하십시오. 예: {line}. 정해진 순서가 없으면 순서 "
                "없음이라고 쓰십시오.",
            ),
        ),
    },
    check=_unordered,
    bad='items: Annotated[list[ClaimItem], Desc("청구 목록")]',
    good='items: Annotated[list[ClaimItem], Desc("청구 목록. 접수일 내림차순")]',
)


def _tells_of_more(name: str) -> bool:
    parts = words(name)
    return bool(_MORE & {*parts}) or parts[-1:] == ("last",)  # `isLast`, not `lastName`


def _cut(facts: Facts) -> Iterator[Breach]:
    for used in _described(facts):
        field = used.field
        if field.shape is not Shape.LIST or field.item is not Shape.OBJECT or says_complete(field.description):
            continue
        if not any(_tells_of_more(other.name) for other in used.beside):
            text = "목록이 잘렸으면 true" if is_korean(field.description) else "True if the list was cut"
            line = f'has_more: Annotated[bool, Desc("{text}")]'
            yield Breach(field.place, values={**_values(field), "line": line}, tool=used.tool)


TK515: Final = Rule(
    id="TK515",
    severity=Severity.WARNING,
    stage=Stage.IMPORTED,
    title=Text("A list says whether it may be cut.", "배열은 잘릴 수 있는지 알려 주는 것이 좋습니다."),
    why=Text(
        "A model takes a list for all there is. If there may be more, a field such as `hasMore` beside the list says "
        "so (seed 003 §8.5); if the list is always complete, its description does.",
        "모델은 목록이 전부라고 여깁니다. 더 있을 수 있으면 목록 옆의 `hasMore` 같은 필드로 알리고(가이드 003 §8.5), "
        "항상 전체라면 설명에 씁니다.",
    ),
    messages={
        "": Message(
            Text(
                "Nothing says whether the list {pointer} of {model} is complete.",
                "{model}의 {pointer} 배열이 전체인지 알 수 없습니다.",
            ),
            Text(
                "Add a field beside it: {line}, or say in its description that it is always complete.",
                "옆에 필드를 추가하십시오: {line}. 항상 전체라면 설명에 그렇게 쓰십시오.",
            ),
        ),
    },
    check=_cut,
    bad='items: Annotated[list[ClaimItem], Desc("청구 목록. 접수일 내림차순, 최대 50건")]',
    good='items: Annotated[list[ClaimItem], Desc("청구 목록. 접수일 내림차순, 최대 50건")]\n'
    'has_more: Annotated[bool, Desc("50건을 넘어 잘렸으면 true")]',
    heuristic=True,
)

RULES: Final = (TK511, TK512, TK513, TK514, TK515, *personal.RULES, *answer_types.RULES)
