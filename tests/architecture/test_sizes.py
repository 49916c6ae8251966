"""Files and functions stay short enough to be read in one go (complexity is ruff's C901, with 8)."""

import ast
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import tree

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 40
MAX_DATA_PATH_LINES = 1200
"""Our own HTTP/1.1 front and client have to earn their place: together no more lines of code than this. How they are
counted, and why so, is in docs/decisions/0003-data-path.md."""
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree.parse(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{tree.shown(path)}:{node.lineno} {node.name}", _length(node)


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines from `def` to the end, without the docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {tree.shown(path): len(path.read_bytes().splitlines()) for path in tree.python_files()}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


@pytest.mark.parametrize("folder", tree.CODE_FOLDERS)
def test_no_function_is_longer_than_40_lines(folder: str) -> None:
    long = {
        place: lines
        for path in tree.python_files(folder)
        for place, lines in _functions(path)
        if lines > MAX_FUNCTION_LINES
    }
    assert long == {}


def test_our_own_http_front_and_client_stay_within_their_budget_of_lines() -> None:
    lengths = [len(_code_lines(path)) for path in tree.python_files("src/axhub/gateway/adapters/http1")]
    assert sum(lengths) <= MAX_DATA_PATH_LINES


def _code_lines(path: Path) -> set[int]:
    """Return the numbers of the lines that hold code: no blank lines, comments or docstrings."""
    with path.open("rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in NOT_CODE]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(tree.parse(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def test_blank_lines_comments_and_docstrings_are_no_code(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text('"""Module.\n\nMore.\n"""\n\nX = (\n    1\n)  # why\n# more\n"""About X."""\n', encoding="utf-8")
    assert _code_lines(sample) == {6, 7, 8}
