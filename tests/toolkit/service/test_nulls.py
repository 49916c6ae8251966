"""A null that the response model does not allow never leaves, also where no output schema is declared (toolkit/T2)."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, PlainSerializer, field_serializer

from axhub.toolkit import Desc, Output, masked
from axhub.toolkit.service.nulls import null_in
from axhub.toolkit.service.results import InvalidResultError, ResultWriter
from support.one_tool import one_tool

pytestmark = pytest.mark.req("toolkit/T2", "toolkit/S3")


class Colour(Enum):
    RED = "red"


class Row(Output):
    claim_no: Annotated[str, Desc("번호")]


class Strict(Output):
    """Nothing of it may be null."""

    text: Annotated[str, Desc("t")] = "null"
    number: Annotated[int, Desc("n")] = 1
    flag: Annotated[bool, Desc("f")] = True
    day: Annotated[date, Desc("d")] = date(2026, 1, 1)
    amount: Annotated[Decimal, Desc("a")] = Decimal(1)
    colour: Annotated[Colour, Desc("c")] = Colour.RED
    code: Annotated[Literal["a", "b"], Desc("c")] = "a"
    either: Annotated[int | str, Desc("e")] = 1
    secret: Annotated[str, Desc("s"), masked("needed")] = "secret"
    row: Annotated[Row, Desc("r")] = Row(claim_no="1")
    rows: Annotated[list[Row], Desc("r")] = Field(default_factory=list)
    texts: Annotated[list[str], Desc("t")] = Field(default_factory=list)
    names: Annotated[dict[str, int], Desc("n")] = Field(default_factory=dict)
    pair: Annotated[tuple[int, str], Desc("p")] = (1, "a")
    many: Annotated[tuple[int, ...], Desc("m")] = ()
    nested: Annotated[list[list[int]], Desc("n")] = Field(default_factory=list)
    perhaps: Annotated[list[int] | None, Desc("p")] = None


class Loose(Output):
    """All of it may be null, or is written as something else."""

    text: Annotated[str | None, Desc("t")] = None
    anything: Annotated[Any, Desc("a")] = None
    code: Annotated[Literal["a"] | None, Desc("c")] = None
    texts: Annotated[list[str | None], Desc("t")] = [None]  # noqa: RUF012 - a field, which Pydantic copies
    pair: Annotated[tuple[int | None, str], Desc("p")] = (None, "null")
    written: Annotated[str, PlainSerializer(lambda value: value or "null"), Desc("w")] = "x"
    own: Annotated[str, Desc("o")] = "x"
    hidden: Annotated[str, Desc("h"), Field(exclude=True)] = "x"

    @field_serializer("own")
    def _own(self, value: Any) -> Any:
        return value or "null"


def written(model: type[Output], changes: Mapping[str, Any]) -> bytes:
    return ResultWriter(model, None).write(model.model_construct(**{**model().__dict__, **changes}))


@pytest.mark.parametrize("name", [name for name in Strict.model_fields if name != "perhaps"])
def test_no_kind_of_field_lets_a_null_out(name: str) -> None:
    with pytest.raises(InvalidResultError) as caught:
        written(Strict, {name: None})
    assert caught.value.places == [f"/{name}: null"]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"row": Row.model_construct(claim_no=None)}, "/row/claimNo"),
        ({"rows": [Row(claim_no="1"), Row.model_construct(claim_no=None)]}, "/rows/1/claimNo"),
        ({"rows": [None]}, "/rows/0"),
        ({"texts": ["a", None]}, "/texts/1"),
        ({"names": {"900101-1234567": None}}, "/names/*"),
        ({"pair": (1, None)}, "/pair/1"),
        ({"many": (1, 2, None)}, "/many/2"),
        ({"nested": [[1], [None]]}, "/nested/1/0"),
        ({"perhaps": [None]}, "/perhaps/0"),
    ],
)
def test_what_is_inside_is_looked_at_and_keys_are_not_told(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidResultError) as caught:
        written(Strict, changes)
    assert caught.value.places == [f"{place}: null"]


@pytest.mark.parametrize("changes", [{}, {"written": None}, {"own": None}, {"hidden": None}])
def test_a_null_that_is_allowed_or_written_as_something_else_goes_out(changes: dict[str, Any]) -> None:
    assert b'"text":null' in written(Loose, changes)


def test_a_text_that_only_says_null_is_none() -> None:
    assert b'"text":"null"' in written(Strict, {})
    assert null_in(Strict()) == ""


async def test_the_caller_gets_a_fault_of_the_service_and_the_log_has_the_place() -> None:
    async def broken(request: Any, context: Any) -> Row:
        return Row.model_construct(claim_no=None)

    async with one_tool(broken, response=Row) as tool:
        answer = await tool.call()
    assert (answer.status, answer.value["error"]["code"]) == (500, "INTERNAL_ERROR")
    assert [line["places"] for line in tool.log if line["event"] == "invalid_result"] == [["/claimNo: null"]]
