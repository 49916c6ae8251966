"""The page about tools of a gateway is walked through by a reader who has a gateway with the insurer's tools."""

import asyncio
import re
from pathlib import Path

import pytest

from axhub.agent.adapters.mcp_tools.judging import NotOffered
from axhub.agent.adapters.mcp_tools.link import Failure
from axhub.agent.domain.limits import Limits
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.effects import Noted
from support import tree
from support.ports import free_ports
from support.process import declared, gateway_process, mcp
from support.service_process import service_process
from support.walkthrough import Walk, blocks

PAGE = (tree.ROOT / "docs" / "howto" / "gateway-tools.md").read_text(encoding="utf-8")
PROJECT = tree.ROOT / "examples" / "insurance_tools"


@pytest.mark.req("agent/A9")
@pytest.mark.timeout(240)
def test_the_way_to_a_gateways_tools_is_as_the_page_says(tmp_path: Path) -> None:
    asyncio.run(_walked(tmp_path))


async def _walked(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    said = {"AXHUB_SERVICE__SERVER__PORT": str(port), "INSURANCE_TOOLS_REPEATS": str(tmp_path / "repeats.sqlite3")}
    async with service_process("insurance_tools", "--profile", "local", cwd=PROJECT, **said) as service:
        await service.ready()
        bundle = declared("insurance-tools", f"http://127.0.0.1:{service.port}/tool-manifest")
        async with gateway_process(tmp_path, mcp(bundle)) as gateway:
            reader = tmp_path / "reader"
            reader.mkdir()
            walk = Walk(reader, {"127.0.0.1:8080": f"127.0.0.1:{gateway.port}"})
            await asyncio.to_thread(walk.follow, PAGE)
    assert len(walk.typed) == 8


@pytest.mark.req("agent/A9")
def test_the_words_of_the_page_are_those_of_the_code() -> None:
    words = set(re.findall(r"`([a-z_]+)`", PAGE))
    reasons = {one.value for one in NotOffered}
    failures = {one.value for one in Failure}
    told = {Noted.TOOL_NOT_OFFERED, Noted.CATALOGUE_READ, Noted.CATALOGUE_FAILED, Noted.CALL_NOT_TAKEN}
    assert (reasons | failures | set(told)) - words == set()
    stops = set(re.findall(r"`Stopped\(\"([a-z_]+)\"\)`", PAGE))
    assert stops == {StopReason.TOOLS_UNAVAILABLE, StopReason.TOO_MANY_TOOLS}
    assert f"more than {Limits().tools} tools" in PAGE


def test_every_block_of_it_is_used_but_the_installation() -> None:
    fences = re.findall(r"^```[a-z]+$", PAGE, re.MULTILINE)
    assert (len(fences) - len(blocks(PAGE)), PAGE.count("```sh\n")) == (1, 1)
