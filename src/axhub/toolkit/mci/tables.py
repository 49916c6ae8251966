"""How layouts and telegrams look to people: offset, bytes, name, and of a telegram the value (toolkit/B1).

Values are masked unless asked for. English and Korean; widths are those that are drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from typing import Any, Final, Literal

from axhub.contract.columns import Column, one_line, table
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.fields import Date, Filler, Num, Packed, Text
from axhub.toolkit.mci.plan import Plan, Step
from axhub.toolkit.mci.walking import Cell, read_cells

__all__ = ["Language", "layout_table", "telegram_table"]

Language = Literal["en", "ko"]

_MASK: Final = "***"
_TITLES: Final[Mapping[Language, tuple[str, str, str, str, str]]] = {
    "en": ("OFFSET", "BYTES", "FIELD", "WHAT", "VALUE"),
    "ko": ("위치", "길이", "항목", "내용", "값"),
}
_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "text": "text",
        "number": "number",
        "packed": "packed number",
        "filler": "filler",
        "group": "group",
        "places": "{} decimal places",
        "signed": "sign {}",
        "or none": "may be blank",
        "rows": "{} rows",
        "up to": "up to {} rows, told by {}",
        "varies": "varies",
        "unused": "(unused)",
        "ends": "{} bytes came, and {} are laid down",
    },
    "ko": {
        "text": "문자",
        "number": "숫자",
        "packed": "팩 십진수",
        "filler": "예비",
        "group": "묶음",
        "places": "소수 {}자리",
        "signed": "부호 {}",
        "or none": "빈 값 가능",
        "rows": "{}행",
        "up to": "최대 {}행, 행 수는 {}",
        "varies": "가변",
        "unused": "(사용 안 함)",
        "ends": "{}바이트를 받았으나 {}바이트여야 합니다",
    },
}
_FAULTS: Final[Mapping[str, str]] = {
    "length": "전문이 여기서 끝나 바이트가 모자랍니다",
    "charset": "문자 집합에 없는 바이트입니다",
    "half": "글자의 중간에서 끝납니다",
    "digits": "ASCII 숫자가 아닙니다",
    "sign": "부호가 아닙니다",
    "blank": "비어 있으나 None을 허용하지 않습니다",
    "date": "없는 날짜나 시각입니다",
    "count": "행 수가 허용된 수를 넘습니다",
}
"""What is wrong with a field, in Korean by kind; in English its own words say it."""


def layout_table(plan: Plan, lang: Language, base: int) -> str:
    """Return the table of a layout; of rows it shows the first."""
    offset, length, name, what, _ = _TITLES[lang]
    columns = [Column(title) for title in (offset, length, name, what)]
    return "\n".join(table(columns, list(_layout_rows(plan, lang, "", base))))


def telegram_table(plan: Plan, raw: bytes, lang: Language, base: int, unmask: bool) -> str:
    """Return the table of a telegram, whatever its bytes are."""
    offset, length, name, _, value = _TITLES[lang]
    cells = list(read_cells(plan, raw))
    rows = [(str(base + cell.offset), str(cell.size), cell.path, _shown(cell, lang, unmask)) for cell in cells]
    lines = table([Column(title) for title in (offset, length, name, value)], rows)
    if (size := _size(plan, cells)) not in {None, len(raw)}:
        lines.append(f"! {_WORDS[lang]['ends'].format(len(raw), size)}")
    return "\n".join(lines)


def _size(plan: Plan, cells: Sequence[Cell]) -> int | None:
    """Return the bytes that a telegram should have; None: that cannot be told, since a cell says why not."""
    if plan.size is not None:
        return plan.size
    return None if cells[-1].fault is not None else cells[-1].offset + cells[-1].size


def _layout_rows(plan: Plan, lang: Language, path: str, at: int | None) -> Iterator[tuple[str, str, str, str]]:
    varies = _WORDS[lang]["varies"]
    for step in plan.steps:
        name = path + step.name
        size = varies if step.size is None else str(step.size)
        yield varies if at is None else str(at), size, name, _what(step, lang)
        if step.plan is not None:
            inner = f"{name}[0]." if step.rows is not None else f"{name}."
            yield from _layout_rows(step.plan, lang, inner, at)
        at = None if at is None or step.size is None else at + step.size


def _what(step: Step, lang: Language) -> str:
    words, note = _WORDS[lang], step.declared.note
    if step.rows is not None:
        return words["up to" if step.rows.count else "rows"].format(step.rows.max, step.rows.count)
    parts = []
    match note:
        case Text():
            parts = [words["text"]]
        case Num() | Packed():
            parts = [words["number" if isinstance(note, Num) else "packed"]]
            parts += [words["places"].format(note.scale)] if note.scale else []
            parts += [words["signed"].format(note.sign)] if isinstance(note, Num) and note.sign != "none" else []
        case Date():
            parts = [note.format]
        case Filler():
            parts = [words["filler"]]
        case _:
            parts = [words["group"]]
    return ", ".join([*parts, words["or none"]] if step.declared.optional else parts)


def _shown(cell: Cell, lang: Language, unmask: bool) -> str:
    if cell.fault is not None:
        return f"! {_fault(cell.fault, lang)}"
    if cell.is_unused:
        return _WORDS[lang]["unused"]
    if cell.value is None or cell.value == "":
        return ""
    return one_line(_text(cell.value)) if unmask else _MASK


def _fault(fault: FieldError, lang: Language) -> str:
    return fault.words if lang == "en" else _FAULTS[fault.kind]


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, date | time) else str(value)
