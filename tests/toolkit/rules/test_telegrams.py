"""Layouts of telegrams: sizes, counts and names."""

from dataclasses import replace
from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Located, Place
from axhub.toolkit.rules import reading, telegrams
from support.telling import Told
from support.written_mci import GOOD, IO, mci_changed, mci_facts, mci_told
from support.written_service import Written

RULES = {rule.id: rule for rule in telegrams.RULES}
NAME = "name: Annotated[str, Text(10)]"
COUNT = "    row_count: Annotated[int, Num(3)] = 0\n"
ROWS = 'Rows(max=5, count="row_count")'
ASKED = 'class CLCNNB00001_I(Layout, id="CLCNNB00001", size=16)'
ANSWERED = "class CLCNNB00001_O"


def io(old: str, new: str) -> dict[str, str]:
    """Return the layouts of the good interface with a text in them replaced."""
    return mci_changed(IO, old, new)


VARYING = io(ROWS, 'Rows(max=5, count="row_count", fixed=False)')[IO].replace(", size=175", "")
COMPUTED = io(ASKED, 'class CLCNNB00001_I(Layout, id="CLC" + "X")')[IO].replace('id="CLCNNB00001"', "id=ID")
INHERITED = """\
from my_tools.infra.mci.cfpa.io.clcnnb00001 import CLCNNB00001_I
class CLCNNB00002_I(CLCNNB00001_I): ...
"""


