"""The changes between two schemas of one thing, each once, whichever side they matter to."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from axhub.contract.schema_walk import pointer as json_pointer
from axhub.toolkit.facts.wording import shown
from axhub.toolkit.promises.acceptance import ITEM, Refusal, refusals
from axhub.toolkit.promises.known import known, parts_of, text_of, unescaped

__all__ = ["SchemaChange", "Side", "schema_changes"]

_LESS: Final[Mapping[str, str]] = {
    "type": "narrower-type",
    "null": "not-nullable",
    "enum": "narrower-values",
    "bound": "narrower-bound",
    "pattern": "narrower-bound",
    "required": "required",
    "gone": "gone",
    "closed": "closed",
    "condition": "narrower-condition",
    "never": "never",
}
"""What it is called where the new schema refuses something."""
_MORE: Final[Mapping[str, str]] = {
    "type": "wider-type",
    "null": "nullable",
    "enum": "wider-values",
    "bound": "wider-bound",
    "pattern": "wider-bound",
    "required": "optional",
    "gone": "new",
    "closed": "open",
    "condition": "wider-condition",
    "never": "wider-condition",
}
"""And where the old one would."""
_SAID: Final = frozenset(
    {"contentEncoding", "contentMediaType", "contentSchema", "default", "deprecated", "description", "examples",
     "format", "readOnly", "title", "writeOnly"}
)  # fmt: skip
"""Keywords that refuse nothing, and that models read. A format does refuse texts; of numbers it only says something."""
_DEPTH: Final = 40


class Side(Enum):
    """Whose schema it is, by its member of the lock."""

    INPUT = "inputSchema"
    OUTPUT = "outputSchema"


class SchemaChange(NamedTuple):
    """One thing that is not as it was."""

    pointer: str
    """Into the value, with `*` for any item."""
    kind: str
    keyword: str
    name: str
    """Of the member, as it is sent."""
    before: str
    after: str


class _Names(NamedTuple):
    """Members that only one of the two has, by pointer, with their types."""

    gone: Mapping[str, str]
    new: Mapping[str, str]


def schema_changes(old: Any, new: Any, side: Side) -> tuple[SchemaChange, ...]:
    """Return the changes between two schemas; none for schemas that are written alike.

    Of one place that lets through less of some values and more of others, what matters more to this side is told.
    """
    if text_of(old) == text_of(new):
        return ()
    less = [_change(one, _LESS, one.had, one.has) for one in refusals(old, new)]
    more = [_change(one, _MORE, one.has, one.had) for one in refusals(new, old)]
    walk = _Walk(old, new)
    said = list(walk.place("", old, new, frozenset()))
    names = _Names(walk.gone, walk.new)
    first, second = (less, more) if side is Side.INPUT else (more, less)
    kept = [*_kept(first, names, []), *_kept(second, names, first)]
    told = {(one.pointer, one.keyword) for one in kept}
    more_said = [one for one in said if (one.pointer, one.keyword) not in told]
    found = [*_members(less, more, names), *kept, *more_said]
    unique = tuple(dict.fromkeys(found))
    return unique or (SchemaChange("", "rewritten", "", "", "", ""),)


def _change(one: Refusal, kinds: Mapping[str, str], before: str, after: str) -> SchemaChange:
    name = unescaped(one.pointer.rpartition("/")[2])
    return SchemaChange(one.pointer, kinds[one.kind], one.keyword, name, before, after)


def _members(less: list[SchemaChange], more: list[SchemaChange], names: _Names) -> Iterator[SchemaChange]:
    """Yield what is gone and new; a new member that an open schema let pass in another form is told as that."""
    required = {one.pointer for one in less if one.kind == "required"}
    told = {one.pointer for one in less if one.kind not in {"required", "gone", "closed"}}
    for pointer, types in names.gone.items():
        yield SchemaChange(pointer, "gone", "properties", unescaped(pointer.rpartition("/")[2]), types, "")
    for pointer, types in names.new.items():
        name = unescaped(pointer.rpartition("/")[2])
        if pointer in required:
            yield SchemaChange(pointer, "new-required", "required", name, "", types)
        elif pointer not in told:
            yield SchemaChange(pointer, "new", "properties", name, "", types)
    named = names.gone.keys() | names.new.keys()
    gone = [one for one in (*less, *more) if one.kind in {"gone", "new"} and one.pointer not in named]
    yield from gone


def _kept(found: list[SchemaChange], names: _Names, others: list[SchemaChange]) -> Iterator[SchemaChange]:
    """Yield the changes of places that both schemas know, and that were not told already."""
    told = {(one.pointer, one.keyword) for one in others}
    for one in found:
        is_about_a_name = one.kind in {"gone", "new"} or (
            one.kind in {"required", "optional"} and (one.pointer in names.new or one.pointer in names.gone)
        )
        if is_about_a_name or (one.pointer, one.keyword) in told or _is_inside(one.pointer, names.gone):
            continue
        yield one


def _is_inside(pointer: str, names: Mapping[str, str]) -> bool:
    return any(pointer == name or pointer.startswith(f"{name}/") for name in names)


class _Walk:
    """Goes through two schemas side by side, as far as they have the same places."""

    def __init__(self, old: Any, new: Any) -> None:
        self._old, self._new = old, new
        self.gone: dict[str, str] = {}
        self.new: dict[str, str] = {}

    def place(self, at: str, old: Any, new: Any, seen: frozenset[tuple[int, int]]) -> Iterator[SchemaChange]:
        """Yield what is said differently, and note names that only one side has."""
        step = (id(old), id(new))
        if step in seen or len(seen) > _DEPTH or (seen and text_of(old) == text_of(new) and not _refers(old)):
            return
        seen |= {step}
        ours, theirs = _together(old, self._old), _together(new, self._new)
        for keyword in sorted(word for word in ours.keys() | theirs.keys() if _is_said(word)):
            if text_of(ours.get(keyword)) != text_of(theirs.get(keyword)):
                before, after = (shown(one[keyword]) if keyword in one else "" for one in (ours, theirs))
                yield SchemaChange(at, "said", keyword, unescaped(at.rpartition("/")[2]), before, after)
        self._note(at, old, new)
        for below, one, other in _inside(ours, theirs):
            yield from self.place(at + below, one, other, seen)

    def _note(self, at: str, old: Any, new: Any) -> None:
        ours, theirs = known([old], self._old), known([new], self._new)
        for here, there, found in ((ours, theirs, self.gone), (theirs, ours, self.new)):
            for name in here.names():
                is_there = name in there.names() and not there.member(name).is_impossible
                if not is_there and not here.member(name).is_impossible:
                    found[at + json_pointer(name)] = here.member(name).said_types()


def _together(schema: Any, root: Any) -> dict[str, Any]:
    """Return a schema with what it refers to, its own words first."""
    found: dict[str, Any] = {}
    for part in reversed(parts_of(schema, root)):
        if isinstance(part, dict):
            properties = {**found.get("properties", {}), **_named(part, "properties")}
            found |= part | ({"properties": properties} if properties else {})
    return found


def _inside(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    ours, theirs = _named(old, "properties"), _named(new, "properties")
    for name in ours:
        if name in theirs:
            yield json_pointer(name), ours[name], theirs[name]
    for keyword in ("items", "additionalProperties"):
        if isinstance(old.get(keyword), dict) and isinstance(new.get(keyword), dict):
            yield ITEM, old[keyword], new[keyword]
    for keyword in ("anyOf", "oneOf", "prefixItems"):
        one, other = old.get(keyword), new.get(keyword)
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            for ours_, theirs_ in zip(one, other, strict=True):
                yield ITEM if keyword == "prefixItems" else "", ours_, theirs_


def _named(schema: Mapping[str, Any], keyword: str) -> dict[str, Any]:
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}


def _refers(schema: Any) -> bool:
    return '"$ref"' in text_of(schema)


def _is_said(keyword: str) -> bool:
    return keyword in _SAID or keyword.startswith("x-")
