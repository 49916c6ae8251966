"""The lock as a document: written for people to review, read back as it was, and refused in words."""

import json

import pytest

from axhub.toolkit.promises.lock import LOCK, Lock, LockError, Retired, read_lock, write_lock
from axhub.toolkit.rules.model import Text
from support.promises import NAME, TEXT, closed, lock, tool

pytestmark = pytest.mark.req("decision/D12")

RETIRED = {"smp_old_search": Retired("1.0.0", "지점이 없어졌다")}
MANIFEST = {
    "bundleId": "claim-tools",
    "revision": "sha256:0",
    "tools": [
        {
            "name": f"claims_{NAME}",
            "title": "청구 조회",
            "description": "청구를 조회한다.",
            "inputSchema": closed(("claimNo",), claimNo=TEXT),
            "annotations": {"readOnlyHint": True, "destructiveHint": False},
            "_meta": {"version": "1.4.0", "timeoutMillis": 10_000, "enabled": False},
            "endpoint": "/tools/x",
        }
    ],
}


def test_a_lock_is_read_as_it_was_written() -> None:
    written = Lock(
        "claim-tools",
        "claims_",
        {NAME: tool(), "smp_a_search": tool(enabled=False, output_schema=None, output_published=False)},
        RETIRED,
    )
    assert read_lock(write_lock(written), LOCK) == written


def test_equal_locks_give_equal_bytes_and_a_line_for_each_value() -> None:
    one, other = lock(b_tool=tool(), a_tool=tool()), lock(a_tool=tool(), b_tool=tool())
    assert write_lock(one) == write_lock(other)
    assert write_lock(lock(cmm_claim_search=tool(output_schema=None, output_published=False))).decode() == (
        "{\n"
        '  "lockVersion": 1,\n'
        '  "bundleId": "claim-tools",\n'
        '  "namespace": "",\n'
        '  "tools": {\n'
        '    "cmm_claim_search": {\n'
        '      "version": "1.4.0",\n'
        '      "title": "청구 조회",\n'
        '      "description": "청구를 조회한다.",\n'
        '      "hints": {\n'
        '        "readOnly": true,\n'
        '        "destructive": false,\n'
        '        "idempotent": true,\n'
        '        "openWorld": false\n'
        "      },\n"
        '      "timeoutMillis": 10000,\n'
        '      "inputSchema": {\n'
        '        "type": "object",\n'
        '        "properties": {\n'
        '          "claimNo": {\n'
        '            "type": "string"\n'
        "          }\n"
        "        },\n"
        '        "required": [\n'
        '          "claimNo"\n'
        "        ],\n"
        '        "additionalProperties": false\n'
        "      }\n"
        "    }\n"
        "  },\n"
        '  "retired": {}\n'
        "}\n"
    )


def test_a_manifest_is_read_in_its_place_without_the_namespace_of_the_service() -> None:
    found = read_lock(json.dumps(MANIFEST).encode(), "m.json", "claims_")
    assert (found.bundle_id, found.namespace) == ("claim-tools", "claims_")
    assert found.tools == {
        NAME: tool(
            output_schema=None,
            output_published=False,
            enabled=False,
            hints={"readOnly": True, "destructive": False, "idempotent": False, "openWorld": True},
        )
    }


def test_names_of_a_manifest_with_another_namespace_stay_whole() -> None:
    found = read_lock(json.dumps(MANIFEST).encode(), "m.json", "other_")
    assert (found.namespace, list(found.tools)) == ("", [f"claims_{NAME}"])


@pytest.mark.parametrize(
    ("content", "english", "korean"),
    [
        (
            b'{"lockVersion": 1, "bundleId": 3}',
            (
                "axhub.lock.json: it is neither a lock nor a manifest (Expected `str`, got `int` - at "
                "`$.bundleId`); take the "
                "lock from version control, or delete it and write it anew with `axhub sync --release`"
            ),
            (
                "axhub.lock.json: lock도 매니페스트도 아닙니다(Expected `str`, got `int` - at "
                "`$.bundleId`). 버전 관리에서 "
                "lock을 가져오거나, 지운 뒤 `axhub sync --release` 명령으로 다시 쓰십시오"
            ),
        ),
        (
            b'{"lockVersion": 2, "bundleId": "a"}',
            "axhub.lock.json: it has the form 2, and this axhub knows form 1; use the version of axhub that wrote it",
            "axhub.lock.json: 형식 2의 파일입니다. 이 axhub는 형식 1만 압니다. 파일을 쓴 axhub 버전을 사용하십시오",
        ),
        (
            b'{\n<<<<<<< HEAD\n"bundleId": "a"\n=======\n"bundleId": "b"\n>>>>>>> x\n}',
            (
                "axhub.lock.json:2: a merge left its marks in it; take one side, then write it anew with "
                "`axhub sync --release`"
            ),
            (
                "axhub.lock.json:2: 병합 표시가 남아 있습니다. 한쪽을 고른 뒤 "
                "`axhub sync --release` 명령으로 다시 쓰십시오"
            ),
        ),
        (
            b'{"lockVersion": 1,',
            "axhub.lock.json: it is not valid JSON (the text ends too early, or half of a character is escaped alone)",
            "axhub.lock.json: 올바른 JSON이 아닙니다(the text ends too early, or half of a character is escaped alone)",
        ),
        (
            b'{"lockVersion": 1, "bundleId": "a", "bundleId": "b"}',
            'axhub.lock.json: "bundleId" stands in it twice',
            'axhub.lock.json: "bundleId" 이름이 두 번 있습니다',
        ),
    ],
)
def test_what_is_no_lock_is_refused_with_what_to_do(content: bytes, english: str, korean: str) -> None:
    with pytest.raises(LockError) as refused:
        read_lock(content, LOCK)
    assert refused.value.text == Text(english, korean)
