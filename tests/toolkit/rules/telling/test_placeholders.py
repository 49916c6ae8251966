"""Every place of a tool that is still to be written is told once, and nobody else complains about what stands there."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Place, Shape
from axhub.toolkit.rules.all import ALL
from axhub.toolkit.rules.telling.placeholders import is_unwritten
from axhub.toolkit.rules.texts import TK303
from support.telling import breaches, expect, said
from support.toolkit_facts import DTO, INPUT_SCHEMA, declared, definition, facts, field, imported, resource

pytestmark = pytest.mark.req("rule/TK303")
REQUEST = "my_tools.biz.cmm.dto.ClaimSearchRequest"


def _told(found: Facts) -> list[str]:
    """Return what all rules say beyond what they say of the made-up service itself, with the rule and the place."""
    return [
        f"{rule.id} {breach.place}"
        for rule in ALL
        for breach in breaches(rule, found)
        if breach not in breaches(rule, facts())
    ]


def _schema(text: str) -> dict[str, Any]:
    return {**INPUT_SCHEMA, "properties": {"claimNo": {"type": "string", "description": text}}}


def test_a_field_that_is_not_described_yet_is_told_at_its_line() -> None:
    number = field("/claimNo", model=REQUEST, place=Place(DTO, 6, 5), description="TODO 번호", python_name="claim_no")
    expect(
        TK303,
        facts(imported={"cmm_claim_search": imported(inputs=(number,))}),
        f'{DTO}:6:5: error: The text of ClaimSearchRequest.claim_no still has "TODO" in it. Write what people and '
        "models shall read.",
        f'{DTO}:6:5: error: ClaimSearchRequest.claim_no 글에 "TODO" 표시가 남아 있습니다. 사람과 모델이 읽을 실제 '
        "내용을 쓰십시오.",
    )


def test_a_property_that_is_not_described_yet_is_told_at_its_description() -> None:
    found = facts(definition(parameters_schema=_schema("TBD")))
    place = found.definitions[0].place("/parameters_schema/properties/claimNo/description")
    expect(
        TK303,
        found,
        f'{place}: error: The text of parameters_schema.properties.claimNo.description still has "TBD" in it. Write '
        "what people and models shall read.",
        f'{place}: error: parameters_schema.properties.claimNo.description 글에 "TBD" 표시가 남아 있습니다. 사람과 '
        "모델이 읽을 실제 내용을 쓰십시오.",
    )


NULLABLE = {"nullable": True, "description": "TODO 지급일"}
LIST = {"shape": Shape.LIST, "item": Shape.OBJECT, "description": "TODO 목록"}
PLACES = {
    "tags": (definition(tags=["보험금", "TODO"]), "/tags/1"),
    "tags that are no list": (definition(tags="TODO"), "/tags"),
    "an owner that is in no list": (definition(owner_org="<조직>"), "/owner_org"),
    "the id of the interface": (definition(legacy_interface_id="TODO"), "/legacy_interface_id"),
    "the name": (definition(display_name="TODO 업무명"), "/display_name"),
}


@pytest.mark.parametrize(("written", "pointer"), PLACES.values(), ids=PLACES)
def test_a_value_of_a_definition_is_told_once(written: Any, pointer: str) -> None:
    found = facts(written)
    rules = ["TK303", "TK313"] if isinstance(written.values["tags"], str) else ["TK303"]
    assert _told(found) == [f"{rule} {written.place(pointer)}" for rule in rules]


def test_what_the_decorator_does_not_say_yet_is_told_once() -> None:
    tool = declared(mapping_id="TODO", title="TODO")
    assert _told(facts(tool)) == [f"TK303 {tool.place_of('title')}", f"TK303 {tool.place_of('mapping_id')}"]


@pytest.mark.parametrize("more", [NULLABLE, LIST], ids=["null", "order"])
def test_a_description_that_is_still_to_be_written_lacks_nothing_else(more: dict[str, Any]) -> None:
    place = Place(DTO, 15, 5)
    outputs = (*imported().outputs, field("/paidOn", place=place, **more))
    assert _told(facts(imported={"cmm_claim_search": imported(outputs=outputs)})) == [f"TK303 {place}"]


def test_a_schema_file_is_looked_through_too() -> None:
    nobody = resource("cmm/other-input-schema.json", _schema("TODO"))
    key = "other-input-schema.json.properties.claimNo.description"
    problem = f'The text of {key} still has "TODO" in it. Write what people and models shall read.'
    assert said(TK303, facts(resources=(nobody,))) == [f"{nobody.path}:1:1: error: {problem}"]


def test_words_that_may_be_a_name_or_a_description_are_none() -> None:
    assert [text for text in ("테스트", "설명", "없음", "todo 목록", None, 12, "") if is_unwritten(text)] == []
    assert [text for text in ("TODO", "TODO(누구): 값", "<값>", "{owner}", "FIXME") if not is_unwritten(text)] == []
    assert said(TK303, facts(definition(tags=["테스트"], owner_org="MCP_TOOL", legacy_interface_id="없음"))) == []


def test_of_a_name_or_an_id_the_mend_asks_for_no_sentence() -> None:
    mend = "Write the name or id itself, as its owner has it; no sentence."
    found = [
        *said(TK303, facts(definition(tags=["<tag>"], owner_org="TODO"))),
        *said(TK303, facts(declared(mapping_id="TODO"))),
    ]
    assert [one.endswith(mend) for one in found] == [True, True, True]
