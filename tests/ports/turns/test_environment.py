"""Nothing around a process decides where a conversation goes: no variable, no tracing that somebody switched on."""

import asyncio
import socket
from collections.abc import Iterator, Sequence
from typing import Any

import langsmith
import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith.utils import get_env_var
from opentelemetry.trace import NoOpTracer, Tracer, TracerProvider
from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models.test import TestModel

from axhub.agent.config.model import Framework
from support.loopback_only import LeftThisMachineError, loopback_only
from support.model_server import Text
from support.talks import KEY, WIRES, Talk
from support.talks import talk as open_talk
from support.tool_service import ToolService, reply

pytestmark = [pytest.mark.req("agent/A8", "agent/A7")]

_KEPT: Any = get_env_var
"""It is typed without its cache."""
OTHER_KEY = "sk-of-the-environment"


class Tracers(TracerProvider):
    """Notes who begins a span."""

    def __init__(self) -> None:
        self.spans: list[str] = []

    def get_tracer(self, *said: Any, **more: Any) -> Tracer:
        return _Noting(self.spans)


class _Noting(NoOpTracer):
    def __init__(self, spans: list[str]) -> None:
        self._spans = spans

    def start_span(self, name: str, *said: Any, **more: Any) -> Any:
        self._spans.append(name)
        return super().start_span(name, *said, **more)


@pytest.fixture
def tracers() -> Iterator[Tracers]:
    """Switch pydantic-ai's tracing on for the whole process."""
    tracers = Tracers()
    Agent.instrument_all(InstrumentationSettings(tracer_provider=tracers))
    yield tracers
    Agent.instrument_all(instrument=False)


@pytest.fixture
def fresh_langsmith() -> Iterator[None]:
    """Have LangSmith read its variables anew; it keeps what it has read."""
    _KEPT.cache_clear()
    yield
    _KEPT.cache_clear()


async def _elsewhere(monkeypatch: pytest.MonkeyPatch, service: ToolService, names: Sequence[str]) -> None:
    for name in names:
        monkeypatch.setenv(name, service.origin)


async def test_addresses_keys_and_proxies_of_the_environment_do_not_count(
    framework: Framework, is_streamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ToolService() as other:
        names = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL")
        await _elsewhere(monkeypatch, other, [*names, "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"])
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
            monkeypatch.setenv(name, OTHER_KEY)
        for wire in WIRES:
            async with open_talk(framework, wire, is_streamed=is_streamed) as talk:
                talk.says(Text("Hello"))
                assert (await talk.ask()).message.text == "Hello"
                head = talk.service.requests[-1].head
                assert KEY.encode() in head
                assert OTHER_KEY.encode() not in head
        assert other.connections == 0


async def test_nobody_traces_a_conversation(
    talk: Talk, tracers: Tracers, monkeypatch: pytest.MonkeyPatch, fresh_langsmith: None
) -> None:
    async with ToolService() as traces:
        for target in ("/info", "/runs/multipart", "/runs/batch", "/runs"):
            traces.on(target, reply())
        await _elsewhere(monkeypatch, traces, ["LANGSMITH_ENDPOINT"])
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        monkeypatch.setenv("LANGSMITH_API_KEY", OTHER_KEY)
        assert langsmith.utils.tracing_is_enabled() is True
        talk.says(Text("Hello"))
        assert (await talk.ask()).message.text == "Hello"
        await asyncio.to_thread(wait_for_all_tracers)
        assert tracers.spans == []
        assert traces.connections == 0


async def test_the_frameworks_would_trace_if_we_let_them(tracers: Tracers, fresh_langsmith: None) -> None:
    """What the test before relies on."""
    await model_request(TestModel(), [ModelRequest.user_text_prompt("Hello")])
    assert tracers.spans != []


def test_what_leaves_this_machine_is_refused_and_noted() -> None:
    with loopback_only() as refused:
        with socket.socket() as one, pytest.raises(LeftThisMachineError):
            one.connect(("192.0.2.1", 443))
        with pytest.raises(LeftThisMachineError):
            socket.getaddrinfo("api.example.com", 443)
        assert refused == ["socket.connect 192.0.2.1", "socket.getaddrinfo api.example.com"]
        refused.clear()
