"""The tutorial is walked through by a reader who types what it says and looks at what comes back."""

import re
import time
from pathlib import Path
from typing import Final

import pytest

from axhub.cli.main import build_parser
from support import tree
from support.ports import free_ports
from support.walkthrough import Walk, blocks

PAGE = (tree.ROOT / "docs" / "tutorial" / "first-tool.md").read_text(encoding="utf-8")
SHOWN_PORTS = ("8081", "8080", "9090")
SECONDS_OF_A_READER = 600


@pytest.mark.req("toolkit/T5")
@pytest.mark.timeout(180)
def test_the_tutorial_is_as_it_says(tmp_path: Path) -> None:
    tools, mcp, management = free_ports(3)
    own = {
        "8081": str(tools),
        "8080": str(mcp),
        "9090": str(management),
        "$ cd claim-tools\n": f"$ cd claim-tools\n$ sed -i s/8081/{tools}/ src/claim_tools/config/service.yaml\n",
        "axhub gateway --config gateway.yaml": (
            f"axhub gateway --config gateway.yaml --port {mcp} --management-port {management}"
        ),
    }
    walk = Walk(tmp_path, own)
    began = time.monotonic()
    try:
        walk.follow(PAGE)
    finally:
        walk.close()
    assert len(walk.typed) > 15
    assert time.monotonic() - began < SECONDS_OF_A_READER


EXTRA_OF: Final = {
    **dict.fromkeys(("check", "explain", "mock", "new", "service"), "toolkit"),
    **dict.fromkeys(("gateway", "manifest"), ""),
    "tools": "client",
}


@pytest.mark.req("toolkit/T5")
def test_the_installation_brings_what_each_command_of_the_page_needs() -> None:
    commands = set(re.findall(r"^\$ axhub ([a-z]+)", PAGE, re.MULTILINE))
    installed = re.search(r"^pip install 'axhub\[([a-z,]+)\]' pytest$", PAGE, re.MULTILINE)
    assert installed is not None
    assert {EXTRA_OF[command] for command in commands} - {""} == set(installed[1].split(","))
    assert all(command in build_parser([command]).format_help() for command in EXTRA_OF)


def test_every_block_of_it_is_used_but_the_installation() -> None:
    fences = re.findall(r"^```[a-z]+$", PAGE, re.MULTILINE)
    assert (len(fences) - len(blocks(PAGE)), PAGE.count("```sh\n")) == (2, 2)
