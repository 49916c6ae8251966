"""What a declared function takes and answers, by the types of its parameters (toolkit/T1, toolkit/T2)."""

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, Final

from pydantic import BaseModel

from axhub.toolkit.context import ToolContext
from axhub.toolkit.facts.service import Place
from axhub.toolkit.models import HttpBody, Input, Output

__all__ = ["Signature", "SignatureError", "implementing_signature", "is_model", "read_signature", "shown"]

_UNNAMED: Final = frozenset(
    {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
)
_SELF: Final = "self"
_ROLES: Final = ("request_parameter", "context_parameter")


class SignatureError(Exception):
    """Why a function cannot be a tool: a kind of `rules.telling.unusable` with its values.

    `place` is None where that is the declaration's.
    """

    def __init__(self, kind: str, place: Place | None = None, /, **values: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.place = place
        self.values: Mapping[str, str] = values


@dataclass(slots=True)
class Signature:
    """The parameters of a tool by what they are."""

    request: type[BaseModel] | None = None
    request_parameter: str | None = None
    context_parameter: str | None = None
    dependencies: dict[str, Any] = field(default_factory=dict)
    answer: Any = None
    """The annotation of what it returns."""


def read_signature(function: Callable[..., Any], *, is_method: bool) -> Signature:
    """Read a declared function.

    Args:
        function: as it is declared.
        is_method: whether `self` comes first; then whatever is neither request nor context belongs to the constructor.

    Raises:
        SignatureError: it cannot be used; without the value `function`.
    """
    signature = Signature()
    for parameter in _parameters(function, is_method):
        if parameter.kind in _UNNAMED:
            raise SignatureError("star-parameter", parameter=parameter.name)
        if parameter.annotation is inspect.Parameter.empty:
            if parameter.name == _SELF:
                raise SignatureError("stray-self")
            raise SignatureError("no-annotation", parameter=parameter.name)
        annotation = _resolved(function, parameter.name, parameter.annotation)
        _place(signature, parameter.name, annotation, is_method)
    returned = inspect.signature(function).return_annotation
    if returned is inspect.Signature.empty:
        raise SignatureError("no-return")
    signature.answer = _resolved(function, "return", returned)
    if is_model(signature.answer) and not issubclass(signature.answer, Output | HttpBody):
        raise SignatureError("not-output", type=signature.answer.__name__)
    return signature


def implementing_signature(signature: Signature, declared: Callable[..., Any], runner: Callable[..., Any]) -> Signature:
    """Return a declared method's signature in the names that the method implementing it gives its parameters.

    What has a type in the implementing method is placed by it, so that the order may differ; what has none by its name,
    else by its place among the rest. Types have to fit: it takes what is declared or more, and answers that or less.

    Args:
        signature: of the declared method.
        declared: the declared method.
        runner: the method that implements it.

    Raises:
        SignatureError: it takes or answers something else; without the value `function`.
    """
    theirs, ours = _parameters(declared, is_method=True), _parameters(runner, is_method=True)
    typed = Signature()
    untyped: list[str] = []
    if len(theirs) != len(ours) or any(one.kind in _UNNAMED for one in ours):
        raise _other_parameters(theirs, ours, runner)
    for parameter in ours:
        if parameter.annotation is inspect.Parameter.empty:
            untyped.append(parameter.name)
        else:
            _place(typed, parameter.name, _resolved(runner, parameter.name, parameter.annotation), is_method=True)
    _check_types(signature, typed, runner)
    wanted = {getattr(signature, role): role for role in _ROLES if getattr(typed, role) is None}
    missing = [wanted[one.name] for one in theirs if one.name in wanted]
    if len(missing) != len(untyped):
        raise _other_parameters(theirs, ours, runner)
    by_name = {name: role for name, role in wanted.items() if name is not None}
    placed = by_name if by_name.keys() == set(untyped) else dict(zip(untyped, missing, strict=True))
    names = {role: getattr(typed, role) for role in _ROLES} | {role: name for name, role in placed.items()}
    return replace(signature, **names)


def is_model(annotation: Any) -> bool:
    """Say whether an annotation is a model class."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def shown(annotation: Any) -> str:
    """Return an annotation as its author would write it."""
    return (
        annotation.__qualname__
        if isinstance(annotation, type) and annotation.__module__ != "types"
        else str(annotation)
    )


def _parameters(function: Callable[..., Any], is_method: bool) -> list[inspect.Parameter]:
    found = list(inspect.signature(function).parameters.values())
    if not is_method:
        return found
    if not found or found[0].kind is inspect.Parameter.KEYWORD_ONLY:
        raise SignatureError("not-a-method", what=f"def {function.__name__}()")
    return found[0 if found[0].kind in _UNNAMED - {inspect.Parameter.POSITIONAL_ONLY} else 1 :]


def _resolved(function: Callable[..., Any], name: str, annotation: Any) -> Any:
    holder = SimpleNamespace(__annotations__={name: annotation})
    names = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return typing.get_type_hints(holder, names)[name]
    except Exception as error:  # an annotation is code of the author's
        text = annotation if isinstance(annotation, str) else shown(annotation)
        raise SignatureError("unknown-type", parameter=name, type=text, error=str(error)) from error


def _other_parameters(
    declared: list[inspect.Parameter], found: list[inspect.Parameter], runner: Callable[..., Any]
) -> SignatureError:
    values = {"declared": _written(declared), "found": _written(found)}
    return SignatureError("other-parameters", candidate=runner.__qualname__, **values)


def _written(parameters: list[inspect.Parameter]) -> str:
    texts = (
        one.name if one.annotation is inspect.Parameter.empty else f"{one.name}: {shown(one.annotation)}"
        for one in parameters
    )
    return ", ".join(("self", *texts))


def _check_types(declared: Signature, found: Signature, runner: Callable[..., Any]) -> None:
    candidate = runner.__qualname__
    request = declared.request
    if found.request is not None and request is not None and not issubclass(request, found.request):
        raise SignatureError("other-request", candidate=candidate, found=shown(found.request), declared=shown(request))
    returned = inspect.signature(runner).return_annotation
    if returned is inspect.Signature.empty or not is_model(declared.answer):
        return
    answer = _resolved(runner, "return", returned)
    if not is_model(answer) or not issubclass(answer, declared.answer):
        values = {"found": shown(answer), "declared": shown(declared.answer)}
        raise SignatureError("other-answer", candidate=candidate, **values)


def _place(signature: Signature, name: str, annotation: Any, is_method: bool) -> None:
    if annotation is ToolContext or set(typing.get_args(annotation)) == {ToolContext, type(None)}:
        if signature.context_parameter is not None:
            raise SignatureError("two-contexts", parameters=f"{signature.context_parameter}, {name}")
        signature.context_parameter = name
    elif is_model(annotation):
        if not issubclass(annotation, Input):
            raise SignatureError("not-input", type=annotation.__name__)
        if signature.request_parameter is not None:
            raise SignatureError("two-requests", parameters=f"{signature.request_parameter}, {name}")
        signature.request, signature.request_parameter = annotation, name
    elif not isinstance(annotation, type) or annotation.__module__ in {"builtins", "typing"}:
        raise SignatureError("plain-parameter", parameter=name, type=shown(annotation))
    elif is_method:
        raise SignatureError("extra-parameter", parameter=name, type=shown(annotation))
    else:
        signature.dependencies[name] = annotation
