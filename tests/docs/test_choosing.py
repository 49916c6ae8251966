"""Whoever follows the page about choosing sees what it shows: the report, the mended one, and other queries."""

from pathlib import Path

import pytest

from support import tree
from support.walkthrough import Walk

PAGE = tree.ROOT / "docs" / "howto" / "choosing.md"


@pytest.mark.req("rule/TK921")
def test_the_page_is_followed_to_its_end(tmp_path: Path) -> None:
    walk = Walk(tmp_path)
    walk.follow(PAGE.read_text(encoding="utf-8"))
    assert walk.typed == [
        "axhub check --selection",
        "axhub check --selection",
        "axhub check --selection --queries tests/held-out.csv",
    ]
