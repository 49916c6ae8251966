"""What a tool is to the loop, and what is refused when one is registered (agent/A5, agent/A7, agent/I1)."""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from axhub.agent.domain.canonical import digest
from axhub.agent.domain.errors import RegistrationError

__all__ = ["Effect", "ToolDefinition", "check_definition", "identity_fields"]

NAME: Final = re.compile(r"[a-z][a-z0-9_]{2,63}")
"""What every provider accepts (AG-P23, seed 003 §2)."""

_IDENTITIES: Final = frozenset(
    {
        *("actor", "actorid", "user", "userid", "username", "customerid", "employee", "employeeid", "employeeno"),
        *("tenant", "tenantid", "role", "roles", "scope", "scopes", "permission", "permissions", "onbehalfof"),
        *("subject", "sub", "principal", "session", "sessionid", "token", "accesstoken", "authorization", "apikey"),
        *("idempotencykey", "requestid", "traceid", "guid", "approval", "approvalid", "approved", "approver"),
    }
)
"""Names of arguments that only the server may decide, without case and punctuation (AG-P20)."""
_NAMES_ARGUMENTS: Final = frozenset({"properties", "patternProperties"})
_HOLDS_VALUES: Final = frozenset({"enum", "const", "default", "examples"})
_MARKS: Final = re.compile(r"[^a-z0-9]+")


class Effect(StrEnum):
    """What calling a tool does to the world."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """The declaration of one tool."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of its arguments."""
    effect: Effect
    timeout_seconds: float = 10.0
    return_direct: bool = False
    """Whether its result is the answer, if every call of the batch says so and succeeded (agent/L3)."""
    audited: frozenset[str] = frozenset()
    """Top-level arguments whose values may stand in the audit (agent/I3); of all others only the hash does."""
    max_result_bytes: int = 16_384
    """What the model reads of a result at most (agent/L7)."""
    has_key: bool = False
    """Whether it makes a business key of its arguments."""

    digest: str = field(init=False)
    """The hash of what a model and an approver are shown; an approval holds for this one only (agent/R2)."""

    def __post_init__(self) -> None:
        shown = {"name": self.name, "description": self.description, "parameters": self.parameters}
        object.__setattr__(self, "digest", digest({**shown, "effect": self.effect.value}))


def check_definition(definition: ToolDefinition) -> None:
    """Refuse a tool that cannot be offered safely.

    Raises:
        RegistrationError: which tool, what is wrong, and what to do.
    """
    for problem in _problems(definition):
        raise RegistrationError(f"tool {definition.name!r}: {problem}")


def _problems(definition: ToolDefinition) -> Iterator[str]:
    if NAME.fullmatch(definition.name) is None:
        yield "the name is not 3 to 64 of a-z, 0-9 and _, beginning with a letter; providers refuse others"
    if not definition.description.strip():
        yield "it has no description; say what it does and when to use it"
    if definition.parameters.get("type") != "object":
        yield "its arguments are no JSON object; give it a model with fields"
    for pointer in identity_fields(definition.parameters):
        yield f"the argument {pointer} is decided by the server, never by a model; take it from the context"
    if definition.effect is Effect.WRITE and not definition.has_key:
        yield "it writes and has no key(); return what makes the request the same request, such as the order's id"
    yield from _bounds(definition)


def _bounds(definition: ToolDefinition) -> Iterator[str]:
    if not 0 < definition.timeout_seconds < math.inf:
        yield "timeout_seconds must be above 0"
    if definition.max_result_bytes <= 0:
        yield "max_result_bytes must be above 0"
    for name in sorted(definition.audited - definition.parameters.get("properties", {}).keys()):
        yield f"audited names {name}, which is none of its arguments"


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


def _identities_of(properties: Mapping[str, Any], at: str) -> Iterator[str]:
    for name, schema in properties.items():
        pointer = f"{at}/{name}"
        if _MARKS.sub("", unicodedata.normalize("NFKC", name).lower()) in _IDENTITIES:
            yield pointer
        yield from identity_fields(schema, pointer)
