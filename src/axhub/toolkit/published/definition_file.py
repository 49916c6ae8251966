"""Definition files: YAML text to `Definition` facts with the place of every key and value (toolkit/T8).

Nothing is decided here about what a definition must say; that is the rules' part.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from axhub.configuration.faults import ConfigError
from axhub.configuration.faults import Place as WrittenAt
from axhub.configuration.source import Items, Scalar, Section, Style, Value, read_yaml
from axhub.configuration.values import Shape, shape_of
from axhub.contract.schema_walk import pointer as json_pointer
from axhub.toolkit.facts.service import Definition, Located, Place

__all__ = ["KEY", "read_definition"]

KEY: Final = "key:"
"""Stands before a JSON pointer in `Definition.places` where the key itself is meant, not its value."""

_MAX_VALUES: Final = 20_000
_MAX_DIGITS: Final = 400  # what a float still has room for
_TEXT_TAGS: Final = frozenset({None, "!", "tag:yaml.org,2002:str"})
_SECTION_TAGS: Final = frozenset({None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"})
_BOOLEANS: Final = {"true": True, "false": False}


class _UnreadableError(Exception):
    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(problem)
        self.problem = Located(problem, place)


def read_definition(text: bytes, path: str) -> Definition:
    """Read one definition; what makes it unreadable stands in its `problem`, and then it has no values.

    Args:
        text: the file's content.
        path: POSIX path relative to the project's root; its folder is the category, its stem the tool's name.
    """
    where = PurePosixPath(path)
    reading = _Reading(path)
    problem = None
    values: dict[str, Any] = {}
    try:
        values = reading.whole(read_yaml(text, path))
    except ConfigError as error:
        fault = error.faults[0]
        at = Place(path, max(fault.place.line, 1), fault.place.column)
        problem = Located(f"{fault.found}; needed: {fault.allowed}", at)
    except _UnreadableError as error:
        problem = error.problem
    if problem is not None:
        return Definition(path, where.parent.name, where.stem, problem)
    return Definition(path, where.parent.name, where.stem, None, values, tuple(reading.duplicates), reading.places)


@dataclass(slots=True)
class _Reading:
    path: str
    places: dict[str, Place] = field(default_factory=dict)
    duplicates: list[Located[str]] = field(default_factory=list)
    count: int = 0

    def whole(self, value: Value) -> dict[str, Any]:
        if isinstance(value, Scalar) and not value.text:
            raise _UnreadableError(Place(self.path, 1, 1), "the file is empty; needed: the keys of a definition")
        if not isinstance(value, Section):
            raise _UnreadableError(self._place(value.place), "no keys at the top; needed: lines such as 'name: …'")
        read: dict[str, Any] = self._read(value, "")
        return read

    def _place(self, written: WrittenAt) -> Place:
        return Place(self.path, written.line, written.column)

    def _read(self, value: Value, pointer: str) -> Any:
        self.places[pointer] = place = self._place(value.place)
        self.count += 1
        if self.count > _MAX_VALUES:  # aliases of aliases multiply
            raise _UnreadableError(place, f"more than {_MAX_VALUES} values; needed: fewer, or fewer aliases (*name)")
        if isinstance(value, Scalar):
            return _plain(value, place)
        if value.tag not in _SECTION_TAGS:
            raise _tagged(value.tag, place)
        if isinstance(value, Items):
            return [self._read(item, f"{pointer}/{at}") for at, item in enumerate(value.items)]
        return dict(self._members(value, pointer))

    def _members(self, section: Section, pointer: str) -> Iterator[tuple[str, Any]]:
        seen: set[str] = set()
        for member in section.members:
            below = pointer + json_pointer(member.name)
            place = self._place(member.place)
            if member.name in seen:
                self.duplicates.append(Located(below, place))
                continue
            seen.add(member.name)
            self.places[KEY + below] = place
            yield member.name, self._read(member.value, below)


def _plain(scalar: Scalar, place: Place) -> Any:
    if scalar.tag not in _TEXT_TAGS:
        raise _tagged(scalar.tag, place)
    if scalar.style is not Style.PLAIN or scalar.tag is not None:
        return scalar.text
    shape = shape_of(scalar.text)
    if shape is Shape.NOTHING:
        return None
    if shape is Shape.BOOLEAN:
        return _BOOLEANS[scalar.text.lower()]
    if shape in {Shape.INTEGER, Shape.DECIMAL} and scalar.text[-1] in "0123456789." and len(scalar.text) < _MAX_DIGITS:
        return _number(scalar.text, shape)
    return scalar.text  # text, and what JSON has no number for: infinity, not-a-number, numbers that fill lines


def _number(text: str, shape: Shape) -> int | float | str:
    if shape is Shape.INTEGER:
        return int(text)
    number = float(text)
    return number if abs(number) != float("inf") else text


def _tagged(tag: str | None, place: Place) -> _UnreadableError:
    return _UnreadableError(place, f"the tag {(tag or '')[:80]!r}; needed: a plain value, without '!'")
