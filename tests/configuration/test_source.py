"""YAML to values with lines."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from axhub.configuration import source
from axhub.configuration.faults import ConfigError, Fault, Place, Where
from axhub.configuration.source import Items, Scalar, Section, Style, read_yaml

FILE = "설정/gateway.yaml"


def _at(line: int) -> Place:
    return Place(Where.FILE, FILE, line)


def _fault(data: bytes) -> Fault:
    with pytest.raises(ConfigError) as caught:
        read_yaml(data, FILE)
    (fault,) = caught.value.faults
    return fault


@pytest.mark.req("gateway/C1")
def test_values_keep_their_line_and_how_they_were_written() -> None:
    document = read_yaml("mcp:\n  identity: 보험\n  hosts: [a, 'b']\n".encode(), FILE)
    assert isinstance(document, Section)
    (mcp,) = document.members
    assert (mcp.name, mcp.place) == ("mcp", _at(1))
    assert isinstance(mcp.value, Section)
    identity, hosts = mcp.value.members
    assert identity.value == Scalar("보험", _at(2), Style.PLAIN)
    assert isinstance(hosts.value, Items)
    assert hosts.value.items == (Scalar("a", _at(3), Style.PLAIN), Scalar("b", _at(3), Style.QUOTED))


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"---", "\ufeff".encode()])
def test_an_empty_document_is_an_empty_value(data: bytes) -> None:
    assert read_yaml(data, FILE) == Scalar("", _at(1))


@pytest.mark.req("gateway/C1")
def test_an_alias_is_the_value_it_names() -> None:
    document = read_yaml(b"a: &x [1]\nb: *x\n", FILE)
    assert isinstance(document, Section)
    assert document.members[0].value == document.members[1].value


@pytest.mark.req("gateway/C2")
def test_keys_that_stand_twice_are_both_kept_to_be_reported() -> None:
    document = read_yaml(b"a: 1\na: 2\n", FILE)
    assert isinstance(document, Section)
    assert [(member.name, member.place.line) for member in document.members] == [("a", 1), ("a", 2)]


@pytest.mark.req("gateway/C1", "threat/T35")
def test_tags_are_kept_as_text_and_never_acted_upon() -> None:
    document = read_yaml(b"a: !!python/object/apply:os.abort []\nb: !own {x: 1}\nc: !!str 1\n", FILE)
    assert isinstance(document, Section)
    tags = [member.value.tag for member in document.members]
    assert tags == ["tag:yaml.org,2002:python/object/apply:os.abort", "!own", "tag:yaml.org,2002:str"]


@pytest.mark.req("gateway/C1")
def test_a_key_that_is_no_text_has_a_name_that_no_key_has() -> None:
    document = read_yaml(b"? [a]\n: 1\n", FILE)
    assert isinstance(document, Section)
    assert document.members[0].name == "?"


@pytest.mark.req("gateway/C1", "gateway/C2")
@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        ("a: 1\n한글: 가\n".encode("cp949"), 2, "bytes that are not UTF-8 (byte 5)"),
        (b"a: 1\nb: \x07\n", 2, "the character U+0007"),
        (b"a: 1\nb: c: d\n", 2, "text that is not YAML: mapping values are not allowed here"),
        (b"a:\n\tb: 1\n", 2, "text that is not YAML: found character '\\t' that cannot start any token"),
        (b"a: [1\nb: 2\n", 2, "text that is not YAML: expected ',' or ']', but got ':'"),
        (b"a: 1\n---\nb: 1\n", 2, "a second document (---)"),
        (b"a: 1\nb: *x\n", 2, "*x, which names nothing"),
        (b"a: &x [*x]\n", 1, "*x, which names nothing"),
        (b"[" * 70, 1, "more than 64 levels inside each other"),
        (b"a: 1\n" + b" " * source.MAX_BYTES, 0, "more than 1048576 bytes"),
    ],
)
def test_what_cannot_be_read_is_a_fault_with_its_line(data: bytes, line: int, found: str) -> None:
    fault = _fault(data)
    assert (fault.place, fault.found) == (_at(line), found)


@pytest.mark.req("gateway/C1")
def test_common_slips_get_a_hint() -> None:
    assert _fault(b"a: b: c").allowed == 'valid YAML (a value that contains ": " needs quotes)'
    assert _fault(b"a:\n\tb: 1").allowed == "valid YAML (indent with spaces, not with tabs)"
    assert _fault(b"a: [${X}]").allowed == "valid YAML (inside [ ] a value with ${\u2026} needs quotes)"
    assert _fault(b"a: }").allowed == "valid YAML"


COLUMNS = """\
# 주석
tool: {이름: '조회', list: [a, &x b]}
below:
    - first
    - name:   second   # further right
      again: *x
