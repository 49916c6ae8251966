"""YAML text to values with their lines: safe (no tags, nothing constructed), duplicate keys kept to be reported.

Only plain data is read: the caller decides by its own table what a value must be, so nothing is guessed here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

import yaml

from axhub.gateway.config.faults import ConfigError, Fault, Place, Where, excerpt

MAX_BYTES: Final = 1_048_576
MAX_DEPTH: Final = 64

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


Value: TypeAlias = Scalar | Items | Section


def read_yaml(data: bytes, source: str) -> Value:
    """Read one YAML document; an empty one is an empty `Scalar`.

    Raises:
        ConfigError: not UTF-8, not YAML, several documents, too large or nested too deeply.
    """
    if len(data) > MAX_BYTES:
        raise _fault(source, 0, f"more than {MAX_BYTES} bytes", "a configuration file of at most that size")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _fault(source, line, f"bytes that are not UTF-8 (byte {error.start})", "a file saved as UTF-8") from None
    try:
        return _Builder(text, source).document()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _fault(source, line, f"the character U+{ord(text[error.position]):04X}", "printable text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        found = f"text that is not YAML: {excerpt(problem)}"
        raise _fault(source, mark.line + 1 if mark else 0, found, _HINTS.get(problem, "valid YAML")) from None


def _fault(source: str, line: int, found: str, allowed: str) -> ConfigError:
    return ConfigError([Fault(Place(Where.FILE, source, line), "", found, allowed)])


@dataclass(slots=True)
class _Builder:
    """Builds values from parser events. An alias is the value it names; one inside its own anchor is unknown."""

    text: str
    source: str
    anchors: dict[str, Value] = field(default_factory=dict)

    def document(self) -> Value:
        events = iter(yaml.parse(self.text, Loader=yaml.SafeLoader))
        found: Value = Scalar("", Place(Where.FILE, self.source, 1))
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _fault(self.source, self._line(event), "a second document (---)", "one YAML document")
                found = self._value(next(events), events, 1)
        return found

    def _line(self, event: yaml.Event) -> int:
        return event.start_mark.line + 1 if event.start_mark else 0

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Value:
        line = self._line(event)
        if depth > MAX_DEPTH:
            raise _fault(self.source, line, f"more than {MAX_DEPTH} levels inside each other", "fewer levels")
        place = Place(Where.FILE, self.source, line)
        value: Value
        if isinstance(event, yaml.ScalarEvent):
            style = Style.PLAIN if event.style is None else Style.QUOTED
            value = Scalar(event.value, place, style, event.tag)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = Items(tuple(self._items(events, depth)), place, event.tag)
        elif isinstance(event, yaml.MappingStartEvent):
            value = Section(tuple(self._members(events, depth)), place, event.tag)
        else:
            return self._named(getattr(event, "anchor", None), line)
        if event.anchor:
            self.anchors[event.anchor] = value
        return value

    def _named(self, anchor: str | None, line: int) -> Value:
        if anchor is None or anchor not in self.anchors:
            found = f"*{excerpt(anchor or '')}, which names nothing"
            raise _fault(self.source, line, found, "the name of an anchor (&name) that stands before it")
        return self.anchors[anchor]

    def _items(self, events: Iterator[yaml.Event], depth: int) -> Iterator[Value]:
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            yield self._value(event, events, depth + 1)

    def _members(self, events: Iterator[yaml.Event], depth: int) -> Iterator[Member]:
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self._value(event, events, depth + 1)
            name = key.text if isinstance(key, Scalar) else "?"
            place = Place(Where.FILE, self.source, self._line(event))
            yield Member(name, place, self._value(next(events), events, depth + 1))
