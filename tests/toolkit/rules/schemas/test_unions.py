"""Unions that are inside themselves: TK409."""

import pytest

from axhub.toolkit.facts.service import Unusable
from axhub.toolkit.rules.schemas.unions import TK409
from support.telling import expect, said
from support.toolkit_facts import DTO, TOOL, facts, field, imported, place

UNION = {"model": "AllOf", "field": "parts", "branches": "AllOf | AnyOf | Leaf"}
ENGLISH = (
    "error: The field parts of AllOf is a union inside itself, AllOf | AnyOf | Leaf, without a discriminator. Give "
    'each branch a field such as `kind: Literal["…"]`, and write `Annotated[AllOf | AnyOf | Leaf, '
    'Field(discriminator="kind")]`.'
)
KOREAN = (
    "error: AllOf의 parts 필드는 자기 자신을 포함하는 union(AllOf | AnyOf | Leaf)인데 discriminator가 없습니다. 각 "
    '클래스에 `kind: Literal["…"]` 같은 필드를 두고 `Annotated[AllOf | AnyOf | Leaf, '
    'Field(discriminator="kind")]`로 쓰십시오.'
)


@pytest.mark.req("rule/TK409")
def test_it_is_told_at_the_field_or_else_at_the_tool() -> None:
    one = Unusable("recursive-union", place(line=18), UNION, TOOL)
    inputs = (field("/where/parts", model="my_tools.biz.cmm.dto.AllOf"),)
    at_field = facts(unusable=(one, one), imported={TOOL: imported(inputs=inputs)})
    expect(TK409, at_field, f"{DTO}:13:5: {ENGLISH}", f"{DTO}:13:5: {KOREAN}")
    at_tool = facts(unusable=(one,))
    expect(TK409, at_tool, f"{place(line=18)}: {ENGLISH}", f"{place(line=18)}: {KOREAN}")
    assert not TK409.suppressible


@pytest.mark.req("rule/TK409")
def test_other_faults_of_declarations_are_told_by_other_rules() -> None:
    assert said(TK409, facts(unusable=(Unusable("not-async", place(), {"function": "f", "method": "f"}, TOOL),))) == []
