"""The modules of a package as they are imported, and the declarations that are written in them (toolkit/T1)."""

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from axhub.toolkit import declare
from axhub.toolkit.facts.service import Place, Unusable

__all__ = ["Written", "declared_in", "import_modules", "unimportable"]

_DECORATORS: Final = (declare.tool, declare.tool_hint)
_ENTRY: Final = "ToolService"
_DECORATED: Final = re.compile(rb"(?:^|[\r\n])[ \t\f]*@")
"""A line that begins as a decorator does."""
_BODIES: Final = ("body", "orelse", "handlers", "finalbody", "cases")
_AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Written:
    """One declaration as it stands in the source."""

    module: ModuleType
    path: tuple[str, ...]
    """Names of the classes around it, and its own."""
    node: _AnyFunction
    place: Place
    """Of the line with `def`."""
    inside_function: bool

    @property
    def qualified(self) -> str:
        """The function's dotted name."""
        return ".".join((self.module.__name__, *self.path))

    @property
    def is_stub(self) -> bool:
        """Whether it only declares: no body but `...`, `pass` or `raise NotImplementedError`."""
        return all(map(_says_nothing, self.node.body))


def import_modules(package: str) -> dict[Path, ModuleType]:
    """Import a package with every module below it, in the order of their names.

    The module that makes the `ToolService` is left out unless it declares tools itself: importing it starts something.
    """
    top = importlib.import_module(package)
    modules: dict[Path, ModuleType] = {}
    for folder in map(Path, top.__path__):
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            if all(part.isidentifier() for part in parts) and _is_wanted(file):
                names = parts[:-1] if parts[-1] == "__init__" else parts
                modules[file] = importlib.import_module(".".join((package, *names)))
    return modules


def unimportable(package: str, root: Path) -> Iterator[Unusable]:
    """Yield the files with declarations that cannot be imported because of their names."""
    for folder in map(Path, importlib.import_module(package).__path__):
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            part = next((part for part in parts if not part.isidentifier()), None)
            if part is not None and _declares(_parsed(file)):
                suggestion = "".join(character if character.isalnum() else "_" for character in part)
                suggestion = suggestion if suggestion.isidentifier() else f"_{suggestion}"
                yield Unusable("unimportable", place_in(file, root, 1), {"part": part, "suggestion": suggestion})


def declared_in(module: ModuleType, file: Path, root: Path) -> Iterator[Written]:
    """Yield the declarations that are written in a module, from top to bottom."""
    if _DECORATED.search(file.read_bytes()) is None:
        return  # most modules have none, and are not parsed a second time
    for path, node, inside in _functions(_parsed(file), (), inside=False):
        if any(_is_ours(decorator, vars(module)) for decorator in node.decorator_list):
            yield Written(module, path, node, place_in(file, root, node.lineno, node.col_offset + 1), inside)


def place_in(file: str | Path, root: Path, line: int, column: int = 0) -> Place:
    """Return a place with the file relative to `root`, where it is below it."""
    path = Path(file)
    return Place((path.relative_to(root) if path.is_relative_to(root) else path).as_posix(), line, column)


def _is_wanted(file: Path) -> bool:
    if file.stem in {"__main__", "conftest"} or file.stem.startswith("test_"):
        return False
    if _ENTRY not in file.read_text(encoding="utf-8", errors="replace"):
        return True
    tree = _parsed(file)
    makes = any(isinstance(node, ast.Call) and _last_name(node.func) == _ENTRY for node in ast.walk(tree))
    return not makes or _declares(tree)


def _parsed(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes(), file)
    except (SyntaxError, ValueError):  # the import says it better
        return ast.Module([], [])


def _declares(tree: ast.Module) -> bool:
    names = {decorator.__name__ for decorator in _DECORATORS}
    return any(
        _last_name(decorator.func if isinstance(decorator, ast.Call) else decorator) in names
        for _, node, _ in _functions(tree, (), inside=False)
        for decorator in node.decorator_list
    )


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _functions(
    node: ast.AST, path: tuple[str, ...], *, inside: bool
) -> Iterator[tuple[tuple[str, ...], _AnyFunction, bool]]:
    inner = (child for name in _BODIES for child in getattr(node, name, ()))  # expressions, most of it, hold none
    for child in inner:
        if isinstance(child, _AnyFunction):
            yield (*path, child.name), child, inside
            yield from _functions(child, (*path, child.name), inside=True)
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, (*path, child.name), inside=inside)
        else:
            yield from _functions(child, path, inside=inside)


def _is_ours(decorator: ast.expr, names: Mapping[str, Any]) -> bool:
    """Say whether a decorator is one of ours, whatever it is called in its module."""
    found = _value(decorator.func if isinstance(decorator, ast.Call) else decorator, names)
    return any(found is ours for ours in _DECORATORS)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    return getattr(_value(node.value, names), node.attr, None) if isinstance(node, ast.Attribute) else None


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return raised is not None and _last_name(raised) == "NotImplementedError"
    return isinstance(statement, ast.Pass)
