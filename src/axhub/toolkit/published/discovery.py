"""Finds the declared tools of a package, or says what is wrong with a declaration (toolkit/T1)."""

import importlib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from axhub.toolkit.declare import Declaration, contradiction_on, declaration_of, repeated_on
from axhub.toolkit.facts.service import Place, Unusable
from axhub.toolkit.models import Output
from axhub.toolkit.published.implementers import classes_of, implementation_of
from axhub.toolkit.published.signatures import (
    Signature,
    SignatureError,
    implementing_signature,
    is_model,
    read_signature,
    shown,
)
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.published.written import Written, declared_in, import_modules, place_in, unimportable

__all__ = ["Answerless", "Found", "find_tools"]


@dataclass(frozen=True, slots=True)
class Answerless:
    """A tool whose answer is no model; otherwise complete, so that the rest of it can be looked at."""

    tool: FoundTool
    annotation: Any
    """What stands there instead."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a package declares."""

    tools: tuple[FoundTool, ...]
    """Ascending by authored name."""
    problems: tuple[Unusable, ...]
    """Declarations that cannot be used, none skipped silently; `rules.telling.unusable` has the messages."""
    answerless: tuple[Answerless, ...] = ()


def find_tools(package: str, root: Path | None = None) -> Found:
    """Import every module of a package and return its declared tools.

    Args:
        package: dotted name of an importable package.
        root: folder that places are relative to; None: the one that the package's folder is in.

    Raises:
        ImportError: there is no such package. Whatever else a module of it raises while it is imported comes through as
            it is: it is the author's own error, with the author's line.
    """
    folder = _folder(package)
    base = folder.parent if root is None else root.resolve()
    modules = import_modules(package)
    finding = _Finding(base, classes_of(modules.values()))
    for file, module in modules.items():
        finding.look_at(module, list(declared_in(module, file, base)))
    finding.problems.extend(unimportable(package, base))
    return finding.result()


def _folder(package: str) -> Path:
    module = importlib.import_module(package)
    if not hasattr(module, "__path__"):
        raise ImportError(f"{package} is a single module; a Tool Service is a package, a folder with an __init__.py")
    return Path(next(iter(module.__path__)))


@dataclass(slots=True)
class _Finding:
    root: Path
    classes: tuple[type, ...]
    tools: list[FoundTool] = field(default_factory=list)
    answerless: list[Answerless] = field(default_factory=list)
    problems: list[Unusable] = field(default_factory=list)

    def look_at(self, module: ModuleType, written: Iterable[Written]) -> None:
        seen: set[int] = set()
        for one in written:
            function = _at(module, one.path)
            seen.add(id(_plain(function)))
            try:
                self._take(one, function)
            except SignatureError as error:
                method = {"function": one.qualified, "method": one.path[-1]}
                name = _name_of(function)
                place = error.place or one.place
                self.problems.append(Unusable(error.kind, place, {**method, **error.values}, name))
        self.problems.extend(_hidden(module, seen, self.root))

    def result(self) -> Found:
        self.tools.sort(key=lambda tool: (tool.name, tool.place))
        first: dict[str, FoundTool] = {}
        for tool in self.tools:
            earlier = first.setdefault(tool.name, tool)
            if earlier is not tool:
                values = {"name": tool.name, "other": str(earlier.place)}
                self.problems.append(Unusable("same-name", tool.place, values, tool.name))
        problems = sorted(self.problems, key=lambda problem: (problem.place, problem.kind))
        return Found(tuple(self.tools), tuple(problems), tuple(self.answerless))

    def _take(self, written: Written, function: Any) -> None:
        _check_function(written, function)
        declaration = declaration_of(function) or Declaration()
        if not declaration.name:
            raise SignatureError("no-name")
        owner = _at(written.module, written.path[:-1]) if len(written.path) > 1 else None
        signature = read_signature(function, is_method=owner is not None)
        runs, runner = (None, function) if owner is None else self._implementer(written, owner, function)
        if runner is not function:
            signature = _implemented(written, signature, function, runner, self.root)
        response = signature.answer if is_model(signature.answer) else Output
        tool = FoundTool(
            declaration=declaration,
            function=runner,
            owner=runs,
            request=signature.request,
            request_parameter=signature.request_parameter,
            context_parameter=signature.context_parameter,
            dependencies=signature.dependencies,
            response=response,
            place=written.place,
        )
        if response is signature.answer:
            self.tools.append(tool)
            return
        self.answerless.append(Answerless(tool, signature.answer))
        raise SignatureError("answer-no-model", type=shown(signature.answer))

    def _implementer(self, written: Written, owner: type, function: Any) -> tuple[type, Any]:
        found = implementation_of(written, owner, function, self.classes, self.root)
        name = f"{found.owner.__module__}.{found.owner.__qualname__}.{written.path[-1]}"
        if not isinstance(found.function, FunctionType):
            raise SignatureError("wrapped", function=name, what=type(found.function).__name__)
        if not inspect.iscoroutinefunction(found.function):
            code = inspect.unwrap(found.function).__code__
            place = place_in(code.co_filename, self.root, code.co_firstlineno)
            raise SignatureError("not-async", place, function=name)
        return found.owner, found.function


