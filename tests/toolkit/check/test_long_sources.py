"""Places in long lines are right, and neither long lines nor many comments take long."""

import time
from pathlib import Path

import pytest

from axhub.toolkit.check.collect.allowances import allowances_in
from axhub.toolkit.facts.service import Place
from support.service_projects import module_of

SECONDS = 20
"""Far more than it takes, and far less than it took when the time grew with the square of the length."""


def test_a_place_in_a_long_line_counts_characters(tmp_path: Path) -> None:
    before = ", ".join(f'"가나{at}"' for at in range(3000))
    text = f'X = [{before}, "끝"]\n'
    found = module_of(tmp_path, text).literals[-1]
    assert (found.value, found.place.column) == ("끝", text.index('"끝"') + 1)


def test_a_line_of_a_megabyte_is_read_in_time(tmp_path: Path) -> None:
    items = ", ".join(['"가나다"'] * 60_000)
    text = f"X = [{items}]\n"
    began = time.monotonic()
    assert len(module_of(tmp_path, text).literals) == 60_000
    assert time.monotonic() - began < SECONDS


@pytest.mark.req("rule/TK003")
def test_many_comments_in_a_row_are_read_in_time() -> None:
    began = time.monotonic()
    found = allowances_in("a.py", "# axhub: allow TK612 -- why\n" * 20_000 + "\nx = 1\n")
    assert time.monotonic() - began < SECONDS
    assert (found[0].last, found[-1].last, found[-1].place) == (20_002, 20_002, Place("a.py", 20_000, 1))
