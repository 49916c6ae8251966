"""What an adopted manifest holds: public members, endpoints, timeouts, the digest (gateway/G6, gateway/K4)."""

import json
from typing import Any

import pytest

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.headers import HeaderParam
from axhub.contract.manifest import ManifestPolicy
from support.contract import DROP, META, RELAXED, adopted, body, findings, meta, tool

pytestmark = pytest.mark.req("gateway/G6")


class TestMembers:
    @pytest.mark.req("gateway/K4")
    def test_public_members_come_in_one_order_without_white_space_and_otherwise_as_written(self) -> None:
        text = b"""{ "bundleId": "orders", "revision": "7", "extra": [ ], "tools": [ {
            "_meta": { "x": 1, "version": "1.0.0" }, "annotations": { "idempotentHint" : true, "vendor": { "a": 1 },
            "title": "T", "readOnlyHint": null },
            "outputSchema": { "b": 1.10, "a" : 1e400, "type" : "object" },
            "icons": [],
            "inputSchema": { "type": "object", "maximum": 100000000000000000000000000000, "title":"\\uc8fc \\/" },
            "description": "\\u0046inds  it", "title": "Find  it", "endpoint": "/find", "name": "fi\\u006ed" } ] }"""
        found = adopted(text).tools[0]
        assert list(found.members.items()) == [
            ("name", b'"fi\\u006ed"'),
            ("title", b'"Find  it"'),
            ("description", b'"\\u0046inds  it"'),
            ("inputSchema", b'{"type":"object","maximum":100000000000000000000000000000,"title":"\\uc8fc \\/"}'),
            ("outputSchema", b'{"b":1.10,"a":1e400,"type":"object"}'),
            ("annotations", b'{"idempotentHint":true,"title":"T"}'),
        ]
        assert (found.name, found.version) == ("find", "1.0.0")

    def test_null_in_an_optional_member_counts_as_absent(self) -> None:
        names = ("title", "outputSchema", "annotations", "endpoint")
        text = body(
            {**tool(_meta={**META, "timeoutMillis": None, "enabled": None, "endpoint": "/m"}), **dict.fromkeys(names)},
            revision=None,
        )
        manifest = adopted(text)
        assert manifest.revision is None
        assert list(manifest.tools[0].members) == ["name", "description", "inputSchema"]
        assert str(manifest.tools[0].endpoint) == "http://tools:8080/base/m"
        assert manifest.tools[0].enabled

    @pytest.mark.parametrize("member", ["name", "description", "inputSchema", "_meta"])
    def test_null_in_a_required_member_is_missing(self, member: str) -> None:
        assert findings(body({**tool(), member: None}))[0].rule.endswith(".missing")

    def test_unknown_members_are_ignored_whatever_they_hold(self) -> None:
        odd = {"icons": 5, "execution": {}, "X": "\u202e"}
        manifest = adopted(body({**tool(_meta={**META, **odd}, annotations=odd), **odd}, **odd))
        assert manifest.tools[0].members["annotations"] == b"{}"
        assert b"icons" not in b"".join(manifest.tools[0].members.values())

    @pytest.mark.req("gateway/G7", "input/B27")
    @pytest.mark.parametrize(
        ("written", "millis"),
        [
            (b"null", 30000),
            (b"1", 1),
            (b"29999", 29999),
            (b"30000", 30000),
            (b"30001", 30000),
            (b"1000000000000", 30000),
            (b"1e12", 30000),
            (b"2000.0", 2000),
            (b"1" * 5000, 30000),
        ],
    )
    def test_the_timeout_is_capped_and_the_cap_if_absent(self, written: bytes, millis: int) -> None:
        text = body(meta(timeoutMillis="HERE")).replace(b'"HERE"', written)
        assert adopted(text).tools[0].timeout_millis == millis

    @pytest.mark.req("gateway/G6", "input/B27")
    @pytest.mark.parametrize(
        "written",
        [b"0", b"-1", b"0.0", b"1.5", b'"5"', b"true", b"[]", b"1e-400", b"-1e999", b"1e99999999999999999999"],
    )
    def test_a_timeout_that_is_no_positive_integer_is_refused(self, written: bytes) -> None:
        text = body(meta(timeoutMillis="HERE")).replace(b'"HERE"', written)
        assert findings(text)[0].pointer == "/tools/0/_meta/timeoutMillis"

    @pytest.mark.req("decision/D7")
    def test_a_disabled_tool_is_read_and_marked(self) -> None:
        manifest = adopted(body(meta(enabled=False)))
        assert [tool.enabled for tool in manifest.tools] == [False]

    def test_parameters_mirrored_in_headers_are_read(self) -> None:
        schema = {"type": "object", "properties": {"r": {"type": "string", "x-mcp-header": "Region"}}}
        assert adopted(body(tool(inputSchema=schema))).tools[0].header_params == (
            HeaderParam(b"mcp-param-region", ("r",), "string"),
        )

    @pytest.mark.req("gateway/K1")
    def test_tools_are_ascending_by_code_point(self) -> None:
        names = ["b", "B", "a-b", "a.b", "a/b", "a_b", "a9"]
        assert [found.name for found in adopted(body(*map(tool, names[:1] + names[2:]))).tools] == sorted(
            names[:1] + names[2:]
        )


