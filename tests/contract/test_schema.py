"""Schemas of tools: JSON Schema 2020-12, within bounds, complete in themselves (gateway/G6)."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract import schema_meta
from axhub.contract.findings import Finding
from axhub.contract.schema import MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS, check_schema
from axhub.contract.schema_walk import walk

pytestmark = pytest.mark.req("gateway/G6")

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FULL: dict[str, Any] = {
    "$schema": DIALECT,
    "$id": "https://example.com/order.json",
    "$comment": "all keywords",
    "type": "object",
    "title": "주문",
    "description": "two\nlines",
    "$defs": {
        "address": {"$anchor": "address", "type": "object", "properties": {"city": {"type": "string", "minLength": 1}}},
        "node": {"$dynamicAnchor": "node", "type": "object", "properties": {"next": {"$dynamicRef": "#node"}}},
        "other": {"$id": "other.json", "type": "integer", "$defs": {"inner": {"type": "null"}}},
    },
    "properties": {
        "ship": {"$ref": "#address"},
        "bill": {"$ref": "#/$defs/address"},
        "by_id": {"$ref": "order.json#/$defs/address"},
        "by_url": {"$ref": "https://example.com/other.json"},
        "inner": {"$ref": "other.json#/$defs/inner"},
        "child": {"$ref": "#"},
        "n": {"type": ["integer", "null"], "minimum": -1e400, "maximum": 10**400, "multipleOf": 0.01},
        "list": {
            "type": "array",
            "prefixItems": [True],
            "items": False,
            "contains": {},
            "minContains": 0,
            "uniqueItems": True,
        },
        "s": {
            "type": "string",
            "pattern": "(?=evil",
            "format": "email",
            "enum": ["a", "\t"],
            "default": "b",
            "examples": [],
        },
        "$ref": {"type": "string"},
    },
    "patternProperties": {"^(a+)+$": {"const": None}},
    "propertyNames": {"maxLength": 10},
    "dependentRequired": {"ship": ["bill"]},
    "dependentSchemas": {"n": {"required": ["s"]}},
    "if": {"required": ["ship"]},
    "then": {"not": {"required": ["list"]}},
    "else": True,
    "allOf": [{"anyOf": [{}]}, {"oneOf": [{}, False]}],
    "required": ["ship"],
    "additionalProperties": False,
    "unevaluatedProperties": False,
    "x-own": {"$ref": "http://not.a/schema", "type": 5},
    "const": {"$ref": "http://data.is/no-schema"},
    "readOnly": True,
}


def check(schema: Any, *, root_object: bool = True) -> list[Finding]:
    raw = schema if isinstance(schema, bytes) else json.dumps(schema, ensure_ascii=False).encode()
    return check_schema(raw, "/s", "search", root_object)


def rules(schema: Any, *, root_object: bool = True) -> list[tuple[str, str]]:
    return [(finding.rule, finding.pointer) for finding in check(schema, root_object=root_object)]


def obj(**more: Any) -> dict[str, Any]:
    return {"type": "object", **more}


def nested(depth: int) -> dict[str, Any]:
    """A schema whose JSON nests `depth` containers."""
    inner: dict[str, Any] = {} if depth % 2 else {"enum": []}
    for _ in range((depth - 1) // 2):
        inner = {"allOf": [inner]}
    return {**inner, "type": "object"}


KEYWORDS = st.sampled_from(
    ["type", "properties", "items", "allOf", "required", "minLength", "enum", "$defs", "not", "$ref", "title", "x"]
)
ODD_VALUES = st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(["object", "string", "#", ""])
SCHEMA_LIKE = st.dictionaries(
    KEYWORDS,
    st.recursive(
        ODD_VALUES,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYWORDS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


class TestAccepted:
    @pytest.mark.req("input/B29", "input/B31")
    def test_every_keyword_of_the_dialect_passes(self) -> None:
        text = json.dumps(FULL, ensure_ascii=False).replace("-Infinity", "-1e400")
        assert check(text.encode()) == []

    @pytest.mark.parametrize("schema", [{"type": "object"}, obj(properties={}), obj(**{"$schema": DIALECT + "#"})])
    def test_small_input_schemas_pass(self, schema: Any) -> None:
        assert check(schema) == []

    @pytest.mark.req("decision/D6", "input/B34")
    @pytest.mark.parametrize("schema", [True, False, {}, {"type": "array"}, {"type": ["object", "null"]}])
    def test_an_output_schema_may_have_any_root(self, schema: Any) -> None:
        assert check(schema, root_object=False) == []

    @pytest.mark.req("input/B31")
    @pytest.mark.parametrize(
        "pattern", ["^(a+)+$", "(?=x)y", "(?<!a)b", "(", "[z-a]", "(a)\\1", "a{1000}{1000}", "\\p{Lu}"]
    )
    def test_patterns_of_any_kind_are_carried(self, pattern: str) -> None:
        assert check(obj(properties={"a": {"pattern": pattern}}, patternProperties={pattern: {}})) == []


class TestRoot:
    @pytest.mark.req("input/B32")
    @pytest.mark.parametrize(
        "schema", [True, False, [], "object", 5, {}, {"type": "array"}, {"type": ["object"]}, {"type": "Object"}]
    )
    def test_an_input_schema_is_an_object_schema(self, schema: Any) -> None:
        assert ("schema.root", "/s") in rules(schema)

    @pytest.mark.req("input/B32")
    @pytest.mark.parametrize("schema", [[], "x", 5, None])
    def test_an_output_schema_is_a_schema(self, schema: Any) -> None:
        assert rules(schema, root_object=False) == [("schema.root", "/s")]

    @pytest.mark.req("input/B32")
    @pytest.mark.parametrize(
        "dialect",
        [
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2019-09/schema",
            "http://json-schema.org/draft/2020-12/schema",
            "",
            "https://evil.example/meta",
        ],
    )
    def test_another_dialect_is_refused(self, dialect: str) -> None:
        assert rules(obj(**{"$schema": dialect})) == [("schema.dialect", "/s/$schema")]

    def test_another_dialect_further_in_is_refused_too(self) -> None:
        schema = obj(**{"$defs": {"a": {"$id": "a.json", "$schema": "http://json-schema.org/draft-07/schema#"}}})
        assert rules(schema) == [("schema.dialect", "/s/$defs/a/$schema")]


class TestBounds:
    @pytest.mark.req("decision/D17")
    def test_64_kibibytes_without_white_space_are_the_most(self) -> None:
        empty = len(b'{"type":"object","description":""}')
        fitting = {"type": "object", "description": "x" * (MAX_SCHEMA_BYTES - empty)}
        assert check(json.dumps(fitting, indent=8).encode()) == []
        assert rules({**fitting, "description": fitting["description"] + "x"}) == [("schema.bytes", "/s")]

    @pytest.mark.req("decision/D17", "input/B30")
    @pytest.mark.parametrize("depth", [MAX_SCHEMA_DEPTH - 1, MAX_SCHEMA_DEPTH])
    def test_nesting_of_32_passes(self, depth: int) -> None:
        assert check(nested(depth)) == []

    @pytest.mark.req("decision/D17", "input/B30")
    def test_nesting_of_33_is_refused(self) -> None:
        assert rules(nested(33)) == [("schema.depth", "/s")]
        assert rules(obj(default=json.loads("[" * 32 + "]" * 32))) == [("schema.depth", "/s")]

    @pytest.mark.req("decision/D17", "input/B30")
    def test_2000_sub_schemas_are_the_most(self) -> None:
        assert check(obj(properties={f"p{at}": True for at in range(MAX_SUBSCHEMAS)})) == []
        assert rules(obj(properties={f"p{at}": True for at in range(MAX_SUBSCHEMAS + 1)})) == [
            ("schema.subschemas", "/s")
        ]

    def test_data_is_not_counted_as_schemas(self) -> None:
        assert check(obj(enum=[{"a": {}}] * 5000)) == []


class TestValidity:
    @pytest.mark.parametrize(
        ("schema", "pointer", "part"),
        [
            ({"type": "objekt"}, "/type", "'array', 'boolean'"),
            ({"properties": {"a": {"type": 5}}}, "/properties/a/type", "'array', 'boolean'"),
            ({"properties": {"a": {"type": ["string", "string"]}}}, "/properties/a/type", "none twice"),
            ({"properties": {"a": 5}}, "/properties/a", "a schema"),
            ({"properties": []}, "/properties", "an object whose members are schemas"),
            ({"items": [{}]}, "/items", "a schema"),
            ({"allOf": []}, "/allOf", "a list of at least one schema"),
            ({"anyOf": [{}, 5]}, "/anyOf/1", "a schema"),
            ({"required": "a"}, "/required", "a list of texts"),
            ({"required": ["a", "a"]}, "/required", "none twice"),
            ({"required": ["a", 5]}, "/required/1", "a list of texts"),
            ({"minLength": -1}, "/minLength", "an integer of at least 0"),
            ({"minLength": -1.5}, "/minLength", "an integer of at least 0"),
            ({"maximum": "5"}, "/maximum", "a number"),
            ({"multipleOf": 0}, "/multipleOf", "a number above 0"),
            ({"enum": "a"}, "/enum", "a list"),
            ({"pattern": 5}, "/pattern", "a text"),
            ({"description": None}, "/description", "a text"),
            ({"uniqueItems": "yes"}, "/uniqueItems", "true or false"),
            ({"$ref": 5}, "/$ref", "a reference"),
            ({"$id": "a#b"}, "/$id", "an address without a fragment"),
            ({"$anchor": "1a"}, "/$anchor", "a name of ASCII"),
            ({"additionalProperties": "no"}, "/additionalProperties", "a schema"),
            ({"dependentRequired": {"a": "b"}}, "/dependentRequired/a", "lists of property names"),
            ({"$defs": {"a": {"not": []}}}, "/$defs/a/not", "a schema"),
            ({"$vocabulary": {"x:y": 1}}, "/$vocabulary/x:y", "boolean"),
        ],
    )
    def test_what_the_meta_schema_refuses_is_said_with_what_would_be_right(
        self, schema: Any, pointer: str, part: str
    ) -> None:
        findings = check(schema, root_object=False)
        assert [(finding.rule, finding.pointer) for finding in findings] == [("schema.invalid", "/s" + pointer)]
        assert part in findings[0].problem

    def test_all_faults_are_found(self) -> None:
        schema = {"type": "objekt", "properties": {"a": {"type": 5, "items": {"minLength": -1}}, "b": 7}, "required": 1}
        assert {pointer for _, pointer in rules(schema, root_object=False)} == {
            "/s/type",
            "/s/required",
            "/s/properties/b",
            "/s/properties/a/type",
            "/s/properties/a/items/minLength",
        }

    @given(SCHEMA_LIKE)
    def test_faults_are_found_exactly_where_the_meta_schema_refuses(self, schema: dict[str, Any]) -> None:
        places = {place.path: place for place in walk(schema)}
        assert (list(schema_meta.faults(places.values())) == []) == schema_meta.is_valid(schema)

    def test_no_more_than_twenty_findings_are_returned(self) -> None:
        assert len(check(obj(properties={f"p{at}": {"type": "x"} for at in range(1999)}))) == 20

    def test_an_invalid_value_is_not_quoted(self) -> None:
        assert "secret" not in str(check({"minLength": "secret", "$vocabulary": "secret"}, root_object=False))


class TestReferences:
    @pytest.mark.req("input/B29", "threat/T09")
    @pytest.mark.parametrize(
        "schema",
        [
            {"$ref": "http://evil.example/schema.json"},
            {"$ref": "https://json-schema.org/draft/2020-12/schema"},
            {"$ref": "file:///etc/passwd"},
            {"$ref": "//evil.example/x"},
            {"$ref": "other.json"},
            {"$ref": "other.json#/$defs/a", "$defs": {"a": {}}},
            {"$ref": "/x"},
            {"$ref": "?x"},
            {"$ref": "urn:example:x"},
            {"$dynamicRef": "http://evil.example/#node"},
            {"$id": "http://evil.example/", "$ref": "x.json"},
            {"$id": "urn:x:y", "$ref": "x.json"},
            {"$id": "http://a/b", "$ref": "http://A/b"},
            {"$ref": "http://[bad"},
            {"$id": "http://[bad", "$ref": "http://[bad]"},
            {"allOf": [{"$id": "http://evil.example/x", "properties": {"a": {"$ref": "y"}}}]},
        ],
    )
    def test_a_reference_out_of_the_document_is_refused(self, schema: Any) -> None:
        assert {rule for rule, _ in rules(schema, root_object=False)} == {"schema.ref.remote"}

    @pytest.mark.req("input/B29")
    @pytest.mark.parametrize(
        ("schema", "pointer"),
        [
            ({"$ref": "#/$defs/b", "$defs": {"a": {}}}, "/$ref"),
            ({"$ref": "#a"}, "/$ref"),
            ({"$dynamicRef": "#a"}, "/$dynamicRef"),
            ({"$ref": "#/properties", "properties": {"a": {}}}, "/$ref"),
            ({"$ref": "#/const", "const": {"type": "object"}}, "/$ref"),
            ({"$ref": "#/x-own", "x-own": {"type": "object"}}, "/$ref"),
            ({"$ref": "#/allOf/01", "allOf": [{}, {}]}, "/$ref"),
            ({"$ref": "#$defs/a", "$defs": {"a": {}}}, "/$ref"),
            ({"$defs": {"a": {"$id": "b.json", "$ref": "#/$defs/a"}}}, "/$defs/a/$ref"),
        ],
    )
    def test_a_reference_to_no_schema_is_refused(self, schema: Any, pointer: str) -> None:
        assert rules(schema, root_object=False) == [("schema.ref.dangling", "/s" + pointer)]

    @pytest.mark.parametrize(
        "schema",
        [
            {"$ref": "#/$defs/a~1b~0%25", "$defs": {"a/b~%": {}}},
            {"$ref": "#/%24defs/a", "$defs": {"a": {}}},
            {"$ref": "#/definitions/a", "definitions": {"a": {}}},
            {"$ref": "#/allOf/1/items", "allOf": [{}, {"items": True}]},
            {"$id": "urn:x:y", "$ref": "#/$defs/a", "$defs": {"a": {}}},
            {"$id": "urn:x:y", "$ref": "urn:x:y#/$defs/a", "$defs": {"a": {}}},
            {"$id": "http://a/b/c.json", "items": {"$ref": "../b/c.json#"}},
            {"$id": "http://a/b/c.json#", "items": {"$ref": "c.json"}},
            {"$ref": "#x", "$defs": {"a": {"$dynamicAnchor": "x"}}},
            {"$defs": {"a": {"$id": "x/", "$defs": {"b": {"$id": "y", "$anchor": "z"}}}}, "$ref": "x/y#z"},
        ],
    )
    def test_a_reference_within_the_document_is_followed(self, schema: Any) -> None:
        assert check(schema, root_object=False) == []

    @pytest.mark.req("input/B29")
    @pytest.mark.parametrize(
        "schema",
        [
            {"$ref": "#"},
            {"$dynamicRef": "#a", "$dynamicAnchor": "a"},
            {"allOf": [{"$ref": "#"}]},
            {"not": {"$ref": "#"}},
            {"if": {"$ref": "#"}},
            {"dependentSchemas": {"a": {"$ref": "#"}}},
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}},
        ],
    )
    def test_references_in_a_circle_about_one_value_are_refused(self, schema: Any) -> None:
        assert {rule for rule, _ in rules(schema, root_object=False)} == {"schema.ref.circle"}

    def test_a_circle_is_reported_where_it_closes(self) -> None:
        schema = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
        assert rules(schema, root_object=False) == [("schema.ref.circle", "/s/$defs/b/$ref")]

    @pytest.mark.parametrize(
        "schema",
        [
            {"properties": {"child": {"$ref": "#"}}},
            {"items": {"$ref": "#"}},
            {"additionalProperties": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
            {"$dynamicAnchor": "n", "prefixItems": [{"$dynamicRef": "#n"}]},
        ],
    )
    def test_a_recursion_that_goes_into_the_value_is_fine(self, schema: Any) -> None:
        assert check(schema, root_object=False) == []

    def test_a_reference_spelled_with_an_escape_is_seen(self) -> None:
        assert rules(b'{"\\u0024ref":"http://evil.example/"}', root_object=False) == [("schema.ref.remote", "/s/$ref")]


class TestTexts:
    @pytest.mark.req("input/B19", "input/B20")
    @pytest.mark.parametrize(
        ("schema", "pointer"),
        [
            ({"description": "a\u202eb"}, "/description"),
            ({"title": "two\nlines"}, "/title"),
            ({"properties": {"a\u200bb": {}}}, "/properties/a\u200bb"),
            ({"properties": {"a": {"enum": ["x", "y\u0000"]}}}, "/properties/a/enum/1"),
            ({"default": {"deep": ["\u001b[31m"]}}, "/default/deep/0"),
            ({"pattern": "[\u200b]"}, "/pattern"),
            ({"x-own": "\U000e0041"}, "/x-own"),
        ],
    )
    def test_hidden_characters_are_found_wherever_they_stand(self, schema: Any, pointer: str) -> None:
        assert rules(schema, root_object=False) == [("text.character", "/s" + pointer)]

    def test_they_are_found_behind_escapes(self) -> None:
        assert rules(b'{"description":"a\\u202eb"}', root_object=False) == [("text.character", "/s/description")]

    def test_a_property_called_title_is_not_a_title(self) -> None:
        assert (
            check({"default": {"title": "two\nlines"}, "properties": {"title": {"default": "a\nb"}}}, root_object=False)
            == []
        )


@pytest.mark.req("input/B30", "fault/F14", "threat/T09")
@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {f"a{at}": {"anyOf": [{"$ref": f"#/$defs/a{at + 1}"}] * 2} for at in range(18)} | {"a18": {}}},
        {"$defs": {f"a{at}": {"allOf": [{"$ref": f"#/$defs/a{to}"} for to in range(40)]} for at in range(40)}},
        {"properties": {f"p{at}": {"type": ["x"] * 3} for at in range(1990)}},
        {"allOf": [{"$ref": "#/$defs/none"}] * 1990},
        {"$id": "http://a/", "allOf": [{"$id": "a/../" * 5 + str(at), "$ref": "b"} for at in range(900)]},
        {"properties": {f"p{at}": {} for at in range(100_000)}},
        {"required": [f"r{at}" for at in range(7000)]},
        {"type": ["string"] * 6000},
    ],
    ids=["branches", "cliques", "bad types", "dangling", "rebased", "100k properties", "required", "types"],
)
def test_no_schema_takes_long_to_check(schema: Any) -> None:
    began = time.thread_time()
    check(schema)
    assert time.thread_time() - began < 2
