"""What is written for a tool after the layouts of its interface: models, converters, examples, well formatted."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Any

import pytest

from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Rows, Text
from axhub.toolkit.scaffold.mci.converter import Direction, converter_module
from axhub.toolkit.scaffold.mci.models import Models, arguments_of, dto_module, schema_of
from axhub.toolkit.scaffold.mci.parts import Part, parts_of, plain_of
from axhub.toolkit.scaffold.python_text import Bracketed, imported, literal
from axhub.toolkit.scaffold.texts import words

pytestmark = pytest.mark.req("toolkit/T5")


class Kind(Layout):
    code: Annotated[str, Text(2)]


class Asked(Layout, id="ABCD00001"):
    number: Annotated[str, Text(10)]  # the "number" of it
    # as it is kept
    amount: Annotated[int | None, Num(5, sign="leading")]
    rate: Annotated[Decimal, Packed(4, scale=2)]
    sent_at: Annotated[datetime | None, Date("YYYYMMDDHHMMSS")]
    cnt: Annotated[int, Num(1)] = 0
    kinds: Annotated[list[Kind], Rows(9, count="cnt")]
    filler: Annotated[None, Filler(3)] = None


class Told(Layout, id="ABCD00001"):
    kind: Kind
    share: Annotated[Decimal, Num(3, scale=3)]
    opened_on: Annotated[date | None, Date()]
    at: Annotated[time, Date("HHMMSS")]
    kinds: Annotated[list[Kind], Rows(2)]


KIND = (Part("code", "str", size=2),)
DTO = '''\
"""What agents send to abc_thing_get, and what they get."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from axhub.toolkit import Desc, Input, Output, output_schema


class ThingGetRequestKind(Input):
    """A part of it."""

    code: Annotated[str, Desc("TODO what code is", example="A", min_length=1, max_length=2)]


class ThingGetRequest(Input):
    """What an agent sends."""

    number: Annotated[str, Desc("TODO the 'number' of it", example="A-0001", min_length=1, max_length=10)]
    amount: Annotated[
        int | None, Desc("TODO as it is kept; null where there is none", example=1, ge=-9999, le=9999)
    ] = None
    rate: Annotated[Decimal, Desc("TODO what rate is", example="1.50")]
    sent_at: Annotated[
        str | None,
        Desc(
            "TODO what sent_at is; null where there is none",
            example="2026-08-10T09:30:00",
            pattern="^[0-9-]{10}T[0-9:]{8}$",
        ),
    ] = None
    kinds: Annotated[list[ThingGetRequestKind], Desc("TODO what kinds has, and in which order", max_length=9)]


class ThingGetResponseKind(Output):
    """A part of it."""

    code: Annotated[str, Desc("TODO what code is")]


@output_schema
class ThingGetResponse(Output):
    """What it gets."""

    kind: Annotated[ThingGetResponseKind, Desc("TODO what kind is")]
    share: Annotated[Decimal, Desc("TODO what share is")]
    opened_on: Annotated[date | None, Desc("TODO what opened_on is; null where there is none")]
    at: Annotated[str, Desc("TODO what at is")]
    kinds: Annotated[list[ThingGetResponseKind], Desc("TODO what kinds has, and in which order")]
'''
CONVERTER = '''\
"""Between what agents see and the telegrams of the system core: plain functions."""

from datetime import datetime

from p.dto import ThingGetRequest, ThingGetRequestKind, ThingGetResponse, ThingGetResponseKind
from p.io import Asked, Kind, Told


def _thing_get_request_kind(part: ThingGetRequestKind) -> Kind:
    """Convert one part."""
    return Kind(code=part.code)


def to_mci_request(request: ThingGetRequest) -> Asked:
    """Return the question as a telegram."""
    return Asked(
        number=request.number,
        amount=request.amount,
        rate=request.rate,
        sent_at=None if request.sent_at is None else datetime.fromisoformat(request.sent_at),
        kinds=[_thing_get_request_kind(row) for row in request.kinds],
    )


def _thing_get_response_kind(part: Kind) -> ThingGetResponseKind:
    """Convert one part."""
    return ThingGetResponseKind(code=part.code)


def to_response(answer: Told) -> ThingGetResponse:
    """Return the answer in the agent's words."""
    return ThingGetResponse(
        kind=_thing_get_response_kind(answer.kind),
        share=answer.share,
        opened_on=answer.opened_on,
        at=answer.at.isoformat(),
        kinds=[_thing_get_response_kind(row) for row in answer.kinds],
    )
