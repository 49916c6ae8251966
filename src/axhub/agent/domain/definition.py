"""What a tool is to the loop, and what is refused when one is registered (agent/A5, agent/A7, agent/I1)."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from axhub.agent.domain.canonical import digest
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.domain.identities import identity_fields, identity_names
from axhub.contract.tool import HINTS, PUBLIC_MEMBERS

__all__ = [
    "NAME",
    "Effect",
    "ToolDefinition",
    "check_definition",
    "identity_fields",
    "identity_names",
    "published_digest",
]

NAME: Final = re.compile(r"[a-z][a-z0-9_]{2,63}")
"""What every provider accepts (AG-P23, seed 003 §2)."""


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
    identity_exceptions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Arguments (`owner`, in an object `pet/owner`) that are named like an identity and are none: why each is none."""

    digest: str = field(init=False)
    """The hash of what a model and an approver are shown; an approval holds for this one only (agent/R2)."""

    def __post_init__(self) -> None:
        """Make the digest.

        Raises:
            RegistrationError: the effect is none.
        """
        if not isinstance(self.effect, Effect):
            raise RegistrationError(
                f"tool {self.name!r}: its effect is {self.effect!r}; use Effect.READ or Effect.WRITE"
            )
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
    yield from _identities(definition)
    if definition.effect is Effect.WRITE and not definition.has_key:
        yield "it writes and has no key(); return what makes the request the same request, such as the order's id"
    yield from _bounds(definition)


def _identities(definition: ToolDefinition) -> Iterator[str]:
    named = {pointer.removeprefix("/") for pointer in identity_fields(definition.parameters)}
    for name in sorted(named - definition.identity_exceptions.keys()):
        yield (
            f"the argument /{name} is decided by the server, never by a model; take it from the context, or say in "
            "identity_exceptions why this one is a model's to write"
        )
    for name, reason in definition.identity_exceptions.items():
        if name not in named:
            yield f"identity_exceptions has {name}, which is no argument that is named like an identity"
        elif not reason.strip():
            yield f"identity_exceptions has {name} without the reason why a model may write it"


def _bounds(definition: ToolDefinition) -> Iterator[str]:
    if not 0 < definition.timeout_seconds < math.inf:
        yield "timeout_seconds must be above 0"
    if definition.max_result_bytes <= 0:
        yield "max_result_bytes must be above 0"
    for name in sorted(definition.audited - definition.parameters.get("properties", {}).keys()):
        yield f"audited names {name}, which is none of its arguments"


def published_digest(tool: Mapping[str, Any]) -> str:
    """Return `sha256:…` over what a catalogue says of a tool to everybody (agent/A9, threat/T08).

    Hashed is the RFC 8785 form of the members of gateway/K4, those that are null left out: not the order of members,
    not white space, nothing that neither a model nor an approver reads.

    Args:
        tool: as it stands in the answer of `tools/list`.

    Raises:
        NotCanonicalError: it holds a number or a text that is none.
    """
    shown = {name: tool[name] for name in PUBLIC_MEMBERS if tool.get(name) is not None}
    said = shown.pop("annotations", {})
    annotations = {name: said[name] for name in ("title", *HINTS) if said.get(name) is not None}
    return f"sha256:{digest(shown | {'annotations': annotations} if annotations else shown)}"
