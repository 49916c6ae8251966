"""Reads a layout sheet: every fault of it with row, column and mend, else its fields (toolkit/B1, toolkit/T5)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from axhub.toolkit.mci.numbers import MAX_DIGITS
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.sheets import saying
from axhub.toolkit.scaffold.sheets.cells import rows_of
from axhub.toolkit.scaffold.sheets.columns import Columns, columns_of
from axhub.toolkit.scaffold.sheets.groups import grouped
from axhub.toolkit.scaffold.sheets.model import Entry, Fault, Occurs, Sheet, SheetError
from axhub.toolkit.scaffold.sheets.words import (
    FILLER,
    GROUP,
    TOTALS,
    digits_of,
    kind_of,
    name_of,
    occurs_of,
    required_in,
    sign_of,
    whole_of,
)

__all__ = ["read_sheet"]

_MOMENTS: Final[Mapping[str, tuple[int, ...]]] = {"date": (8, 10, 14, 17), "time": (6,)}
"""The sizes that days and times of day have; the first is the one of a row without size."""
_SCALED: Final = ("num", "packed")

Read = TypeVar("Read")


def read_sheet(content: bytes, reserved: frozenset[str] = frozenset()) -> Sheet:
    """Read the CSV file of one telegram's data section.

    The first row that is no comment has the headers; each further one is a field, or a group whose members follow it
    with the group's name before theirs: `rows.claim_no`.

    Args:
        content: see `rows_of`.
        reserved: names that no field may have.

    Raises:
        SheetError: something is wrong with it; it has all that could be found.
    """
    rows = rows_of(content)
    if not rows:
        raise SheetError([Fault(0, "", saying.EMPTY)])
    columns = columns_of(*rows[0])
    faults: list[Fault] = []
    lines = [_Line(columns, number, cells, faults) for number, cells in rows[1:]]
    totals = [line for line in lines if line.is_total]
    entries = [line.entry(reserved) for line in lines if not line.is_total]
    fields = grouped(entries, columns, faults)
    if not entries:
        faults.append(Fault(0, "", saying.EMPTY))
    sheet = Sheet(fields)
    if not faults:
        faults += _total_faults(totals, sheet)
    if faults:
        raise SheetError(faults)
    return sheet


def _total_faults(totals: Sequence["_Line"], sheet: Sheet) -> Iterator[Fault]:
    for line in totals:
        said, size = line.cell("size"), sheet.size
        if size is not None and said != str(size):
            yield Fault(line.row, line.shown("size"), saying.total(said, size))


class _Line:
    """One row while it is read."""

    def __init__(self, columns: Columns, row: int, cells: Sequence[str], faults: list[Fault]) -> None:
        self.row = row
        self._columns = columns
        self._cells = cells
        self._faults = faults

    def cell(self, key: str) -> str:
        return self._columns.cell(self._cells, key)

    def shown(self, key: str) -> str:
        return self._columns.shown(key)

    @property
    def is_total(self) -> bool:
        return self.cell("field").casefold().replace(" ", "") in TOTALS and not self.cell("type")

    def entry(self, reserved: frozenset[str]) -> Entry:
        """Return the row as a field, its name with those of the groups around it; what is wrong goes to the faults."""
        kind = self._read("type", kind_of, saying.kind) or ""
        name = self._name(kind, reserved)
        sign = self._read("sign", sign_of, saying.sign) if self._only_for("sign", kind == "num", "num") else ""
        size = self._size(kind)
        return Entry(
            self.row,
            name,
            kind,
            size,
            scale=self._scale(kind, size, digits_of(kind, size, sign or "")),
            sign=sign or "",
            optional=self._read("required", required_in, saying.required) is False,
            note=" ".join(self.cell("note").split()),
            occurs=self._occurs(kind),
        )

    def _name(self, kind: str, reserved: frozenset[str]) -> str:
        written = self.cell("field")
        *around, last = written.split(".")
        if kind == FILLER and (not last or not last.isascii()):
            last = FILLER
        names = [name_of(part.strip()) for part in (*around, last)]
        if None in names:
            self._fault("field", saying.name(written))
        elif names[-1] in reserved:
            self._fault("field", saying.reserved(written))
        return ".".join(name or "" for name in names)

    def _scale(self, kind: str, size: int, digits: int) -> int:
        if size and kind in _SCALED and not 1 <= digits <= MAX_DIGITS:
            self._fault("size", saying.digits(digits, MAX_DIGITS))
        if not self._only_for("scale", kind in _SCALED, ", ".join(_SCALED)) or not self.cell("scale"):
            return 0
        scale = self._whole("scale", saying.scale)
        if size and scale > digits:
            self._fault("scale", saying.scale_of(self.cell("scale"), digits))
        return scale

    def _size(self, kind: str) -> int:
        sizes = _MOMENTS.get(kind, (0,) if kind == GROUP else ())
        if sizes and not self.cell("size"):
            return sizes[0]
        size = self._whole("size", saying.size, least=1)
        if size and kind in _MOMENTS and size not in sizes:
            self._fault("size", saying.moment_size(self.cell("size"), kind, sizes))
        return size

    def _occurs(self, kind: str) -> Occurs | None:
        if not self._only_for("occurs", kind == GROUP, GROUP) or self.cell("occurs") in {"", "1"}:
            return None
        return self._read("occurs", occurs_of, saying.occurs)

    def _only_for(self, key: str, fits: bool, kinds: str) -> bool:
        """Say whether a column counts for this row; a value where it means nothing is a fault."""
        if not fits and self.cell(key) not in {"", "0"} and not (key == "occurs" and self.cell(key) == "1"):
            self._fault(key, saying.not_here(key, self.cell(key), kinds))
        return fits

    def _whole(self, key: str, said: Callable[[str], Text], least: int = 0) -> int:
        found = whole_of(self.cell(key))
        if found is not None and found >= least:
            return found
        self._fault(key, said(self.cell(key)))
        return 0

    def _read(self, key: str, reader: Callable[[str], Read | None], said: Callable[[str], Text]) -> Read | None:
        found = reader(self.cell(key))
        if found is None:
            self._fault(key, said(self.cell(key)))
        return found

    def _fault(self, key: str, text: Text) -> None:
        self._faults.append(Fault(self.row, self.shown(key), text))
