"""Schema resources that declarations name: TK403."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Located, Place
from axhub.toolkit.rules.schemas.family import TK309, TK310, TK311
from axhub.toolkit.rules.schemas.resources import TK403
from support.telling import breaches, expect, said
from support.toolkit_facts import FOLDER, declared, facts, resource

INPUT = "cmm/claim-input-schema.json"
FILE = f"{FOLDER}/tool_schemas/{INPUT}"
GOOD: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.mark.req("rule/TK403")
@pytest.mark.parametrize(
    "written", [f"tool_schemas/{INPUT}", f"classpath:tool-schemas/{INPUT}", f"/tool_schemas/{INPUT}"]
)
def test_a_resource_is_found_however_seed_003_spells_it(written: str) -> None:
    assert said(TK403, facts(declared(input_schema_resource=written), resources=(resource(INPUT),))) == []


@pytest.mark.req("rule/TK403")
@pytest.mark.parametrize(
    ("written", "files", "english", "korean"),
    [
        (
            "tool_schemas/cmm/none-input-schema.json",
            (),
            (
                "input_schema_resource names tool_schemas/cmm/none-input-schema.json, and there is no "
                f"{FOLDER}/tool_schemas/cmm/none-input-schema.json. Create that file, or remove the argument: the "
                "schema of the model is used then."
            ),
            (
                "input_schema_resource의 tool_schemas/cmm/none-input-schema.json에 해당하는 "
                f"{FOLDER}/tool_schemas/cmm/none-input-schema.json 파일이 없습니다. 파일을 만들거나 인자를 "
                "지우십시오. 지우면 모델의 스키마를 사용합니다."
            ),
        ),
        (
            "tool_schemas/cmm/clam-input-schema.json",
            (resource(INPUT),),
            (
                "input_schema_resource names tool_schemas/cmm/clam-input-schema.json, and there is no "
                f"{FOLDER}/tool_schemas/cmm/clam-input-schema.json. Write "
                f'`input_schema_resource="tool_schemas/{INPUT}"`, which exists.'
            ),
            (
                "input_schema_resource의 tool_schemas/cmm/clam-input-schema.json에 해당하는 "
                f"{FOLDER}/tool_schemas/cmm/clam-input-schema.json 파일이 없습니다. 존재하는 파일로 고치십시오: "
                f'`input_schema_resource="tool_schemas/{INPUT}"`.'
            ),
        ),
        (
            "tool_schemas/cmm/claim.json",
            (resource("cmm/claim.json"),),
            (
                "input_schema_resource names tool_schemas/cmm/claim.json, which does not end in -input-schema.json. "
                "Name a file that ends in -input-schema.json; rename it if need be."
            ),
            (
                "input_schema_resource의 tool_schemas/cmm/claim.json 파일 이름은 -input-schema.json 형식으로 끝나지 "
                "않습니다. 이름이 -input-schema.json 형식으로 끝나는 파일을 쓰십시오. 필요하면 파일 이름을 "
                "바꾸십시오."
            ),
        ),
        (
            f"tool_schemas/{INPUT}",
            (resource(INPUT, packaged=False),),
            (
                f"{FILE} is left out of the wheel. Remove the pattern from `exclude` or the ignore file that keeps it "
                "out, or the service does not find it."
            ),
            (
                f"{FILE} 파일이 wheel에 들어가지 않습니다. 이 파일을 제외하는 `exclude` 또는 ignore 파일의 패턴을 "
                "지우십시오. 그대로 두면 서비스가 파일을 찾지 못합니다."
            ),
        ),
    ],
)
def test_a_resource_that_cannot_be_used_is_told_at_the_argument(
    written: str, files: tuple[Any, ...], english: str, korean: str
) -> None:
    tool = declared(input_schema_resource=written)
    where = tool.place_of("input_schema_resource")
    assert said(TK403, facts(tool, resources=files)) == [f"{where}: error: {english}"]
    assert said(TK403, facts(tool, resources=files), "ko") == [f"{where}: error: {korean}"]


@pytest.mark.req("rule/TK403")
def test_a_file_that_is_no_json_is_told_where_the_reader_gave_up() -> None:
    broken = resource(INPUT, None, problem=Located("a comma is missing.", Place(FILE, 3, 7)))
    found = facts(declared(input_schema_resource=f"tool_schemas/{INPUT}"), resources=(broken,))
    expect(
        TK403,
        found,
        f"{FILE}:3:7: error: claim-input-schema.json cannot be read as JSON: a comma is missing. Correct this line or "
        "the one before it.",
        f"{FILE}:3:7: error: claim-input-schema.json 파일을 JSON으로 읽을 수 없습니다: a comma is missing. 이 줄이나 "
        "바로 앞 줄을 고치십시오.",
    )
    assert said(TK309, found) == said(TK310, found) == said(TK311, found) == []


@pytest.mark.req("rule/TK403")
@pytest.mark.parametrize(
    ("schema", "english", "korean"),
    [
        (
            {**GOOD, "required": "no"},
            "/required: 'required' is not a list of texts, none twice. Mend: write a list of texts, none twice.",
            (
                "/required: JSON Schema 2020-12에 맞지 않는 값입니다('required' is not a list of texts, none twice). "
                "이 키워드에 허용되는 값으로 고치십시오."
            ),
        ),
        (
            {**GOOD, "$schema": "http://json-schema.org/draft-07/schema#"},
            (
                "/$schema: '$schema' names another dialect than JSON Schema 2020-12. Mend: leave it out or write "
                "'https://json-schema.org/draft/2020-12/schema', and adapt the keywords that changed."
            ),
            "/$schema: `$schema`가 JSON Schema 2020-12가 아닙니다. `$schema`를 지우십시오.",
        ),
        (
            {**GOOD, "$defs": {"a": {"$ref": "other.json"}}},
            (
                "/$defs/a/$ref: $ref leads out of the document: 'other.json'. Mend: copy what it refers to into "
                "'$defs' and refer to that: '#/$defs/<name>'; nothing is fetched."
            ),
            (
                "/$defs/a/$ref: `$ref`가 이 파일 밖을 가리킵니다. 가리키는 스키마를 `$defs`에 옮기고 "
                "`#/$defs/이름`으로 참조하십시오."
            ),
        ),
        (
            {**GOOD, "$defs": {"a": {"$ref": "#/$defs/b"}}},
            (
                "/$defs/a/$ref: $ref leads to no schema of the document: '#/$defs/b'. Mend: refer to a schema of "
                "this document: '#', '#/$defs/<name>' or '#<anchor>'."
            ),
            "/$defs/a/$ref: `$ref`가 가리키는 스키마가 없습니다. 이 파일에 있는 `#/$defs/이름`을 참조하십시오.",
        ),
        (
            {**GOOD, "description": "a\u200bb"},
            (
                "/description: it contains the invisible character U+200B at character 2 where neither a script nor "
                "an emoji needs it. Mend: remove the character; inside a pattern write it as an escape, such as "
                "\\\\u200b."
            ),
            "/description: 보이지 않는 문자나 제어 문자가 있습니다. 그 문자를 지우십시오.",
        ),
    ],
)
def test_a_file_that_is_no_schema_is_told_with_the_place_inside_it(schema: Any, english: str, korean: str) -> None:
    found = facts(declared(input_schema_resource=f"tool_schemas/{INPUT}"), resources=(resource(INPUT, schema),))
    start = f"{FILE}:1:1: error: claim-input-schema.json"
    assert said(TK403, found) == [f"{start} is not a usable schema at {english}"]
    assert said(TK403, found, "ko") == [f"{start}의 {korean}"]


@pytest.mark.req("rule/TK403")
def test_a_root_that_is_no_object_is_left_to_its_own_rule_and_a_file_is_read_once_for_all_its_users() -> None:
    named = f"tool_schemas/{INPUT}"
    tools = (declared(input_schema_resource=named), declared("cmm_claim_list", input_schema_resource=named))
    assert said(TK403, facts(*tools, resources=(resource(INPUT, {"type": "array"}),))) == []
    assert len(breaches(TK403, facts(*tools, resources=(resource(INPUT, {**GOOD, "required": 1}),)))) == 1


@pytest.mark.req("rule/TK403")
def test_an_argument_that_is_no_text_is_left_to_the_rule_about_literals() -> None:
    assert said(TK403, facts(declared(input_schema_resource=12))) == []
