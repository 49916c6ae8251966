"""No arguments of 1 MiB hold up the loop, whatever they are, and none of their members stands twice (threat/T17)."""

import time
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from axhub.toolkit import Desc, HttpBody, Input, LegacyError
from axhub.toolkit.connectors.http_bodies import answer_of
from axhub.toolkit.json_values import more_values_than
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.arguments import MAX_VALUES, ArgumentReader, RefusedError
from axhub.toolkit.service.traces import trace_of
from axhub.toolkit.testing import ToolAnswer

MIB = 1 << 20
MOST_SECONDS = 0.2
"""Of the processor: ten times what the slowest takes, and far less than any of them takes without its bound."""


class Item(Input):
    a: Annotated[int, Desc("a")]


class Cat(Input):
    kind: Literal["cat"]
    lives: Annotated[int, Desc("l")]


class Dog(Input):
    kind: Literal["dog"]
    name: Annotated[str, Desc("n")]


class Colour(Enum):
    RED = "red"


class Everything(Input):
    items: Annotated[list[Item], Desc("i")] = []  # noqa: RUF012 - a field, which Pydantic copies
    pets: Annotated[list[Cat | Dog], Desc("p")] = []  # noqa: RUF012 - as above
    names: Annotated[dict[str, int], Desc("n")] = {}  # noqa: RUF012 - as above
    text: Annotated[str, Desc("t", pattern="^(a|aa)+$")] = ""
    number: Annotated[int, Desc("n")] = 1
    colours: Annotated[list[Colour], Desc("c")] = []  # noqa: RUF012 - as above
    anything: Any = None


def readers() -> list[ArgumentReader]:
    schema = input_schema(Everything)
    narrow = {**schema, "properties": {**schema["properties"], "anything": {"type": "array", "uniqueItems": True}}}
    return [
        ArgumentReader(Everything, schema, None, "en"),
        ArgumentReader(Everything, narrow, SchemaValidator(narrow), "ko"),
    ]


def filled(head: bytes, part: bytes, tail: bytes, size: int = MIB) -> bytes:
    """Return a body of about `size` bytes."""
    count = (size - len(head) - len(tail)) // (len(part) + 1)
    return head + b",".join([part] * count) + tail


