"""What the app of a package provides, read from its source: importing it would start something (rule/TK203)."""

import ast
import importlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

__all__ = ["Provided", "provided_by"]

_ENTRY: Final = "ToolService"
_PROVIDE: Final = "provide"
_MAX_HOPS: Final = 8


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
    calls = [(call, file, tree) for file, tree in _sources(folder) for call in ast.walk(tree) if _is_entry(call)]
    if len(calls) != 1:
        return Provided(is_open=True)
    call, file, tree = calls[0]
    names = _Names(tree, ".".join((package, *file.relative_to(folder).with_suffix("").parts)))
    try:
        return names.provided(call)
    except _UnknownError:
        return Provided(is_open=True)


def _sources(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(folder.rglob("*.py")):
        text = file.read_bytes()
        if _ENTRY.encode() in text:
            with suppress(SyntaxError, ValueError):  # rule/TK001 tells
                yield file, ast.parse(text)


def _is_entry(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return (isinstance(called, ast.Name) and called.id == _ENTRY) or (
        isinstance(called, ast.Attribute) and called.attr == _ENTRY
    )


class _Names:
    """What names in the app's module stand for."""

    def __init__(self, tree: ast.Module, module: str) -> None:
        self._module = module
        self._imported: dict[str, tuple[str, str]] = {}
        self._given: dict[str, list[ast.expr]] = {}
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom):
                self._note_import(statement)
            elif isinstance(statement, ast.Import):
                self._imported.update({one.asname: (one.name, "") for one in statement.names if one.asname})
        for node in ast.walk(tree):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            for target in targets:
                if isinstance(target, ast.Name) and isinstance(value, ast.expr):
                    self._given.setdefault(target.id, []).append(value)

    def provided(self, call: ast.AST) -> Provided:
        """Return what a call of `ToolService` says.

        Raises:
            _UnknownError: it cannot be read.
        """
        if not isinstance(call, ast.Call) or any(one.arg is None for one in call.keywords):
            raise _UnknownError
        given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == _PROVIDE)]
        if any(isinstance(one, ast.Starred) for one in call.args) or len(given) > 1:
            raise _UnknownError
        value = self._followed(given[0]) if given else None
        if value is None:
            return Provided()
        if isinstance(value, ast.List | ast.Tuple):
            return Provided(instances=tuple(self._instance(one) for one in value.elts))
        if isinstance(value, ast.Dict):
            pairs = zip(value.keys, value.values, strict=True)
            return Provided(types={self._object(key): self._maker(one) for key, one in pairs})
        raise _UnknownError

    def _note_import(self, statement: ast.ImportFrom) -> None:
        parts = self._module.split(".")
        around = parts[: len(parts) - statement.level] if statement.level else []
        module = ".".join([*around, *([statement.module] if statement.module else [])])
        self._imported.update({one.asname or one.name: (module, one.name) for one in statement.names})

    def _followed(self, node: ast.expr) -> ast.expr:
        """Return the expression that a variable stands for, which is given one value only."""
        for _ in range(_MAX_HOPS):
            values = self._given.get(node.id, []) if isinstance(node, ast.Name) else []
            if len(values) != 1:
                break
            node = values[0]
        return node

    def _object(self, node: ast.expr | None) -> Any:
        """Return the class or function that an imported name stands for."""
        if isinstance(node, ast.Attribute):
            return _attribute(self._object(node.value), node.attr)
        found = self._imported.get(node.id) if isinstance(node, ast.Name) else None
        if found is None:
            raise _UnknownError
        module, name = found
        try:
            imported = importlib.import_module(module)
            return getattr(imported, name) if hasattr(imported, name) or not name else _submodule(module, name)
        except Exception:  # noqa: BLE001 - whatever the import of somebody's module does, nothing is known then
            raise _UnknownError from None

    def _maker(self, node: ast.expr) -> Any:
        """Return what makes a provided type, or a stand-in for an instance."""
        try:
            return self._object(self._followed(node))
        except _UnknownError:
            return _Standing()

    def _instance(self, node: ast.expr) -> Any:
        value = self._followed(node)
        made = self._object(value.func) if isinstance(value, ast.Call) else None
        if not isinstance(made, type):
            raise _UnknownError
        try:
            return object.__new__(made)
        except Exception:  # noqa: BLE001 - a class may want more to be made
            raise _UnknownError from None


class _Standing:
    """Stands for what only the app makes."""


def _attribute(found: Any, name: str) -> Any:
    try:
        return getattr(found, name)
    except AttributeError:
        raise _UnknownError from None


def _submodule(module: str, name: str) -> Any:
    return importlib.import_module(f"{module}.{name}")
