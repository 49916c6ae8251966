"""What is looked at when an author writes a tool's class, so that it fails there and not with a person (agent/A5)."""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from inspect import iscoroutinefunction, isfunction, signature, unwrap
from typing import Any, Final, get_origin, get_type_hints

from pydantic import BaseModel

from axhub.agent.domain.definition import Effect
from axhub.agent.domain.errors import RegistrationError

__all__ = ["check_class"]

_METHODS: Final = ("run", "find", "key")
_ANYTHING: Final = (Any, object)
_PLACES: Final = (None, None, None)
"""The tool, its arguments, the context."""


def check_class(cls: type, result: type[BaseModel]) -> None:
    """Refuse a class that cannot work as a tool.

    Args:
        cls: with all that it declares.
        result: what every result derives from.

    Raises:
        RegistrationError: which class, what is wrong, and what to do.
    """
    for problem in (*_attributes(cls), *_methods(cls), *_result(cls, result)):
        raise RegistrationError(f"{cls.__name__}: {problem}")


def _attributes(cls: Any) -> Iterator[str]:
    missing = [name for name in ("name", "description", "effect") if not hasattr(cls, name)]
    if missing:
        yield f"it has no {' and no '.join(missing)}"
        return
    yield from _texts_and_numbers(cls)
    if not isinstance(cls.effect, Effect):
        yield f"effect is {cls.effect!r}; use Effect.READ or Effect.WRITE"
    if not isinstance(cls.audited, AbstractSet) or not all(isinstance(name, str) for name in cls.audited):
        yield "audited is no set of names; use frozenset({...})"
    exceptions = cls.identity_exceptions
    if not isinstance(exceptions, Mapping) or not all(isinstance(reason, str) for reason in exceptions.values()):
        yield "identity_exceptions is no mapping of texts; use {argument: reason}"


def _texts_and_numbers(cls: Any) -> Iterator[str]:
    for name in ("name", "description"):
        if not isinstance(getattr(cls, name), str):
            yield f"{name} is no text"
    for name in ("timeout_seconds", "max_result_bytes"):
        value = getattr(cls, name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield f"{name} is {value!r}; a number is needed"


def _methods(cls: type) -> Iterator[str]:
    for name in _METHODS:
        method: Any = getattr(cls, name)
        if not isfunction(method):
            continue
        is_async = iscoroutinefunction(unwrap(method))
        if name == "key" and is_async:
            yield "key() is an async def; it only reads its arguments: use def"
        elif name != "key" and not is_async:
            yield f"{name}() is no async def; the loop waits for it: use async def"
        if not _takes_both(method):
            yield f"{name}() does not take the arguments and the context: use {name}(self, args, context)"


def _takes_both(method: Callable[..., object]) -> bool:
    try:
        signature(method).bind(*_PLACES)
    except TypeError:
        return False
    return True


def _result(cls: Any, result: type[BaseModel]) -> Iterator[str]:
    """Look at what `run` says that it returns, where that can be told."""
    try:
        said = get_type_hints(cls.run).get("return")
    except (NameError, TypeError):
        return  # a name that is not there yet; the result itself is looked at too
    kind = get_origin(said) or said
    if isinstance(kind, type) and kind not in _ANYTHING and not issubclass(kind, result):
        yield f"run() returns {kind.__name__}; return a class that derives from {result.__name__}"
