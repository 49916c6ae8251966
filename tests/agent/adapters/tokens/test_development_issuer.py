"""The issuer that gives tokens to anybody runs on a developer's machine and nowhere else."""

import pytest

from axhub.agent.adapters.tokens import DevelopmentIssuer, DevelopmentOnlyError, JwtVerifier
from axhub.agent.ports.tokens import TokenClaims, TokenError, TokenFault
from support.token_keys import NOW


def issuer(name: str = "urn:development-issuer") -> DevelopmentIssuer:
    return DevelopmentIssuer("local", issuer=name, now=lambda: NOW)


async def test_its_tokens_are_believed_with_its_keys() -> None:
    made = issuer()
    verifier = JwtVerifier(made.rules, made.keys(), lambda: NOW)
    said = await verifier.verify(made.token("minji", "hanbit", {"support", "approver"}))
    assert said == TokenClaims("minji", "hanbit", frozenset({"approver", "support"}))


async def test_its_tokens_end() -> None:
    made = issuer()
    verifier = JwtVerifier(made.rules, made.keys(), lambda: NOW + 91)
    with pytest.raises(TokenError) as caught:
        await verifier.verify(made.token("minji", "hanbit", seconds=60))
    assert caught.value.fault is TokenFault.EXPIRED


async def test_each_has_keys_of_its_own() -> None:
    one, other = issuer(), issuer()
    with pytest.raises(TokenError) as caught:
        await JwtVerifier(one.rules, one.keys(), lambda: NOW).verify(other.token("minji", "hanbit"))
    assert caught.value.fault is TokenFault.UNKNOWN_KEY


def test_what_it_publishes_is_public() -> None:
    (key,) = issuer().jwks()["keys"]
    assert set(key) == {"kty", "crv", "x", "y", "kid", "alg", "use"}


@pytest.mark.parametrize("profile", ["production", "staging", "", "LOCAL", "local ", "localhost"])
def test_it_refuses_every_other_profile(profile: str) -> None:
    with pytest.raises(DevelopmentOnlyError) as caught:
        DevelopmentIssuer(profile)
    assert str(caught.value) == (
        f"profile is {profile!r}: the development issuer gives a token to anybody, so it runs in 'local' only; "
        "configure an issuer and its keys"
    )
