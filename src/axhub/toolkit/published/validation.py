"""Arguments and results against a published schema, with the places that do not fit (toolkit/S3, toolkit/S4)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import jsonschema_rs

from axhub.contract.output_validator import BoundedCheck

__all__ = ["SchemaFault", "SchemaValidator"]

_MAX_FAULTS: Final = 20
_REGEX_BYTES: Final = 262144  # size of one compiled pattern
_LINEAR: Final = jsonschema_rs.RegexOptions(size_limit=_REGEX_BYTES, dfa_size_limit=_REGEX_BYTES)
_NO_REGEX: Final = 'is not a "regex"'
_NOT_LINEAR: Final = "is no pattern that can be matched in linear time (no look-around, no back references)"
_TELLING: Final = frozenset(
    {
        "const", "dependentRequired", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems",
        "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf",
        "pattern", "type",
    }
)  # fmt: skip
"""Keywords whose value says what would be right; those of the others are schemas."""


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One place of a value that a schema does not accept. It never holds the value itself."""

    path: tuple[str | int, ...]
    """Steps from the root of the value; of a missing or surplus member, to the object around it."""
    keyword: str
    """The keyword of the schema that refuses it: `type`, `required`, `additionalProperties`, …"""
    expected: Any = None
    """What the schema gives that keyword, where it says what would be right; of `type` a list, null last."""
    names: tuple[str, ...] = ()
    """Of `required` the missing member, of `additionalProperties` the surplus ones."""


_NO_FORM: Final = SchemaFault((), "anyOf")


class SchemaValidator:
    """Validates values against one schema, and no argument can hold up the service.

    Patterns run in linear time. A schema against which a small value can take forever gets a bounded number of steps;
    what does not fit such a schema, or takes too many, is told as a whole.
    """

    __slots__ = ("_bounded", "_validator")

    def __init__(self, schema: Mapping[str, Any] | bool) -> None:
        """Compile a schema that passed `contract.schema.check_schema`.

        Raises:
            ValueError: it has a pattern that cannot be evaluated in linear time, or is no schema after all.
        """
        try:
            self._validator = jsonschema_rs.Draft202012Validator(
                schema if isinstance(schema, bool) else dict(schema),
                pattern_options=_LINEAR,
                offline=True,
                validate_formats=False,
            )
        except ValueError as error:
            said = str(error).partition("\n")[0]
            raise ValueError(said.replace(_NO_REGEX, _NOT_LINEAR)) from error
        copy = json.loads(json.dumps(schema))  # in which no part stands at two places
        self._bounded = BoundedCheck(copy) if BoundedCheck.is_needed(copy) else None

    def accepts(self, value: Any) -> bool:
        """Say whether a JSON value conforms; a value that is no JSON does not."""
        return not self.faults(value)

    def faults(self, value: Any, *, first: bool = False) -> list[SchemaFault]:
        """Return what does not conform, at most 20 places in the order of the schema.

        Args:
            value: a JSON value.
            first: look for one place only. To find 20 takes as long as there are faults in the value.
        """
        try:
            if self._bounded is not None:
                return [] if self._bounded.accepts(value, len(json.dumps(value, allow_nan=False))) else [_NO_FORM]
            if first:
                return self._first(value)
            return [_fault(error) for error in islice(self._validator.iter_errors(value), _MAX_FAULTS)]
        except (ValueError, RecursionError):  # half a surrogate pair, NaN, thousands of lists inside each other
            return [SchemaFault((), "json")]

    def _first(self, value: Any) -> list[SchemaFault]:
        try:
            self._validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            return [_fault(error)]
        return []


def _fault(error: Any) -> SchemaFault:
    keyword = str(error.kind.name)
    value = error.kind.value
    path = tuple(error.instance_path)
    if keyword == "required":
        return SchemaFault(path, keyword, names=(str(value),))
    if keyword in {"additionalProperties", "unevaluatedProperties"}:
        return SchemaFault(path, keyword, names=tuple(map(str, value)))
    if keyword == "type":
        return SchemaFault(path, keyword, sorted(value, key=lambda name: (name == "null", name)))
    return SchemaFault(path, keyword, value if keyword in _TELLING else None)
