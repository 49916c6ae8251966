"""What is known of a value: it fits some schemas, all at once. Less is said than they say, and never more."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.toolkit.facts.wording import kind_of, shown

__all__ = ["ANYTHING", "Known", "has_references", "known", "parts_of", "same", "text_of", "unescaped"]

ANYTHING: Final = frozenset({"null", "boolean", "object", "array", "string", "integer", "fraction"})
"""The types of JSON, numbers apart by whether they are whole: `number` is both."""
_FINITE: Final[Mapping[str, tuple[Any, ...]]] = {"boolean": (True, False), "null": (None,)}
_NUMBERS: Final = frozenset({"integer", "fraction"})
_OF_KIND: Final[Mapping[str, Any]] = {name: {"type": name} for name in (*(ANYTHING - {"fraction"}), "number")}
_LOST: Final[Mapping[str, Any]] = {"$ref": "?"}
"""In place of what a reference does not lead to."""


@dataclass(frozen=True, slots=True)
class Known:
    """A value that fits every one of `parts`."""

    parts: tuple[Any, ...]
    root: Any
    """The document in which references are looked up."""
    split: frozenset[int] = frozenset()
    """Parts of whose alternatives one was chosen, by identity."""
    whole: tuple[Any, ...] = ()
    """The parts before one was chosen: what messages show."""
    types: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        found = ANYTHING
        for part in self.parts:
            found &= _types(part)
        object.__setattr__(self, "types", found)

    @property
    def is_impossible(self) -> bool:
        """Whether no value fits."""
        return any(part is False for part in self.parts) or not self.types

    @property
    def codes(self) -> tuple[Any, ...] | None:
        """The values that are possible, where there are only so many."""
        found: tuple[Any, ...] | None = None
        for part in self.parts:
            stated = _codes(part)
            if stated is not None:
                texts = {text_of(code) for code in stated}
                found = stated if found is None else tuple(code for code in found if text_of(code) in texts)
        if found is not None:
            return tuple(code for code in found if _atom(code) in self.types)
        if self.types <= _FINITE.keys():
            return tuple(code for name in sorted(self.types) for code in _FINITE[name])
        return None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types that are possible, as JSON Schema names them."""
        numbers = self.types & _NUMBERS
        named = self.types - _NUMBERS | ({"integer" if numbers == {"integer"} else "number"} if numbers else set())
        return tuple(sorted(named))

    def of_kind(self, name: str) -> "Known":
        """Return the same for values of one type."""
        return Known((*self.parts, _OF_KIND[name]), self.root, self.split, self.whole or self.parts)

    def given(self, keyword: str) -> tuple[Any, ...]:
        """Return what the parts say under a keyword."""
        return tuple(part[keyword] for part in self.parts if isinstance(part, dict) and keyword in part)

    def names(self) -> tuple[str, ...]:
        """Return the names of members that something is said about."""
        return tuple(
            dict.fromkeys(name for found in self.given("properties") if isinstance(found, dict) for name in found)
        )

    def required(self) -> frozenset[str]:
        """Return the names of members that are always there."""
        return frozenset(name for found in self.given("required") if isinstance(found, list) for name in found)

    def member(self, name: str) -> "Known":
        """Return what is known of a member."""
        found = []
        for part in self.parts:
            named = part.get("properties") if isinstance(part, dict) else None
            if isinstance(named, dict) and name in named:
                found.append(named[name])
            elif isinstance(part, dict) and "patternProperties" not in part and "additionalProperties" in part:
                found.append(part["additionalProperties"])
        return known(found, self.root)

    def others(self, patterns: Any) -> "Known":
        """Return what is known of members that nobody names and no pattern of a schema is for."""
        found = [
            part["additionalProperties"]
            for part in self.parts
            if isinstance(part, dict)
            and "additionalProperties" in part
            and text_of(part.get("patternProperties", {})) == text_of(patterns)
        ]
        return known(found, self.root)

    def items(self, first: Any) -> "Known":
        """Return what is known of the items of a list after those that `prefixItems` describes."""
        found = [
            part["items"]
            for part in self.parts
            if isinstance(part, dict) and "items" in part and text_of(part.get("prefixItems", [])) == text_of(first)
        ]
        return known(found, self.root)

    def alternatives(self) -> tuple[Any, list[Any]] | None:
        """Return a part of which none of its alternatives was chosen yet, and these."""
        for part in self.parts:
            if isinstance(part, dict) and id(part) not in self.split:
                for keyword in ("anyOf", "oneOf"):
                    if isinstance(part.get(keyword), list):
                        return part, part[keyword]
        return None

    def chosen(self, part: Any, branch: Any) -> "Known":
        """Return the same with one alternative chosen."""
        parts = (*self.parts, *parts_of(branch, self.root))
        return Known(parts, self.root, self.split | {id(part)}, self.whole or self.parts)

    def said(self, keyword: str) -> str:
        """Return what the parts say under a keyword as people write it; empty if they say nothing."""
        values = [value for part in self.whole or self.parts for value in _values(part, keyword)]
        return "" if not values else shown(values[0])

    def said_types(self) -> str:
        """Return the possible types in words of JSON Schema: `string | null`."""
        return _type_names(self.whole or self.parts, self.root)

    def said_codes(self) -> str:
        """Return the possible values, or the types where there is no end of them."""
        codes = Known(self.whole or self.parts, self.root).codes
        stated = [found for part in self.parts if (found := _codes(part)) is not None]
        if codes is None or not (stated or self.whole):
            return self.said_types()
        return ", ".join(shown(code) for code in codes)


