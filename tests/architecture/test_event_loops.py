"""No async fixture outlives its module: AnyIO keeps one event loop as long as one is in use, for all tests meanwhile.

They would run on it whatever loop their own `anyio_backend` asks for, and only in some orders of the tests.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import tree

FILES = sorted(tree.python_files("tests"))
WIDE = {"session", "package"}


def _outliving(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.AsyncFunctionDef) and any(map(_is_wide, node.decorator_list)):
            yield f"{node.lineno} {node.name}"


def _is_wide(decorator: ast.expr) -> bool:
    """Tell whether a decorator makes a fixture for more than a module, or for nobody knows how much."""
    if not isinstance(decorator, ast.Call) or not ast.unparse(decorator.func).endswith("fixture"):
        return False
    scopes = [keyword.value for keyword in decorator.keywords if keyword.arg == "scope"]
    return any(not isinstance(scope, ast.Constant) or scope.value in WIDE for scope in scopes)


@pytest.mark.parametrize("path", FILES, ids=tree.shown)
def test_no_async_fixture_outlives_its_module(path: Path) -> None:
    assert list(_outliving(tree.parse(path))) == []


@pytest.mark.parametrize("scope", ["'session'", "'package'", "SCOPE", "lambda fixture_name, config: 'session'"])
def test_a_planted_async_fixture_of_a_wide_scope_is_told(scope: str) -> None:
    text = f"@pytest.fixture(scope={scope})\nasync def database() -> str:\n    return ''\n"
    assert list(_outliving(ast.parse(text))) == ["2 database"]
    assert list(_outliving(ast.parse(text.replace("async def", "def")))) == []
    assert list(_outliving(ast.parse(text.replace(scope, "'module'")))) == []
