"""The types and stand-ins for what the app of a package provides, read from its source (rule/TK203)."""

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

from axhub.toolkit.check.collect.names import imports_of, names_of
from axhub.toolkit.check.collect.parsing import Parsed, read_source
from axhub.toolkit.check.collect.provided import APP, Provision, provision_of

__all__ = ["Provided", "provided_by"]


class _UnknownError(Exception):
    """Only running the app would tell."""


@dataclass(frozen=True, slots=True)
class Provided:
    """What `ToolService(…, provide=…)` is given."""

    types: dict[Any, Any] = field(default_factory=dict)
    """Types that a mapping provides, each with the class or function that makes it, or something that stands for it."""
    instances: tuple[Any, ...] = ()
    """Stand-ins of what a list provides: of the same class, never initialised."""
    is_open: bool = False
    """Whether there may be more, since the source does not say it all."""


def provided_by(folder: Path, package: str) -> Provided:
    """Return what the one app in a package provides; anything where there is none, or more than one."""
    parsed = [(one, imports_of(one)) for one in _sources(folder, package)]
    names = names_of(parsed)
    found = provision_of((one, names[one.name]) for one, _ in parsed)
    try:
        return Provided(is_open=True) if found is None else _provided(found)
    except _UnknownError:
        return Provided(is_open=True)


def _sources(folder: Path, package: str) -> Iterator[Parsed]:
    for file in sorted(folder.rglob("*.py")):
        if APP.encode() in file.read_bytes():
            parts = file.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))
            read = read_source(file, file.name, name)
            if isinstance(read, Parsed):  # else rule/TK001 tells
                yield read


def _provided(found: Provision) -> Provided:
    value = found.value
    if value is None:
        return Provided()
    if isinstance(value, ast.List | ast.Tuple):
        return Provided(instances=tuple(_instance(one, found) for one in value.elts))
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return Provided(types={_object(key, found): _maker(one, found) for key, one in pairs})
    raise _UnknownError


def _object(node: ast.expr | None, found: Provision) -> Any:
    """Return the class or function that an imported name stands for; what the app's module defines is not imported."""
    dotted = found.name_of(node)
    if dotted is None or dotted.startswith(f"{found.parsed.name}."):
        raise _UnknownError
    parts = dotted.split(".")
    for at in range(len(parts) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:at]))
            return reduce(getattr, parts[at:], module)
        except ModuleNotFoundError:
            continue
        except Exception:  # noqa: BLE001 - whatever the import of somebody's module does, nothing is known then
            break
    raise _UnknownError


def _maker(node: ast.expr, found: Provision) -> Any:
    """Return what makes a provided type, or a stand-in for an instance."""
    try:
        return _object(found.followed(node), found)
    except _UnknownError:
        return _Standing()


def _instance(node: ast.expr, found: Provision) -> Any:
    value = found.followed(node)
    made = _object(value.func, found) if isinstance(value, ast.Call) else None
    if not isinstance(made, type):
        raise _UnknownError
    try:
        return object.__new__(made)
    except Exception:  # noqa: BLE001 - a class may want more to be made
        raise _UnknownError from None


class _Standing:
    """Stands for what only the app makes."""
