"""The typed document: each written value read by its key's kind, defaults for the rest (gateway/C1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from axhub.configuration.faults import Fault, Place, Where
from axhub.configuration.flatten import Flat
from axhub.configuration.reading import Given, Reader, Without
from axhub.configuration.secrets import EnvOnly
from axhub.configuration.source import Scalar
from axhub.configuration.table import ANY_NAME, Missing, Table, joined
from axhub.configuration.values import Reference, is_variable_name, references


class Named(NamedTuple):
    """A free name that is written, such as a tool's in `tools`."""

    name: str
    path: str
    """Where what it names stands: `tools.claim_search`."""
    place: Place


class Variable(NamedTuple):
    """A variable of the environment that a document reads."""

    name: str
    path: str
    """The concrete path of the value that reads it."""
    place: Place
    required: bool
    """Whether it must be set: it has no default and is not part of one."""


@dataclass(frozen=True, slots=True)
class Document:
    """All values by concrete path below the root; what is faulty is in `faulty` and reads as left out."""

    table: Table
    given: Mapping[str, Given]
    sections: Mapping[str, Place]
    lengths: Mapping[str, int]
    free_names: Mapping[str, Mapping[str, Place]]
    faulty: frozenset[str]
    root: Place

    def items(self, path: str) -> tuple[str, ...]:
        """Return the paths of a list's items as far as they are written: `bundles[0]` and so on."""
        return tuple(f"{path}[{index}]" for index in range(self.lengths.get(path, 0)))

    def names(self, path: str) -> tuple[Named, ...]:
        """Return the names that are written in a section whose names are free, in the order of the file."""
        written = self.free_names.get(path, {})
        return tuple(Named(name, joined(path, name), place) for name, place in written.items())

    def value(self, path: str) -> Any:
        """Return what is written at a path, else the default, else None; a list as a tuple, None if not written."""
        key = self.table.by_path[self.table.template(path)]
        if key.many:
            return self._list(path)
        if path in self.given:
            return self.given[path].value
        return None if isinstance(key.default, Missing) else key.default

    def _list(self, path: str) -> tuple[Any, ...] | None:
        if path not in self.lengths:
            return None
        return tuple(self.given[item].value for item in self.items(path) if item in self.given)

    def has(self, path: str) -> bool:
        """Say whether anything is written at a path, faulty or not."""
        return path in self.given or path in self.faulty

    def place(self, path: str) -> Place:
        """Return where a path is written, else where the section around it is."""
        if path in self.given:
            return self.given[path].place
        while path and path not in self.sections:
            path = path.rpartition(".")[0]
        return self.sections.get(path, self.root)


def read_document(flat: Flat, environ: Mapping[str, str]) -> tuple[Document, list[Fault]]:
    """Substitute and type every entry; return the document and the faults, those of `flat` included."""
    given: dict[str, Given] = {}
    faults = list(flat.faults)
    faulty = set(flat.broken)
    reader = Reader(flat, environ)
    for path in flat.entries:
        outcome = reader.read(path)
        if isinstance(outcome, Given):
            given[path] = outcome
        elif outcome is not Without.LEFT_OUT:
            faulty.add(path)
            faults += [outcome] if isinstance(outcome, Fault) else []
    document = Document(flat.table, given, flat.sections, flat.lengths, flat.names, frozenset(faulty), flat.root)
    faults.extend(_missing(document))
    return document, faults


def variables(flat: Flat) -> tuple[Variable, ...]:
    """Return the variables that the values read, in the order of the file; none needs to be set for that.

    A variable that stands over the file as a whole value is not among them.
    """
    return tuple(
        Variable(name, path, entry.place, required)
        for path, entry in flat.entries.items()
        if isinstance(entry.value, Scalar) and not _is_secret_itself(flat, path, entry.place)
        for name, required in _mentioned(entry.value.text, required=True)
        if is_variable_name(name)
    )


def _is_secret_itself(flat: Flat, path: str, place: Place) -> bool:
    return place.where is not Where.FILE and isinstance(flat.table.key(path).kind, EnvOnly)


def _mentioned(text: str, *, required: bool) -> Iterator[tuple[str, bool]]:
    for part in references(text):
        if isinstance(part, Reference):
            yield part.name, required and part.default is None
            yield from _mentioned(part.default or "", required=False)


def _missing(document: Document) -> Iterator[Fault]:
    """Find the required keys that are not written, in each item and under each name that is."""
    for key in document.table.keys:
        if key.default is not Missing.REQUIRED or key.name == ANY_NAME:
            continue
        for section in _written_sections(document, key.section):
            path = joined(section, key.name)
            if not document.has(path) and document.faulty.isdisjoint(_around(section)):
                allowed = f"{key.allowed} (required)"
                yield Fault(document.place(path), document.table.whole(path), "nothing: the key is missing", allowed)


def _written_sections(document: Document, template: str) -> list[str]:
    """Return the concrete paths of a section: one, or as many as there are items and names."""
    found = [""]
    for part in template.split(".") if template else ():
        name = part.removesuffix("[]")
        if name == ANY_NAME:
            found = [named.path for section in found for named in document.names(section)]
        else:
            found = [joined(section, name) for section in found]
        if part.endswith("[]"):
            found = [item for path in found for item in document.items(path)]
    return found


def _around(section: str) -> Iterator[str]:
    """Yield a section and those around it, up to an item of a list: that it is there shows that they can be read."""
    yield section
    while section and not section.endswith("]"):
        section = section.rpartition(".")[0]
        yield section
