"""What a layout class declares, read from its annotations; a fault is told with class, field and mend."""

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Union, get_args, get_origin, get_type_hints

from axhub.toolkit.mci.dates import DATE_TYPES
from axhub.toolkit.mci.fields import Date, Filler, Note, Num, Packed, Rows, Text
from axhub.toolkit.mci.numbers import MAX_DIGITS

__all__ = ["Declared", "declared_fields"]

_NONE: Final = type(None)
_TAKEN: Final = frozenset({"decode", "encode", "layout_fields", "layout_id", "layout_size", "table"})
_CHOICES: Final[Mapping[type, Mapping[str, tuple[object, ...]]]] = {
    Text: {
        "pad": (" ", "\0", "0", "\u3000"),
        "align": ("left", "right"),
        "overflow": ("error", "cut"),
        "on_bad_tail": ("error", "drop"),
    },
    Num: {"sign": ("none", "leading", "trailing", "overpunch"), "plus": ("+", "0", " ")},
    Packed: {"signed": (True, False)},
    Date: {"format": tuple(DATE_TYPES), "none": (" ", "0")},
    Rows: {"fixed": (True, False)},
}


@dataclass(frozen=True, slots=True)
class Declared:
    """One field as its class declares it."""

    name: str
    note: Note | None
    """None: an inline group."""
    kind: type
    """Type of its values without `| None`; of rows: list or tuple."""
    optional: bool
    layout: type | None = None
    """The layout of a group or of a row."""


_Fields = Mapping[str, Declared]
"""The fields before one, by name."""


def declared_fields(owner: type, base: type) -> tuple[Declared, ...]:
    """Return the fields of a layout class in their order, those of its bases first.

    Args:
        owner: the class.
        base: the class that all layouts come from.

    Raises:
        TypeError: something cannot be laid out; the text names class, field and mend.
    """
    try:
        hints = get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise TypeError(
            f"{owner.__name__}: {error.name} is not known here; define it above, both at the top of a module"
        ) from None
    fields: dict[str, Declared] = {}
    for name, hint in hints.items():
        if hint is ClassVar or get_origin(hint) is ClassVar:
            continue
        field = _field(name, hint, base)
        problem = field if isinstance(field, str) else _problem(field, fields)
        if isinstance(field, str) or problem:
            raise TypeError(f"{owner.__name__}.{name}: {problem}")
        fields[name] = field
    if not fields:
        raise TypeError(f"{owner.__name__}: it has no field; write one such as name: Annotated[str, Text(10)]")
    return tuple(fields.values())


def _field(name: str, hint: Any, base: type) -> Declared | str:
    """Return the field, or what is wrong with how it is written."""
    annotated = get_origin(hint) is Annotated
    kind, optional = _without_none(get_args(hint)[0] if annotated else hint)
    notes = [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Note)]
    if not notes and isinstance(kind, type) and issubclass(kind, base):
        return (
            "a group is always there; write its type without None"
            if optional
            else Declared(name, None, kind, False, kind)
        )
    if len(notes) != 1:
        return "it needs one note; write it such as Annotated[str, Text(10)]"
    if isinstance(notes[0], Rows):
        row = _row_of(kind, base)
        if row is None or optional:
            return "Rows are rows of a layout; write list[Row] or tuple[Row, ...] with a Layout as Row"
        return Declared(name, notes[0], get_origin(kind) or list, False, row)
    if not isinstance(kind, type):
        return f"{_shown(notes[0])} has one type; write it such as str or int, with | None where it may be blank"
    return Declared(name, notes[0], kind, optional)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in {Union, types.UnionType}:
        return hint, False
    others = [one for one in get_args(hint) if one is not _NONE]
    return (others[0], True) if len(others) == 1 else (hint, False)


def _row_of(kind: Any, base: type) -> type | None:
    origin, arguments = get_origin(kind), get_args(kind)
    rows = arguments[:1] if origin is list or (origin is tuple and arguments[1:] == (...,)) else ()
    return rows[0] if rows and isinstance(rows[0], type) and issubclass(rows[0], base) else None


