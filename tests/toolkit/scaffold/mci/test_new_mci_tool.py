"""`axhub new tool --mci`: what it makes, which layouts it takes, and what it never touches."""

from pathlib import Path

import pytest
import yaml

from axhub.cli.main import main
from support.author import contents

pytestmark = pytest.mark.req("toolkit/T5")

TOOL = ("new", "tool", "cmm_claim_search", "--mci", "CLCNNB00001", "--lang", "en")
SKETCHED = (*TOOL, "--system", "cfpa")
PACKAGE = "src/claim_tools"
SYSTEM = f"{PACKAGE}/infra/mci/cfpa"
TOOL_FILES = {
    f"{PACKAGE}/biz/cmm/__init__.py",
    f"{PACKAGE}/biz/cmm/converter/__init__.py",
    f"{PACKAGE}/biz/cmm/converter/claim_search.py",
    f"{PACKAGE}/biz/cmm/dto/__init__.py",
    f"{PACKAGE}/biz/cmm/dto/claim_search.py",
    f"{PACKAGE}/biz/cmm/usecase/__init__.py",
    f"{PACKAGE}/biz/cmm/usecase/claim_search.py",
    f"{PACKAGE}/infra/mci/__init__.py",
    f"{SYSTEM}/__init__.py",
    f"{SYSTEM}/client.py",
    f"{SYSTEM}/envelope.py",
    f"{SYSTEM}/io/__init__.py",
    f"{SYSTEM}/io/clcnnb00001.py",
    f"{PACKAGE}/samples/cmm_claim_search/mci-CLCNNB00001.json",
    f"{PACKAGE}/tool_definitions/cmm/cmm_claim_search.yml",
    "tests/test_cmm_claim_search.py",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A new service, whose folder is the current one."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "service", "claim-tools", "--lang", "en"]) == 0
    capsys.readouterr()
    monkeypatch.chdir(tmp_path / "claim-tools")
    return tmp_path / "claim-tools"


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 2
    return capsys.readouterr().err


def test_a_new_tool_has_these_files_and_its_system_stands_in_the_configuration(project: Path) -> None:
    before = contents(project)
    assert main(SKETCHED) == 0
    after = contents(project)
    assert set(after) - set(before) == TOOL_FILES
    configuration = f"{PACKAGE}/config/service.yaml"
    assert {path for path in before if before[path] != after[path]} == {configuration}
    assert yaml.safe_load(after[configuration])["glow"]["communication"]["mci"]["system-list"] == [
        {
            "name": "cfpa",
            "host": "${AXHUB_CFPA_MCI_HOST:localhost}",
            "port": "${AXHUB_CFPA_MCI_PORT:0}",
            "lengthField": {"kind": "ascii", "size": 8},
        }
    ]


def test_every_place_that_a_person_must_write_is_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SKETCHED) == 0
    said = capsys.readouterr().out.partition("Left to write")[2].partition("Then:")[0].splitlines()[1:]
    listed = {":".join(line.strip().split(":")[:2]) for line in said}
    marked = {
        f"{path}:{at}"
        for path in TOOL_FILES
        for at, line in enumerate((project / path).read_text(encoding="utf-8").splitlines(), 1)
        if "TODO" in line
    }
    assert listed == marked
    assert f"  {SYSTEM}/envelope.py:8: # TODO header and message as the documents of the system have them" in said


