"""Which field has the pattern that ended an import: pydantic compiles it with the class, and names only the class."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic_core import CoreSchema, SchemaError, SchemaValidator

__all__ = ["BadPattern", "bad_pattern"]


@dataclass(frozen=True, slots=True)
class BadPattern:
    """A pattern that pydantic's engine does not take, with where it is given."""

    field: str
    line: int
    column: int
    cause: str
    """What the engine says, in one line."""


def bad_pattern(file: Path, line: int) -> BadPattern | None:
    """Return the first pattern that is at fault in the class that a line of a file belongs to; None if there is none.

    Only patterns that are texts, or names of texts in the same module, are looked at.
    """
    try:
        source = file.read_bytes()
        tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError):
        return None
    texts = dict(_texts(tree))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and _holds(node, line)]
    for statement in (statement for one in classes for statement in one.body if isinstance(statement, ast.AnnAssign)):
        for given in _patterns(statement):
            pattern = texts.get(given.id) if isinstance(given, ast.Name) else getattr(given, "value", None)
            cause = _cause(pattern) if isinstance(pattern, str) else None
            if cause is not None:
                field = ast.unparse(statement.target)
                return BadPattern(field, given.lineno, _column(source, given), cause)
    return None


def _holds(node: ast.ClassDef, line: int) -> bool:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first <= line <= (node.end_lineno or node.lineno)


def _column(source: bytes, node: ast.expr) -> int:
    """Return the column in characters; Python counts bytes."""
    before = source.splitlines()[node.lineno - 1][: node.col_offset]
    return len(before.decode(errors="replace")) + 1


def _texts(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        value = getattr(getattr(statement, "value", None), "value", None)
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(value, str):
                yield target.id, value


def _patterns(statement: ast.AnnAssign) -> Iterator[ast.expr]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            yield from (one.value for one in node.keywords if one.arg == "pattern")


def _cause(pattern: str) -> str | None:
    schema: CoreSchema = {"type": "str", "pattern": pattern}
    try:
        SchemaValidator(schema)
    except SchemaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return lines[-1].removeprefix("error: ").rstrip(".") if lines else "unknown"
    return None
