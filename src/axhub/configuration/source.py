"""YAML text to values with their places: safe (no tags, nothing constructed), duplicate keys kept to be reported.

Only plain data is read: the caller decides by its own table what a value must be, so nothing is guessed here.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

import yaml

from axhub.configuration.faults import ConfigError, Fault, Place, Where, excerpt

MAX_BYTES: Final = 1_048_576
MAX_DEPTH: Final = 64
_COMPILED: Final[type[yaml.CSafeLoader] | None] = getattr(yaml, "CSafeLoader", None)

_HINTS: Final = {
    "mapping values are not allowed here": 'valid YAML (a value that contains ": " needs quotes)',
    "expected ',' or ']', but got '{'": "valid YAML (inside [ ] a value with ${…} needs quotes)",
    r"found character '\t' that cannot start any token": "valid YAML (indent with spaces, not with tabs)",
}


class Style(Enum):
    """How a scalar was written: what may be read into it."""

    PLAIN = "plain"
    QUOTED = "quoted"
    """In quotes or as a block: always text."""
    VARIABLE = "variable"
    """An environment variable: text that may stand for any type."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value as it was written, before substitution and typing."""

    text: str
    place: Place
    style: Style = Style.PLAIN
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple["Value", ...]
    place: Place
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A key of a section and its value."""

    name: str
    place: Place
    """Where the key stands."""
    value: "Value"


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping, keys in the order of the file and duplicates included."""

    members: tuple[Member, ...]
    place: Place
    tag: str | None = None

    def member(self, name: str) -> Member | None:
        """Return the member of this name, the first one if it stands several times."""
        return next((member for member in self.members if member.name == name), None)

    @property
    def repeated(self) -> tuple[Member, ...]:
        """The members whose name stood before."""
        first: dict[str, Member] = {}
        for member in self.members:
            first.setdefault(member.name, member)
        return tuple(member for member in self.members if first[member.name] is not member)


Value: TypeAlias = Scalar | Items | Section


def read_yaml(data: bytes, source: str, *, what: str = "a configuration file") -> Value:
    """Read one YAML document; an empty one is an empty `Scalar`.

    `source` is the file as places and messages name it; `what` says what kind of file should be there.

    Raises:
        ConfigError: not UTF-8, not YAML, several documents, too large or nested too deeply.
    """
    whole = Place(Where.FILE, source)
    if len(data) > MAX_BYTES:
        raise _fault(whole, f"more than {MAX_BYTES} bytes", f"{what} of at most that size")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = Place(Where.FILE, source, data.count(b"\n", 0, error.start) + 1)
        raise _fault(place, f"bytes that are not UTF-8 (byte {error.start})", "a file saved as UTF-8") from None
    try:
        return _read(text, source)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        place = Place(Where.FILE, source, line, error.position - text.rfind("\n", 0, error.position))
        raise _fault(place, f"the character U+{ord(text[error.position]):04X}", "printable text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        found = f"text that is not YAML: {excerpt(problem)}"
        place = _at(source, mark.line, mark.column) if mark else whole
        raise _fault(place, found, _HINTS.get(problem, "valid YAML")) from None


def _read(text: str, source: str) -> Value:
    """Read by the compiled parser where there is one: a fifth of the time.

    What it refuses is read again by the other one, whose messages are better and the same on every machine.
    """
    if _COMPILED is not None:
        with suppress(yaml.YAMLError):
            return _Builder(text, source, _COMPILED).document()
    return _Builder(text, source, yaml.SafeLoader).document()


def _fault(place: Place, found: str, allowed: str) -> ConfigError:
    return ConfigError([Fault(place, "", found, allowed)])


def _at(source: str, line: int, column: int) -> Place:
    """Return a place from the reader's numbers, which count from 0."""
    return Place(Where.FILE, source, line + 1, column + 1)


@dataclass(slots=True)
class _Builder:
    """Builds values from parser events. An alias is the value it names; one inside its own anchor is unknown."""

    text: str
    source: str
    parser: type[yaml.SafeLoader] | type[yaml.CSafeLoader]
    anchors: dict[str, Value] = field(default_factory=dict)

    def document(self) -> Value:
        events = iter(yaml.parse(self.text, Loader=self.parser))
        found: Value = Scalar("", Place(Where.FILE, self.source, 1, 1))
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _fault(self._place(event), "a second document (---)", "one YAML document")
                value = self._value(next(events), events, 1)
                if value != Scalar("", value.place):  # the parsers differ in where nothing stands
                    found = value
        return found

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        return _at(self.source, mark.line, mark.column) if mark else Place(Where.FILE, self.source)

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Value:
        place = self._place(event)
        if depth > MAX_DEPTH:
            raise _fault(place, f"more than {MAX_DEPTH} levels inside each other", "fewer levels")
        value: Value
        if isinstance(event, yaml.ScalarEvent):
            style = Style.QUOTED if event.style else Style.PLAIN
            value = Scalar(event.value, place, style, event.tag)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = Items(tuple(self._items(events, depth)), place, event.tag)
        elif isinstance(event, yaml.MappingStartEvent):
            value = Section(tuple(self._members(events, depth)), place, event.tag)
        else:
            return self._named(getattr(event, "anchor", None), place)
        if event.anchor:
            self.anchors[event.anchor] = value
        return value

    def _named(self, anchor: str | None, place: Place) -> Value:
        if anchor is None or anchor not in self.anchors:
            found = f"*{excerpt(anchor or '')}, which names nothing"
            raise _fault(place, found, "the name of an anchor (&name) that stands before it")
        return self.anchors[anchor]

    def _items(self, events: Iterator[yaml.Event], depth: int) -> Iterator[Value]:
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            yield self._value(event, events, depth + 1)

    def _members(self, events: Iterator[yaml.Event], depth: int) -> Iterator[Member]:
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self._value(event, events, depth + 1)
            name = key.text if isinstance(key, Scalar) else "?"
            yield Member(name, self._place(event), self._value(next(events), events, depth + 1))