def _check_function(written: Written, function: Any) -> None:
    if written.inside_function:
        raise SignatureError("inside-function")
    if isinstance(function, staticmethod | classmethod):
        raise SignatureError("not-a-method", what=type(function).__name__)
    if not isinstance(function, FunctionType):
        kind = "wrapped" if declaration_of(function) is not None or isinstance(function, property) else "replaced"
        raise SignatureError(kind, what=type(function).__name__)
    code = inspect.unwrap(function).__code__
    first = min([written.node.lineno, *(decorator.lineno for decorator in written.node.decorator_list)])
    if code.co_firstlineno != first or declaration_of(function) is None:
        raise SignatureError("replaced")
    _check_kind(function)


def _check_kind(function: FunctionType) -> None:
    _check_decorators(function)
    if inspect.isasyncgenfunction(function):
        raise SignatureError("generator")
    if not inspect.iscoroutinefunction(function):
        raise SignatureError("not-async")


def _check_decorators(function: Any) -> None:
    if (decorator := repeated_on(function)) is not None:
        raise SignatureError("repeated", decorator=decorator)
    if (argument := contradiction_on(function)) is not None:
        raise SignatureError("contradiction", argument=argument)


def _implemented(written: Written, signature: Signature, declared: Any, runner: Any, root: Path) -> Signature:
    try:
        return implementing_signature(signature, declared, runner)
    except SignatureError as error:
        code = inspect.unwrap(runner).__code__
        place = error.place or place_in(code.co_filename, root, code.co_firstlineno)
        values = {"function": written.qualified, **error.values}
        if "candidate" not in values:  # what is wrong is the implementing method's own
            values["function"] = f"{runner.__module__}.{runner.__qualname__}"
        raise SignatureError(error.kind, place, **values) from error


def _at(module: ModuleType, path: Iterable[str]) -> Any:
    """Return what stands at a path of names, as it is stored: descriptors are not called."""
    found: Any = module
    for name in path:
        found = vars(found).get(name) if hasattr(found, "__dict__") else None
    return found


def _hidden(module: ModuleType, seen: set[int], root: Path) -> Iterator[Unusable]:
    """Yield functions that carry a declaration without a decorator in this module's source."""
    for path, function in _members(vars(module), module.__name__, ()):
        declaration = declaration_of(function)
        if declaration is not None and id(function) not in seen and isinstance(function, FunctionType):
            code = inspect.unwrap(function).__code__
            values = {"function": f"{module.__name__}.{'.'.join(path)}"}
            place: Place = place_in(code.co_filename, root, code.co_firstlineno)
            seen.add(id(function))
            yield Unusable("hidden", place, values, declaration.name or None)


def _members(names: Mapping[str, Any], module: str, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in list(names.items()):
        if isinstance(value, type) and value.__module__ == module and value.__qualname__ == ".".join((*path, name)):
            yield from _members(vars(value), module, (*path, name))
        elif getattr(value, "__module__", None) == module:
            yield (*path, name), _plain(value)


def _plain(value: Any) -> Any:
    return value.__func__ if isinstance(value, staticmethod | classmethod) else value


def _name_of(function: Any) -> str | None:
    declaration = declaration_of(_plain(function))
    return (declaration.name or None) if declaration is not None else None
