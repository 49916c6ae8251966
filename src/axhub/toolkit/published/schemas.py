"""JSON Schema of models and resources, rendered for language models (toolkit/T7).

Providers refuse or misread references, titles, `const` and nullable unions, so none of these is published where the
same can be said without them.
"""

import inspect
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonRef, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from axhub.contract.schema_growth import growing_places
from axhub.contract.schema_refs import read_references
from axhub.contract.schema_walk import Path, walk
from axhub.toolkit.models import DECIMAL_TEXT
from axhub.toolkit.published.rendering import render

__all__ = ["NO_ARGUMENTS", "GrowingUnion", "growing_unions", "input_schema", "output_schema", "rendered_resource"]

NO_ARGUMENTS: Final[Mapping[str, Any]] = {"type": "object", "properties": {}, "additionalProperties": False}
"""The input schema of a tool without arguments."""

_DEFINITIONS: Final = "$defs"
_TAGGED: Final = frozenset({"oneOf"})
"""How pydantic writes a union of which a discriminator picks the branch; any other union is `anyOf`."""
_BOUNDS: Final = "x-bounds"
"""Where the bounds of a decimal stand until they go into its description: no keyword of JSON Schema bounds text so."""
_BOUND_WORDS: Final = {
    "gt": "> {}",
    "ge": ">= {}",
    "lt": "< {}",
    "le": "<= {}",
    "multiple_of": "a multiple of {}",
    "max_digits": "digits <= {}",
    "decimal_places": "decimals <= {}",
}
_CLASSES: Final = frozenset({"dataclass", "enum", "model", "typed-dict"})
_DOCUMENT_WORDS: Final = ("$schema", "$id", "$comment")


def input_schema(model: type[BaseModel] | None) -> dict[str, Any]:
    """Return what a request model accepts, in names as they are on the wire; of None, that of a tool without arguments.

    Raises:
        ValueError: the model has a type that no JSON Schema can say; the message names it.
    """
    return dict(NO_ARGUMENTS) if model is None else _of_model(model, "validation")


def output_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return what a response model writes.

    Raises:
        ValueError: as `input_schema`.
    """
    return _of_model(model, "serialization")


class GrowingUnion(NamedTuple):
    """A union that is inside itself, and whose branches cannot be told apart before all of them were tried."""

    model: str
    """Name of the class with the field."""
    field: str
    """The field's name on the wire."""
    branches: tuple[str, ...]
    """Names of the models that it is a union of."""


def growing_unions(model: type[BaseModel]) -> list[GrowingUnion]:
    """Return the unions of a request model against which a small argument takes forever: twice as long a level.

    A union that stands in several places is told once.

    Raises:
        ValueError: as `input_schema`.
    """
    raw = _raw(model, "validation")
    places = {place.path: place for place in walk(raw)}
    if not any(isinstance(place.schema, dict) and "$ref" in place.schema for place in places.values()):
        return []
    found, _ = read_references(places)
    unions: dict[frozenset[str], GrowingUnion] = {}
    for path in growing_places(found, _TAGGED):
        union = _union(path, places[path].schema, model)
        unions.setdefault(frozenset(union.branches), union)
    return [union for union in unions.values() if union.branches]


def rendered_resource(schema: Any) -> Any:
    """Return a schema from a file in the same form; what it accepts stays the same.

    Objects are not closed here: that would change what it says, and is for its author to do (rule/TK311).
    """
    if not isinstance(schema, dict):
        return schema
    return render({name: value for name, value in schema.items() if name not in _DOCUMENT_WORDS}, close=False)


def _of_model(model: type[BaseModel], mode: JsonSchemaMode) -> dict[str, Any]:
    rendered: dict[str, Any] = render(_raw(model, mode), close=True)
    for place in walk(rendered):
        if isinstance(place.schema, dict) and _BOUNDS in place.schema:
            _describe_bounds(place.schema)
    return rendered


def _describe_bounds(schema: dict[str, Any]) -> None:
    bounds = schema.pop(_BOUNDS)
    description = schema.get("description")
    said = {"description": bounds if not description else f"{description} ({bounds})"}
    rest = dict(schema)
    kind = {"type": rest.pop("type")} if "type" in rest else {}
    schema.clear()
    schema |= kind | said | {name: value for name, value in rest.items() if name not in said}


def _raw(model: type[BaseModel], mode: JsonSchemaMode) -> dict[str, Any]:
    try:
        return model.model_json_schema(by_alias=True, mode=mode, schema_generator=_Generator)
    except Exception as error:  # pydantic's errors of this kind share no base, and hooks of a model may raise anything
        raise ValueError(f"{model.__qualname__}: {str(error).partition(chr(10))[0]}") from error


def _union(path: Path, schema: Any, model: type[BaseModel]) -> GrowingUnion:
    branches = schema.get("anyOf", ()) if isinstance(schema, dict) else ()
    names = [str(branch.get("$ref", "")).rpartition("/")[2] for branch in branches if isinstance(branch, dict)]
    inner = path[:1] == (_DEFINITIONS,)
    steps = path[2:] if inner else path
    field = steps[steps.index("properties") + 1] if "properties" in steps else ""
    return GrowingUnion(path[1] if inner else model.__name__, field, tuple(filter(None, names)))


class _Generator(GenerateJsonSchema):
    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - the base class wants a set

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Say that a decimal is text: a number of JSON is read as binary by many, and then 0.1 is no longer 0.1."""
        said: Mapping[str, Any] = {**schema}
        bounds = ", ".join(text.format(said[name]) for name, text in _BOUND_WORDS.items() if said.get(name) is not None)
        return {"type": "string", "pattern": DECIMAL_TEXT, **({_BOUNDS: bounds} if bounds else {})}

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """Leave docstrings out: they are for who reads the source; a model reads `Desc` and `json_schema_extra`."""
        generated = super().generate_inner(schema)
        docstring = inspect.cleandoc(getattr(schema.get("cls"), "__doc__", None) or "")
        reference = generated.get("$ref")
        target = generated if reference is None else self.get_schema_from_definitions(JsonRef(reference)) or generated
        if schema["type"] in _CLASSES and target.get("description") == docstring:
            del target["description"]
        return generated