@pytest.mark.req("rule/TK604")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a size of none",
            io(NAME, "name: Annotated[str, Text(0)]"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:11:31 error",
                    "The size of CLCNNB00001_O.name is 0, and a field takes at least one byte. Write its bytes as "
                    "the interface's document has them, for instance `Text(10)`, or remove the field.",
                    "CLCNNB00001_O.name 필드의 크기가 0입니다. 1바이트 이상이어야 합니다. 인터페이스 정의서의 "
                    "바이트 수를 `Text(10)`처럼 쓰거나 필드를 지우십시오.",
                ),
            ),
        ),
        Written(
            "a size that is no number",
            io(NAME, "name: Annotated[str, Text(size='ten')]"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:11:36 error",
                    'The size of CLCNNB00001_O.name is "ten", and a field takes at least one byte. Write its '
                    "bytes as the interface's document has them, for instance `Text(10)`, or remove the field.",
                    'CLCNNB00001_O.name 필드의 크기가 "ten"입니다. 1바이트 이상이어야 합니다. 인터페이스 정의서의 '
                    "바이트 수를 `Text(10)`처럼 쓰거나 필드를 지우십시오.",
                ),
            ),
        ),
        Written(
            "no rows",
            io("max=5", "max=0"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:14:46 error",
                    "CLCNNB00001_O.rows has 0 rows at most, and at least one is needed. Write how many rows the "
                    "interface's document has, for instance `Rows(max=5)`, or remove the field.",
                    "CLCNNB00001_O.rows 반복부의 최대 행 수가 0입니다. 1 이상이어야 합니다. 인터페이스 정의서의 행 "
                    "수를 `Rows(max=5)`처럼 쓰거나 필드를 지우십시오.",
                ),
            ),
        ),
        Written(
            "a format that dates do not have",
            io(
                "Rows, Text\n",
                "Rows, Text, Date\nDay = Annotated[str, Date('YYYYMMDDHH')]\nclass X(Layout):\n    day: Day\n",
            ),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:4:27 error",
                    'The format of X.day is "YYYYMMDDHH", which dates cannot have; they can have: YYYYMMDD, '
                    'YYYY-MM-DD, YYYYMMDDHHMMSS, YYYYMMDDHHMMSSmmm, HHMMSS. Write `Date("YYYYMMDD")`.',
                    'X.day 필드의 날짜 형식이 "YYYYMMDDHH"입니다. 쓸 수 있는 형식: YYYYMMDD, YYYY-MM-DD, '
                    'YYYYMMDDHHMMSS, YYYYMMDDHHMMSSmmm, HHMMSS. `Date("YYYYMMDD")` 값을 쓰십시오.',
                ),
            ),
        ),
        Written(
            "a name that stands twice",
            io(NAME, f"{NAME}\n    {NAME}"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:12:5 error",
                    "The field name stands in CLCNNB00001_O a second time, and only one of both is read. Give this "
                    "one a name of its own.",
                    "CLCNNB00001_O 레이아웃에 name 필드가 두 번 있어 하나만 읽힙니다. 이 필드에 다른 이름을 주십시오.",
                ),
            ),
        ),
        Written(
            "a total that is not the sum",
            io("size=175", "size=172"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:10:52 error",
                    "The fields of CLCNNB00001_O come to 175 bytes, and its declared size is 172 (name 10, rate 7, "
                    "row_count 3, rows 155 = 5 x 31). Correct the field that differs from the interface's document, "
                    "or write `size=175`.",
                    "CLCNNB00001_O 레이아웃의 필드 합은 175바이트인데 선언한 크기는 172입니다(name 10, rate 7, "
                    "row_count 3, rows 155 = 5 x 31). 인터페이스 정의서와 다른 필드를 고치거나 `size=175` 값을 "
                    "쓰십시오.",
                ),
            ),
        ),
        Written(
            "a total of rows that vary",
            io('"row_count")', '"row_count", fixed=False)'),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:10:52 error",
                    "CLCNNB00001_O declares the size 175, and how many of its rows are sent varies. Remove "
                    "`size=175`, or write `fixed=True` if all rows are sent always.",
                    "CLCNNB00001_O 레이아웃은 크기를 175(으)로 선언했지만 보내는 행 수에 따라 길이가 달라집니다. "
                    "`size=175` 값을 지우거나, 항상 모든 행을 보내면 `fixed=True`를 쓰십시오.",
                ),
            ),
        ),
        Written(
            "a count that is not there",
            io('count="row_count"', 'count="how_many"'),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:14:55 error",
                    "The rows `rows` of CLCNNB00001_O are counted by how_many, and no field has that name. Declare "
                    "`how_many: Annotated[int, Num(3)] = 0` above it.",
                    "CLCNNB00001_O 레이아웃의 반복부 `rows`의 건수 필드로 적은 how_many 필드가 없습니다. 그 위에 "
                    "`how_many: Annotated[int, Num(3)] = 0` 필드를 선언하십시오.",
                ),
            ),
        ),
        Written(
            "a count that is misspelt",
            io('count="row_count"', 'count="rowcount"'),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:14:55 error",
                    "The rows `rows` of CLCNNB00001_O are counted by rowcount, and no field has that name. Did you "
                    'mean row_count? Write `count="row_count"`.',
                    "CLCNNB00001_O 레이아웃의 반복부 `rows`의 건수 필드로 적은 rowcount 필드가 없습니다. row_count "
                    '필드를 뜻했다면 `count="row_count"` 값을 쓰십시오.',
                ),
            ),
        ),
        Written(
            "a count after its rows",
            {IO: mci_changed(IO, COUNT, "")[IO] + COUNT},
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:14:5 error",
                    "The field row_count stands after the rows `rows` of CLCNNB00001_O that it counts. Move it "
                    "above `rows`, where the interface's document has it.",
                    "건수 필드(row_count)가 자신이 세는 CLCNNB00001_O 레이아웃의 반복부 `rows` 뒤에 있습니다. "
                    "인터페이스 정의서의 위치대로 `rows` 위로 옮기십시오.",
                ),
            ),
        ),
        Written(
            "a count that is a text",
            io(COUNT, "    row_count: Annotated[str, Text(3)]\n"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:13:5 error",
                    "The field row_count counts the rows `rows` of CLCNNB00001_O, and is no whole number. Declare "
                    "`row_count: Annotated[int, Num(3)] = 0`.",
                    "CLCNNB00001_O 레이아웃의 반복부 `rows`의 건수 필드(row_count)가 정수 필드가 아닙니다. "
                    "`row_count: Annotated[int, Num(3)] = 0` 형식으로 선언하십시오.",
                ),
            ),
        ),
        Written(
            "a count with too few digits",
            io("max=5", "max=1000"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:13:35 error",
                    "The field row_count has too few digits for the 1000 rows `rows` of CLCNNB00001_O. Give it 4 "
                    "digits, `Num(4)`, or let `max` be smaller, as the interface's document says.",
                    "건수 필드(row_count)의 자릿수로는 CLCNNB00001_O 레이아웃의 반복부 `rows` 1000행을 나타낼 수 "
                    "없습니다. 인터페이스 정의서에 맞게 4자리 `Num(4)` 값을 쓰거나 `max`를 줄이십시오.",
                ),
            ),
        ),
        Written(
            "rows that vary and are not counted",
            io(ROWS, "Rows(max=5, fixed=False)"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:14:5 error",
                    "The rows `rows` of CLCNNB00001_O vary (`fixed=False`), and nothing says how many there are. "
                    'Name the field that counts them, `count="row_count"`, or remove `fixed=False`.',
                    "CLCNNB00001_O 레이아웃의 반복부 `rows`의 행 수가 달라지는데(`fixed=False`) 건수 필드가 "
                    '없습니다. 건수 필드를 `count="row_count"`처럼 적거나 `fixed=False`를 지우십시오.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_layout_that_does_not_hold_together_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK604", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK604")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written("no total", io(", size=175", "")),
        Written("a total that is None", io("size=175", "size=None")),
        Written("a size that is computed", io(NAME, "name: Annotated[str, Text(len('x' * 9))]")),
        Written("a total that is computed", io("size=175", "size=len('x')")),
        Written("rows that vary without a total", {IO: VARYING}),
        Written("a count of a kind that is not known", io(COUNT, "    row_count: Count\n")),
        Written("rows of a layout that is not known", io("list[ClaimRow]", "list[Unknown]")),
        Written("a count that is computed", io('count="row_count"', 'count="row" + "_count"')),
    ],
    ids=str,
)
def test_tk604_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK604", tmp_path, case.files) == ()