def named(size: int) -> bytes:
    names = b",".join(b'"%x":1' % number for number in range(size // 10))
    return b"{" + names + b"}"


BODIES: dict[str, bytes] = {
    "wrong items": filled(b'{"items":[', b"0", b"]}"),
    "empty items": filled(b'{"items":[', b"{}", b"]}"),
    "pets": filled(b'{"pets":[', b'{"kind":"cat"}', b"]}"),
    "colours": filled(b'{"colours":[', b'"blue"', b"]}"),
    "no pets": filled(b'{"pets":[', b"[]", b"]}"),
    "surplus": named(MIB),
    "map": b'{"names":' + named(MIB - 20).replace(b":1", b':""') + b"}",
    "unique": filled(b'{"anything":[', b'{"a":1}', b"]}"),
    "texts": filled(b'{"anything":[', b'""', b"]}"),
    "quotes": b'"' * MIB,
    "nested quotes": b"[" * 65 + b'"' * MIB,
    "escaped quotes": b'{"text":"' + b'\\"' * (MIB // 2 - 10) + b'"}',
    "backslashes": b'{"text":"' + b"\\\\" * (MIB // 2 - 10) + b'"}',
    "escapes": b'{"text":"' + b"\\u0041" * (MIB // 6 - 10) + b'"}',
    "one text": b'{"text":"' + b"a" * (MIB - 20) + b'b"}',
    "commas in a text": b'{"text":"' + b"," * (MIB - 20) + b'"}',
    "one number": b'{"number":' + b"9" * (MIB - 20) + b"}",
    "a small number": b'{"number":0.' + b"0" * (MIB - 20) + b"1}",
    "lists": b"[" * MIB,
    "lists that end": b"[" * (MIB // 2) + b"]" * (MIB // 2),
    "blanks": b" " * MIB,
    "no UTF-8": b'{"text":"' + b"\xff" * (MIB - 20) + b'"}',
    "just below the bound, wrong": filled(b'{"items":[', b"0", b"]}", 2 * MAX_VALUES - 200),
    "just below the bound, empty": filled(b'{"items":[', b"{}", b"]}", 3 * MAX_VALUES // 2 - 200),
    "just below the bound, pets": filled(b'{"pets":[', b'{"kind":"cat"}', b"]}", 15 * MAX_VALUES // 2 - 200),
    "just below the bound, surplus": named(10 * MAX_VALUES - 2000),
    "just below the bound, unique": b'{"anything":['
    + b",".join(b"[%d]" % n for n in range(MAX_VALUES // 2 - 9))
    + b"]}",
    "just below the bound, twice": filled(b"{", b'"a":1', b"}", 6 * MAX_VALUES - 1000),
}


@pytest.mark.req("toolkit/S6", "threat/T17")
@pytest.mark.parametrize("body", BODIES)
def test_arguments_of_1_mib_are_refused_in_no_time_whatever_they_are(body: str) -> None:
    for reader in readers():
        took = min(_took(reader, BODIES[body]) for _ in range(2))
        assert took < MOST_SECONDS


def _took(reader: ArgumentReader, body: bytes) -> float:
    answer = None
    began = time.thread_time()
    try:
        reader.read(body)
    except RefusedError as refused:
        answer = refused.answer
    took = time.thread_time() - began
    assert answer is None or (answer.status == 400 and len(answer.body) < 8192)
    return took


def refused(body: bytes) -> Any:
    with pytest.raises(RefusedError) as caught:
        readers()[0].read(body)
    return ToolAnswer(caught.value.answer.status, caught.value.answer.body).value["error"]


@pytest.mark.req("toolkit/S6", "threat/T17")
def test_more_values_than_allowed_are_refused_with_the_bound() -> None:
    assert refused(filled(b'{"items":[', b'{"a":1}', b"]}")) == {
        "code": "TOO_MANY_VALUES",
        "message": "The arguments have more than 10000 values. Send less at a time.",
    }


@pytest.mark.req("toolkit/S3", "threat/T17")
def test_of_very_many_faults_only_their_number_is_told() -> None:
    error = refused(filled(b'{"items":[', b"0", b"]}", 3 * MAX_VALUES // 2))
    assert error["message"].startswith("The arguments are not valid; faults: 7")
    assert error["fields"] == [
        {
            "path": "",
            "message": "There are too many faults to list them. Read the tool's input schema, and begin with a few "
            "values.",
        }
    ]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"{}", 1),
        (b'{"a":1,"b":[1,2,3]}', 5),
        (b'{"a":"1,2,[{,"}', 1),
        (b'{"a":"\\",,,\\\\","b":",,"}', 2),
        ('{"이름":"홍,길,동"}'.encode(), 1),
    ],
)  # fmt: skip
def test_values_are_counted_outside_of_texts(text: bytes, values: int) -> None:
    assert more_values_than(text, values - 1)
    assert not more_values_than(text, values)


@pytest.mark.req("toolkit/S3", "gateway/G6")
@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (b'{"number":1,"number":2}', ["number"]),
        (b'{"number":1,"num\\u0062er":1}', ["number"]),
        (b'{"number":"x", "number" : 1}', ["number"]),
        (b'{"items":[{"a":1},{"a":1,"a":2}],"text":"","text":""}', ["items[1].a", "text"]),
    ],
)
def test_a_member_that_stands_twice_is_named(body: bytes, paths: list[str]) -> None:
    said = "This member stands twice in one object. Send it once."
    assert refused(body)["fields"] == [{"path": path, "message": said} for path in paths]


@pytest.mark.req("toolkit/S3")
def test_a_name_of_decomposed_text_is_told_how_to_be_written() -> None:
    import unicodedata  # noqa: PLC0415 - only here

    class Korean(Input):
        name: Annotated[str, Field(description="n", alias="이름")] = ""

    name = unicodedata.normalize("NFD", "이름")
    with pytest.raises(RefusedError) as caught:
        ArgumentReader(Korean, input_schema(Korean), None, "en").read(f'{{"{name}":"x"}}'.encode())
    (field,) = ToolAnswer(400, caught.value.answer.body).value["error"]["fields"]
    assert field["message"] == (
        'This name is decomposed text (NFD), and no member of that spelling exists; write it composed (NFC): "이름".'
    )


class Legacy(HttpBody):
    xs: list[int]


@pytest.mark.req("toolkit/H2", "threat/T17")
def test_an_answer_with_many_values_or_faults_holds_up_nothing_either() -> None:
    for count, code in ((900_000, "too_large"), (99_000, "invalid_answer")):
        body = b'{"xs":[' + b",".join([b'"a"'] * count) + b"]}"
        began = time.thread_time()
        with pytest.raises(LegacyError) as caught:
            answer_of(body, "application/json", Legacy)
        assert time.thread_time() - began < 4 * MOST_SECONDS
        assert caught.value.code == code


@pytest.mark.req("toolkit/S3", "threat/T17")
def test_the_log_names_only_the_number_of_very_many_faults() -> None:
    with pytest.raises(ValueError, match="validation errors") as caught:
        Legacy.model_validate({"xs": ["a"] * 5000})
    began = time.thread_time()
    assert "5000 places do not fit" in trace_of(caught.value)["trace"][0]
    assert time.thread_time() - began < MOST_SECONDS


@pytest.mark.req("toolkit/S3")
def test_a_name_with_invisible_characters_is_told_that_it_has_some() -> None:
    (field,) = refused('{"te\u200bxt":""}'.encode())["fields"]
    said = 'This name has invisible characters in it; write "text" without them.'
    assert field == {"path": "text", "message": said}
