"""A layout sheet is read as its team writes it, and everything that is wrong with it is told at once."""

import codecs
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.toolkit.scaffold.sheets.model import Entry, Occurs, Sheet, SheetError
from axhub.toolkit.scaffold.sheets.reading import read_sheet

pytestmark = pytest.mark.req("toolkit/B1", "toolkit/T5")

ENGLISH = """\
# the answer of the claim system
Field,Type,Size,Scale,Sign,Required,Occurs,Note

CUST_NM,text,10,,,,,"name,
of the customer"
rate,num,7,4,,N,,
amount,num,13,,leading,,,
reserveAmount,packed,7,2,,,,
OPENED,date,,,,n,,
# not sent yet,text,1,,,,,
ROW_CNT,num,3,,,,,
claims,group,24,,,,5 ROW_CNT,
claims.CLM_NO,text,16,,,,,
claims.paid,date,8,,,,,
,filler,2,,,,,
,filler,3,,,,,
Total,,173,,,,,
"""
KOREAN = """\
순번,필드명,한글명,타입,길이,반복
1,CLM_NO,청구번호,문자,16,
2,ADDR,주소,그룹,,
3,ADDR.ZIP,우편번호,문자,5,1
4,ADDR.CITY,도시,한글,20,
5,PAYS,지급,반복부,,0~12 CNT
"""


def faults(text: str | bytes, language: str = "en") -> list[str]:
    content = text.encode() if isinstance(text, str) else text
    with pytest.raises(SheetError) as refused:
        read_sheet(content, frozenset({"table"}))
    return [fault.said("a.csv", language) for fault in refused.value.faults]


def test_each_row_is_a_field_with_everything_that_the_sheet_says_of_it() -> None:
    assert read_sheet(ENGLISH.encode()) == Sheet(
        (
            Entry(4, "cust_nm", "text", 10, note="name, of the customer"),
            Entry(5, "rate", "num", 7, scale=4, optional=True),
            Entry(6, "amount", "num", 13, sign="leading"),
            Entry(7, "reserve_amount", "packed", 7, scale=2),
            Entry(8, "opened", "date", 8, optional=True),
            Entry(10, "row_cnt", "num", 3),
            Entry(
                11,
                "claims",
                "group",
                24,
                occurs=Occurs(5, "row_cnt"),
                members=(Entry(12, "clm_no", "text", 16), Entry(13, "paid", "date", 8)),
            ),
            Entry(14, "filler", "filler", 2),
            Entry(15, "filler_2", "filler", 3),
        )
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_korean_headers_and_types_are_known_however_the_file_was_saved(encoding: str, separator: str, end: str) -> None:
    text = KOREAN.replace("5,PAYS,지급,반복부,,0~12 CNT", "6,CNT,건수,숫자,2,")
    text += "7,PAYS,지급 내역,반복부,,0~12 CNT\n8,PAYS.DT,지급일,일자,,\n9,PAYS.TM,시각,시각,,\n"
    read = read_sheet(text.replace(",", separator).replace("\n", end).encode(encoding))
    assert read == Sheet(
        (
            Entry(2, "clm_no", "text", 16, note="청구번호"),
            Entry(
                3,
                "addr",
                "group",
                note="주소",
                members=(Entry(4, "zip", "text", 5, note="우편번호"), Entry(5, "city", "text", 20, note="도시")),
            ),
            Entry(6, "cnt", "num", 2, note="건수"),
            Entry(
                7,
                "pays",
                "group",
                note="지급 내역",
                occurs=Occurs(12, "cnt", fixed=False),
                members=(Entry(8, "dt", "date", 8, note="지급일"), Entry(9, "tm", "time", 6, note="시각")),
            ),
        )
    )
    assert read.size is None


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ("a,text,10,", 10),
        ("a,text,10,\nb,num,5,", 15),
        ("a,group,,3\na.b,text,4,\na.c,group,,2\na.c.d,date,,", 60),
        ("n,num,1,\na,group,,0-3 n\na.b,text,4,", None),
        ("a,group,,\na.n,num,1,\na.b,group,,0-3 n\na.b.c,text,4,", None),
        ('a,text,"1,024",', 1024),
    ],
)
def test_the_size_of_all_is_known_unless_a_count_decides_it(rows: str, size: int | None) -> None:
    assert read_sheet(f"field,type,size,occurs\n{rows}\n".encode()).size == size


WRONG = """\
field,type,size,scale,sign,required,occurs
이름,text,10,,,,
class,txt,ten,,,,
table,num,5,7,up,maybe,
a,text,0,2,leading,,3
a,date,9,,,,
rows.b,text,1,,,,
g,group,9,,,,5 cnt
g.c,text,4,,,,
h,group,,,,,x
"""

