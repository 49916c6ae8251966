"""Whether a tool's arguments are closed and strict at every depth: what is approved is what runs (agent/A7, AG-G4).

A model in a model has a configuration of its own, so one that is not `ToolArgs` takes members that no schema shows and
turns "100" into 100. What is walked is Pydantic's own description of a model, since nothing else decides.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel

__all__ = ["open_places"]

_NO_PLACE: Final = frozenset({"metadata", "config", "default", "expected", "members", "serialization", "cls"})
"""Members of a description that describe no place of the arguments."""
_NOT_BY_ITSELF: Final = "is not closed and strict by itself; use a model that derives from {base}"
_OPEN: Final = {
    "dict": "a mapping takes any members; use a model that derives from {base}, or a list of them",
    "any": "Any and object take everything; use the type that is meant",
    "json": "text that is JSON inside is shown to nobody; use the type that is meant",
    "typed-dict": f"a TypedDict {_NOT_BY_ITSELF}",
    "dataclass": f"a dataclass {_NOT_BY_ITSELF}",
    "call": f"a named tuple {_NOT_BY_ITSELF}",
    "named-tuple": f"a named tuple {_NOT_BY_ITSELF}",
}
_LOOSE: Final = "strict=False takes values of other types, such as text for a number; leave it out"
_NEEDED: Final = (("extra_fields_behavior", "extra", "forbid"), ("strict", "strict", True))
_BY_NAME: Final = "validate_by_name"


def open_places(args: type[BaseModel], base: type[BaseModel]) -> Iterator[str]:
    """Yield where a tool's arguments take more than a model and an approver are shown, and the mend.

    Args:
        args: the model of the arguments.
        base: what it and each model in it has to derive from.
    """
    yield from _walked(args.__pydantic_core_schema__, "", base)


def _walked(node: Any, at: str, base: type[BaseModel]) -> Iterator[str]:
    if isinstance(node, list | tuple):
        for inner in node:
            yield from _walked(inner, at, base)
    if not isinstance(node, Mapping):
        return
    kind = node.get("type")
    if isinstance(kind, str) and kind in _OPEN:
        yield f"{at}: {_OPEN[kind].format(base=base.__name__)}"
        return
    if kind == "model":
        at = node["cls"].__name__
        yield from _of_model(node, at, base)
    if node.get("strict") is False:
        yield f"{at}: {_LOOSE}"
    for place, inner in _inner(node, at):
        yield from _walked(inner, place, base)


def _inner(node: Mapping[str, Any], at: str) -> Iterator[tuple[str, Any]]:
    """Yield what stands in a description, and where that is."""
    for member, inner in node.items():
        if member == "fields" and isinstance(inner, Mapping):
            yield from ((f"{at}.{name}", field) for name, field in inner.items())
        elif member not in _NO_PLACE:
            yield at, inner


def _of_model(node: Mapping[str, Any], at: str, base: type[BaseModel]) -> Iterator[str]:
    model: type[BaseModel] = node["cls"]
    if not issubclass(model, base):
        yield f"{at} {_NOT_BY_ITSELF.format(base=base.__name__)}"
        return
    config = node.get("config", {})
    for member, said, needed in _NEEDED:
        if config.get(member) != needed:
            yield f"{at}: its model_config must not change {said}; leave {said}={needed!r} as {base.__name__} has it"
    yield from _names(node, at, model, config)


def _names(node: Mapping[str, Any], at: str, model: type[BaseModel], config: Mapping[str, Any]) -> Iterator[str]:
    """Look at the names that a model takes: each stands in its schema, and in one form."""
    shown = _shown(model)
    for name, field in _fields(node).items():
        alias = field.get("validation_alias", name)
        if not isinstance(alias, str):
            yield f"{at}.{name}: AliasChoices and AliasPath take names that no schema shows; use one alias"
        elif alias != name and config.get(_BY_NAME):
            yield f"{at}.{name}: it is taken by its alias and by its name, and the schema shows one; leave out by-name"
        elif alias not in shown:
            yield f"{at}.{name}: the schema does not show it, and it is taken; take it out of the model"


def _fields(node: Any) -> Mapping[str, Any]:
    """Return the fields of a model, which validators may stand around."""
    while isinstance(node, Mapping) and node.get("type") != "model-fields":
        node = node.get("schema")
    fields: Mapping[str, Any] = {} if node is None else node["fields"]
    return fields


def _shown(model: type[BaseModel]) -> Mapping[str, Any]:
    schema = model.model_json_schema()
    reference = schema.get("$ref")
    if reference is not None:
        schema = schema["$defs"][reference.rpartition("/")[2]]
    shown: Mapping[str, Any] = schema.get("properties", {})
    return shown
