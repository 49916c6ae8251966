"""Each rule of a manifest refuses its fault, with place and mend, and nothing else (gateway/G6)."""

import json

import pytest

from axhub.contract.manifest import ManifestLimits, ManifestPolicy
from support.contract import (
    DROP,
    ENDPOINTS,
    META,
    PREFIXED,
    SCHEMA,
    adopted,
    annotated,
    body,
    findings,
    meta,
    taking,
    tool,
)

pytestmark = pytest.mark.req("gateway/G6")

# One failing and one passing sample for each rule: rule, pointer, what is refused, what is taken instead.
SAMPLES: list[tuple[str, str, bytes, bytes]] = [
    ("manifest.json", "", b'{"bundleId":"orders","tools":[],}', b'{"bundleId":"orders","tools":[]}'),
    ("manifest.type", "", b"[]", body()),
    ("manifest.duplicate-member", "/tools", b'{"bundleId":"orders","tools":[],"tools":[]}', body()),
    ("manifest.bundleId.missing", "/bundleId", body(bundleId=DROP), body()),
    ("manifest.bundleId.type", "/bundleId", body(bundleId=5), body()),
    ("manifest.bundleId.mismatch", "/bundleId", body(bundleId="Orders"), body()),
    ("manifest.revision.type", "/revision", body(revision=5), body(revision="5")),
    ("manifest.tools.missing", "/tools", body(tools=DROP), body()),
    ("manifest.tools.type", "/tools", body(tools={}), body(tools=[])),
    ("manifest.tools.element", "/tools/1", body(tool(), "find2"), body(tool(), tool("find2"))),
    ("tool.name.missing", "/tools/0/name", body({**tool(), "name": None}), body(tool())),
    ("tool.name.type", "/tools/0/name", body({**tool(), "name": 5}), body(tool())),
    ("tool.name.blank", "/tools/0/name", body({**tool(), "name": " "}), body(tool())),
    ("tool.name.grammar", "/tools/0/name", body({**tool(), "name": "find it"}), body(tool("find_it"))),
    ("tool.name.twin", "/tools/1/name", body(tool(), tool("Find")), body(tool(), tool("Find2"))),
    ("tool.title.type", "/tools/0/title", body(tool(title=5)), body(tool(title="Find"))),
    ("tool.description.missing", "/tools/0/description", body(tool(description=DROP)), body(tool())),
    ("tool.description.type", "/tools/0/description", body(tool(description=["Finds."])), body(tool())),
    ("tool.description.blank", "/tools/0/description", body(tool(description="\n")), body(tool(description="x\n"))),
    ("tool.annotations.type", "/tools/0/annotations", body(tool(annotations=[])), body(annotated())),
    ("tool.annotations.title.type", "/tools/0/annotations/title", body(annotated(title=5)), body(annotated(title="x"))),
    (
        "tool.annotations.readOnlyHint.type",
        "/tools/0/annotations/readOnlyHint",
        body(annotated(readOnlyHint="true")),
        body(annotated(readOnlyHint=True)),
    ),
    (
        "tool.annotations.destructiveHint.type",
        "/tools/0/annotations/destructiveHint",
        body(annotated(destructiveHint=0)),
        body(annotated(destructiveHint=False)),
    ),
    (
        "tool.annotations.idempotentHint.type",
        "/tools/0/annotations/idempotentHint",
        body(annotated(idempotentHint={})),
        body(annotated(idempotentHint=None)),
    ),
    (
        "tool.annotations.openWorldHint.type",
        "/tools/0/annotations/openWorldHint",
        body(annotated(openWorldHint=[])),
        body(annotated(other=[])),
    ),
    ("tool.meta.type", "/tools/0/_meta", body(tool(_meta="1.0.0")), body(tool())),
    ("tool.meta.version.missing", "/tools/0/_meta/version", body(tool(_meta=DROP)), body(tool())),
    ("tool.meta.version.missing", "/tools/0/_meta/version", body(tool(_meta={})), body(tool())),
    ("tool.meta.version.type", "/tools/0/_meta/version", body(meta(version=1)), body(meta(version="1"))),
    ("tool.meta.version.blank", "/tools/0/_meta/version", body(meta(version="")), body(meta(version="1"))),
    (
        "tool.meta.timeoutMillis.type",
        "/tools/0/_meta/timeoutMillis",
        body(meta(timeoutMillis="5")),
        body(meta(timeoutMillis=5)),
    ),
    (
        "tool.meta.timeoutMillis.range",
        "/tools/0/_meta/timeoutMillis",
        body(meta(timeoutMillis=0)),
        body(meta(timeoutMillis=1)),
    ),
    ("tool.meta.enabled.type", "/tools/0/_meta/enabled", body(meta(enabled="false")), body(meta(enabled=False))),
    ("tool.meta.endpoint.type", "/tools/0/_meta/endpoint", body(meta(endpoint=5)), body(meta(endpoint="/x"))),
    ("tool.meta.endpoint.blank", "/tools/0/_meta/endpoint", body(meta(endpoint=" ")), body(meta(endpoint="/x"))),
    ("tool.endpoint.type", "/tools/0/endpoint", body(tool(endpoint=["/x"])), body(tool())),
    ("tool.endpoint.blank", "/tools/0/endpoint", body(tool(endpoint="")), body(tool())),
    (
        "tool.endpoint.missing",
        "/tools/0/endpoint",
        body(tool(endpoint=DROP)),
        body(tool(endpoint=DROP, _meta={**META, "endpoint": "x"})),
    ),
    ("tool.endpoint.malformed", "/tools/0/endpoint", body(tool(endpoint="//x")), body(tool(endpoint="/x"))),
    (
        "tool.endpoint.malformed",
        "/tools/0/_meta/endpoint",
        body(tool(endpoint=DROP, _meta={**META, "endpoint": "a b"})),
        body(tool()),
    ),
    (
        "tool.endpoint.undeclared",
        "/tools/0/endpoint",
        body(tool(endpoint="http://evil/x")),
        body(tool(endpoint="http://other:9/x")),
    ),
    ("tool.inputSchema.missing", "/tools/0/inputSchema", body(tool(inputSchema=None)), body(tool())),
    ("schema.root", "/tools/0/inputSchema", body(tool(inputSchema={})), body(tool(inputSchema={"type": "object"}))),
    ("schema.root", "/tools/0/outputSchema", body(tool(outputSchema=[])), body(tool(outputSchema=True))),
    (
        "schema.dialect",
        "/tools/0/inputSchema/$schema",
        body(tool(inputSchema={**SCHEMA, "$schema": "x:y"})),
        body(tool()),
    ),
    ("schema.bytes", "/tools/0/inputSchema", taking(title="x" * 65536), body(tool())),
    (
        "schema.depth",
        "/tools/0/outputSchema",
        body(tool(outputSchema=json.loads('{"not":' * 33 + "{}" + "}" * 33))),
        body(tool(outputSchema=json.loads('{"not":' * 31 + "{}" + "}" * 31))),
    ),
    (
        "schema.subschemas",
        "/tools/0/inputSchema",
        body(tool(inputSchema={**SCHEMA, "allOf": [True] * 2000})),
        body(tool(inputSchema={**SCHEMA, "allOf": [True] * 1999})),
    ),
    (
        "schema.invalid",
        "/tools/0/inputSchema/properties/id/type",
        taking(properties={"id": {"type": "text"}}),
        body(tool()),
    ),
    (
        "schema.ref.remote",
        "/tools/0/inputSchema/$ref",
        body(tool(inputSchema={**SCHEMA, "$ref": "x.json"})),
        body(tool(inputSchema={**SCHEMA, "$ref": "#/properties/id"})),
    ),
    (
        "schema.ref.dangling",
        "/tools/0/inputSchema/$ref",
        body(tool(inputSchema={**SCHEMA, "$ref": "#x"})),
        body(tool(inputSchema={**SCHEMA, "$ref": "#x", "$defs": {"x": {"$anchor": "x"}}})),
    ),
    (
        "schema.ref.circle",
        "/tools/0/inputSchema/$ref",
        body(tool(inputSchema={**SCHEMA, "$ref": "#"})),
        body(tool(inputSchema={**SCHEMA, "items": {"$ref": "#"}})),
    ),
    (
        "schema.header.token",
        "/tools/0/inputSchema/properties/a/x-mcp-header",
        taking(properties={"a": {"type": "string", "x-mcp-header": "a b"}}),
        taking(properties={"a": {"type": "string", "x-mcp-header": "a-b"}}),
    ),
    (
        "schema.header.duplicate",
        "/tools/0/inputSchema/properties/b/x-mcp-header",
        taking(properties={"a": {"type": "string", "x-mcp-header": "r"}, "b": {"type": "string", "x-mcp-header": "R"}}),
        body(tool()),
    ),
    (
        "schema.header.place",
        "/tools/0/inputSchema/items/x-mcp-header",
        body(tool(inputSchema={"type": "object", "items": {"type": "string", "x-mcp-header": "r"}})),
        body(tool(outputSchema={"items": {"x-mcp-header": 5}})),
    ),
    (
        "schema.header.type",
        "/tools/0/inputSchema/properties/a/x-mcp-header",
        taking(properties={"a": {"type": "number", "x-mcp-header": "r"}}),
        body(tool()),
    ),
    ("text.character", "/tools/0/description", body(tool(description="a\u202eb")), body(tool(description="a\nb"))),
    ("text.character", "/tools/0/title", body(tool(title="a\nb")), body(tool(title="a b"))),
    ("text.character", "/tools/0/annotations/title", body(annotated(title="a\u200bb")), body(annotated(title="ab"))),
    ("text.character", "/revision", body(revision="a\r\nb"), body(revision="a")),
    (
        "text.character",
        "/tools/0/inputSchema/properties/a/description",
        taking(properties={"a": {"description": "\u001b[0m"}}),
        body(tool()),
    ),
]


