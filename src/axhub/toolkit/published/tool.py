"""One tool: as it is found in a package, and as it is published with its definition and schemas.

Plain values that the service executes, and the check looks at.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from axhub.toolkit.declare import Declaration
from axhub.toolkit.facts.service import Kind, Place
from axhub.toolkit.published.validation import SchemaValidator

__all__ = ["FoundTool", "PublishedTool", "Repeat", "Texts"]


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A declared tool whose function can be called; all its annotations are resolved."""

    declaration: Declaration
    function: Callable[..., Awaitable[Any]]
    """The function that runs: of a method the plain function of `owner`, which wants `self` first."""
    owner: type | None
    """The concrete class to be built for it; None: a module's function."""
    request: type[BaseModel] | None
    """The request model; None: a tool without arguments."""
    request_parameter: str | None
    """Name of the parameter that takes it."""
    context_parameter: str | None
    """Name of the parameter that takes the `ToolContext`, if there is one."""
    dependencies: Mapping[str, Any]
    """Other parameters of a module's function by name with their types: what the wiring has to supply."""
    response: type[BaseModel]
    """The response model."""
    place: Place
    """Of the declared function, relative to the project's root."""

    @property
    def name(self) -> str:
        """The authored name."""
        return self.declaration.name


@dataclass(frozen=True, slots=True)
class Texts:
    """What a definition says in the manifest (toolkit/T8)."""

    title: str
    description: str
    """The four parts, each on its own line."""
    version: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """How a tool that writes is kept from doing it twice (rule/TK804); one of the two is filled."""

    key: tuple[str, ...] = ()
    """Wire names of the arguments that make up the business key."""
    legacy: str = ""
    """Why the legacy system's own protection is relied on."""


@dataclass(frozen=True, slots=True)
class PublishedTool:
    """A tool with everything that serving it needs."""

    found: FoundTool
    published_name: str
    """With the service's namespace before it (decision/D4)."""
    texts: Texts
    input_schema: Mapping[str, Any]
    """As published: the resource's, else the request model's (decision/D12)."""
    input_kind: Kind
    output_schema: Mapping[str, Any] | None
    """What results are validated against (toolkit/S4): the resource's, else the marked model's, else None."""
    output_kind: Kind
    timeout_millis: int
    enabled: bool = True
    """False: in the manifest with `_meta.enabled: false`, and not executed (decision/D7)."""
    repeat: Repeat | None = None
    required_env_keys: tuple[str, ...] = ()
    """Environment variables without which the service does not start (toolkit/S7)."""
    input_validator: SchemaValidator | None = field(default=None, compare=False)
    """Judges arguments before the request model does; None: the model alone says it all."""
    output_validator: SchemaValidator | None = field(default=None, compare=False)
    """Judges results; None where no output schema is declared."""

    @property
    def name(self) -> str:
        """The authored name."""
        return self.found.declaration.name

    @property
    def register(self) -> bool:
        """False: not in the manifest, executed in the profile `local` only (decision/D7)."""
        return self.found.declaration.register
