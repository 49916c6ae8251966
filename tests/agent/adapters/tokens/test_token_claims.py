"""What a token must say, rule by rule, without any signature."""

from typing import Any

import pytest

from axhub.agent.adapters.tokens.claims import TokenRules, check_claims
from axhub.agent.ports.tokens import TokenClaims, TokenError, TokenFault

NOW = 1_800_000_000.0
RULES = TokenRules(issuer="https://login.example", audience="orders", leeway_seconds=60)
GOOD: dict[str, Any] = {
    "iss": "https://login.example",
    "aud": "orders",
    "sub": "minji",
    "tenant": "hanbit",
    "roles": ["approver", "support"],
    "exp": NOW + 300,
    "nbf": NOW,
    "iat": NOW,
}
MISSING = object()


def claims(**changed: object) -> dict[str, Any]:
    return {name: value for name, value in {**GOOD, **changed}.items() if value is not MISSING}


def test_a_good_token_says_who_of_which_tenant_with_which_roles() -> None:
    assert check_claims(GOOD, RULES, NOW) == TokenClaims("minji", "hanbit", frozenset({"approver", "support"}))


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": ["billing", "orders"]},
        {"roles": MISSING},
        {"nbf": MISSING, "iat": MISSING},
        {"exp": NOW - 59},
        {"nbf": NOW + 60},
        {"iat": NOW + 60},
    ],
)
def test_what_may_be_otherwise(changed: dict[str, object]) -> None:
    assert check_claims(claims(**changed), RULES, NOW).subject == "minji"


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"iss": "https://login.example/"}, TokenFault.ISSUER),
        ({"iss": ["https://login.example"]}, TokenFault.ISSUER),
        ({"iss": MISSING}, TokenFault.ISSUER),
        ({"iss": None}, TokenFault.ISSUER),
        ({"aud": "billing"}, TokenFault.AUDIENCE),
        ({"aud": "orders2"}, TokenFault.AUDIENCE),
        ({"aud": ["billing"]}, TokenFault.AUDIENCE),
        ({"aud": []}, TokenFault.AUDIENCE),
        ({"aud": ["orders", 7]}, TokenFault.AUDIENCE),
        ({"aud": {"orders": 1}}, TokenFault.AUDIENCE),
        ({"aud": MISSING}, TokenFault.AUDIENCE),
        ({"exp": NOW - 60}, TokenFault.EXPIRED),
        ({"exp": NOW - 61}, TokenFault.EXPIRED),
        ({"exp": MISSING}, TokenFault.CLAIMS),
        ({"exp": str(NOW + 300)}, TokenFault.CLAIMS),
        ({"exp": True}, TokenFault.CLAIMS),
        ({"exp": float("inf")}, TokenFault.CLAIMS),
        ({"exp": float("nan")}, TokenFault.CLAIMS),
        ({"exp": 10**400}, TokenFault.CLAIMS),
        ({"nbf": NOW + 61}, TokenFault.NOT_YET),
        ({"nbf": "soon"}, TokenFault.CLAIMS),
        ({"iat": NOW + 61}, TokenFault.NOT_YET),
        ({"iat": None}, TokenFault.CLAIMS),
        ({"sub": MISSING}, TokenFault.CLAIMS),
        ({"sub": ""}, TokenFault.CLAIMS),
        ({"sub": " "}, TokenFault.CLAIMS),
        ({"sub": 7}, TokenFault.CLAIMS),
        ({"sub": "m" * 256}, TokenFault.CLAIMS),
        ({"sub": "min\x00ji"}, TokenFault.CLAIMS),
        ({"sub": "minji\u202e"}, TokenFault.CLAIMS),
        ({"tenant": MISSING}, TokenFault.CLAIMS),
        ({"tenant": ["hanbit"]}, TokenFault.CLAIMS),
        ({"roles": "approver"}, TokenFault.CLAIMS),
        ({"roles": [["approver"]]}, TokenFault.CLAIMS),
        ({"roles": ["r"] * 65}, TokenFault.CLAIMS),
    ],
)
def test_what_is_refused(changed: dict[str, object], fault: TokenFault) -> None:
    with pytest.raises(TokenError) as caught:
        check_claims(claims(**changed), RULES, NOW)
    assert caught.value.fault is fault
    assert str(caught.value) == f"the token is refused: {fault.value}"


def test_tenant_and_roles_may_have_other_names() -> None:
    rules = TokenRules(issuer="https://login.example", audience="orders", tenant_claim="org", roles_claim="groups")
    said = claims(org="haneul", groups=["support"])
    assert check_claims(said, rules, NOW) == TokenClaims("minji", "haneul", frozenset({"support"}))


@pytest.mark.parametrize("algorithm", ["HS256", "HS512", "none", "None", ""])
def test_rules_with_a_shared_key_or_none_do_not_exist(algorithm: str) -> None:
    with pytest.raises(ValueError, match="only asymmetric ones are taken"):
        TokenRules(issuer="i", audience="a", algorithms=("RS256", algorithm))


def test_rules_without_any_algorithm_do_not_exist() -> None:
    with pytest.raises(ValueError, match="algorithms: none; only asymmetric ones are taken"):
        TokenRules(issuer="i", audience="a", algorithms=())


@pytest.mark.parametrize("seconds", [-1, 60.5, 3600, float("nan")])
def test_a_leeway_is_a_minute_at_most(seconds: float) -> None:
    with pytest.raises(ValueError, match="0 to 60 are taken"):
        TokenRules(issuer="i", audience="a", leeway_seconds=seconds)


@pytest.mark.parametrize(("issuer", "audience"), [("", "orders"), ("https://login.example", "")])
def test_issuer_and_audience_are_needed(issuer: str, audience: str) -> None:
    with pytest.raises(ValueError, match="an issuer and an audience are needed"):
        TokenRules(issuer=issuer, audience=audience)
