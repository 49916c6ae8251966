"""Finds null where the response model does not allow it: Pydantic writes it out without a word (toolkit/T2).

A model that was made with `model_construct` holds whatever it was given. Its serializer tells other kinds of values
apart, and takes None for every kind. Only what a model declares counts here; a declared output schema has a validator
of its own.
"""

import types
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, PlainSerializer, WrapSerializer

__all__ = ["null_in"]

_SERIALIZERS: Final = (PlainSerializer, WrapSerializer)
_LEAVES: Final = frozenset({str, int, float, bool})
"""Kinds of values, by far the most, that nothing is inside of."""
_ANYTHING: Final = (Any, object)


class _Kind(NamedTuple):
    """What an annotation says about null."""

    nullable: bool = True
    items: tuple["_Kind", ...] = ()
    """Of what is inside a list, a tuple, a set, or the values of a mapping; one for all, or one for each."""
    is_leaf: bool = False
    """Whether nothing is inside."""


_FREE: Final = _Kind()
_KEY: Final = "*"
"""Stands for the keys of a mapping, which are values too."""


def null_in(model: BaseModel) -> str:
    """Return the place of a null that its model does not allow, as `/rows/0/name`; empty if there is none."""
    held = model.__dict__
    for name, wire, kind in _fields(type(model)):
        value = held.get(name)
        if value is None:
            if not kind.nullable and name in held:
                return f"/{wire}"
        elif type(value) not in _LEAVES and (found := _inside(value, kind)):
            return f"/{wire}{found}"
    return ""


def _inside(value: Any, kind: _Kind) -> str:
    if isinstance(value, BaseModel):
        return null_in(value)
    if isinstance(value, Mapping):
        return _in_items(value.values(), kind, are_keys=True)
    if isinstance(value, Sequence | AbstractSet) and not isinstance(value, str | bytes):
        return _in_items(value, kind)
    return ""


def _in_items(items: Iterable[Any], kind: _Kind, *, are_keys: bool = False) -> str:
    for at, item in enumerate(items):
        inner = kind.items[min(at, len(kind.items) - 1)] if kind.items else _FREE
        found = ""
        if item is not None and type(item) not in _LEAVES:
            found = _inside(item, inner)
        if found or (item is None and not inner.nullable):
            return f"/{_KEY if are_keys else at}{found}"
    return ""


@lru_cache(maxsize=4096)
def _fields(model: type[BaseModel]) -> tuple[tuple[str, str, _Kind], ...]:
    """Return the fields in which a null can be wrong, with their names on the wire."""
    decorators = model.__pydantic_decorators__
    if decorators.model_serializers:
        return ()
    own = {name for one in decorators.field_serializers.values() for name in one.info.fields}
    found = (
        (name, field.serialization_alias or field.alias or name, _kind(Annotated[field.annotation, *field.metadata, 0]))
        for name, field in model.__pydantic_fields__.items()
        if not field.exclude and not {name, "*"} & own
    )
    return tuple(one for one in found if not (one[2].nullable and one[2].is_leaf))


def _kind(annotation: Any) -> _Kind:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        written = any(isinstance(one, _SERIALIZERS) for one in arguments[1:])
        return _FREE if written else _kind(arguments[0])
    if origin in {Union, types.UnionType}:
        kinds = [_kind(one) for one in arguments]
        lists = [kind for kind in kinds if kind.items]
        items = lists[0].items if len(lists) == 1 else ()
        return _Kind(any(kind.nullable for kind in kinds), items, all(kind.is_leaf for kind in kinds))
    if annotation in {None, types.NoneType}:
        return _Kind(is_leaf=True)
    if annotation in _ANYTHING or (origin is None and not isinstance(annotation, type)):
        return _FREE
    if origin is None or not isinstance(origin, type):  # a class; a Literal, which may be null itself
        return _Kind(None in arguments, is_leaf=annotation in _LEAVES or origin is not None)
    return _Kind(False, _items(origin, arguments))


def _items(origin: type, arguments: tuple[Any, ...]) -> tuple[_Kind, ...]:
    if issubclass(origin, Mapping):
        return (_kind(arguments[-1]),)
    if issubclass(origin, tuple):
        return tuple(_kind(one) for one in arguments if one is not Ellipsis)
    return (_kind(arguments[0]),) if issubclass(origin, Sequence | AbstractSet) else ()
