"""The file's tree laid flat by the table of keys: one entry a key, with unknown and repeated keys found on the way."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from axhub.configuration.faults import Fault, Place, excerpt
from axhub.configuration.source import Items, Member, Scalar, Section, Style, Value
from axhub.configuration.table import ANY_NAME, FREE_NAME, Table, is_free_name, joined, segments
from axhub.configuration.values import Shape, describe_value, shape_of


class Entry(NamedTuple):
    """A value as written, and where."""

    value: Value
    place: Place


@dataclass(slots=True)
class Flat:
    """What was written, by concrete path below the root (`bundles[0].id`); the overlay adds to it."""

    table: Table
    root: Place
    entries: dict[str, Entry] = field(default_factory=dict)
    sections: dict[str, Place] = field(default_factory=dict)
    """Sections and lists that are written, by path."""
    lengths: dict[str, int] = field(default_factory=dict)
    """Items of each written list."""
    names: dict[str, dict[str, Place]] = field(default_factory=dict)
    """The free names in each section that has them, by the section's path."""
    broken: set[str] = field(default_factory=set)
    """Paths whose value is of the wrong shape: nothing more is said about what stands in them."""
    faults: list[Fault] = field(default_factory=list)

    def fault(self, place: Place, path: str, found: str, allowed: str) -> None:
        """Note a fault of the key at `path`."""
        self.faults.append(Fault(place, self.table.whole(path), found, allowed))

    def put(self, path: str, text: str, place: Place) -> None:
        """Set a key, over whatever the file says: for variables of the environment and flags of a command line."""
        self.entries[path] = Entry(Scalar(text, place, Style.VARIABLE), place)
        self.broken.discard(path)
        above = ""
        for name, item in segments(path):
            concrete = joined(above, name)
            template = self.table.template(concrete)
            if template.endswith(ANY_NAME):
                self.names.setdefault(above, {}).setdefault(name, place)
                if template in self.table.sections:
                    self.sections.setdefault(concrete, place)
            above = concrete + item


def flatten(table: Table, document: Value, place: Place) -> Flat:
    """Lay a document flat; `place` is where it begins.

    With a root other top-level sections are ignored and the root must be there; without one every top-level key must be
    of the table, and an empty document is as if everything were left out.
    """
    if not table.root:
        flat = Flat(table, place)
        _section(flat, document, place, "")
        return flat
    members = document.members if isinstance(document, Section) else ()
    ours = [member for member in members if member.name == table.root]
    if not ours:
        flat = Flat(table, place, broken={""})
        flat.fault(place, "", _instead(table.root, document), f"a section {table.root}:")
        return flat
    flat = Flat(table, ours[0].place)
    _repeated(flat, ours, "")
    _section(flat, ours[0].value, ours[0].place, "")
    return flat


def _instead(root: str, document: Value) -> str:
    if isinstance(document, Section):
        near = nearest(root, [member.name for member in document.members])
        return f"no section {root}:, but {excerpt(near)}:" if near else f"no section {root}:"
    return "an empty file" if _is_nothing(document) else describe_value(document)


def nearest(name: str, names: list[str]) -> str | None:
    """Return the one of `names` that somebody who wrote `name` most likely meant; case counts for nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only who made a mistake needs it

    folded = {candidate.casefold(): candidate for candidate in names}
    close = get_close_matches(name.casefold(), folded, n=1)
    return folded[close[0]] if close else None


def _section(flat: Flat, value: Value, place: Place, path: str) -> None:
    if _tagged(flat, value, place, path) or _is_nothing(value):
        return
    if not isinstance(value, Section):
        flat.broken.add(path)
        flat.fault(place, path, describe_value(value), _words(flat.table, "a section with", flat.table.template(path)))
        return
    flat.sections[path] = place
    by_name: dict[str, list[Member]] = {}
    for member in value.members:
        by_name.setdefault(member.name, []).append(member)
    for name, members in by_name.items():
        _repeated(flat, members, _shown(path, name))
        _member(flat, members[0], path)


def _repeated(flat: Flat, members: list[Member], path: str) -> None:
    for again in members[1:]:
        flat.fault(again.place, path, f"the key a second time (first on line {members[0].place.line})", "each key once")


def _member(flat: Flat, member: Member, parent: str) -> None:
    table = flat.table
    in_table = table.child(table.template(parent), member.name)
    if in_table is None or not _named(flat, member, parent, in_table):
        _unknown(flat, member, parent)
        return
    path = joined(parent, member.name)
    key = table.by_path.get(in_table)
    if key and key.many:
        for index, item in _items(flat, member, path, key.allowed):
            flat.entries[f"{path}[{index}]"] = Entry(item, item.place)
    elif key:
        flat.entries[path] = Entry(member.value, member.place)
    elif f"{in_table}[]" in table.sections:
        words = _words(table, "a section with", f"{in_table}[]")
        for index, item in _items(flat, member, path, f"a list, each item {words}"):
            _list_section(flat, item, f"{path}[{index}]", words)
    else:
        _section(flat, member.value, member.place, path)


def _named(flat: Flat, member: Member, parent: str, in_table: str) -> bool:
    """Note a free name; say whether the member can be called what it is."""
    if not in_table.endswith(ANY_NAME):
        return True
    if is_free_name(member.name):
        flat.names.setdefault(parent, {})[member.name] = member.place
        return True
    return False


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


def _shown(parent: str, name: str) -> str:
    return f"{parent}.{excerpt(name)}" if parent else excerpt(name)


def _unknown(flat: Flat, member: Member, parent: str) -> None:
    shown = _shown(parent, member.name)
    if member.name == "<<":
        flat.fault(member.place, shown, "a merge key", "keys written out")
        return
    table = flat.table
    section = table.template(parent)
    names = table.names_in(section)
    if ANY_NAME in names:
        flat.fault(member.place, shown, "a name that cannot stand here", FREE_NAME)
        return
    if near := nearest(member.name, list(names)):
        later = "" if near in table.offered_in(section) else ", not available yet"
        allowed = f"{near} (the nearest key{later})"
    elif elsewhere := _elsewhere(table, member.name):
        top = " at the top level, in no section" if table.whole(elsewhere) == member.name else ""
        allowed = f"{table.whole(elsewhere)}{top} (the key of this name)"
    else:
        allowed = _words(table, "one of", section)
    flat.fault(member.place, shown, "an unknown key", allowed)


def _words(table: Table, start: str, section: str) -> str:
    names = table.offered_in(section)
    if ANY_NAME in names:
        return "a section of names" + _below_names(table, f"{section}.{ANY_NAME}" if section else ANY_NAME)
    return f"{start} {', '.join(names)}" if names else "nothing yet: leave the section out"


def _below_names(table: Table, free: str) -> str:
    """Say what stands under each name, where that can be said shortly."""
    key = table.by_path.get(free)
    names = table.offered_in(free)
    if key:
        return f", each with {key.kind.allowed}"
    return f", each a section with {', '.join(names)}" if names else ""


def _elsewhere(table: Table, name: str) -> str | None:
    """Return the path of a key of this name in another section."""
    paths = (path for path, key in table.by_path.items() if key.name.casefold() == name.casefold() != ANY_NAME)
    path = next(paths, None)
    return path and path.replace(ANY_NAME, "<name>")


def _tagged(flat: Flat, value: Value, place: Place, path: str) -> bool:
    if value.tag is None:
        return False
    flat.broken.add(path)
    flat.fault(place, path, f"the YAML tag {excerpt(value.tag)}", "values without tags")
    return True


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Scalar) and value.tag is None and shape_of(value.text) is Shape.NOTHING
