"""References of a schema: each must lead to a schema of the same document, and none in a circle (gateway/G6).

Addresses are worked out as JSON Schema 2020-12 has it: `$id` rebases what stands below it, a fragment is a JSON
pointer or an anchor. Nothing is ever fetched: an address is only compared with those that the document gives itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from axhub.contract.schema_walk import Path, Place, in_place

_REFERENCES: Final = ("$ref", "$dynamicRef")
_ANCHORS: Final = ("$anchor", "$dynamicAnchor")
_EXCERPT: Final = 80


class Fault(NamedTuple):
    """A reference that is not accepted."""

    rule: str
    place: Place
    keyword: str
    problem: str


@dataclass(frozen=True, slots=True)
class References:
    """What the references of one document can lead to, and where they do."""

    places: Mapping[Path, Place]
    bases: dict[Path, str] = field(default_factory=dict)
    """The base address of every place."""
    resources: dict[str, Path] = field(default_factory=dict)
    """Addresses that the document gives itself, without fragment, and where each begins."""
    anchors: dict[tuple[str, str], Path] = field(default_factory=dict)
    targets: dict[Path, list[Path]] = field(default_factory=dict)
    """For a place with references that lead somewhere: where to."""


def references_of(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield keyword and value of the references that stand in one schema."""
    if isinstance(schema, dict):
        for keyword in _REFERENCES:
            value = schema.get(keyword)
            if isinstance(value, str):
                yield keyword, value


def read_references(places: Mapping[Path, Place]) -> tuple[References, list[Fault]]:
    """Follow every reference of a document; `places` has them all, parents before children."""
    found = References(places)
    _note_addresses(found)
    return found, list(_follow(found))


def circles(found: References) -> Iterator[Fault]:
    """Yield the places from which one value would be checked by the same schema again and again, without end."""

    def same_value(path: Path) -> list[Path]:
        return [*(path + steps for steps in in_place(found.places[path].schema)), *found.targets.get(path, ())]

    for path, back in _depth_first(found.places, same_value):
        if back is not None:
            keyword = next((keyword for keyword, _ in references_of(found.places[path].schema)), "")
            yield Fault("schema.ref.circle", found.places[path], keyword, "references lead in a circle")


def is_small(found: References, limit: int, *, recursive: bool = False) -> bool:
    """Say whether the document, with every reference replaced by what it leads to, has at most `limit` schemas.

    Args:
        found: the document's references.
        limit: the most that is small.
        recursive: whether a reference back to what it is inside of counts as one schema, and not as without end.
    """
    children: dict[Path | None, list[Path]] = {}
    for path, place in found.places.items():
        children.setdefault(place.parent, []).append(path)

    def leads_to(path: Path) -> list[Path]:
        return [*children.get(path, ()), *found.targets.get(path, ())]

    counts: dict[Path, int] = {}
    for path, back in _depth_first([()], leads_to):
        if back is not None and not recursive:
            return False
        if back is not None:
            continue
        counts[path] = 1 + sum(counts.get(below, 1) for below in leads_to(path))
        if counts[path] > limit:
            return False
    return True


def _note_addresses(found: References) -> None:
    found.resources[""] = ()
    for path, place in found.places.items():
        base = "" if place.parent is None else found.bases[place.parent]
        if isinstance(place.schema, dict):
            identity = place.schema.get("$id")
            if isinstance(identity, str):
                base = urldefrag(_join(base, identity)).url
                found.resources.setdefault(base, path)
            for keyword in _ANCHORS:
                name = place.schema.get(keyword)
                if isinstance(name, str):
                    found.anchors.setdefault((base, name), path)
        found.bases[path] = base


def _follow(found: References) -> Iterator[Fault]:
    for path, place in found.places.items():
        for keyword, reference in references_of(place.schema):
            resource, fragment = _split(found.bases[path], reference)
            if resource not in found.resources:
                problem = f"{keyword} leads out of the document: {reference[:_EXCERPT]!r}"
                yield Fault("schema.ref.remote", place, keyword, problem)
                continue
            target = _target(found, resource, fragment)
            if target is None:
                problem = f"{keyword} leads to no schema of the document: {reference[:_EXCERPT]!r}"
                yield Fault("schema.ref.dangling", place, keyword, problem)
            else:
                found.targets.setdefault(path, []).append(target)


def _target(found: References, resource: str, fragment: str) -> Path | None:
    name = unquote(fragment)
    root = found.resources[resource]
    if not name:
        return root
    if not name.startswith("/"):
        return found.anchors.get((resource, name))
    path = (*root, *(token.replace("~1", "/").replace("~0", "~") for token in name[1:].split("/")))
    return path if path in found.places else None


def _split(base: str, reference: str) -> tuple[str, str]:
    if reference.startswith("#"):  # not left to urljoin, which forgets bases of schemes it does not know, such as urn:
        return base, reference[1:]
    resource, fragment = urldefrag(_join(base, reference))
    return resource, fragment


def _join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:  # brackets around something that is no IPv6 address
        return reference


def _depth_first(starts: Iterable[Path], leads_to: Callable[[Path], list[Path]]) -> Iterator[tuple[Path, Path | None]]:
    """Yield `(node, None)` when all that it leads to has been yielded, `(node, back)` where it closes a circle."""
    done: set[Path] = set()
    for start in starts:
        way = {start: iter(leads_to(start))} if start not in done else {}
        while way:
            node = next(reversed(way))
            step = next(way[node], None)
            if step is None:
                done.add(node)
                del way[node]
                yield node, None
            elif step in way:
                yield node, step
            elif step not in done:
                way[step] = iter(leads_to(step))
