"""The fields of a model at every depth, with the lines where they are declared: what rules look at after an import."""

import ast
import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from axhub.contract.schema_walk import pointer as json_pointer
from axhub.toolkit.facts.service import Field, Place, Shape
from axhub.toolkit.mci import Layout
from axhub.toolkit.models import HttpBody, Masked
from axhub.toolkit.published.written import place_in

__all__ = ["fields_of", "leaks_of", "qualified_name"]

_TEXTS: Final = (str, bytes, date, datetime, time, timedelta, UUID)
_NUMBERS: Final = (int, float, Decimal)
_LISTS: Final = (list, tuple, set, frozenset)
_UNIONS: Final = frozenset({typing.Union, types.UnionType})
_MAX_DEPTH: Final = 16


@dataclass(frozen=True, slots=True)
class _Kind:
    """What an annotation says, without the notes around it."""

    shape: Shape
    nullable: bool = False
    models: tuple[type[BaseModel], ...] = ()
    """Of an object its model; of a union of models all of them."""
    inner: Any = None
    """Of a list: the annotation of its items."""
    notes: tuple[Any, ...] = ()
    """What stands beside the type in `Annotated`."""
    codes: tuple[Any, ...] = ()
    """Of a code: the values that are allowed, as they are written."""


def fields_of(model: type[BaseModel] | None, root: Path, *, written: bool) -> tuple[Field, ...]:
    """Return the fields of a model and of the models inside it, each before those inside it.

    Args:
        model: a request or response model; None: no fields.
        root: what the paths of places are relative to.
        written: whether names are those of answers (aliases for writing) or of arguments (for reading).
    """
    if model is None:
        return ()
    found = _Fields(root, written).of(model, "", ())
    return tuple({(field.pointer, field.model): field for field in found}.values())


def leaks_of(annotation: Any) -> tuple[str, ...]:
    """Return what an answer holds that is no model of its own: telegrams, HTTP bodies, `dict`, `Any`.

    As `/items: ClaimBody`.
    """
    return tuple(dict.fromkeys(_leaks(annotation, "", ())))


def qualified_name(cls: type) -> str:
    """Return the dotted name of a class."""
    return f"{cls.__module__}.{cls.__qualname__}"


@dataclass(frozen=True, slots=True)
class _Fields:
    root: Path
    written: bool

    def of(self, model: type[BaseModel], pointer: str, around: tuple[type, ...]) -> Iterator[Field]:
        if model in around or len(around) > _MAX_DEPTH:
            return
        for name, info in model.model_fields.items():
            yield from self._one(model, name, info, pointer, (*around, model))
        for name, computed in model.model_computed_fields.items() if self.written else ():
            wire = computed.alias or name
            kind = _kind(computed.return_type)
            place = _place(model, name, self.root)
            yield Field(
                pointer + json_pointer(wire),
                wire,
                qualified_name(model),
                place,
                kind.shape,
                description=computed.description or "",
                nullable=kind.nullable,
                python_name=name,
            )
            yield from self._below(kind, pointer + json_pointer(wire), (*around, model))

    def _one(
        self, model: type[BaseModel], name: str, info: FieldInfo, pointer: str, around: tuple[type, ...]
    ) -> Iterator[Field]:
        wire = _wire_name(name, info, self.written)
        here = pointer + json_pointer(wire)
        kind = _kind(info.annotation)
        notes = (*info.metadata, *kind.notes)
        masked = next((note.reason for note in notes if isinstance(note, Masked)), None)
        required = info.is_required()
        yield Field(
            here,
            wire,
            qualified_name(model),
            _place(model, name, self.root),
            kind.shape,
            item=_kind(kind.inner).shape if kind.shape is Shape.LIST else None,
            description=info.description or "",
            nullable=kind.nullable,
            required=required,
            default_null=not required and info.default is None and info.default_factory is None,
            masked=masked,
            pattern=next((found for note in notes if isinstance(found := getattr(note, "pattern", None), str)), None),
            python_name=name,
            codes=kind.codes,
        )
        yield from self._below(kind, here, around)

    def _below(self, kind: _Kind, pointer: str, around: tuple[type, ...]) -> Iterator[Field]:
        while kind.shape is Shape.LIST:
            kind, pointer = _kind(kind.inner), f"{pointer}/*"
        for model in kind.models:
            yield from self.of(model, pointer, around)


def _wire_name(name: str, info: FieldInfo, written: bool) -> str:
    alias = info.serialization_alias if written else info.validation_alias
    if isinstance(alias, AliasChoices):
        alias = next((choice for choice in alias.choices if isinstance(choice, str)), None)
    chosen = alias if isinstance(alias, str) else info.alias
    return chosen or name


