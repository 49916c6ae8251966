"""A definition is changed as text: only `parameters_schema`, only where it differs (decision/D12)."""

import difflib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.toolkit.promises.agreeing import agrees
from axhub.toolkit.promises.definition_text import CannotEditError, with_parameters
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.rules.model import Text
from support.promises import TEXT, closed

pytestmark = pytest.mark.req("decision/D12")

PATH = "src/claim_tools/tool_definitions/cmm/cmm_claim_search.yml"
WRITTEN = """\
name: cmm_claim_search   # as in the code
idempotent: true
# what the model may send
parameters_schema:
  type: object   # always
  properties:
    # of the claim
    claimNo:
      type: [string, "null"]
      pattern: '^CLM$'   # why
      description: 조회할 청구번호

    kind: {type: string, enum: [A, "B"], description: 종류}   # a code
    gone:
      type: string
  required: [claimNo, gone]
  # nothing else
  additionalProperties: false
tags: [x]   # t
"""
WANTED: dict[str, Any] = closed(
    ("claimNo",),
    claimNo={"type": ["string", "null"], "description": "청구번호. 모르면 null", "pattern": "^CLM[0-9]$"},
    kind={"type": "string", "description": "종류", "enum": ["A", "B", "C"], "default": "A"},
    rows={"type": "array", "description": "행: 전부", "items": closed(("no",), no={"type": "string", "minLength": 1})},
)
ANCHOR = Text(
    "an anchor (&) or alias (*) of YAML stands in it, which may be used elsewhere; write out what it stands for",
    "YAML 앵커(&) 또는 별칭(*)이 있어 다른 곳에서도 쓰일 수 있습니다. 값을 풀어 쓰십시오",
)
CHANGES = """\
-      pattern: '^CLM$'   # why
-      description: 조회할 청구번호
+      pattern: '^CLM[0-9]$'   # why
+      description: 청구번호. 모르면 null
-    kind: {type: string, enum: [A, "B"], description: 종류}   # a code
-    gone:
-      type: string
-  required: [claimNo, gone]
+    kind: {type: string, enum: [A, "B", C], default: A, description: 종류}   # a code
+    rows:
+      type: array
+      description: "행: 전부"
+      items:
+        type: object
+        properties:
+          "no":
+            type: string
+            minLength: 1
+        required: ["no"]
+        additionalProperties: false
+  required: [claimNo]
"""


def changed(text: str, schema: dict[str, Any] | None = None) -> str:
    """Return a definition with a schema written into it; once more changes nothing."""
    wanted = WANTED if schema is None else schema
    result = with_parameters(text.encode(), PATH, wanted)
    assert with_parameters(result, PATH, wanted) == result
    return result.decode()


def difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return "".join(f"{line}\n" for line in lines if not line.startswith(("---", "+++", "@@")))


def test_comments_order_quotes_and_everything_else_stay() -> None:
    assert difference(WRITTEN, changed(WRITTEN)) == CHANGES


def test_line_ends_stay() -> None:
    windows = WRITTEN.replace("\n", "\r\n")
    assert changed(windows) == changed(WRITTEN).replace("\n", "\r\n")


def test_a_mark_at_the_beginning_and_a_missing_last_line_end_stay() -> None:
    cut = "\ufeff" + WRITTEN.removesuffix("tags: [x]   # t\n").removesuffix("\n")
    assert changed(cut) == "\ufeff" + changed(WRITTEN).removesuffix("tags: [x]   # t\n").removesuffix("\n")


@pytest.mark.parametrize(
    "schema",
    [
        WANTED,
        {**WANTED, "title": "T", "properties": {**WANTED["properties"]}},
        {**WANTED, "required": ["claimNo"], "examples": [{}]},
    ],
)
def test_what_says_the_same_is_not_touched(schema: dict[str, Any]) -> None:
    done = changed(WRITTEN)
    assert with_parameters(done.encode(), PATH, schema) == done.encode()


def test_another_spelling_of_null_and_an_own_title_and_example_stay() -> None:
    text = (
        "parameters_schema:\n  type: object\n  title: 청구\n  properties:\n    a:\n      anyOf: [{type: string}, "
        '{type: "null"}]\n      examples: [x]\n      default: null\n  additionalProperties: false\n'
    )
    assert changed(text, closed(a={"type": ["string", "null"]})) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("name: a\nidempotent: true\ntags: [x]", "name: a\nidempotent: true\n{}tags: [x]"),
        ("name: a\ntags: [x]", "name: a\ntags: [x]\n{}"),
        ("name: a\ntags: [x]\n", "name: a\ntags: [x]\n{}"),
        ("name: a\nparameters_schema:\ntags: [x]\n", "name: a\n{}tags: [x]\n"),
        ("name: a\nparameters_schema: {}\ntags: [x]\n", "name: a\n{}tags: [x]\n"),
        ("name: a\nparameters_schema: |\n  type: object\ntags: [x]\n", "name: a\n{}tags: [x]\n"),
        ("name: a\nparameters_schema: later\ntags: [x]\n", "name: a\n{}tags: [x]\n"),
    ],
)
def test_what_is_not_there_yet_is_written_as_a_whole(before: str, after: str) -> None:
    block = (
        "parameters_schema:\n  type: object\n  properties:\n    a:\n      type: string\n  required: [a]\n"
        "  additionalProperties: false\n"
    )
    found = changed(before, closed(("a",), a=TEXT))
    assert found == (after.format(block) if after.format(block)[-1] == found[-1] else after.format(block)[:-1])


