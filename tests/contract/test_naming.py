"""Tool names on the wire (decision/D4)."""

import re
import string
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.naming import check_name, check_prefix, folded

ALLOWED = string.ascii_letters + string.digits + "_./-"


@pytest.mark.req("decision/D4", "gateway/G6", "input/B18")
@pytest.mark.parametrize("name", ["a", "processing.search", "A-b_c/d", "..", "a/../b", "processing.", "9", "x" * 64])
def test_names_of_the_contract_are_taken(name: str) -> None:
    assert check_name(name) is None


@pytest.mark.req("decision/D4", "gateway/G6", "input/B18")
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", "blank"),
        (" \n", "blank"),
        ("search\n", "other than ASCII"),
        (" search", "other than ASCII"),
        ("se arch", "other than ASCII"),
        ("검색", "other than ASCII"),
        ("se\u0430rch", "other than ASCII"),
        ("search\uff11", "other than ASCII"),
        ("sea\u200drch", "other than ASCII"),
        ("\u202esearch", "other than ASCII"),
        ("search:1", "other than ASCII"),
        ("x" * 65, "65 characters, more than 64"),
    ],
)
def test_other_names_are_refused_with_the_cause(name: str, part: str) -> None:
    assert part in (check_name(name) or "")


@pytest.mark.req("decision/D4", "gateway/G6")
def test_a_name_begins_with_the_prefix_of_its_bundle() -> None:
    assert check_name("processing.search", "processing.") is None
    assert check_name("processing.", "processing.") is None
    assert (
        check_name("Processing.search", "processing.")
        == "the name does not begin with the bundle's prefix 'processing.'"
    )


@pytest.mark.req("decision/D4")
@given(st.text(alphabet=ALLOWED, min_size=1, max_size=64))
def test_every_name_of_the_grammar_is_taken_and_is_its_own_prefix(name: str) -> None:
    assert check_name(name) is None
    assert check_name(name, name) is None
    assert check_prefix(name) is None


@pytest.mark.req("decision/D4")
@given(st.text(max_size=70))
def test_nothing_else_is_taken(name: str) -> None:
    assert (check_name(name) is None) == (re.fullmatch(r"[A-Za-z0-9_./-]{1,64}", name) is not None)


@given(
    st.text(alphabet=ALLOWED, min_size=1, max_size=64), st.characters(exclude_characters=ALLOWED), st.integers(0, 64)
)
def test_one_odd_character_anywhere_is_enough(name: str, odd: str, at: int) -> None:
    assert check_name((name[:at] + odd + name[at:])[:64]) is None or odd in name[:at] + odd + name[at:]
    assert check_name(name[:at] + odd + name[at:]) is not None


@given(st.text(alphabet=ALLOWED, min_size=1, max_size=20), st.text(alphabet=ALLOWED, min_size=1, max_size=20))
def test_a_prefix_binds_exactly_the_names_that_begin_with_it(name: str, prefix: str) -> None:
    assert (check_name(name, prefix) is None) == name.startswith(prefix)


@pytest.mark.req("decision/D23")
def test_an_empty_prefix_binds_nothing() -> None:
    assert check_prefix("") is None
    assert check_name("anything", "") is None


@pytest.mark.parametrize("prefix", [" ", "처리.", "a b", "x" * 65, "a\n"])
def test_a_prefix_that_no_name_can_have_is_refused(prefix: str) -> None:
    assert "no name could begin so" in (check_prefix(prefix) or "")


@pytest.mark.req("gateway/K1", "gateway/G6")
@given(name=st.text(ALLOWED, max_size=64), seed=st.randoms(use_true_random=False))
def test_names_that_differ_only_in_case_are_the_same_and_no_others(name: str, seed: Random) -> None:
    other = "".join(seed.choice((char.lower(), char.upper())) for char in name)
    assert folded(name) == folded(other) == name.lower()
    assert folded(name + "-") != folded(name + "_")
