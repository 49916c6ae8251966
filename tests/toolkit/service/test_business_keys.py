"""Two calls are the same write if they mean the same, however they are written (rule/TK804)."""

import unicodedata
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import pytest
from pydantic import Field, SecretStr

from axhub.toolkit import Desc, Input
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.service.arguments import ArgumentReader
from axhub.toolkit.service.repeat import BusinessKey


class Colour(Enum):
    RED = "red"


class Part(Input):
    first_name: Annotated[str, Desc("f")] = ""
    amount: Annotated[float, Desc("a")] = 0


class Request(Input):
    text: Annotated[str, Desc("t")] = ""
    number: Annotated[float, Desc("n")] = 0
    whole: Annotated[int, Desc("w")] = 0
    amount: Annotated[Decimal, Field(description="a")] = Decimal(0)
    moment: Annotated[datetime | None, Desc("m")] = None
    day: Annotated[date | None, Desc("d")] = None
    hour: Annotated[time | None, Desc("h")] = None
    span: Annotated[timedelta | None, Desc("s")] = None
    colour: Annotated[Colour | None, Desc("c")] = None
    part: Annotated[Part | None, Desc("p")] = None
    parts: Annotated[list[Part], Desc("p")] = []  # noqa: RUF012 - a field, which Pydantic copies
    labels: Annotated[set[str], Desc("l")] = set()  # noqa: RUF012 - as above
    map: Annotated[dict[str, int], Desc("m")] = {}  # noqa: RUF012 - as above
    secret: Annotated[SecretStr | None, Desc("s")] = None
    flag: Annotated[bool | int | None, Desc("f")] = None


_KEY = BusinessKey(Request, tuple(field.alias or name for name, field in Request.model_fields.items()))
_READER = ArgumentReader(Request, input_schema(Request), None, "en")


def key(body: str) -> str:
    return _KEY.of(_READER.read(body.encode()))


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    "same",
    [
        ['{"text":"é"}', '{"text":"e\u0301"}', '{"text":"\\u00e9"}'],
        ['{"text":"홍길동"}', unicodedata.normalize("NFD", '{"text":"홍길동"}')],
        ["{}", '{"text":""}', '{ "number": 0, "moment": null }', '{"number":-0.0}'],
        ['{"number":1}', '{"number":1.0}', '{"number":1e0}', '{"number":100e-2}'],
        ['{"amount":"1.10"}', '{"amount":"1.1"}', '{"amount":"0.11E1"}'],
        ['{"amount":"1000"}', '{"amount":"1E3"}', '{"amount":"+1000.0"}'],
        [
            '{"moment":"2026-01-01T00:00:00Z"}',
            '{"moment":"2026-01-01T00:00:00+00:00"}',
            '{"moment":"2026-01-01T09:00:00+09:00"}',
            '{"moment":"2026-01-01 00:00:00.000Z"}',
        ],
        ['{"hour":"09:30:00"}', '{"hour":"09:30"}'],
        ['{"span":"P1D"}', '{"span":"PT24H"}'],
        ['{"part":{}}', '{"part":{"firstName":"","amount":0}}', '{"part":{"amount":0.0,"firstName":""}}'],
        ['{"labels":["a","b"]}', '{"labels":["b","a"]}'],
        ['{"map":{"a":1,"b":2}}', '{"map":{"b":2,"a":1}}'],
    ],
    ids=lambda same: same[0][:30],
)  # fmt: skip
def test_what_means_the_same_has_one_key(same: list[str]) -> None:
    assert len({key(body) for body in same}) == 1


@pytest.mark.req("rule/TK804")
def test_what_means_something_else_has_another_key() -> None:
    bodies = [
        "{}", '{"text":"a"}', '{"text":"A"}', '{"text":"a "}', '{"text":"0"}', '{"number":1}', '{"whole":1}',
        '{"number":0.1}', '{"number":0.30000000000000004}', '{"number":0.3}', '{"whole":9007199254740993}',
        '{"whole":9007199254740992}', '{"amount":"1"}', '{"amount":"1.0000000000000000000000000001"}',
        '{"moment":"2026-01-01T00:00:00Z"}', '{"moment":"2026-01-01T00:00:00"}',
        '{"moment":"2026-01-01T00:00:00+09:00"}',
        '{"moment":"0001-01-01T00:00:00+14:00"}', '{"moment":"9999-12-31T23:59:59-14:00"}', '{"day":"2026-01-01"}',
        '{"hour":"00:00:00"}', '{"span":"PT0S"}', '{"colour":"red"}', '{"part":{}}', '{"part":{"amount":1}}',
        '{"parts":[{}]}', '{"parts":[{},{}]}', '{"labels":["a"]}', '{"map":{"a":1}}', '{"secret":"a"}',
        '{"secret":"b"}',
        '{"flag":true}', '{"flag":1}', '{"flag":false}',
    ]  # fmt: skip
    keys = [key(body) for body in bodies]
    assert [bodies[at] for at, one in enumerate(keys) if one in keys[:at]] == []


@pytest.mark.req("rule/TK804")
def test_a_key_takes_no_longer_for_numbers_of_any_size() -> None:
    for amount in ("1E999999", "1E-999999", "9" * 4000):
        assert key(f'{{"amount":"{amount}"}}')


def test_a_key_is_a_digest() -> None:
    found: Any = key('{"text":"900101-1234567"}')
    assert (len(found), "900101" in found) == (64, False)