class TestEndpoints:
    @pytest.mark.req("decision/D2", "input/B26")
    def test_the_base_endpoint_is_used_verbatim_without_an_endpoint(self) -> None:
        base = parse_url("http://tools:8080/mcp?x=1")
        policy = ManifestPolicy("orders", "", EndpointPolicy(None, base, frozenset({base.origin}), any_origin=False))
        assert adopted(body(tool(endpoint=DROP)), policy).tools[0].endpoint == base

    @pytest.mark.req("input/B26", "decision/D2")
    def test_the_top_level_endpoint_wins_over_a_meta_one_that_disagrees(self) -> None:
        manifest = adopted(body(tool(_meta={**META, "endpoint": "http://evil/x"})))
        assert str(manifest.tools[0].endpoint) == "http://tools:8080/base/find"


class TestRelaxed:
    """The form of `axhub manifest check` (gateway/C4)."""

    pytestmark = pytest.mark.req("gateway/C4")

    def test_any_bundle_id_will_do(self) -> None:
        assert adopted(body(tool(), bundleId=" "), RELAXED).bundle_id == " "
        assert findings(body(tool(), bundleId=None), RELAXED)[0].rule == "manifest.bundleId.missing"

    @pytest.mark.parametrize(
        ("members", "endpoint"),
        [
            ({"endpoint": "http://any.where:1/x"}, "http://any.where:1/x"),
            ({"endpoint": DROP, "_meta": {**META, "endpoint": "https://any/x"}}, "https://any:443/x"),
            ({"endpoint": "/x"}, "None"),
            ({"endpoint": DROP}, "None"),
        ],
    )
    def test_absolute_endpoints_are_read_and_relative_ones_only_looked_at(
        self, members: dict[str, Any], endpoint: str
    ) -> None:
        assert str(adopted(body(tool(**members)), RELAXED).tools[0].endpoint) == endpoint

    @pytest.mark.parametrize("endpoint", ["//x", "/../x", "ftp://x/", "http://127.1/"])
    def test_malformed_endpoints_are_refused(self, endpoint: str) -> None:
        assert findings(body(tool(endpoint=endpoint)), RELAXED)[0].rule == "tool.endpoint.malformed"


class TestDigest:
    @pytest.mark.parametrize(
        "other",
        [
            body(tool("find"), tool("save")),
            body(tool("save"), tool("find")),
            body(tool("find"), tool("save"), revision="9", extra=1),
            json.dumps(json.loads(body(tool("find"), tool("save"))), indent=4).encode(),
            body(dict(reversed(tool("find").items())), tool("save")),
            body(tool("find", _meta={"enabled": True, "timeoutMillis": 30000, "version": "1.0.0"}), tool("save")),
        ],
    )
    def test_it_is_the_same_for_the_same_content(self, other: bytes) -> None:
        assert adopted(other).content_digest == adopted(body(tool("find"), tool("save"))).content_digest

    @pytest.mark.parametrize(
        "other",
        [
            body(tool("find")),
            body(tool("find", description="Finds!"), tool("save")),
            body(tool("find", title="x"), tool("save")),
            body(tool("find", endpoint="/other"), tool("save")),
            body(tool("find", _meta={"version": "1.0.1"}), tool("save")),
            body(tool("find", _meta={**META, "enabled": False}), tool("save")),
            body(tool("find", _meta={**META, "timeoutMillis": 5}), tool("save")),
        ],
    )
    def test_it_differs_for_other_content(self, other: bytes) -> None:
        digest = adopted(other).content_digest
        assert digest != adopted(body(tool("find"), tool("save"))).content_digest
        assert digest.startswith("sha256:")
