"""Every test asserts something: one that only runs code holds no requirement."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support import tree

Function = ast.FunctionDef | ast.AsyncFunctionDef
EXPECTING = {"raises", "warns", "fail"}
TESTS = sorted((tree.ROOT / "tests").rglob("test_*.py"))


def _without_assertion(module: ast.Module) -> Iterator[str]:
    functions = {node.name: node for node in ast.walk(module) if isinstance(node, Function)}
    for name, function in functions.items():
        if name.startswith("test_") and not _asserts(function, functions, {name}):
            yield f"{function.lineno} {name}"


def _asserts(function: Function, functions: Mapping[str, Function], seen: set[str]) -> bool:
    """Tell whether a function, or one of its module that it calls, asserts or expects an exception."""
    calls = {_name(node) for node in ast.walk(function) if isinstance(node, ast.Call)}
    if calls & EXPECTING or any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    helpers = (calls & functions.keys()) - seen
    return any(_asserts(functions[name], functions, seen | helpers) for name in helpers)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


@pytest.mark.parametrize("path", TESTS, ids=tree.shown)
def test_every_test_asserts_something(path: Path) -> None:
    assert list(_without_assertion(tree.parse(path))) == []


def test_an_assertion_counts_wherever_in_the_module_it_is_reached() -> None:
    text = """
def test_plain(): assert 1
def test_raises():
    with pytest.raises(E): f()
async def helped(): assert 1
class Model:
    def check(self): self.deeper()
    def deeper(self): helped()
async def test_helped(): await Model().check()
def test_nothing(): other()
def other(): test_nothing()
"""
    assert list(_without_assertion(ast.parse(text))) == ["10 test_nothing"]
