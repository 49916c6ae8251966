"""Whether a constructor can only raise, as far as a check can tell without making anything of consequence (rule/TK203).

What is written as `raise` in the straight way of a constructor is read in its source. Of a class that only keeps what
it is given (`plain`), an instance is made: that does nothing, and shows a wrong index or a text that is no number.
"""

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any, Final

from pydantic import BaseModel

from axhub.toolkit.inspecting.plain import is_plain

__all__ = ["always_raised", "is_tried"]

_ENVIRONMENT: Final = "environ"


def always_raised(maker: Callable[..., Any]) -> str | None:
    """Return the error that making an instance always ends with, as it is written; None where that is not known."""
    body = _body(maker)
    for statement in body:
        if isinstance(statement, ast.Raise):
            return _name(statement.exc)
        if any(isinstance(node, ast.Return | ast.Yield | ast.Try) for node in ast.walk(statement)):
            return None
    return None


def is_tried(maker: Callable[..., Any], package: str) -> bool:
    """Say whether an instance may be made to see whether that fails.

    Not of models, which a constructor of their own may fill from anywhere, and not where the environment is read,
    which is another one when the service runs.
    """
    if not inspect.isclass(maker) or issubclass(maker, BaseModel) or not is_plain(maker, package):
        return False
    return not any(_ENVIRONMENT in ast.unparse(statement) for statement in _body(maker))


def _body(maker: Callable[..., Any]) -> list[ast.stmt]:
    target = maker.__init__ if inspect.isclass(maker) else maker
    try:
        tree = ast.parse(dedent(inspect.getsource(target)))
    except (OSError, SyntaxError, TypeError):
        return []
    function = tree.body[0]
    return function.body if isinstance(function, ast.FunctionDef) and not function.decorator_list else []


def _name(raised: ast.expr | None) -> str:
    called = raised.func if isinstance(raised, ast.Call) else raised
    return "an error" if called is None else ast.unparse(called)