def _kind(annotation: Any) -> _Kind:
    annotation, notes = _bare(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in _UNIONS:
        return _union(arguments, notes)
    if origin is typing.Literal:
        codes = tuple(one for one in arguments if one is not None)
        return _Kind(Shape.CODE, None in arguments, notes=notes, codes=tuple(map(_written, codes)))
    actual = origin if isinstance(origin, type) else annotation
    if not isinstance(actual, type):
        return _Kind(Shape.OPEN, notes=notes)
    if issubclass(actual, _LISTS) or (typing.get_origin(annotation) is not None and _is_sequence(actual)):
        return _Kind(Shape.LIST, inner=arguments[0] if arguments else Any, notes=notes)
    return _class_kind(actual, notes)


def _class_kind(actual: type, notes: tuple[Any, ...]) -> _Kind:
    shape = Shape.OPEN
    if issubclass(actual, BaseModel):
        return _Kind(Shape.OBJECT, models=(actual,), notes=notes)
    if issubclass(actual, Enum):
        return _Kind(Shape.CODE, notes=notes, codes=tuple(_written(member) for member in actual))
    if actual is bool:
        shape = Shape.SWITCH
    elif issubclass(actual, _NUMBERS):
        shape = Shape.NUMBER
    elif issubclass(actual, _TEXTS) or actual.__module__.startswith("pydantic"):
        shape = Shape.TEXT
    elif hasattr(actual, "__dataclass_fields__") or _is_typed_dict(actual):
        shape = Shape.OBJECT
    return _Kind(shape, notes=notes)


def _union(arguments: tuple[Any, ...], notes: tuple[Any, ...]) -> _Kind:
    others = [_kind(one) for one in arguments if one is not type(None)]
    nullable = len(others) < len(arguments) or any(one.nullable for one in others)
    if len(others) == 1:
        one = others[0]
        return replace(one, nullable=nullable, notes=(*notes, *one.notes))
    return _Kind(Shape.OPEN, nullable, tuple(model for one in others for model in one.models), notes=notes)


def _written(code: Any) -> Any:
    value = code.value if isinstance(code, Enum) else code
    return value if isinstance(value, str | int | float | bool) else str(value)


def _bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    notes: tuple[Any, ...] = ()
    while True:
        if typing.get_origin(annotation) is typing.Annotated:
            notes += tuple(annotation.__metadata__)
            annotation = annotation.__origin__
        elif hasattr(annotation, "__supertype__"):  # NewType
            annotation = annotation.__supertype__
        elif hasattr(annotation, "__value__") and not isinstance(annotation, type):  # the statement `type X = …`
            annotation = annotation.__value__
        else:
            return annotation, notes


def _is_sequence(actual: type) -> bool:
    return actual.__module__ == "collections.abc" and actual.__name__ in {"Sequence", "Iterable", "Collection", "Set"}


def _leaks(annotation: Any, pointer: str, around: tuple[type, ...]) -> Iterator[str]:
    kind = _kind(annotation)
    bare, _ = _bare(annotation)
    if kind.shape is Shape.LIST:
        yield from _leaks(kind.inner, f"{pointer}/*", around)
    elif typing.get_origin(bare) in _UNIONS:
        for one in typing.get_args(bare):
            yield from _leaks(one, pointer, around)
    elif _is_open(bare):
        yield f"{pointer or '/'}: {_shown(bare)}"
    for model in kind.models if kind.shape is Shape.OBJECT else ():
        yield from _leaks_inside(model, pointer, around)


def _leaks_inside(model: type[BaseModel], pointer: str, around: tuple[type, ...]) -> Iterator[str]:
    if issubclass(model, HttpBody):
        yield f"{pointer or '/'}: {model.__name__}"
        return
    if model in around or len(around) > _MAX_DEPTH:
        return
    for name, info in model.model_fields.items():
        below = pointer + json_pointer(_wire_name(name, info, written=True))
        yield from _leaks(info.annotation, below, (*around, model))


def _is_open(bare: Any) -> bool:
    actual = typing.get_origin(bare) or bare
    return actual in {Any, object} or (isinstance(actual, type) and issubclass(actual, Mapping | Layout))


def _is_typed_dict(actual: Any) -> bool:
    return isinstance(actual, type) and issubclass(actual, dict) and hasattr(actual, "__total__")


def _shown(annotation: Any) -> str:
    if _is_typed_dict(annotation):
        return "TypedDict"
    return annotation.__name__ if isinstance(annotation, type) else str(annotation).removeprefix("typing.")


def _place(model: type[BaseModel], name: str, root: Path) -> Place:
    """Return where a field is declared: in the model or in the class that it comes from, else where the model is."""
    for cls in model.__mro__:
        file, lines, _ = _lines_of(cls)
        if name in lines:
            return place_in(file, root, *lines[name])
    file, _, own = _lines_of(model)
    return place_in(file, root, *own) if file else Place("")


@cache
def _lines_of(cls: type) -> tuple[str, Mapping[str, tuple[int, int]], tuple[int, int]]:
    """Return the file of a class, where its members stand in it, and where it begins."""
    try:
        file = inspect.getsourcefile(cls) or ""
        tree: ast.AST | None = _tree(file)
    except (OSError, TypeError, SyntaxError):
        return "", {}, (0, 0)
    for part in cls.__qualname__.split("."):
        tree = _class_in(tree, part)
    if not isinstance(tree, ast.ClassDef):
        return file, {}, (1, 1)
    lines = {}
    for statement in tree.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            lines[statement.target.id] = (statement.lineno, statement.col_offset + 1)
        elif isinstance(statement, ast.FunctionDef):
            lines[statement.name] = (statement.lineno, statement.col_offset + 1)
    return file, lines, (tree.lineno, tree.col_offset + 1)


def _class_in(tree: ast.AST | None, name: str) -> ast.AST | None:
    """Return the class of a name, the last one if there are several; `<locals>` leads nowhere."""
    found = [node for node in getattr(tree, "body", ()) if isinstance(node, ast.ClassDef) and node.name == name]
    return found[-1] if found else None


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_bytes(), file)
