"""JSON as text: what is known of a document while its bytes stay as they were written."""

import json
import math
import re
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from axhub.contract.jsontext import (
    DuplicateMemberError,
    JsonTextError,
    Number,
    Pairs,
    check_grammar,
    check_text,
    compact,
    compact_lenient,
    deeper_than,
    members,
    names_twice,
    read_pairs,
    read_values,
    split_array,
    split_object,
)

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
BLANKS = st.text(alphabet=" \t\n\r", max_size=3)
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


@st.composite
def spaced(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A JSON text with any white space between its tokens, and the same without."""
    plain = json.dumps(draw(JSON_VALUES), ensure_ascii=draw(st.booleans()), separators=(",", ":"))
    tokens = TOKEN.findall(plain.encode("utf-8", "surrogatepass"))
    blanks = [draw(BLANKS).encode() for _ in tokens]
    return b"".join(a + b for a, b in zip(blanks, tokens, strict=True)) + draw(BLANKS).encode(), b"".join(tokens)


def passes(check: Callable[[bytes], None], text: bytes) -> bool:
    try:
        check(text)
    except JsonTextError:
        return False
    return True


def naive_depth(text: bytes) -> int:
    depth = most = 0
    inside = escaped = False
    for byte in text:
        character = chr(byte)
        if inside:
            escaped, inside = (not escaped and character == "\\"), escaped or character != '"'
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            most = max(most, depth)
        elif character in "]}":
            depth -= 1
    return most


def is_strict_json(text: bytes) -> bool:
    """RFC 8259's grammar by the standard library, which takes three constants more."""
    try:
        json.loads(text.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(_: str) -> None:
    raise ValueError


def first_duplicate(text: bytes) -> str | None:
    try:
        members(text)
    except DuplicateMemberError as error:
        return error.name
    return None


class TestDepth:
    @pytest.mark.req("gateway/P6", "gateway/G4")
    @pytest.mark.parametrize(
        ("text", "depth"),
        [
            (b"1", 0),
            (b"[]", 1),
            (b"{}", 1),
            (b'{"a":[{}]}', 3),
            (b"[[],[[]]]", 3),
            (b'["[[[[", {}]', 2),
            (b'["\\"[["]', 1),
        ],
    )
    def test_depth_counts_containers_the_outermost_being_one(self, text: bytes, depth: int) -> None:
        assert not deeper_than(text, depth)
        assert depth == 0 or deeper_than(text, depth - 1)

    @given(spaced(), st.integers(0, 6))
    def test_depth_equals_a_naive_count(self, texts: tuple[bytes, bytes], limit: int) -> None:
        assert deeper_than(texts[0], limit) == (naive_depth(texts[0]) > limit)

    @given(st.integers(60, 70), st.sampled_from([b"[", b'{"a":']))
    def test_the_limit_itself_is_allowed(self, depth: int, opener: bytes) -> None:
        text = opener * depth + b"1" + (b"]" if opener == b"[" else b"}") * depth
        assert deeper_than(text) == (depth > 64)

    def test_a_long_way_down_and_up_again_is_counted_over_the_inner_chunks(self) -> None:
        text = b"[" + b"[[]]," * 5000 + b"[[[]]]]"
        assert deeper_than(text, 3)
        assert not deeper_than(text, 4)

    @pytest.mark.req("input/B09", "fault/F14")
    @pytest.mark.parametrize(
        "text",
        [
            b"[" * 1_000_000,
            b"[[" * 40 + b'"\\' * 500_000,
            b"[[" * 40 + b'"' * 1_000_000,
            (b"[" * 64 + b"]" * 64) * 8000,
        ],
        ids=["open", "backslashes", "quotes", "nests"],
    )
    def test_no_text_of_a_mebibyte_takes_long(self, text: bytes) -> None:
        began = time.thread_time()
        deeper_than(text)
        assert time.thread_time() - began < 1


class TestCheckText:
    @pytest.mark.req("input/B14")
    @pytest.mark.parametrize("text", [b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', "{}".encode("utf-16")])
    def test_what_is_not_utf8_is_refused_with_its_place(self, text: bytes) -> None:
        with pytest.raises(JsonTextError, match="not valid UTF-8 at byte"):
            check_text(text)

    def test_a_nest_that_is_too_deep_is_refused_with_the_limit(self) -> None:
        with pytest.raises(JsonTextError, match="deeper than 64"):
            check_text(b"[" * 65 + b"]" * 65)

    def test_other_text_passes(self) -> None:
        assert [passes(check_text, text) for text in ('{"이름":"값"}'.encode(), b"{}", b"\xff")] == [True, True, False]


class TestGrammar:
    @pytest.mark.req("input/B13", "input/B14")
    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"[01]",
            b"[1.]",
            b"[.5]",
            b"[+1]",
            b"[NaN]",
            b"[Infinity]",
            b'["\\x"]',
            b"[1,]",
            b'{"a":1,}',
            b"[1] x",
            b"\xef\xbb\xbf[]",
            b'["\x00"]',
            b'["\\ud800"]',
            b"<html>",
            b"[1]\x00",
        ],
    )
    def test_what_is_not_json_is_refused_in_words_without_a_prefix(self, text: bytes) -> None:
        with pytest.raises(JsonTextError) as error:
            check_grammar(text)
        assert not str(error.value).startswith("JSON is malformed")
        with pytest.raises(JsonTextError):
            compact(text)

    @pytest.mark.parametrize("read", [check_grammar, compact, members])
    def test_a_nest_beyond_the_parser_is_refused_not_raised(self, read: Any) -> None:
        with pytest.raises(JsonTextError, match="deep"):
            read(b'{"a":' * 100_000)

    @given(spaced())
    def test_json_passes(self, texts: tuple[bytes, bytes]) -> None:
        assert passes(check_grammar, texts[0])


class TestMembers:
    @given(st.dictionaries(st.text(), JSON_VALUES), BLANKS, st.booleans())
    def test_an_object_is_split_into_the_bytes_of_its_values(
        self, value: dict[str, Any], blank: str, ascii_: bool
    ) -> None:
        parts = {
            name: json.dumps(inner, ensure_ascii=ascii_).encode("utf-8", "surrogatepass")
            for name, inner in value.items()
        }
        text = b",".join(
            blank.encode() + json.dumps(name, ensure_ascii=ascii_).encode("utf-8", "surrogatepass") + b" : " + part
            for name, part in parts.items()
        )
        found = members(b"{" + text + b"}")
        assert {name: bytes(raw) for name, raw in found.items()} == parts
        assert list(found) == list(parts)

    @pytest.mark.req("gateway/P6", "input/B44", "input/B12")
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            (b'{"a":1,"a":1}', "a"),
            (b'{"a":1, "a":2}', "a"),
            (b'{"a":12,"a":1}', "a"),
            (b'{"a":1,"a":12}', "a"),
            (b'{"a":1,"\\u0061":2}', "a"),
            (b'{"b":{"x":1},"a":[],"b":{"x":1}}', "b"),
            ('{"가":1,"나":2,"가":3}'.encode(), "가"),
            (b'{"":0,"":0}', ""),
        ],
    )
    def test_a_name_that_stands_twice_is_refused_by_name(self, text: bytes, name: str) -> None:
        with pytest.raises(DuplicateMemberError) as error:
            members(text)
        assert error.value.name == name

    @given(st.lists(st.tuples(st.text(max_size=2), JSON_VALUES), max_size=6), st.booleans(), BLANKS)
    @example([("a", "x"), ("a", "x,y")], True, "")
    def test_duplicates_are_found_exactly_where_there_are_some(
        self, pairs: list[tuple[str, Any]], ascii_: bool, blank: str
    ) -> None:
        text = ",".join(blank + json.dumps(n, ensure_ascii=ascii_) + ":" + json.dumps(v) for n, v in pairs)
        names = [name for name, _ in pairs]
        found = first_duplicate(b"{" + text.encode() + b"}")
        assert (found is None) == (len(set(names)) == len(names))
        assert found is None or names.count(found) > 1

    def test_a_duplicate_inside_a_value_is_not_of_this_level(self) -> None:
        assert list(members(b'{"a":{"x":1,"x":2}}')) == ["a"]

    @pytest.mark.parametrize("text", [b"[]", b"1", b"null", b'"a"'])
    def test_what_is_no_object_is_refused(self, text: bytes) -> None:
        with pytest.raises(JsonTextError, match="not a JSON object"):
            members(text)

    def test_a_large_object_is_looked_at_in_steps(self) -> None:
        text = b"{" + b",".join(b'"\\u0061%d":1' % at for at in range(5000)) + b"}"
        assert list(names_twice(text, split_object(text) or {})) == [None, None]


