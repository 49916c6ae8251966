"""Tokens as they come: good ones of each algorithm, and what forgers try."""

import json
from typing import Any

import jwt
import pytest
from jwt.api_jws import PyJWS

from axhub.agent.adapters.tokens import JwtVerifier, TokenRules, inline_keys
from axhub.agent.adapters.tokens.verifier import wall_clock
from axhub.agent.ports.tokens import TokenClaims, TokenError, TokenFault
from support.token_keys import (
    AUDIENCE,
    ISSUER,
    NOW,
    claims,
    ec_key,
    ed_key,
    forged,
    key_set,
    public_jwk,
    rsa_key,
    signed_with_public_key,
    tampered,
    token,
)

RULES = TokenRules(issuer=ISSUER, audience=AUDIENCE, leeway_seconds=60)
KEYS = key_set(public_jwk(rsa_key("a"), "rsa"), public_jwk(ec_key("a"), "ec"), public_jwk(ed_key("a"), "ed"))


def verifier(rules: TokenRules = RULES, keys: dict[str, Any] | None = None) -> JwtVerifier:
    return JwtVerifier(rules, inline_keys(keys or KEYS), lambda: NOW)


async def fault_of(text: str, by: JwtVerifier | None = None) -> TokenFault:
    with pytest.raises(TokenError) as caught:
        await (by or verifier()).verify(text)
    assert str(caught.value) == f"the token is refused: {caught.value.fault.value}"
    return caught.value.fault


@pytest.mark.parametrize(
    ("key", "algorithm", "kid"),
    [(rsa_key("a"), "RS256", "rsa"), (ec_key("a"), "ES256", "ec"), (ed_key("a"), "EdDSA", "ed")],
)
async def test_a_token_of_the_issuer_is_believed(key: Any, algorithm: str, kid: str) -> None:
    said = await verifier().verify(token(key, algorithm, kid))
    assert said == TokenClaims("minji", "hanbit", frozenset({"approver"}))


async def test_no_algorithm_at_all_is_refused() -> None:
    for name in ("none", "None", "nOnE", "", None, 7):
        assert await fault_of(forged({"alg": name, "kid": "rsa"}, claims())) is TokenFault.ALGORITHM
    assert await fault_of(forged({"kid": "rsa"}, claims())) is TokenFault.ALGORITHM


async def test_the_public_key_is_no_shared_secret() -> None:
    assert await fault_of(signed_with_public_key(rsa_key("a"), "rsa")) is TokenFault.ALGORITHM


async def test_a_shared_key_in_the_key_set_is_none_of_ours() -> None:
    secret = "c2hhcmVkLXNlY3JldC1zaGFyZWQtc2VjcmV0LXNoYXJlZA"
    keys = key_set({"kty": "oct", "k": secret, "kid": "shared"}, public_jwk(ec_key("a"), "ec"))
    text = jwt.encode(claims(), "shared-secret-shared-secret-shared", algorithm="HS256", headers={"kid": "shared"})
    assert await fault_of(text, verifier(keys=keys)) is TokenFault.ALGORITHM


async def test_an_algorithm_that_is_not_listed_is_refused_though_the_signature_holds() -> None:
    text = token(rsa_key("a"), "RS256", "rsa")
    strict = TokenRules(issuer=ISSUER, audience=AUDIENCE, algorithms=("ES256",))
    assert await fault_of(text, verifier(strict)) is TokenFault.ALGORITHM


async def test_a_key_is_used_only_with_the_algorithm_it_is_for() -> None:
    wide = TokenRules(issuer=ISSUER, audience=AUDIENCE, algorithms=("RS256", "PS256", "ES256"))
    own = key_set(public_jwk(rsa_key("a"), "rsa", alg="PS256"))
    assert await fault_of(token(rsa_key("a"), "RS256", "rsa"), verifier(wide, own)) is TokenFault.ALGORITHM
    assert await fault_of(token(ec_key("a"), "ES256", "rsa"), verifier(wide, own)) is TokenFault.ALGORITHM
    assert (await verifier(wide, own).verify(token(rsa_key("a"), "PS256", "rsa"))).subject == "minji"


async def test_another_key_under_a_known_name_is_refused() -> None:
    assert await fault_of(token(rsa_key("other"), "RS256", "rsa")) is TokenFault.SIGNATURE
    assert await fault_of(token(ec_key("other"), "ES256", "ec")) is TokenFault.SIGNATURE


async def test_an_unknown_key_is_refused() -> None:
    assert await fault_of(token(rsa_key("a"), "RS256", "nobody")) is TokenFault.UNKNOWN_KEY