@pytest.mark.req("rule/TK604")
def test_a_finding_names_the_tool_of_the_interface(tmp_path: Path) -> None:
    found = RULES["TK604"].check(mci_facts(tmp_path, io("size=175", "size=172")))
    assert [breach.tool for breach in found] == ["cmm_claim_search"]


@pytest.mark.req("rule/TK002")
def test_what_tk604_tells_is_not_told_as_an_import_that_fails(tmp_path: Path) -> None:
    (rule,) = [rule for rule in reading.RULES if rule.id == "TK002"]
    found = mci_facts(tmp_path, io("size=175", "size=172"))
    place = Place(f"src/my_tools/{IO}", 10, 1)
    for cause, findings in (
        ("TypeError: CLCNNB00001_O: size=172, and its fields come to 175", 0),
        ("TypeError: int", 1),
    ):
        failed = replace(found, import_problem=Located(cause, place))
        assert len(list(rule.check(failed))) == findings


@pytest.mark.req("rule/TK605")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "no layout for answers",
            io(ANSWERED, "class Other"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:10:1 error",
                    "The layout Other has the id CLCNNB00001, and its name does not say which way it goes. Call it "
                    "CLCNNB00001_I if it is sent, CLCNNB00001_O if it is answered; if it is only a part of others, "
                    "remove `id`.",
                    "레이아웃 Other 클래스의 ID는 CLCNNB00001인데 이름에서 요청인지 응답인지 알 수 없습니다. 보내는 "
                    "전문이면 CLCNNB00001_I, 받는 전문이면 CLCNNB00001_O 이름을 쓰고, 다른 전문의 일부이면 `id`를 "
                    "지우십시오.",
                ),
            ),
        ),
        Written(
            "an id that no name has",
            io(ASKED, 'class Asked(Layout, id="CLCNNB00001", size=16)'),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:4:1 error",
                    "The layout Asked has the id CLCNNB00001, and its name does not say which way it goes. Call it "
                    "CLCNNB00001_I if it is sent, CLCNNB00001_O if it is answered; if it is only a part of others, "
                    "remove `id`.",
                    "레이아웃 Asked 클래스의 ID는 CLCNNB00001인데 이름에서 요청인지 응답인지 알 수 없습니다. 보내는 "
                    "전문이면 CLCNNB00001_I, 받는 전문이면 CLCNNB00001_O 이름을 쓰고, 다른 전문의 일부이면 `id`를 "
                    "지우십시오.",
                ),
            ),
        ),
        Written(
            "no requests",
            io(ASKED, "class Asked(Layout, size=16)"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:10:1 error",
                    "The interface CLCNNB00001 has no layout for its requests, CLCNNB00001_I. Declare `class "
                    'CLCNNB00001_I(Layout, id="CLCNNB00001")` beside it; `axhub new layout` writes one from a sheet.',
                    "인터페이스 CLCNNB00001의 요청 레이아웃 CLCNNB00001_I 클래스가 없습니다. 옆에 `class "
                    'CLCNNB00001_I(Layout, id="CLCNNB00001")` 클래스를 선언하십시오. `axhub new layout` 명령으로 '
                    "정의서에서 만들 수 있습니다.",
                ),
            ),
        ),
        Written(
            "a name of another id",
            io(ASKED, 'class CLCNNB00002_I(Layout, id="CLCNNB00001", size=16)'),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:4:1 error",
                    "The layout CLCNNB00002_I has the id CLCNNB00001, which its name does not begin with. Call it "
                    "CLCNNB00001_I, or correct the id.",
                    "레이아웃 CLCNNB00002_I 클래스의 ID는 CLCNNB00001인데 이름이 그렇게 시작하지 않습니다. 이름을 "
                    "CLCNNB00001_I(으)로 바꾸거나 ID를 고치십시오.",
                ),
            ),
        ),
        Written(
            "no id",
            io(ASKED, "class CLCNNB00001_I(Layout, size=16)"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:4:1 error",
                    "The layout CLCNNB00001_I is named like one of the interface CLCNNB00001, and has no id. Write "
                    '`class CLCNNB00001_I(Layout, id="CLCNNB00001")`.',
                    "레이아웃 CLCNNB00001_I 클래스의 이름은 인터페이스 CLCNNB00001 것인데 ID가 없습니다. `class "
                    'CLCNNB00001_I(Layout, id="CLCNNB00001")` 형식으로 쓰십시오.',
                ),
            ),
        ),
        Written(
            "the same in another module",
            {"infra/mci/cfpa/io/other.py": GOOD[IO]},
            (
                Told(
                    "infra/mci/cfpa/io/other.py:4:1 error",
                    "The layout CLCNNB00001_I with the id CLCNNB00001 stands in "
                    "src/my_tools/infra/mci/cfpa/io/clcnnb00001.py:4:1 already. Import that one, and remove this; a "
                    "system has one layout for each way of an interface.",
                    "ID가 CLCNNB00001인 레이아웃 CLCNNB00001_I 클래스는 이미 "
                    "src/my_tools/infra/mci/cfpa/io/clcnnb00001.py:4:1에 있습니다. 그것을 가져다 쓰고 이 클래스를 "
                    "지우십시오. 한 시스템의 인터페이스에는 방향마다 레이아웃이 하나입니다.",
                ),
                Told(
                    "infra/mci/cfpa/io/other.py:10:1 error",
                    "The layout CLCNNB00001_O with the id CLCNNB00001 stands in "
                    "src/my_tools/infra/mci/cfpa/io/clcnnb00001.py:10:1 already. Import that one, and remove this; "
                    "a system has one layout for each way of an interface.",
                    "ID가 CLCNNB00001인 레이아웃 CLCNNB00001_O 클래스는 이미 "
                    "src/my_tools/infra/mci/cfpa/io/clcnnb00001.py:10:1에 있습니다. 그것을 가져다 쓰고 이 클래스를 "
                    "지우십시오. 한 시스템의 인터페이스에는 방향마다 레이아웃이 하나입니다.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_an_interface_without_both_layouts_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK605", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK605")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written("the same interface of another system", {"infra/mci/other/io/clcnnb00001.py": GOOD[IO]}),
        Written("a layout beside io", {"infra/mci/cfpa/parts.py": GOOD[IO]}),
        Written("an id that is computed", {IO: COMPUTED}),
        Written("an id that a base may have", {"infra/mci/cfpa/io/more.py": INHERITED}),
    ],
    ids=str,
)
def test_tk605_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK605", tmp_path, case.files) == ()
