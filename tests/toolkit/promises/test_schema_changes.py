"""Every way in which a schema can change, in both directions, for who sends and for who reads (decision/D12)."""

from typing import Any

import pytest

from axhub.toolkit.promises.schema_changes import SchemaChange, Side, schema_changes
from axhub.toolkit.promises.words import SCHEMA_WORDS, Severity
from support.promises import TEXT, changed, closed, number, text

pytestmark = pytest.mark.req("decision/D12")

Told = list[tuple[str, str, str]]
B, H, S = "breaking", "behavioural", "safe"


def told(old: Any, new: Any, side: Side) -> Told:
    """Return severity, kind and pointer of each change."""
    found = schema_changes(old, new, side)
    words = [(SCHEMA_WORDS[one.kind], one) for one in found]
    return [
        ((word.of_input if side is Side.INPUT else word.of_output).value, one.kind, one.pointer) for word, one in words
    ]


def rows(**more: Any) -> dict[str, Any]:
    return {"type": "array", "items": TEXT, **more}


NARROWER: list[tuple[str, Any, Any, str, str]] = [
    ("null", text(type=["string", "null"]), TEXT, "not-nullable", "nullable"),
    ("one type of two", {"type": ["string", "integer"]}, TEXT, "narrower-type", "wider-type"),
    ("no type", {}, TEXT, "narrower-type", "wider-type"),
    ("number to integer", number(), {"type": "integer"}, "narrower-type", "wider-type"),
    ("any value", TEXT, text(enum=["A", "B"]), "narrower-values", "wider-values"),
    ("enum", text(enum=["A", "B"]), text(enum=["A"]), "narrower-values", "wider-values"),
    ("enum to const", {"enum": ["A", "B"]}, {"const": "A"}, "narrower-values", "wider-values"),
    ("null in an enum", {"enum": ["A", None]}, {"enum": ["A"]}, "not-nullable", "nullable"),
    ("a switch", {"type": "boolean"}, {"const": True}, "narrower-values", "wider-values"),
    ("minimum", number(minimum=1), number(minimum=2), "narrower-bound", "wider-bound"),
    ("minimum anew", number(), number(minimum=2), "narrower-bound", "wider-bound"),
    ("maximum", number(maximum=2), number(maximum=1.5), "narrower-bound", "wider-bound"),
    ("exclusive minimum", number(minimum=1), number(exclusiveMinimum=1), "narrower-bound", "wider-bound"),
    ("exclusive maximum", number(exclusiveMaximum=2), number(exclusiveMaximum=1), "narrower-bound", "wider-bound"),
    ("multiple", {"type": "integer"}, {"type": "integer", "multipleOf": 5}, "narrower-bound", "wider-bound"),
    ("another multiple", number(multipleOf=2), number(multipleOf=4), "narrower-bound", "wider-bound"),
    ("minLength", TEXT, text(minLength=1), "narrower-bound", "wider-bound"),
    ("maxLength", text(maxLength=9), text(maxLength=8), "narrower-bound", "wider-bound"),
    ("pattern", TEXT, text(pattern="^A"), "narrower-bound", "wider-bound"),
    ("format", TEXT, text(format="date"), "narrower-bound", "wider-bound"),
    ("minItems", rows(), rows(minItems=1), "narrower-bound", "wider-bound"),
    ("maxItems", rows(maxItems=5), rows(maxItems=4), "narrower-bound", "wider-bound"),
    ("uniqueItems", rows(), rows(uniqueItems=True), "narrower-bound", "wider-bound"),
    ("minProperties", {"type": "object"}, {"type": "object", "minProperties": 1}, "narrower-bound", "wider-bound"),
    ("maxProperties", {"type": "object"}, {"type": "object", "maxProperties": 1}, "narrower-bound", "wider-bound"),
    ("more members", {"type": "object"}, {"type": "object", "additionalProperties": False}, "closed", "open"),
    ("an alternative", {"anyOf": [TEXT, number()]}, {"anyOf": [TEXT]}, "narrower-type", "wider-type"),
    ("a condition", TEXT, text(**{"not": {"const": "A"}}), "narrower-condition", "wider-condition"),
    (
        "a dependency",
        {"type": "object"},
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        "narrower-condition",
        "wider-condition",
    ),
]
"""What narrows, and what its opposite is called."""


