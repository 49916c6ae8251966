"""The class that authors of tools derive from: typed arguments in, typed result out, the actor beside them (agent/A3).

```python
class RefundTool(Tool[RefundArgs, RefundView, ActorContext]):
    name = "refund_order"
    description = "Refund one order of the signed-in customer."
    effect = Effect.WRITE

    def __init__(self, refund: RefundOrderUseCase) -> None:
        self._refund = refund

    def key(self, args: RefundArgs, context: CallContext[ActorContext]) -> str:
        return args.order_id

    async def run(self, args: RefundArgs, context: CallContext[ActorContext]) -> RefundView: ...
```
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, PydanticUserError, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.canonical import canonical
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import ArgumentsError, NeverKnownError, RegistrationError
from axhub.agent.tool_arguments import open_places
from axhub.agent.tool_class import check_class

__all__ = ["Tool", "ToolArgs", "ToolResult"]


class ToolArgs(BaseModel):
    """Arguments that a model writes: strict, and closed, so that nothing it invents is taken for something (AG-G4).

    A model within one derives from it as well; a tool of which any place takes more is refused when it is declared.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class ToolResult(BaseModel):
    """What a model reads of a result: a view of its own, never an object of the domain (agent/A3)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Args = TypeVar("Args", bound=ToolArgs)
Result = TypeVar("Result", bound=ToolResult)
A = TypeVar("A", bound=Actor)


class Tool(ABC, Generic[Args, Result, A]):
    """One tool: an inbound adapter that turns arguments into a command for a use case, and its result into a view."""

    name: ClassVar[str]
    description: ClassVar[str]
    effect: ClassVar[Effect]
    timeout_seconds: ClassVar[float] = 10.0
    return_direct: ClassVar[bool] = False
    audited: ClassVar[frozenset[str]] = frozenset()
    """Arguments whose values may stand in the audit."""
    max_result_bytes: ClassVar[int] = 16_384
    identity_exceptions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Arguments that are named like an identity and are none, each with the reason why a model may write it."""
    definition: ClassVar[ToolDefinition]
    """What the loop knows of it; made of the above and of the type of its arguments."""

    _args: ClassVar[type[ToolArgs]]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        args = _args_of(cls)
        if args is None:
            return  # generic still: a base class of somebody's tools
        check_class(cls, ToolResult)
        cls._args = args
        cls.definition = ToolDefinition(
            name=cls.name,
            description=cls.description,
            parameters=_parameters(cls, args),
            effect=cls.effect,
            timeout_seconds=cls.timeout_seconds,
            return_direct=cls.return_direct,
            audited=cls.audited,
            max_result_bytes=cls.max_result_bytes,
            has_key=cls.key is not Tool.key,
            identity_exceptions=cls.identity_exceptions,
        )

    @abstractmethod
    async def run(self, args: Args, context: CallContext[A]) -> Result:
        """Do it.

        Raises:
            ToolError: it cannot be done, and nothing took effect; the model reads the message.
            OutcomeUnknownError: it may have taken effect.
        """

    def key(self, args: Args, context: CallContext[A]) -> str:
        """Return what makes a write the same write, such as the order's id; the tenant and the name are added.

        A tool that writes must have one; it never comes from the model but through its arguments (agent/I1).
        """
        raise NotImplementedError

    async def find(self, args: Args, context: CallContext[A]) -> Result | None:
        """Return the result of an earlier call with the same `context.key`; None: it never took effect, and will not.

        Asked when a call was lost (agent/L6). A tool that does not override it leaves such calls unknown. Look under
        the lock that the change itself takes: what is still being committed must be waited for, not be called nothing.
        """
        raise NotImplementedError

    def read(self, arguments: Mapping[str, Any]) -> Args:
        """See `ports.tools.Tool`."""
        try:
            return self._args.model_validate_json(canonical(arguments))  # type: ignore[return-value]  # the class's own
        except ValidationError as error:
            raise ArgumentsError(tuple(_problem(one) for one in error.errors(include_input=False))) from None

    def key_of(self, arguments: Args, context: CallContext[A]) -> str:
        """See `ports.tools.Tool`."""
        own: object = self.key(arguments, context)
        if not isinstance(own, str):
            raise TypeError(f"{self.name}: key() returned {type(own).__name__}; a str is needed")
        return own

    async def call(self, arguments: Args, context: CallContext[A]) -> str:
        """See `ports.tools.Tool`."""
        return self._told("run", await self.run(arguments, context))

    async def outcome(self, arguments: Args, context: CallContext[A]) -> str | None:
        """See `ports.tools.Tool`."""
        if type(self).find is Tool.find:
            raise NeverKnownError(f"{self.name} has no find()")
        found = await self.find(arguments, context)
        return None if found is None else self._told("find", found)

    def _told(self, method: str, result: object) -> str:
        """Return a result as text; of anything else nobody can say what it tells a model."""
        if not isinstance(result, ToolResult):
            given = type(result).__name__
            raise TypeError(f"{self.name}: {method}() returned {given}; a class that derives from ToolResult is needed")
        return result.model_dump_json()


def _args_of(cls: type) -> type[ToolArgs] | None:
    """Return the type of a tool's arguments, as it stands in `Tool[…]`; None where it is a variable yet.

    Raises:
        RegistrationError: it is something else.
    """
    for base in getattr(cls, "__orig_bases__", ()):
        origin = get_origin(base)
        if not isinstance(origin, type) or not issubclass(origin, Tool):
            continue
        if origin is Tool:
            _check_types(cls, get_args(base))
        for one in get_args(base):
            if isinstance(one, type) and issubclass(one, ToolArgs):
                return one
    found: type[ToolArgs] | None = getattr(cls, "_args", None)
    if found is None and hasattr(cls, "name") and not getattr(cls, "__parameters__", ()):
        raise RegistrationError(f"{cls.__name__}: its types are not known; derive from Tool[Arguments, Result, Actor]")
    return found


def _check_types(cls: type, types: tuple[Any, ...]) -> None:
    for one, wanted, what in zip(types, (ToolArgs, ToolResult), ("arguments", "result"), strict=False):
        if not isinstance(one, TypeVar) and not (isinstance(one, type) and issubclass(one, wanted)):
            name = getattr(one, "__name__", one)
            raise RegistrationError(f"{cls.__name__}: its {what}, {name}, must derive from {wanted.__name__}")


def _parameters(cls: type, args: type[ToolArgs]) -> Mapping[str, Any]:
    """Return the schema that a model is shown.

    Raises:
        RegistrationError: it cannot be shown, a place in it is open or lax, or a field has no description.
    """
    try:
        schema = args.model_json_schema(schema_generator=_Untitled)
    except PydanticUserError as error:
        raise RegistrationError(f"{cls.__name__}: no schema can be made of {args.__name__}: {error}") from error
    for problem in open_places(args, ToolArgs):
        raise RegistrationError(f"{cls.__name__}: {problem}")
    for model in (schema, *schema.get("$defs", {}).values()):
        model.pop("title", None)
        for name, field in model.get("properties", {}).items():
            if not field.get("description"):
                raise RegistrationError(f"{cls.__name__}: the argument {name} has no description; a model needs one")
    return schema


class _Untitled(GenerateJsonSchema):
    """Schemas without titles, which say nothing that the names do not."""

    def field_title_should_be_set(self, _schema: Any) -> bool:
        """See Pydantic."""
        return False


def _problem(error: Any) -> str:
    """Return where arguments do not fit and what is allowed there, without what the model wrote (AG-P22)."""
    place = "/".join(str(part) for part in error["loc"]) or "the arguments"
    return f"{place}: {error['msg']}"
