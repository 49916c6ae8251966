"""What a gateway's checks say about a manifest, in Korean (rule/TK805)."""

import json
from typing import Any

import pytest

from axhub.toolkit.rules.adoption import refusals
from axhub.toolkit.rules.telling.manifest_faults import of_manifest

pytestmark = pytest.mark.req("rule/TK805")


def tool(**changes: Any) -> dict[str, Any]:
    good = {
        "name": "cmm_search",
        "title": "조회",
        "description": "조회합니다.",
        "inputSchema": {"type": "object", "properties": {}},
        "_meta": {"version": "1.0.0"},
        "endpoint": "/tools/cmm_search",
    }
    return good | changes


def schema(**members: Any) -> dict[str, Any]:
    return {"inputSchema": {"type": "object", **members}}


def deep(levels: int) -> dict[str, Any]:
    return {"type": "object"} if levels == 0 else {"type": "object", "properties": {"a": deep(levels - 1)}}


@pytest.mark.parametrize(
    ("tools", "korean"),
    [
        (
            [tool(name="")],
            ["name 값이 비어 있습니다", "'search_orders'처럼 영문자로 시작해 영문자, 숫자, '_'로 64자까지 쓰십시오"],
        ),
        (
            [tool(name="n" * 65)],
            [
                "이름이 65자로 64자를 넘습니다",
                "'search_orders'처럼 영문자로 시작해 영문자, 숫자, '_'로 64자까지 쓰십시오",
            ],
        ),
        (
            [tool(name="조회")],
            [
                "이름에 영문자, 숫자, '_', '.', '/', '-' 밖의 문자가 있습니다",
                "'search_orders'처럼 영문자로 시작해 영문자, 숫자, '_'로 64자까지 쓰십시오",
            ],
        ),
        ([tool(), tool()], ["0번 도구 'cmm_search'와 이름이 같습니다", "도구마다 고유한 이름을 주십시오"]),
        (
            [tool(title="조\u200b회")],
            [
                "'title': 2번째에 보이지 않거나 쓸 수 없는 문자 U+200B이(가) 있습니다",
                r"그 문자를 지우십시오. 정규식 안에서는 \\u200b처럼 이스케이프로 쓰십시오",
            ],
        ),
        (
            [tool(title="조\x07회")],
            [
                "'title': 2번째에 제어 문자 U+0007이(가) 있습니다",
                r"그 문자를 지우십시오. 정규식 안에서는 \\u200b처럼 이스케이프로 쓰십시오",
            ],
        ),
        (
            [tool(**schema(description="a" * 66_000))],
            ["스키마가 공백을 빼고 66034바이트로 65536바이트를 넘습니다", "줄이거나 도구를 나누십시오"],
        ),
        (
            [tool(inputSchema=deep(20))],
            ["스키마가 32단계보다 깊습니다", "안쪽 스키마를 맨 위의 '$defs'로 옮기고 참조하십시오"],
        ),
        (
            [tool(**schema(properties={f"a{number}": {} for number in range(2100)}))],
            ["스키마 안의 스키마가 2000개를 넘습니다", "데이터를 덜 자세히 적거나 도구를 나누십시오"],
        ),
        (
            [tool(inputSchema={"type": "string"})],
            [
                "입력 스키마의 최상위가 object가 아닙니다",
                '{"type": "object", "properties": {…}} 형식으로 쓰십시오. 인자에는 이름이 있어야 합니다',
            ],
        ),
        (
            [tool(**schema(**{"$ref": "#"}))],
            [
                "참조가 돌고 돕니다",
                "단계마다 더 작은 값으로 가도록 참조를 'properties'나 'items' 안에 두십시오",
            ],
        ),
        (
            [tool(**schema(**{"$schema": "http://json-schema.org/draft-07/schema#"}))],
            [
                "'$schema' 값이 JSON Schema 2020-12가 아닙니다",
                "빼거나 'https://json-schema.org/draft/2020-12/schema' 값으로 쓰고, 달라진 키워드를 고치십시오",
            ],
        ),
        (
            [tool(**schema(properties={"a": {"type": "string", "x-mcp-header": "a b"}}))],
            ["x-mcp-header 값 'a b'은(는) 헤더 이름이 아닙니다", '"Region"처럼 영문자, 숫자, -만 쓰십시오'],
        ),
    ],
)
def test_problem_and_mend_have_korean_words(tools: list[dict[str, Any]], korean: list[str]) -> None:
    manifest = json.dumps({"bundleId": "claims", "revision": "1", "tools": tools}, ensure_ascii=False).encode()
    found = refusals(manifest, "claims", "")[0]
    assert [of_manifest(found.problem).ko, of_manifest(found.mend).ko] == korean


def test_english_stays_as_it_is_and_what_is_not_known_stands_in_quotes() -> None:
    assert of_manifest("the name is blank").en == "the name is blank"
    assert of_manifest("the moon is full.").ko == '"the moon is full"'
