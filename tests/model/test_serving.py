"""The server of a small model, asked by the clients that an agent asks through; here a script writes (agent/A10)."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from axhub.agent.config.model import Framework, ModelSettings
from axhub.agent.domain.messages import AssistantMessage, CallRequest, ModelTurn, TurnRequest, Usage, UserMessage
from axhub.agent.models import turns_of
from axhub.agent.ports.turns import ModelRefusedError
from support import tree
from support.talks import REFUND, SEARCH
from tools.small_model.engine import PromptError, Written
from tools.small_model.server import PORT, ModelServer
from tools.small_model.wire import MODEL

PIECE: Final = 3
TOOLS: Final = (SEARCH, REFUND)


@dataclass
class Script:
    """See `Engine`; it writes what it is told to."""

    text: str = ""
    is_cut: bool = False
    asked: list[tuple[str, Mapping[str, Any], int]] = field(default_factory=list)

    def write(self, prompt: str, schema: Mapping[str, Any], most: int, on_text: Callable[[str], None]) -> Written:
        self.asked.append((prompt, schema, most))
        if not self.text:
            raise PromptError("the prompt is too long")
        for start in range(0, len(self.text), PIECE):
            on_text(self.text[start : start + PIECE])
        return Written(31, 7, self.is_cut)


@dataclass
class Served:
    script: Script
    server: ModelServer
    noted: list[Mapping[str, Any]]

    async def ask(self, framework: Framework, on_text: Callable[[str], None] | None, **said: Any) -> ModelTurn:
        settings = ModelSettings(model="openai:small", framework=framework, base_url=self.server.base_url)
        turns = turns_of(settings, {})
        try:
            return await turns.take(TurnRequest("You help.", (UserMessage("ORD-1?"),), TOOLS, **said), on_text)
        finally:
            await turns.aclose()

    def send(self, body: bytes, path: str = "/v1/chat/completions") -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_address[1], timeout=20)
        try:
            connection.request("POST" if body else "GET", path, body or None)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()


@pytest.fixture
def served() -> Iterator[Served]:
    noted: list[Mapping[str, Any]] = []
    script = Script()
    with ModelServer(script, 0, noted.append) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Served(script, server, noted)
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("framework", list(Framework))
async def test_a_call_and_a_text_come_through_either_framework(
    served: Served, framework: Framework, is_streamed: bool
) -> None:
    heard: list[str] = []
    listen = heard.append if is_streamed else None
    served.script.text = '{"tool": "search_orders", "arguments": {"text": "모니터"}}'
    turn = await served.ask(framework, listen)
    assert turn.message == AssistantMessage("", (CallRequest("call_1", "search_orders", '{"text": "모니터"}'),))
    assert turn.usage == Usage(31, 7)
    served.script.text = '{"answer": "여기 \\ud83d\\ude00 있어요."}'
    turn = await served.ask(framework, listen)
    assert turn.message == AssistantMessage("여기 😀 있어요.")
    assert "".join(heard) == ("여기 😀 있어요." if is_streamed else "")
    assert len(heard) > 1 or not is_streamed
    assert [json.loads(one["body"]).get("stream") is True for one in served.noted] == [is_streamed] * 2
    assert dict(served.noted[0]["headers"])["authorization"] == "Bearer no-key"


@pytest.mark.parametrize("framework", list(Framework))
async def test_a_forced_tool_leaves_nothing_else_to_write(served: Served, framework: Framework) -> None:
    served.script.text = '{"tool": "refund_order", "arguments": {}}'
    await served.ask(framework, None, forced_tool="refund_order")
    ((_, schema, _),) = served.script.asked
    assert [branch["properties"]["tool"] for branch in schema["anyOf"]] == [{"const": "refund_order"}]


@pytest.mark.parametrize("framework", list(Framework))
@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
async def test_a_prompt_that_is_too_long_is_refused(served: Served, framework: Framework, is_streamed: bool) -> None:
    with pytest.raises(ModelRefusedError):
        await served.ask(framework, list[str]().append if is_streamed else None)
    assert len(served.script.asked) == 1


def test_what_was_cut_says_so(served: Served) -> None:
    served.script.text, served.script.is_cut = '{"tool": "search_orders", "arguments": {"text": "aaa', True
    tools = [{"type": "function", "function": {"name": "search_orders"}}]
    body = {"messages": [{"role": "user", "content": "hi"}], "tools": tools, "max_tokens": 20}
    status, answer = served.send(json.dumps(body).encode())
    (choice,) = answer["choices"]
    assert (status, choice["finish_reason"]) == (200, "length")
    assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"text": "aaa'
    assert served.script.asked[0][2] == 20


@pytest.mark.parametrize(
    "body", [b"no JSON", b"[]", b"{}", b'{"messages": []}x', b'{"messages": [1]}', b'{"messages": [], "tools": [{}]}']
)
def test_what_is_no_request_is_refused_before_a_model_sees_it(served: Served, body: bytes) -> None:
    status, answer = served.send(body)
    assert (status, answer["error"]["type"]) == (400, "invalid_request_error")
    assert served.script.asked == []


def test_the_page_about_assistants_says_how_it_is_asked() -> None:
    page = (tree.ROOT / "docs" / "howto" / "assistant.md").read_text(encoding="utf-8")
    for said in (f"`AXHUB_MODEL=openai:{MODEL}`", f"`AXHUB_MODEL_BASE_URL=http://127.0.0.1:{PORT}/v1`"):
        assert said in page


def test_it_lists_its_one_model_and_has_nothing_else(served: Served) -> None:
    status, models = served.send(b"", "/v1/models")
    assert (status, [one["id"] for one in models["data"]]) == (200, [MODEL])
    assert served.send(b"", "/v1/files")[0] == 404
    assert served.send(b"{}", "/v1/completions")[0] == 404
