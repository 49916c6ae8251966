"""Which column of a sheet says what: headers in English and Korean, as teams write them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.sheets.cells import COMMENT, letter
from axhub.toolkit.scaffold.sheets.model import Fault, SheetError

__all__ = ["Columns", "columns_of"]

_HEADERS: Final[Mapping[str, tuple[str, ...]]] = {
    "field": ("field", "fieldname", "fieldid", "name", "필드", "필드명", "필드id", "영문명", "영문필드명", "항목id"),
    "type": ("type", "datatype", "타입", "유형", "형식", "속성", "데이터타입"),
    "size": ("size", "length", "bytes", "len", "길이", "크기", "사이즈", "자릿수", "자리수", "바이트"),
    "scale": ("scale", "decimals", "소수", "소수점", "소수자리", "소수자릿수", "소수점자리"),
    "sign": ("sign", "부호", "부호위치"),
    "required": ("required", "mandatory", "필수", "필수여부"),
    "occurs": ("occurs", "repeat", "반복", "반복수", "반복횟수", "반복건수"),
    "note": ("note", "description", "comment", "remarks", "label", "설명", "비고", "한글명", "항목명", "한글필드명"),
}
_NO_USE: Final = frozenset(
    {"no", "seq", "offset", "start", "순번", "번호", "시작", "시작위치", "오프셋", "위치", "누적길이"}
)
"""Headers of columns that say nothing new: they are counted here."""
_NOTE: Final = "note"
_NEEDED: Final = ("field", "type", "size")
_SHOWN: Final[Mapping[str, str]] = {
    "field": "필드명",
    "type": "타입",
    "size": "길이",
    "scale": "소수",
    "sign": "부호",
    "required": "필수",
    "occurs": "반복",
    "note": "설명",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Where things stand in each row."""

    places: Mapping[str, int]
    notes: Sequence[int] = ()
    """Further columns for people: a name in Korean and a remark, for instance."""

    def cell(self, cells: Sequence[str], key: str) -> str:
        """Return what a row says there, empty where the row or the sheet has no such cell."""
        places = [self.places[key]] if key in self.places else []
        said = [cells[place] for place in (*places, *(self.notes if key == _NOTE else ())) if place < len(cells)]
        return ". ".join(one for one in said if one)

    def shown(self, key: str) -> str:
        """Return how a fault names a column: `C (size)`."""
        return f"{letter(self.places[key])} ({key})" if key in self.places else key


def columns_of(row: int, headers: Sequence[str]) -> Columns:
    """Read the row of headers.

    Raises:
        SheetError: one is unknown or stands twice, or a needed one is missing.
    """
    places: dict[str, int] = {}
    notes, faults = [], []
    for place, header in enumerate(headers):
        word = re.sub(r"[\s_().-]", "", header.casefold())
        if not word or header.startswith(COMMENT) or word in _NO_USE:
            continue
        key = next((key for key, words in _HEADERS.items() if word in words), None)
        if key == _NOTE and key in places:
            notes.append(place)
        elif key is None or key in places:
            faults.append(Fault(row, letter(place), _unknown(header) if key is None else _twice(header, key)))
        else:
            places[key] = place
    faults += [Fault(row, "", _missing(key)) for key in _NEEDED if key not in places]
    if faults:
        raise SheetError(faults)
    return Columns(places, notes)


def _unknown(header: str) -> Text:
    return Text(
        f'the header "{header}" is none that is known; write one of {", ".join(_HEADERS)}, or put {COMMENT} before it '
        "to leave the column out",
        f'"{header}"은(는) 알 수 없는 머리글입니다. {", ".join(_SHOWN.values())} 중 하나로 쓰거나, 읽지 않을 열이면 '
        f"머리글 앞에 {COMMENT}을 붙이십시오",
    )


def _twice(header: str, key: str) -> Text:
    return Text(
        f'"{header}" is a second column for {key}; put {COMMENT} before one of the headers to leave it out',
        f'"{header}"은(는) 두 번째 {_SHOWN[key]} 열입니다. 읽지 않을 열의 머리글 앞에 {COMMENT}을 붙이십시오',
    )


def _missing(key: str) -> Text:
    return Text(
        f"there is no column {key}; the first row that is no comment has the headers "
        f"field, type, size and, where needed, {', '.join(key for key in _HEADERS if key not in _NEEDED)}",
        f"{_SHOWN[key]}({key}) 열이 없습니다. 주석이 아닌 첫 행에 머리글 {', '.join(_SHOWN[key] for key in _NEEDED)}과 "
        f"필요한 경우 {', '.join(text for key, text in _SHOWN.items() if key not in _NEEDED)}을 쓰십시오",
    )
