"""Members that stand twice, at any depth, found in steps (gateway/G6, input/B12)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.duplicates import MAX_DUPLICATES, STEP_BYTES, Duplicate, find_duplicates
from axhub.contract.jsontext import compact

pytestmark = pytest.mark.req("gateway/G6", "input/B12")


def found(text: bytes) -> tuple[list[Duplicate], int]:
    """What is found, and in how many steps."""
    steps = find_duplicates(text)
    count = 1
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: list[Duplicate] = end.value
            return result, count
        count += 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a":1,"b":{"a":1}}', []),
        (b'{"a":1,"a":1}', [Duplicate((), "a")]),
        (b'{"a":1,"a":1,"a":1}', [Duplicate((), "a"), Duplicate((), "a")]),
        (b'{"t":[{},{"x":{"a":1,"\\u0061":2}}]}', [Duplicate(("t", "1", "x"), "a")]),
        (b'[{"a":{"b":1,"b":2}},{"c":1,"c":2}]', [Duplicate(("0", "a"), "b"), Duplicate(("1",), "c")]),
        (b'"a"', []),
        (b"1" * 5000, []),
    ],
)
def test_every_duplicate_is_found_with_its_place(text: bytes, expected: list[Duplicate]) -> None:
    assert found(text)[0] == expected


FILL = b'"' + b"x" * STEP_BYTES + b'"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a":%b,"b":{"c":1,"c":2}}' % FILL, [Duplicate(("b",), "c")]),
        (b'{"a":%b,"a":%b}' % (FILL, FILL), [Duplicate((), "a")]),
        (b'{"a":[%b,{"b":1,"b":2}]}' % FILL, [Duplicate(("a", "1"), "b")]),
        (b'[{"k":%b},{"b":{"c":1,"c":2}}]' % FILL, [Duplicate(("1", "b"), "c")]),
        (b"[[[[%b]]]]" % FILL, []),
        (b'{"\\uac00":%b,"\xea\xb0\x80":1}' % FILL, [Duplicate((), "가")]),
    ],
)
def test_large_values_are_taken_apart(text: bytes, expected: list[Duplicate]) -> None:
    duplicates, steps = found(text)
    assert duplicates == expected
    assert steps > 2


def test_a_wide_object_is_looked_at_in_steps() -> None:
    text = json.dumps({f"가{at}": at for at in range(20_000)}).encode()
    assert found(compact(text))[1] > 10


def test_the_search_ends_after_some() -> None:
    assert len(found(b"[" + b",".join([b'{"a":1,"a":2}'] * 10_000) + b"]")[0]) == MAX_DUPLICATES


@given(
    st.recursive(
        st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
        max_leaves=30,
    )
)
def test_nothing_is_found_where_nothing_stands_twice(value: Any) -> None:
    assert found(compact(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")))[0] == []
