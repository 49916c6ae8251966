"""The page about MCP servers: its configuration is good, and its command says so of a real server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.contract.endpoints import parse_url
from axhub.contract.manifest import ManifestPolicy, Rejected, check_manifest, run
from support import tree
from support.mcp_sdk_server import example_server, serving
from support.walkthrough import Walk

PAGE = tree.ROOT / "docs" / "howto" / "mcp-servers.md"


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    with serving(example_server()) as server:
        found = Walk(tmp_path, {"9600": server.url.rpartition(":")[2].partition("/")[0]})
        try:
            yield found
        finally:
            found.close()


@pytest.mark.req("gateway/P11", "gateway/C4")
def test_the_way_of_the_page_leads_to_a_checked_bundle(walk: Walk) -> None:
    walk.follow(PAGE.read_text(encoding="utf-8"))
    assert [command.split()[:3] for command in walk.typed] == [["axhub", "gateway", "check"]]
    assert walk.close() == []


@pytest.mark.req("gateway/P11")
def test_the_rules_that_the_page_names_are_those_that_are_broken() -> None:
    named = set(re.findall(r"^\| `([a-z.]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    page = b"""{"tools": [
        {"name": "x y", "inputSchema": {"type": "object", "$schema": "http://json-schema.org/draft-04/schema#"}},
        {"name": "other", "description": "Another tool.", "inputSchema": {"type": "object"}}
    ]}"""
    policy = ManifestPolicy("weather", "weather_", mcp_server=parse_url("http://server.example/mcp"))
    rejected = run(check_manifest(page, policy))
    assert isinstance(rejected, Rejected)
    assert {finding.rule for finding in rejected.findings} == named
