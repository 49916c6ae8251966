"""Writes the module of an interface's layouts from its sheets (toolkit/B1, toolkit/T5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from axhub.contract.columns import text_width
from axhub.toolkit.scaffold.sheets.model import Entry, Sheet
from axhub.toolkit.scaffold.sheets.words import FILLER, GROUP

__all__ = ["RESERVED", "layout_module"]

RESERVED: Final = frozenset(
    {"encode", "decode", "table", "layout_id", "layout_size", "layout_fields"}
    | {"date", "datetime", "time", "int", "str", "list"}
)
"""Names that no field may have: what each layout has besides its fields, and what their types are called."""
_WIDTH: Final = 120
_FORMATS: Final[Mapping[int, tuple[str, str]]] = {
    6: ("time", '"HHMMSS"'),
    8: ("date", ""),
    10: ("date", '"YYYY-MM-DD"'),
    14: ("datetime", '"YYYYMMDDHHMMSS"'),
    17: ("datetime", '"YYYYMMDDHHMMSSmmm"'),
}
"""Of days and times of day by their size: type, and how they are written."""
_ENDINGS: Final = ("_rows", "_list", "rows", "list")
"""Of the names of groups: a row of `claim_list` is a `ClaimRow`."""


@dataclass(slots=True)
class _Module:
    """A module while it is written."""

    classes: list[str] = field(default_factory=list)
    groups: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    """Classes of groups by name: one that stands in question and answer alike is one class."""
    imported: set[str] = field(default_factory=lambda: {"Layout"})
    types: set[str] = field(default_factory=set)


def layout_module(interface: str, charset: str, request: Sheet | None, answer: Sheet | None) -> str:
    """Return the text of `io/{interface}.py`.

    Args:
        interface: its id, `CLCNNB00001`.
        charset: `euc-kr`, `cp949` or `utf-8`.
        request: the fields of the question; None without a sheet of it.
        answer: those of the answer.
    """
    module = _Module()
    for sheet, ending, about in ((request, "I", "The question."), (answer, "O", "The answer.")):
        if sheet is not None:
            size = "" if sheet.size is None else f", size={sheet.size}"
            head = f'{interface}_{ending}(Layout, id="{interface}", charset="{charset}"{size})'
            _write(module, head, about, sheet.entries)
    return "\n\n\n".join(("\n".join(_head(interface, module)), *module.classes)) + "\n"


def _head(interface: str, module: _Module) -> Iterator[str]:
    yield f'"""The telegrams of {interface}, as their sheets have them."""'
    yield ""
    if moments := sorted(module.types & {"date", "datetime", "time"}):
        yield f"from datetime import {', '.join(moments)}"
    if "Decimal" in module.types:
        yield "from decimal import Decimal"
    yield "from typing import Annotated"
    yield ""
    yield f"from axhub.toolkit.mci import {', '.join(sorted(module.imported))}"


def _write(module: _Module, head: str, about: str, entries: Sequence[Entry]) -> None:
    counts = {entry.occurs.count for entry in entries if entry.occurs is not None}
    lines = [line for entry in entries for line in _field(module, entry, counted=entry.name in counts)]
    body = "\n".join(f"    {line}" for line in lines)
    module.classes.append(f'class {head}:\n    """{about}"""\n\n{body}')


def _field(module: _Module, entry: Entry, *, counted: bool) -> Iterator[str]:
    line = f"{entry.name}: {_annotation(module, entry)}"
    if entry.kind == FILLER:
        line += " = None"
    elif counted:
        line += " = 0"
    note = f"# {entry.note}" if entry.note else ""
    if note and text_width(f"    {line}  {note}") > _WIDTH:
        yield note
        note = ""
    yield f"{line}  {note}".rstrip()


def _annotation(module: _Module, entry: Entry) -> str:
    if entry.kind == GROUP:
        return _group(module, entry)
    type_, name, arguments = _scalar(entry)
    module.imported.add(name)
    module.types.add(type_)
    written = f"{type_} | None" if entry.optional and entry.kind != FILLER else type_
    return f"Annotated[{written}, {name}({', '.join(part for part in arguments if part)})]"


def _scalar(entry: Entry) -> tuple[str, str, Sequence[str]]:
    """Return type, note and arguments of a field."""
    if entry.kind == FILLER:
        return "None", "Filler", [f"{entry.size}"]
    if entry.kind == "text":
        return "str", "Text", [f"{entry.size}"]
    if entry.kind in {"date", "time"}:
        type_, form = _FORMATS[entry.size]
        return type_, "Date", [form]
    scale = f"scale={entry.scale}" if entry.scale else ""
    sign = f'sign="{entry.sign}"' if entry.sign else ""
    return "Decimal" if scale else "int", entry.kind.capitalize(), [f"{entry.size}", scale, sign]


def _group(module: _Module, entry: Entry) -> str:
    name = _group_class(module, entry)
    if entry.occurs is None:
        return name
    module.imported.add("Rows")
    count = f', count="{entry.occurs.count}"' if entry.occurs.count else ""
    fixed = "" if entry.occurs.fixed else ", fixed=False"
    return f"Annotated[list[{name}], Rows({entry.occurs.most}{count}{fixed})]"


def _group_class(module: _Module, entry: Entry) -> str:
    """Return the class of a group, which is written if none of the same members is there yet."""
    stem = next((entry.name.removesuffix(end) for end in _ENDINGS if entry.name.endswith(end)), entry.name)
    plain = "".join(part.capitalize() for part in stem.split("_")) + ("Row" if entry.occurs else "Part")
    members, name, number = tuple(_without_rows(entry.members)), plain, 1
    while module.groups.get(name, members) != members:
        number += 1
        name = f"{plain}{number}"
    if name not in module.groups:
        module.groups[name] = members
        _write(module, f"{name}(Layout)", "One of the rows." if entry.occurs else "One part.", entry.members)
    return name


def _without_rows(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the fields as they are wherever in a sheet they stand."""
    for entry in entries:
        yield replace(entry, row=0, note="", members=tuple(_without_rows(entry.members)))
