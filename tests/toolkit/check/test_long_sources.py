"""Places in long lines are right, and neither long lines nor many comments take long."""

import gc
import time
from pathlib import Path

import pytest

from axhub.toolkit.check.collect.allowances import allowances_in
from axhub.toolkit.facts.service import Located, Place
from support.service_projects import facts_of, module_of

SECONDS = 20
"""Of the processor: far more than it takes, far less than it took when the time grew with the square of the length."""


def test_a_place_in_a_long_line_counts_characters(tmp_path: Path) -> None:
    before = ", ".join(f'"가나{at}"' for at in range(3000))
    text = f'X = [{before}, "끝"]\n'
    found = module_of(tmp_path, text).literals[-1]
    assert (found.value, found.place.column) == ("끝", text.index('"끝"') + 1)


def test_a_line_of_a_megabyte_is_read_in_time(tmp_path: Path) -> None:
    items = ", ".join(['"가나다"'] * 60_000)
    text = f"X = [{items}]\n"
    began = time.thread_time()
    assert len(module_of(tmp_path, text).literals) == 60_000
    assert time.thread_time() - began < SECONDS


@pytest.mark.req("rule/TK001")
def test_a_source_of_more_than_a_megabyte_is_not_read(tmp_path: Path) -> None:
    line = "# 가\n"
    most = line * (1_048_576 // len(line.encode()))
    most += "#" * (1_048_576 - len(most.encode()))
    found = facts_of(tmp_path, {"most.py": most, "more.py": f"{most}#"})
    assert [module.path for module in found.modules] == ["src/my_tools/__init__.py", "src/my_tools/most.py"]
    assert found.problems == (Located("too large: 1048577 bytes", Place("src/my_tools/more.py", 1, 1)),)


def test_the_collector_works_again_once_the_source_is_read(tmp_path: Path) -> None:
    assert gc.isenabled()
    facts_of(tmp_path, {"app.py": "x = 1\n"})
    assert gc.isenabled()


@pytest.mark.req("rule/TK003")
def test_many_comments_in_a_row_are_read_in_time() -> None:
    began = time.thread_time()
    found = allowances_in("a.py", "# axhub: allow TK612 -- why\n" * 20_000 + "\nx = 1\n")
    assert time.thread_time() - began < SECONDS
    assert (found[0].last, found[-1].last, found[-1].place) == (20_002, 20_002, Place("a.py", 20_000, 1))
