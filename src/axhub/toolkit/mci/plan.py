"""A layout as it is worked through: made once, when its class is, and then only read (toolkit/B1).

Everything of one size lies side by side, so one `struct` takes it apart and one call a field makes it a value. Whatever
comes after rows that vary in number is found while reading. Where a fault is, nobody keeps count of on the way: it is
looked for afterwards (`walking`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import call
from struct import Struct
from typing import Any, Final

from axhub.toolkit.mci.codec import FieldCodec, Writer, wrong_type
from axhub.toolkit.mci.declared import Declared
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.fields import Rows
from axhub.toolkit.mci.record import Record, new_record, put_values, values_of

__all__ = ["Plan", "Step", "check_count", "check_rows", "check_told", "too_short"]


class Plan:
    """The steps of one layout in one charset. Faults come out of it as FieldError, without a place."""

    def __init__(self, owner: type[Record], steps: Sequence["Step"]) -> None:
        self.owner: Final = owner
        self.steps: Final = tuple(steps)
        self.least: Final = sum(step.least for step in steps)
        """The bytes that it has at least."""
        self.size: Final = None if any(step.size is None for step in steps) else self.least
        """The bytes that it has; None: that varies."""
        self.blank: Final = b"".join(step.blank for step in steps)
        """What it holds in a row that is not used."""
        places = {step.name: at for at, step in enumerate(steps)}
        self._parts: Final = _parts(self.steps, places)
        self._whole: Final[Any] = self._parts[0]  # of a plan of one size, that is all of it
        self._is_nested: Final = any(step.plan is not None for step in steps)
        self._readers: Final = tuple(_reader_of(step) for step in steps)
        self._writers: Final = tuple(_writer_of(step) for step in steps)
        self._counts: Final = tuple(
            (places[step.rows.count], places[step.name]) for step in steps if step.rows and step.rows.count
        )

    def read(self, raw: bytes) -> Any:
        """Return the value of a plan of one size from just its bytes."""
        return self._made(self._whole.split.unpack(raw))

    def read_rows(self, area: bytes) -> list[Any]:
        """Return the values of rows of one size, column by column: a call for each row would take most of the time."""
        rows = self._whole.split.iter_unpack(area)
        if self._is_nested:
            return [self._made(chunks) for chunks in rows]
        columns = [map(read, column) for read, column in zip(self._readers, zip(*rows, strict=True), strict=False)]
        made, owner = [], self.owner
        for values in zip(*columns, strict=True):
            row = new_record(owner)
            put_values(row, values)
            made.append(row)
        return made

    def read_at(self, raw: bytes, at: int) -> tuple[Any, int]:
        """Return the value that begins at `at`, and where it ends."""
        values: list[Any] = []
        for part in self._parts:
            at = part.read(values, raw, at)
        made = new_record(self.owner)
        put_values(made, tuple(values))
        return made, at

    def write(self, value: Any) -> bytes:
        """Return the bytes of a value."""
        if not isinstance(value, self.owner):
            raise wrong_type(value, self.owner.__name__)
        values = values_of(value)
        raw = b"".join(map(call, self._writers, values))
        for count, rows in self._counts:
            check_count(values[count], len(values[rows]))
        return raw

    def write_rows(self, rows: Sequence[Any]) -> bytes:
        """Return the bytes of rows, written column by column."""
        owner = self.owner
        if self._counts or [row for row in rows if type(row) is not owner]:
            return b"".join([self.write(row) for row in rows])
        columns = zip(*map(values_of, rows), strict=True)
        written = [map(write, column) for write, column in zip(self._writers, columns, strict=False)]
        return b"".join(chain.from_iterable(zip(*written, strict=True)))

    def _made(self, chunks: Sequence[bytes]) -> Any:
        values: list[Any] = []
        self._whole.take(values, chunks)
        made = new_record(self.owner)
        put_values(made, tuple(values))
        return made


@dataclass(frozen=True, slots=True)
class Step:
    """One field of a plan."""

    declared: Declared
    codec: FieldCodec | None = None
    """Of a field that is neither rows nor a group."""
    plan: Plan | None = None
    """Of a group or a row."""

    @property
    def name(self) -> str:
        """The field's name."""
        return self.declared.name

    @property
    def rows(self) -> Rows | None:
        """The note, if these are rows."""
        return self.declared.note if isinstance(self.declared.note, Rows) else None

    @property
    def least(self) -> int:
        """The bytes that it has at least."""
        if self.codec is not None:
            return self.codec.size
        of_one = self.nested.least
        return of_one if self.rows is None else of_one * self.rows.max * self.rows.fixed

    @property
    def size(self) -> int | None:
        """The bytes that it has; None: that varies."""
        if self.rows is not None:
            return self.least if self.rows.fixed else None
        return self.least if self.codec is not None else self.nested.size

    @property
    def blank(self) -> bytes:
        """What it holds in a row that is not used."""
        if self.codec is not None:
            return self.codec.blank
        return self.nested.blank if self.rows is None else self.nested.blank * self.rows.max * self.rows.fixed

    @property
    def nested(self) -> Plan:
        """The plan of a group or a row."""
        if self.plan is None:
            raise AssertionError(f"{self.name} is neither a group nor rows")
        return self.plan


