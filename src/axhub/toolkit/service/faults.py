"""From what a validator reports to what is wrong with one argument, in the terms of the wire (toolkit/S3).

Two validators report: the request model (Pydantic) and, where a schema resource narrows it, a JSON Schema. Both become
`Fault`s: a path of wire names, a kind that `words.FAULTS` has a sentence for, and the values of that sentence.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from axhub.toolkit.published.validation import SchemaFault

__all__ = ["Fault", "Path", "from_model", "from_schema", "kind_of"]

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at one place of the arguments."""

    path: Path
    kind: str
    """A key of `words.FAULTS`."""
    values: Mapping[str, Any] = field(default_factory=dict)


_Made = tuple[str, Mapping[str, Any]]

_TYPES: Final = {
    "string_type": "string",
    "string_sub_type": "string",
    "bytes_type": "string",
    "int_type": "integer",
    "int_parsing": "integer",
    "float_type": "number",
    "float_parsing": "number",
    "decimal_type": "string",
    "bool_type": "boolean",
    "bool_parsing": "boolean",
    "model_type": "object",
    "model_attributes_type": "object",
    "dataclass_type": "object",
    "dict_type": "object",
    "mapping_type": "object",
    "list_type": "array",
    "tuple_type": "array",
    "set_type": "array",
    "frozen_set_type": "array",
    "iterable_type": "array",
    "none_required": "null",
}
"""Errors that say a value is of another kind, with the kind that is needed."""
_PLAIN: Final = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "int_from_float": "whole",
    "finite_number": "finite",
    "int_parsing_size": "finite",
    "date_type": "date",
    "date_parsing": "date",
    "date_from_datetime_parsing": "date",
    "date_from_datetime_inexact": "date",
    "date_past": "past",
    "date_future": "future",
    "time_type": "time",
    "time_parsing": "time",
    "datetime_type": "datetime",
    "datetime_parsing": "datetime",
    "datetime_object_invalid": "datetime",
    "datetime_from_date_parsing": "datetime",
    "datetime_past": "past",
    "datetime_future": "future",
    "timezone_naive": "no_zone",
    "timezone_aware": "zone",
    "timezone_offset": "zone",
    "time_delta_type": "duration",
    "time_delta_parsing": "duration",
    "uuid_type": "uuid",
    "uuid_parsing": "uuid",
    "uuid_version": "uuid",
    "url_type": "url",
    "url_parsing": "url",
    "url_syntax_violation": "url",
    "url_too_long": "url",
    "url_scheme": "url",
    "decimal_parsing": "number_text",
}
"""Errors whose sentence has no values."""
_LIMITS: Final = {
    "string_too_short": ("min_length", "min_length"),
    "string_too_long": ("max_length", "max_length"),
    "too_short": ("min_items", "min_length"),
    "too_long": ("max_items", "max_length"),
    "greater_than": ("exclusive_minimum", "gt"),
    "greater_than_equal": ("minimum", "ge"),
    "less_than": ("exclusive_maximum", "lt"),
    "less_than_equal": ("maximum", "le"),
    "multiple_of": ("multiple_of", "multiple_of"),
    "decimal_max_digits": ("digits", "max_digits"),
    "decimal_whole_digits": ("digits", "whole_digits"),
    "decimal_max_places": ("places", "decimal_places"),
}
"""Errors about a bound: the kind of fault, and where the bound stands in the error's context."""
_SCHEMA_LIMITS: Final = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_items",
    "maxItems": "max_items",
    "minimum": "minimum",
    "exclusiveMinimum": "exclusive_minimum",
    "maximum": "maximum",
    "exclusiveMaximum": "exclusive_maximum",
    "multipleOf": "multiple_of",
}
_SCHEMA_PLAIN: Final = {"uniqueItems": "unique", "oneOf": "one_of", "anyOf": "any_of", "json": "invalid"}
_KNOWN: Final = frozenset(get_args(ErrorType))
_KINDS: Final[Sequence[tuple[type, str]]] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value, as schemas name it: `integer`, `array`, `null`."""
    return next((kind for python, kind in _KINDS if isinstance(value, python)), "null")


def from_model(errors: Iterable[ErrorDetails], arguments: Any) -> list[Fault]:
    """Return what the request model does not accept.

    Args:
        errors: of a `pydantic.ValidationError`, with their contexts.
        arguments: the value that was validated, read as plain JSON.
    """
    return _merged(_from_error(error, arguments) for error in errors)


def from_schema(faults: Iterable[SchemaFault], arguments: Any) -> list[Fault]:
    """Return what a schema does not accept; see `from_model`."""
    return _merged(fault for found in faults for fault in _from_schema_fault(found, arguments))


def _from_error(error: ErrorDetails, arguments: Any) -> Fault:
    kind = error["type"]
    path, value = _wire_path(error["loc"], arguments, missing=kind == "missing")
    context = error.get("ctx", {})
    if kind in _TYPES:
        return Fault(path, "type", {"expected": (_TYPES[kind],), "value": value})
    if kind in _PLAIN:
        return Fault(path, _PLAIN[kind])
    if kind in _LIMITS:
        name, where = _LIMITS[kind]
        return Fault(path, name, {"limit": context.get(where)})
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(path, context)
    return Fault(path, "invalid") if kind in _KNOWN else Fault(path, "author", {"text": error["msg"]})


def _enum(path: Path, context: Mapping[str, Any]) -> Fault:
    return Fault(path, "enum", {"text": context.get("expected", "")})


def _pattern(path: Path, context: Mapping[str, Any]) -> Fault:
    return Fault(path, "pattern", {"pattern": context.get("pattern", "")})


def _author(path: Path, context: Mapping[str, Any]) -> Fault:
    return Fault(path, "author", {"text": str(context.get("error", ""))})


def _tag(path: Path, context: Mapping[str, Any]) -> Fault:
    return Fault((*path, _discriminator(context)), "enum", {"text": context.get("expected_tags", "")})


def _no_tag(path: Path, context: Mapping[str, Any]) -> Fault:
    return Fault((*path, _discriminator(context)), "missing")


def _discriminator(context: Mapping[str, Any]) -> str:
    return str(context.get("discriminator", "")).strip("'")


_SPECIAL: Final[Mapping[str, Callable[[Path, Mapping[str, Any]], Fault]]] = {
    "literal_error": _enum,
    "enum": _enum,
    "string_pattern_mismatch": _pattern,
    "value_error": _author,
    "assertion_error": _author,
    "union_tag_invalid": _tag,
    "union_tag_not_found": _no_tag,
}


def _wire_path(steps: Sequence[int | str], value: Any, *, missing: bool) -> tuple[Path, Any]:
    """Keep the steps that lead through the arguments; others name a branch of a union, which no caller knows."""
    path: list[str | int] = []
    for at, step in enumerate(steps):
        inside = isinstance(value, dict) and step in value
        if inside or (isinstance(value, list) and isinstance(step, int) and step < len(value)):
            path.append(step)
            value = value[step]
        elif missing and at == len(steps) - 1:
            path.append(step)
    return tuple(path), value


def _from_schema_fault(found: SchemaFault, arguments: Any) -> Iterable[Fault]:
    path, keyword = found.path, found.keyword
    if keyword == "required":
        return [Fault((*path, name), "missing") for name in found.names]
    if keyword in {"additionalProperties", "unevaluatedProperties"}:
        return [Fault((*path, name), "unknown") for name in found.names]
    kind, values = _schema_kind(found, _wire_path(path, arguments, missing=False)[1])
    return [Fault(path, kind, values)]


def _schema_kind(found: SchemaFault, value: Any) -> _Made:
    keyword, expected = found.keyword, found.expected
    if keyword == "type":
        return "type", {"expected": tuple(expected if isinstance(expected, list) else [expected]), "value": value}
    if keyword in {"enum", "const"}:
        return "enum", {"values": expected if keyword == "enum" and isinstance(expected, list) else [expected]}
    if keyword == "pattern":
        return "pattern", {"pattern": expected}
    if keyword in _SCHEMA_LIMITS:
        return _SCHEMA_LIMITS[keyword], {"limit": expected}
    return (_SCHEMA_PLAIN[keyword], {}) if keyword in _SCHEMA_PLAIN else ("condition", {"keyword": keyword})


def _merged(faults: Iterable[Fault]) -> list[Fault]:
    """Join what the branches of a union say about the kind of one value; leave out what was said already."""
    found: dict[tuple[Path, str], Fault] = {}
    for fault in faults:
        key = (fault.path, fault.kind)
        earlier = found.get(key)
        if earlier is not None and fault.kind == "type":
            expected = dict.fromkeys((*earlier.values["expected"], *fault.values["expected"]))
            found[key] = Fault(fault.path, "type", {**fault.values, "expected": tuple(expected)})
        elif earlier is None:
            found[key] = fault
    return list(found.values())
