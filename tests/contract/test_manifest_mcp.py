"""The `tools/list` of an MCP server as a manifest: every check but those of what MCP has not (gateway/P11)."""

import json
from typing import Any

import pytest

from axhub.contract.endpoints import parse_url
from axhub.contract.manifest import Manifest, ManifestLimits, ManifestPolicy, Rejected, check_manifest, run

SERVER = parse_url("http://tools:8080/mcp")
DRAFT07 = "http://json-schema.org/draft-07/schema#"


def listed(name: str = "find", **members: Any) -> dict[str, Any]:
    return {"name": name, "description": "찾습니다", "inputSchema": {"type": "object"}, **members}


def checked(
    *tools: dict[str, Any], prefix: str = "", add_prefix: bool = False, max_tools: int = 100, **more: Any
) -> Manifest | Rejected:
    policy = ManifestPolicy(
        bundle_id="ins",
        name_prefix=prefix,
        limits=ManifestLimits(max_tools=max_tools, max_tool_timeout_millis=3000),
        mcp_server=SERVER,
        add_prefix=add_prefix,
    )
    document = json.dumps({"tools": tools, **more}, ensure_ascii=False)
    return run(check_manifest(document.encode(), policy))


def accepted(*tools: dict[str, Any], **options: Any) -> Manifest:
    found = checked(*tools, **options)
    assert isinstance(found, Manifest), found
    return found


def rules(*tools: dict[str, Any], **options: Any) -> list[tuple[str, str | None]]:
    found = checked(*tools, **options)
    assert isinstance(found, Rejected)
    return [(finding.rule, finding.tool) for finding in found.findings]


def mends(*tools: dict[str, Any], **options: Any) -> list[str]:
    found = checked(*tools, **options)
    assert isinstance(found, Rejected)
    return [finding.mend for finding in found.findings]


@pytest.mark.req("gateway/P11")
def test_a_list_needs_no_bundle_id_no_versions_and_no_endpoints() -> None:
    manifest = accepted(listed())
    (tool,) = manifest.tools
    assert (manifest.bundle_id, manifest.revision) == ("ins", None)
    assert (tool.name, tool.own_name, tool.version, tool.enabled) == ("find", "find", "", True)
    assert (tool.endpoint, tool.timeout_millis) == (SERVER, 3000)


@pytest.mark.req("gateway/P11", "gateway/K4")
def test_what_mcp_alone_has_is_taken_and_not_shown() -> None:
    more: dict[str, Any] = {
        "icons": [{"src": "x"}],
        "execution": {"taskSupport": "optional"},
        "_meta": {"fastmcp": {"tags": []}},
    }
    (tool,) = accepted(listed(title="찾기", annotations={"readOnlyHint": True, "x": 1}, **more)).tools
    assert {name: bytes(value) for name, value in tool.members.items()} == {
        "name": b'"find"',
        "title": '"찾기"'.encode(),
        "description": '"찾습니다"'.encode(),
        "inputSchema": b'{"type":"object"}',
        "annotations": b'{"readOnlyHint":true}',
    }


@pytest.mark.req("gateway/P11", "gateway/G7", "decision/D7")
def test_meta_of_our_own_is_read_where_a_server_gives_it() -> None:
    (tool,) = accepted(
        listed(_meta={"timeoutMillis": 500, "enabled": False, "version": 7, "endpoint": "http://evil"})
    ).tools
    assert (tool.timeout_millis, tool.enabled, tool.endpoint, tool.version) == (500, False, SERVER, "")
    assert rules(listed(_meta={"timeoutMillis": 0})) == [("tool.meta.timeoutMillis.range", "find")]
    assert rules(listed(_meta=[])) == [("tool.meta.type", "find")]


@pytest.mark.req("gateway/P11", "decision/D1")
def test_no_manifest_sends_a_call_elsewhere_than_to_its_server() -> None:
    (tool,) = accepted(listed(endpoint="http://evil/x")).tools
    assert tool.endpoint == SERVER


@pytest.mark.req("gateway/P11", "gateway/G6")
@pytest.mark.parametrize(
    ("tool", "rule"),
    [
        ({"name": "find", "inputSchema": {"type": "object"}}, "tool.description.missing"),
        (listed(description=" "), "tool.description.blank"),
        (listed(inputSchema=None), "tool.inputSchema.missing"),
        (listed(inputSchema={"type": "array"}), "schema.root"),
        (listed(outputSchema={"type": "nothing"}), "schema.invalid"),
        (listed("a b"), "tool.name.grammar"),
        (listed(description="left\u202eright"), "text.character"),
        (listed(annotations={"readOnlyHint": "yes"}), "tool.annotations.readOnlyHint.type"),
    ],
)
def test_all_other_checks_are_those_of_any_manifest(tool: dict[str, Any], rule: str) -> None:
    found = rules(tool)
    assert rule in {name for name, _ in found}, found


