"""Names that every provider takes, made of names that MCP takes (decision/D4, AG-P24)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.domain.names import model_name

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
OURS = re.compile(r"[a-z][a-z0-9_]{2,63}")
NAMES = st.one_of(st.text(alphabet="abAB019_./- 청구", min_size=1, max_size=80), st.text(min_size=1, max_size=140))

pytestmark = pytest.mark.req("agent/A9", "decision/D4")


@pytest.mark.parametrize("name", ["claim_search", "abc", "x" * 64])
def test_a_name_that_every_provider_takes_stays_as_it_is(name: str) -> None:
    assert model_name("claims", name) == name


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("processing.claim_search", "processing_claim_search"),
        ("claims/Search-All", "claims_search_all"),
        ("청구조회", "tool"),
        ("2fa", "tool_2fa"),
        ("a", "a"),
        ("x" * 65, "x" * 53),
        ("x" * 52 + "._y", "x" * 52),
    ],
)
def test_of_any_other_name_what_can_be_read_stays_and_a_hash_is_added(name: str, readable: str) -> None:
    made = model_name("claims", name)
    assert made[: len(readable)] == readable
    assert re.fullmatch(r"_[0-9a-f]{10}", made[len(readable) :])


def test_names_are_the_same_in_every_process() -> None:
    assert model_name("claims", "processing.claim_search") == "processing_claim_search_b835b116c0"


def test_two_catalogues_with_the_same_odd_name_have_two_names() -> None:
    assert model_name("one", "claim.search") != model_name("two", "claim.search")


def test_names_that_look_alike_when_they_are_made_legal_stay_apart() -> None:
    alike = ["claim.search", "claim/search", "claim-search", "Claim.Search", "claim..search", "claim_search"]
    assert len({model_name("claims", one) for one in alike}) == len(alike)


@given(name=NAMES)
def test_every_name_becomes_one_that_providers_take(name: str) -> None:
    made = model_name("claims", name)
    assert LEGAL.fullmatch(made)
    assert OURS.fullmatch(made)


@given(names=st.sets(NAMES, min_size=2, max_size=20))
def test_no_two_names_of_a_catalogue_become_one(names: set[str]) -> None:
    assert len({model_name("claims", one) for one in names}) == len(names)
