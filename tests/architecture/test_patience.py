"""Tests say how long their databases may take: a busy machine needs more than the product lets a user wait.

A test of something else would fail whenever a disk stands still for two seconds.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import tree

FILES = sorted(path for path in tree.python_files("tests", "examples") if "tests" in tree.shown(path).split("/"))


def _hasty(module: ast.Module) -> Iterator[int]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Database":
            said = {keyword.arg for keyword in node.keywords}
            yield from [] if said & {"patience_seconds", None} else [node.lineno]


def test_the_examples_tests_are_looked_at_too() -> None:
    assert {tree.shown(path).split("/")[0] for path in FILES} == {"tests", "examples"}


@pytest.mark.parametrize("path", FILES, ids=tree.shown)
def test_every_database_of_a_test_is_told_its_patience(path: Path) -> None:
    assert list(_hasty(tree.parse(path))) == []


@pytest.mark.parametrize(
    "made", ["Database(url)", "database.Database(url, pool_size=2)", "[Database(url) for _ in '1']"]
)
def test_a_planted_database_with_the_patience_of_a_user_is_told(made: str) -> None:
    assert list(_hasty(ast.parse(f"from x import y\n{made}\n"))) == [2]
    assert list(_hasty(ast.parse(made.replace("(url", "(url, patience_seconds=20")))) == []
