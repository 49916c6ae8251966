"""The typed document: each written value read by its key's kind, defaults for the rest (gateway/C1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from axhub.gateway.config.faults import Fault, Place, excerpt
from axhub.gateway.config.flatten import Entry, Flat, template, whole
from axhub.gateway.config.keys import BY_PATH, KEYS, Key, Missing
from axhub.gateway.config.kinds import NotAllowedError
from axhub.gateway.config.source import Scalar
from axhub.gateway.config.values import Shape, describe, describe_value, substitute, typed

BUNDLES: Final = "bundles"


@dataclass(frozen=True, slots=True)
class Given:
    """A value that was written and is allowed."""

    value: Any
    place: Place


@dataclass(frozen=True, slots=True)
class Document:
    """All values by concrete path below `mcp`; what is faulty is in `faulty` and reads as left out."""

    given: Mapping[str, Given]
    sections: Mapping[str, Place]
    lengths: Mapping[str, int]
    faulty: frozenset[str]
    root: Place

    @property
    def bundle_paths(self) -> tuple[str, ...]:
        """Return `bundles[0]`, `bundles[1]`, … as far as they are written."""
        return tuple(f"{BUNDLES}[{index}]" for index in range(self.lengths.get(BUNDLES, 0)))

    def value(self, path: str) -> Any:
        """Return what is written at a path, else the default, else None; a list as a tuple, None if not written."""
        key = BY_PATH[template(path)]
        if key.many:
            return self._list(path)
        if path in self.given:
            return self.given[path].value
        return None if isinstance(key.default, Missing) else key.default

    def _list(self, path: str) -> tuple[Any, ...] | None:
        if path not in self.lengths:
            return None
        items = (f"{path}[{index}]" for index in range(self.lengths[path]))
        return tuple(self.given[item].value for item in items if item in self.given)

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
    for path, entry in flat.entries.items():
        key = BY_PATH[template(path).removesuffix("[]")]
        outcome = _read(key, path, entry, environ)
        if isinstance(outcome, Given):
            given[path] = outcome
        elif outcome is not None:
            faults.append(outcome)
            faulty.add(path)
    document = Document(given, flat.sections, flat.lengths, frozenset(faulty), flat.root)
    faults.extend(_missing(document))
    return document, faults


def _read(key: Key, path: str, entry: Entry, environ: Mapping[str, str]) -> Given | Fault | None:
    """Return the value, the fault, or None for a key that is written with nothing and may be left out."""
    scalar = entry.value
    if not isinstance(scalar, Scalar):
        return Fault(entry.place, whole(path), describe_value(scalar), key.kind.allowed)
    if scalar.tag is not None:
        return Fault(entry.place, whole(path), f"the YAML tag {excerpt(scalar.tag)}", "values without tags")
    substituted = substitute(scalar.text, environ)
    if substituted.problems:
        return Fault(entry.place, whole(path), " and ".join(substituted.problems), "a set variable, or ${NAME:default}")
    raw = typed(scalar, substituted.text)
    if raw.shape is Shape.NOTHING and key.default is Missing.NONE and not key.many:
        return None
    try:
        return Given(key.kind.read(raw), entry.place)
    except NotAllowedError as error:
        found = "a value" if error.hide else describe(raw)
        return Fault(entry.place, whole(path), f"{found}: {error}" if str(error) else found, key.kind.allowed)


def _missing(document: Document) -> list[Fault]:
    """Find the required keys that are not written."""
    required = [key for key in KEYS if key.default is Missing.REQUIRED]
    places = [("", key) for key in required if not key.section]
    places += [
        (f"{bundle}.", key) for bundle in document.bundle_paths for key in required if key.section == "bundles[]"
    ]
    return [
        Fault(
            document.place(start + key.name),
            whole(start + key.name),
            "nothing: the key is missing",
            f"{key.allowed} (required)",
        )
        for start, key in places
        if not document.has(start + key.name) and start.removesuffix(".") not in document.faulty
    ]