'''


def models() -> tuple[Models, Models]:
    return Models("ThingGetRequest", "Input", words("en")), Models("ThingGetResponse", "Output", words("en"))


def test_fields_that_say_something_become_parts_with_the_comments_on_them() -> None:
    assert parts_of(Asked) == (
        Part("number", "str", note="the 'number' of it", size=10),
        Part("amount", "int", optional=True, note="as it is kept", size=5, digits=4, signed=True),
        Part("rate", "Decimal", size=4, digits=7, scale=2, signed=True),
        Part("sent_at", "datetime", optional=True, size=14),
        Part("kinds", "rows", layout="Kind", members=KIND, most=9),
    )
    assert parts_of(Told)[-1] == Part("kinds", "rows", layout="Kind", members=KIND, most=2, repeated=2)


def test_models_and_converters_follow_the_layouts() -> None:
    request, response = models()
    assert dto_module("abc_thing_get", parts_of(Asked), parts_of(Told), request, response) == DTO
    asking, telling = Direction(request, "Asked", parts_of(Asked)), Direction(response, "Told", parts_of(Told))
    assert converter_module("core", asking, telling, {"dto": "p.dto", "io": "p.io"}) == CONVERTER


class Named(Layout, id="ABCD00002"):
    copy: Annotated[str, Text(5)]


def test_a_field_that_no_model_can_have_is_called_otherwise_for_agents() -> None:
    request, response = models()
    parts = parts_of(Named)
    asking, telling = Direction(request, "Named", parts), Direction(response, "Named", parts)
    assert "    copy_value: Annotated[str, " in dto_module("abc_thing_get", parts, parts, request, response)
    text = converter_module("core", asking, telling, {"dto": "p.dto", "io": "p.io"})
    assert "return Named(copy=request.copy_value)" in text
    assert "return ThingGetResponse(copy_value=answer.copy)" in text
    assert (arguments_of(parts), plain_of(parts)) == ({"copyValue": "A"}, {"copy": "A"})
    assert list(schema_of(request, parts)["properties"]) == ["copyValue"]


def test_the_schema_of_the_definition_is_that_of_the_model() -> None:
    schema = schema_of(models()[0], parts_of(Asked))
    assert schema["required"] == ["number", "rate", "kinds"]
    assert schema["properties"]["amount"] == {
        "type": ["integer", "null"],
        "description": "TODO as it is kept; null where there is none",
        "minimum": -9999,
        "maximum": 9999,
    }
    assert schema["properties"]["kinds"]["items"]["properties"] == {
        "code": {"type": "string", "description": "TODO what code is", "minLength": 1, "maxLength": 2}
    }


def test_examples_have_the_names_of_either_side() -> None:
    assert plain_of(parts_of(Told)) == {
        "kind": {"code": "A"},
        "share": "0.500",
        "opened_on": "2026-08-10",
        "at": "09:30:00",
        "kinds": [{"code": "A"}, {"code": "A"}],
    }
    assert arguments_of(parts_of(Told))["openedOn"] == "2026-08-10"
    assert arguments_of(parts_of(Told))["kind"] == {"code": "A"}


@pytest.mark.parametrize(
    ("length", "written"),
    [
        (30, "call({0}, {0})"),
        (57, "call(\n    {0}, {0}\n)"),
        (70, "call(\n    {0},\n    {0},\n)"),
    ],
)
def test_what_does_not_fit_on_a_line_is_put_on_several(length: int, written: str) -> None:
    item = "x" * length
    assert Bracketed("call(", [item, item], ")").written(0) == written.format(item)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"a": [1, None, "x"], "b": {}}, '{"a": [1, None, "x"], "b": {}}'),
        ('say "\\"', '"say \\"\\\\\\""'),
        ({"a": "말" * 60}, '{\n    "a": "' + "말" * 60 + '",\n}'),
        (["x" * 60, "x" * 60], '[\n    "' + "x" * 60 + '",\n    "' + "x" * 60 + '",\n]'),
    ],
)
def test_values_are_written_as_python_has_them(value: Any, written: str) -> None:
    assert literal(value, 0) == written


def test_imports_are_in_order_and_wrapped_where_they_are_long() -> None:
    names = [f"Name{number:02}" for number in range(15)]
    assert list(imported({"b": ["to_it", "ABC_I", "Thing", "Thing"], "a": names, "c": []})) == [
        "from a import (\n" + "".join(f"    {name},\n" for name in names) + ")",
        "from b import ABC_I, Thing, to_it",
    ]