async def test_two_keys_under_one_name_are_none() -> None:
    keys = key_set(public_jwk(rsa_key("a"), "rsa"), public_jwk(rsa_key("other"), "rsa"), public_jwk(ec_key("a"), "ec"))
    assert await fault_of(token(rsa_key("a"), "RS256", "rsa"), verifier(keys=keys)) is TokenFault.UNKNOWN_KEY
    assert await fault_of(token(rsa_key("other"), "RS256", "rsa"), verifier(keys=keys)) is TokenFault.UNKNOWN_KEY


async def test_a_token_without_a_key_name_means_the_only_key() -> None:
    alone = verifier(keys=key_set(public_jwk(ec_key("a"), "ec")))
    assert (await alone.verify(token(ec_key("a"), "ES256", None))).subject == "minji"
    assert await fault_of(token(ec_key("a"), "ES256", None)) is TokenFault.UNKNOWN_KEY


async def test_keys_and_addresses_that_a_token_brings_along_are_not_looked_at() -> None:
    forger = ec_key("forger")
    for own in (
        {"jwk": public_jwk(forger, "ec")},
        {"jku": "file:///etc/hosts"},
        {"jku": "http://127.0.0.1:1/keys"},
        {"x5u": "https://forger.example/chain.pem"},
    ):
        assert await fault_of(token(forger, "ES256", "ec", None, **own)) is TokenFault.SIGNATURE


@pytest.mark.parametrize(
    "changed", [{"sub": "boram"}, {"tenant": "haneul"}, {"roles": ["approver"]}, {"exp": NOW + 10**6}]
)
async def test_a_changed_payload_is_refused(changed: dict[str, object]) -> None:
    text = token(ec_key("a"), "ES256", "ec", claims(roles=[]))
    assert await fault_of(tampered(text, **changed)) is TokenFault.SIGNATURE


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"exp": NOW - 61}, TokenFault.EXPIRED),
        ({"iss": [ISSUER]}, TokenFault.ISSUER),
        ({"aud": "billing"}, TokenFault.AUDIENCE),
        ({"nbf": NOW + 61}, TokenFault.NOT_YET),
        ({"tenant": None}, TokenFault.CLAIMS),
    ],
)
async def test_a_good_signature_is_not_enough(changed: dict[str, Any], fault: TokenFault) -> None:
    assert await fault_of(signed(json.dumps(claims(**changed)).encode())) is fault


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a.b",
        "a.b.c",
        "a.b.c.d",
        "é.é.é",
        "." * 20,
        "e30.e30.e30." + "x" * 8192,
        forged([], claims()),
        forged("ES256", claims()),
        forged({"alg": "ES256", "kid": 7}, claims()),
        forged({"alg": "ES256", "kid": ["ec"]}, claims()),
        forged({"alg": "ES256", "kid": "ec", "crit": ["exp"]}, claims()),
        forged({"alg": "ES256", "kid": "ec", "b64": False}, claims()),
        forged({"alg": "ES256", "kid": "ec", "typ": "logout+jwt"}, claims()),
    ],
)
async def test_what_is_no_token_is_refused(text: str) -> None:
    assert await fault_of(text) is TokenFault.MALFORMED


@pytest.mark.parametrize("payload", [b"[]", b"7", b"{", b"\xff", b"[" * 5000])
async def test_a_signed_payload_that_is_no_object_is_refused(payload: bytes) -> None:
    assert await fault_of(signed(payload)) is TokenFault.MALFORMED


async def test_a_signed_token_with_rules_of_its_own_is_refused() -> None:
    assert await fault_of(token(ec_key("a"), "ES256", "ec", None, b64=True, crit=["b64"])) is TokenFault.MALFORMED
    assert await fault_of(token(ec_key("a"), "ES256", "ec", None, typ="logout+jwt")) is TokenFault.MALFORMED
    assert (await verifier().verify(token(ec_key("a"), "ES256", "ec", None, typ="AT+JWT"))).subject == "minji"


async def test_time_is_the_wall_clock_unless_a_test_says_so() -> None:
    by = JwtVerifier(RULES, inline_keys(KEYS))
    good = claims(exp=wall_clock() + 60)
    assert (await by.verify(token(ec_key("a"), "ES256", "ec", good))).subject == "minji"
    assert await fault_of(token(ec_key("a"), "ES256", "ec", claims(exp=wall_clock() - 61)), by) is TokenFault.EXPIRED


def signed(payload: bytes) -> str:
    """Return a token of the issuer with any payload, also one that a token library would not write."""
    return PyJWS().encode(payload, ec_key("a"), "ES256", {"kid": "ec"})
