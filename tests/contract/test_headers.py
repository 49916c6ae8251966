"""Trace context, and the arguments that clients repeat in headers (`x-mcp-header`)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.headers import CALLER_HEADERS, SECRET_HEADERS, HeaderParam, header_params, traceparent

TRACE = b"4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = b"00f067aa0ba902b7"


def schema(**properties: Any) -> bytes:
    return json.dumps({"type": "object", "properties": properties}).encode()


class TestCallerHeaders:
    @pytest.mark.req("gateway/X2")
    def test_the_five_of_the_contract_go_on(self) -> None:
        assert CALLER_HEADERS == (b"guid", b"x-request-id", b"mcp-session-id", b"employee-no", b"virtual-employee-no")

    def test_employee_numbers_and_credentials_are_secret(self) -> None:
        assert {b"employee-no", b"virtual-employee-no", b"authorization"} == SECRET_HEADERS


class TestTraceparent:
    @pytest.mark.req("gateway/X2", "decision/D8")
    @pytest.mark.parametrize(
        "value",
        [
            b"00-" + TRACE + b"-" + PARENT + b"-01",
            b"00-" + TRACE + b"-" + PARENT + b"-ff",
            b"01-" + TRACE + b"-" + PARENT + b"-00",
            b"cc-" + TRACE + b"-" + PARENT + b"-01-more",
        ],
    )
    def test_a_well_formed_value_gives_its_trace_id(self, value: bytes) -> None:
        assert traceparent(value) == TRACE

    @pytest.mark.req("gateway/X2", "decision/D8")
    @pytest.mark.parametrize(
        "value",
        [
            b"",
            TRACE,
            b"00-" + TRACE + b"-" + PARENT,
            b"00-" + TRACE + b"-" + PARENT + b"-01-more",
            b"00-" + TRACE + b"-" + PARENT + b"-01 ",
            b"00-" + TRACE + b"-" + PARENT + b"-01\n",
            b"01-" + TRACE + b"-" + PARENT + b"-01.more",
            b"ff-" + TRACE + b"-" + PARENT + b"-01",
            b"00-" + TRACE.upper() + b"-" + PARENT + b"-01",
            b"00-" + b"0" * 32 + b"-" + PARENT + b"-01",
            b"00-" + TRACE + b"-" + b"0" * 16 + b"-01",
            b"00-" + TRACE[:-1] + b"g-" + PARENT + b"-01",
            b" 00-" + TRACE + b"-" + PARENT + b"-01",
        ],
    )
    def test_a_malformed_value_gives_none(self, value: bytes) -> None:
        assert traceparent(value) is None

    @given(st.binary(max_size=60))
    def test_any_bytes_give_a_trace_id_or_none(self, value: bytes) -> None:
        found = traceparent(value)
        assert found is None or (len(found) == 32 and found in value)


class TestHeaderParams:
    @pytest.mark.req("gateway/P4", "gateway/G6")
    def test_marks_on_plain_properties_are_read_in_the_order_of_the_document(self) -> None:
        raw = schema(
            region={"type": "string", "x-mcp-header": "Region"},
            other={"type": "number"},
            inner={"type": "object", "properties": {"retry": {"type": "integer", "x-mcp-header": "X-Retry"}}},
            dry={"type": "boolean", "x-mcp-header": "dry_run"},
        )
        found = header_params(raw)
        assert found.findings == ()
        assert found.params == (
            HeaderParam(b"mcp-param-region", ("region",), "string"),
            HeaderParam(b"mcp-param-x-retry", ("inner", "retry"), "integer"),
            HeaderParam(b"mcp-param-dry_run", ("dry",), "boolean"),
        )

    @pytest.mark.req("gateway/G6")
    @pytest.mark.parametrize(
        ("property_schema", "rules"),
        [
            ({"type": "string", "x-mcp-header": ""}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": "My Region"}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": "지역"}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": "a:b"}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": "a\n"}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": None}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": 10**4000}, ["schema.header.token"]),
            ({"type": "string", "x-mcp-header": ["Region"]}, ["schema.header.token"]),
            ({"type": "number", "x-mcp-header": "Region"}, ["schema.header.type"]),
            ({"type": "object", "x-mcp-header": "Region"}, ["schema.header.type"]),
            ({"type": ["string"], "x-mcp-header": "Region"}, ["schema.header.type"]),
            ({"x-mcp-header": "Region"}, ["schema.header.type"]),
            ({"x-mcp-header": 5}, ["schema.header.token", "schema.header.type"]),
        ],
    )
    def test_a_mark_that_clients_would_drop_the_tool_for_is_found(self, property_schema: Any, rules: list[str]) -> None:
        found = header_params(schema(region=property_schema), "/tools/0/inputSchema", "search")
        assert [finding.rule for finding in found.findings] == rules
        assert {finding.pointer for finding in found.findings} == {
            "/tools/0/inputSchema/properties/region/x-mcp-header"
        }
        assert {finding.tool for finding in found.findings} == {"search"}
        assert found.params == ()

    @pytest.mark.req("gateway/G6")
    def test_two_marks_that_differ_only_in_case_are_a_duplicate(self) -> None:
        found = header_params(
            schema(a={"type": "string", "x-mcp-header": "Region"}, b={"type": "string", "x-mcp-header": "REGION"})
        )
        assert [(finding.rule, finding.pointer) for finding in found.findings] == [
            ("schema.header.duplicate", "/properties/b/x-mcp-header")
        ]
        assert "stands on 'a' already" in found.findings[0].problem

    @pytest.mark.req("gateway/G6")
    @pytest.mark.parametrize(
        ("document", "pointer"),
        [
            ({"x-mcp-header": "R", "type": "string"}, "/x-mcp-header"),
            ({"items": {"type": "string", "x-mcp-header": "R"}}, "/items/x-mcp-header"),
            (
                {"anyOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "R"}}}]},
                "/anyOf/0/properties/a/x-mcp-header",
            ),
            ({"$defs": {"a/b~": {"type": "string", "x-mcp-header": "R"}}}, "/$defs/a~1b~0/x-mcp-header"),
            (
                {"properties": {"a": {"items": {"type": "string", "x-mcp-header": "R"}}}},
                "/properties/a/items/x-mcp-header",
            ),
            (
                {"patternProperties": {"^a": {"type": "string", "x-mcp-header": "R"}}},
                "/patternProperties/^a/x-mcp-header",
            ),
        ],
    )
    def test_a_mark_where_no_client_reaches_it_is_found(self, document: Any, pointer: str) -> None:
        found = header_params(json.dumps(document).encode())
        assert [(finding.rule, finding.pointer) for finding in found.findings] == [("schema.header.place", pointer)]

    @pytest.mark.parametrize(
        "document",
        [
            {"properties": {"x-mcp-header": {"type": "string"}}},
            {"default": {"x-mcp-header": 5}},
            {"enum": [{"x-mcp-header": 5}]},
            {"properties": {"a": {"const": {"x-mcp-header": 5}}}},
            {"unknown": {"x-mcp-header": 5}},
            {"properties": 5},
            True,
        ],
    )
    def test_data_and_property_names_are_no_marks(self, document: Any) -> None:
        assert header_params(json.dumps(document).encode()) == ((), ())

    def test_a_mark_spelled_with_escapes_is_read(self) -> None:
        raw = b'{"properties":{"a":{"type":"string","\\u0078-mcp-header":"R"}}}'
        assert header_params(raw).params == (HeaderParam(b"mcp-param-r", ("a",), "string"),)
