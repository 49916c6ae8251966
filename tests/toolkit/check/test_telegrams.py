"""Layouts as they are read from the source: fields, arguments, sizes, whatever they are written with."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from axhub.toolkit.facts.telegrams import Slice, Telegram, Telegrams
from support.service_projects import facts_of

pytestmark = pytest.mark.req("toolkit/B1", "rule/TK604")
IO = "infra/mci/cfpa/io/clcnnb00001.py"
HEAD = """\
from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar
from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Rows, Text
"""
ROW = """\
class ClaimRow(Layout):
    claim_no: Annotated[str, Text(16)]
    state: Annotated[str, Text(2)]
    amount: Annotated[int | None, Num(13, sign="leading")]
"""
ANSWER = """\
class CLCNNB00001_O(Layout, id="CLCNNB00001", charset="euc-kr", size=175):
    name: Annotated[str, Text(10, overflow="cut")]
    rate: Annotated[Decimal, Num(7, scale=4)]
    row_count: Annotated[int, Num(3)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count")]
"""


def read(root: Path, text: str, more: Mapping[str, str] | None = None) -> dict[str, Telegram]:
    """Return the layouts of a module by name."""
    return {one.name: one for one in facts_of(root, {IO: HEAD + text, **(more or {})}).telegrams}


def sizes(root: Path, text: str, more: Mapping[str, str] | None = None) -> dict[str, int | None]:
    """Return how many bytes the layouts of a module come to."""
    found = read(root, text, more)
    telegrams = Telegrams(found.values())
    return {name: telegrams.size_of(one) for name, one in found.items()}


def test_a_layout_is_read_with_its_fields_and_their_places(tmp_path: Path) -> None:
    answer = read(tmp_path, ROW + ANSWER)["CLCNNB00001_O"]
    assert (answer.id, answer.arguments["size"].value) == ("CLCNNB00001", 175)
    assert str(answer.place) == f"src/my_tools/{IO}:9:1"
    assert [(one.name, one.kind, str(one.place)[-5:]) for one in answer.fields] == [
        ("name", "Text", ":10:5"),
        ("rate", "Num", ":11:5"),
        ("row_count", "Num", ":12:5"),
        ("rows", "Rows", ":13:5"),
    ]
    rows = answer.fields[-1]
    assert (rows.holds, rows.argument("count"), rows.argument("max")) == (
        "my_tools.infra.mci.cfpa.io.clcnnb00001.ClaimRow",
        "row_count",
        5,
    )
    assert str(rows.place_of("count")) == f"src/my_tools/{IO}:13:55"


@pytest.mark.parametrize(
    ("field", "size"),
    [
        ("Annotated[str, Text(10)]", 10),
        ("Annotated[str, Text(10, '0')]", 10),
        ("Annotated[list[ClaimRow], Rows(2, 'x', False)]", None),
        ("Annotated[str | None, Text(size=10, pad='0')]", 10),
        ("Annotated[Decimal, Packed(7, scale=2)]", 7),
        ("Annotated[date | None, Date()]", 8),
        ("Annotated[date, Date('YYYY-MM-DD')]", 10),
        ("Annotated[date, Date(format='YYYYMMDDHHMMSSmmm')]", 17),
        ("Annotated[None, Filler(3)]", 3),
        ("'Annotated[str, Text(10)]'", 10),
        ("ClaimRow", 31),
        ("'ClaimRow'", 31),
        ("Annotated[list[ClaimRow], Rows(2)]", 62),
        ("Annotated[tuple['ClaimRow', ...], Rows(max=3, fixed=True)]", 93),
        ("Amount", 13),
        ("Annotated[str, Text(WIDTH)]", 4),
        ("Annotated[list[ClaimRow], Rows(max=3, count='x', fixed=False)]", None),
        ("Annotated[str, Text(len('abc'))]", None),
        ("Annotated[str, Text(*SIZES)]", None),
        ("Annotated[str, Text(0)]", None),
        ("Annotated[str, Text(True)]", None),
        ("Annotated[date, Date(8)]", None),
        ("str", None),
        ("Annotated[str, 'a note']", None),
        ("Annotated[list[Nothing], Rows(max=3)]", None),
        ("X", None),
    ],
)
def test_each_kind_of_field_has_its_size(field: str, size: int | None, tmp_path: Path) -> None:
    aliases = "WIDTH = 4\nSIZES = [4]\nAmount = Annotated[int, Num(13)]\n"
    assert sizes(tmp_path, f"{ROW}{aliases}class X(Layout):\n    x: {field}\n")["X"] == size


def test_what_is_no_field_is_none_and_a_name_that_stands_twice_is_noted(tmp_path: Path) -> None:
    field = "    a: Annotated[str, Text(1)]\n"
    found = read(tmp_path, f"class X(Layout):\n    KIND: ClassVar[str] = ''\n{field}{field}")["X"]
    assert [one.name for one in found.fields] == ["a"]
    assert [(one.value, str(one.place)[-4:]) for one in found.twice] == [("a", ":8:5")]


def test_layouts_of_other_modules_are_followed_and_inherited_fields_come_first(tmp_path: Path) -> None:
    base = "class Base(Layout):\n    a: Annotated[str, Text(1)]\n    b: Annotated[str, Text(2)]\n"
    common = f"{HEAD}{base}Money = Annotated[int, Num(9)]\n"
    text = (
        "from my_tools.infra.mci.cfpa.io.common import Base, Money\nfrom my_tools.infra.mci.cfpa.io import common\n"
        "class X(Base, id='X'):\n    c: Money\n    b: Annotated[str, Text(5)]\nclass Y(common.Base): ...\n"
    )
    more = {"infra/mci/cfpa/io/common.py": common}
    assert sizes(tmp_path, text, more) == {"Base": 3, "X": 15, "Y": 3}
    found = read(tmp_path, text, more)
    assert [one.name for one in Telegrams(found.values()).fields_of(found["X"])] == ["a", "b", "c"]


def test_keywords_that_are_computed_are_told_apart_from_those_that_are_missing(tmp_path: Path) -> None:
    found = read(tmp_path, "ID = 'A1'\nclass X(Layout, id=ID, size=3 + len(ID)): ...\nclass Y(Layout, **{}): ...\n")
    assert (found["X"].id, [*found["X"].computed], [*found["Y"].computed]) == ("A1", ["size"], ["*"])


def test_in_a_text_only_the_field_has_a_place(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "class X(Layout):\n    a: 'Annotated[str, Text(0)]'\n")["X"].fields
    assert str(one.place_of("size")) == str(one.place) == f"src/my_tools/{IO}:6:5"


def test_layouts_inside_of_classes_and_conditions_are_found(tmp_path: Path) -> None:
    field = "a: Annotated[str, Text(1)]"
    text = f"class A:\n    class B(Layout):\n        {field}\nif True:\n    class C(Layout):\n        {field}\n"
    found = read(tmp_path, text)
    assert [one.qualified.partition("clcnnb00001.")[2] for one in found.values()] == ["A.B", "C"]


def test_classes_that_are_no_layouts_are_passed(tmp_path: Path) -> None:
    text = "from pydantic import BaseModel\nclass Layouts: ...\nclass X(BaseModel):\n    a: Annotated[str, Text(1)]\n"
    assert read(tmp_path, text) == {}


def test_layouts_that_hold_or_inherit_each_other_have_no_size(tmp_path: Path) -> None:
    text = "class X(Layout):\n    y: 'Y'\nclass Y(Layout):\n    x: 'X'\nclass A(B, Layout): ...\nclass B(A): ...\n"
    assert sizes(tmp_path, text) == {"X": None, "Y": None, "A": 0, "B": 0}


def test_a_telegram_is_cut_into_its_values(tmp_path: Path) -> None:
    found = read(tmp_path, ROW + ANSWER.replace("max=5", "max=2"))
    telegrams = Telegrams(found.values())
    assert list(telegrams.slices_of(found["CLCNNB00001_O"])) == [
        Slice("name", 0, 10),
        Slice("rate", 10, 17),
        Slice("row_count", 17, 20),
        Slice("rows.claim_no", 20, 36),
        Slice("rows.state", 36, 38),
        Slice("rows.amount", 38, 51),
        Slice("rows.claim_no", 51, 67),
        Slice("rows.state", 67, 69),
        Slice("rows.amount", 69, 82),
    ]