@pytest.mark.parametrize(("what", "wide", "narrow", "less", "more"), NARROWER, ids=lambda value: str(value)[:24])
@pytest.mark.parametrize("depth", ["/a", "/rows/*", "/group/a", "/any/*"])
def test_narrowing_breaks_who_sends_and_widening_who_reads_at_any_depth(
    what: str, wide: Any, narrow: Any, less: str, more: str, depth: str
) -> None:
    old, new = placed(wide, depth), placed(narrow, depth)
    assert told(old, new, Side.INPUT) == [(B, less, depth)]
    assert told(old, new, Side.OUTPUT) == [(S, less, depth)]
    opposite = S if more == "open" else B
    assert told(new, old, Side.INPUT) == [(S, more, depth)]
    assert told(new, old, Side.OUTPUT) == [(opposite, more, depth)]


def placed(schema: Any, depth: str) -> dict[str, Any]:
    """Return a request with a schema at a place."""
    match depth:
        case "/a":
            return closed(a=schema)
        case "/rows/*":
            return closed(rows={"type": "array", "items": schema})
        case "/group/a":
            return closed(group=closed(("a",), a=schema))
        case _:
            return closed(any={"type": "object", "additionalProperties": schema})


OTHERS: list[tuple[str, Any, Any, Told, Told]] = [
    ("gone", closed(a=TEXT, b=TEXT), closed(a=TEXT), [(B, "gone", "/b")], [(B, "gone", "/b")]),
    ("gone, though others pass", {"properties": {"a": TEXT}}, {}, [(B, "gone", "/a")], [(B, "gone", "/a")]),
    ("new", closed(a=TEXT), closed(a=TEXT, b=TEXT), [(S, "new", "/b")], [(S, "new", "/b")]),
    (
        "new and required",
        closed(a=TEXT),
        closed(("b",), a=TEXT, b=TEXT),
        [(B, "new-required", "/b")],
        [(S, "new-required", "/b")],
    ),
    (
        "new, where anything passed",
        {"type": "object"},
        {"type": "object", "properties": {"a": TEXT}},
        [(B, "narrower-type", "/a")],
        [(S, "narrower-type", "/a")],
    ),
    (
        "renamed",
        closed(("a",), a=TEXT),
        closed(("b",), b=TEXT),
        [(B, "gone", "/a"), (B, "new-required", "/b")],
        [(B, "gone", "/a"), (S, "new-required", "/b")],
    ),
    ("required", closed(a=TEXT), closed(("a",), a=TEXT), [(B, "required", "/a")], [(S, "required", "/a")]),
    ("optional", closed(("a",), a=TEXT), closed(a=TEXT), [(S, "optional", "/a")], [(B, "optional", "/a")]),
    (
        "another type",
        closed(a=TEXT),
        closed(a=number()),
        [(B, "narrower-type", "/a")],
        [(B, "wider-type", "/a")],
    ),
    (
        "other values",
        closed(a={"enum": ["A", "B"]}),
        closed(a={"enum": ["B", "C"]}),
        [(B, "narrower-values", "/a")],
        [(B, "wider-values", "/a")],
    ),
    (
        "another pattern",
        closed(a=text(pattern="^A")),
        closed(a=text(pattern="^B")),
        [(B, "narrower-bound", "/a")],
        [(B, "wider-bound", "/a")],
    ),
    (
        "a reference instead of what it leads to",
        closed(a=TEXT),
        {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": TEXT}},
        [(S, "rewritten", "")],
        [(S, "rewritten", "")],
    ),
    (
        "what a reference leads to",
        {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": TEXT}},
        {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": text(maxLength=3)}},
        [(B, "narrower-bound", "/a")],
        [(S, "narrower-bound", "/a")],
    ),
    (
        "a reference that leads nowhere",
        closed(a=TEXT),
        closed(a={"$ref": "#/$defs/A"}),
        [(B, "narrower-condition", "/a"), (S, "wider-type", "/a")],
        [(B, "wider-type", "/a"), (S, "narrower-condition", "/a")],
    ),
    ("no value", closed(a=TEXT), closed(a=False), [(B, "gone", "/a")], [(B, "gone", "/a")]),
    ("no value inside a list", rows(), rows(items=False), [(B, "never", "/*")], [(S, "never", "/*")]),
    (
        "some value inside a list",
        rows(items=False),
        rows(),
        [(S, "wider-condition", "/*")],
        [(B, "wider-condition", "/*")],
    ),
    (
        "one of two types narrowed",
        {"type": ["string", "null"]},
        {"anyOf": [text(maxLength=1), {"type": "null"}]},
        [(B, "narrower-bound", "")],
        [(S, "narrower-bound", "")],
    ),
    (
        "another order",
        {"required": ["a", "b"]},
        {"required": ["b", "a"]},
        [(S, "rewritten", "")],
        [(S, "rewritten", "")],
    ),
    (
        "null in another spelling",
        closed(a={"anyOf": [TEXT, {"type": "null"}]}),
        closed(a={"type": ["string", "null"]}),
        [(S, "rewritten", "")],
        [(S, "rewritten", "")],
    ),
    (
        "an integer's bound in another spelling",
        closed(a={"type": "integer", "minimum": 1}),
        closed(a={"type": "integer", "exclusiveMinimum": 0}),
        [(S, "rewritten", "")],
        [(S, "rewritten", "")],
    ),
    (
        "one alternative more",
        {"anyOf": [TEXT]},
        {"anyOf": [TEXT, number()]},
        [(S, "wider-type", "")],
        [(B, "wider-type", "")],
    ),
    (
        "one of several alternatives narrowed",
        {"anyOf": [closed(a=TEXT), TEXT]},
        {"anyOf": [closed(a=text(maxLength=1)), TEXT]},
        [(B, "narrower-bound", "/a")],
        [(S, "narrower-bound", "/a")],
    ),
]


@pytest.mark.parametrize(("what", "old", "new", "of_input", "of_output"), OTHERS, ids=lambda value: str(value)[:24])
def test_each_way_is_told_once_for_each_side(what: str, old: Any, new: Any, of_input: Told, of_output: Told) -> None:
    assert told(old, new, Side.INPUT) == of_input
    assert told(old, new, Side.OUTPUT) == of_output


@pytest.mark.parametrize(
    ("keyword", "before", "after"),
    [
        ("description", "old", "new"),
        ("default", "A", "B"),
        ("examples", ["1"], ["2"]),
        ("title", "A", "B"),
        ("deprecated", False, True),
        ("x-mcp-header", "A", "B"),
        ("contentEncoding", "base64", "base32"),
        ("readOnly", False, True),
        ("writeOnly", False, True),
    ],
)
def test_what_is_only_said_changes_behaviour_when_it_comes_changes_and_goes(
    keyword: str, before: Any, after: Any
) -> None:
    without, old, new = closed(a=TEXT), closed(a=text(**{keyword: before})), closed(a=text(**{keyword: after}))
    for one, other in ((old, new), (without, new), (new, without)):
        for side in Side:
            assert told(one, other, side) == [(H, "said", "/a")]


def test_another_format_refuses_what_the_old_one_took_whoever_reads_it() -> None:
    old, new = (closed(a={"anyOf": [text(format=name), {"type": "null"}]}) for name in ("date", "date-time"))
    for one, other in ((old, new), (new, old)):
        assert told(one, other, Side.INPUT) == [(B, "narrower-bound", "/a")]
        assert told(one, other, Side.OUTPUT) == [(B, "wider-bound", "/a")]


def test_codes_that_become_texts_of_a_format_break_callers_and_codes_of_one_format_may_grow() -> None:
    codes, more = text(enum=["A"], format="x"), text(enum=["A", "B"], format="x")
    assert told(text(enum=["A"]), {"anyOf": [text(format="date"), {"type": "null"}]}, Side.INPUT)[0][:2] == (
        B,
        "narrower-bound",
    )
    assert told(codes, more, Side.INPUT) == [(S, "wider-values", "")]


def test_the_format_of_a_number_is_only_said() -> None:
    assert told(closed(a=number()), closed(a=number(format="int64")), Side.INPUT) == [(H, "said", "/a")]


def test_a_schema_inside_itself_is_followed_once() -> None:
    def tree(**more: Any) -> dict[str, Any]:
        return closed(name=text(**more), children={"type": "array", "items": {"$ref": "#"}})

    assert told(tree(), tree(), Side.INPUT) == []
    assert told(tree(), tree(maxLength=9), Side.INPUT) == [
        (B, "narrower-bound", "/name"),
        (B, "narrower-bound", "/children/*/name"),
    ]


def test_a_change_of_a_tool_says_it_the_same_way() -> None:
    (found,) = changed(input_schema=closed(("claimNo",), claimNo=text(maxLength=5)))
    assert (found.severity, found.text.en) == (Severity.BREAKING, "`maxLength` was nothing and is 5.")
    assert found.text.ko == "`maxLength` 제한이 바뀌었습니다: 없음 → 5."


def test_a_name_with_a_slash_is_one_step_of_the_pointer_and_shown_as_it_is() -> None:
    assert schema_changes(closed(), {**closed(), "properties": {"a/b": TEXT}}, Side.INPUT) == (
        SchemaChange("/a~1b", "new", "properties", "a/b", "", "string"),
    )
