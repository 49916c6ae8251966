"""`axhub layout show`: what stands where in a telegram, beside a captured one, masked unless asked."""

from pathlib import Path

import pytest

from axhub.cli.main import main

pytestmark = pytest.mark.req("toolkit/B1", "toolkit/B2")

IO = """\
from typing import Annotated

from axhub.toolkit.mci import Layout, Num, Rows, Text


class Row(Layout):
    no: Annotated[str, Text(6)]


class CLCNNB00001_I(Layout, id="CLCNNB00001", size=6):
    no: Annotated[str, Text(6)]


class CLCNNB00001_O(Layout, id="CLCNNB00001", size=30):
    name: Annotated[str, Text(10)]
    cnt: Annotated[int, Num(2)] = 0
    rows: Annotated[list[Row], Rows(3, count="cnt")]
"""
ENVELOPE = """\
from typing import Annotated

from axhub.toolkit.mci import Envelope, Layout, MciCall, Text


class Header(Layout):
    interface: Annotated[str, Text(11)]
    call: Annotated[str, Text(2)]
    result: Annotated[str, Text(1)] = ""


def head(call: MciCall) -> Header:
    return Header(interface=call.interface_id, call=call.correlation_id[:2])


ENVELOPE = Envelope(header=Header, head=head, interface="interface", correlation="call", result="result")
"""
NAME = "홍길동".encode("euc-kr").hex()
ANSWER = f"{NAME} 20202020 # name\n3031\n{b'A-0001'.hex()}\n202020202020 202020202020\n"
RAW = bytes.fromhex(ANSWER.replace("# name", ""))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one interface, which is the current folder."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "t-tools"\n\n[tool.axhub]\n', encoding="utf-8")
    files = {
        "__init__.py": "",
        "infra/__init__.py": "",
        "infra/mci/__init__.py": "",
        "infra/mci/cfpa/__init__.py": "",
        "infra/mci/cfpa/envelope.py": ENVELOPE,
        "infra/mci/cfpa/io/__init__.py": "",
        "infra/mci/cfpa/io/clcnnb00001.py": IO,
    }
    for name, text in files.items():
        place = tmp_path / "src" / "t_tools" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["layout", "show", *words]) == code
    captured = capsys.readouterr()
    assert bool(captured.err) is (code == 2), captured.err
    return captured.err if code == 2 else captured.out


def test_an_interface_shows_question_and_answer(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "CLCNNB00001") == (
        "CLCNNB00001_I  cfpa, 6 bytes\n"
        "OFFSET  BYTES  FIELD  WHAT\n"
        "0       6      no     text\n"
        "\n"
        "CLCNNB00001_O  cfpa, 30 bytes\n"
        "OFFSET  BYTES  FIELD       WHAT\n"
        "0       10     name        text\n"
        "10      2      cnt         number\n"
        "12      18     rows        up to 3 rows, told by cnt\n"
        "12      6      rows[0].no  text\n"
    )


def test_a_class_shows_itself_in_korean_if_asked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "clcnnb00001_i", "--lang", "ko") == (
        "CLCNNB00001_I  cfpa, 6바이트\n위치  길이  항목  내용\n0     6     no    문자\n"
    )


@pytest.mark.parametrize(
    ("options", "name", "number"), [((), "***", "***"), (("--unmask",), "홍길동", "A-0001")], ids=["masked", "unmasked"]
)
def test_a_captured_data_section_is_shown_with_its_values_masked_unless_asked(
    options: tuple[str, ...], name: str, number: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "captured.hex").write_text(ANSWER, encoding="utf-8")
    lines = said(capsys, "CLCNNB00001", "--hex", "captured.hex", *options).splitlines()
    assert lines[0] == "30 bytes, read as the data section CLCNNB00001_O"
    assert [line.split() for line in lines[2:]] == [
        ["0", "10", "name", name],
        ["10", "2", "cnt", "1" if options else "***"],
        ["12", "6", "rows[0].no", number],
        ["18", "12", "rows[1..2]", "(unused)"],
    ]


def test_a_whole_telegram_is_known_by_its_header_and_shown_section_by_section(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "captured.bin").write_bytes(b"CLCNNB000017f0" + RAW)
    lines = said(capsys, "CLCNNB00001", "--hex", "captured.bin", "--unmask").splitlines()
    assert (lines[0], lines[1]) == ("44 bytes, read as a whole telegram with CLCNNB00001_O", "Header")
    assert [line.split()[:3] for line in lines[3:6]] == [
        ["0", "11", "interface"],
        ["11", "2", "call"],
        ["13", "1", "result"],
    ]
    assert (lines[6], lines[8].split()) == ("CLCNNB00001_O", ["14", "10", "name", "홍길동"])


