"""From the bytes of a CSV file to rows of cells."""

import csv
import io
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from typing import Final

from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.sheets.model import Fault, SheetError

__all__ = ["COMMENT", "letter", "rows_of"]

COMMENT: Final = "#"
"""Begins a row, or the header of a column, that is not read."""
_MOST_BYTES: Final = 1_048_576
_MOST_ROWS: Final = 2_000
_WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How files of spreadsheet programs begin."""
_SEPARATORS: Final = ",;\t"
_LETTERS: Final = 26

_NOT_CSV: Final = Text(
    "this is no CSV file but a workbook or UTF-16 text; save the sheet as CSV (UTF-8)",
    "CSV 파일이 아니라 통합 문서이거나 UTF-16 텍스트입니다. 시트를 CSV(UTF-8)로 저장하십시오",
)
_NO_TEXT: Final = Text(
    "it is neither UTF-8 nor CP949; save the sheet as CSV (UTF-8)",
    "UTF-8도 CP949도 아닙니다. 시트를 CSV(UTF-8)로 저장하십시오",
)
_TOO_LARGE: Final = Text(
    f"it is too large for a layout: at most {_MOST_ROWS} rows and {_MOST_BYTES} bytes; save one layout a file",
    f"레이아웃으로 보기에 너무 큽니다. {_MOST_ROWS}행, {_MOST_BYTES}바이트까지 읽습니다. 파일 하나에 레이아웃 하나만 "
    "저장하십시오",
)
_TORN: Final = Text(
    "a quoted cell is not closed; put a second quotation mark behind it, or take the first one away",
    "따옴표로 시작한 셀이 닫히지 않았습니다. 닫는 따옴표를 넣거나 여는 따옴표를 지우십시오",
)


def rows_of(content: bytes) -> list[tuple[int, list[str]]]:
    """Return the rows that say something, each with its number as a spreadsheet counts it.

    Rows that are empty and rows that begin with `#` are left out, and blanks around cells.

    Args:
        content: UTF-8 with or without byte order mark, else CP949, as Korean spreadsheet programs save; cells apart by
            comma, semicolon or tab.

    Raises:
        SheetError: it is no text, too large, or no CSV.
    """
    if len(content) > _MOST_BYTES:
        raise _refused(_TOO_LARGE)
    text = _decoded(content)
    head = next((line for line in text.splitlines() if line.strip(_SEPARATORS + " ") and not _is_comment(line)), "")
    separator = max(_SEPARATORS, key=head.count)
    found = []
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), 1):
            stripped = [cell.strip() for cell in cells]
            if number > _MOST_ROWS:
                raise _refused(_TOO_LARGE)
            if any(stripped) and not _is_comment(stripped[0]):
                found.append((number, stripped))
    except csv.Error:
        raise _refused(_TORN) from None
    return found


def letter(column: int) -> str:
    """Return what spreadsheets call a column, counted from 0: A to Z, AA and so on."""
    before, last = divmod(column, _LETTERS)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)


def _is_comment(line: str) -> bool:
    return line.lstrip('" ').startswith(COMMENT)


def _decoded(content: bytes) -> str:
    if content.startswith((*_WORKBOOKS, BOM_UTF16_LE, BOM_UTF16_BE)):
        raise _refused(_NOT_CSV)
    for encoding in ("utf-8", "cp949"):
        try:
            text = content.removeprefix(BOM_UTF8).decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise _refused(_NOT_CSV)
        return text
    raise _refused(_NO_TEXT)


def _refused(text: Text) -> SheetError:
    return SheetError([Fault(0, "", text)])