class TestSplit:
    def test_an_object_keeps_the_last_of_a_repeated_name(self) -> None:
        assert {name: bytes(raw) for name, raw in (split_object(b'{"a":1,"a":2}') or {}).items()} == {"a": b"2"}

    def test_an_array_is_split_into_its_elements(self) -> None:
        assert [bytes(raw) for raw in split_array(b'[1, {"a":1.0} ,"x"]') or []] == [b"1", b'{"a":1.0}', b'"x"']

    def test_other_kinds_are_none(self) -> None:
        assert split_object(b"[]") is None
        assert split_array(b"{}") is None


class TestCompact:
    @pytest.mark.req("gateway/X3", "gateway/K4")
    @given(spaced())
    @example(
        (
            b'[ 1.10 , 1e400,  -0, 100000000000000000000000000 , "\\u00e9\\/" ]',
            b'[1.10,1e400,-0,100000000000000000000000000,"\\u00e9\\/"]',
        )
    )
    def test_white_space_goes_and_every_token_stays(self, texts: tuple[bytes, bytes]) -> None:
        assert compact(texts[0]) == texts[1]

    @pytest.mark.req("gateway/X3", "input/B76")
    @given(spaced())
    def test_the_lenient_form_agrees_on_objects_and_arrays(self, texts: tuple[bytes, bytes]) -> None:
        expected = texts[1] if texts[1][:1] in {b"{", b"["} else None
        assert compact_lenient(texts[0]) == expected

    @pytest.mark.req("gateway/X3")
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (b' [ "\\ud800" , 1 ] ', b'["\\ud800",1]'),
            (b'{ "\\udc00 x" : "\\uD83D\\u0041" }', b'{"\\udc00 x":"\\uD83D\\u0041"}'),
            (b'[ "\\\\ud800" ,"\\ud83d\\ude00", "\\uDFFF" ]', b'["\\\\ud800","\\ud83d\\ude00","\\uDFFF"]'),
            (b"[ " * 5000 + b'" ]" ' + b"] " * 5000, b"[" * 5000 + b'" ]"' + b"]" * 5000),
            (b'{"a" : ' * 3000 + b'"\\ud800  "' + b" }" * 3000, b'{"a":' * 3000 + b'"\\ud800  "' + b"}" * 3000),
        ],
        ids=["lone", "in a name", "beside a pair", "deep", "deep and lone"],
    )
    def test_the_lenient_form_takes_what_only_the_grammar_allows(self, text: bytes, expected: bytes) -> None:
        assert compact_lenient(text) == expected

    @pytest.mark.req("gateway/X3", "input/B71")
    @pytest.mark.parametrize(
        "text",
        [b"", b"  ", b"null", b'"a"', b"12", b"<html>", b"[1", b"[NaN]", b'["\\ud800"', b'["\\ud800",]', b'["\\ud80"]'],
    )
    def test_the_lenient_form_is_none_for_anything_else(self, text: bytes) -> None:
        assert compact_lenient(text) is None

    @pytest.mark.parametrize(
        "text", [b"[" * 5000 + b"]" * 4999, b"[" * 5000 + b"}" * 5000, b"[" * 5000 + b"x" + b"]" * 5000]
    )
    def test_the_lenient_form_refuses_deep_text_that_is_not_json(self, text: bytes) -> None:
        assert compact_lenient(text) is None

    @given(st.binary(max_size=20).map(lambda tail: b"[" + tail))
    def test_the_lenient_form_never_takes_what_is_not_json(self, text: bytes) -> None:
        found = compact_lenient(text)
        try:
            text.decode()
        except UnicodeDecodeError:
            return
        assert (found is not None) == is_strict_json(text)

    @pytest.mark.req("fault/F14")
    @pytest.mark.parametrize(
        "text",
        [b"[" * 499_000 + b"]" * 499_000, b"[ " * 2_000_000, b'["' + b"\\ud800" * 600_000 + b'"]', b"[ " * 499_000],
        ids=["deep", "too many tokens", "surrogates", "cut"],
    )
    def test_the_lenient_form_takes_time_linear_in_the_text(self, text: bytes) -> None:
        began = time.thread_time()
        compact_lenient(text)
        assert time.thread_time() - began < 8


