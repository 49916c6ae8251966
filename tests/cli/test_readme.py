"""The README says what is so: its configuration reference, its paths, its examples."""

import ast
import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from axhub.cli.main import build_parser
from axhub.gateway.config.reference import reference_markdown

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def between(marker: str) -> str:
    found = re.search(rf"<!-- {marker}:start[^>]*-->\n(.*?)<!-- {marker}:end -->", README, re.DOTALL)
    assert found, f"README.md lacks the markers of {marker}"
    return found[1]


def blocks(language: str) -> list[str]:
    return [
        re.sub(r"^ {3}", "", text, flags=re.MULTILINE) if indent else text
        for indent, text in re.findall(rf"^( *)```{language}\n(.*?)^ *```$", README, re.DOTALL | re.MULTILINE)
    ]


def test_the_configuration_reference_is_the_one_that_the_code_gives() -> None:
    given = reference_markdown()
    assert between("reference").strip() == given.strip(), f"put this between the markers of README.md:\n{given}"


@pytest.mark.parametrize("marker", ["bench", "conformance"])
def test_the_measured_tables_have_their_place(marker: str) -> None:
    assert between(marker).strip()


def test_every_link_leads_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_client_configuration_is_json_and_the_others_parse_too() -> None:
    assert [json.loads(block)["servers"]["axhub"]["type"] for block in blocks("json")] == ["http"]
    assert [next(iter(yaml.safe_load(block))) for block in blocks("yaml")] == ["name", "mcp"]
    assert len(blocks("python")) >= 1
    assert [block for block in blocks("python") if not ast.parse(block).body] == []


def test_every_command_in_it_is_one_that_the_command_line_takes() -> None:
    commands = [line.strip() for block in blocks("sh") for line in block.splitlines() if "axhub " in line]
    assert len(commands) >= 5
    for command in commands:
        words = shlex.split(command, comments=True)
        assert callable(build_parser().parse_args(words[words.index("axhub") + 1 :]).run)
