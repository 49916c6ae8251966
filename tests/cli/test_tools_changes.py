"""What changed between two lists of tools, and how it is shown (gateway/C5)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import width

from axhub.cli.tools_changes import Changes, change_lines, compare

pytestmark = pytest.mark.req("gateway/C5")


def tool(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "description": f"{name} 설명", "inputSchema": {"type": "object"}, **members}


def test_what_came_went_and_changed_is_told_apart() -> None:
    before = [tool("a"), tool("b", title="비"), tool("c"), tool("d")]
    after = [tool("e"), tool("b", description="다른 설명"), tool("a"), tool("d", annotations={"readOnlyHint": True})]
    assert compare(before, after) == Changes(
        came=(after[0],),
        went=(before[2],),
        changed=((after[1], ("description", "title")), (after[3], ("annotations",))),
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": None}, {}, False),
    ],
)
def test_members_are_compared_as_json(one: object, other: object, same: bool) -> None:
    found = compare([tool("a", inputSchema=one)], [tool("a", inputSchema=other)])
    assert bool(found) is not same
    assert [members for _, members in found.changed] == ([] if same else [("inputSchema",)])


LISTS = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 2), max_size=7)


@given(LISTS, LISTS)
def test_the_changes_lead_from_one_list_to_the_other(before: dict[str, int], after: dict[str, int]) -> None:
    found = compare([tool(name, x=x) for name, x in before.items()], [tool(name, x=x) for name, x in after.items()])
    names = {name: before[name] for name in before if name not in {entry["name"] for entry in found.went}}
    names |= {entry["name"]: entry["x"] for entry in found.came}
    names |= {entry["name"]: entry["x"] for entry, _ in found.changed}
    assert names == after
    assert bool(found) is (before != after)


def test_lines_have_the_time_what_happened_the_name_and_the_detail_in_columns_as_wide_as_they_are_drawn() -> None:
    changes = compare(
        [tool("청구_조회"), tool("old")], [tool("청구_조회", title="t"), tool("claim_new", title="새 청구\n\x1b[31m")]
    )
    assert change_lines("14:03:22", changes, None) == [
        "14:03:22  new      claim_new  새 청구 [31m",
        "14:03:22  gone     old",
        "14:03:22  changed  청구_조회  title",
    ]


def test_lines_fit_the_terminal() -> None:
    changes = compare([], [tool("claim_new", description="아주 긴 설명 " * 20)])
    (line,) = change_lines("14:03:22", changes, 50)
    assert width(line) <= 50
    assert line.endswith("…")