def known(schemas: list[Any] | tuple[Any, ...], root: Any) -> Known:
    """Return what is known of a value that fits some schemas of a document."""
    return Known(tuple(part for schema in schemas for part in parts_of(schema, root)), root)


def parts_of(schema: Any, root: Any) -> tuple[Any, ...]:
    """Return the schemas that all hold where one holds: itself, what it refers to, and its `allOf`."""
    found: dict[int, Any] = {}
    left = [schema]
    while left:
        part = left.pop()
        if id(part) in found:
            continue
        found[id(part)] = part
        if isinstance(part, dict):
            left += reversed(_listed(part, "allOf"))
            if "$ref" in part:
                left.append(_target(root, part["$ref"]))
    return tuple(found.values())


def same(one: Any, other: Any, one_root: Any, other_root: Any) -> bool:
    """Say whether two schemas are written alike, and what they refer to is as well."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() != other.keys():
        return False  # without writing them out
    text = text_of(one)
    if text != text_of(other):
        return False
    if not has_references(text):
        return True
    is_plain = text.count('"$ref"') == text.count('"$ref": "#/$defs/') and '"$dynamicRef"' not in text
    return is_plain and text_of(_definitions(one_root)) == text_of(_definitions(other_root))


def has_references(text: str) -> bool:
    """Say whether a schema, as `text_of` writes it, refers to another."""
    return '"$ref"' in text or '"$dynamicRef"' in text


def text_of(value: Any) -> str:
    """Write a value so that equal values give equal texts, and 1, 1.0 and true are three."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def unescaped(step: str) -> str:
    """Return a step of a JSON pointer as it is meant."""
    return step.replace("~1", "/").replace("~0", "~")


def _definitions(root: Any) -> Any:
    return root.get("$defs") if isinstance(root, dict) else None


def _target(root: Any, reference: Any) -> Any:
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return _LOST
    here = root
    for step in reference.split("/")[1:]:
        here = here.get(unescaped(step), _LOST) if isinstance(here, dict) else _LOST
    return here


def _listed(schema: Mapping[str, Any], keyword: str) -> list[Any]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _values(part: Any, keyword: str) -> list[Any]:
    return [part[keyword]] if isinstance(part, dict) and keyword in part else []


def _types(part: Any) -> frozenset[str]:
    if not isinstance(part, dict):
        return ANYTHING
    stated = part.get("type")
    names = stated if isinstance(stated, list) else [stated] if isinstance(stated, str) else None
    found = ANYTHING
    if names is not None:
        found = frozenset(atom for name in names for atom in (("integer", "fraction") if name == "number" else (name,)))
    codes = _codes(part)
    return found if codes is None else found & {_atom(code) for code in codes}


def _codes(part: Any) -> tuple[Any, ...] | None:
    if not isinstance(part, dict):
        return None
    if "const" in part:
        return (part["const"],)
    codes = part.get("enum")
    return tuple(codes) if isinstance(codes, list) else None


def _atom(value: Any) -> str:
    kind = kind_of(value)
    if kind != "number":
        return kind
    return "integer" if float(value).is_integer() else "fraction"


def _type_names(parts: tuple[Any, ...], root: Any) -> str:
    found = ANYTHING
    for part in parts:
        found &= _types(part)
        for keyword in ("anyOf", "oneOf"):
            branches = _listed(part, keyword) if isinstance(part, dict) else []
            if branches:
                found &= frozenset().union(*(_all_types(parts_of(branch, root)) for branch in branches))
    if found == ANYTHING:
        return "any"
    names = {name for name in found if name not in {"integer", "fraction"}}
    if numbers := found & {"integer", "fraction"}:
        names.add("integer" if numbers == {"integer"} else "number")
    return " | ".join(sorted(names, key=lambda name: (name == "null", name)))


def _all_types(parts: tuple[Any, ...]) -> frozenset[str]:
    found = ANYTHING
    for part in parts:
        found &= _types(part)
    return found
