"""An example is accepted when a call with it would be: one reader decides both (rule/TK405)."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.toolkit.declare import Declaration
from axhub.toolkit.facts.service import Imported, Kind, Place
from axhub.toolkit.inspecting.examples import examples_of
from axhub.toolkit.models import Desc, Input, Output
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.arguments import ArgumentReader, RefusedError

pytestmark = pytest.mark.req("rule/TK405")


class Period(Input):
    from_year: Annotated[int, Desc("Year", ge=2000)]


class Request(Input):
    claim_no: Annotated[str, Desc("Claim number", pattern="^CLM[0-9]{1,3}$")]
    kind: Annotated[Literal["A", "B"] | None, Desc("Kind, null: any")] = None
    period: Annotated[Period | None, Desc("Null: all")] = None


async def function(request: Request) -> Output:
    return Output()


ROOT = Path(__file__).parent
NARROW = {**input_schema(Request), "required": ["claimNo", "kind"]}
NAMES = st.sampled_from(["claimNo", "claim_no", "kind", "period", "fromYear", "from_year", "more"])
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(1990, 2030), st.sampled_from(["CLM1", "CLM12", "A", "B", "x", "2001"])
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=4))


def tool_and_facts(schema: dict[str, Any], kind: Kind) -> tuple[FoundTool, Imported]:
    tool = FoundTool(Declaration(name="a"), function, None, Request, "request", None, {}, Output, Place(""))
    return tool, Imported("a", schema, kind, input_schema(Request), None, Kind.NONE, {})


def is_accepted(example: Any, schema: dict[str, Any], kind: Kind) -> bool:
    tool, imported = tool_and_facts(schema, kind)
    return dict(examples_of(tool, imported, {"examples": {"valid": [example]}}, ROOT))["valid/0"] is None


def is_taken(example: Any, schema: dict[str, Any], judge: SchemaValidator | None) -> bool:
    try:
        ArgumentReader(Request, schema, judge, "en").read(json.dumps(example).encode())
    except RefusedError:
        return False
    return True


@given(VALUES | st.dictionaries(NAMES, LEAVES, min_size=1, max_size=3))
def test_examples_and_calls_are_accepted_alike(example: Any) -> None:
    assert is_accepted(example, input_schema(Request), Kind.MODEL) == is_taken(example, input_schema(Request), None)
    judge = SchemaValidator(NARROW)
    assert is_accepted(example, NARROW, Kind.RESOURCE) == is_taken(example, NARROW, judge)


@pytest.mark.parametrize(
    ("example", "said"),
    [
        ({"claimNo": "CLM1"}, None),
        ({"claim_no": "CLM1"}, "claimNo: missing"),
        ({"claimNo": "CLM1", "period": {"from_year": 2001}}, "period/fromYear: missing"),
        ({"claimNo": "CLM1", "period": {"fromYear": "2001"}}, "period/fromYear: int_type"),
    ],
)
def test_a_name_of_python_is_none_of_the_wire(example: Any, said: str | None) -> None:
    tool, imported = tool_and_facts(input_schema(Request), Kind.MODEL)
    assert dict(examples_of(tool, imported, {"examples": {"valid": [example]}}, ROOT)) == {"valid/0": said}


def test_what_is_too_much_for_a_call_is_told_in_the_words_of_the_service() -> None:
    tool, imported = tool_and_facts(input_schema(Request), Kind.MODEL)
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    (said,) = dict(examples_of(tool, imported, {"examples": {"valid": [{"claimNo": deep}]}}, ROOT)).values()
    assert said is not None
    assert said.startswith("arguments: ")
