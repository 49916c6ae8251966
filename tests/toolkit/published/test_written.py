"""Declarations are found however their lines begin and end; a module without a decorator is not parsed again."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from axhub.toolkit.published.written import declared_in

CODE = """\
from axhub.toolkit import tool as named

class A:
{indent}@named(name="cmm_a_search", title="a", description="b")
{indent}async def run(self) -> None: ...
"""


def imported(file: Path, code: str) -> ModuleType:
    file.write_bytes(code.encode())
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("indent", [" ", "    ", "\t", "\f "], ids=repr)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
def test_a_declaration_is_found_whatever_its_line_begins_and_ends_with(indent: str, end: str, tmp_path: Path) -> None:
    file = tmp_path / "sample.py"
    module = imported(file, CODE.format(indent=indent).replace("\n", end))
    assert [(one.path, one.place.line) for one in declared_in(module, file, tmp_path)] == [(("A", "run"), 5)]


def test_a_module_without_a_decorator_declares_nothing(tmp_path: Path) -> None:
    file = tmp_path / "sample.py"
    module = imported(file, 'A = "a@example.com"  # @tool\n')
    file.write_text("this is no Python, and no line begins as a decorator", encoding="utf-8")
    assert list(declared_in(module, file, tmp_path)) == []
