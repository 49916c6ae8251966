"""A sheet becomes a module of layouts that Python takes, with every byte where the sheet has it."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from axhub.toolkit.scaffold.mci.layout_module import RESERVED, layout_module
from axhub.toolkit.scaffold.sheets.reading import read_sheet

pytestmark = pytest.mark.req("toolkit/B1", "toolkit/T5")

REQUEST = """\
field,type,size,note
CONTRACT_NO,text,12,계약번호
BASE_DT,date,,
"""
ANSWER = """\
field,type,size,scale,sign,required,occurs,note
NAME,text,10,,,,,name of the customer
RATE,num,7,4,,N,,
BALANCE,num,13,,trailing,,,
RESERVE,packed,7,2,,,,
OPENED_AT,date,14,,,N,,
CLOSES_AT,time,,,,,,
ADDR,group,,,,,,
ADDR.ZIP,text,5,,,,,
ROW_CNT,num,2,,,,,how many rows count
CLAIM_ROWS,group,,,,,3 ROW_CNT,
CLAIM_ROWS.NO,text,16,,,,,
CLAIM_ROWS.PAID_ON,date,10,,,N,,
,filler,4,,,,,
total,,146,,,,,
"""
MODULE = '''\
"""The telegrams of CLCNNB00001, as their sheets have them."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated

from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Rows, Text


class CLCNNB00001_I(Layout, id="CLCNNB00001", charset="cp949", size=20):
    """The question."""

    contract_no: Annotated[str, Text(12)]  # 계약번호
    base_dt: Annotated[date, Date()]


class AddrPart(Layout):
    """One part."""

    zip: Annotated[str, Text(5)]


class ClaimRow(Layout):
    """One of the rows."""

    no: Annotated[str, Text(16)]
    paid_on: Annotated[date | None, Date("YYYY-MM-DD")]


class CLCNNB00001_O(Layout, id="CLCNNB00001", charset="cp949", size=146):
    """The answer."""

    name: Annotated[str, Text(10)]  # name of the customer
    rate: Annotated[Decimal | None, Num(7, scale=4)]
    balance: Annotated[int, Num(13, sign="trailing")]
    reserve: Annotated[Decimal, Packed(7, scale=2)]
    opened_at: Annotated[datetime | None, Date("YYYYMMDDHHMMSS")]
    closes_at: Annotated[time, Date("HHMMSS")]
    addr: AddrPart
    row_cnt: Annotated[int, Num(2)] = 0  # how many rows count
    claim_rows: Annotated[list[ClaimRow], Rows(3, count="row_cnt")]
    filler: Annotated[None, Filler(4)] = None
'''


@pytest.fixture
def made(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    module = ModuleType("made_from_sheets")
    sys.modules[module.__name__] = module
    exec(request.param, vars(module))
    yield module
    del sys.modules[module.__name__]


def written(request: str | None, answer: str | None, charset: str = "euc-kr") -> str:
    sheets = [None if sheet is None else read_sheet(sheet.encode(), RESERVED) for sheet in (request, answer)]
    return layout_module("CLCNNB00001", charset, *sheets)


def test_a_module_has_question_and_answer_with_their_groups_before_them() -> None:
    assert written(REQUEST, ANSWER, "cp949") == MODULE


@pytest.mark.parametrize("made", [MODULE], indirect=True)
def test_the_module_is_one_that_python_takes_and_has_the_sizes_of_the_sheets(made: ModuleType) -> None:
    assert (made.CLCNNB00001_I.layout_size, made.CLCNNB00001_O.layout_size) == (20, 146)
    assert [(field.name, field.offset) for field in made.CLCNNB00001_O.layout_fields[-3:]] == [
        ("row_cnt", 62),
        ("claim_rows", 64),
        ("filler", 142),
    ]


VARYING = """\
field,type,size,occurs
CNT,num,2,
ROWS,group,,0-9 CNT
ROWS.A,text,3,
PAYS,group,,2
PAYS.B,num,1,
"""


@pytest.mark.parametrize("made", [written(None, VARYING)], indirect=True)
def test_rows_that_vary_leave_the_size_open(made: ModuleType) -> None:
    layout = made.CLCNNB00001_O
    assert (layout.layout_size, layout.layout_id) == (None, "CLCNNB00001")
    value = layout(rows=[made.Row(a="abc"), made.Row(a="def")], pays=[made.PaysRow(b=1), made.PaysRow(b=2)])
    assert (layout.decode(b"02abcdef12"), value.encode()) == (value, b"02abcdef12")


NESTED = """\
field,type,size,occurs
BODY,group,,
BODY.CNT,num,1,
BODY.ROWS,group,,0-9 CNT
BODY.ROWS.CNT,num,1,
BODY.ROWS.PAYS,group,,0-3 CNT
BODY.ROWS.PAYS.A,text,1,
END,text,1,
"""


@pytest.mark.parametrize("made", [written(None, NESTED)], indirect=True)
def test_rows_that_vary_may_stand_in_a_part_and_in_rows_that_vary(made: ModuleType) -> None:
    rows = [made.Row(pays=[made.PaysRow(a="x"), made.PaysRow(a="y")]), made.Row(pays=[])]
    value = made.CLCNNB00001_O(body=made.BodyPart(rows=rows), end="!")
    assert value.encode() == b"22xy0!"
    assert made.CLCNNB00001_O.decode(b"22xy0!") == value


def test_a_group_that_stands_in_question_and_answer_alike_is_one_class_and_another_gets_a_number() -> None:
    asked = "field,type,size\nADDR,group,\nADDR.ZIP,text,5\n"
    same = written(asked, asked)
    assert (same.count("class AddrPart("), same.count("addr: AddrPart")) == (1, 2)
    other = written(asked, asked.replace("5", "6"))
    assert (other.count("class AddrPart("), other.count("class AddrPart2("), other.count("addr: AddrPart2")) == (
        1,
        1,
        1,
    )


def test_a_note_that_does_not_fit_beside_its_field_stands_above_it() -> None:
    note = "말" * 100
    text = written(f"field,type,size,note\nA,text,5,{note}\n", None)
    assert f"    # {note}\n    a: Annotated[str, Text(5)]\n" in text


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_names_that_a_layout_needs_for_itself_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f'"{name}" cannot be the name of a field, since it means something else'):
        written(f"field,type,size\n{name},text,5\n", None)
