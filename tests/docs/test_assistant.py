"""The page about an assistant is walked through by a reader who types what it says, in an empty folder."""

import re
from pathlib import Path

import pytest

from axhub.agent.config.model import Framework, ModelSettings, settings_from
from support import tree
from support.walkthrough import Walk, blocks

PAGE = (tree.ROOT / "docs" / "howto" / "assistant.md").read_text(encoding="utf-8")


@pytest.mark.needs("sqlite3")
@pytest.mark.req("agent/A3", "agent/A11")
@pytest.mark.timeout(180)
def test_the_way_to_an_assistant_is_as_the_page_says(tmp_path: Path) -> None:
    walk = Walk(tmp_path)
    walk.follow(PAGE)
    assert len(walk.typed) == 9


@pytest.mark.req("agent/A10")
def test_the_variables_that_choose_a_model_are_those_that_are_read() -> None:
    named = set(re.findall(r"`(AXHUB_MODEL\w*)`", PAGE))
    environ = {name: "file" if name.endswith("_FILE") else "http://127.0.0.1:1" for name in named}
    environ |= {"AXHUB_MODEL": "openai:one", "AXHUB_MODEL_FRAMEWORK": "langchain", "AXHUB_MODEL_KEY_VARIABLE": "KEY"}
    assert settings_from(environ) == ModelSettings(
        model="openai:one",
        framework=Framework.LANGCHAIN,
        base_url="http://127.0.0.1:1",
        key_variable="KEY",
        proxy="http://127.0.0.1:1",
        ca_file="file",
    )
    assert len(named) == 6


def test_every_block_of_it_is_used_but_the_installation() -> None:
    fences = re.findall(r"^```[a-z]+$", PAGE, re.MULTILINE)
    assert (len(fences) - len(blocks(PAGE)), PAGE.count("```sh\n")) == (1, 1)
