"""Names of arguments that only the server may decide: who acts, for whom, with what right, as which request (agent/A7).

A name is judged by its words, since nobody can list all names: `acting_user`, `tenantCode` and `employeeNumber` have
one that says it. A tool that means something else by such a word names the argument as an exception, with the reason.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["identity_fields", "identity_names", "is_identity"]

_WORDS: Final = frozenset(
    {
        *("actor", "user", "username", "userid", "uid", "employee", "emp", "customer", "member", "owner", "principal"),
        *("tenant", "role", "roles", "permission", "permissions", "admin", "login", "impersonate", "impersonated"),
        *("session", "token", "jwt", "bearer", "auth", "authorization", "apikey", "guid", "idempotency"),
        *("approve", "approved", "approval", "approver"),
    }
)
"""Words that say it wherever they stand in a name."""
_WHOLE: Final = frozenset(
    {"scope", "scopes", "subject", "sub", "businesskey", "accesstoken", "onbehalfof", "apikey", "mcpsessionid"}
)
"""Names that say it only as a whole, without case and punctuation."""
_TOGETHER: Final = re.compile(
    r"(?:x|my|as|by|for|acting|current)?"
    r"(?:(?:actor|user|employee|emp|customer|member|owner|tenant|session|approval)"
    r"(?:ids?|nos?|num|number|code|key|name|uuid|token)"
    r"|(?:request|trace|correlation|idempotency)(?:ids?|key|token))"
)
"""Names whose words are not told apart, such as `employeeno`, and ids of requests."""
_KOREAN: Final = re.compile(
    "사번|사원|직원|고객|회원|사용자|이용자|소유자|테넌트|권한|역할|로그인|세션|토큰|인증|멱등|승인|결재자|대리인"
)
"""Korean names have no spaces, so a stem says it wherever it stands."""
_HUMPS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHERS: Final = re.compile(r"[^a-z0-9]+")
_NAMES_ARGUMENTS: Final = frozenset({"properties", "patternProperties"})
_HOLDS_VALUES: Final = frozenset({"enum", "const", "default", "examples"})


def is_identity(name: str) -> bool:
    """Say whether an argument's name is one that only the server may decide about (AG-P20)."""
    plain = unicodedata.normalize("NFKC", name)
    if _KOREAN.search(plain):
        return True
    words = [word for word in _OTHERS.split(_HUMPS.sub(" ", plain).lower()) if word]
    together = _OTHERS.sub("", plain.lower())
    if together in _WHOLE or "onbehalfof" in together or _TOGETHER.fullmatch(together):
        return True
    return not _WORDS.isdisjoint(words) or together in _WORDS


def identity_fields(schema: Any, at: str = "") -> Iterator[str]:
    """Yield the JSON pointers of all arguments, at any depth, that are named like an identity or a key of ours."""
    if isinstance(schema, list | tuple):
        for inner in schema:
            yield from identity_fields(inner, at)
    elif isinstance(schema, Mapping):
        for keyword, inner in schema.items():
            if keyword in _NAMES_ARGUMENTS and isinstance(inner, Mapping):
                yield from _identities_of(inner, at)
            elif keyword not in _HOLDS_VALUES:
                yield from identity_fields(inner, at)


def identity_names(value: Any, at: str = "") -> Iterator[str]:
    """Yield the JSON pointers of all members, at any depth of arguments, that are named like an identity.

    A schema that is not closed takes members that it does not name (agent/A7).
    """
    if isinstance(value, Mapping):
        for name, inner in value.items():
            pointer = f"{at}/{name}"
            if is_identity(name):
                yield pointer
            yield from identity_names(inner, pointer)
    elif isinstance(value, list | tuple):
        for position, inner in enumerate(value):
            yield from identity_names(inner, f"{at}/{position}")


def _identities_of(properties: Mapping[str, Any], at: str) -> Iterator[str]:
    for name, schema in properties.items():
        pointer = f"{at}/{name}"
        if is_identity(name):
            yield pointer
        yield from identity_fields(schema, pointer)
