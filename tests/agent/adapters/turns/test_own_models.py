"""Model objects of a framework that somebody else has made."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCallChunk
from langchain_core.messages.tool import invalid_tool_call
from langchain_core.outputs import ChatGenerationChunk
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from axhub.agent.adapters.turns.langchain import LangChainTurns
from axhub.agent.adapters.turns.pydantic_ai import PydanticAiTurns
from axhub.agent.adapters.turns.tries import OneTry, RetryingTurns
from axhub.agent.domain.messages import AssistantMessage, CallRequest, TurnRequest, UserMessage
from support.talks import SEARCH, Clock

pytestmark = [pytest.mark.req("agent/A10")]

EXPECTED = AssistantMessage(
    "Hm.", (CallRequest("a", "search_orders", '{"text": "주문"}'), CallRequest("b", "search_orders", '{"text'))
)


def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    calls = [ToolCallPart("search_orders", text, id_) for id_, text in (("a", '{"text": "주문"}'), ("b", '{"text'))]
    return ModelResponse([TextPart("Hm."), *calls])


async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    yield "Hm."
    for at, call in enumerate(EXPECTED.calls):
        yield {at: DeltaToolCall(name=call.name, json_args=call.arguments, tool_call_id=call.id)}


class Fake(GenericFakeChatModel):
    """LangChain's own, which takes tools and streams calls."""

    def bind_tools(self, tools: Any, **said: Any) -> Any:
        return self

    async def _astream(
        self, messages: list[BaseMessage], *said: Any, **more: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=AIMessageChunk(content="Hm."))
        for at, call in enumerate(EXPECTED.calls):
            piece = ToolCallChunk(name=call.name, args=call.arguments, id=call.id, index=at, type="tool_call_chunk")
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[piece]))


def langchains() -> BaseChatModel:
    good = {"name": "search_orders", "args": {"text": "주문"}, "id": "a"}
    bad = invalid_tool_call(name="search_orders", args='{"text', id="b", error=None)
    return Fake(messages=iter([AIMessage("Hm.", tool_calls=[good], invalid_tool_calls=[bad])]))


@pytest.fixture(params=["pydantic-ai", "langchain"])
def once(request: pytest.FixtureRequest) -> OneTry:
    if request.param == "langchain":
        return LangChainTurns(langchains())
    return PydanticAiTurns(FunctionModel(answer, stream_function=stream))


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_they_are_asked_as_all_others(once: OneTry, is_streamed: bool) -> None:
    heard: list[str] = []
    turns = RetryingTurns(once, Clock())
    turn = await turns.take(TurnRequest("", (UserMessage("Hello"),), (SEARCH,)), heard.append if is_streamed else None)
    assert turn.message == EXPECTED
    assert heard == (["Hm."] if is_streamed else [])
    await turns.aclose()
