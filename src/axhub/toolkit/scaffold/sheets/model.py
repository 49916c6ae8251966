"""What a layout sheet says, and what can be wrong with it: plain values, in both languages."""

from collections.abc import Iterable
from dataclasses import dataclass

from axhub.toolkit.rules.model import Text

__all__ = ["Entry", "Fault", "Occurs", "Sheet", "SheetError"]


@dataclass(frozen=True, slots=True)
class Occurs:
    """How often a group stands in the telegram."""

    most: int
    count: str = ""
    """The field that says how many of them are used; empty: all, always."""
    fixed: bool = True
    """False: only as many stand there as the count says."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One field, or one group with its members."""

    row: int
    """As a spreadsheet counts it, from 1."""
    name: str
    """As Python writes it: `claim_no`."""
    kind: str
    """`text`, `num`, `packed`, `date`, `time`, `filler` or `group`."""
    size: int = 0
    """In bytes; of a group 0, its members have it."""
    scale: int = 0
    sign: str = ""
    optional: bool = False
    """Whether it may be blank, which is None."""
    note: str = ""
    """What the sheet says about it for people."""
    occurs: Occurs | None = None
    members: tuple["Entry", ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One telegram's data section."""

    entries: tuple[Entry, ...]

    @property
    def size(self) -> int | None:
        """Its bytes; None where a group of it stands as often as a count says."""
        return size_of(self.entries)


def size_of(entries: Iterable[Entry]) -> int | None:
    """Return how many bytes fields take together, None where that varies."""
    sizes = [_size(entry) for entry in entries]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _size(entry: Entry) -> int | None:
    if entry.kind != "group":
        return entry.size
    inner = size_of(entry.members)
    if entry.occurs is None or inner is None:
        return inner
    return inner * entry.occurs.most if entry.occurs.fixed else None


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, where it stands, and how to mend it."""

    row: int
    """0: of the whole file."""
    column: str
    """`C (size)`; empty: of the whole row."""
    text: Text

    def said(self, file: str, language: str) -> str:
        """Return it as one line: `layout.csv: row 3, column C (size): …`."""
        english = language == "en"
        row = f"row {self.row}" if english else f"{self.row}행"
        column = f"column {self.column}" if english else f"{self.column} 열"
        place = ", ".join(part for part, there in ((row, self.row), (column, self.column)) if there)
        what = self.text.en if english else self.text.ko
        return ": ".join(part for part in (file, place, what) if part)


class SheetError(ValueError):
    """A sheet cannot be used; `faults` has everything that is wrong with it, from top to bottom."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.row, fault.column)))
        super().__init__("\n".join(fault.said("", "en") for fault in self.faults))
