"""Where a schema refuses a value that another one accepts. What cannot be told is reported as if it did.

This is the other half of `rules.schemas.comparing`, which leaves such things out: a rule has to be right about what it
reports, and a promise about what it does not report.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any, Final, NamedTuple

from axhub.contract.schema_walk import pointer as json_pointer
from axhub.toolkit.facts.wording import shown
from axhub.toolkit.promises.known import Known, known, parts_of, same, text_of
from axhub.toolkit.published.validation import SchemaValidator

__all__ = ["ITEM", "Refusal", "refusals"]

ITEM: Final = "/*"
"""The step to any item of a list, or any member that has no name of its own."""
_MAX_PLACES: Final = 4_000
_MAX_DEPTH: Final = 100
_NUMBERS: Final = frozenset({"integer", "fraction"})
_UPPER: Final[Mapping[str, str]] = {"maxLength": "string", "maxItems": "array", "maxProperties": "object"}
_LOWER: Final[Mapping[str, str]] = {"minLength": "string", "minItems": "array", "minProperties": "object"}
_GROUPS: Final = (
    ("not",),
    ("if", "then", "else"),
    ("contains", "minContains", "maxContains"),
    ("propertyNames",),
    ("dependentRequired",),
    ("dependentSchemas",),
    ("dependencies",),
    ("oneOf",),
    ("prefixItems",),
    ("patternProperties",),
    ("$dynamicRef",),
)
"""Keywords that are only compared as they are written, together."""
_UNTOLD: Final = ("unevaluatedItems", "unevaluatedProperties")


class Refusal(NamedTuple):
    """One place where the second schema may refuse what the first accepts."""

    pointer: str
    """Into the value."""
    kind: str
    """`type`, `null`, `enum`, `bound`, `pattern`, `required`, `gone`, `closed`, `condition`, `never`."""
    keyword: str
    """Of the second schema."""
    had: str = ""
    """What the first schema says there."""
    has: str = ""


def refusals(first: Any, second: Any) -> tuple[Refusal, ...]:
    """Return where the second schema may refuse a value that the first accepts; empty: it refuses none."""
    if text_of(first) == text_of(second):
        return ()
    run = _Run(first, second)
    return tuple(dict.fromkeys(run.place("", known([first], first), second, frozenset())))


class _Run:
    """One comparison of two documents."""

    def __init__(self, first: Any, second: Any) -> None:
        self._first, self._second = first, second
        self._places = 0

    def place(self, at: str, had: Known, schema: Any, seen: frozenset[object]) -> Iterator[Refusal]:
        """Yield the refusals of a schema about a value of which something is known."""
        step = (*map(id, had.parts), id(schema))
        if step in seen or had.is_impossible or any(same(p, schema, self._first, self._second) for p in had.parts):
            return
        self._places += 1
        if self._places > _MAX_PLACES or len(seen) > _MAX_DEPTH:
            yield Refusal(at, "condition", "")
            return
        seen |= {step}
        codes = had.codes
        if codes is not None:
            yield from self._codes(at, had, codes, schema)
            return
        alternatives = had.alternatives()
        if alternatives is not None:
            part, branches = alternatives
            for branch in branches:
                yield from self.place(at, had.chosen(part, branch), schema, seen)
            return
        for part in parts_of(schema, self._second):
            yield from self._part(at, had, part, seen)

    def _part(self, at: str, had: Known, part: Any, seen: frozenset[object]) -> Iterator[Refusal]:
        if part is False:
            yield Refusal(at, "never", "false", had.said_types())
        if not isinstance(part, dict):
            return
        has = Known((part,), self._second)
        surplus = had.types - has.types
        if surplus:
            yield Refusal(at, "null" if surplus == {"null"} else "type", "type", had.said_types(), has.said_types())
            if surplus == had.types:
                return
        if has.codes is not None and ("enum" in part or "const" in part):
            yield Refusal(at, "enum", "enum", had.said_codes(), has.said_codes())
            return
        yield from _bounds(at, had, part, had.types & has.types)
        yield from self._conditions(at, had, part)
        yield from self._inside(at, had, part, seen)

    def _inside(self, at: str, had: Known, part: Mapping[str, Any], seen: frozenset[object]) -> Iterator[Refusal]:
        types = had.types & Known((part,), self._second).types
        if "array" in types and "items" in part:
            yield from self.place(at + ITEM, had.items(part.get("prefixItems", [])), part["items"], seen)
        if "object" in types:
            yield from self._members(at, had, part, seen)
        if isinstance(part.get("anyOf"), list):
            yield from self._any(at, had, part["anyOf"], seen)

    def _codes(self, at: str, had: Known, codes: tuple[Any, ...], schema: Any) -> Iterator[Refusal]:
        """Try each of the values that are possible."""
        has = known([schema], self._second)
        judge = _judge(schema, self._second)
        strange = _formats(schema, self._second) - set(map(text_of, had.given("format")))
        if strange and all(judge(code) for code in codes):
            if any(isinstance(code, str) for code in codes):
                yield Refusal(at, "bound", "format", had.said("format"), min(strange).strip('"'))
            return
        refused = [code for code in codes if not judge(code)]
        if not refused:
            return
        if refused == [None]:
            yield Refusal(at, "null", "type", had.said_types(), has.said_types())
        elif not had.types & has.types:
            yield Refusal(at, "type", "type", had.said_types(), has.said_types())
        else:
            yield Refusal(at, "enum", "enum", had.said_codes(), has.said_codes())

    def _conditions(self, at: str, had: Known, part: Mapping[str, Any]) -> Iterator[Refusal]:
        for group in _GROUPS:
            ours = {keyword: part[keyword] for keyword in group if keyword in part}
            if not ours or any(self._says(one, ours, group) for one in had.parts):
                continue
            if group != ("if", "then", "else") or "if" in ours:
                yield Refusal(at, "condition", next(iter(ours)), had.said(group[0]), shown(part[next(iter(ours))]))
        for keyword in _UNTOLD:
            if keyword in part:
                yield Refusal(at, "condition", keyword, had.said(keyword), shown(part[keyword]))
        if part.get("$ref") == "?":
            yield Refusal(at, "condition", "$ref")

    def _says(self, part: Any, ours: Mapping[str, Any], group: tuple[str, ...]) -> bool:
        theirs = {keyword: part[keyword] for keyword in group if isinstance(part, dict) and keyword in part}
        return same(theirs, ours, self._first, self._second)

    def _members(self, at: str, had: Known, part: Mapping[str, Any], seen: frozenset[object]) -> Iterator[Refusal]:
        required, named = had.required(), _mapping(part.get("properties"))
        for name in part.get("required", ()):
            if name not in required:
                yield Refusal(at + json_pointer(name), "required", "required")
        for name, schema in named.items():
            yield from self.place(at + json_pointer(name), had.member(name), schema, seen)
        if part.get("additionalProperties", True) is not True:
            yield from self._rest(at, had, part, seen)

    def _rest(self, at: str, had: Known, part: Mapping[str, Any], seen: frozenset[object]) -> Iterator[Refusal]:
        """Yield what is refused of members that the schema does not name."""
        rest, named = part["additionalProperties"], _mapping(part.get("properties"))
        for name in had.names():
            if name in named or _is_ruled_out(had, name):
                continue
            if rest is False:
                yield Refusal(at + json_pointer(name), "gone", "properties", name)
            else:
                yield from self.place(at + json_pointer(name), had.member(name), rest, seen)
        others = had.others(part.get("patternProperties", {}))
        if rest is False and not others.is_impossible:
            yield Refusal(at, "closed", "additionalProperties", had.said("additionalProperties"), "false")
        elif rest is not False:
            yield from self.place(at + ITEM, others, rest, seen)

    def _any(self, at: str, had: Known, branches: list[Any], seen: frozenset[object]) -> Iterator[Refusal]:
        """Yield what the alternatives refuse, each type of value looked at by itself."""
        found = self._least(at, had, branches, seen)
        if found and len(had.kinds) > 1:
            found = [one for kind in had.kinds for one in self._least(at, had.of_kind(kind), branches, seen)]
        types = known([{"anyOf": branches}], self._second).said_types()
        for one in found:
            is_here = one.pointer == at and one.kind in {"type", "null"}
            yield one._replace(has=types) if is_here else one

    def _least(self, at: str, had: Known, branches: list[Any], seen: frozenset[object]) -> list[Refusal]:
        """Return what the alternative refuses that refuses least."""
        least: list[Refusal] | None = None
        for branch in branches:
            found = list(self.place(at, had, branch, seen))
            if not found:
                return []
            if least is None or len(found) < len(least):
                least = found
        return least or [Refusal(at, "never", "anyOf", had.said_types())]


def _is_ruled_out(had: Known, name: str) -> bool:
    return had.member(name).is_impossible


def _bounds(at: str, had: Known, part: Mapping[str, Any], types: frozenset[str]) -> Iterator[Refusal]:
    if types & _NUMBERS:
        yield from _number_bounds(at, had, part, whole="fraction" not in types)
    for keyword, kind in (*_UPPER.items(), *_LOWER.items()):
        if kind not in types or not _is_number(part.get(keyword)):
            continue
        given = [value for value in had.given(keyword) if _is_number(value)]
        ours = part[keyword]
        fits = any(value <= ours for value in given) if keyword in _UPPER else any(value >= ours for value in given)
        if not fits and (keyword in _UPPER or ours > 0):
            yield _bound(at, had, part, keyword)
    if "string" in types and "pattern" in part and part["pattern"] not in had.given("pattern"):
        yield Refusal(at, "pattern", "pattern", had.said("pattern"), shown(part["pattern"]))
    if "string" in types and "format" in part and part["format"] not in had.given("format"):
        yield Refusal(at, "bound", "format", had.said("format"), shown(part["format"]))
    if "array" in types and part.get("uniqueItems") is True and True not in had.given("uniqueItems"):
        yield _bound(at, had, part, "uniqueItems")


def _number_bounds(at: str, had: Known, part: Mapping[str, Any], *, whole: bool) -> Iterator[Refusal]:
    for keyword, sign in (("maximum", 1), ("exclusiveMaximum", 1), ("minimum", -1), ("exclusiveMinimum", -1)):
        if not _is_number(part.get(keyword)):
            continue
        ours = _limit(part[keyword], keyword, sign, whole)
        name = keyword.removeprefix("exclusive").lower()
        exclusive = f"exclusive{name.capitalize()}"
        given = [
            _limit(value, word, sign, whole)
            for word in (name, exclusive)
            for value in had.given(word)
            if _is_number(value)
        ]
        if not any(limit <= ours for limit in given):
            yield _bound(at, had, part, keyword)
    step = part.get("multipleOf")
    if _is_number(step) and not _is_multiple(had, step, whole=whole):
        yield _bound(at, had, part, "multipleOf")


def _limit(value: Any, keyword: str, sign: int, whole: bool) -> tuple[Fraction, int]:
    """Return a limit so that a smaller one is stricter: how far it goes, and whether it still belongs to it."""
    limit, belongs = sign * Fraction(value), 0 if keyword.startswith("exclusive") else 1
    if not whole:
        return limit, belongs
    floor = limit.numerator // limit.denominator
    return Fraction(floor - 1 if floor == limit and not belongs else floor), 1


def _is_multiple(had: Known, step: Any, *, whole: bool) -> bool:
    given = [value for value in had.given("multipleOf") if _is_number(value)]
    if step in given or (whole and step == 1):
        return True
    return isinstance(step, int) and any(isinstance(value, int) and value % step == 0 for value in given)


def _bound(at: str, had: Known, part: Mapping[str, Any], keyword: str) -> Refusal:
    return Refusal(at, "bound", keyword, had.said(keyword), shown(part[keyword]))


def _formats(schema: Any, root: Any) -> frozenset[str]:
    """Return the formats that a schema may ask of a text: services hold callers to them, the validator does not."""
    found: set[str] = set()
    left, seen = [schema], set[int]()
    while left:
        for part in parts_of(left.pop(), root):
            if isinstance(part, dict) and id(part) not in seen:
                seen.add(id(part))
                found |= {text_of(part["format"])} if "format" in part else set()
                left += [one for word in ("anyOf", "oneOf") for one in _list(part.get(word))]
    return frozenset(found)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _judge(schema: Any, root: Any) -> Callable[[Any], bool]:
    """Return how to tell whether a part of a document accepts a value; what cannot be told is refused."""
    definitions = {word: root[word] for word in ("$defs", "definitions") if isinstance(root, dict) and word in root}
    text = text_of(schema) + text_of(definitions)
    elsewhere = text.replace('"$ref": "#/$defs/', "").replace('"$ref": "#/definitions/', "")
    if '"$ref"' in elsewhere and schema is not root:
        return lambda _: False
    try:
        return SchemaValidator(schema | definitions if isinstance(schema, dict) else schema).accepts
    except ValueError:
        return lambda _: False
