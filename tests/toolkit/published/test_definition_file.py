"""Reading definition files (toolkit/T8): values by the YAML 1.2 core schema, with the place of each."""

import pytest

from axhub.toolkit.facts.service import Definition, Located, Place
from axhub.toolkit.published.definition_file import read_definition

PATH = "src/my_tools/tool_definitions/cmm/cmm_claim_search.yml"
pytestmark = pytest.mark.req("toolkit/T8")


def read(text: str) -> Definition:
    return read_definition(text.encode(), PATH)


def test_a_definition_keeps_values_and_the_places_of_keys_and_values() -> None:
    found = read(
        "name: cmm_claim_search\ndescription:\n  function: 청구를 조회한다.\nexample_queries:\n  - 하나\n  - 둘\n"
    )
    assert (found.path, found.category, found.stem, found.problem) == (PATH, "cmm", "cmm_claim_search", None)
    assert found.values == {
        "name": "cmm_claim_search",
        "description": {"function": "청구를 조회한다."},
        "example_queries": ["하나", "둘"],
    }
    assert {pointer: (place.line, place.column) for pointer, place in found.places.items()} == {
        "": (1, 1),
        "key:/name": (1, 1),
        "/name": (1, 7),
        "key:/description": (2, 1),
        "/description": (3, 3),
        "key:/description/function": (3, 3),
        "/description/function": (3, 13),
        "key:/example_queries": (4, 1),
        "/example_queries": (5, 3),
        "/example_queries/0": (5, 5),
        "/example_queries/1": (6, 5),
    }
    assert found.place("/description/when_to_use") == Place(PATH, 3, 3)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.10", 1.1),
        ('"1.10"', "1.10"),
        ("1.0.0", "1.0.0"),
        ("yes", "yes"),
        ("on", "on"),
        ("True", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ('""', ""),
        ("012", "012"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("2026-08-10", "2026-08-10"),
        ("12:30", "12:30"),
        ("-7", -7),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("!!str 12", "12"),
        ("|\n  two\n  lines", "two\nlines"),
    ],
)
def test_a_value_is_what_yaml_1_2_says(written: str, value: object) -> None:
    found = read(f"x: {written}").values["x"]
    assert found == value
    assert type(found) is type(value)


def test_of_a_key_that_stands_twice_the_first_counts_and_the_second_is_named() -> None:
    found = read("name: first\ndescription: {function: a, function: b}\nname: second\n")
    assert found.values == {"name": "first", "description": {"function": "a"}}
    assert found.duplicates == (
        Located("/description/function", Place(PATH, 2, 28)),
        Located("/name", Place(PATH, 3, 1)),
    )


def test_a_name_with_a_slash_is_escaped_in_pointers() -> None:
    assert read("a/b~c: 1").places["/a~1b~0c"] == Place(PATH, 1, 8)


ALIASES = "a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in ("ab", "bc", "cd", "de")
)


@pytest.mark.parametrize(
    ("content", "problem", "line"),
    [
        (b"", "the file is empty; needed: the keys of a definition", 1),
        (b"# nothing yet\n", "the file is empty; needed: the keys of a definition", 1),
        (b"- a\n", "no keys at the top; needed: lines such as 'name: …'", 1),
        (
            b"a: 1\nb: !python/name:os.system x\n",
            "the tag '!python/name:os.system'; needed: a plain value, without '!'",
            2,
        ),
        (b"a: !!set {x}\n", "the tag 'tag:yaml.org,2002:set'; needed: a plain value, without '!'", 1),
        (b"a: 1\n---\nb: 2\n", "a second document (---); needed: one YAML document", 2),
        (b"a: \xff\n", "bytes that are not UTF-8 (byte 3); needed: a file saved as UTF-8", 1),
        (b"a: *b\n", "*b, which names nothing; needed: the name of an anchor (&name) that stands before it", 1),
        (ALIASES.encode(), "more than 20000 values; needed: fewer, or fewer aliases (*name)", 1),
    ],
    ids=["empty", "comment", "list", "tag", "set", "documents", "bytes", "alias", "aliases"],
)
def test_an_unreadable_definition_says_why_and_where(content: bytes, problem: str, line: int) -> None:
    found = read_definition(content, PATH)
    assert found.problem is not None
    assert (found.problem.value, found.problem.place.line) == (problem, line)
    assert (found.values, found.places) == ({}, {})
