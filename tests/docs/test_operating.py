"""From source to a service in operation: the pages about it are walked through, with the service of the tutorial."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import tree
from support.author import axhub
from support.ports import free_ports
from support.walkthrough import Walk

TUTORIAL = tree.ROOT / "docs" / "tutorial" / "first-tool.md"
HOWTO = tree.ROOT / "docs" / "howto"
_ARGUMENTS = """-H 'Content-Type: application/json' -d '{"number": "A-1"}'"""


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """A reader with a new service, on a port of his own."""
    (port,) = free_ports(1)
    axhub(tmp_path, "new", "service", "claim-tools", "--lang", "ko")
    axhub(tmp_path / "claim-tools", "new", "tool", "cmm_claim_search", "--http", "claim", "--lang", "ko")
    configuration = tmp_path / "claim-tools/src/claim_tools/config/service.yaml"
    configuration.write_text(configuration.read_text(encoding="utf-8").replace("8081", str(port)), encoding="utf-8")
    found = Walk(tmp_path / "claim-tools", {"8081": str(port)})
    files, fence = r"<!-- file: src/.*? -->\n", r"```[a-z]+\n.*?^```$"
    text = TUTORIAL.read_text(encoding="utf-8")
    found.follow("\n\n".join(re.findall(files + fence, text, re.MULTILINE | re.DOTALL)))
    try:
        yield found
    finally:
        found.close()


@pytest.mark.req("toolkit/T5", "toolkit/S6", "toolkit/S7")
@pytest.mark.timeout(120)
def test_the_way_from_source_to_operation_is_as_the_pages_say(walk: Walk) -> None:
    for page in ("build-gate", "operate"):
        walk.follow((HOWTO / f"{page}.md").read_text(encoding="utf-8"))
    assert walk.close() == [0]
    assert len(walk.typed) == 9


@pytest.mark.req("toolkit/T5", "toolkit/B4")
@pytest.mark.timeout(120)
def test_a_second_tool_on_an_api_is_answered_from_its_own_samples(walk: Walk) -> None:
    walk.follow((HOWTO / "http.md").read_text(encoding="utf-8"))
    sample = walk.folder / "src/claim_tools/samples/cmm_claim_count/http-claim.json"
    sample.write_text('{"number": "A-0009", "state": "1", "closed": ""}', encoding="utf-8")
    calls = [
        f"$ curl -s http://127.0.0.1:8081/tools/{tool} {_ARGUMENTS}\n{said}"
        for tool, said in (("cmm_claim_count", "…A-0009…"), ("cmm_claim_search", "…A-0001…"))
    ]
    start = "$ axhub service claim_tools --profile local"
    walk.follow(f"<!-- stays: http://127.0.0.1:8081/actuator/health/readiness -->\n```console\n{start}\n```\n")
    walk.follow("```console\n{}\n```\n".format("\n".join(calls)))
    assert walk.close() == [0]