"""


@pytest.mark.req("toolkit/T4")
def test_keys_and_values_know_their_column_counted_in_characters_from_1() -> None:
    document = read_yaml(COLUMNS.encode("utf-8-sig"), FILE)
    assert isinstance(document, Section)
    tool, below = document.members
    assert isinstance(tool.value, Section)
    assert isinstance(below.value, Items)
    name, listed = tool.value.members
    first, second = below.value.items
    assert isinstance(listed.value, Items)
    assert isinstance(second, Section)
    seen = [tool, tool.value, name, name.value, listed, listed.value, *listed.value.items, below, below.value, first]
    seen += [second, *second.members, *(member.value for member in second.members)]
    assert [(each.place.line, each.place.column) for each in seen] == [
        *[(2, 1), (2, 7), (2, 8), (2, 12), (2, 18), (2, 24), (2, 25), (2, 28)],
        *[(3, 1), (4, 5), (4, 7)],
        *[(5, 7), (5, 7), (6, 7), (5, 15), (2, 28)],
    ]


@pytest.mark.req("toolkit/T4", "gateway/C1")
def test_a_column_is_neither_shown_nor_compared() -> None:
    assert str(Place(Where.FILE, FILE, 2, 7)) == f"{FILE}:2"
    assert Place(Where.FILE, FILE, 2, 7) == Place(Where.FILE, FILE, 2)


@pytest.mark.req("toolkit/T4")
@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"a: 1\nb: c: d\n", 2, 5),
        (b"a: 1\nb: \x07\n", 2, 4),
        (b"\x07", 1, 1),
        (b"a: 1\n---\nb: 1\n", 2, 1),
        (b"a: 1\nb: *x\n", 2, 4),
        ("a: 1\n한글: 가\n".encode("cp949"), 2, 0),
    ],
)
def test_what_cannot_be_read_has_its_column_where_one_is_known(data: bytes, line: int, column: int) -> None:
    place = _fault(data).place
    assert (place.line, place.column) == (line, column)


@pytest.mark.req("toolkit/T4")
def test_a_file_that_is_too_large_is_called_what_the_caller_calls_it() -> None:
    with pytest.raises(ConfigError, match="allowed a tool definition of at most that size"):
        read_yaml(b" " * (source.MAX_BYTES + 1), FILE, what="a tool definition")


@pytest.mark.req("toolkit/T4")
def test_members_are_looked_up_by_name_and_repeated_ones_are_known() -> None:
    document = read_yaml(b"a: 1\nb: 2\na: 3\na: 4\n", FILE)
    assert isinstance(document, Section)
    assert document.member("a") == document.members[0]
    assert document.member("c") is None
    assert document.repeated == (document.members[2], document.members[3])


_TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), max_size=12)
_PLAIN = st.one_of(
    _TEXTS, st.integers(), st.booleans(), st.none(), st.sampled_from(["yes", "1.10", "보험: 조회", "a #b"])
)
_TREES = st.recursive(_PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3))


@given(_TREES, st.sampled_from([None, "'", '"', "|", ">"]), st.sampled_from([None, True, False]))
def test_the_compiled_parser_reads_what_the_other_one_reads(tree: Any, style: str | None, flow: bool | None) -> None:
    text = yaml.safe_dump(tree, allow_unicode=True, default_style=style, default_flow_style=flow)
    quick, slow = (source._Builder(text, FILE, parser).document() for parser in (yaml.CSafeLoader, yaml.SafeLoader))
    assert quick == slow
    assert read_yaml(text.encode(), FILE) == slow
