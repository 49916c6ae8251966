"""The fields of models at every depth (toolkit/T2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NewType

import pytest
from pydantic import AliasChoices, BaseModel, Field, computed_field, create_model
from typing_extensions import TypedDict

from axhub.toolkit.facts.service import Place, Shape
from axhub.toolkit.inspecting.fields import fields_of, leaks_of
from axhub.toolkit.models import Desc, HttpBody, Input, Output

pytestmark = pytest.mark.req("toolkit/T2")
ROOT = Path(__file__).resolve().parent


def shapes(model: type[BaseModel], *, written: bool = True) -> dict[str, tuple[Shape, Shape | None, bool]]:
    return {
        field.pointer: (field.shape, field.item, field.nullable) for field in fields_of(model, ROOT, written=written)
    }


Number = NewType("Number", str)


@dataclass
class Point:
    x: int


class Table(TypedDict):
    name: str


class Opaque: ...


class Shapes(Output, arbitrary_types_allowed=True):
    number: Annotated[Number, Desc("x")]
    mail: Annotated[str | None, Desc("x")]
    point: Annotated[Point, Desc("x")]
    table: Annotated[Table, Desc("x")]
    rows: Annotated[Sequence[Annotated[int | None, Desc("x")]], Desc("x")]
    pair: Annotated[tuple[str, ...], Desc("x")]
    bare: Annotated[list, Desc("x")]  # type: ignore[type-arg]  # what an author may write
    grid: Annotated[list[list[int]], Desc("x")]
    code: Annotated[Literal["A"] | None, Desc("x")]
    either: Annotated[int | str | None, Desc("x")]
    wrapped: Annotated[list[str] | None, Desc("x")]
    raw: Annotated[bytes, Desc("x")]
    opaque: Annotated[Opaque, Desc("x")]


def test_every_kind_of_type_has_a_shape() -> None:
    assert shapes(Shapes) == {
        "/number": (Shape.TEXT, None, False),
        "/mail": (Shape.TEXT, None, True),
        "/point": (Shape.OBJECT, None, False),
        "/table": (Shape.OBJECT, None, False),
        "/rows": (Shape.LIST, Shape.NUMBER, False),
        "/pair": (Shape.LIST, Shape.TEXT, False),
        "/bare": (Shape.LIST, Shape.OPEN, False),
        "/grid": (Shape.LIST, Shape.LIST, False),
        "/code": (Shape.CODE, None, True),
        "/either": (Shape.OPEN, None, True),
        "/wrapped": (Shape.LIST, Shape.TEXT, True),
        "/raw": (Shape.TEXT, None, False),
        "/opaque": (Shape.OPEN, None, False),
    }
    assert leaks_of(Shapes) == ("/table: TypedDict", "/bare/*: Any")


class One(Output):
    kind: Annotated[Literal["one"], Desc("x")]


class Two(Output):
    kind: Annotated[Literal["two"], Desc("x")]
    body: Annotated["Body | None", Desc("x")]


class Body(HttpBody):
    anything: Any


class Tree(Output):
    way: Annotated[One | Two, Field(discriminator="kind", description="x")]
    children: Annotated[list["Tree"], Desc("x")]

    @computed_field(description="두 배")  # type: ignore[prop-decorator]  # pydantic's documented way
    @property
    def twice_as_much(self) -> int:
        return 2


def test_unions_of_models_are_looked_into_recursion_ends_and_computed_fields_count() -> None:
    Two.model_rebuild()
    found = fields_of(Tree, ROOT, written=True)
    assert [(field.pointer, field.model.rpartition(".")[2]) for field in found] == [
        ("/way", "Tree"),
        ("/way/kind", "One"),
        ("/way/kind", "Two"),
        ("/way/body", "Two"),
        ("/way/body/anything", "Body"),
        ("/children", "Tree"),
        ("/twiceAsMuch", "Tree"),
    ]
    assert (found[-1].description, found[-1].shape, found[-1].python_name) == ("두 배", Shape.NUMBER, "twice_as_much")
    assert found[-1].place.line > found[-2].place.line > 0
    assert leaks_of(Tree) == ("/way/body: Body",)
    assert [field.pointer for field in fields_of(Tree, ROOT, written=False)][-1] == "/children"
    assert fields_of(None, ROOT, written=False) == ()


class Named(Input):
    plain_name: Annotated[str, Desc("x")]
    choices: Annotated[str, Field(validation_alias=AliasChoices("first", "second"), description="x")]
    alias: Annotated[str, Field(alias="given", description="x")]
    two: Annotated[str, Field(validation_alias="in", serialization_alias="out", description="x")]


def test_names_are_those_of_the_wire_in_each_direction() -> None:
    assert [field.name for field in fields_of(Named, ROOT, written=False)] == ["plainName", "first", "given", "in"]
    assert [field.name for field in fields_of(Named, ROOT, written=True)] == ["plainName", "choices", "given", "out"]


def test_a_model_without_source_has_no_place() -> None:
    made = create_model("Made", __base__=Output, name=(str, Field(description="x")))
    made.__module__ = "nowhere_to_be_found"
    (field,) = fields_of(made, ROOT, written=True)
    assert (field.place, field.model) == (Place(""), "nowhere_to_be_found.Made")