def test_a_length_before_a_telegram_is_known_from_the_configuration(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = "{name: cfpa, lengthField: {kind: big, place: prefix, size: 2}}"
    (project / "src/t_tools/config").mkdir()
    configuration = f"glow: {{communication: {{mci: {{system-list: [{entry}]}}}}}}\n"
    (project / "src/t_tools/config/service.yaml").write_text(configuration, encoding="utf-8")
    (project / "captured.bin").write_bytes(b"\x00\x2eCLCNNB000017f0" + RAW)
    lines = said(capsys, "CLCNNB00001", "--hex", "captured.bin", "--lang", "ko").splitlines()
    assert lines[:3] == ["46바이트. CLCNNB00001_O 전문 전체로 읽었습니다", "앞의 2바이트는 전문 길이입니다", "Header"]
    assert lines[4].split()[:3] == ["2", "11", "interface"]


def test_a_fault_is_shown_at_its_field_and_what_stands_before_it_too(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "captured.hex").write_text(ANSWER.replace("3031", "3078"), encoding="utf-8")
    lines = said(capsys, "CLCNNB00001_O", "--hex", "captured.hex", "--unmask", code=1).splitlines()
    assert lines[2].split() == ["0", "10", "name", "홍길동"]
    assert lines[3] == "10      2      cnt    ! not all of it is ASCII digits"
    assert "0x" not in "".join(lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("CLCNNB00002",),
            (
                "there is no layout CLCNNB00002: below infra/mci no class has that name or that interface id. Did you "
                "mean CLCNNB00001?"
            ),
        ),
        (
            ("X", "--system", "cfpb"),
            (
                "there is no layout X of the system cfpb: below infra/mci no class has that name or that interface id. "
                "There are: CLCNNB00001."
            ),
        ),
        (
            ("CLCNNB00001", "--lang", "ko", "--system", "x"),
            (
                "CLCNNB00001 레이아웃이 없습니다(시스템 x). infra/mci 아래에 그 이름이나 인터페이스 ID의 클래스가 "
                "없습니다. CLCNNB00001을(를) 찾으십니까?"
            ),
        ),
        (("CLCNNB00001", "--hex", "none.hex"), "none.hex: No such file or directory"),
        (
            ("CLCNNB00001", "--hex", "bad.hex"),
            "line 1, column 1: no hex digit; write 0-9 and a-f, two for each byte, and # before a comment",
        ),
    ],
)
def test_what_cannot_be_shown_is_told(
    words: tuple[str, ...], message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "bad.hex").write_text("x\n", encoding="utf-8")
    assert said(capsys, *words, code=2) == f"axhub layout show: {message}\n"


def test_a_system_without_an_envelope_has_data_sections_only(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src/t_tools/infra/mci/cfpa/envelope.py").unlink()
    (project / "captured.hex").write_text(ANSWER, encoding="utf-8")
    assert said(capsys, "CLCNNB00001", "--hex", "captured.hex", "--system", "cfpa", code=2) == (
        "axhub layout show: the system cfpa has no ENVELOPE in infra/mci/cfpa/envelope.py, so only data sections can "
        "be shown; leave --system out\n"
    )


def test_a_module_that_cannot_be_imported_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = project / "src/t_tools/infra/mci/cfpa/io/clcnnb00001.py"
    place.write_text("raise ValueError('not today')\n", encoding="utf-8")
    assert said(capsys, "CLCNNB00001", code=2) == (
        "axhub layout show: t_tools.infra.mci.cfpa.io.clcnnb00001 cannot be imported: ValueError: not "
        "today; `axhub check` shows the line\n"
    )


def test_a_project_without_telegrams_says_how_to_get_some(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "t-tools"\n\n[tool.axhub]\n', encoding="utf-8")
    (tmp_path / "t_tools").mkdir()
    assert said(capsys, "X", "--project", str(tmp_path), code=2) == (
        "axhub layout show: there is no layout X: below infra/mci no class has that name or that interface id. There "
        "is none at all; `axhub new layout ID --system NAME --from-sheet FILE` makes some.\n"
    )


def test_outside_of_a_project_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no Tool Service project is here" in said(capsys, "X", "--project", str(tmp_path), code=2)
