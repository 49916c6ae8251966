"""The page about telegrams is walked through by a reader who types what it says, from a sheet to a served tool."""

from pathlib import Path

import pytest

from support import tree
from support.author import axhub
from support.ports import free_ports
from support.walkthrough import Walk

PAGE = (tree.ROOT / "docs" / "howto" / "mci.md").read_text(encoding="utf-8")


@pytest.mark.req("toolkit/B1", "toolkit/B4", "toolkit/T5")
@pytest.mark.timeout(120)
def test_the_way_from_a_sheet_to_a_served_tool_is_as_the_page_says(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    axhub(tmp_path, "new", "service", "claim-tools", "--lang", "ko")
    configuration = tmp_path / "claim-tools/src/claim_tools/config/service.yaml"
    configuration.write_text(configuration.read_text(encoding="utf-8").replace("8081", str(port)), encoding="utf-8")
    walk = Walk(tmp_path / "claim-tools", {"8081": str(port)})
    try:
        walk.follow(PAGE)
    finally:
        ended = walk.close()
    assert (ended, len(walk.typed)) == ([0], 14)
    made = (tmp_path / "claim-tools/src/claim_tools/infra/mci/cfpa/io/clcnnb00001.py").read_text(encoding="utf-8")
    shown = PAGE.partition("```python\nclass CLCNNB00001_O")[2].partition("```")[0]
    assert shown in made