TOLD = [
    (
        'a.csv: row 2, column A (field): "이름" cannot be the name of a field; write a-z, 0-9 and _, the first a '
        "letter, at most 40 of them, and no word of Python, such as CLAIM_NO or claimNo"
    ),
    (
        'a.csv: row 3, column A (field): "class" cannot be the name of a field; write a-z, 0-9 and _, the first a '
        "letter, at most 40 of them, and no word of Python, such as CLAIM_NO or claimNo"
    ),
    (
        'a.csv: row 3, column B (type): "txt" is no type; write text, num, packed, date, time, filler, or group '
        "for one that has members"
    ),
    'a.csv: row 3, column C (size): "ten" is no size; write the number of bytes, from 1 to 99999',
    (
        'a.csv: row 4, column A (field): "table" cannot be the name of a field, since it means something else in '
        "every layout; write another, such as table_value"
    ),
    'a.csv: row 4, column D (scale): the scale "7" is more than the 5 digits of the field; write at most 5',
    (
        'a.csv: row 4, column E (sign): "up" says nothing of a sign; write leading, trailing or overpunch, or '
        "leave it empty for none"
    ),
    'a.csv: row 4, column F (required): "maybe" does not say whether the field is always filled; write Y or N',
    'a.csv: row 5, column C (size): "0" is no size; write the number of bytes, from 1 to 99999',
    (
        'a.csv: row 5, column D (scale): "2" means nothing here: only fields of type num, packed have scale; leave '
        "it empty"
    ),
    ('a.csv: row 5, column E (sign): "leading" means nothing here: only fields of type num have sign; leave it empty'),
    (
        'a.csv: row 5, column G (occurs): "3" means nothing here: only fields of type group have occurs; leave it '
        "empty, and put a row of type group above what repeats"
    ),
    'a.csv: row 6, column A (field): "a" is the name of row 5 already; give one of them another',
    (
        "a.csv: row 6, column C (size): no date is written in 9 bytes; the sizes are 8, 10, 14, 17: write one of "
        "them, or another type, text for instance"
    ),
    (
        'a.csv: row 7, column A (field): "rows.b" belongs to a group "rows", which is not the one above it; put a '
        'row "rows" of type group directly above its members'
    ),
    (
        "a.csv: row 8, column C (size): the size 9 is not that of the members, 4 (20 for all 5); correct it, or "
        "leave it empty"
    ),
    (
        'a.csv: row 8, column G (occurs): "cnt" does not count the group "g": it has to be a num above it, in '
        "the same group, without scale or sign and always filled; write the name of that field"
    ),
    (
        'a.csv: row 10, column A (field): the group "h" has no members; write them below it, each with "h." before '
        "its name"
    ),
    (
        'a.csv: row 10, column G (occurs): "x" does not say how often the group stands there; write 5 (always), '
        "5 ROW_CNT (always 5, the field ROW_CNT says how many count) or 0-5 ROW_CNT (as many as ROW_CNT says)"
    ),
]


def test_every_fault_is_listed_with_its_row_its_column_and_its_mend() -> None:
    assert faults(WRONG) == TOLD


