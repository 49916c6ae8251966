"""Which tools of a catalogue an application wants, and what it says of each (agent/A9, agent/I1).

```python
{
    Capability.FIND_CLAIMS: [reads("claims.search")],
    Capability.REGISTER_CLAIM: [
        writes("claims.register", digest="sha256:…", key=["contract_no", "accident_date"]),
    ],
}
```
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.canonical import canonical
from axhub.agent.domain.definition import NAME, Effect
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.domain.names import model_name

__all__ = ["CatalogueTool", "Find", "Key", "by_hint", "name_of", "named", "reads", "writes"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")

Key = Callable[[Mapping[str, Any], CallContext[A]], str]
"""Makes the business key of a write of its arguments; tenant and name of the tool are added."""
Find = Callable[[Mapping[str, Any], CallContext[A]], Awaitable[str | None]]
"""Says what became of a write that was lost, by `context.key`: its result; None if it never took effect and will not.

Raises `OutcomeUnknownError` if that cannot be told yet.
"""

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_SECONDS: Final = 10.0
_BYTES: Final = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueTool(Generic[A]):
    """One tool of a catalogue; `reads`, `writes` and `by_hint` make it."""

    tool: str
    """Its name in the catalogue."""
    effect: Effect | None
    """None: what its `readOnlyHint` says."""
    name: str | None
    """What the model calls it; None: made of `tool`."""
    digest: str | None
    """The definition that was approved (`published_digest`); with another one it is not offered."""
    key: Key[A] | None
    key_arguments: tuple[str, ...]
    """The arguments that the key is made of; empty if something else makes it."""
    find: Find[A] | None
    audited: frozenset[str]
    timeout_seconds: float
    max_result_bytes: int
    identity_exceptions: tuple[tuple[str, str], ...] = ()
    """Arguments that are named like an identity and are none, each with the reason why a model may write it."""


def reads(
    tool: str,
    *,
    name: str | None = None,
    digest: str | None = None,
    audited: AbstractSet[str] = frozenset(),
    identity_exceptions: Mapping[str, str] = _NONE,
    timeout_seconds: float = _SECONDS,
    max_result_bytes: int = _BYTES,
) -> CatalogueTool[Any]:
    """Return a tool that only reads: the application says so, whatever the catalogue hints.

    Args:
        tool: its name in the catalogue.
        name: what the model calls it; None: made of `tool`.
        digest: the definition that was approved; None: any.
        audited: arguments whose values may stand in the audit.
        identity_exceptions: arguments (`ownerName`, in an object `car/ownerName`) that are named like an identity and
            are none: why a model may write each.
        timeout_seconds: of a call.
        max_result_bytes: what the model reads of a result.
    """
    return CatalogueTool(
        tool=tool,
        effect=Effect.READ,
        name=name,
        digest=digest,
        key=None,
        key_arguments=(),
        find=None,
        audited=frozenset(audited),
        timeout_seconds=timeout_seconds,
        max_result_bytes=max_result_bytes,
        identity_exceptions=tuple(sorted(identity_exceptions.items())),
    )


def writes(  # noqa: PLR0913 -- every choice is a keyword
    tool: str,
    *,
    digest: str,
    key: Key[Any] | Sequence[str],
    find: Find[Any] | None = None,
    name: str | None = None,
    audited: AbstractSet[str] = frozenset(),
    identity_exceptions: Mapping[str, str] = _NONE,
    timeout_seconds: float = _SECONDS,
    max_result_bytes: int = _BYTES,
) -> CatalogueTool[Any]:
    """Return a tool that changes something.

    Args:
        tool: its name in the catalogue.
        digest: the definition that was approved, as `tool_digests` shows it.
        key: what makes a write the same write: names of required arguments, or a function.
        find: what became of a call that was lost; None: a person has to look.
        name: what the model calls it; None: made of `tool`.
        audited: arguments whose values may stand in the audit.
        identity_exceptions: arguments (`ownerName`, in an object `car/ownerName`) that are named like an identity and
            are none: why a model may write each.
        timeout_seconds: of a call.
        max_result_bytes: what the model reads of a result.
    """
    arguments = () if callable(key) else tuple(key)
    return CatalogueTool(
        tool=tool,
        effect=Effect.WRITE,
        name=name,
        digest=digest,
        key=key if callable(key) else _key_of(arguments),
        key_arguments=arguments,
        find=find,
        audited=frozenset(audited),
        timeout_seconds=timeout_seconds,
        max_result_bytes=max_result_bytes,
        identity_exceptions=tuple(sorted(identity_exceptions.items())),
    )


def by_hint(tool: str, *, name: str | None = None, timeout_seconds: float = _SECONDS) -> CatalogueTool[Any]:
    """Return a tool that is offered as long as its server says that it only reads; the server must be trusted to."""
    return CatalogueTool(
        tool=tool,
        effect=None,
        name=name,
        digest=None,
        key=None,
        key_arguments=(),
        find=None,
        audited=frozenset(),
        timeout_seconds=timeout_seconds,
        max_result_bytes=_BYTES,
    )


def name_of(source: str, tool: CatalogueTool[Any]) -> str:
    """Return what a model calls a tool of a source."""
    return tool.name or model_name(source, tool.tool)


def named(
    source: str, mapping: Mapping[C, Sequence[CatalogueTool[A]]], *, trusts_hints: bool
) -> dict[str, CatalogueTool[A]]:
    """Return all tools of a mapping by the name that the model calls them by.

    Raises:
        RegistrationError: one cannot be used, two have one name, or one stands there twice and differently.
    """
    found: dict[str, CatalogueTool[A]] = {}
    for one in (tool for tools in mapping.values() for tool in tools):
        name = name_of(source, one)
        for problem in _problems(name, one, trusts_hints):
            raise RegistrationError(f"tool {one.tool!r} of {source}: {problem}")
        if found.setdefault(name, one) != one:
            raise RegistrationError(
                f"tool {one.tool!r} of {source}: two entries have the name {name!r}; put one object under both "
                "capabilities, or give one of two tools another name"
            )
    return found


def _problems(name: str, one: CatalogueTool[Any], trusts_hints: bool) -> Iterator[str]:
    if NAME.fullmatch(name) is None:
        yield f"the name {name!r} is not 3 to 64 of a-z, 0-9 and _, beginning with a letter"
    if one.digest is not None and _DIGEST.fullmatch(one.digest) is None:
        yield "the digest is not sha256: with 64 hexadecimal digits; tool_digests() shows it"
    if one.effect is None and not trusts_hints:
        yield "by_hint() is for a server with trusts_hints=True; say reads() or writes()"
    if one.effect is Effect.WRITE and one.key is None:
        yield "it writes and has no key; name the arguments that make the request the same request"


def _key_of(arguments: tuple[str, ...]) -> Key[Any] | None:
    def key(given: Mapping[str, Any], _context: CallContext[Any]) -> str:
        return canonical([given[name] for name in arguments])

    return key if arguments else None
