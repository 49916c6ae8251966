"""Layouts of telegrams as their classes declare them, and how many bytes they come to (rule/TK604, rule/TK605)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.toolkit.facts.source import Located, Place

__all__ = ["GROUP", "ROWS", "Slice", "Telegram", "TelegramField", "Telegrams"]

GROUP: Final = "Group"
ROWS: Final = "Rows"
_DATE: Final = "Date"
_FORMAT: Final = "YYYYMMDD"
"""Of a `Date` that names none; a format is as long as what it stands for."""
_MAX_DEPTH: Final = 16  # layouts may hold each other, by mistake even in a circle


@dataclass(frozen=True, slots=True)
class TelegramField:
    """One field of a layout."""

    name: str
    kind: str
    """The note's class: `Text`, `Num`, `Packed`, `Date`, `Filler`, `Rows`; `Group` of a layout alone, else empty."""
    place: Place
    arguments: Mapping[str, Located[Any]] = field(default_factory=dict)
    """Literal arguments of the note by their names."""
    computed: frozenset[str] = frozenset()
    """Arguments that are no literals; `*` for those that cannot be told apart."""
    holds: str = ""
    """Qualified name of the layout of its rows, or of the group."""

    def argument(self, name: str, default: Any = None) -> Any:
        """Return an argument's value; None where it is not known."""
        if not self.computed.isdisjoint((name, "*")):
            return None
        found = self.arguments.get(name)
        return default if found is None else found.value

    def place_of(self, name: str) -> Place:
        """Return where an argument stands, or the field without one."""
        found = self.arguments.get(name)
        return self.place if found is None else found.place


@dataclass(frozen=True, slots=True)
class Telegram:
    """One layout class."""

    name: str
    qualified: str
    bases: tuple[str, ...]
    """Resolved names."""
    place: Place
    fields: tuple[TelegramField, ...] = ()
    """Its own, each name once, in their order."""
    twice: tuple[Located[str], ...] = ()
    """Names that stand a second time."""
    arguments: Mapping[str, Located[Any]] = field(default_factory=dict)
    """Literal keywords of the class: `id`, `size`, `charset`."""
    computed: Mapping[str, Place] = field(default_factory=dict)
    """Keywords that are no literals."""

    @property
    def id(self) -> str:
        """The interface id; empty without one that can be read."""
        found = self.arguments.get("id")
        return found.value if found is not None and isinstance(found.value, str) else ""


@dataclass(frozen=True, slots=True)
class Slice:
    """One field with its bytes in a telegram."""

    name: str
    start: int
    end: int


class Telegrams:
    """The layouts of a package by their qualified names."""

    def __init__(self, telegrams: Iterable[Telegram]) -> None:
        self._all = {one.qualified: one for one in telegrams}

    def get(self, qualified: str) -> Telegram | None:
        """Return a layout; None of any other name."""
        return self._all.get(qualified)

    def with_id(self, interface: str) -> tuple[Telegram, ...]:
        """Return the layouts of an interface."""
        return tuple(one for one in self._all.values() if interface and one.id == interface)

    def fields_of(self, telegram: Telegram) -> tuple[TelegramField, ...]:
        """Return all fields: inherited ones first, at their place though a class may declare them anew."""
        fields: dict[str, TelegramField] = {}
        for one in reversed(list(self._with_bases(telegram))):
            fields.update({found.name: found for found in one.fields})
        return tuple(fields.values())

    def size_of(self, telegram: Telegram, depth: int = 0) -> int | None:
        """Return the sum of the fields; None where it varies or cannot be told."""
        if depth > _MAX_DEPTH:
            return None
        sizes = [self.bytes_of(one, depth) for one in self.fields_of(telegram)]
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None

    def bytes_of(self, one: TelegramField, depth: int = 0) -> int | None:
        """Return how many bytes a field takes; None where that varies or cannot be told."""
        if one.kind in {GROUP, ROWS}:
            held = self.get(one.holds)
            inner = None if held is None else self.size_of(held, depth + 1)
            if one.kind == GROUP or inner is None:
                return inner
            return _times(one.argument("max"), inner) if one.argument("fixed", default=True) is True else None
        if one.kind == _DATE:
            found = one.argument("format", _FORMAT)
            return len(found) if isinstance(found, str) else None
        return _natural(one.argument("size")) if one.kind else None

    def varies(self, telegram: Telegram, depth: int = 0) -> bool:
        """Say whether some rows are only as many as their count says."""
        return depth <= _MAX_DEPTH and any(
            (one.kind == ROWS and one.argument("fixed", default=True) is False)
            or ((held := self.get(one.holds)) is not None and self.varies(held, depth + 1))
            for one in self.fields_of(telegram)
        )

    def slices_of(self, telegram: Telegram, start: int = 0, prefix: str = "") -> Iterator[Slice]:
        """Yield the single values of a telegram with their bytes, as far as the sizes are known."""
        for one in self.fields_of(telegram):
            held, size = self.get(one.holds), self.bytes_of(one)
            if size is None:
                return
            if held is None:
                yield Slice(f"{prefix}{one.name}", start, start + size)
            else:
                each = self.size_of(held) or 0
                for at in range(size // each if each else 0):
                    yield from self.slices_of(held, start + at * each, f"{prefix}{one.name}.")
            start += size

    def _with_bases(self, telegram: Telegram) -> Iterator[Telegram]:
        waiting, seen = [telegram.qualified], set[str]()
        while waiting:
            name = waiting.pop(0)
            if name in self._all and name not in seen:
                seen.add(name)
                yield self._all[name]
                waiting += self._all[name].bases


def _natural(size: Any) -> int | None:
    return size if isinstance(size, int) and not isinstance(size, bool) and size > 0 else None


def _times(rows: Any, each: int) -> int | None:
    count = _natural(rows)
    return None if count is None else count * each
