"""Key pairs of a make-believe issuer, and tokens of any kind: good ones, and those that forgers make."""

import base64
import hashlib
import hmac
import json
from functools import cache
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER: Final = "https://login.example"
AUDIENCE: Final = "orders"
NOW: Final = 1_800_000_000.0


@cache
def rsa_key(name: str, bits: int = 2048) -> rsa.RSAPrivateKey:
    """Return a key; `name` tells keys of one length apart."""
    del name
    return rsa.generate_private_key(65537, bits)


@cache
def ec_key(name: str) -> ec.EllipticCurvePrivateKey:
    del name
    return ec.generate_private_key(ec.SECP256R1())


@cache
def ed_key(name: str) -> ed25519.Ed25519PrivateKey:
    del name
    return ed25519.Ed25519PrivateKey.generate()


def public_jwk(key: Any, kid: str | None, **more: object) -> dict[str, Any]:
    """Return a key's public half for a key set."""
    if isinstance(key, rsa.RSAPrivateKey):
        members = json.loads(RSAAlgorithm.to_jwk(key.public_key()))
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        members = json.loads(ECAlgorithm.to_jwk(key.public_key()))
    else:
        members = json.loads(OKPAlgorithm.to_jwk(key.public_key()))
    members.pop("key_ops", None)
    return {**members, **({} if kid is None else {"kid": kid}), **more}


def key_set(*keys: dict[str, Any]) -> dict[str, Any]:
    return {"keys": list(keys)}


def claims(**changed: object) -> dict[str, Any]:
    good = {"iss": ISSUER, "aud": AUDIENCE, "sub": "minji", "tenant": "hanbit", "roles": ["approver"], "exp": NOW + 300}
    return {**good, **changed}


def token(key: Any, algorithm: str, kid: str | None, said: dict[str, Any] | None = None, **header: object) -> str:
    """Return a token that the issuer would sign."""
    named = {} if kid is None else {"kid": kid}
    return jwt.encode(said or claims(), key, algorithm=algorithm, headers={**named, **header})


def forged(header: object, said: object, signature: bytes = b"") -> str:
    """Return what looks like a token."""
    return ".".join((_part(json.dumps(header).encode()), _part(json.dumps(said).encode()), _part(signature)))


def signed_with_public_key(key: rsa.RSAPrivateKey, kid: str) -> str:
    """Return a token whose HMAC has the issuer's public key for its secret, which everybody knows."""
    secret = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    text = forged({"alg": "HS256", "kid": kid}, claims()).rpartition(".")[0]
    return f"{text}.{_part(hmac.new(secret, text.encode(), hashlib.sha256).digest())}"


def tampered(text: str, **changed: object) -> str:
    """Return a token with other claims under the old signature."""
    header, payload, signature = text.split(".")
    said = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return f"{header}.{_part(json.dumps({**said, **changed}).encode())}.{signature}"


def _part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