@pytest.mark.req("gateway/P11", "gateway/G6")
def test_counts_and_duplicates_are_those_of_any_manifest() -> None:
    assert [rule for rule, _ in rules(listed("a"), listed("b"), max_tools=1)] == ["manifest.tools.count"]
    assert {rule for rule, _ in rules(listed("find"), listed("Find"))} == {"tool.name.twin"}


@pytest.mark.req("gateway/P11", "decision/D4")
def test_a_prefix_is_asked_of_the_names_unless_it_is_added() -> None:
    assert [rule for rule, _ in rules(listed("find"), prefix="claims_")] == ["tool.name.prefix"]
    assert mends(listed("find"), prefix="claims_") == ["set addPrefix: true"]
    (tool,) = accepted(listed("claims_find"), prefix="claims_").tools
    assert (tool.name, tool.own_name) == ("claims_find", "claims_find")


@pytest.mark.req("gateway/P11", "decision/D4")
def test_an_added_prefix_is_shown_and_the_servers_own_name_is_kept() -> None:
    manifest = accepted(listed("b"), listed("a"), prefix="claims_", add_prefix=True)
    assert [(tool.name, tool.own_name, bytes(tool.members["name"])) for tool in manifest.tools] == [
        ("claims_a", "a", b'"claims_a"'),
        ("claims_b", "b", b'"claims_b"'),
    ]
    (twice,) = accepted(listed("claims_a"), prefix="claims_", add_prefix=True).tools
    assert (twice.name, twice.own_name) == ("claims_claims_a", "claims_a")
    assert list(twice.members) == ["name", "description", "inputSchema"]


@pytest.mark.req("gateway/P11", "decision/D4")
@pytest.mark.parametrize(("length", "fits"), [(57, True), (58, False)])
def test_a_name_is_measured_with_its_prefix(length: int, fits: bool) -> None:
    tool, options = listed("n" * length), {"prefix": "claims_", "add_prefix": True}
    if fits:
        assert len(accepted(tool, **options).tools[0].name) == 64
    else:
        assert rules(tool, **options) == [("tool.name.grammar", "claims_" + "n" * length)]


@pytest.mark.req("gateway/P11", "gateway/G6")
@pytest.mark.parametrize("tool", [{}, {"name": None}, {"name": 7}, {"name": ""}, {"name": " "}])
def test_a_tool_without_a_name_gets_none_by_a_prefix(tool: dict[str, Any]) -> None:
    found = checked({**listed(), **tool} if tool else {"description": "d"}, prefix="claims_", add_prefix=True)
    assert isinstance(found, Rejected)
    assert {finding.tool for finding in found.findings} <= {None, "", "claims_ "}
    assert any(finding.pointer == "/tools/0/name" for finding in found.findings)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("execution", "shown"),
    [
        ({"taskSupport": "required"}, False),
        ({"taskSupport": "optional"}, True),
        ({"taskSupport": "forbidden"}, True),
        ({"taskSupport": ["required"]}, True),
        ({}, True),
        ("required", True),
        (None, True),
    ],
)
def test_a_tool_that_only_runs_as_a_task_is_not_shown(execution: Any, shown: bool) -> None:
    (tool,) = accepted(listed(execution=execution)).tools
    assert tool.enabled is shown


@pytest.mark.req("gateway/P11", "gateway/G6")
def test_draft_07_is_taken_of_an_mcp_server_only_and_shown_as_it_was_written() -> None:
    schema = {"$schema": DRAFT07, "type": "object", "properties": {"a": {"items": [{"type": "string"}]}}}
    (tool,) = accepted(listed(inputSchema=schema, outputSchema=schema)).tools
    for member in ("inputSchema", "outputSchema"):
        assert json.loads(bytes(tool.members[member])) == schema
    plain = listed(inputSchema=schema, endpoint="/t", _meta={"version": "1"})
    document = json.dumps({"bundleId": "ins", "tools": [plain]}).encode()
    found = run(check_manifest(document, ManifestPolicy(bundle_id="ins")))
    assert isinstance(found, Rejected)
    assert "schema.dialect" in {finding.rule for finding in found.findings}


@pytest.mark.req("gateway/P11", "gateway/P4")
def test_mirrored_arguments_of_a_draft_07_schema_are_found() -> None:
    schema = {"$schema": DRAFT07, "type": "object", "properties": {"r": {"type": "string", "x-mcp-header": "Region"}}}
    (tool,) = accepted(listed(inputSchema=schema)).tools
    assert [(param.header, param.path) for param in tool.header_params] == [(b"mcp-param-region", ("r",))]


@pytest.mark.req("gateway/P11")
def test_a_tool_of_a_tool_service_has_no_other_name_and_no_prefix_is_added_to_it() -> None:
    tool = listed("find", endpoint="/t", _meta={"version": "1"}, execution={"taskSupport": "required"})
    document = json.dumps({"bundleId": "ins", "tools": [tool]}).encode()
    found = run(check_manifest(document, ManifestPolicy(bundle_id="ins")))
    assert isinstance(found, Manifest)
    assert [(tool.name, tool.own_name, tool.enabled, tool.version) for tool in found.tools] == [("find", "", True, "1")]
