"""Which class runs a declared method: its own, or the one that implements the Protocol or base class (seed 003 §3)."""

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from axhub.toolkit.published.signatures import SignatureError
from axhub.toolkit.published.written import Written, place_in

__all__ = ["Implementation", "classes_of", "implementation_of"]


@dataclass(frozen=True, slots=True)
class Implementation:
    """The class that is built for a tool, and the function of it that runs."""

    owner: type
    function: Any


def classes_of(modules: Iterable[ModuleType]) -> tuple[type, ...]:
    """Return every class that the modules define, also inside other classes."""
    found = (cls for module in modules for cls in _inside(vars(module).values(), module.__name__))
    return tuple(dict.fromkeys(found))


def implementation_of(
    written: Written, owner: type, function: Any, classes: Iterable[type], root: Path
) -> Implementation:
    """Return what runs a declared method of `owner`.

    Raises:
        SignatureError: no class implements it, or more than one does; without the value `function`.
    """
    method = written.path[-1]
    concrete = [cls for cls in classes if owner in cls.__mro__ and not _is_abstract(cls)]
    real = [cls for cls in concrete if not _inherits_stub(cls, method, function, written)]
    if len(real) == 1:
        return Implementation(real[0], inspect.getattr_static(real[0], method))
    if real:
        places = ", ".join(f"{cls.__qualname__} ({_place(cls, root)})" for cls in real)
        raise SignatureError("two-implementers", candidates=places)
    if concrete and concrete != [owner]:
        name = next(cls for cls in concrete if cls is not owner).__qualname__
        raise SignatureError("not-implemented", candidate=name, owner=owner.__name__, method=method)
    alike = next((cls for cls in classes if _looks_alike(cls, owner, method)), None)
    if alike is not None:
        raise SignatureError("not-inheriting", candidate=alike.__qualname__, owner=owner.__name__, method=method)
    raise SignatureError("no-implementer", owner=owner.__name__, method=method)


def _inside(values: Iterable[Any], module: str) -> Iterator[type]:
    for value in list(values):
        if isinstance(value, type) and value.__module__ == module:
            yield value
            yield from _inside((inner for inner in vars(value).values() if _is_nested(inner, value)), module)


def _is_nested(inner: Any, outer: type) -> bool:
    return isinstance(inner, type) and inner.__qualname__.startswith(outer.__qualname__ + ".")


def _is_abstract(cls: type) -> bool:
    return bool(vars(cls).get("_is_protocol", False)) or inspect.isabstract(cls)


def _inherits_stub(cls: type, method: str, declared: Any, written: Written) -> bool:
    return inspect.getattr_static(cls, method) is declared and written.is_stub


def _looks_alike(cls: type, owner: type, method: str) -> bool:
    return owner not in cls.__mro__ and isinstance(vars(cls).get(method), FunctionType)


def _place(cls: type, root: Path) -> str:
    try:
        return str(place_in(inspect.getsourcefile(cls) or "", root, inspect.getsourcelines(cls)[1]))
    except (OSError, TypeError):  # made without source text
        return cls.__module__