class TestReading:
    def test_pairs_keep_every_member_and_every_number_as_written(self) -> None:
        found = read_pairs(b'{"a":1.10,"a":[1e5,{"b":-0}]}')
        assert found == Pairs([("a", Number("1.10")), ("a", [Number("1e5"), Pairs([("b", Number("-0"))])])])

    @given(JSON_VALUES)
    def test_values_are_read_as_json_means_them(self, value: Any) -> None:
        assert read_values(json.dumps(value).encode()) == value

    @pytest.mark.req("input/B13")
    @pytest.mark.parametrize(
        ("text", "low", "high"),
        [
            (b"1e400", 1e308, math.inf),
            (b"-1e400", -math.inf, -1e308),
            (b"[1e400]", None, None),
            (b"1" * 5000, 1e308, None),
            (b"-" + b"1" * 5000, None, -1),
        ],
    )
    def test_numbers_beyond_reach_keep_their_kind_and_sign(
        self, text: bytes, low: float | None, high: float | None
    ) -> None:
        value = read_values(text)
        assert isinstance(value, list) or ((low is None or value > low) and (high is None or value < high))
        assert isinstance(value, list) or isinstance(value, float) == (b"e" in text)

    @pytest.mark.parametrize(
        ("text", "zero"), [(b"[1e400,1e-400]", False), (b"[1e400,0e-400]", True), (b"[1e400,-0.0]", True)]
    )
    def test_a_number_too_small_does_not_become_zero(self, text: bytes, zero: bool) -> None:
        assert (read_values(text)[1] == 0) == zero

    def test_constants_that_are_no_json_are_refused(self) -> None:
        with pytest.raises(ValueError, match="NaN"):
            read_values(b"[NaN]")

    def test_raw_values_can_be_split_again(self) -> None:
        inner = members(b'{"a":{"b":1}}')["a"]
        assert isinstance(inner, msgspec.Raw)
        assert bytes(members(inner)["b"]) == b"1"
