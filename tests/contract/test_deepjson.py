"""The grammar without recursion says the same as a recursive parser."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.deepjson import is_json

FRAGMENTS = st.sampled_from(
    [
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b":",
        b'"a"',
        b'""',
        b"1",
        b"-0",
        b"1.5e+3",
        b"true",
        b"null",
        b" ",
        b"\n",
        b'"',
        b"0",
        b"\x01",
    ]
)


def recursive_says(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return True


@pytest.mark.req("gateway/X3")
@given(st.lists(FRAGMENTS, max_size=12).map(b"".join))
def test_fragments_in_any_order_are_judged_as_by_a_recursive_parser(text: bytes) -> None:
    assert is_json(text) == recursive_says(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(alphabet='aé"\\\n가', max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet="ab가", max_size=2), inner, max_size=3)
        ),
        max_leaves=10,
    ),
    st.integers(0, 40),
    st.sampled_from([b"", b"]", b",", b"1", b'"', b":"]),
)
def test_a_changed_document_is_judged_as_by_a_recursive_parser(value: Any, at: int, change: bytes) -> None:
    text = json.dumps(value, indent=1).encode()
    changed = text[:at] + change + text[at + 1 :]
    assert is_json(text)
    assert is_json(changed) == recursive_says(changed)


@pytest.mark.parametrize("text", [b'"\\ud800"', b'{"\\udfff":1e999}', b"[" * 100_000 + b"]" * 100_000])
def test_lone_surrogates_and_any_depth_are_json(text: bytes) -> None:
    assert is_json(text)


@pytest.mark.parametrize("text", [b"\x01", b"[\x01]", b'["\x02"]', b"[\x00]", b"{\x01:\x02}"])
def test_control_characters_are_never_json(text: bytes) -> None:
    assert not is_json(text)
