"""`axhub new layout`: what it makes of sheets, what it says of faults, and what it never touches."""

from pathlib import Path

import pytest

from axhub.cli.main import main
from support.author import contents

pytestmark = pytest.mark.req("toolkit/B1", "toolkit/T5")

REQUEST = "필드명,타입,길이\nCLM_NO,문자,16\n"
ANSWER = "field,type,size,note\nSTATE,text,2,state\nAMOUNT,num,13,\n"
LAYOUT = ("new", "layout", "CLCNNB00001", "--system", "cfpa", "--from-sheet", "request.csv", "--lang", "en")
BOTH = (*LAYOUT, "--response", "answer.csv")
FOLDER = "src/claim_tools/infra/mci"
MODULE = f"{FOLDER}/cfpa/io/clcnnb00001.py"
MADE = {
    f"{FOLDER}/__init__.py": '"""Systems that are reached by telegrams, one folder for each of them."""\n',
    f"{FOLDER}/cfpa/__init__.py": '"""The system cfpa."""\n',
    f"{FOLDER}/cfpa/io/__init__.py": '"""Telegrams of the system cfpa, one module for each interface."""\n',
    MODULE: '''\
"""The telegrams of CLCNNB00001, as their sheets have them."""

from typing import Annotated

from axhub.toolkit.mci import Layout, Num, Text


class CLCNNB00001_I(Layout, id="CLCNNB00001", charset="euc-kr", size=16):
    """The question."""

    clm_no: Annotated[str, Text(16)]


class CLCNNB00001_O(Layout, id="CLCNNB00001", charset="euc-kr", size=15):
    """The answer."""

    state: Annotated[str, Text(2)]  # state
    amount: Annotated[int, Num(13)]
''',
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A new service with two sheets in its folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "service", "claim-tools", "--lang", "en"]) == 0
    capsys.readouterr()
    root = tmp_path / "claim-tools"
    monkeypatch.chdir(root)
    (root / "request.csv").write_bytes(REQUEST.encode("cp949"))
    (root / "answer.csv").write_bytes(ANSWER.encode("utf-8-sig"))
    return root


def made(root: Path) -> dict[str, str]:
    return {path: text for path, text in contents(root / "src").items() if "/mci/" in path}


def test_the_sheets_of_question_and_answer_become_one_module_with_its_packages(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(BOTH) == 0
    assert made(project) == {path.removeprefix("src/"): text for path, text in MADE.items()}
    assert capsys.readouterr().out.splitlines() == [
        *(f"  made         {path}" for path in sorted(MADE)),
        "Then:",
        "  axhub layout show CLCNNB00001",
        "  axhub new tool NAME --mci CLCNNB00001",
    ]


def test_a_dry_run_lists_the_same_files_and_makes_none(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTH, "--dry-run"]) == 0
    assert made(project) == {}
    assert capsys.readouterr().out.splitlines() == [
        "This would be made; nothing was written:",
        *(f"  made         {path}" for path in sorted(MADE)),
    ]


def test_running_it_twice_changes_nothing_and_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(BOTH) == 0
    before = contents(project / "src")
    capsys.readouterr()
    assert main(BOTH) == 0
    assert contents(project / "src") == before
    assert capsys.readouterr().out.startswith("Everything is there already; nothing was changed.\nThen:\n")


def test_a_module_that_somebody_has_changed_stays_and_that_is_said(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(BOTH) == 0
    (project / MODULE).write_text("ours\n", encoding="utf-8")
    capsys.readouterr()
    assert main(BOTH) == 0
    assert (project / MODULE).read_text(encoding="utf-8") == "ours\n"
    assert (
        f"{MODULE} is there with another content, and stays as it is. To make it anew from the sheets, move it away "
        "first."
    ) in capsys.readouterr().out.splitlines()


def test_without_a_sheet_of_the_answer_its_class_is_missing_and_that_is_said(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*LAYOUT, "--charset", "cp949"]) == 0
    assert 'class CLCNNB00001_I(Layout, id="CLCNNB00001", charset="cp949", size=16)' in made(project)[MODULE[4:]]
    assert (
        "There is no sheet of the answer: CLCNNB00001_O is missing. Write --response FILE, or the class by hand."
    ) in capsys.readouterr().out.splitlines()


def test_all_faults_of_both_sheets_are_told_and_nothing_is_made(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "request.csv").write_text("field,type,size\nA,text,x\nA,texts,1\n", encoding="utf-8")
    (project / "answer.csv").write_text("field,type,size\nencode,text,1\n", encoding="utf-8")
    assert main(BOTH) == 2
    assert made(project) == {}
    assert capsys.readouterr().err.splitlines() == [
        'axhub new: request.csv: row 2, column C (size): "x" is no size; write the number of bytes, from 1 to 99999',
        'axhub new: request.csv: row 3, column A (field): "a" is the name of row 2 already; give one of them another',
        (
            'axhub new: request.csv: row 3, column B (type): "texts" is no type; write text, num, packed, date, time, '
            "filler, or group for one that has members"
        ),
        (
            'axhub new: answer.csv: row 2, column A (field): "encode" cannot be the name of a field, since it means '
            "something else in every layout; write another, such as encode_value"
        ),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("CL", "--system", "cfpa", "--from-sheet", "request.csv"),
            (
                "The interface id 'CL' cannot be used. Write 3 to 32 characters A-Z, 0-9 and _, the first a letter, "
                "such as CLCNNB00001."
            ),
        ),
        (
            ("TRY", "--system", "cfpa", "--from-sheet", "request.csv"),
            (
                "The interface id 'TRY' cannot be used. Write 3 to 32 characters A-Z, 0-9 and _, the first a letter, "
                "such as CLCNNB00001."
            ),
        ),
        (
            ("CLCNNB00001", "--system", "CFPA", "--from-sheet", "request.csv"),
            (
                "The system name 'CFPA' cannot be used. Write at most 40 characters a-z, 0-9 and _, the first a "
                "letter, such as cfpa."
            ),
        ),
        (
            ("CLCNNB00001", "--system", "cfpa", "--from-sheet", "none.csv"),
            "[Errno 2] No such file or directory: 'none.csv'",
        ),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(
    words: tuple[str, ...], message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "layout", *words, "--lang", "en"]) == 2
    assert (made(project), capsys.readouterr().err) == ({}, f"axhub new: {message}\n")


def test_a_module_that_a_new_folder_would_hide_is_in_the_way(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / FOLDER).mkdir()
    (project / f"{FOLDER}/cfpa.py").write_text("ours\n", encoding="utf-8")
    assert main(BOTH) == 2
    assert capsys.readouterr().err == (
        f"axhub new: Nothing was made: {FOLDER}/cfpa.py would be hidden by a folder of the same name. Move what is in "
        "it into that folder.\n"
    )


def test_messages_are_in_korean_if_asked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LAYOUT[:-1], "ko"]) == 0
    assert "응답 시트가 없어 CLCNNB00001_O 클래스를 만들지 않았습니다." in capsys.readouterr().out
