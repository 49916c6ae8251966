"""What a model reads about arguments that were refused, word by word and in both languages (toolkit/S3)."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AfterValidator, Field, model_validator

from axhub.toolkit.models import Desc, Input
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.arguments import ArgumentReader, RefusedError
from axhub.toolkit.service.words import FAULTS, JSON_FAULTS, KINDS, REFUSALS, Language
from axhub.toolkit.testing import ToolAnswer


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Cat(Input):
    kind: Literal["cat"]
    lives: Annotated[int, Desc("lives")]


class Dog(Input):
    kind: Literal["dog"]
    name: Annotated[str, Desc("name")]


def short(text: str) -> str:
    if text == "no":
        raise ValueError("쓰지 않는 값입니다")
    return text


class Item(Input):
    item_no: Annotated[str, Desc("번호", example="I-1", pattern="^I-[0-9]$")] = "I-1"


class Everything(Input):
    text: Annotated[str, Desc("t", min_length=2, max_length=3)] = "ab"
    number: Annotated[int, Desc("n", ge=1, le=9)] = 1
    above: Annotated[int, Field(gt=0, lt=10)] = 1
    fives: Annotated[int, Field(multiple_of=5)] = 5
    ratio: Annotated[float | None, Desc("r")] = None
    flag: Annotated[bool, Desc("f")] = False
    code: Annotated[Literal["A", "B"], Desc("c")] = "A"
    colour: Annotated[Colour, Desc("c")] = Colour.RED
    items: Annotated[list[Item], Desc("i", min_length=1, max_length=2)] = []  # noqa: RUF012 - a field, which Pydantic copies
    day: Annotated[date | None, Desc("d", example="2026-01-01")] = None
    moment: Annotated[datetime | None, Desc("m")] = None
    span: Annotated[timedelta | None, Desc("s")] = None
    uid: Annotated[UUID | None, Desc("u")] = None
    amount: Annotated[Decimal | None, Field(max_digits=4, decimal_places=2)] = None
    either: Annotated[int | str, Desc("e")] = 1
    pet: Annotated[Cat | Dog | None, Field(discriminator="kind")] = None
    checked: Annotated[str, AfterValidator(short)] = "yes"
    first_name: Annotated[str | None, Desc("이름")] = None

    @model_validator(mode="after")
    def _together(self) -> "Everything":
        if self.first_name == "both" and self.flag:
            raise ValueError("firstName과 flag는 함께 쓸 수 없습니다")
        return self


CASES: list[tuple[str, str, str, str]] = [
    ('{"text": 1}', "text", "Needs text, but got a whole number.", "필요한 값: 문자열. 받은 값: 정수."),
    ('{"text": null}', "text", "Needs text, but got null.", "필요한 값: 문자열. 받은 값: null."),
    ('{"text": "a"}', "text", "Must have at least 2 characters.", "2자 이상이어야 합니다."),
    ('{"text": "abcd"}', "text", "Must have at most 3 characters.", "3자 이하여야 합니다."),
    ('{"number": "5"}', "number", "Needs a whole number, but got text; write it without quotation marks.",
     "필요한 값: 정수. 받은 값: 문자열. 따옴표 없이 쓰십시오."),
    ('{"number": "five"}', "number", "Needs a whole number, but got text.", "필요한 값: 정수. 받은 값: 문자열."),
    ('{"number": 5.5}', "number", "Needs a whole number, without a fraction.", "소수점 없는 정수여야 합니다."),
    ('{"number": true}', "number", "Needs a whole number, but got true or false.",
     "필요한 값: 정수. 받은 값: true 또는 false."),
    ('{"number": 0}', "number", "Must be at least 1.", "1 이상이어야 합니다."),
    ('{"number": 10}', "number", "Must be at most 9.", "9 이하여야 합니다."),
    ('{"above": 0}', "above", "Must be more than 0.", "0보다 커야 합니다."),
    ('{"above": 10}', "above", "Must be less than 10.", "10보다 작아야 합니다."),
    ('{"fives": 6}', "fives", "Must be a multiple of 5.", "5의 배수여야 합니다."),
    ('{"ratio": "x"}', "ratio", "Needs a number or null, but got text.", "필요한 값: 숫자 또는 null. 받은 값: 문자열."),
    ('{"ratio": 1e400}', "ratio", "The number is too large.", "숫자가 너무 큽니다."),
    ('{"flag": "true"}', "flag", "Needs true or false, but got text; write it without quotation marks.",
     "필요한 값: true 또는 false. 받은 값: 문자열. 따옴표 없이 쓰십시오."),
    ('{"code": "C"}', "code", 'Must be one of: "A", "B".', '다음 중 하나여야 합니다: "A", "B".'),
    ('{"colour": "green"}', "colour", 'Must be one of: "red", "blue".', '다음 중 하나여야 합니다: "red", "blue".'),
    ('{"items": {}}', "items", "Needs a list, but got an object.", "필요한 값: 배열. 받은 값: 객체."),
    ('{"items": []}', "items", "Must have at least 1 items.", "항목이 1개 이상이어야 합니다."),
    ('{"items": [{}, {}, {}]}', "items", "Must have at most 2 items.", "항목이 2개 이하여야 합니다."),
    ('{"items": ["I-1"]}', "items[0]", "Needs an object, but got text.", "필요한 값: 객체. 받은 값: 문자열."),
    ('{"items": [{}, {"itemNo": "X"}]}', "items[1].itemNo", 'Must match the pattern ^I-[0-9]$ Example: "I-1"',
     '다음 정규식에 맞아야 합니다: ^I-[0-9]$ 예: "I-1"'),
    ('{"items": [{"itemno": "I-1"}]}', "items[0].itemno", 'There is no such member; did you mean "itemNo"?',
     '이런 이름의 항목은 없습니다. 혹시 "itemNo"입니까?'),
    ('{"items": [{"zzz": 1}]}', "items[0].zzz", "There is no such member; allowed: itemNo.",
     "이런 이름의 항목은 없습니다. 쓸 수 있는 이름: itemNo."),
    ('{"day": "2026-02-30"}', "day",
     'Needs a date that exists, such as 2026-12-31. Example: "2026-01-01"',
     '2026-12-31과 같은 실제 날짜여야 합니다. 예: "2026-01-01"'),
    ('{"day": "86400"}', "day",
     'Needs a date that exists, such as 2026-12-31. Example: "2026-01-01"',
     '2026-12-31과 같은 실제 날짜여야 합니다. 예: "2026-01-01"'),
    ('{"moment": "20260131093000"}', "moment", "Needs a date with a time, such as 2026-12-31T09:30:00+09:00.",
     "2026-12-31T09:30:00+09:00과 같은 날짜와 시각이어야 합니다."),
    ('{"moment": "soon"}', "moment", "Needs a date with a time, such as 2026-12-31T09:30:00+09:00.",
     "2026-12-31T09:30:00+09:00과 같은 날짜와 시각이어야 합니다."),
    ('{"span": "long"}', "span", "Needs a duration, such as P1DT2H.", "P1DT2H와 같은 기간이어야 합니다."),
    ('{"uid": "u"}', "uid", "Needs a UUID.", "UUID여야 합니다."),
    *(
        (f'{{"amount": {value}}}', "amount", 'Needs a decimal number in quotation marks, such as "1234.50".',
         '"1234.50"처럼 따옴표로 묶은 십진수여야 합니다.')
        for value in (
            '"x"', '" 1 "', '"1_0"', '"1e2"', '"NaN"', '"Infinity"', '"-Infinity"', '""', '".5"', '"1."', '"٣"',
            '"1\\n"', '"1E9999999999999999999999"',
        )
    ),
    ('{"amount": 0.1}', "amount", "Needs text or null, but got a number.",
     "필요한 값: 문자열 또는 null. 받은 값: 숫자."),
    ('{"amount": 1}', "amount", "Needs text or null, but got a whole number.",
     "필요한 값: 문자열 또는 null. 받은 값: 정수."),
    ('{"amount": true}', "amount", "Needs text or null, but got true or false.",
     "필요한 값: 문자열 또는 null. 받은 값: true 또는 false."),
    ('{"amount": "12345"}', "amount", "Has too many digits; allowed: 4.", "자릿수가 너무 많습니다. 허용: 4자리."),
    ('{"amount": "1.234"}', "amount", "Has too many digits after the point; allowed: 2.",
     "소수점 아래 자릿수가 너무 많습니다. 허용: 2자리."),
    ('{"either": true}', "either", "Needs a whole number or text, but got true or false.",
     "필요한 값: 정수 또는 문자열. 받은 값: true 또는 false."),
    ('{"pet": {"kind": "cow"}}', "pet.kind", "Must be one of: 'cat', 'dog'.", "다음 중 하나여야 합니다: 'cat', 'dog'."),
    ('{"pet": {}}', "pet.kind", "Required, but missing.", "필수 항목인데 없습니다."),
    ('{"pet": {"kind": "dog"}}', "pet.name", "Required, but missing.", "필수 항목인데 없습니다."),
    ('{"checked": "no"}', "checked", "쓰지 않는 값입니다", "쓰지 않는 값입니다"),
    ('{"firstName": "both", "flag": true}', "", "firstName과 flag는 함께 쓸 수 없습니다",
     "firstName과 flag는 함께 쓸 수 없습니다"),
    ('{"first_name": "x"}', "first_name", 'There is no such member; did you mean "firstName"?',
     '이런 이름의 항목은 없습니다. 혹시 "firstName"입니까?'),
    ("[]", "", "Needs an object, but got a list.", "필요한 값: 객체. 받은 값: 배열."),
    ('"x"', "", "Needs an object, but got text.", "필요한 값: 객체. 받은 값: 문자열."),
    ("null", "", "Needs an object, but got null.", "필요한 값: 객체. 받은 값: null."),
]  # fmt: skip


def reader(language: Language = "en") -> ArgumentReader:
    return ArgumentReader(Everything, input_schema(Everything), None, language)


def refused(found: ArgumentReader, body: bytes) -> ToolAnswer:
    with pytest.raises(RefusedError) as caught:
        found.read(body)
    return ToolAnswer(caught.value.answer.status, caught.value.answer.body)


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize(("body", "path", "en", "ko"), CASES, ids=[case[0] for case in CASES])
def test_each_fault_is_told_with_its_place_in_words_that_a_model_can_act_on(
    body: str, path: str, en: str, ko: str
) -> None:
    for language, message in (("en", en), ("ko", ko)):
        answer = refused(reader("ko" if language == "ko" else "en"), body.encode())
        assert (answer.status, answer.value["error"]["code"]) == (400, "INVALID_ARGUMENTS")
        assert answer.value["error"]["fields"] == [{"path": path, "message": message}]


@pytest.mark.req("toolkit/S3")
def test_the_heading_says_how_many_faults_there_are() -> None:
    body = b'{"text": 1, "number": 0}'
    assert refused(reader("en"), body).value["error"]["message"] == (
        "The arguments are not valid; faults: 2. Mend what `fields` names and call again."
    )
    assert refused(reader("ko"), body).value["error"]["message"] == (
        "인자가 올바르지 않습니다(오류 2건). `fields`에 적힌 항목을 고쳐 다시 호출하십시오."
    )


@pytest.mark.req("toolkit/S3", "threat/T17")
@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        (b"{", 400, "INVALID_JSON", "it ends too early"),
        (b'{"a": 1,}', 400, "INVALID_JSON", "there is an unexpected character at byte 8"),
        (b'{"a": NaN}', 400, "INVALID_JSON", "there is an unexpected character at byte 6"),
        (b'{"a": -Infinity}', 400, "INVALID_JSON", "there is an unexpected character at byte 7"),
        (b'{"text": "\xff"}', 400, "INVALID_JSON", "it is no UTF-8 at byte 10"),
        (b'{"text": "\\ud800"}', 400, "INVALID_JSON", "half of a character is escaped alone"),
        (b'{"number": ' + b"1" * 5000 + b"}", 400, "INVALID_JSON", "a number has too many digits"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, 400, "TOO_DEEP", "The arguments nest deeper than 64 levels."),
        (b"[" * 100_000, 400, "TOO_DEEP", "The arguments nest deeper than 64 levels."),
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_refused_with_the_reason(body: bytes, status: int, code: str, message: str) -> None:
    answer = refused(reader(), body)
    assert (answer.status, answer.value["error"]["code"]) == (status, code)
    told = {
        "INVALID_JSON": f"The body is not valid JSON: {message}. Send the arguments as one JSON object.",
        "TOO_DEEP": f"{message} Send them as the tool's input schema describes.",
    }
    assert answer.value["error"]["message"] == told[code]


@pytest.mark.req("toolkit/S3")
def test_an_empty_body_is_an_object_without_members() -> None:
    assert reader().read(b"") == Everything()


@pytest.mark.req("toolkit/S3", "threat/T17")
def test_what_is_told_is_bounded_whatever_was_sent() -> None:
    members: dict[str, Any] = {f"{'열' * 200}{number}": 1 for number in range(500)}
    import json  # noqa: PLC0415 - only here

    answer = refused(reader("ko"), json.dumps(members, ensure_ascii=False).encode())
    assert len(answer.body) < 8192
    told = len(answer.value["error"]["fields"])
    assert answer.value["error"]["message"] == (
        f"인자가 올바르지 않습니다(오류 500건 중 처음 {told}건만 적음). `fields`에 적힌 항목을 고쳐 다시 호출하십시오."
    )
    in_english = refused(reader("en"), json.dumps(members, ensure_ascii=False).encode()).value["error"]
    assert in_english["message"] == (
        f"The arguments are not valid; faults: 500, of which the first {len(in_english['fields'])} are listed. "
        "Mend what `fields` names and call again."
    )
    assert len(answer.value["error"]["fields"]) >= 1
    assert [field["path"] for field in answer.value["error"]["fields"] if len(field["path"]) > 200] == []


@pytest.mark.req("toolkit/S3", "threat/T22")
def test_nothing_of_the_validator_gets_through() -> None:
    body = '{"text": 1, "code": "C", "pet": {"kind": "cat", "x": 1}, "number": "5", "either": [], "items": [1]}'
    text = refused(reader(), body.encode()).body.decode()
    assert [word for word in ("pydantic", "http", "Everything", "Cat", "type=", "int_type") if word in text] == []


@pytest.mark.req("toolkit/S3")
def test_characters_that_hide_or_break_out_are_taken_from_names() -> None:
    answer = refused(reader(), b'{"x\\u202ey\\u0000\\u001b[2J": 1}')
    assert answer.value["error"]["fields"][0]["path"] == "xy[2J"


NARROW = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["A", "B"], "examples": ["A"]},
        "count": {"type": ["integer", "null"], "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2},
        "text": {"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-z]+$"},
        "list": {"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": True, "items": {"type": "integer"}},
        "one": {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        "any": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "not": {"not": {"const": 1}},
    },
    "required": ["kind"],
    "additionalProperties": False,
    "anyOf": [{"required": ["kind"]}, {"required": ["count"]}],
}


class Wide(Input):
    kind: Any = None
    count: Any = None
    text: Any = None
    list: Any = None
    one: Any = None
    any: Any = None
    not_: Any = Field(None, alias="not")


@pytest.mark.req("toolkit/S3", "decision/D12")
@pytest.mark.parametrize(
    ("members", "path", "message"),
    [
        ('"kind": "C"', "kind", 'Must be one of: "A", "B".'),
        ('"count": "2"', "count", "Needs a whole number or null, but got text; write it without quotation marks."),
        ('"count": 0', "count", "Must be at least 1."),
        ('"count": 10', "count", "Must be less than 9."),
        ('"count": 3', "count", "Must be a multiple of 2."),
        ('"text": "a"', "text", "Must have at least 2 characters."),
        ('"text": "abcd"', "text", "Must have at most 3 characters."),
        ('"text": "AB"', "text", "Must match the pattern ^[a-z]+$"),
        ('"list": []', "list", "Must have at least 1 items."),
        ('"list": [1, 2, 3]', "list", "Must have at most 2 items."),
        ('"list": [1, 1]', "list", "No item may stand twice."),
        ('"list": ["1"]', "list[0]", "Needs a whole number, but got text; write it without quotation marks."),
        ('"one": 1', "one", "Must fit exactly one of the allowed forms."),
        ('"any": "x"', "any", "Fits none of the allowed forms."),
        ('"not": 1', "not", "Breaks a condition of the input schema (not)."),
        ('"knd": 1', "knd", 'There is no such member; did you mean "kind"?'),
    ],
)
def test_a_schema_resource_that_narrows_the_model_is_told_in_the_same_words(
    members: str, path: str, message: str
) -> None:
    found = ArgumentReader(Wide, NARROW, SchemaValidator(NARROW), "en")
    kind = "" if '"kind"' in members else '"kind": "A", '
    answer = refused(found, f"{{{kind}{members}}}".encode())
    assert {"path": path, "message": message} in answer.value["error"]["fields"]


class Node(Input):
    name: Annotated[str, Desc("이름", example="뿌리")]
    children: Annotated[list["Node"], Desc("아래 항목. 순서 없음")] = []  # noqa: RUF012 - a field, which Pydantic copies


@pytest.mark.req("toolkit/S3", "toolkit/T7")
def test_faults_inside_a_recursive_model_are_explained_at_any_depth() -> None:
    found = ArgumentReader(Node, input_schema(Node), None, "ko")
    body = '{"name": "a", "children": [{"name": "b", "children": [{"nam": "c"}]}]}'
    assert refused(found, body.encode()).value["error"]["fields"] == [
        {"path": "children[0].children[0].name", "message": '필수 항목인데 없습니다. 예: "뿌리"'},
        {"path": "children[0].children[0].nam", "message": '이런 이름의 항목은 없습니다. 혹시 "name"입니까?'},
    ]


@pytest.mark.req("toolkit/S3", "decision/D12")
def test_what_is_no_json_is_told_so_before_any_schema_looks_at_it() -> None:
    found = ArgumentReader(Wide, NARROW, SchemaValidator(NARROW), "en")
    assert refused(found, b"{").value["error"]["code"] == "INVALID_JSON"
    assert refused(found, b'{"count": ' + b"1" * 5000 + b"}").value["error"]["code"] == "INVALID_JSON"


@pytest.mark.req("toolkit/S3")
def test_every_sentence_stands_in_both_languages_with_the_same_values() -> None:
    texts = [refusal.text for refusal in REFUSALS.values()]
    texts += [*FAULTS.values(), *KINDS.values(), *JSON_FAULTS.values()]
    fields = [tuple(sorted(_fields(text)) for text in pair) for pair in texts]
    assert [pair for pair in fields if pair[0] != pair[1]] == []
    assert [text.ko for text in texts if any("\u1100" <= c <= "\u11ff" for c in text.ko)] == []


def _fields(text: str) -> list[str]:
    import string  # noqa: PLC0415 - only here

    return [name for _, name, _, _ in string.Formatter().parse(text) if name]
