"""The page about REST beside the assistant says what is so: its tests pass, and what it names is there (agent/A2)."""

import inspect
import re
from pathlib import Path
from typing import Any, Final

import pytest

from order_service.adapters.ai.tools import told_of
from order_service.adapters.http.openapi import document
from order_service.adapters.http.problems import kind_of
from order_service.adapters.http.serving import HttpSettings
from order_service.domain.errors import (
    ConflictError,
    NotAllowedError,
    OrderError,
    OrderNotFoundError,
    WrongStateError,
)
from order_service.ports.faults import UnavailableError
from support import tree

pytestmark = [pytest.mark.req("agent/A2")]

PAGE: Final = (tree.ROOT / "docs" / "howto" / "rest-and-assistant.md").read_text(encoding="utf-8")


def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    defined: dict[str, Any] = {}
    exec(compile(block, "rest-and-assistant.md", "exec"), defined)
    tests = [one for name, one in defined.items() if name.startswith("test_") and inspect.isfunction(one)]
    for number, test in enumerate(tests):
        folder = tmp_path / str(number)
        folder.mkdir()
        test(folder)
    assert len(tests) == 2


def test_every_route_that_the_page_names_is_in_the_document() -> None:
    paths = document(HttpSettings())["paths"]
    known = {(method.upper(), re.sub(r"\{\w+\}", "{id}", path)) for path, ways in paths.items() for method in ways}
    named = set(re.findall(r"(GET|POST) (/api/v1/[\w/{}-]+)", PAGE))
    assert named
    assert named - known == set()


def test_every_place_that_the_page_names_is_there() -> None:
    links = re.findall(r"\]\((\.\./\.\./[^)#]+)\)", PAGE)
    assert links
    assert [one for one in links if not (tree.ROOT / "docs" / "howto" / one).exists()] == []


def test_the_table_of_errors_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) `(\w+)` \| code `(\w+)`", PAGE, re.MULTILINE)
    refusals = (OrderNotFoundError(), NotAllowedError(), ConflictError(), WrongStateError("ORD-1", "PAID", "PAID"))
    assert {type(one) for one in refusals} == set(OrderError.__subclasses__())
    said = {}
    for one in refusals:
        problem = kind_of(one)
        assert problem is not None
        said[type(one).__name__] = (str(problem.status), problem.code, told_of(type(one)).code)
    assert {name: tuple(rest) for name, *rest in rows} == said
    away = kind_of(UnavailableError())
    assert away is not None
    assert f"| `UnavailableError` | {away.status} `{away.code}` |" in PAGE
