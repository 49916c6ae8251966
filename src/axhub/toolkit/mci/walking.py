"""Goes through a telegram or a value field by field, to say where a fault is or to show what is there.

Reading and writing themselves keep no count of places; this does, with the same codecs, when somebody asks.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from axhub.toolkit.mci.codec import FieldCodec, wrong_type
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.plan import Plan, Step, check_count, check_rows, check_told, too_short

__all__ = ["Cell", "FaultyValueError", "check_value", "read_cells"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One field at its place in one telegram."""

    path: str
    """Such as `rows[2].amount`."""
    offset: int
    size: int
    step: Step
    value: Any = None
    fault: FieldError | None = None
    is_unused: bool = False
    """Whether it is room for rows that are not there."""


class FaultyValueError(Exception):
    """A value that cannot be written, with the field that is to blame."""

    def __init__(self, path: str, offset: int, fault: FieldError) -> None:
        super().__init__(path)
        self.path = path
        self.offset = offset
        self.fault = fault


_Places = Generator[Cell, None, int | None]
"""Yields cells, and returns where the next field begins; None: that cannot be told."""


def read_cells(plan: Plan, raw: bytes) -> Iterator[Cell]:
    """Yield every field of a telegram in order; after a fault that leaves the rest without a place it ends."""
    yield from _cells(plan, raw, "", 0)


def _cells(plan: Plan, raw: bytes, path: str, at: int) -> _Places:
    values: dict[str, Any] = {}
    for step in plan.steps:
        place, end = path + step.name, None
        if step.codec is not None:
            cell = _cell(step, step.codec, raw, place, at)
            values[step.name] = cell.value
            yield cell
            end = at + step.codec.size if at + step.codec.size <= len(raw) else None
        elif step.rows is None:
            end = yield from _cells(step.nested, raw, f"{place}.", at)
        else:
            end = yield from _row_cells(step, values, raw, place, at)
        if end is None:
            return None
        at = end
    return at


def _cell(step: Step, codec: FieldCodec, raw: bytes, place: str, at: int) -> Cell:
    of_it = raw[at : at + codec.size]
    if len(of_it) < codec.size:
        return Cell(place, at, codec.size, step, fault=too_short(codec.size, len(of_it)))
    try:
        return Cell(place, at, codec.size, step, codec.read(of_it))
    except FieldError as fault:
        return Cell(place, at, codec.size, step, fault=fault)


def _row_cells(step: Step, values: dict[str, Any], raw: bytes, place: str, at: int) -> _Places:
    note = step.rows
    if note is None:
        raise AssertionError(place)
    end = at + step.least if note.fixed else None
    told = values.get(note.count) if note.count else note.max
    if told is None:  # its own cell has the fault
        if end is not None:
            yield Cell(place, at, step.least, step)
        return end
    try:
        check_told(told, note)
    except FieldError as fault:
        yield Cell(place, at, step.least, step, fault=fault)
        return end
    for number in range(told):
        after = yield from _cells(step.nested, raw, f"{place}[{number}].", at)
        if after is None:
            return None
        at = after
    if end is not None and end > at:
        yield Cell(f"{place}[{told}..{note.max - 1}]", at, end - at, step, is_unused=True)
    return at if end is None else end


def check_value(plan: Plan, value: Any) -> None:
    """Go through a value as writing does.

    Raises:
        FaultyValueError: a field cannot be written; it is the first one.
    """
    _check(plan, value, "", 0)


def _check(plan: Plan, value: Any, path: str, at: int) -> int:
    """Return where the value's bytes would end."""
    if not isinstance(value, plan.owner):
        raise FaultyValueError(path.removesuffix("."), at, wrong_type(value, plan.owner.__name__))
    places: dict[str, int] = {}
    for step in plan.steps:
        places[step.name] = at
        at = _check_step(step, getattr(value, step.name, None), path + step.name, at)
    for step in plan.steps:
        if step.rows is not None and step.rows.count:
            try:
                check_count(getattr(value, step.rows.count), len(getattr(value, step.name)))
            except FieldError as fault:
                raise FaultyValueError(path + step.rows.count, places[step.rows.count], fault) from None
    return at


def _check_step(step: Step, value: Any, place: str, at: int) -> int:
    try:
        if step.codec is not None:
            return at + len(step.codec.write(value))
        if step.rows is not None:
            check_rows(value, step.rows)
    except FieldError as fault:
        raise FaultyValueError(place, at, fault) from None
    if step.rows is None:
        return _check(step.nested, value, f"{place}.", at)
    end = at
    for number, row in enumerate(value):
        end = _check(step.nested, row, f"{place}[{number}].", end)
    return at + step.least if step.rows.fixed else end
