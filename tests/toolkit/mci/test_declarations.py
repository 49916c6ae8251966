"""A layout that cannot be laid out is told where it is made: class, field and mend in one sentence (toolkit/B1)."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from types import new_class
from typing import Annotated, Any

import pytest

from axhub.toolkit.mci import Charset, Date, Filler, Layout, Num, Packed, Rows, Text

pytestmark = pytest.mark.req("toolkit/B1")


class Row(Layout):
    name: Annotated[str, Text(3)]


class Other(Layout, charset="utf-8"):
    name: Annotated[str, Text(3)]


class Varying(Layout):
    count: Annotated[int, Num(1)] = 0
    rows: Annotated[list[Row], Rows(max=2, count="count", fixed=False)]


def layout(*, options: dict[str, Any] | None = None, **fields: Any) -> Callable[[], type]:
    return lambda: new_class("Bad", (Layout,), options or {}, lambda names: names.update(__annotations__=fields))


def default(note: Any, value: Any) -> Callable[[], type]:
    return lambda: new_class("Bad", (Layout,), {}, lambda names: names.update(__annotations__={"x": note}, x=value))


def rows(note: Rows, **before: Any) -> Callable[[], type]:
    return layout(**before, rows=Annotated[list[Row], note])


TWO_DIGITS = Annotated[int, Num(2)]
NO_PAD = Charset("tiny", lambda text: text.encode("ascii"), lambda raw: raw.decode("ascii"))
DATES = ("YYYYMMDD", "YYYY-MM-DD", "YYYYMMDDHHMMSS", "YYYYMMDDHHMMSSmmm", "HHMMSS")
NO_COUNT = "is no count; write the name of an unsigned Num of type int that stands before it"

WRONG: list[tuple[Callable[[], type], str]] = [
    (layout(), "Bad: it has no field; write one such as name: Annotated[str, Text(10)]"),
    (layout(x=str), "Bad.x: it needs one note; write it such as Annotated[str, Text(10)]"),
    (layout(x=Annotated[str, Text(1), Num(1)]), "Bad.x: it needs one note; write it such as Annotated[str, Text(10)]"),
    (layout(x=Row | None), "Bad.x: a group is always there; write its type without None"),
    (layout(x=Annotated[int, Text(3)]), "Bad.x: Text is not for int; write str"),
    (layout(x=Annotated[str, Num(3)]), "Bad.x: Num is not for str; write int or Decimal"),
    (layout(x=Annotated[float, Packed(3)]), "Bad.x: Packed is not for float; write int or Decimal"),
    (layout(x=Annotated[str, Date()]), "Bad.x: Date is not for str; write date"),
    (layout(x=Annotated[date, Date("YYYYMMDDHHMMSS")]), "Bad.x: Date is not for date; write datetime"),
    (layout(x=Annotated[str, Filler(3)]), "Bad.x: Filler is not for str; write None"),
    (
        layout(x=Annotated[str | int, Text(3)]),
        "Bad.x: Text has one type; write it such as str or int, with | None where it may be blank",
    ),
    (layout(x=Annotated[str, Text(0)]), "Bad.x: size 0 is no number of bytes; write 1 or more"),
    (layout(x=Annotated[str, Text("3")]), "Bad.x: size '3' is no number of bytes; write 1 or more"),  # type: ignore[arg-type]  # what an author may write
    (
        layout(x=Annotated[str, Text(3, pad="x")]),
        "Bad.x: pad='x' is not known; write ' ', '\\x00', '0' or '\\u3000'",
    ),
    (
        layout(x=Annotated[str, Text(3, align="centre")]),  # type: ignore[arg-type]  # what an author may write
        "Bad.x: align='centre' is not known; write 'left' or 'right'",
    ),
    (layout(x=Annotated[str, Text(3, trim=5)]), "Bad.x: trim=5 is no text; write the characters to take off"),  # type: ignore[arg-type]  # as above
    (
        layout(x=Annotated[int, Num(3, sign="minus")]),  # type: ignore[arg-type]  # as above
        "Bad.x: sign='minus' is not known; write 'none', 'leading', 'trailing' or 'overpunch'",
    ),
    (
        layout(x=Annotated[int, Num(1, sign="leading")]),
        "Bad.x: Num has room for 0 digits; let it have 1 to 64",
    ),
    (layout(x=Annotated[int, Packed(33)]), "Bad.x: Packed has room for 65 digits; let it have 1 to 64"),
    (
        layout(x=Annotated[int, Num(3, scale=1)]),
        "Bad.x: an int has no decimal places; write Decimal, or leave scale=1 out",
    ),
    (
        layout(x=Annotated[Decimal, Num(3, scale=4)]),
        "Bad.x: scale 4 does not fit its 3 digits; write 0 to 3",
    ),
    (
        layout(x=Annotated[date, Date("DDMMYYYY")]),  # type: ignore[arg-type]  # as above
        f"Bad.x: format='DDMMYYYY' is not known; write {', '.join(map(repr, DATES[:-1]))} or {DATES[-1]!r}",
    ),
    (
        layout(x=Annotated[None, Filler(3, fill="ab")]),
        "Bad.x: fill='ab' is not one ASCII character; write one such as ' ' or '0'",
    ),
    (
        layout(x=Annotated[list[str], Rows(3)]),
        "Bad.x: Rows are rows of a layout; write list[Row] or tuple[Row, ...] with a Layout as Row",
    ),
    (
        layout(x=Annotated[tuple[Row, Row], Rows(3)]),
        "Bad.x: Rows are rows of a layout; write list[Row] or tuple[Row, ...] with a Layout as Row",
    ),
    (rows(Rows(0)), "Bad.rows: max=0 is no number of rows; write 1 or more"),
    (
        rows(Rows(3, fixed=False)),
        "Bad.rows: rows that vary in number need a count; write count= with the name of the field that tells it",
    ),
    (rows(Rows(3, count="n")), f"Bad.rows: count='n' {NO_COUNT}"),
    (rows(Rows(3, count="n"), n=Annotated[str, Text(2)]), f"Bad.rows: count='n' {NO_COUNT}"),
    (rows(Rows(3, count="n"), n=Annotated[int | None, Num(2)]), f"Bad.rows: count='n' {NO_COUNT}"),
    (
        rows(Rows(100, count="n"), n=TWO_DIGITS),
        "Bad.rows: n cannot tell 100 rows; give it more digits, or let max be smaller",
    ),
    (
        layout(rows=Annotated[list[Varying], Rows(3)]),
        "Bad.rows: Varying varies in size, so its area cannot be fixed; write fixed=False",
    ),
    (
        layout(x=Other),
        "Bad.x: Other is in utf-8, the telegram in euc-kr; leave the charset of the part out",
    ),
    (layout(encode=TWO_DIGITS), "Bad.encode: every layout has this name already; take another one"),
    (layout(_x=TWO_DIGITS), "Bad._x: a field does not begin with _; take another name"),
    (layout(x="Missing"), "Bad: Missing is not known here; define it above, both at the top of a module"),
    (layout(options={"size": 3}, x=TWO_DIGITS), "Bad: size=3, and its fields have 2 bytes; correct one of them"),
    (layout(options={"size": "2"}, x=TWO_DIGITS), "Bad: size='2', and its fields have 2 bytes; correct one of them"),
    (layout(options={"id": 17}, x=TWO_DIGITS), "Bad: id=17 is no text; write it in quotation marks"),
    (default(TWO_DIGITS, "1"), "Bad.x: its default does not go into it, it takes int, and this is str; correct it"),
    (default(TWO_DIGITS, 100), "Bad.x: its default does not go into it, 3 digits do not fit in 2; correct it"),
    (
        default(TWO_DIGITS, None),
        "Bad.x: its default does not go into it, it is None, and its type has no None; correct it",
    ),
    (layout(options={"size": 3}, x=Varying), "Bad: size=3, and its rows vary in number; leave size out"),
    (
        layout(options={"charset": "euc_kr"}, x=TWO_DIGITS),
        "Bad: charset='euc_kr' is not known; write euc-kr, cp949, utf-8 or a Charset",
    ),
    (
        layout(options={"charset": NO_PAD}, x=Annotated[str, Text(4, pad="\u3000")]),
        "Bad.x: its pad cannot be written, U+3000 is not in tiny",
    ),
]


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_a_wrong_declaration_is_one_sentence_with_class_field_and_mend(make: Callable[[], type], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        make()


def test_a_default_of_a_part_may_be_in_the_charset_of_its_telegram() -> None:
    class Part(Layout):
        name: Annotated[str, Text(4)] = "똠"

    class Whole(Layout, charset="cp949"):
        part: Part

    assert Whole.decode(Whole(part=Part()).encode()).part.name == "똠"


def test_a_field_may_be_called_self() -> None:
    class Named(Layout):
        self: Annotated[str, Text(4)]

    assert Named(self="a").__replace__(self="b").encode() == b"b   "
