"""Places in values, as logs may name them: names that a model declares, and never a name that somebody sent.

A key of a `dict` is data: it may be a person's name or a number of theirs. So a step that no model of the process
declares is shown as `*`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, get_args

from pydantic import AliasChoices, AliasPath, BaseModel, ValidationError
from pydantic_core.core_schema import ErrorType

from axhub.toolkit.json_values import MAX_FAULTS_BUILT

__all__ = ["faults_of", "shown_place"]

_HIDDEN: Final = "*"
_KEY: Final = "[key]"
"""What pydantic adds to the place of a key that does not fit."""
_SURPLUS: Final = "extra_forbidden"
_OWN_KIND: Final = "custom"
"""In place of a kind of error that an author made up: it may be put together from a value."""
_NULL: Final = "null"
"""In place of a kind that says what is needed where null was given: that it was null explains more, and is no value."""
_NEEDED: Final = re.compile(r"(?!none_).*_type|literal_error|enum|is_instance_of")
"""Kinds that say what a value has to be, whatever it is instead."""
_MAX_INDEX: Final = 100_000
"""Numbers above are no position in a list of any use, and may be the key of a `dict`."""
_MAX_FAULTS: Final = 20
_KINDS: Final = frozenset(get_args(ErrorType))


def shown_place(steps: Sequence[int | str]) -> str:
    """Return a JSON pointer to a place in a value; empty for the value itself."""
    names = _names_of(tuple(_models(BaseModel)))
    return "".join(f"/{_shown(step, names)}" for step in steps)


def faults_of(error: ValidationError) -> Iterator[str]:
    """Yield place and kind of what did not fit, `/items/0/status missing`: 20 at most, of very many only the number."""
    if error.error_count() > MAX_FAULTS_BUILT:
        yield f"{error.error_count()} places do not fit"
        return
    for found in error.errors(include_url=False, include_context=False)[:_MAX_FAULTS]:
        kind = _kind(found["type"], is_null=found["input"] is None)
        surplus = kind == _SURPLUS
        place = shown_place(found["loc"][:-1] if surplus else found["loc"]) + (f"/{_HIDDEN}" if surplus else "")
        yield f"{place or '/'} {kind}"


def _kind(kind: str, *, is_null: bool) -> str:
    if kind not in _KINDS:
        return _OWN_KIND
    return _NULL if is_null and _NEEDED.fullmatch(kind) is not None else kind


def _shown(step: int | str, names: frozenset[str]) -> str:
    if isinstance(step, int):
        return str(step) if step < _MAX_INDEX else _HIDDEN
    return step if step in names else _HIDDEN


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for one in model.__subclasses__():
        yield one
        yield from _models(one)


@lru_cache(maxsize=1)
def _names_of(models: tuple[type[BaseModel], ...]) -> frozenset[str]:
    """Return the names of all fields on either side of the wire, and of the models, which name branches of a union."""
    names = {_KEY}
    for model in models:
        names.add(model.__name__)
        for name, field in model.__pydantic_fields__.items():
            names.add(name)
            for alias in (field.alias, field.validation_alias, field.serialization_alias):
                names.update(_written(alias))
    return frozenset(names)


def _written(alias: Any) -> Iterator[str]:
    if isinstance(alias, str):
        yield alias
    elif isinstance(alias, AliasPath):
        yield from (step for step in alias.path if isinstance(step, str))
    elif isinstance(alias, AliasChoices):
        for choice in alias.choices:
            yield from _written(choice)
