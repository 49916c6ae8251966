"""What a gateway refuses a whole service for."""

from dataclasses import replace
from pathlib import Path

import pytest

from axhub.toolkit.check.manifest import manifest_of
from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.rules import adoption
from support.telling import Case, Told, told
from support.toolkit_facts import (
    DTO,
    INPUT_SCHEMA,
    OUTPUT_SCHEMA,
    TOOL,
    declared,
    definition,
    facts,
    field,
    imported,
    resource,
    settings,
)
from support.written_service import CONFIG, Written, changed, told_of

RULES = {rule.id: rule for rule in adoption.RULES}
MARK = "\u202e"
BUNDLE = "{bundleId: my-tools}"
SCHEMA_FILE = "tool_schemas/cmm/claim-input-schema.json"


def rendered(found: Facts) -> Facts:
    """Return facts with the manifest that they give."""
    return replace(found, manifest=manifest_of(found))


def described(text: str) -> dict[str, object]:
    """Return the good input schema with another description of its argument."""
    return {**INPUT_SCHEMA, "properties": {"claimNo": {"type": "string", "description": text}}}


def many(count: int) -> Facts:
    """Return a service with so many tools, and one more under development."""
    tools = [declared(f"cmm_claim_s{number}") for number in range(count)]
    return facts(*tools, declared("cmm_claim_draft", register=False))


@pytest.mark.req("rule/TK801")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "no bundle",
            changed(CONFIG, BUNDLE, "{}"),
            (
                Told(
                    "config/service.yaml:1:1 error",
                    "The key mcp.bundleId is missing. Write `bundleId: my-tools` below `mcp:` of "
                    "src/my_tools/config/service.yaml, with the `id` that the gateway's configuration gives this "
                    "service.",
                    "설정 mcp.bundleId 값이 없습니다. src/my_tools/config/service.yaml 파일의 `mcp:` 아래에 "
                    "게이트웨이 설정의 `id` 값으로 `bundleId: my-tools`처럼 쓰십시오.",
                ),
            ),
        ),
        Written(
            "a list as bundle",
            changed(CONFIG, BUNDLE, "{bundleId: [a]}"),
            (
                Told(
                    "config/service.yaml:1:7 error",
                    "The value of mcp.bundleId cannot be used; here stands a list. Write `bundleId: "
                    "my-tools` below `mcp:` of src/my_tools/config/service.yaml, with the `id` that the gateway's "
                    "configuration gives this service.",
                    "설정 mcp.bundleId 값을 쓸 수 없습니다. 지금 값: 목록. src/my_tools/config/service.yaml 파일의 "
                    "`mcp:` 아래에 게이트웨이 설정의 `id` 값으로 `bundleId: my-tools`처럼 쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_service_without_a_bundle_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK801"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK801")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "too many tools",
            many(102),
            (
                Told(
                    "config/service.yaml:1:1 error",
                    "The service has 102 tools, and a gateway takes at most 100 from one bundle. Move at least "
                    "2 into "
                    "a service of its own, or have the gateway's operator raise maxToolsPerBundle.",
                    "서비스의 도구는 102개인데, 게이트웨이는 번들 하나에서 100개까지만 받습니다. 2개 이상을 "
                    "다른 서비스로 "
                    "옮기거나, 게이트웨이 운영자에게 maxToolsPerBundle 값을 올려 달라고 하십시오.",
                ),
            ),
        ),
        Case(
            "a manifest that is too large",
            rendered(facts(imported={TOOL: imported(input_schema=described("x" * 1_048_576))})),
            (
                Told(
                    "config/service.yaml:1:1 error",
                    "The manifest has 1049487 bytes, and a gateway takes at most 1048576. Shorten schemas and "
                    "descriptions (the largest tools, in bytes: cmm_claim_search 1049395), or split the service.",
                    "매니페스트는 1049487바이트인데, 게이트웨이는 1048576바이트까지만 받습니다. 스키마와 설명을 "
                    "줄이거나(가장 큰 도구, 바이트: cmm_claim_search 1049395) 서비스를 나누십시오.",
                ),
            ),
        ),
        Case("as many as a gateway takes", many(100)),
        Case("the good service", rendered(facts())),
        Case("no configuration", facts(settings=None)),
    ],
    ids=str,
)
def test_a_service_that_is_too_large_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK801"], case.facts) == case.told


