"""The issuer's public keys, from a JSON Web Key Set (RFC 7517) that stands in a file or in the configuration.

Which set counts is said by the deployment alone; addresses and keys that a token brings along are never looked at.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

import jwt

__all__ = ["KeyChoice", "KeySource", "Keys", "KeysError", "file_keys", "inline_keys"]

_MAX_KEYS: Final = 100
_MIN_RSA_BYTES: Final = 256
_PUBLIC_MEMBERS: Final = ("kty", "crv", "x", "y", "n", "e")
_FAMILIES: Final = MappingProxyType(
    {
        ("RSA", None): frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}),
        ("EC", "P-256"): frozenset({"ES256"}),
        ("EC", "P-384"): frozenset({"ES384"}),
        ("EC", "P-521"): frozenset({"ES512"}),
        ("OKP", "Ed25519"): frozenset({"EdDSA"}),
    }
)
"""Which algorithms a kind of key can be used with."""


class KeysError(ValueError):
    """What should be a key set is none; the text shows nothing of it."""


class KeyChoice:
    """One public key of the issuer, with the algorithms that it may be used with."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        """Take a key's members.

        Raises:
            KeysError: it is none that signatures are checked with here.
        """
        kind, curve = members.get("kty"), members.get("crv")
        family = _FAMILIES.get((str(kind), None if curve is None else str(curve)), frozenset[str]())
        own = members.get("alg")
        self.algorithms: Final = family if own is None else family & {own} if isinstance(own, str) else frozenset()
        if not self.algorithms or members.get("use", "sig") != "sig":
            raise KeysError("no key for signatures")
        self._members: Final = {name: members[name] for name in _PUBLIC_MEMBERS if name in members}
        # Made once for each algorithm: PyJWT binds a key to one, and checks it with that one alone.
        self._made: Final = {algorithm: _made(self._members, algorithm) for algorithm in self.algorithms}

    def of(self, algorithm: str) -> jwt.PyJWK | None:
        """Return the key for an algorithm; None if it must not be used with it."""
        return self._made.get(algorithm)


def _made(members: dict[str, Any], algorithm: str) -> jwt.PyJWK:
    try:
        key = jwt.PyJWK(members, algorithm=algorithm)
    except (jwt.PyJWTError, TypeError, ValueError, KeyError, AttributeError):
        raise KeysError("a key cannot be read") from None
    if getattr(key.key, "key_size", _MIN_RSA_BYTES * 8) < _MIN_RSA_BYTES * 8 and members["kty"] == "RSA":
        raise KeysError("a key is too short")
    return key


class Keys:
    """A set of keys. It is a `KeySource` by itself: one that never changes."""

    def __init__(self, key_set: object) -> None:
        """Take a parsed key set. Keys for other purposes are left out; of two with one name, both are.

        Raises:
            KeysError: it is no key set, or nothing of it can be used.
        """
        listed = key_set.get("keys") if isinstance(key_set, Mapping) else None
        if not isinstance(listed, list) or len(listed) > _MAX_KEYS:
            raise KeysError("no key set: an object with a list `keys` is needed")
        found: dict[str | None, KeyChoice | None] = {}
        for members in listed:
            name = members.get("kid") if isinstance(members, Mapping) else None
            choice = _usable(members)
            if choice is not None and (name is None or isinstance(name, str)):
                found[name] = None if name in found else choice
        self._named: Final = {name: choice for name, choice in found.items() if choice is not None}
        if not self._named:
            raise KeysError("the key set has no key that can be used, each under a name of its own")

    def get(self, name: str | None) -> KeyChoice | None:
        """Return the key of a name. A token without a name means the only key, if there is only one."""
        if name is None and len(self._named) == 1:
            return next(iter(self._named.values()))
        return self._named.get(name)

    async def find(self, name: str | None) -> KeyChoice | None:
        """See `KeySource`."""
        return self.get(name)


def _usable(members: object) -> KeyChoice | None:
    if not isinstance(members, Mapping):
        return None
    try:
        return KeyChoice(members)
    except KeysError:
        return None


class KeySource(Protocol):
    """Where the issuer's keys come from."""

    async def find(self, name: str | None) -> KeyChoice | None:
        """Return the key of a name (`kid`); None if the issuer has no such key.

        Raises:
            KeysUnavailableError: nobody knows the issuer's keys yet.
        """
        ...


def inline_keys(key_set: Mapping[str, Any]) -> Keys:
    """Return the keys of a key set.

    Raises:
        KeysError: see `Keys`.
    """
    return Keys(key_set)


def file_keys(path: Path) -> Keys:
    """Return the keys of a file, as it is now.

    Raises:
        OSError: it cannot be read.
        KeysError: it holds no key set.
    """
    try:
        return Keys(json.loads(path.read_bytes()))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise KeysError("no key set: the file is no JSON") from None