@pytest.mark.parametrize(
    ("before", "after", "schema"),
    [
        (
            "{name: a, parameters_schema: {type: object, properties: {b: {type: string}}}, tags: []}",
            (
                "{name: a, parameters_schema: {type: object, properties: {a: {type: string}}, "
                "additionalProperties: false}, "
                "tags: []}"
            ),
            closed(a=TEXT),
        ),
        (
            (
                "parameters_schema:\n  type: object\n  properties: {x: {type: string}, a: {type: string}, y: {}}\n"
                "  additionalProperties: false\n"
            ),
            "parameters_schema:\n  type: object\n  properties: {a: {type: string}}\n  additionalProperties: false\n",
            closed(a=TEXT),
        ),
        (
            "parameters_schema:\n  type: object\n  properties:\n    a: {type: string}\n  additionalProperties: false\n",
            "parameters_schema:\n  type: object\n  properties: {}\n  additionalProperties: false\n",
            closed(),
        ),
        (
            (
                "parameters_schema:\n  type: object\n  properties:\n    a:\n      enum:\n        - A\n        - B\n"
                "  additionalProperties: false\n"
            ),
            (
                "parameters_schema:\n  type: object\n  properties:\n    a:\n      enum: [A]\n"
                "  additionalProperties: false\n"
            ),
            closed(a={"enum": ["A"]}),
        ),
        (
            (
                "parameters_schema:\n  type: object\n  properties:\n    a:\n      anyOf:\n        - type: string # t\n"
                "          maxLength: 1\n        - type: integer\n  additionalProperties: false\n"
            ),
            (
                "parameters_schema:\n  type: object\n  properties:\n    a:\n      anyOf:\n        - type: string # t\n"
                "          maxLength: 2\n        - type: integer\n  additionalProperties: false\n"
            ),
            closed(a={"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]}),
        ),
        (
            (
                'parameters_schema:\n  type: object\n  properties:\n    a: {type: string, description: "x"}\n'
                "  additionalProperties: false\n"
            ),
            (
                "parameters_schema:\n  type: object\n  properties:\n    a: {type: string, "
                'description: "\\u200b\\"y\\"\\n"}\n'
                "  additionalProperties: false\n"
            ),
            closed(a={"type": "string", "description": '\u200b"y"\n'}),
        ),
    ],
)
def test_each_style_is_kept_where_it_can_be(before: str, after: str, schema: dict[str, Any]) -> None:
    assert changed(before, schema) == after


@pytest.mark.parametrize(
    ("text", "place", "english", "korean"),
    [
        (
            "parameters_schema: &schema\n  type: object\nother: *schema\n",
            (1, 20),
            *ANCHOR,
        ),
        (
            "common: &text {type: string}\nparameters_schema:\n  type: object\n  properties:\n    b: *text\n",
            (5, 8),
            *ANCHOR,
        ),
        (
            "parameters_schema:\n  type: object\n  type: object\n",
            (3, 3),
            "the key /parameters_schema/type stands there twice; delete one of the two",
            "/parameters_schema/type 키가 두 번 있습니다. 둘 중 하나를 지우십시오",
        ),
        (
            "parameters_schema:\n  type: object\n  properties:\n    # on b\n    b: {type: string} # more\n",
            (4, 5),
            "this comment would be lost, as what it stands in has to be replaced; move it out of there",
            "이 주석이 있는 부분을 바꿔야 해서 주석이 없어집니다. 주석을 다른 곳으로 옮기십시오",
        ),
        (
            "name: [\n",
            (2, 1),
            (
                "it cannot be read: text that is not YAML: expected the node content, but "
                "found '<stream end>'; needed: "
                "valid YAML"
            ),
            (
                "정의 파일을 읽을 수 없습니다: text that is not YAML: expected the node content, "
                "but found '<stream end>'; "
                "needed: valid YAML"
            ),
        ),
    ],
)
def test_what_cannot_be_changed_safely_is_refused_with_place_and_mend(
    text: str, place: tuple[int, int], english: str, korean: str
) -> None:
    with pytest.raises(CannotEditError) as refused:
        with_parameters(text.encode(), PATH, closed(a=TEXT))
    assert (refused.value.place.line, refused.value.place.column) == place
    assert refused.value.text == Text(english, korean)


NAMES = st.sampled_from(["a", "no", "b c", "가", "x:y", "'q"])
TEXTS = st.sampled_from(["", "plain", "가나 다", "yes", "1.0", "#x", "a: b", '"q"', "줄\n바꿈", "{x}", " lead", "null"])
LEAVES = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer"])},
    optional={
        "description": TEXTS,
        "enum": st.lists(TEXTS, min_size=1, max_size=3, unique=True),
        "minLength": st.integers(0, 3),
    },
)
REQUESTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.dictionaries(NAMES, inner, max_size=3).map(lambda found: closed(**found)),
        inner.map(lambda one: {"type": "array", "items": one}),
    ),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
@given(REQUESTS, REQUESTS, st.booleans(), st.booleans())
def test_any_schema_becomes_any_other_and_the_rest_stays(old: Any, new: Any, windows: bool, ended: bool) -> None:
    text = "# first\nname: a   # x\nidempotent: true\n# between\ntags: [x]\n\n# last" + ("\n" if ended else "")
    start = text.replace("\n", "\r\n") if windows else text
    first = with_parameters(start.encode(), PATH, old)
    second = with_parameters(first, PATH, new)
    assert agrees(read_definition(second, PATH).values["parameters_schema"], new)
    around = second.decode()
    assert around.count("\n") == around.count("\r\n") * windows + around.count("\n") * (not windows)
    assert all(line in around for line in ("# first", "name: a   # x", "# between", "tags: [x]", "# last"))
    assert with_parameters(second, PATH, new) == second
