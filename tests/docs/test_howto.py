"""The how-tos say what is so: their code runs in a service as `axhub new` makes it, their commands exist."""

import ast
import re
from pathlib import Path

import pytest
import yaml

from axhub.cli.main import build_parser
from axhub.toolkit.rules.all import ALL
from support import requirement_ids, tree
from support.author import axhub, run

pytestmark = pytest.mark.req("toolkit/T5")

PAGES = sorted((tree.ROOT / "docs").glob("howto/*.md"))
SEED = tree.ROOT / "docs" / "reference" / "seed-003.md"
RULES = {rule.id for rule in ALL}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_what_it_says_it_is(page: Path) -> None:
    for block in blocks(page, "python"):
        ast.parse(block if "await" not in block or "def " in block else f"async def _() -> None:\n{_indented(block)}")
    for block in blocks(page, "yaml"):
        assert isinstance(yaml.safe_load(block), dict)


def _indented(block: str) -> str:
    return "".join(f"    {line}" for line in block.splitlines(keepends=True))


def test_the_tests_of_the_page_about_tests_pass_in_a_new_service(tmp_path: Path) -> None:
    project = tmp_path / "claim-tools"
    axhub(tmp_path, "new", "service", "claim-tools", "--lang", "ko")
    axhub(project, "new", "tool", "cmm_claim_search", "--http", "claim", "--lang", "ko")
    code = blocks(tree.ROOT / "docs" / "howto" / "testing.md", "python")
    for number, block in enumerate(code):
        (project / "tests" / f"test_page_{number}.py").write_text(block, encoding="utf-8")
    ran = run(project, "pytest", "-q", "-W", "error", *[f"tests/test_page_{number}.py" for number in range(len(code))])
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("page", [*PAGES, SEED], ids=lambda page: page.stem)
def test_every_rule_that_is_named_is_one(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"\bTK\d{3}\b", text)) - RULES == set()


def test_the_table_of_the_guide_names_every_rule() -> None:
    text = SEED.read_text(encoding="utf-8")
    named = set(re.findall(r"\bTK\d{3}\b", text))
    for first, last in re.findall(r"\bTK(\d{3}) to TK(\d{3})\b", text):
        named |= {f"TK{number}" for number in range(int(first), int(last) + 1)}
    assert {rule for rule in RULES if rule > "TK1"} - named == set()


def test_what_the_table_of_the_guide_says_about_severity_is_so() -> None:
    wrong = []
    for held in re.findall(r"^\| [^|]+ \| ([^|]+) \|", SEED.read_text(encoding="utf-8"), re.MULTILINE):
        for listed, letter in re.findall(r"((?:TK\d{3}(?:, )?)+) \(([EW])\)", held):
            for rule in re.findall(r"TK\d{3}", listed):
                found = next((one.severity.value for one in ALL if one.id == rule), None)
                if found is not None and found[0].upper() != letter:
                    wrong.append(f"{rule} is {found}")
    assert wrong == []


def test_every_requirement_that_the_table_of_the_guide_names_is_known() -> None:
    named = set(re.findall(r"\btoolkit/[A-Z]\d+\b", SEED.read_text(encoding="utf-8")))
    assert named - set(requirement_ids.listed()) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_that_is_named_exists(page: Path) -> None:
    for command in re.findall(r"`axhub ((?:new )?[a-z]+)", page.read_text(encoding="utf-8")):
        parser = build_parser(command.split())
        assert command.split()[0] in parser.format_help()
