"""Which requirement ids the tests name, and which the project lists: the two sides of tests/requirements.toml."""

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from support import tree

LIST: Final = tree.ROOT / "tests" / "requirements.toml"


def listed() -> dict[str, str]:
    """Return the ids that the project says it delivers, each with its sentence."""
    requirements: dict[str, str] = tomllib.loads(LIST.read_text(encoding="utf-8"))["requirements"]
    return requirements


@cache
def marked() -> dict[str, list[str]]:
    """Return the ids that tests name by `pytest.mark.req(…)`, each with the places that name it."""
    found: dict[str, list[str]] = {}
    for path in tree.python_files("tests", "examples/order_service/tests"):
        for place, argument in marks(path):
            found.setdefault(argument, []).append(place)
    return found


def marks(path: Path) -> list[tuple[str, str]]:
    """Return `(file:line, id)` for each id of each `req` marker in a file.

    Raises:
        TypeError: an id that is not written out as text, so that nobody could search for it.
    """
    pairs: list[tuple[str, str]] = []
    for node in ast.walk(tree.parse(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "req":
            place = f"{path.name}:{node.lineno}"
            for argument in node.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise TypeError(f"{place}: write requirement ids out as text, not as {ast.unparse(argument)}")
                pairs.append((place, argument.value))
    return pairs
