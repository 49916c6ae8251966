"""Schemas as they are published (toolkit/T7)."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Optional

import msgspec
import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, computed_field
from typing_extensions import TypeAliasType, TypedDict

from axhub.contract.schema import check_schema
from axhub.toolkit.models import DECIMAL_TEXT, Desc, Input, Output, masked
from axhub.toolkit.published.schemas import NO_ARGUMENTS, input_schema, output_schema, rendered_resource
from axhub.toolkit.published.validation import SchemaFault, SchemaValidator

pytestmark = pytest.mark.req("toolkit/T7")


class Item(Output):
    status: Annotated[Literal["OPEN", "DONE"], Desc("상태 코드")]
    kind: Annotated[Literal["A"] | None, Desc("종류, 없으면 null")]


class Answer(Output):
    """A sentence for programmers."""

    claim_no: Annotated[str, Desc("청구번호", example="CLM1", pattern="^CLM[0-9]+$", max_length=20)]
    paid_at: Annotated[date | None, Desc("지급일, 없으면 null")] = None
    item: Annotated[Item, Desc("대표 항목")]
    other: Annotated[Item | None, Desc("다른 항목, 없으면 null")] = None
    items: Annotated[list[Item], Desc("접수일 내림차순", max_length=3)]
    names: Annotated[list[str] | None, Desc("이름순, 없으면 null")]
    amount: Annotated[Decimal, Desc("금액")]
    count: Annotated[int, Desc("건수", ge=0, le=9)] = 0


ITEM = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "description": "상태 코드", "enum": ["OPEN", "DONE"]},
        "kind": {"type": ["string", "null"], "description": "종류, 없으면 null", "enum": ["A", None]},
    },
    "required": ["status", "kind"],
    "additionalProperties": False,
}


def test_a_model_is_published_without_references_titles_const_or_nullable_unions() -> None:
    assert output_schema(Answer) == {
        "type": "object",
        "properties": {
            "claimNo": {
                "type": "string",
                "description": "청구번호",
                "pattern": "^CLM[0-9]+$",
                "maxLength": 20,
                "examples": ["CLM1"],
            },
            "paidAt": {"type": ["string", "null"], "description": "지급일, 없으면 null", "format": "date"},
            "item": {**ITEM, "description": "대표 항목"},
            "other": {**ITEM, "type": ["object", "null"], "description": "다른 항목, 없으면 null"},
            "items": {"type": "array", "description": "접수일 내림차순", "items": ITEM, "maxItems": 3},
            "names": {"type": ["array", "null"], "description": "이름순, 없으면 null", "items": {"type": "string"}},
            "amount": {"type": "string", "description": "금액", "pattern": r"^[-+]?[0-9]+(\.[0-9]+)?(E[-+]?[0-9]+)?$"},
            "count": {"type": "integer", "description": "건수", "minimum": 0, "maximum": 9, "default": 0},
        },
        "required": ["claimNo", "item", "items", "names", "amount"],
        "additionalProperties": False,
    }


def test_members_stand_in_one_order_whatever_order_they_were_made_in() -> None:
    schema = output_schema(Answer)
    assert list(schema) == ["type", "properties", "required", "additionalProperties"]
    assert list(schema["properties"]) == [
        "claimNo", "paidAt", "item", "other", "items", "names", "amount", "count",
    ]  # fmt: skip
    assert list(schema["properties"]["count"]) == ["type", "description", "minimum", "maximum", "default"]


class Shade(Enum):
    """Another one."""

    RED = "red"


class Point(TypedDict):
    """And one more."""

    x: int


@dataclass
class Size:
    """The last one."""

    width: int


Code = TypeAliasType("Code", Annotated[str, Field(description="코드값")])


class Told(Output):
    """What stands here is for those who read the source."""

    model_config = ConfigDict(json_schema_extra={"description": "정한 설명"})
    colour: Annotated[Shade, Desc("색")]
    colours: Annotated[list[Shade], Desc("이름순")]
    answers: Annotated[list[Answer], Desc("접수일순")]
    point: Point
    size: Size
    code: Code


def test_what_classes_say_to_programmers_is_not_published_and_what_was_said_of_fields_is() -> None:
    colour = {"type": "string", "enum": ["red"]}
    number = {"type": "integer"}
    schema = output_schema(Told)
    properties = schema["properties"]
    assert schema["description"] == "정한 설명"
    assert properties["colour"] == {**colour, "description": "색"}
    assert properties["colours"] == {"type": "array", "description": "이름순", "items": colour}
    assert properties["answers"] == {"type": "array", "description": "접수일순", "items": output_schema(Answer)}
    assert properties["point"]["properties"] == {"x": number}
    assert properties["size"]["properties"] == {"width": number}
    assert [name for name in properties if "description" not in properties[name]] == ["point", "size"]
    assert properties["code"] == {"type": "string", "description": "코드값"}


def test_a_tool_without_arguments_takes_an_empty_object() -> None:
    assert input_schema(None) == {"type": "object", "properties": {}, "additionalProperties": False}
    assert SchemaValidator(NO_ARGUMENTS).faults({"a": 1}) == [SchemaFault((), "additionalProperties", names=("a",))]


class Node(Output):
    name: Annotated[str, Desc("이름")]
    children: Annotated[list["Node"], Desc("이름순")]
    parent: Annotated[Optional["Node"], Desc("없으면 null")]


class Holder(Output):
    node: Annotated[Node, Desc("마디")]


def test_a_model_inside_itself_keeps_its_reference() -> None:
    node: dict[str, Any] = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "이름"},
            "children": {"type": "array", "description": "이름순", "items": {"$ref": "#"}},
            "parent": {"description": "없으면 null", "anyOf": [{"$ref": "#"}, {"type": "null"}]},
        },
        "required": ["name", "children", "parent"],
        "additionalProperties": False,
    }
    assert output_schema(Node) == node
    node["properties"]["children"]["items"] = {"$ref": "#/$defs/Node"}
    node["properties"]["parent"]["anyOf"][0] = {"$ref": "#/$defs/Node"}
    assert output_schema(Holder) == {
        "type": "object",
        "properties": {"node": {**node, "description": "마디"}},
        "required": ["node"],
        "additionalProperties": False,
        "$defs": {"Node": node},
    }


class ByNumber(Input):
    by: Annotated[Literal["number"], Desc("방법")]
    number: Annotated[str, Desc("번호")]


class ByName(Input):
    by: Annotated[Literal["name"], Desc("방법")]


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Wide(Input):
    way: Annotated[ByNumber | ByName, Field(discriminator="by", description="찾는 방법")]
    either: Annotated[int | str | None, Desc("무엇이든")]
    anything: Annotated[Any, Desc("무엇이든")]
    table: Annotated[dict[str, int], Desc("표")]
    loose: Annotated[dict[str, Any], Desc("표")]
    colour: Annotated[Colour | None, Desc("색, 없으면 null")] = None
    title: Annotated[str, Desc("제목")] = "x"


def test_unions_stay_unions_and_open_objects_stay_open() -> None:
    properties = input_schema(Wide)["properties"]
    assert properties == {
        "way": {
            "description": "찾는 방법",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "by": {"type": "string", "description": "방법", "enum": ["number"]},
                        "number": {"type": "string", "description": "번호"},
                    },
                    "required": ["by", "number"],
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {"by": {"type": "string", "description": "방법", "enum": ["name"]}},
                    "required": ["by"],
                    "additionalProperties": False,
                },
            ],
        },
        "either": {"description": "무엇이든", "anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        "anything": {"description": "무엇이든"},
        "table": {"type": "object", "description": "표", "additionalProperties": {"type": "integer"}},
        "loose": {"type": "object", "description": "표", "additionalProperties": True},
        "colour": {"type": ["string", "null"], "description": "색, 없으면 null", "enum": ["red", "blue", None]},
        "title": {"type": "string", "description": "제목", "default": "x"},
    }


class Account(Output):
    number: Annotated[str, Desc("계좌번호", pattern="^[0-9]+$"), masked("확인용")]
    other: Annotated[str | None, masked("확인용"), Desc("없으면 null", pattern="^[0-9]+$")]

    @computed_field(description="두 배")  # type: ignore[prop-decorator]  # pydantic's documented way
    @property
    def twice(self) -> int:
        return 2


def test_a_masked_field_and_a_computed_one_are_published_as_they_are_written() -> None:
    schema = output_schema(Account)
    assert schema["properties"] == {
        "number": {"type": "string", "description": "계좌번호"},
        "other": {"type": ["string", "null"], "description": "없으면 null"},
        "twice": {"type": "integer", "description": "두 배", "readOnly": True},
    }
    written = Account(number="1234567890", other=None).model_dump(mode="json", by_alias=True)
    assert written == {"number": "******7890", "other": None, "twice": 2}
    assert SchemaValidator(schema).faults(written) == []


class Level(Output):
    pass


def _nested(depth: int) -> type[BaseModel]:
    model: type[BaseModel] = Level
    for at in range(depth):
        fields = {name: (model, Field(description="x")) for name in "abc"}
        model = type(f"Level{at}", (Output,), {"__annotations__": {n: t for n, (t, _) in fields.items()}})
    return model


def test_models_that_multiply_when_references_are_followed_end_and_are_refused_by_the_bounds() -> None:
    schema = output_schema(_nested(25))
    findings = check_schema(msgspec.json.encode(schema), "", None, root_object=True)
    assert {finding.rule for finding in findings} <= {"schema.bytes", "schema.subschemas", "schema.depth"}
    assert findings


class Odd(Output):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    thing: Annotated[SchemaValidator, Desc("x")]


def test_a_type_that_no_schema_can_say_is_named() -> None:
    with pytest.raises(ValueError, match=r"^Odd: Cannot generate a JsonSchema for core_schema.IsInstanceSchema"):
        output_schema(Odd)


def test_a_resource_is_rendered_with_its_meaning_kept() -> None:
    assert rendered_resource(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "urn:x",
            "title": "Claims",
            "type": "object",
            "properties": {
                "title": {"title": "T", "const": 1},
                "who": {"$ref": "#/$defs/person", "description": "누구"},
                "same": {"$ref": "#/definitions/no~1t"},
                "twice": {"$ref": "#/$defs/person", "type": "object"},
                "maybe": {"oneOf": [{"type": "string"}, {"type": "null"}], "default": None},
            },
            "$defs": {"person": {"type": "object", "properties": {}}},
            "definitions": {"no/t": {"type": "string"}},
        }
    ) == {
        "type": "object",
        "properties": {
            "title": {"enum": [1]},
            "who": {"type": "object", "properties": {}, "description": "누구"},
            "same": {"type": "string"},
            "twice": {"type": "object", "$ref": "#/$defs/person"},
            "maybe": {"oneOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "$defs": {"person": {"type": "object", "properties": {}}},
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "title": "T", "properties": {"a": {"$ref": "#/properties/b"}, "b": {}}},
        {"type": "object", "title": "T", "$anchor": "here"},
        {"type": "object", "title": "T", "properties": {"a": {"$defs": {"x": True}}}},
        {"type": "object", "title": "T", "properties": {"a": {"$ref": "#/$defs/gone"}}},
        True,
    ],
    ids=["pointer", "anchor", "inner", "dangling", "boolean"],
)
def test_a_resource_with_other_references_is_published_as_it_is(schema: Any) -> None:
    assert rendered_resource(schema) == schema


class Bounded(Input):
    exact: Annotated[Decimal, Desc("금액", ge=1, le=10)]
    more: Annotated[Decimal | None, Field(gt=0, lt=5, multiple_of=Decimal("0.5"), description="비율, 없으면 null")] = (
        None
    )
    plain: Annotated[Decimal, Field(max_digits=4, decimal_places=2)]
    several: Annotated[list[Annotated[Decimal, Field(ge=0)]], Desc("금액 목록")]


def test_bounds_of_decimals_stand_in_their_descriptions_since_no_keyword_bounds_text_by_its_number() -> None:
    text = {"type": "string", "pattern": DECIMAL_TEXT}
    assert input_schema(Bounded)["properties"] == {
        "exact": {**text, "description": "금액 (>= 1, <= 10)"},
        "more": {
            **text,
            "type": ["string", "null"],
            "description": "비율, 없으면 null (> 0, < 5, a multiple of 0.5)",
        },
        "plain": {**text, "description": "digits <= 4, decimals <= 2"},
        "several": {"type": "array", "description": "금액 목록", "items": {**text, "description": ">= 0"}},
    }
    assert list(input_schema(Bounded)["properties"]["plain"]) == ["type", "description", "pattern"]


class Inside(Input):
    amount: Annotated[Decimal, Desc("금액")]


class Around(Input):
    inside: Annotated[Inside, Desc("금액")]
    others: Annotated[list[Inside], Desc("금액")] = []  # noqa: RUF012 - a field, which Pydantic copies
    again: Annotated["Around | None", Desc("다시")] = None


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize(
    ("written", "accepted"),
    [
        (json_text, accepted)
        for texts, accepted in (
            (('"1"', '"-1.50"', '"+0"', '"1E+2"', '"00.1"'), True),
            (
                ("0.1", "1", '" 1 "', '"1_0"', '"1e2"', '"NaN"', '"Infinity"', '".5"', '"1."', "null", "[]", '"٣"'),
                False,
            ),
        )
        for json_text in texts
    ],
)
def test_a_request_model_takes_the_decimals_that_its_schema_allows_and_no_others(written: str, accepted: bool) -> None:
    validator = SchemaValidator(input_schema(Around))
    for text in (
        f'{{"inside": {{"amount": {written}}}}}',
        f'{{"inside": {{"amount": "1"}}, "others": [{{"amount": {written}}}]}}',
        f'{{"inside": {{"amount": "1"}}, "again": {{"inside": {{"amount": {written}}}}}}}',
    ):
        assert validator.accepts(msgspec.json.decode(text)) is accepted
        try:
            Around.model_validate_json(text)
        except ValidationError:
            assert not accepted
        else:
            assert accepted


def test_python_code_gives_a_request_model_decimals_as_they_are() -> None:
    assert Inside(amount=Decimal("1.50")).amount == Decimal("1.50")
