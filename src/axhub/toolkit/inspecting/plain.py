"""Whether making an instance of a class does nothing but keep what it is given (rule/TK503).

A check makes instances of an author's classes to try a tool; one that opens or starts something when it is made must
not be. It is read in the source, since running it would be too late.
"""

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from textwrap import dedent
from typing import Any, Final

from pydantic import BaseModel

__all__ = ["is_plain"]

_HARMLESS: Final = frozenset(
    {
        "asyncio.Event", "asyncio.Lock", "asyncio.Semaphore", "bool", "dict", "float", "frozenset", "int", "list",
        "logging.getLogger", "set", "str", "super", "super().__init__", "tuple",
    }
)  # fmt: skip
"""What a constructor may call, as it is written."""
_STANDARD: Final = frozenset({"abc", "builtins", "typing"})
_METACLASSES: Final = frozenset({"ABCMeta", "_ProtocolMeta", "type"})
_DOES_MORE: Final = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)
_FACTORIES: Final[tuple[Any, ...]] = (MISSING, dict, list, set)
_MAX_DEPTH: Final = 8


def is_plain(made: Any, package: str, depth: int = 0) -> bool:
    """Say whether a class of a package only keeps what its constructor is given.

    Args:
        made: the class; what is none is not plain.
        package: whose classes a constructor may make, if they are plain too.
        depth: how many classes are around it.
    """
    if not inspect.isclass(made) or depth > _MAX_DEPTH or type(made).__name__ not in _METACLASSES:
        return isinstance(made, type) and issubclass(made, BaseModel) and not _has_own_hooks(made)
    return all(_adds_nothing(cls, package, depth) for cls in made.__mro__ if cls.__module__ not in _STANDARD)


def _has_own_hooks(model: type[BaseModel]) -> bool:
    return model.model_post_init is not BaseModel.model_post_init


def _adds_nothing(cls: type, package: str, depth: int) -> bool:
    if {"__new__", "__post_init__", "__init_subclass__"} & vars(cls).keys():
        return False
    maker = vars(cls).get("__init__")
    if maker is None or getattr(maker, "__module__", "") in _STANDARD:
        return True
    if is_dataclass(cls) and "__init__" in getattr(maker, "__qualname__", "") and not _is_written(maker):
        factories: list[Any] = [one.default_factory for one in fields(cls)]
        return all(one in _FACTORIES for one in factories)
    try:
        tree = ast.parse(dedent(inspect.getsource(maker)))
    except (OSError, SyntaxError, TypeError):
        return False
    function = tree.body[0]
    names = getattr(inspect.unwrap(maker), "__globals__", {})
    return (
        isinstance(function, ast.FunctionDef)
        and not function.decorator_list
        and all(_keeps(one, names, package, depth) for one in function.body)
    )


def _is_written(maker: Callable[..., Any]) -> bool:
    code = getattr(maker, "__code__", None)
    return code is not None and not code.co_filename.startswith("<")


def _keeps(statement: ast.stmt, names: dict[str, Any], package: str, depth: int) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not all(map(_is_own, targets)):
            return False
    elif not isinstance(statement, ast.Expr):
        return False
    return not any(isinstance(node, _DOES_MORE) for node in ast.walk(statement)) and all(
        _is_harmless(call, names, package, depth) for call in _calls(statement)
    )


def _is_own(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return all(map(_is_own, target.elts))
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    return (node for node in ast.walk(statement) if isinstance(node, ast.Call))


def _is_harmless(call: ast.Call, names: dict[str, Any], package: str, depth: int) -> bool:
    if ast.unparse(call.func) in _HARMLESS:
        return True
    found = names.get(call.func.id) if isinstance(call.func, ast.Name) else None
    own = inspect.isclass(found) and f"{found.__module__}.".startswith(f"{package}.")
    return own and is_plain(found, package, depth + 1)
