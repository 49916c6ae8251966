"""What `axhub new` makes works at once: its own tests pass, linter and type checker are content, the check is."""

import re
from pathlib import Path

import pytest

from support import tree
from support.author import axhub, run

pytestmark = pytest.mark.req("toolkit/T5")

ASKED = """\
field,type,size,sign,required,occurs
CONTRACT_NO,text,12,,,
BASE_DT,date,,,N,
SENT_AT,date,14,,,
ROOM,packed,5,,N,
CNT,num,2,,,
KINDS,group,,,,0-9 CNT
KINDS.NM,text,4,,,
"""
TOLD = """\
필드명,타입,길이,소수,부호,필수,반복,설명
CONTRACT_STATE_OF_THE_WHOLE_HOUSEHOLD,문자,10,,,,,계약의 모든 상태
RATE,숫자,7,4,뒤,N,,이율
RESERVE,packed,7,2,,,,
OPENED_AT,일시,14,,,N,,
CLOSES_AT,시각,,,,,,
ADDR,그룹,,,,,,
ADDR.CITY,문자,20,,,,,
ROW_CNT,숫자,3,,,,,
PAYS,그룹,,,,,3 ROW_CNT,
PAYS.PAID_ON,날짜,8,,,N,,
PAYS.AMOUNT,숫자,13,,앞,,,
KINDS,그룹,,,,,2,
KINDS.NM,문자,4,,,,,
,예비,5,,,,,
"""
"""Sheets with every kind of field, for a tool that is made from its layouts."""


@pytest.fixture(scope="module", params=["en", "ko"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    axhub(folder, "new", "service", "claim-tools", "--lang", request.param)
    for tool, api in (
        ("cmm_claim_search", "claim"),
        ("cmm_import", "claim"),
        ("ins_contract_detail_get", "contract_v2"),
    ):
        axhub(folder / "claim-tools", "new", "tool", tool, "--http", api, "--lang", request.param)
    made = folder / "claim-tools"
    (folder / "asked.csv").write_text(ASKED, encoding="utf-8")
    (folder / "told.csv").write_text(TOLD, encoding="cp949")
    sheets = ("--from-sheet", "../asked.csv", "--response", "../told.csv")
    axhub(made, "new", "layout", "PYHSNB00001", "--system", "cfpa", *sheets, "--charset", "cp949")
    for tool, options in (
        ("ins_payment_list", ("PYHSNB00001",)),
        ("cmm_loan_quote", ("LNQTNB00001", "--system", "cfpa")),
        ("cmm_loan_get", ("LNQTNB00001",)),
    ):
        axhub(made, "new", "tool", tool, "--mci", *options, "--lang", request.param)
    return made


def test_a_service_without_tools_is_checked_by_pytest_and_passes(tmp_path: Path) -> None:
    axhub(tmp_path, "new", "service", "claim-tools")
    ran = run(tmp_path / "claim-tools", "pytest", "-q", "-W", "error")
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout


def test_each_tool_brings_three_tests_and_all_pass(project: Path) -> None:
    ran = run(project, "pytest", "-q", "-W", "error")
    checks_of_the_plugin = 7
    assert (ran.returncode, f"{6 * 3 + checks_of_the_plugin} passed" in ran.stdout) == (0, True), ran.stdout


def test_the_check_finds_only_what_a_person_must_write(project: Path) -> None:
    said = axhub(project, "check", "--lang", "en")
    found = {line.split(": ")[1].removeprefix("warning ") for line in said.splitlines() if ": warning " in line}
    assert found <= {"TK103", "TK303", "TK901"}
    assert {"TK303", "TK901"} <= found
    assert " error" not in said.splitlines()[0]


@pytest.mark.req("toolkit/B1")
def test_a_tool_in_front_of_telegrams_is_made_from_the_layouts_that_are_there(project: Path) -> None:
    converter = (project / "src/claim_tools/biz/ins/converter/payment_list.py").read_text(encoding="utf-8")
    assert "from claim_tools.infra.mci.cfpa.io.pyhsnb00001 import " in converter
    assert "pays=[_payment_list_response_pays_row(row) for row in answer.pays]," in converter
    assert "opened_at=None if answer.opened_at is None else answer.opened_at.isoformat()," in converter
    assert "sent_at=datetime.fromisoformat(request.sent_at)," in converter
    sketch = (project / "src/claim_tools/infra/mci/cfpa/io/lnqtnb00001.py").read_text(encoding="utf-8")
    assert 'class LNQTNB00001_O(Layout, id="LNQTNB00001", charset="euc-kr", size=41):' in sketch


def test_the_check_names_the_places_that_the_command_listed_and_no_others(project: Path) -> None:
    listed = axhub(project, "new", "tool", "cmm_import", "--http", "claim", "--lang", "en").splitlines()
    checked = [line for line in axhub(project, "check", "--lang", "en").splitlines() if " TK303: " in line]
    to_write = re.compile(r" *(src/[^:]*import[^:]*:[0-9]+):")
    placed, told = ([found[1] for line in lines if (found := to_write.match(line))] for lines in (listed, checked))
    assert placed
    assert sorted(told) == sorted(placed)


def test_linter_and_formatter_have_nothing_to_say(project: Path) -> None:
    rules = "F,E,W,I,UP,B,N,SIM,PL,RUF"
    others = "RUF001,PLR2004,N801"  # layouts have the names of their interfaces
    ran = run(
        project, "ruff", "check", "--isolated", "--line-length=120", f"--select={rules}", f"--ignore={others}", "."
    )
    assert ran.returncode == 0, ran.stdout
    ran = run(project, "ruff", "format", "--isolated", "--line-length=120", "--diff", ".")
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("project", ["en"], indirect=True)
def test_the_type_checker_has_nothing_to_say(project: Path) -> None:
    cache = f"--cache-dir={tree.ROOT / '.mypy_cache' / 'generated'}"  # other options than ours would spoil our cache
    ran = run(project / "src", "mypy", "--strict", "--config-file=", cache, "--package", "claim_tools")
    assert ran.returncode == 0, ran.stdout
