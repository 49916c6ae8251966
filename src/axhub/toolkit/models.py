"""Base classes and field notes for what a tool takes, answers and sends to legacy systems (toolkit/T2)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError, ValidationInfo
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticKnownError, SchemaValidator, core_schema, to_json

__all__ = ["DECIMAL_TEXT", "Desc", "HttpBody", "Input", "Masked", "Output", "masked"]

DECIMAL_TEXT: Final = r"^[-+]?[0-9]+(\.[0-9]+)?(E[-+]?[0-9]+)?$"
"""How a decimal is written on the wire, in both directions: as text, and nothing around or between its digits."""

_STAR: Final = "*"
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DECIMAL: Final = re.compile(DECIMAL_TEXT)
_DATES: Final = SchemaValidator(core_schema.date_schema(strict=True))
_DATETIMES: Final = SchemaValidator(core_schema.datetime_schema(strict=True))
_NO_SCHEMAS: Final = frozenset({"cls", "config", "default", "expected", "metadata", "serialization"})
"""Members of a core schema that have no schemas of arguments inside them."""

_Reader = Callable[[Any, ValidationInfo], Any]
"""Reads a value of JSON before Pydantic does; raises PydanticKnownError."""
_Unread = Literal["date_parsing", "datetime_parsing"]


def _as_written(schema: Any, readers: Mapping[str, _Reader]) -> Any:
    """Return a core schema that reads some kinds of values first: JSON has them in one form only."""
    if isinstance(schema, list | tuple):
        return type(schema)(_as_written(one, readers) for one in schema)
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "function-before" and schema["function"]["function"] in readers.values():
        return schema
    if schema.get("type") in readers:
        inner: Any = schema
        return core_schema.with_info_before_validator_function(readers[schema["type"]], inner)
    return {name: value if name in _NO_SCHEMAS else _as_written(value, readers) for name, value in schema.items()}


def _read_decimal(value: Any, info: ValidationInfo) -> Any:
    """Read a decimal of JSON; what Python code gives a model is left to Pydantic."""
    if info.mode != "json" or isinstance(value, Decimal):
        return value
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    if _DECIMAL.fullmatch(value) is None:
        raise PydanticKnownError("decimal_parsing")
    try:
        return Decimal(value)
    except InvalidOperation:  # its exponent is beyond what a decimal can have
        raise PydanticKnownError("decimal_parsing") from None


def _read_date(value: Any, info: ValidationInfo) -> Any:
    return _read_strictly(_begun(value, info, "date_parsing"), info, _DATES, "date_parsing")


def _read_datetime(value: Any, info: ValidationInfo) -> Any:
    return _read_strictly(_begun(value, info, "datetime_parsing"), info, _DATETIMES, "datetime_parsing")


def _begun_date(value: Any, info: ValidationInfo) -> Any:
    return _begun(value, info, "date_parsing")


def _begun_datetime(value: Any, info: ValidationInfo) -> Any:
    return _begun(value, info, "datetime_parsing")


def _begun(value: Any, info: ValidationInfo, fault: _Unread) -> Any:
    """Refuse a text of JSON that does not begin with a day: 20260131093000 would be counted as seconds since 1970."""
    if info.mode == "json" and isinstance(value, str) and _DAY.match(value) is None:
        raise PydanticKnownError(fault, {"error": "it does not begin with a day such as 2026-01-31"})
    return value


def _read_strictly(value: Any, info: ValidationInfo, reader: SchemaValidator, fault: _Unread) -> Any:
    """Read a text as JSON's, since behind this it counts as Python's, of which none is a date."""
    if info.mode != "json" or not isinstance(value, str):
        return value
    try:
        return reader.validate_json(to_json(value))
    except ValidationError as refused:
        error = refused.errors(include_input=False)[0]["msg"]
    raise PydanticKnownError(fault, {"error": error})


_ARGUMENTS: Final[Mapping[str, _Reader]] = {"decimal": _read_decimal, "date": _read_date, "datetime": _read_datetime}
_BODIES: Final[Mapping[str, _Reader]] = {"date": _begun_date, "datetime": _begun_datetime}


class Input(BaseModel):
    """A tool's arguments. Strict, closed, camelCase on the wire; every field has a `Desc`."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, extra="forbid", strict=True, frozen=True, allow_inf_nan=False
    )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Take decimals and days of JSON in the published form only: Pydantic takes numbers and `1_0` as well."""
        made: CoreSchema = _as_written(handler(source), _ARGUMENTS)
        return made


class Output(BaseModel):
    """A tool's answer, or a part of it. camelCase on the wire; every field has a `Desc`."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        ser_json_inf_nan="constants",  # else a number that is none would be answered as null, and nobody would notice
    )


class HttpBody(BaseModel):
    """What a legacy HTTP API takes or answers, in its own names; members that are not named are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Refuse days in digits alone: Pydantic counts them as seconds. A body that has such is read as text first."""
        made: CoreSchema = _as_written(handler(source), _BODIES)
        return made


def Desc(  # noqa: N802 - reads as the noun it is inside Annotated[…]
    description: str,
    *,
    example: Any = None,
    pattern: str | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    ge: float | None = None,
    le: float | None = None,
) -> FieldInfo:
    """Describe a field, and bound it.

    As in `claim_no: Annotated[str, Desc("보험금 청구번호", example="CLM202608100001")]`.

    Args:
        description: what it is; of a nullable field also what null means, of a list also its order (seed 003 §8).
        example: one value as it would come over the wire.
        pattern: a regular expression for the whole text; portable ones only (rule/TK407).
        min_length: of a text or list.
        max_length: of a text or list.
        ge: the smallest number.
        le: the largest number.
    """
    described: FieldInfo = Field(
        description=description,
        examples=None if example is None else [example],
        pattern=pattern,
        min_length=min_length,
        max_length=max_length,
        ge=ge,
        le=le,
    )
    return described


@dataclass(frozen=True, slots=True)
class Masked:
    """Note on a field that holds personal data which cannot be left out; see `masked`."""

    reason: str
    keep_last: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Mask the text when it is written out."""
        written = core_schema.plain_serializer_function_ser_schema(
            _mask(self.keep_last), return_schema=core_schema.str_schema(), when_used="unless-none"
        )
        return {**handler(source), "serialization": written}


def masked(reason: str, *, keep_last: int = 4) -> Masked:
    """Let a field with personal data into an answer, masked but for its last characters (seed 003 §8.6).

    Args:
        reason: why it cannot be left out; shown to reviewers.
        keep_last: characters that stay readable, at most half of the text.
    """
    return Masked(reason, keep_last)


def _mask(keep_last: int) -> Callable[[Any], str]:
    def mask(value: Any) -> str:
        text = str(value)
        shown = min(keep_last, len(text) // 2)
        return _STAR * (len(text) - shown) + text[len(text) - shown :]

    return mask
