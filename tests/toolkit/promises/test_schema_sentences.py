"""What is said about each kind of change of a schema, whole and in both languages (decision/D12)."""

from typing import Any

import pytest

from axhub.toolkit.promises.schema_changes import Side, schema_changes
from axhub.toolkit.promises.words import SCHEMA_WORDS
from support.promises import TEXT, closed, number, text

pytestmark = pytest.mark.req("decision/D12")

TEXTS: list[tuple[str, Any, Any, str, str, str]] = [
    ("inputSchema", closed(a=TEXT), closed(), "gone", "`a` (string) is gone.", "`a`(string) 속성이 없어졌습니다."),
    ("inputSchema", closed(), closed(a=TEXT), "new", "`a` (string) is new.", "`a`(string) 속성이 새로 생겼습니다."),
    (
        "inputSchema",
        closed(),
        closed(("a",), a=TEXT),
        "new-required",
        "`a` (string) is new and required.",
        "`a`(string) 속성이 새로 생겼으며 필수입니다.",
    ),
    (
        "inputSchema",
        closed(a=TEXT),
        closed(("a",), a=TEXT),
        "required",
        "`a` was optional and is required.",
        "`a` 속성이 선택에서 필수로 바뀌었습니다.",
    ),
    (
        "outputSchema",
        closed(("a",), a=TEXT),
        closed(a=TEXT),
        "optional",
        "`a` was required and is optional.",
        "`a` 속성이 필수에서 선택으로 바뀌었습니다.",
    ),
    (
        "inputSchema",
        closed(a={"type": ["string", "null"]}),
        closed(a=TEXT),
        "not-nullable",
        "null is no longer possible: it was string | null and is string.",
        "null이 없어졌습니다: string | null → string.",
    ),
    (
        "outputSchema",
        closed(a=TEXT),
        closed(a={"type": ["string", "null"]}),
        "nullable",
        "null is possible: it was string and is string | null.",
        "null이 생겼습니다: string → string | null.",
    ),
    (
        "inputSchema",
        closed(a=number()),
        closed(a={"type": "integer"}),
        "narrower-type",
        "the type was number and is integer.",
        "타입이 바뀌었습니다: number → integer.",
    ),
    (
        "outputSchema",
        closed(a={"type": "integer"}),
        closed(a=number()),
        "wider-type",
        "the type was integer and is number.",
        "타입이 바뀌었습니다: integer → number.",
    ),
    (
        "inputSchema",
        closed(a={"enum": ["A", 1]}),
        closed(a={"enum": ["A"]}),
        "narrower-values",
        'the values were "A", 1 and are "A".',
        '값이 바뀌었습니다: "A", 1 → "A".',
    ),
    (
        "outputSchema",
        closed(a=text(enum=["A"])),
        closed(a=text(enum=["A", "B"])),
        "wider-values",
        'the values were "A" and are "A", "B".',
        '값이 바뀌었습니다: "A" → "A", "B".',
    ),
    (
        "inputSchema",
        closed(a=TEXT),
        closed(a=text(maxLength=5)),
        "narrower-bound",
        "`maxLength` was nothing and is 5.",
        "`maxLength` 제한이 바뀌었습니다: 없음 → 5.",
    ),
    (
        "outputSchema",
        closed(a=text(maxLength=5)),
        closed(a=text(maxLength=6)),
        "wider-bound",
        "`maxLength` was 5 and is 6.",
        "`maxLength` 제한이 바뀌었습니다: 5 → 6.",
    ),
    (
        "inputSchema",
        {"type": "object"},
        closed(),
        "closed",
        "members that are not named are no longer possible.",
        "이름이 없는 멤버는 더 이상 쓸 수 없습니다.",
    ),
    (
        "outputSchema",
        closed(),
        {"type": "object", "properties": {}},
        "open",
        "members that are not named are possible.",
        "이름이 없는 멤버도 쓸 수 있습니다.",
    ),
    ("inputSchema", TEXT, False, "never", "no value is possible any more.", "이제 어떤 값도 쓸 수 없습니다."),
    (
        "inputSchema",
        TEXT,
        text(**{"not": {"const": "A"}}),
        "narrower-condition",
        (
            'the condition `not` was nothing and is {"const": "A"}; whether it still lets through all that it did '
            "cannot be told."
        ),
        '`not` 조건이 바뀌었습니다: 없음 → {"const": "A"}. 통과하던 값이 모두 통과하는지는 알 수 없습니다.',
    ),
    (
        "outputSchema",
        text(**{"not": {"const": "A"}}),
        TEXT,
        "wider-condition",
        'the condition `not` was {"const": "A"} and is nothing; it may let through what it did not.',
        '`not` 조건이 바뀌었습니다: {"const": "A"} → 없음. 통과하지 않던 값이 통과할 수 있습니다.',
    ),
    (
        "inputSchema",
        closed(a=TEXT),
        closed(a=text(default="A")),
        "said",
        '`default` was nothing and is "A".',
        '`default` 값이 바뀌었습니다: 없음 → "A".',
    ),
    (
        "inputSchema",
        {"required": ["a", "b"]},
        {"required": ["b", "a"]},
        "rewritten",
        "it is written in another way and means the same.",
        "쓰는 방식만 바뀌었고 뜻은 같습니다.",
    ),
]


@pytest.mark.parametrize(
    ("member", "old", "new", "kind", "english", "korean"), TEXTS, ids=lambda value: str(value)[:16]
)
def test_each_kind_has_a_whole_sentence_in_both_languages(
    member: str, old: Any, new: Any, kind: str, english: str, korean: str
) -> None:
    side = Side(member)
    (one,) = schema_changes(old, new, side)
    assert one.kind == kind
    word = SCHEMA_WORDS[kind]
    values = {"name": one.name, "keyword": one.keyword}
    en = word.text.en.format(before=one.before or "nothing", after=one.after or "nothing", **values)
    ko = word.text.ko.format(before=one.before or "없음", after=one.after or "없음", **values)
    assert (en, ko) == (english, korean)


def test_every_kind_of_change_of_a_schema_has_a_sentence_here() -> None:
    assert {kind for _, _, _, kind, _, _ in TEXTS} == SCHEMA_WORDS.keys()
