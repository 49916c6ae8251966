"""The service in this process, with the samples in place of the systems behind it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import pytest

from axhub.toolkit import HttpClient, RepeatStore, ToolService
from axhub.toolkit.testing import MemoryRepeatStore, ToolAnswer, call_tool
from axhub.toolkit.testing_http import ScriptedHttp

SAMPLES = files("insurance_tools") / "samples"


@pytest.fixture
def answers() -> dict[str, Any]:
    """Return what each API answers: the first sample, unless a test puts something else here."""
    return {
        sample.name.removeprefix("http-").removesuffix(".json"): json.loads(sample.read_text(encoding="utf-8"))
        for folder in SAMPLES.iterdir()
        for sample in folder.iterdir()
    }


@pytest.fixture
def http(answers: dict[str, Any]) -> ScriptedHttp:
    """Return all systems behind the tools; they keep what they were asked."""
    return ScriptedHttp({api: lambda sent: answers[sent.api] for api in answers})


@pytest.fixture
def service(http: ScriptedHttp) -> ToolService:
    """Return the service, not started."""
    provide = {HttpClient: http, RepeatStore: MemoryRepeatStore()}
    return ToolService("insurance_tools", provide=provide, profile="local")


@pytest.fixture
def call(service: ToolService) -> Callable[[str, Mapping[str, Any]], ToolAnswer]:
    """Return what calls a tool of it."""
    return lambda name, arguments: asyncio.run(call_tool(service, name, arguments))
