"""Recursive schemas against which the work doubles with every level of a value.

`{"anyOf": [A, B]}` where both A and B lead from the same member back to it is looked at twice one level down, four
times two levels down, and so on: a few hundred bytes take forever. Recursion by itself does no harm.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.contract.schema_refs import References
from axhub.contract.schema_walk import Path

__all__ = ["growing_places"]

_ONE_IN_PLACE: Final = frozenset({"if", "then", "else", "not"})
_LIST_IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf"})
_NAMED_IN_PLACE: Final = "dependentSchemas"
_ANY_ITEM: Final = "[]"
_CONTAINED: Final = "[?]"
_ANY_MEMBER: Final = "*"
_OTHER_MEMBER: Final = "…"
"""Any but those that stand under `properties` beside it."""
_DOWN: Final = {
    "additionalProperties": _OTHER_MEMBER,
    "unevaluatedProperties": _OTHER_MEMBER,
    "items": _ANY_ITEM,
    "unevaluatedItems": _ANY_ITEM,
    "contains": _CONTAINED,
}
_PROPERTIES: Final = "properties"
_PATTERNS: Final = "patternProperties"
_PREFIX: Final = "prefixItems"
_MANY: Final = 2

Ways = Counter[str]
"""How often a value's members are looked at again: `.name` beyond what `*` says of any, `[]` for items."""


def growing_places(found: References, one_of_them: frozenset[str] = frozenset()) -> list[Path]:
    """Return the places from which one member of a value is looked at more than once, and recursively so.

    Args:
        found: the references of a document whose references lead somewhere, and not in a circle.
        one_of_them: keywords of which only one branch is ever taken, such as `oneOf` with a discriminator.
    """
    group = _groups(found)
    ways: dict[Path, Ways] = {}
    for path in _inner_first(found, group):
        ways[path] = _ways(found, path, group, ways, one_of_them)
    growing = {path for path, found_ways in ways.items() if _most(found_ways) >= _MANY}
    outer = {path for path in growing if not growing.isdisjoint(_same(found, path, group))}
    return [path for path in found.places if path in growing - outer]


def _ways(
    found: References, path: Path, group: Mapping[Path, int], known: Mapping[Path, Ways], one_of_them: frozenset[str]
) -> Ways:
    ways = _own_ways(found, path, group)
    alternatives: Ways = Counter()
    for inner in _same(found, path, group):
        one = known.get(inner, Counter())
        if len(inner) > len(path) and inner[len(path)] in one_of_them:
            alternatives = Counter({way: max(alternatives[way], one[way]) for way in {*alternatives, *one}})
        else:
            ways.update(one)
    ways.update(alternatives)
    return ways


def _own_ways(found: References, path: Path, group: Mapping[Path, int]) -> Ways:
    leading = [way for way, below in _below(found, path) if group.get(below) == group[path]]
    ways: Ways = Counter(way for way in leading if way not in {_OTHER_MEMBER, _ANY_ITEM})
    ways[_ANY_ITEM] = int(_ANY_ITEM in leading)  # an item is looked at by one of the keywords for items
    if _OTHER_MEMBER in leading:
        ways[_ANY_MEMBER] += 1
        ways.subtract(way for way, below in _below(found, path) if below[len(path)] == _PROPERTIES)
    return ways


def _most(ways: Ways) -> int:
    """Return how often the member that is looked at most often is."""
    items = ways[_ANY_ITEM] + ways[_CONTAINED]
    named = max((count for way, count in ways.items() if way.startswith(".")), default=0)
    return max(items, max(named, 0) + ways[_ANY_MEMBER])


def _same(found: References, path: Path, group: Mapping[Path, int]) -> list[Path]:
    """Return the places of the same recursion that look at the same value."""
    return [inner for inner in _in_place(found, path) if group.get(inner) == group[path]]


def _in_place(found: References, path: Path) -> Iterator[Path]:
    schema = found.places[path].schema
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        if keyword in _ONE_IN_PLACE:
            yield (*path, keyword)
        elif keyword in _LIST_IN_PLACE and isinstance(value, list):
            yield from ((*path, keyword, str(at)) for at in range(len(value)))
        elif keyword == _NAMED_IN_PLACE and isinstance(value, dict):
            yield from ((*path, keyword, name) for name in value)
    yield from found.targets.get(path, ())


def _below(found: References, path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the places that look at a member or an item, and which: once for each part that may look at it."""
    schema = found.places[path].schema
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        if keyword in _DOWN:
            yield _DOWN[keyword], (*path, keyword)
        elif keyword == _PREFIX and isinstance(value, list):
            yield from ((_ANY_ITEM, (*path, keyword, str(at))) for at in range(len(value)))
        elif keyword == _PROPERTIES and isinstance(value, dict):
            yield from ((f".{name}", (*path, keyword, name)) for name in value)
        elif keyword == _PATTERNS and isinstance(value, dict):
            yield from ((_ANY_MEMBER, (*path, keyword, name)) for name in value)


def _edges(found: References, path: Path) -> list[Path]:
    leads = [*_in_place(found, path), *(below for _, below in _below(found, path))]
    return [inner for inner in leads if inner in found.places]


def _groups(found: References) -> dict[Path, int]:
    """Return a number for each place that is inside itself: the same for those inside each other."""
    search = _Search(found)
    for start in found.places:
        if start not in search.order:
            search.from_place(start)
    return search.groups


@dataclass(slots=True)
class _Search:
    """Tarjan's strongly connected components, without recursion."""

    found: References
    order: dict[Path, int] = field(default_factory=dict)
    low: dict[Path, int] = field(default_factory=dict)
    stack: list[Path] = field(default_factory=list)
    done: set[Path] = field(default_factory=set)
    groups: dict[Path, int] = field(default_factory=dict)

    def from_place(self, start: Path) -> None:
        way = [(start, self._entered(start))]
        while way:
            path, steps = way[-1]
            step = next(steps, None)
            if step is None:
                way.pop()
                if way:
                    self._lower(way[-1][0], self.low[path])
                self._close(path)
            elif step not in self.order:
                way.append((step, self._entered(step)))
            elif step not in self.done:
                self._lower(path, self.order[step])

    def _entered(self, path: Path) -> Iterator[Path]:
        self.order[path] = self.low[path] = len(self.order)
        self.stack.append(path)
        return iter(_edges(self.found, path))

    def _lower(self, path: Path, order: int) -> None:
        self.low[path] = min(self.low[path], order)

    def _close(self, first: Path) -> None:
        """Take a component off the stack if this place is the first of one."""
        if self.low[first] != self.order[first]:
            return
        members = [self.stack.pop()]
        while members[-1] != first:
            members.append(self.stack.pop())
        self.done.update(members)
        if len(members) > 1 or first in _edges(self.found, first):
            self.groups.update(dict.fromkeys(members, len(self.groups) + 1))


def _inner_first(found: References, group: Mapping[Path, Any]) -> list[Path]:
    """Return the places of all recursions, each after those that look at the same value from inside it."""
    done: dict[Path, None] = {}
    for start in group:
        way = [(start, iter(_same(found, start, group)))] if start not in done else []
        open_: set[Path] = {start}
        while way:
            path, steps = way[-1]
            step = next((inner for inner in steps if inner not in done and inner not in open_), None)
            if step is None:
                done[path] = None
                way.pop()
            else:
                open_.add(step)
                way.append((step, iter(_same(found, step, group))))
    return list(done)
