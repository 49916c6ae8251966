"""The service in this process, with the samples in place of the systems behind it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import pytest

from axhub.toolkit import HttpClient, MciClient, RepeatStore, ToolService
from axhub.toolkit.testing import MemoryRepeatStore, ScriptedHttp, ScriptedMci, ToolAnswer, call_tool
from insurance_tools.infra.mci.cfpa.io.lninnb00001 import LNINNB00001_O

SAMPLES = files("insurance_tools") / "samples"


@pytest.fixture
def answers() -> dict[str, Any]:
    """Return what each API answers: the first sample, unless a test puts something else here."""
    return {
        sample.name.removeprefix("http-").removesuffix(".json"): json.loads(sample.read_text(encoding="utf-8"))
        for folder in SAMPLES.iterdir()
        for sample in folder.iterdir()
        if sample.name.startswith("http-")
    }


@pytest.fixture
def telegrams() -> dict[str, Any]:
    """Return what the core system answers to each interface: its sample, unless a test puts something else here."""
    answers: dict[str, Any] = {
        interface: json.loads((SAMPLES / tool / f"mci-{interface}.json").read_text(encoding="utf-8"))
        for tool, interface in (("cmm_hospital_search", "HSPINB00001"), ("ins_surrender_inquiry", "SRINNB00001"))
    }
    captured = (SAMPLES / "ins_loan_inquiry" / "mci-LNINNB00001.hex").read_text(encoding="utf-8")
    digits = "".join(line.partition("#")[0] for line in captured.splitlines())
    return {**answers, "LNINNB00001": LNINNB00001_O.decode(bytes.fromhex(digits))}


@pytest.fixture
def http(answers: dict[str, Any]) -> ScriptedHttp:
    """Return all systems behind the tools; they keep what they were asked."""
    return ScriptedHttp({api: lambda sent: answers[sent.api] for api in answers})


@pytest.fixture
def mci(telegrams: dict[str, Any]) -> ScriptedMci:
    """Return the core system; it keeps what it was asked."""
    return ScriptedMci({interface: lambda sent: telegrams[sent.interface] for interface in telegrams})


@pytest.fixture
def service(http: ScriptedHttp, mci: ScriptedMci) -> ToolService:
    """Return the service, not started."""
    provide = {HttpClient: http, MciClient: mci, RepeatStore: MemoryRepeatStore()}
    return ToolService("insurance_tools", provide=provide, profile="local")


@pytest.fixture
def call(service: ToolService) -> Callable[[str, Mapping[str, Any]], ToolAnswer]:
    """Return what calls a tool of it."""
    return lambda name, arguments: asyncio.run(call_tool(service, name, arguments))
