"""The manifest's bytes (toolkit/S1, toolkit/T6, toolkit/T8)."""

import hashlib
import json
from dataclasses import replace

import pytest

from axhub.contract.manifest import Manifest, ManifestPolicy, check_manifest, run
from axhub.toolkit.published.manifest import Entry, endpoint_of, render_manifest
from axhub.toolkit.published.schemas import NO_ARGUMENTS
from axhub.toolkit.published.tool import Texts

TEXTS = Texts("보험금 청구 상태 조회", "청구 상태를 조회한다.\n진행 상태를 볼 때 쓴다.", "1.0.0", True, False, True)
ENTRY = Entry("processing_cmm_claim_search", TEXTS, NO_ARGUMENTS, None, 10_000)


@pytest.mark.req("toolkit/S1", "toolkit/T8")
def test_a_manifest_is_the_whole_state_with_relative_endpoints_all_hints_and_its_revision() -> None:
    content = (
        '{"bundleId":"insurance-processing",REVISION"tools":[{"name":"processing_cmm_claim_search",'
        '"title":"보험금 청구 상태 조회","description":"청구 상태를 조회한다.\\n진행 상태를 볼 때 쓴다.",'
        '"inputSchema":{"type":"object","properties":{},"additionalProperties":false},'
        '"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},'
        '"_meta":{"version":"1.0.0","timeoutMillis":10000},"endpoint":"/tools/processing_cmm_claim_search"}]}'
    )
    revision = "sha256:" + hashlib.sha256(content.replace("REVISION", "").encode()).hexdigest()
    manifest = render_manifest("insurance-processing", [ENTRY])
    assert manifest.revision == revision
    assert manifest.body == content.replace("REVISION", f'"revision":"{revision}",').encode()


@pytest.mark.req("toolkit/S1")
def test_equal_input_gives_equal_bytes_and_any_change_another_revision() -> None:
    other = replace(ENTRY, name="a_tool")
    manifest = render_manifest("b", [ENTRY, other])
    assert render_manifest("b", [other, ENTRY]) == manifest
    assert [tool["name"] for tool in json.loads(manifest.body)["tools"]] == ["a_tool", ENTRY.name]
    changed = [
        render_manifest("c", [ENTRY, other]),
        render_manifest("b", [ENTRY]),
        render_manifest("b", []),
        render_manifest("b", [replace(ENTRY, enabled=False), other]),
        render_manifest("b", [replace(ENTRY, timeout_millis=1), other]),
        render_manifest("b", [replace(ENTRY, texts=replace(TEXTS, idempotent=False)), other]),
        render_manifest("b", [replace(ENTRY, input_schema={"type": "object"}), other]),
        render_manifest("b", [replace(ENTRY, output_schema={"type": "object"}), other]),
    ]
    assert len({one.revision for one in (manifest, *changed)}) == len({one.body for one in changed}) + 1 == 9


@pytest.mark.req("decision/D6", "decision/D7")
def test_output_schema_and_enabled_stand_only_where_they_say_something() -> None:
    shown = replace(ENTRY, output_schema={"type": "object"}, enabled=False)
    (tool,) = json.loads(render_manifest("b", [shown]).body)["tools"]
    assert tool["outputSchema"] == {"type": "object"}
    assert tool["_meta"] == {"version": "1.0.0", "timeoutMillis": 10000, "enabled": False}
    (tool,) = json.loads(render_manifest("b", [ENTRY]).body)["tools"]
    assert ("outputSchema" in tool, "enabled" in tool["_meta"]) == (False, False)


@pytest.mark.req("toolkit/T6")
def test_a_namespace_with_a_slash_or_a_dot_is_encoded_in_the_path_and_adopted() -> None:
    assert endpoint_of("processing/cmm.claim") == "/tools/processing%2Fcmm.claim"
    body = render_manifest("b", [replace(ENTRY, name="processing/cmm_claim")]).body
    result = run(check_manifest(body, ManifestPolicy("b", "processing/")))
    assert isinstance(result, Manifest)
    assert [tool.name for tool in result.tools] == ["processing/cmm_claim"]