def test_a_dry_run_lists_the_same_files_and_makes_none(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(project)
    assert main([*SKETCHED, "--dry-run"]) == 0
    dry = capsys.readouterr().out.splitlines()
    assert contents(project) == before
    assert main(SKETCHED) == 0
    said = capsys.readouterr().out.partition("Then:")[0].splitlines()
    assert dry == ["This would be made; nothing was written:", *said]


@pytest.mark.parametrize("edited", [False, True], ids=["as-made", "edited"])
def test_running_it_twice_changes_nothing_and_says_so(
    edited: bool, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(SKETCHED) == 0
    if edited:
        for path in (f"{PACKAGE}/biz/cmm/dto/claim_search.py", f"{SYSTEM}/envelope.py", f"{SYSTEM}/io/clcnnb00001.py"):
            place = project / path
            place.write_text(place.read_text(encoding="utf-8") + "\n# ours\n", encoding="utf-8")
    before = contents(project)
    capsys.readouterr()
    assert main(TOOL) == 0
    assert capsys.readouterr().out.startswith("Everything is there already; nothing was changed.\n")
    assert contents(project) == before


def test_a_second_tool_of_a_system_shares_its_client_envelope_and_entry(project: Path) -> None:
    assert main(SKETCHED) == 0
    before = contents(project)
    assert main(["new", "tool", "cmm_claim_count", "--mci", "CLCNNB00002"]) == 0
    after = contents(project)
    assert {path: after[path] for path in before} == before
    assert f"{SYSTEM}/io/clcnnb00002.py" in after


def test_layouts_that_are_there_are_taken_with_all_their_fields(project: Path) -> None:
    io = project / SYSTEM / "io"
    io.mkdir(parents=True)
    for folder in (io, io.parent, io.parent.parent):
        (folder / "__init__.py").write_text("", encoding="utf-8")
    (io / "claims.py").write_text(
        "from typing import Annotated\n\nfrom axhub.toolkit.mci import Layout, Text\n\n\n"
        'class CLCNNB00001_I(Layout, id="CLCNNB00001"):\n    key: Annotated[str, Text(5)]\n\n\n'
        'class CLCNNB00001_O(Layout, id="CLCNNB00001"):\n    words: Annotated[str | None, Text(9)]\n',
        encoding="utf-8",
    )
    assert main(TOOL) == 0
    after = contents(project)
    assert f"{SYSTEM}/io/clcnnb00001.py" not in after
    assert (
        "from claim_tools.infra.mci.cfpa.io.claims import CLCNNB00001_I, CLCNNB00001_O"
        in (after[f"{PACKAGE}/biz/cmm/converter/claim_search.py"])
    )
    assert after[f"{PACKAGE}/samples/cmm_claim_search/mci-CLCNNB00001.json"] == '{"words": "A-0001"}\n'
    schema = yaml.safe_load(after[f"{PACKAGE}/tool_definitions/cmm/cmm_claim_search.yml"])["parameters_schema"]
    assert schema == {
        "type": "object",
        "properties": {"key": {"type": "string", "description": "TODO what key is", "minLength": 1, "maxLength": 5}},
        "required": ["key"],
        "additionalProperties": False,
    }


def test_without_layouts_the_system_has_to_be_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, *TOOL) == (
        "axhub new: Nothing was made: it is not known which system has the interface. Write --system NAME.\n"
    )
    for system in ("cfpa", "cfpb"):
        assert main(["new", "tool", f"cmm_{system}_get", "--mci", "CLCNNB00002", "--system", system]) == 0
    capsys.readouterr()
    assert refused(capsys, *TOOL) == (
        "axhub new: Nothing was made: it is not known which system has the interface. Write --system NAME. There are: "
        "cfpa, cfpb.\n"
    )
    assert refused(capsys, "new", "tool", "cmm_claim_get", "--mci", "CLCNNB00002", "--lang", "ko") == (
        "axhub new: 어느 시스템의 인터페이스인지 알 수 없어 아무것도 만들지 않았습니다. --system NAME을 쓰십시오. "
        "있는 시스템: cfpa, cfpb.\n"
    )


def test_a_layout_without_its_other_half_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "request.csv").write_text("field,type,size\nA,text,5\n", encoding="utf-8")
    assert main(["new", "layout", "CLCNNB00001", "--system", "cfpa", "--from-sheet", "request.csv"]) == 0
    capsys.readouterr()
    assert refused(capsys, *TOOL) == (
        "axhub new: Nothing was made: claim_tools.infra.mci.cfpa.io.clcnnb00001 has no layout CLCNNB00001_O. A tool "
        "needs both, what is asked (_I) and what is answered (_O): write the class CLCNNB00001_O.\n"
    )


