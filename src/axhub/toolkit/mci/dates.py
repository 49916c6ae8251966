"""Date and time fields: digits of the telegram's own clock, checked against the calendar (toolkit/B2)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final

from axhub.toolkit.mci.codec import FieldCodec, is_blank, wrong_type
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.fields import Date

__all__ = ["DATE_TYPES", "date_codec"]

_Moment = date | datetime | time


@dataclass(frozen=True, slots=True)
class _Format:
    kind: type[_Moment]
    dashes: tuple[int, ...]
    """Where it has a dash; all else is digits."""
    read: Callable[[str], _Moment]
    """Takes the digits alone; raises ValueError if the calendar or the clock has no such moment."""
    write: Callable[[Any], str]


def _read_date(digits: str) -> date:
    return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))


def _read_time(digits: str) -> time:
    return time(int(digits[:2]), int(digits[2:4]), int(digits[4:]))


def _read_moment(digits: str) -> datetime:
    milliseconds = int(digits[14:] or 0)
    clock = _read_time(digits[8:14]).replace(microsecond=milliseconds * 1000)
    return datetime.combine(_read_date(digits[:8]), clock)


def _write_date(value: date) -> str:
    return f"{value.year:04d}{value.month:02d}{value.day:02d}"


def _write_time(value: time | datetime) -> str:
    return f"{value.hour:02d}{value.minute:02d}{value.second:02d}"


def _write_moment(value: datetime) -> str:
    return _write_date(value) + _write_time(value)


def _write_moment_and_millis(value: datetime) -> str:
    return f"{_write_moment(value)}{value.microsecond // 1000:03d}"


_FORMATS: Final = {
    "YYYYMMDD": _Format(date, (), _read_date, _write_date),
    "YYYY-MM-DD": _Format(date, (4, 7), _read_date, date.isoformat),
    "YYYYMMDDHHMMSS": _Format(datetime, (), _read_moment, _write_moment),
    "YYYYMMDDHHMMSSmmm": _Format(datetime, (), _read_moment, _write_moment_and_millis),
    "HHMMSS": _Format(time, (), _read_time, _write_time),
}
DATE_TYPES: Final = {name: one.kind for name, one in _FORMATS.items()}
"""The Python type of each format."""


def date_codec(note: Date, optional: bool) -> FieldCodec:
    """Return the codec of a date; what is smaller than the format's last place is left out."""
    form, size = _FORMATS[note.format], len(note.format)
    blank = _nothing(note)

    def read(raw: bytes) -> _Moment | None:
        digits = _digits(raw, form.dashes)
        if digits is not None and (digits.strip("0") or form.kind is time):
            return _read(form, digits, note.format)
        if digits is None and not is_blank(raw):
            raise FieldError("digits", f"it is not written as {note.format}")
        if optional:
            return None
        raise FieldError("blank", "it is blank, and its type has no None")

    def write(value: object) -> bytes:
        if type(value) is form.kind:
            return form.write(value).encode("ascii")
        if value is None and optional:
            return blank
        raise wrong_type(value, form.kind.__name__)

    return FieldCodec(size, read, write, blank)


def _nothing(note: Date) -> bytes:
    dashes = _FORMATS[note.format].dashes if note.none == "0" else ()
    return "".join("-" if at in dashes else note.none for at in range(len(note.format))).encode("ascii")


def _digits(raw: bytes, dashes: tuple[int, ...]) -> str | None:
    if dashes:
        parts = raw.split(b"-")
        raw = b"".join(parts) if [len(part) for part in parts] == [4, 2, 2] else b""
    return raw.decode("ascii") if raw.isdigit() else None


def _read(form: _Format, digits: str, shown: str) -> _Moment:
    try:
        return form.read(digits)
    except ValueError:
        pass
    raise FieldError("date", f"there is no such moment ({shown})")