def _problem(field: Declared, before: _Fields) -> str | None:
    """Return the first thing that is wrong with a field, and its mend."""
    if field.name in _TAKEN or field.name.startswith("_"):
        return (
            "every layout has this name already; take another one"
            if field.name in _TAKEN
            else ("a field does not begin with _; take another name")
        )
    if field.note is None:
        return None
    return next(_problems(field, field.note, before), None)


def _problems(field: Declared, note: Note, before: _Fields) -> Iterator[str]:
    for option, allowed in _CHOICES.get(type(note), {}).items():
        if (found := getattr(note, option)) not in allowed:
            yield f"{option}={found!r} is not known; write {', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}"
    if not isinstance(note, Date | Rows) and not _is_count(note.size):
        yield f"size {note.size!r} is no number of bytes; write 1 or more"
    yield from _PROBLEMS[type(note)](field, note, before)


def _text_problems(field: Declared, note: Text, _before: _Fields) -> Iterator[str]:
    yield from _type_problems(field, note, str)
    trim: object = note.trim  # an author may write anything there
    if not isinstance(trim, str | None):
        yield f"trim={note.trim!r} is no text; write the characters to take off"


def _num_problems(field: Declared, note: Num, _before: _Fields) -> Iterator[str]:
    yield from _number_problems(field, note, note.size - (note.sign in {"leading", "trailing"}))


def _packed_problems(field: Declared, note: Packed, _before: _Fields) -> Iterator[str]:
    yield from _number_problems(field, note, note.size * 2 - 1)


def _number_problems(field: Declared, note: Num | Packed, places: int) -> Iterator[str]:
    if not 1 <= places <= MAX_DIGITS:
        yield f"{_shown(note)} has room for {places} digits; let it have 1 to {MAX_DIGITS}"
    scale: object = note.scale
    if not isinstance(scale, int) or not 0 <= scale <= places:
        yield f"scale {scale!r} does not fit its {places} digits; write 0 to {places}"
    if note.scale and field.kind is int:
        yield f"an int has no decimal places; write Decimal, or leave scale={note.scale} out"
    yield from _type_problems(field, note, int, Decimal)


def _date_problems(field: Declared, note: Date, _before: _Fields) -> Iterator[str]:
    yield from _type_problems(field, note, DATE_TYPES[note.format])


def _filler_problems(field: Declared, note: Filler, _before: _Fields) -> Iterator[str]:
    yield from _type_problems(field, note, _NONE)
    fill: object = note.fill
    if not (isinstance(fill, str) and len(fill) == 1 and fill.isascii()):
        yield f"fill={fill!r} is not one ASCII character; write one such as ' ' or '0'"


def _rows_problems(_field: Declared, note: Rows, before: _Fields) -> Iterator[str]:
    if not _is_count(note.max):
        yield f"max={note.max!r} is no number of rows; write 1 or more"
    if not note.count and not note.fixed:
        yield "rows that vary in number need a count; write count= with the name of the field that tells it"
    if not note.count:
        return
    counter = before.get(note.count)
    size = 0 if counter is None else _size_of_counter(counter)
    if not size:
        yield f"count={note.count!r} is no count; write the name of an unsigned Num of type int that stands before it"
    if note.max >= 10**size:
        yield f"{note.count} cannot tell {note.max} rows; give it more digits, or let max be smaller"


_PROBLEMS: Final[Mapping[type, Callable[[Declared, Any, _Fields], Iterator[str]]]] = {
    Text: _text_problems,
    Num: _num_problems,
    Packed: _packed_problems,
    Date: _date_problems,
    Filler: _filler_problems,
    Rows: _rows_problems,
}


def _size_of_counter(field: Declared) -> int:
    """Return the digits of a field that can tell a number of rows; 0: it cannot."""
    note = field.note
    if isinstance(note, Num) and field.kind is int and not field.optional and note.sign == "none":
        return note.size
    return 0


def _is_count(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found >= 1


def _type_problems(field: Declared, note: Note, *allowed: type) -> Iterator[str]:
    if field.kind in allowed:
        return
    names = " or ".join("None" if one is _NONE else one.__name__ for one in allowed)
    yield f"{_shown(note)} is not for {field.kind.__name__}; write {names}"


def _shown(note: Note) -> str:
    return type(note).__name__
