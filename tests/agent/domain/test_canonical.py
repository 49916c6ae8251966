"""One spelling for a JSON value: RFC 8785 by its own vectors, and what is ours beyond it (agent/R1, agent/L2)."""

import json
import math
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.domain.canonical import NotCanonicalError, canonical, digest, read_arguments

NUMBERS = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333",
    "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}
"""RFC 8785, appendix B: IEEE 754 bits and the text they have."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.req("agent/R1")
@pytest.mark.parametrize(("bits", "text"), NUMBERS.items())
def test_numbers_are_written_as_in_the_rfc(bits: str, text: str) -> None:
    assert canonical(struct.unpack(">d", bytes.fromhex(bits))[0]) == text


@pytest.mark.req("agent/R1")
def test_the_sample_of_the_rfc() -> None:
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert canonical(value) == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


@pytest.mark.req("agent/R1")
def test_members_are_sorted_by_utf_16_units_as_in_the_rfc() -> None:
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    written = list(json.loads(canonical(dict.fromkeys(names, 0))))
    assert written == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_integers_beyond_2_53_keep_their_digits() -> None:
    assert canonical({"won": 9007199254740993}) == '{"won":9007199254740993}'


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "\ud800", {"\udfff": 1}])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(NotCanonicalError):
        canonical(value)


@given(JSON)
def test_what_is_read_back_has_the_same_form_and_hash(value: Any) -> None:
    text = canonical(value)
    back = json.loads(text)
    assert canonical(back) == text
    assert digest(back) == digest(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_itself(value: float) -> None:
    assert float(canonical(value)) == value


@given(st.dictionaries(st.text(), JSON, max_size=6), st.randoms())
def test_the_order_of_members_is_no_difference(value: dict[str, Any], chance: Any) -> None:
    members = list(value.items())
    chance.shuffle(members)
    assert canonical(dict(members)) == canonical(value)


@pytest.mark.parametrize("text", ["", "  \n", "{}", " { } "])
def test_blank_arguments_are_none(text: str) -> None:
    assert read_arguments(text) == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]", "not an object"),
        ("null", "not an object"),
        ('"{}"', "not an object"),
        ('{"a": 1, "a": 2}', "a name that stands twice"),
        ('{"a": {"b": 1, "\\u0062": 2}}', "a name that stands twice"),
        ('{"a": NaN}', "NaN is no JSON"),
        ('{"a": -Infinity}', "-Infinity is no JSON"),
        ('{"a": 1e999}', "a number that is not finite"),
        ('{"a": "\\ud800"}', "a character that is no Unicode at position 6"),
        ('{"a":' + "[" * 64 + "]" * 64 + "}", "nested too deeply"),
        ('{"a":' + "[" * 60_000, "nested too deeply"),
        (" " * 65_537 + "{}", "more than 65536 characters"),
    ],
)
def test_arguments_that_cannot_be_read_say_why(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        read_arguments(text)


def test_arguments_may_be_as_deep_as_64() -> None:
    assert canonical(read_arguments('{"a":' + "[" * 63 + "]" * 63 + "}")).count("[") == 63
