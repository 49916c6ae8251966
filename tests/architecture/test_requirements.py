"""Each listed requirement has a test that names it, and each id that a test names is listed."""

import re
from pathlib import Path

import pytest

from support import requirement_ids

ID = re.compile(
    r"(?:(?:agent|gateway|toolkit)/[A-Z]\d+|rule/TK\d\d\d|decision/D\d+|input/B\d\d|fault/F\d\d|threat/T\d\d|ops/O\d+)"
)


def test_each_listed_requirement_has_a_test_that_names_it() -> None:
    assert sorted(requirement_ids.listed().keys() - requirement_ids.marked().keys()) == []


def test_each_requirement_that_a_test_names_is_listed() -> None:
    unlisted = {id_: places for id_, places in requirement_ids.marked().items() if id_ not in requirement_ids.listed()}
    assert unlisted == {}


def test_the_list_is_well_formed_sorted_and_says_each_thing_in_a_sentence() -> None:
    listed = requirement_ids.listed()
    assert [id_ for id_ in listed if not ID.fullmatch(id_)] == []
    assert list(listed) == sorted(listed, key=_by_page_and_number)
    assert [id_ for id_, sentence in listed.items() if len(sentence.split()) < 4] == []


def _by_page_and_number(id_: str) -> tuple[str, str, int]:
    page, _, rest = id_.partition("/")
    letters = rest.rstrip("0123456789")
    return page, letters, int(rest.removeprefix(letters))


def test_an_id_on_a_module_a_class_or_a_parameter_counts(tmp_path: Path) -> None:
    text = """
import pytest
pytestmark = pytest.mark.req("gateway/G1")
CASES = [pytest.param(1, marks=pytest.mark.req("input/B01", "input/B02"))]
@pytest.mark.req("gateway/G2")
class TestThing: ...
"""
    (tmp_path / "test_sample.py").write_text(text, encoding="utf-8")
    found = {id_ for _, id_ in requirement_ids.marks(tmp_path / "test_sample.py")}
    assert found == {"gateway/G1", "gateway/G2", "input/B01", "input/B02"}


def test_an_id_that_is_computed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_sample.py").write_text("import pytest\npytest.mark.req(f'gateway/G{1}')\n", encoding="utf-8")
    with pytest.raises(TypeError, match="write requirement ids out as text"):
        requirement_ids.marks(tmp_path / "test_sample.py")
