"""How a tool is declared: two decorators on an async function or method (toolkit/T1, seed 003 §4).

They only note what was written, on the function itself. `ToolService` finds the notes, and `axhub check` reads the same
words from the source, so all of them are literals.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from pydantic import BaseModel

__all__ = [
    "Declaration",
    "contradiction_on",
    "declaration_of",
    "is_output_schema",
    "output_schema",
    "repeated_on",
    "tool",
    "tool_hint",
]

_NOTE: Final = "__axhub_tool__"
_APPLIED: Final = "__axhub_decorators__"
_SAID: Final = "__axhub_said__"
_MARK: Final = "__axhub_output_schema__"
_UNSAID: Final[Any] = object()
"""The default of what need not be said, so that it can be told from what was said."""

_F = TypeVar("_F", bound=Callable[..., Awaitable[Any]])
_M = TypeVar("_M", bound=type[BaseModel])


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the decorators of one tool say."""

    name: str = ""
    """The authored name, without the service's namespace (decision/D4)."""
    title: str = ""
    description: str = ""
    """For the portal; what a model reads is composed from the definition (decision/D20)."""
    register: bool = True
    """False: under development; left out of the manifest, executed in the profile `local` only (decision/D7)."""
    category_key: str = ""
    mapping_id: str | None = None
    """The MCI interface, or whatever else identifies the business link."""
    input_schema_resource: str | None = None
    """JSON Schema below `tool_schemas/` that may narrow what the request model accepts (decision/D12)."""
    output_schema_resource: str | None = None
    requires_employee: bool = False
    """Whether a call without an employee number is refused (toolkit/T3)."""


def tool(  # noqa: PLR0913 - the names that seed 003 §4 gives them, all given by name
    *,
    name: str,
    title: str,
    description: str,
    category_key: str = _UNSAID,
    register: bool = _UNSAID,
    mapping_id: str | None = _UNSAID,
    input_schema_resource: str | None = _UNSAID,
    output_schema_resource: str | None = _UNSAID,
    requires_employee: bool = _UNSAID,
) -> Callable[[_F], _F]:
    """Declare an async function or method as a tool.

    Args:
        name: `^[a-z][a-z0-9_]{2,63}$`, the same as in the definition and its file name.
        title: a short noun phrase for people, equal to `display_name` of the definition.
        description: one or two sentences: what for, under which condition, with which result.
        category_key: the folder of its definition. This and the rest may stand in `tool_hint` instead, and if in both,
            then the same.
        register: see `tool_hint`, as for all that follow.
        mapping_id: see `tool_hint`.
        input_schema_resource: see `tool_hint`.
        output_schema_resource: see `tool_hint`.
        requires_employee: see `tool_hint`.
    """
    return _noting(
        tool.__name__,
        name=name,
        title=title,
        description=description,
        register=register,
        category_key=category_key,
        mapping_id=mapping_id,
        input_schema_resource=input_schema_resource,
        output_schema_resource=output_schema_resource,
        requires_employee=requires_employee,
    )


def tool_hint(
    *,
    register: bool = _UNSAID,
    category_key: str = _UNSAID,
    mapping_id: str | None = _UNSAID,
    input_schema_resource: str | None = _UNSAID,
    output_schema_resource: str | None = _UNSAID,
    requires_employee: bool = _UNSAID,
) -> Callable[[_F], _F]:
    """Say how a tool is handled; stands beside `tool`, above or below it.

    Args:
        register: False while it is being developed: not in the manifest, executed in the profile `local` only.
        category_key: the business category, which is also the folder of the definition.
        mapping_id: the MCI interface id or another id of the link, equal to `legacy_interface_id` of the definition.
        input_schema_resource: `tool_schemas/…-input-schema.json` that narrows the request model.
        output_schema_resource: `tool_schemas/…-output-schema.json` that results are validated against.
        requires_employee: answer a call without an employee number with 403 instead of running the tool.
    """
    return _noting(
        tool_hint.__name__,
        register=register,
        category_key=category_key,
        mapping_id=mapping_id,
        input_schema_resource=input_schema_resource,
        output_schema_resource=output_schema_resource,
        requires_employee=requires_employee,
    )


def output_schema(model: _M) -> _M:
    """Mark a response model: results are validated against its schema before they leave (seed 003 §7, decision/D6)."""
    setattr(model, _MARK, model)  # the class itself, so that a subclass is not marked by inheritance
    return model


def is_output_schema(model: type) -> bool:
    """Say whether `output_schema` stands on this very class."""
    return getattr(model, _MARK, None) is model


def declaration_of(function: object) -> Declaration | None:
    """Return what the decorators noted on a function, or None if there is no note."""
    return getattr(function, _NOTE, None)


def repeated_on(function: object) -> str | None:
    """Return which of the two decorators stands on a function more than once; None: neither."""
    applied: tuple[str, ...] = getattr(function, _APPLIED, ())
    return next((name for name in applied if applied.count(name) > 1), None)


def contradiction_on(function: object) -> str | None:
    """Return what the decorators of a function say differently, such as `register`; None: nothing."""
    said: tuple[tuple[str, Any], ...] = getattr(function, _SAID, ())
    first: dict[str, Any] = {}
    return next((name for name, value in said if first.setdefault(name, value) != value), None)


def _noting(decorator: str, **arguments: Any) -> Callable[[_F], _F]:
    said = {name: value for name, value in arguments.items() if value is not _UNSAID}

    def decorate(function: _F) -> _F:
        setattr(function, _NOTE, replace(declaration_of(function) or Declaration(), **said))
        setattr(function, _SAID, (*getattr(function, _SAID, ()), *said.items()))
        setattr(function, _APPLIED, (*getattr(function, _APPLIED, ()), decorator))
        return function

    return decorate
