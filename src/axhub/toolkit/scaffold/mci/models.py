"""Writes what agents send to a tool in front of an MCI interface, and what they get, after its layouts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from types import GenericAlias
from typing import Annotated, Any, Final

from pydantic import create_model
from pydantic.alias_generators import to_camel

from axhub.toolkit.models import Desc, Input
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.scaffold.mci.parts import Part, value_of
from axhub.toolkit.scaffold.python_text import Bracketed, imported

__all__ = ["Models", "arguments_of", "dto_module", "schema_of"]

_MOMENTS: Final = {"datetime": r"^[0-9-]{10}T[0-9:]{8}$", "time": r"^[0-9]{2}:[0-9]{2}:[0-9]{2}$"}
"""Agents write them as text: no schema has a moment without a time zone."""
_SEEN: Final[Mapping[str, Any]] = {"str": str, "int": int, "Decimal": Decimal, "date": date}
_GROUPS: Final = ("group", "rows")


@dataclass(slots=True)
class Models:
    """The classes of one direction."""

    words: str
    """What their names begin with: `ClaimSearchRequest`."""
    base: str
    """`Input` or `Output`."""
    texts: Mapping[str, str]
    classes: list[str] = field(default_factory=list)
    names: dict[tuple[str, tuple[Part, ...]], str] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)

    def class_of(self, part: Part) -> str:
        """Return the name of the class of a group or row; one for the same layout with the same fields."""
        return self.names.setdefault((part.layout, part.members), f"{self.words}{part.layout.replace('_', '')}")

    def description_of(self, part: Part) -> str:
        """Return what stands there until a person writes it."""
        kind = "todo_rows" if part.type == "rows" else "todo_nullable" if part.optional else "todo_field"
        return self.texts[f"{kind}_noted" if part.note else kind].format(name=part.name, note=part.note)


def dto_module(tool: str, asked: Sequence[Part], told: Sequence[Part], request: Models, response: Models) -> str:
    """Return the text of the tool's module in `dto`."""
    _write(request, asked, request.words, "What an agent sends.", decorator="")
    _write(response, told, response.words, "What it gets.", decorator="@output_schema\n")
    types = request.types | response.types
    modules = {"datetime": ["date"] if "date" in types else [], "decimal": ["Decimal"] if "Decimal" in types else []}
    if request.types or response.types:
        modules["typing"] = ["Annotated"]
    standard = "\n".join(imported(modules))
    own = "\n".join(imported({"axhub.toolkit": ["Desc", "Input", "Output", "output_schema"]}))
    head = f'"""What agents send to {tool}, and what they get."""\n\n{standard}\n\n{own}'
    return "\n\n\n".join((head, *request.classes, *response.classes)) + "\n"


def _write(models: Models, parts: Sequence[Part], name: str, about: str, decorator: str) -> None:
    for part in parts:
        if part.type in _GROUPS and not any(f"class {models.class_of(part)}(" in one for one in models.classes):
            _write(models, part.members, models.class_of(part), "A part of it.", "")
    fields = "\n".join(f"    {_field(models, part)}" for part in parts) or "    pass"
    models.classes.append(f'{decorator}class {name}({models.base}):\n    """{about}"""\n\n{fields}')


def _field(models: Models, part: Part) -> str:
    type_ = _type(models, part)
    models.types.add(part.type)
    described = Bracketed("Desc(", list(_description(models, part)), ")")
    default = " = None" if part.optional and models.base == "Input" else ""
    return Bracketed(f"{part.seen_as}: Annotated[", [type_, described], f"]{default}").written(4)


def _type(models: Models, part: Part) -> str:
    if part.type in _GROUPS:
        name = models.class_of(part)
        return f"list[{name}]" if part.type == "rows" else name
    seen = "str" if part.type in _MOMENTS else part.type
    return f"{seen} | None" if part.optional else seen


def _description(models: Models, part: Part) -> Iterator[str]:
    yield f'"{models.description_of(part)}"'
    if models.base == "Input":
        for key, value in _bounds(part).items():
            written = f'"{value}"' if isinstance(value, str) else f"{value}"
            yield f"{key}={written}"


def _bounds(part: Part) -> Mapping[str, Any]:
    """Return what `Desc` says of a field of a request besides its description."""
    if part.type in _GROUPS:
        return {"max_length": part.most} if part.type == "rows" else {}
    example = {"example": value_of(part)}
    if part.type == "str":
        return {**example, "min_length": 1, "max_length": part.size}
    if part.type == "int":
        most = 10**part.digits - 1
        return {**example, "ge": -most if part.signed else 0, "le": most}
    return {**example, "pattern": _MOMENTS[part.type]} if part.type in _MOMENTS else example


def schema_of(models: Models, parts: Sequence[Part]) -> dict[str, Any]:
    """Return the schema of what agents send, as the model in the text above has it, without examples."""
    schema: dict[str, Any] = _without_examples(input_schema(_model(models, parts)))
    return schema


def _model(models: Models, parts: Sequence[Part]) -> Any:
    fields = {part.seen_as: (_annotated(models, part), None if part.optional else ...) for part in parts}
    return create_model(models.words, __base__=Input, **fields)  # type: ignore[call-overload]  # names are not known here


def _annotated(models: Models, part: Part) -> Any:
    if part.type in _GROUPS:
        inner = _model(models, part.members)
        seen: Any = GenericAlias(list, (inner,)) if part.type == "rows" else inner
    else:
        seen = _SEEN.get(part.type, str)
    return Annotated[seen | None if part.optional else seen, Desc(models.description_of(part), **_bounds(part))]


def _without_examples(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_examples(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_examples(one) for name, one in value.items()}
        if key == "properties"
        else _without_examples(value)
        for key, value in schema.items()
        if key != "examples"
    }


def arguments_of(parts: Sequence[Part]) -> dict[str, Any]:
    """Return an example of the fields, by their names on the wire."""
    return {to_camel(part.seen_as): _wire(part) for part in parts}


def _wire(part: Part) -> Any:
    if part.type == "rows":
        return [arguments_of(part.members) for _ in range(part.repeated)]
    return arguments_of(part.members) if part.type == "group" else value_of(part)