class TestRules:
    @pytest.mark.parametrize(
        ("rule", "pointer", "refused", "taken"),
        SAMPLES,
        ids=[f"{rule} at {pointer}" for rule, pointer, _, _ in SAMPLES],
    )
    def test_each_rule_refuses_its_fault_and_nothing_else(
        self, rule: str, pointer: str, refused: bytes, taken: bytes
    ) -> None:
        found = findings(refused)
        assert [(finding.rule, finding.pointer) for finding in found] == [(rule, pointer)]
        assert found[0].problem
        assert found[0].mend
        adopted(taken)

    def test_a_finding_names_the_tool(self) -> None:
        found = findings(body(tool("first"), tool("second", description=5, inputSchema=None)))
        assert [finding.tool for finding in found] == ["second", "second"]

    def test_the_prefix_of_the_bundle_binds_the_names(self) -> None:
        found = findings(body(tool("find")), PREFIXED)
        assert [(finding.rule, finding.pointer) for finding in found] == [("tool.name.prefix", "/tools/0/name")]
        assert found[0].mend == "let the name begin with 'order_'"
        assert adopted(body(tool("order_find")), PREFIXED).tools[0].name == "order_find"

    @pytest.mark.req("input/B10")
    def test_the_number_of_tools_is_bounded(self) -> None:
        policy = ManifestPolicy("orders", "", ENDPOINTS, ManifestLimits(max_tools=2))
        assert len(adopted(body(tool("a"), tool("b")), policy).tools) == 2
        found = findings(body(tool("a"), tool("b"), tool("c")), policy)
        assert [(finding.rule, finding.pointer) for finding in found] == [("manifest.tools.count", "/tools")]
        assert "3 tools, more than maxToolsPerBundle, which is 2" in found[0].problem

    def test_all_findings_are_returned_not_only_the_first(self) -> None:
        broken = tool(
            "a b",
            title=1,
            description=None,
            annotations=5,
            _meta={"timeoutMillis": 0.5},
            endpoint="//x",
            inputSchema={"type": 5, "$ref": "x"},
            outputSchema=5,
        )
        found = findings(body(broken, 7, tool(), tool("FIND"), bundleId="other", revision=1))
        assert [(finding.rule, finding.pointer) for finding in found] == [
            ("manifest.bundleId.mismatch", "/bundleId"),
            ("manifest.revision.type", "/revision"),
            ("tool.name.grammar", "/tools/0/name"),
            ("tool.title.type", "/tools/0/title"),
            ("tool.description.missing", "/tools/0/description"),
            ("tool.annotations.type", "/tools/0/annotations"),
            ("tool.meta.version.missing", "/tools/0/_meta/version"),
            ("tool.meta.timeoutMillis.type", "/tools/0/_meta/timeoutMillis"),
            ("tool.endpoint.malformed", "/tools/0/endpoint"),
            ("schema.root", "/tools/0/inputSchema"),
            ("schema.invalid", "/tools/0/inputSchema/type"),
            ("schema.ref.remote", "/tools/0/inputSchema/$ref"),
            ("schema.root", "/tools/0/outputSchema"),
            ("manifest.tools.element", "/tools/1"),
            ("tool.name.twin", "/tools/3/name"),
        ]

    def test_an_undeclared_origin_comes_with_the_line_that_would_allow_it(self) -> None:
        found = findings(body(tool(endpoint=DROP, _meta={**META, "endpoint": "http://evil.example/x"})))
        assert found[0].pointer == "/tools/0/_meta/endpoint"
        assert 'allowedEndpointOrigins: ["http://evil.example:80"]' in found[0].problem
