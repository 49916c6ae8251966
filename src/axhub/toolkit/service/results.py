"""From what a use case returned to the bytes of the answer; a result that breaks its own schema never leaves."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from types import NoneType
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json

from axhub.contract.jsontext import JsonTextError, check_grammar
from axhub.toolkit.places import shown_place
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.nulls import null_in

__all__ = ["InvalidResultError", "ResultWriter"]

_LEAVES: Final = frozenset({str, int, float, bool, NoneType, date, datetime, Decimal})
"""Kinds of values that no model is inside of, by far the most."""


class InvalidResultError(Exception):
    """The result cannot be answered; `places` says where and why, without a value (toolkit/S4)."""

    def __init__(self, places: list[str]) -> None:
        super().__init__(len(places))
        self.places = places


class ResultWriter:
    """Writes the results of one tool."""

    __slots__ = ("_judge", "_model", "_to_json")

    def __init__(self, model: type[BaseModel], judge: SchemaValidator | None) -> None:
        """Take the response model, and the validator of its declared output schema if there is one."""
        self._model = model
        self._to_json = model.__pydantic_serializer__.to_json
        self._judge = judge

    def write(self, result: Any) -> bytes:
        """Return a result as JSON.

        Raises:
            InvalidResultError: it is no instance of the response model, holds what its fields do not allow, or breaks
                the declared output schema.
        """
        if type(result) is not self._model and not isinstance(result, self._model):
            raise InvalidResultError([f": {type(result).__name__} instead of {self._model.__name__}"])
        try:
            written = self._to_json(result, by_alias=True, warnings="error")
        except PydanticSerializationError:
            raise InvalidResultError([": a field holds another kind of value than it declares"]) from None
        if (b"NaN" in written or b"Infinity" in written) and not _is_json(written):
            raise InvalidResultError([": a number is not finite"])
        missing = _missing(result)
        if missing:
            raise InvalidResultError([f": {missing} is not set"])
        null = null_in(result) if b"null" in written else ""
        if null:
            raise InvalidResultError([f"{null}: null"])
        if self._judge is not None:
            faults = self._judge.faults(from_json(written))
            if faults:
                places = [f"{shown_place(fault.path)}: {fault.keyword}" for fault in faults]
                raise InvalidResultError(places)
        return written


def _missing(value: Any) -> str:
    """Return a field that a model lacks which was made without validation, as `Model.field`; empty if none does.

    The serializer would leave it out in silence. It came to an end before, so this does as well.
    """
    if isinstance(value, BaseModel):
        held = value.__dict__
        fields = type(value).__pydantic_fields__
        if not fields.keys() <= held.keys():
            return f"{type(value).__name__}.{next(name for name in fields if name not in held)}"
        return _first_missing(held.values())
    if isinstance(value, dict):
        return _first_missing(value.values())
    return _first_missing(value) if isinstance(value, list | tuple | set | frozenset) else ""


def _first_missing(values: Iterable[Any]) -> str:
    for one in values:
        if type(one) not in _LEAVES:
            found = _missing(one)
            if found:
                return found
    return ""


def _is_json(text: bytes) -> bool:
    try:
        check_grammar(text)
    except JsonTextError:
        return False
    return True
