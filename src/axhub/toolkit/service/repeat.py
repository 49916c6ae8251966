"""A write that comes a second time is answered, and not made again (rule/TK804).

The first call with a business key takes it, atomically. If it was answered, later ones get the same bytes. If it was
refused by the use case, nothing was written and the key is given back. In every other case nobody knows, so the key
stays taken and a person has to look. A call with the key of another request, or of another caller, is neither run nor
answered from the store.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from enum import Enum
from typing import Any, Final
from unicodedata import normalize

from pydantic import BaseModel, SecretBytes, SecretStr
from pydantic_core import to_jsonable_python

from axhub.toolkit.context import ToolContext
from axhub.toolkit.ports import Stored

__all__ = ["BusinessKey", "MemoryRepeatStore"]


class UnknownKeyError(ValueError):
    """A business key names what is no argument, or nothing."""

    def __init__(self, unknown: list[str], known: list[str]) -> None:
        names = ", ".join(unknown)
        self.values = {"unknown": names or "nothing", "unknown_ko": names or "빈 값", "known": ", ".join(known)}
        """For a message: what it names, and what it could."""
        super().__init__("repeat.key names {unknown}; its arguments are {known}".format_map(self.values))


class BusinessKey:
    """Which arguments of a tool make two calls the same."""

    __slots__ = ("_fields",)

    def __init__(self, model: type[BaseModel], names: tuple[str, ...]) -> None:
        """Take the request model and the wire names of `repeat.key`.

        Raises:
            UnknownKeyError: the model has no such field.
        """
        wire = {field.alias or name: name for name, field in model.model_fields.items()}
        unknown = [name for name in names if name not in wire]
        if unknown or not names:
            raise UnknownKeyError(unknown, list(wire))
        self._fields: Mapping[str, str] = {name: wire[name] for name in names}

    @property
    def names(self) -> tuple[str, ...]:
        """The wire names of its arguments."""
        return tuple(self._fields)

    def of(self, request: BaseModel) -> str:
        """Return the key of a call: a digest, so that no store holds an argument.

        What was meant counts, not how it was written: `1` and `1.0` of a number, one moment in two time zones, one
        text composed or decomposed, a left-out argument and its default are the same.

        Args:
            request: the validated arguments.
        """
        return _hashed({name: _plain(getattr(request, python)) for name, python in self._fields.items()})

    def digest(self, request: BaseModel, context: ToolContext) -> str:
        """Return the digest of a whole request and its caller, in which the spelling counts as little as in the key.

        The caller is the employee as encrypted in the headers: only its owner's key can read more.

        Args:
            request: the validated arguments.
            context: of the call.
        """
        callers = (context.employee, context.virtual_employee)
        caller = [one.reveal_cipher_text() if one is not None else None for one in callers]
        return _hashed({"request": _plain(request), "caller": caller})


def _hashed(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: Any) -> Any:
    """Return a value in the one spelling that JSON has for it here."""
    for kinds, spell in _SPELLINGS:
        if isinstance(value, kinds):
            return spell(value)
    return to_jsonable_python(value)


def _number(value: float | Decimal) -> Any:
    exact = Decimal(value)
    if not exact.is_finite():
        return str(exact)
    return "0" if exact == 0 else str(_EXACT.normalize(exact))


def _moment(value: datetime) -> list[int | None]:
    """Return the microseconds since the year 1, in UTC if there is a zone; at the ends of the calendar as well."""
    offset = value.utcoffset()
    since = value.replace(tzinfo=None) - _BEGINNING - (offset or timedelta())
    return [since // _MICROSECOND, None if offset is None else 0]


def _time(value: time) -> list[int | None]:
    return _moment(datetime.combine(date(2000, 1, 1), value))


def _mapping(value: Mapping[Any, Any]) -> list[Any]:
    return sorted(([_plain(name), _plain(inner)] for name, inner in value.items()), key=json.dumps)


def _model(value: BaseModel) -> dict[str, Any]:
    inner = {**{name: getattr(value, name) for name in type(value).model_fields}, **(value.model_extra or {})}
    return {name: _plain(one) for name, one in inner.items()}


_EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_BEGINNING: Final = datetime(1, 1, 1)  # noqa: DTZ001 - what is subtracted from it has no zone either
_MICROSECOND: Final = timedelta(microseconds=1)
_SPELLINGS: Final[Sequence[tuple[Any, Callable[[Any], Any]]]] = (
    (Enum, lambda value: _plain(value.value)),
    ((bool, type(None)), lambda value: value),
    (str, lambda value: normalize("NFC", value)),
    ((int, float, Decimal), lambda value: {"number": _number(value)}),
    (datetime, lambda value: {"moment": _moment(value)}),
    (date, lambda value: value.isoformat()),
    (time, lambda value: {"time": _time(value)}),
    (timedelta, lambda value: {"span": value // _MICROSECOND}),
    (BaseModel, _model),
    (Mapping, lambda value: {"map": _mapping(value)}),
    ((set, frozenset), lambda value: sorted(map(_plain, value), key=json.dumps)),
    ((list, tuple), lambda value: [_plain(one) for one in value]),
    ((SecretStr, SecretBytes), lambda value: _plain(value.get_secret_value())),
    (bytes, lambda value: value.hex()),
)
"""By kind, the first that fits: an enum may be a text, a truth value is a number, a moment is a date."""


@dataclass(slots=True)
class _Entry:
    answer: bytes | None = None
    digest: str | None = None


class MemoryRepeatStore:
    """A `RepeatStore` for the profile `local` and for tests: it forgets everything when the process ends.

    `axhub.toolkit.SqliteRepeatStore` does not.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], _Entry] = {}

    async def begin(self, tool: str, key: str, digest: str | None = None) -> Stored | None:
        """Take the key, or return what is stored under it."""
        entry = self._entries.get((tool, key))
        if entry is None:
            self._entries[tool, key] = _Entry(digest=digest)
        return entry

    async def finish(self, tool: str, key: str, answer: bytes) -> None:
        """Store the answer of a call that ran."""
        self._entries.setdefault((tool, key), _Entry()).answer = answer

    async def release(self, tool: str, key: str) -> None:
        """Give a key back, unless it has an answer."""
        entry = self._entries.get((tool, key))
        if entry is not None and entry.answer is None:
            del self._entries[tool, key]
