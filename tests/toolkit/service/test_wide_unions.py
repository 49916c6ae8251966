"""Wide unions and models hold nothing up: fewer values are taken, a refusal ends with the first fault (threat/T17)."""

import json
from functools import reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, create_model
from pydantic.alias_generators import to_camel

from axhub.toolkit import Desc, Input
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.service.arguments import MAX_VALUES, ArgumentReader, RefusedError
from axhub.toolkit.service.unions import Work, work_of
from axhub.toolkit.testing import ToolAnswer

pytestmark = pytest.mark.req("toolkit/S6", "threat/T17")

WIDE = 40


def branch(number: int, fields: int, *, shared: bool = False) -> type[Input]:
    """Return a model with fields of its own, or with those that all have and a literal that tells it."""
    prefix = "f" if shared else f"a{number}_"
    named: dict[str, Any] = {f"{prefix}{at}": (Annotated[int, Desc("x")], ...) for at in range(fields)}
    if shared:
        named["kind"] = (Literal[f"k{number}"], ...)
    return create_model(f"Branch{number}", __base__=Input, **named)


def listing(*kinds: Any, discriminator: str | None = None) -> type[Input]:
    union = reduce(or_, kinds)
    if discriminator is not None:
        union = Annotated[union, Field(discriminator=discriminator)]
    return outer("Listing", union)


def outer(name: str, kind: Any) -> type[Input]:
    field: dict[str, Any] = {"items": (GenericAlias(list, (kind,)), Desc("x"))}
    return create_model(name, __base__=Input, **field)


def reader(model: type[Input]) -> ArgumentReader:
    return ArgumentReader(model, input_schema(model), None, "en")


def refused(model: type[Input], body: bytes) -> dict[str, Any]:
    with pytest.raises(RefusedError) as caught:
        reader(model).read(body)
    error: dict[str, Any] = ToolAnswer(400, caught.value.answer.body).value["error"]
    return error


def items(item: str, values: int) -> bytes:
    """Return a body with items of one kind that has at most so many values."""
    count = (values - 4) // (item.count(",") + 2)
    return ('{"items":[' + ",".join([item] * count) + "]}").encode()


def of_branch(number: int, fields: int) -> str:
    return json.dumps({to_camel(f"a{number}_{at}"): 1 for at in range(fields)}, separators=(",", ":"))


def test_a_wide_union_takes_fewer_values_and_says_how_many() -> None:
    model = listing(*(branch(number, 9) for number in range(WIDE)))
    most = int(100_000 / work_of(model).valid)
    assert 1000 < most < 2000
    assert len(reader(model).read(items(of_branch(WIDE - 1, 9), most)).items) > 100
    error = refused(model, items(of_branch(WIDE - 1, 9), most + 50))
    assert error["code"] == "TOO_MANY_VALUES"
    assert error["message"] == f"The arguments have more than {most} values. Send less at a time."


@pytest.mark.parametrize(
    "model",
    [
        listing(branch(0, 9), branch(1, 9)),
        listing(branch(0, 9), branch(1, 9), branch(2, 9)),
        listing(int, str, bool),
        listing(*(branch(number, 5, shared=True) for number in range(WIDE)), discriminator="kind"),
        listing(branch(0, 20)),
    ],
    ids=["two", "three", "plain", "with a discriminator", "no union"],
)
def test_what_most_services_have_takes_as_many_as_ever(model: type[Input]) -> None:
    assert work_of(model).valid * MAX_VALUES <= 100_000


@pytest.mark.parametrize(
    "model",
    [
        listing(branch(0, 60)),
        listing(*(branch(number, 9, shared=True) for number in range(8))),
        outer("Outer", listing(branch(0, 60))),
    ],
    ids=["a wide model", "a union", "inside a model"],
)
def test_of_many_values_only_the_first_item_that_is_wrong_is_told(model: type[Input]) -> None:
    few, many = refused(model, b'{"items":[{},{}]}'), refused(model, items("{}", 5000))
    assert {field["path"].partition(".")[0] for field in few["fields"]} >= {"items[0]"}
    assert many["code"] == "INVALID_ARGUMENTS"
    assert {field["path"].partition(".")[0] for field in many["fields"]} == {"items[0]"}


def test_a_valid_list_of_a_wide_model_is_taken_whole() -> None:
    model = listing(branch(0, 60))
    assert len(reader(model).read(items(of_branch(0, 60), MAX_VALUES - 100)).items) > 100


class Leaf(Input):
    kind: Annotated[Literal["leaf"], Desc("k")]


class All(Input):
    kind: Annotated[Literal["all"], Desc("k")]
    of: Annotated[list[Annotated["All | Leaf", Field(discriminator="kind")]], Desc("o")]


class Inner(Input):
    name: Annotated[str, Desc("n")]


class First(Input):
    inner: Annotated[Inner | int | str, Desc("i")]


class Second(Input):
    inner: Annotated[Inner | bool, Desc("i")]


@pytest.mark.parametrize(
    ("model", "work"),
    [
        (All, Work(0.0, 1.0)),
        (listing(int, str), Work(1.0, 2.0)),
        (listing(First, Second), Work(6.0, 6.0)),  # the outer one doubles the three of the inner one
    ],
)
def test_unions_inside_unions_multiply_and_what_is_recursive_is_read_once(model: type[Input], work: Work) -> None:
    assert work_of(model) == work