class _Run:
    """Fields side by side that each have one size."""

    def __init__(self, steps: Sequence[Step], places: Mapping[str, int]) -> None:
        self.split: Final = Struct("".join(f"{step.size}s" for step in steps))
        self._readers: Final = tuple(_reader_of(step) for step in steps)
        self._rows: Final = tuple(
            (places[step.name], _area_reader(step), places.get(step.rows.count), step.rows.max)
            for step in steps
            if step.rows
        )

    def take(self, values: list[Any], chunks: Sequence[bytes]) -> None:
        """Append the values of the fields; rows come when the count before them is known."""
        values.extend(map(call, self._readers, chunks))
        for place, read, count, most in self._rows:
            values[place] = read(values[place], most if count is None else values[count])

    def read(self, values: list[Any], raw: bytes, at: int) -> int:
        """Append the values of the fields that begin at `at`, and return where they end."""
        end = at + self.split.size
        if end > len(raw):
            raise too_short(self.split.size, len(raw) - at)
        self.take(values, self.split.unpack_from(raw, at))
        return end


class _Varying:
    """One group whose size varies, or rows of which there are as many as a field before them tells."""

    def __init__(self, step: Step, places: Mapping[str, int]) -> None:
        self._plan: Final = step.nested
        self._rows: Final = step.rows
        self._kind: Final = step.declared.kind
        self._count: Final = places[step.rows.count] if step.rows else 0

    def read(self, values: list[Any], raw: bytes, at: int) -> int:
        """Append the value that begins at `at`, and return where it ends."""
        if self._rows is None:
            value, at = self._plan.read_at(raw, at)
        else:
            rows: list[Any] = []
            for _ in range(check_told(values[self._count], self._rows)):
                row, at = self._plan.read_at(raw, at)
                rows.append(row)
            value = self._kind(rows)
        values.append(value)
        return at


def check_rows(rows: object, note: Rows) -> None:
    """Refuse what are no rows, or too many of them."""
    if not isinstance(rows, list | tuple):
        raise wrong_type(rows, "list")
    if len(rows) > note.max:
        raise _too_many(len(rows), note)
    if not note.count and len(rows) != note.max:
        raise FieldError("count", f"{len(rows)} rows, and {note.max} have to be", limit=note.max, length=len(rows))


def check_count(told: object, rows: int) -> None:
    """Refuse a count that is not the number of rows."""
    if told != rows:
        raise FieldError("count", f"it tells another number than that of the {rows} rows", length=rows)


def too_short(needed: int, left: int) -> FieldError:
    """Return the fault of a telegram that ends too early."""
    return FieldError("length", f"{needed} bytes are laid down, and {left} are left", limit=left, length=needed)


def _too_many(rows: int, note: Rows) -> FieldError:
    return FieldError("count", f"{rows} rows do not fit in {note.max}", limit=note.max, length=rows)


def check_told(count: int, note: Rows) -> int:
    """Return how many rows a telegram tells of, unless those are too many."""
    if count > note.max:
        raise _too_many(count, note)
    return count


def _parts(steps: Sequence[Step], places: Mapping[str, int]) -> tuple[_Run | _Varying, ...]:
    parts: list[_Run | _Varying] = []
    run: list[Step] = []
    for step in steps:
        if step.size is not None:
            run.append(step)
            continue
        if run:
            parts.append(_Run(run, places))
        parts.append(_Varying(step, places))
        run = []
    return (*parts, _Run(run, places)) if run else tuple(parts)


def _reader_of(step: Step) -> Callable[[bytes], Any]:
    if step.rows is not None:
        return bytes  # the area as it is, until the count is known
    return step.codec.read if step.codec is not None else step.nested.read


def _area_reader(step: Step) -> Callable[[bytes, int], Any]:
    plan, note, kind = step.nested, step.rows or Rows(0), step.declared.kind

    def read_area(area: bytes, count: int) -> Any:
        rows = plan.read_rows(area[: check_told(count, note) * plan.least])
        return rows if kind is list else kind(rows)

    return read_area


def _writer_of(step: Step) -> Writer:
    if step.codec is not None:
        return step.codec.write
    if step.rows is None:
        return step.nested.write
    note, write_rows, blank = step.rows, step.nested.write_rows, step.nested.blank

    def write(rows: Any) -> bytes:
        check_rows(rows, note)
        written = write_rows(rows)
        return written + blank * (note.max - len(rows)) if note.fixed else written

    return write
