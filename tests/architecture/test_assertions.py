"""Every test asserts something: one that only runs code holds no requirement."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support import tree

Function = ast.FunctionDef | ast.AsyncFunctionDef
EXPECTING = {"raises", "warns", "fail"}
TESTS = sorted((tree.ROOT / "tests").rglob("test_*.py"))


def _without_assertion(module: ast.Module) -> Iterator[str]:
    for name, function in _functions(module).items():
        if name.startswith("test_") and not _asserts(function, module, {name}):
            yield f"{function.lineno} {name}"


def _asserts(function: Function, module: ast.Module, seen: set[str]) -> bool:
    """Tell whether a function, or a helper that it calls, asserts or expects an exception."""
    calls = {_name(node) for node in ast.walk(function) if isinstance(node, ast.Call)}
    if calls & EXPECTING or any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    helpers = {name: found for name in calls - seen if (found := _helper(name, module)) is not None}
    return any(_asserts(*found, seen | helpers.keys()) for found in helpers.values())


def _helper(name: str, module: ast.Module) -> tuple[Function, ast.Module] | None:
    """Return the function that a name stands for, of the module or of tests/support."""
    if name in (own := _functions(module)):
        return own[name], module
    if name not in (imported := _imported(module)):
        return None
    meant, helpers = imported[name]
    return (functions[meant], helpers) if meant in (functions := _functions(helpers)) else None


@cache
def _imported(module: ast.Module) -> dict[str, tuple[str, ast.Module]]:
    """Return what is imported by name from modules of tests/support: what it is called there, and that module."""
    tests = tree.ROOT / "tests"
    return {
        alias.asname or alias.name: (alias.name, tree.parse(file))
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("support.")
        if (file := tests.joinpath(*node.module.split(".")).with_suffix(".py")).is_file()
        for alias in node.names
    }


@cache
def _functions(module: ast.Module) -> dict[str, Function]:
    return {node.name: node for node in ast.walk(module) if isinstance(node, Function)}


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


@pytest.mark.parametrize("path", TESTS, ids=tree.shown)
def test_every_test_asserts_something(path: Path) -> None:
    assert list(_without_assertion(tree.parse(path))) == []


def test_an_assertion_counts_wherever_in_the_module_or_its_helpers_it_is_reached() -> None:
    text = """
from support.telling import expect as told, said
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
def test_imported(): told(1, 2, 3, 4)
def test_only_asks(): said(1, 2)
"""
    assert list(_without_assertion(ast.parse(text))) == ["11 test_nothing", "14 test_only_asks"]
