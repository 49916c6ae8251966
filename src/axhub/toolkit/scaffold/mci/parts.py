"""What a tool in front of an MCI interface is made of: the fields of its layouts, as agents would see them."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel

from axhub.toolkit.mci import Layout, LayoutField, Num, Packed, Rows
from axhub.toolkit.scaffold.sheets.words import digits_of

__all__ = ["Part", "parts_of", "plain_of", "value_of"]

_NOTED: Final = re.compile(r"(?P<name>\w+): [^#]*(?:  # (?P<note>.+))?")
_TEXT: Final = "A-0001"
_MOMENTS: Final[Mapping[str, str]] = {
    "date": "2026-08-10",
    "datetime": "2026-08-10T09:30:00",
    "time": "09:30:00",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One field that agents see."""

    name: str
    type: str
    """`str`, `int`, `Decimal`, `date`, `datetime`, `time`; `group` or `rows`."""
    optional: bool = False
    note: str = ""
    """What the layout says of it in a comment, as its sheet did."""
    size: int = 0
    digits: int = 0
    """Of a number, those behind the decimal point included."""
    scale: int = 0
    signed: bool = False
    layout: str = ""
    """The layout of a group or a row."""
    members: tuple["Part", ...] = ()
    most: int = 1
    """How many rows there may be."""
    repeated: int = 1
    """How many rows a sample has: one, or all where there have to be all of them."""

    @property
    def seen_as(self) -> str:
        """Its name for agents: another where every model has something else of that name, `copy` for instance."""
        return f"{self.name}_value" if hasattr(BaseModel, self.name) else self.name


def parts_of(layout: type[Layout]) -> tuple[Part, ...]:
    """Return the fields of a layout that say something; fillers and counts of rows do not."""
    notes = _notes_in(layout)
    return tuple(replace(part, note=notes.get(part.name, "")) for part in _parts(layout.layout_fields))


def _notes_in(layout: type[Layout]) -> Mapping[str, str]:
    """Return the comments behind the fields of a class, and those on lines of their own before them."""
    try:
        lines = inspect.getsourcelines(layout)[0]
    except (OSError, TypeError):
        return {}
    notes, above = {}, ""
    for line in lines:
        found = _NOTED.fullmatch(line.strip())
        note = (found["note"] if found else "") or above
        if found and note:
            notes[found["name"]] = note.replace("\\", "").replace('"', "'")
        above = line.strip().removeprefix("# ") if line.strip().startswith("# ") else ""
    return notes


def _parts(fields: Sequence[LayoutField]) -> Iterator[Part]:
    counts = {field.note.count for field in fields if isinstance(field.note, Rows)}
    for field in fields:
        if field.kind != "Filler" and field.name not in counts:
            yield _part(field)


def _part(field: LayoutField) -> Part:
    note = field.note
    if field.layout is not None:
        inner, members = field.layout.__name__, parts_of(field.layout)
        if not isinstance(note, Rows):
            return Part(field.name, "group", layout=inner, members=members)
        sampled = 1 if note.count else note.max
        return Part(field.name, "rows", layout=inner, members=members, most=note.max, repeated=sampled)
    size = field.size or 0
    part = Part(field.name, field.type.__name__, field.optional, size=size)
    if isinstance(note, Packed):
        return replace(part, digits=digits_of("packed", size), scale=note.scale, signed=note.signed)
    if isinstance(note, Num):
        digits = digits_of("num", size, note.sign)
        return replace(part, digits=digits, scale=note.scale, signed=note.sign != "none")
    return part


def value_of(part: Part) -> Any:
    """Return an example of a field as JSON has it on the side of the telegram."""
    if part.type == "group":
        return plain_of(part.members)
    if part.type == "rows":
        return [plain_of(part.members) for _ in range(part.repeated)]
    if part.type == "int":
        return 1
    if part.type == "Decimal":
        whole = "1" if part.digits > part.scale else "0"
        return f"{whole}.{'5'.ljust(part.scale, '0')}"
    return _MOMENTS.get(part.type) or (_TEXT if part.size >= len(_TEXT) else _TEXT[0])


def plain_of(parts: Sequence[Part]) -> dict[str, Any]:
    """Return an example of all fields, by their names in the layout."""
    return {part.name: value_of(part) for part in parts}
