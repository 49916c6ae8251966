"""The file's tree laid flat by the table of keys: one entry a key, with unknown and repeated keys found on the way."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from axhub.gateway.config.faults import Fault, Place, excerpt
from axhub.gateway.config.keys import BY_PATH, ROOT, SECTIONS, names_in, offered_in
from axhub.gateway.config.source import Items, Member, Scalar, Section, Value
from axhub.gateway.config.values import Shape, describe_value, shape_of

_INDEX: Final = re.compile(r"\[\d+\]")


class Entry(NamedTuple):
    """A value as written, and where."""

    value: Value
    place: Place


@dataclass(slots=True)
class Flat:
    """What was written, by concrete path below `mcp` (`bundles[0].id`); the overlay adds to it."""

    root: Place
    entries: dict[str, Entry] = field(default_factory=dict)
    sections: dict[str, Place] = field(default_factory=dict)
    """Sections and lists that are written, by path."""
    lengths: dict[str, int] = field(default_factory=dict)
    """Items of each written list."""
    broken: set[str] = field(default_factory=set)
    """Paths whose value is of the wrong shape: nothing more is said about what stands in them."""
    faults: list[Fault] = field(default_factory=list)

    def fault(self, place: Place, path: str, found: str, allowed: str) -> None:
        """Note a fault of the key at `path`."""
        self.faults.append(Fault(place, whole(path), found, allowed))


def whole(path: str) -> str:
    """Return a path with `mcp` before it."""
    return f"{ROOT}.{path}" if path else ROOT


def template(path: str) -> str:
    """Return a concrete path with every index taken out: `bundles[0].id` is `bundles[].id` in the table."""
    return _INDEX.sub("[]", path)


def flatten(document: Value, place: Place) -> Flat:
    """Lay the section `mcp` of a document flat; other top-level sections are ignored."""
    members = document.members if isinstance(document, Section) else ()
    ours = [member for member in members if member.name == ROOT]
    if not ours:
        flat = Flat(place, broken={""})
        flat.fault(place, "", _instead(document), f"a section {ROOT}:")
        return flat
    flat = Flat(ours[0].place)
    _repeated(flat, ours, "")
    _section(flat, ours[0].value, ours[0].place, "")
    return flat


def _instead(document: Value) -> str:
    if isinstance(document, Section):
        near = nearest(ROOT, [member.name for member in document.members])
        return f"no section {ROOT}:, but {excerpt(near)}:" if near else f"no section {ROOT}:"
    return "an empty file" if _is_nothing(document) else describe_value(document)


def nearest(name: str, names: list[str]) -> str | None:
    """Return the one of `names` that somebody who wrote `name` most likely meant; case counts for nothing."""
    folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    return folded[close[0]] if close else None


def _section(flat: Flat, value: Value, place: Place, path: str) -> None:
    if _tagged(flat, value, place, path) or _is_nothing(value):
        return
    if not isinstance(value, Section):
        flat.broken.add(path)
        flat.fault(place, path, describe_value(value), _words("a section with", template(path)))
        return
    flat.sections[path] = place
    by_name: dict[str, list[Member]] = {}
    for member in value.members:
        by_name.setdefault(member.name, []).append(member)
    for name, members in by_name.items():
        below = f"{path}.{name}" if path else name
        _repeated(flat, members, below)
        _member(flat, members[0], below, path)


def _repeated(flat: Flat, members: list[Member], path: str) -> None:
    for again in members[1:]:
        flat.fault(again.place, path, f"the key a second time (first on line {members[0].place.line})", "each key once")


def _member(flat: Flat, member: Member, path: str, parent: str) -> None:
    in_table = template(path)
    key = BY_PATH.get(in_table)
    if not member.name.isalnum():  # `discovery.enabled` or `bundles[0]` as one name is no path
        _unknown(flat, member, parent)
    elif key and key.many:
        for index, item in _items(flat, member, path, key.allowed):
            flat.entries[f"{path}[{index}]"] = Entry(item, item.place)
    elif key:
        flat.entries[path] = Entry(member.value, member.place)
    elif f"{in_table}[]" in SECTIONS:
        words = _words("a section with", f"{in_table}[]")
        for index, item in _items(flat, member, path, f"a list, each item {words}"):
            _list_section(flat, item, f"{path}[{index}]", words)
    elif in_table in SECTIONS:
        _section(flat, member.value, member.place, path)
    else:
        _unknown(flat, member, parent)


def _list_section(flat: Flat, item: Value, path: str, words: str) -> None:
    if _is_nothing(item):
        flat.broken.add(path)
        flat.fault(item.place, path, "nothing", words)
    else:
        _section(flat, item, item.place, path)


def _items(flat: Flat, member: Member, path: str, allowed: str) -> Iterator[tuple[int, Value]]:
    if _tagged(flat, member.value, member.place, path) or _is_nothing(member.value):
        return
    if not isinstance(member.value, Items):
        flat.broken.add(path)
        flat.fault(member.place, path, describe_value(member.value), allowed)
        return
    flat.sections[path] = member.place
    flat.lengths[path] = len(member.value.items)
    yield from enumerate(member.value.items)


def _unknown(flat: Flat, member: Member, parent: str) -> None:
    shown = f"{parent}.{excerpt(member.name)}" if parent else excerpt(member.name)
    if member.name == "<<":
        flat.fault(member.place, shown, "a merge key", "keys written out")
        return
    section = template(parent)
    near = nearest(member.name, list(names_in(section)))
    if near:
        later = "" if near in offered_in(section) else ", not available yet"
        allowed = f"{near} (the nearest key{later})"
    elif elsewhere := _elsewhere(member.name):
        allowed = f"{whole(elsewhere)} (the key of this name)"
    else:
        allowed = _words("one of", section)
    flat.fault(member.place, shown, "an unknown key", allowed)


def _words(start: str, section: str) -> str:
    names = offered_in(section)
    return f"{start} {', '.join(names)}" if names else "nothing yet: leave the section out"


def _elsewhere(name: str) -> str | None:
    """Return the path of a key of this name in another section."""
    return next((path for path, key in BY_PATH.items() if key.name.casefold() == name.casefold()), None)


def _tagged(flat: Flat, value: Value, place: Place, path: str) -> bool:
    if value.tag is None:
        return False
    flat.broken.add(path)
    flat.fault(place, path, f"the YAML tag {excerpt(value.tag)}", "values without tags")
    return True


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Scalar) and value.tag is None and shape_of(value.text) is Shape.NOTHING
