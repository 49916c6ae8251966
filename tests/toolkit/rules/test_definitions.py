"""Which keys definitions have."""

import pytest

from axhub.toolkit.rules import definitions
from support.telling import Case, Told, told
from support.toolkit_facts import VALUES, definition, facts

RULES = {rule.id: rule for rule in definitions.RULES}


@pytest.mark.req("rule/TK302")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "no version",
            facts(definition(without=["/version"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:1 error",
                    'The key version is missing. Add `version: "1.0.0"`.',
                    'version 키가 없습니다. 다음과 같이 더하십시오: `version: "1.0.0"`.',
                ),
            ),
        ),
        Case(
            "no description part",
            facts(definition(without=["/description/io_limits"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:6:3 error",
                    "The key description.io_limits is missing. Add `io_limits: …` below description:, indented.",
                    "description.io_limits 키가 없습니다. description: 아래에 들여 써서 `io_limits: …` 를 더하십시오.",
                ),
            ),
        ),
        Case(
            "no flag",
            facts(definition(without=["/read_only"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:1:1 error",
                    "The key read_only is missing. Add `read_only: true`, or false if the tool changes anything.",
                    "read_only 키가 없습니다. 다음과 같이 더하십시오: `read_only: true` (도구가 무엇이든 바꾸면 "
                    "false).",
                ),
            ),
        ),
        Case(
            "a misspelt key",
            facts(definition(without=["/display_name"], dispaly_name="보험금 청구 상태 조회")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:37:1 error",
                    'A definition has no key "dispaly_name" here. Did you mean "display_name"? Write `display_name:` '
                    "here.",
                    '정의 파일의 이 자리에 "dispaly_name" 키를 쓸 수 없습니다. "display_name" 키를 뜻했다면 여기에 '
                    "`display_name:` 키를 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a key in camel case",
            facts(definition(without=["/read_only"], readOnly=True)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:37:1 error",
                    'A definition has no key "readOnly" here. Did you mean "read_only"? Write `read_only:` here.',
                    '정의 파일의 이 자리에 "readOnly" 키를 쓸 수 없습니다. "read_only" 키를 뜻했다면 여기에 '
                    "`read_only:` 키를 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a misspelt part",
            facts(definition(without=["/description/when_to_use"], at={"/description/when_use": "언제나"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:9:3 error",
                    'A definition has no key "when_use" here. Did you mean "description.when_to_use"? Write '
                    "`when_to_use:` here.",
                    '정의 파일의 이 자리에 "when_use" 키를 쓸 수 없습니다. "description.when_to_use" 키를 뜻했다면 '
                    "여기에 `when_to_use:` 키를 쓰십시오.",
                ),
            ),
        ),
        Case(
            "an unknown key",
            facts(definition(color="red")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:38:1 error",
                    'A definition has no key "color" here. Remove it; the keys are: name, display_name, version, '
                    "category_key, description, display_description, example_queries, read_only, destructive, "
                    "idempotent, parameters_schema, tags, legacy_interface_id, required_env_keys, owner_org, examples, "
                    "open_world, repeat, signoff.",
                    '정의 파일의 이 자리에 "color" 키를 쓸 수 없습니다. 이 키를 지우십시오. 쓸 수 있는 키: name, '
                    "display_name, version, category_key, description, display_description, example_queries, "
                    "read_only, destructive, idempotent, parameters_schema, tags, legacy_interface_id, "
                    "required_env_keys, owner_org, examples, open_world, repeat, signoff.",
                ),
            ),
        ),
        Case(
            "a Korean key",
            facts(definition(at={"/description/설명": "x"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:10:3 error",
                    'A definition has no key "설명" here. Remove it; the keys are: function, when_to_use, '
                    "when_not_to_use, io_limits.",
                    '정의 파일의 이 자리에 "설명" 키를 쓸 수 없습니다. 이 키를 지우십시오. 쓸 수 있는 키: function, '
                    "when_to_use, when_not_to_use, io_limits.",
                ),
            ),
        ),
        Case(
            "a key with a slash",
            facts(definition(at={"/a~1b": 1})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:38:1 error",
                    'A definition has no key "a/b" here. Remove it; the keys are: name, display_name, version, '
                    "category_key, description, display_description, example_queries, read_only, destructive, "
                    "idempotent, parameters_schema, tags, legacy_interface_id, required_env_keys, owner_org, examples, "
                    "open_world, repeat, signoff.",
                    '정의 파일의 이 자리에 "a/b" 키를 쓸 수 없습니다. 이 키를 지우십시오. 쓸 수 있는 키: name, '
                    "display_name, version, category_key, description, display_description, example_queries, "
                    "read_only, destructive, idempotent, parameters_schema, tags, legacy_interface_id, "
                    "required_env_keys, owner_org, examples, open_world, repeat, signoff.",
                ),
            ),
        ),
        Case(
            "parts that are not indented",
            facts(definition(description=None, **VALUES["description"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:34:1 error",
                    'The key "function" stands at the top; it is a part of description. Indent this line by two blanks '
                    "and put it below description:.",
                    '"function" 키가 맨 위 단계에 있습니다. 이 키는 description의 한 부분입니다. 이 줄을 공백 두 '
                    "칸만큼 들여 써서 description: 아래에 두십시오.",
                ),
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:35:1 error",
                    'The key "when_to_use" stands at the top; it is a part of description. Indent this line by two '
                    "blanks and put it below description:.",
                    '"when_to_use" 키가 맨 위 단계에 있습니다. 이 키는 description의 한 부분입니다. 이 줄을 공백 두 '
                    "칸만큼 들여 써서 description: 아래에 두십시오.",
                ),
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:36:1 error",
                    'The key "when_not_to_use" stands at the top; it is a part of description. Indent this line by two '
                    "blanks and put it below description:.",
                    '"when_not_to_use" 키가 맨 위 단계에 있습니다. 이 키는 description의 한 부분입니다. 이 줄을 공백 '
                    "두 칸만큼 들여 써서 description: 아래에 두십시오.",
                ),
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:37:1 error",
                    'The key "io_limits" stands at the top; it is a part of description. Indent this line by two '
                    "blanks and put it below description:.",
                    '"io_limits" 키가 맨 위 단계에 있습니다. 이 키는 description의 한 부분입니다. 이 줄을 공백 두 '
                    "칸만큼 들여 써서 description: 아래에 두십시오.",
                ),
            ),
        ),
        Case(
            "a merge key",
            facts(
                definition(at={"/parameters_schema/properties/claimNo": {"<<": {"type": "string"}, "description": "d"}})
            ),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:22:7 error",
                    "The key << merges keys in YAML 1.1, and YAML 1.2 does not know it: nothing is merged here. Write "
                    "the keys that are meant out, and remove <<.",
                    "<< 키는 YAML 1.1의 병합 키이며 YAML 1.2에는 없으므로 아무것도 병합되지 않습니다. 뜻하는 키를 직접 "
                    "쓰고 << 키를 지우십시오.",
                ),
            ),
        ),
        Case(
            "a key twice",
            facts(definition(duplicates=["/version", "/description/function"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:90:1 error",
                    'The key "version" stands here a second time; the first is in line 3. Keep one of the two lines.',
                    '"version" 키가 여기에 또 있습니다. 첫 번째는 3번째 줄에 있습니다. 두 줄 중 하나만 남기십시오.',
                ),
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:91:1 error",
                    'The key "description.function" stands here a second time; the first is in line 6. Keep one of the '
                    "two lines.",
                    '"description.function" 키가 여기에 또 있습니다. 첫 번째는 6번째 줄에 있습니다. 두 줄 중 하나만 '
                    "남기십시오.",
                ),
            ),
        ),
        Case(
            "examples without valid and invalid",
            facts(definition(examples=[{"claimNo": "1"}])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:39:3 error",
                    "examples has lists of arguments below valid and invalid, and here stands a list. Write `examples: "
                    "{valid: [{claimNo: CLM202608100001}], invalid: [{}]}`, with the tool's arguments.",
                    "examples 아래의 valid와 invalid에는 인자의 목록이 있어야 합니다. 지금 값: 목록. 도구의 인자로 "
                    "`examples: {valid: [{claimNo: CLM202608100001}], invalid: [{}]}` 형식으로 쓰십시오.",
                ),
            ),
        ),
        Case(
            "one example that is no list",
            facts(definition(examples={"valid": {"claimNo": "1"}})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:40:5 error",
                    "examples has lists of arguments below valid and invalid, and here stands a group of keys. Write "
                    "`examples: {valid: [{claimNo: CLM202608100001}], invalid: [{}]}`, with the tool's arguments.",
                    "examples 아래의 valid와 invalid에는 인자의 목록이 있어야 합니다. 지금 값: 키 묶음. 도구의 인자로 "
                    "`examples: {valid: [{claimNo: CLM202608100001}], invalid: [{}]}` 형식으로 쓰십시오.",
                ),
            ),
        ),
        Case(
            "an unknown key below examples",
            facts(definition(examples={"valid": [], "wrong": []})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:40:3 error",
                    'A definition has no key "wrong" here. Remove it; the keys are: valid, invalid.',
                    '정의 파일의 이 자리에 "wrong" 키를 쓸 수 없습니다. 이 키를 지우십시오. 쓸 수 있는 키: valid, '
                    "invalid.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_missing_unknown_and_doubled_keys_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK302"], case.facts) == case.told


@pytest.mark.req("rule/TK302")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "all optional keys", facts(definition(examples={"valid": [], "invalid": []}, repeat=None, open_world=False))
        ),
        Case("a description that is no group", facts(definition(description="x"))),
        Case("a file that cannot be read", facts(definition(problem="a tab"))),
    ],
    ids=str,
)
def test_tk302_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK302"], case.facts) == ()