def test_faults_are_told_in_korean_too() -> None:
    assert faults("필드명,타입,길이\nA,문자,길다\n합계,,5\n", "ko") == [
        'a.csv: 2행, C (size) 열: "길다"은(는) 길이가 아닙니다. 1에서 99999까지의 바이트 수를 쓰십시오'
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "field,type,size\na,text,5\ntotal,,7\n",
            (
                'row 3, column C (size): the total "7" is not the sum of all sizes, 5; look for the field whose size '
                "is wrong or missing"
            ),
        ),
        (
            "field,type,size,colour,#mine,no,type\na,text,5,red,x,1,\n",
            (
                'row 1, column D: the header "colour" is none that is known; write one of field, type, size, scale, '
                "sign, required, occurs, note, or put # before it to leave the column out"
            ),
        ),
        (
            "name,length\na,5\n",
            (
                "row 1: there is no column type; the first row that is no comment has the headers field, type, size "
                "and, where needed, scale, sign, required, occurs, note"
            ),
        ),
        (
            "field,type,size,occurs\nn,num,1,\ng,group,,2\ng.h,group,,0-3 n\ng.h.a,text,1,\n",
            (
                'row 4, column D (occurs): "n" does not count the group "g.h": it has to be a num above it, in '
                "the same group, without scale or sign and always filled; write the name of that field"
            ),
        ),
        (
            "field,type,size,occurs\ng,group,,2\ng.n,num,1,\ng.h,group,,0-3 n\ng.h.a,text,1,\n",
            (
                'row 2, column D (occurs): the group "g" always has the same number of rows, and a row of it varies in '
                "length, since a group in it stands there as often as a count says; write a fixed number there, or let "
                '"g" vary too, such as 0-5 ROW_CNT'
            ),
        ),
        (
            'field,type,size\na,num,"13,2"\n',
            'row 2, column C (size): "13,2" is no size; write the number of bytes, from 1 to 99999',
        ),
        (
            "field,type,size,sign\na,num,1,leading\n",
            (
                "row 2, column C (size): a number of this size has 0 digits; let it have 1 to 64, or write another "
                "type, text for instance"
            ),
        ),
        (
            "field,type,size,scale,sign\na,num,4,4,trailing\n",
            'row 2, column D (scale): the scale "4" is more than the 3 digits of the field; write at most 3',
        ),
        (
            "field,type,size\na,packed,33\n",
            (
                "row 2, column C (size): a number of this size has 65 digits; let it have 1 to 64, or write another "
                "type, text for instance"
            ),
        ),
        (
            "field,type,size,occurs\nn,num,1,\ng,group,,0-10 n\ng.a,text,1,\n",
            (
                'row 3, column D (occurs): "n" has too few digits to count the 10 rows of the group "g"; correct its '
                "size, or the number of rows"
            ),
        ),
        (
            "",
            "there is no field in it; write a row of headers, field,type,size, and one row for each field below it",
        ),
        (
            "field,type,size\n# only,a,comment\n",
            "there is no field in it; write a row of headers, field,type,size, and one row for each field below it",
        ),
        (
            'field,type,size\n"a,text,5\n',
            "a quoted cell is not closed; put a second quotation mark behind it, or take the first one away",
        ),
        (
            codecs.BOM_UTF16_LE + "field".encode("utf-16-le"),
            "this is no CSV file but a workbook or UTF-16 text; save the sheet as CSV (UTF-8)",
        ),
        (b"PK\x03\x04 and so on", "this is no CSV file but a workbook or UTF-16 text; save the sheet as CSV (UTF-8)"),
        (b"field\0", "this is no CSV file but a workbook or UTF-16 text; save the sheet as CSV (UTF-8)"),
        (b"field,type,size\n\xff\xff,text,5\n", "it is neither UTF-8 nor CP949; save the sheet as CSV (UTF-8)"),
        (
            "field,type,size\n" + "a,text,5\n" * 2000,
            "it is too large for a layout: at most 2000 rows and 1048576 bytes; save one layout a file",
        ),
        (
            b"x" * 1_048_577,
            "it is too large for a layout: at most 2000 rows and 1048576 bytes; save one layout a file",
        ),
    ],
)
def test_what_is_no_sheet_or_does_not_add_up_is_refused_in_words(text: str | bytes, said: str) -> None:
    assert f"a.csv: {said}" in faults(text)


def test_a_column_that_comes_twice_is_told() -> None:
    assert faults("field,type,size,type\na,text,5,text\n") == [
        'a.csv: row 1, column D: "type" is a second column for type; put # before one of the headers to leave it out'
    ]


def test_all_columns_for_people_are_one_note() -> None:
    sheet = "필드명,한글명,타입,길이,비고\nA,청구번호,문자,5,앞자리 CLM\nB,,문자,5,빈칸 가능\nC,상태,문자,1\n"
    assert [entry.note for entry in read_sheet(sheet.encode()).entries] == ["청구번호. 앞자리 CLM", "빈칸 가능", "상태"]


@pytest.mark.parametrize("count", ["n,num,2,trailing,,", "n,num,2,,N,", "n,packed,2,,,", "n,text,2,,,"])
def test_what_counts_rows_is_a_number_without_sign_that_is_always_there(count: str) -> None:
    sheet = f"field,type,size,sign,required,occurs\n{count}\ng,group,,,,0-3 n\ng.a,text,1,,,\n"
    assert faults(sheet) == [
        (
            'a.csv: row 3, column F (occurs): "n" does not count the group "g": it has to be a num above it, in the '
            "same group, without scale or sign and always filled; write the name of that field"
        )
    ]


CELLS = st.sampled_from(
    [
        "",
        "A",
        "A.B",
        "A.A.C",
        "text",
        "num",
        "group",
        "filler",
        "date",
        "5",
        "0",
        "-1",
        "²",
        "5 A",
        "0-5 A",
        "x" * 50,
        '"',
        "#",
        "합계",
        ",",
    ]
)


@given(st.lists(st.lists(CELLS, max_size=9), max_size=9), st.binary(max_size=30))
def test_whatever_stands_in_a_file_it_is_read_or_refused_in_words(rows: list[list[str]], more: bytes) -> None:
    lines = "\n".join(",".join(cells) for cells in [["field", "type", "size", "scale", "occurs"], *rows])
    for content in (lines.encode(), lines.encode() + b"\n" + more, more):
        with contextlib.suppress(SheetError):
            assert read_sheet(content).entries


def test_columns_beyond_the_alphabet_are_named_as_a_spreadsheet_does() -> None:
    headers = ["field", "type", "size", *["no"] * 24, "colour"]
    assert faults(",".join(headers) + "\na,text,5\n")[0].startswith('a.csv: row 1, column AB: the header "colour"')
