"""Key sets: what is taken, what is left out, and what is no key set at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from axhub.agent.adapters.tokens import file_keys, inline_keys
from axhub.agent.adapters.tokens.keys import KeysError
from support.token_keys import ec_key, ed_key, key_set, public_jwk, rsa_key

EC = public_jwk(ec_key("a"), "ec")
NO_SET = "no key set: an object with a list `keys` is needed"
NOTHING = "the key set has no key that can be used, each under a name of its own"


async def test_a_file_holds_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(key_set(EC)))
    assert await file_keys(path).find("ec") is not None
    assert await file_keys(path).find("other") is None


@pytest.mark.parametrize("text", ["", "{", "\xff", "[" * 100_000])
def test_a_file_without_json_is_no_key_set(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(KeysError) as caught:
        file_keys(path)
    assert str(caught.value) == "no key set: the file is no JSON"


@pytest.mark.parametrize("said", [None, [], {}, {"keys": {}}, {"keys": "ec"}, {"keys": [EC] * 101}])
def test_what_is_no_key_set(said: Any) -> None:
    with pytest.raises(KeysError) as caught:
        inline_keys(said)
    assert str(caught.value) == NO_SET


@pytest.mark.parametrize(
    "key",
    [
        7,
        {},
        {"kty": "oct", "k": "c2hhcmVk", "kid": "shared"},
        {**EC, "use": "enc"},
        {**EC, "alg": "HS256"},
        {**EC, "alg": "ES384"},
        {**EC, "alg": 7},
        {**EC, "crv": "secp256k1"},
        {**EC, "crv": ["P-256"]},
        {**EC, "x": "AAAA"},
        {**EC, "x": 7},
        {**EC, "kid": 7},
        {"kty": "EC", "crv": "P-256", "kid": "half"},
        public_jwk(rsa_key("short", 1024), "short"),
    ],
)
def test_a_key_that_signatures_are_not_checked_with_is_left_out(key: Any) -> None:
    with pytest.raises(KeysError) as caught:
        inline_keys(key_set(key))
    assert str(caught.value) == NOTHING


def test_good_keys_beside_others_are_taken() -> None:
    keys = inline_keys(key_set({"kty": "oct", "k": "c2hhcmVk", "kid": "shared"}, EC, public_jwk(ed_key("a"), "ed")))
    assert (keys.get("ec") is None, keys.get("ed") is None, keys.get("shared") is None) == (False, False, True)


def test_a_private_half_that_was_published_by_mistake_is_not_kept() -> None:
    keys = inline_keys(key_set({**EC, "d": "AAAA"}))
    choice = keys.get("ec")
    assert choice is not None
    key = choice.of("ES256")
    assert key is not None
    assert not hasattr(key.key, "private_numbers")


@pytest.mark.parametrize(
    ("key", "algorithms"),
    [
        (public_jwk(rsa_key("a"), "k"), {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}),
        (public_jwk(rsa_key("a"), "k", alg="RS512"), {"RS512"}),
        (EC | {"kid": "k"}, {"ES256"}),
        (public_jwk(ed_key("a"), "k"), {"EdDSA"}),
    ],
)
def test_each_kind_of_key_is_for_its_algorithms(key: dict[str, Any], algorithms: set[str]) -> None:
    choice = inline_keys(key_set(key)).get("k")
    assert choice is not None
    assert choice.algorithms == algorithms
    assert choice.of("HS256") is None
