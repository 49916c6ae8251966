"""What validators and readers say, in words of both languages."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import msgspec
import pytest
import yaml
from pydantic import (
    AwareDatetime,
    BaseModel,
    Field,
    FiniteFloat,
    FutureDate,
    HttpUrl,
    NaiveDatetime,
    PastDate,
    TypeAdapter,
    ValidationError,
)

from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.saying import in_words, of_json, of_yaml


@pytest.mark.req("rule/TK405", "rule/TK503")
@pytest.mark.parametrize(
    ("said", "en", "ko"),
    [
        ("months: less_than_equal 60", "months: at most 60 is allowed", "months: 60 이하여야 함"),
        ("a: string_too_short 1", "a: at least 1 character is needed", "a: 1자 이상이어야 함"),
        ("a: missing", "a: it is missing", "a: 값이 없음"),
        ("a: literal_error 'X' or 'Y'", "a: one of 'X' or 'Y' is needed", "a: 'X' or 'Y' 가운데 하나여야 함"),
        ("a: less_than_equal", "a: it is beyond its bounds", "a: 허용 범위를 벗어남"),
        (
            "arguments: additionalProperties a, b",
            "arguments: there is no such member: a, b",
            "arguments: 없는 멤버: a, b",
        ),
        ("a: value_error 하나가 필요합니다.", "a: 하나가 필요합니다", "a: 하나가 필요합니다"),
        ("KeyError at src/a.py:3", "KeyError at src/a.py:3", "KeyError(src/a.py:3)"),
        (
            "Found cannot be made: /rows/0 model_type at src/a.py:3",
            "Found cannot be made (/rows/0: an object is needed) at src/a.py:3",
            "Found 모델을 만들 수 없음(/rows/0: object가 필요함)(src/a.py:3)",
        ),
        (
            "what the tool returned is no answer of it: /won: type, /no: pattern",
            "what the tool returns is no answer of it (/won: it has another type; /no: it is beyond its bounds)",
            "도구가 돌려준 값이 응답 스키마에 맞지 않음(/won: 타입이 다름; /no: 허용 범위를 벗어남)",
        ),
        (
            "what the tool returned is no answer of it: int instead of Found",
            "what the tool returns is no answer of it (int instead of Found)",
            "도구가 돌려준 값이 응답 스키마에 맞지 않음(Found 대신 int)",
        ),
        (
            'the tool also asks the API "b", of which it has no sample (http-b.json)',
            'the tool also asks the API "b", of which it has no sample (http-b.json)',
            '도구가 API "b"도 호출하는데 그 샘플(http-b.json)이 없음',
        ),
        ("converter: what it wants", "converter: what it wants", "converter: what it wants"),
    ],
)
def test_what_is_said_about_a_value_is_put_into_words(said: str, en: str, ko: str) -> None:
    assert in_words(said) == Text(en, ko)


class _Strict(BaseModel, strict=True, extra="forbid"):
    text: str
    whole: int
    flag: bool
    rows: list[int]


@pytest.mark.req("rule/TK405", "rule/TK503")
@pytest.mark.parametrize(
    "given",
    ['{"x": 1}', '{"text": 1, "whole": "a", "flag": 1, "rows": {}}', '{"whole": 1.5}', "[]", "{"],
)
def test_kinds_that_pydantic_tells_have_words(given: str) -> None:
    with pytest.raises(ValidationError) as failed:
        _Strict.model_validate_json(given)
    for found in failed.value.errors():
        said = f"/a {found['type']}"
        assert in_words(said).ko.startswith("/a: ")
        assert in_words(said).en != said


@pytest.mark.req("rule/TK403", "rule/TK503")
@pytest.mark.parametrize(
    "text", ['{"a":}', '{"a":1,}', '{"a" 1}', '{"a":1 "b":2}', "[1 2]", '{"a":"x', "{a:1}", "{}x", ""]
)
def test_what_json_readers_say_has_words(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as plain:
        json.loads(text)
    with pytest.raises(msgspec.DecodeError) as strict:
        msgspec.json.decode(text.encode())
    for said in (plain.value.msg, str(strict.value).removeprefix("JSON is malformed: ")):
        assert of_json(said).en != said
        assert of_json(said).ko.isascii() is False


@pytest.mark.req("rule/TK001")
@pytest.mark.parametrize(
    "text", ["a: b: c", "a: [1, 2", "a: 'x", "a: @x", "a:\n - b\n c: d", 'a: "\\q"', "a: *x", "a\nb: c"]
)
def test_what_the_yaml_reader_says_has_korean_words(text: str) -> None:
    with pytest.raises(yaml.MarkedYAMLError) as failed:
        yaml.safe_load(text)
    assert of_yaml(str(failed.value.problem)).ko.isascii() is False


@pytest.mark.req("rule/TK503")
@pytest.mark.parametrize(
    ("kind", "value", "korean"),
    [
        (FiniteFloat, float("inf"), "유한한 숫자가 필요함"),
        (Annotated[Decimal, Field(max_digits=2)], Decimal(123), "숫자의 자릿수가 너무 많음"),
        (Annotated[Decimal, Field(decimal_places=1)], Decimal("1.23"), "소수점 아래 자릿수가 너무 많음"),
        (Annotated[Decimal, Field(max_digits=3, decimal_places=2)], Decimal(12), "소수점 앞 자릿수가 너무 많음"),
        (time, "noon", "시각이 필요함"),
        (timedelta, "long", "기간이 필요함"),
        (PastDate, date(9999, 1, 1), "과거여야 함"),
        (FutureDate, date(1999, 1, 1), "미래여야 함"),
        (AwareDatetime, datetime(2026, 1, 1), "시간대가 있는 시각이어야 함"),  # noqa: DTZ001 - a time without offset
        (NaiveDatetime, datetime(2026, 1, 1, tzinfo=UTC), "시간대가 없는 시각이어야 함"),
        (UUID, "x", "UUID가 필요함"),
        (HttpUrl, "x", "URL이 필요함"),
        (frozenset[int], 1, "목록이 필요함"),
        (Mapping[str, int], 1, "object가 필요함"),
        (bytes, 1, "바이트 값이 필요함"),
    ],
)
def test_kinds_of_validators_have_korean_words(kind: Any, value: Any, korean: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    found = caught.value.errors()[0]["type"]
    assert in_words(f"a: {found}").ko == f"a: {korean}"