def refused(at: str, pointer: str, character: int, member: str = "") -> tuple[Told]:
    """Return what is said about a direction mark in a tool."""
    problem = f"{member}it contains the direction mark U+202E at character {character}"
    return (
        Told(
            f"{at} error",
            f"A gateway refuses the tool cmm_claim_search: {problem}, which changes the order in which text is shown "
            f"({pointer} of the manifest). Remove the character here.",
            f"게이트웨이가 cmm_claim_search 도구를 거부합니다: {character}번째에 허용되지 않는 문자 U+202E가 "
            f"있습니다(매니페스트 위치 {pointer}). 여기에서 그 문자를 지우십시오.",
        ),
    )


@pytest.mark.req("rule/TK805")
@pytest.mark.parametrize(
    "case",
    [
        Case("nothing", rendered(facts())),
        Case("a namespace", rendered(facts(settings=settings(namespace="ins_")))),
        Case("no manifest yet", facts(definition(display_name=f"조회{MARK}"))),
        Case("more tools than TK801 allows", rendered(many(101))),
        Case(
            "a title",
            rendered(facts(definition(display_name=f"조회{MARK}"))),
            refused(f"tool_definitions/cmm/{TOOL}.yml:2:15", "/tools/0/title", 3, "'title': "),
        ),
        Case(
            "one part of the description",
            rendered(facts(definition(at={"/description/when_to_use": f"조회{MARK}"}))),
            refused(f"tool_definitions/cmm/{TOOL}.yml:7:16", "/tools/0/description", 42, "'description': "),
        ),
        Case(
            "a field",
            rendered(
                facts(
                    imported={
                        TOOL: imported(
                            input_schema=described(f"번호{MARK}"), inputs=(field("/claimNo", place=Place(DTO, 6, 5)),)
                        )
                    }
                )
            ),
            refused("biz/cmm/dto.py:6:5", "/tools/0/inputSchema/properties/claimNo/description", 3),
        ),
        Case(
            "a resource",
            rendered(
                facts(
                    declared(input_schema_resource=SCHEMA_FILE),
                    imported={TOOL: imported(input_schema=described(f"번호{MARK}"))},
                    resources=(resource("cmm/claim-input-schema.json", described(f"번호{MARK}")),),
                )
            ),
            refused(f"{SCHEMA_FILE}:1:1", "/tools/0/inputSchema/properties/claimNo/description", 3),
        ),
        Case(
            "an answer whose field is not known",
            rendered(
                facts(
                    settings=settings(publish_output_schema=True),
                    imported={TOOL: imported(output_schema={**OUTPUT_SCHEMA, "description": MARK})},
                )
            ),
            refused("biz/cmm/usecase.py:10:6", "/tools/0/outputSchema/description", 1),
        ),
        Case(
            "the bundle",
            rendered(facts(settings=settings(bundle_id=f"a{MARK}"))),
            (
                Told(
                    "config/service.yaml:1:1 error",
                    "A gateway refuses the manifest: 'bundleId': it contains the direction mark U+202E at "
                    "character 2, "
                    "which changes the order in which text is shown (/bundleId). Remove the character.",
                    "게이트웨이가 매니페스트를 거부합니다(/bundleId): 2번째에 허용되지 않는 문자 U+202E가 있습니다. 그 "
                    "문자를 지우십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_what_a_gateway_refuses_is_pointed_out_where_it_was_written(case: Case) -> None:
    assert told(RULES["TK805"], case.facts) == case.told