def test_a_client_that_cannot_be_used_is_named_with_what_it_lacks(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = project / SYSTEM / "client.py"
    place.parent.mkdir(parents=True)
    for folder in (place.parent, place.parent.parent):
        (folder / "__init__.py").write_text("", encoding="utf-8")
    place.write_text('class Core:\n    SYSTEM = "other"\n', encoding="utf-8")
    assert refused(capsys, *SKETCHED) == (
        f"axhub new: Nothing was made: {SYSTEM}/client.py has no class with SYSTEM = 'cfpa' and a method `async def "
        "call(self, request: Layout, response_type: type[A]) -> A`. Add it, or write another name after --system.\n"
    )


def test_a_file_of_something_else_is_never_overwritten_and_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = project / PACKAGE / "biz/cmm/converter/claim_search.py"
    place.parent.mkdir(parents=True)
    place.write_text("ours\n", encoding="utf-8")
    before = contents(project)
    assert f"belong to something else: {PACKAGE}/biz/cmm/converter/claim_search.py. " in refused(capsys, *SKETCHED)
    assert contents(project) == before


def test_a_package_that_cannot_be_imported_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / PACKAGE / "infra/mci").mkdir()
    (project / PACKAGE / "infra/mci/__init__.py").write_text("raise ValueError('not today')\n", encoding="utf-8")
    assert refused(capsys, *SKETCHED) == (
        "axhub new: claim_tools.infra.mci cannot be imported: ValueError: not today; `axhub check` shows the line\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("cmm_claim_search", "--http", "claim", "--system", "cfpa"),
            "--system names the system of an MCI interface; write --mci ID with it.",
        ),
        (
            ("cmm_claim_search", "--mci", "X-1"),
            (
                "The interface id 'X-1' cannot be used. Write 3 to 32 characters A-Z, 0-9 and _, the first a letter, "
                "such as CLCNNB00001."
            ),
        ),
        (
            ("cmm_claim_search", "--mci", "CLCNNB00001", "--system", "Core"),
            (
                "The system name 'Core' cannot be used. Write at most 40 characters a-z, 0-9 and _, the first a "
                "letter, such as cfpa."
            ),
        ),
        (("", "--mci", "CLCNNB00001"), "The tool name is empty."),
    ],
)
def test_names_are_checked_before_anything_else(
    words: tuple[str, ...], message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, "new", "tool", *words, "--lang", "en") == f"axhub new: {message}\n"


def test_a_configuration_that_cannot_be_added_to_is_left_and_the_entry_is_shown(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration = project / PACKAGE / "config/service.yaml"
    configuration.write_text("mcp: {bundleId: claim-tools}\nglow: {}\n", encoding="utf-8")
    assert main(SKETCHED) == 0
    assert f"  add this to  {PACKAGE}/config/service.yaml: glow.communication.mci.system-list:\n- name: cfpa\n" in (
        capsys.readouterr().out
    )


def test_what_goes_around_the_data_is_in_the_charset_of_the_data(project: Path) -> None:
    (project / "sheet.csv").write_text("field,type,size\nNAME,text,10\n", encoding="utf-8")
    sheets = ("--from-sheet", "sheet.csv", "--response", "sheet.csv")
    assert main(["new", "layout", "CLCNNB00001", "--system", "cfpa", *sheets, "--charset", "cp949"]) == 0
    assert main(TOOL) == 0
    envelope = contents(project)[f"{SYSTEM}/envelope.py"]
    assert [line for line in envelope.splitlines() if "charset" in line] == [
        'class CfpaHeader(Layout, charset="cp949", size=73):',
        'class CfpaMessage(Layout, charset="cp949", size=88):',
    ]
