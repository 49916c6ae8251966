"""Turns through LangChain's chat models and `bind_tools`; no agent, graph, retry or trace of it is used (agent/A8)."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable
from langsmith import tracing_context

from axhub.agent.adapters.turns import langchain_messages as translated
from axhub.agent.adapters.turns.clients import failure_of
from axhub.agent.adapters.turns.endings import finish_of
from axhub.agent.adapters.turns.history import as_sent
from axhub.agent.adapters.turns.lanes import MOST_CALLS, Lanes
from axhub.agent.adapters.turns.tries import FailedTryError
from axhub.agent.domain.messages import FinishReason, ModelTurn, ToolSchema, TurnRequest, Usage

__all__ = ["LangChainTurns"]

_ANY_ID: Final = frozenset({"openai-chat"})
"""Kinds of models that take call ids of any characters."""
_ENDINGS: Final = ("finish_reason", "stop_reason", "stopReason", "done_reason")
"""Where models of the framework's packages say why an answer ended."""


_TOO_MANY: Final = "length"
"""What counts as the ending of an answer that was read no further."""


class LangChainTurns:
    """See `tries.OneTry`; over any chat model of LangChain that takes tools."""

    def __init__(
        self, model: BaseChatModel, close: Callable[[], Awaitable[object]] | None = None, *, tells_endings: bool = False
    ) -> None:
        """Take a model.

        Args:
            model: without retries of its own.
            close: closes its connections.
            tells_endings: a whole stream of it always says why it ended; one that does not was cut.
        """
        self._model = model
        self._close = close
        self._tells_endings = tells_endings
        name = getattr(model, "model_name", None) or getattr(model, "model", "")
        self._by = f"langchain {model._llm_type}:{name}"  # noqa: SLF001 -- the only name of its kind that a model has
        self._any_id = model._llm_type in _ANY_ID  # noqa: SLF001 -- as above

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None) -> ModelTurn:
        """See `OneTry`."""
        history = as_sent(request.messages, any_id=self._any_id)
        messages = translated.messages_of(history, request.instructions, self._by)
        model = self._with_tools(request.tools, request.forced_tool)
        try:
            with tracing_context(enabled=False):
                if on_text is None:
                    answer = await model.ainvoke(messages)
                    calls, ending = translated.calls_of(answer), _ending(answer)
                else:
                    answer, calls, ending = await self._streamed(model, messages, on_text)
                    ending = _TOO_MANY if len(calls) > MOST_CALLS else ending
        except Exception as error:
            raise _failure(error) from error
        finish = _finish(answer, ending)
        said = answer.usage_metadata
        usage = Usage() if said is None else Usage(said["input_tokens"], said["output_tokens"])
        return ModelTurn(translated.message_of(answer, calls, self._by), usage, finish)

    async def aclose(self) -> None:
        """See `OneTry`."""
        if self._close is not None:
            await self._close()

    def _with_tools(self, tools: Sequence[ToolSchema], forced: str | None) -> Runnable[Any, AIMessage]:
        if not tools:
            return self._model
        shown = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            }
            for tool in tools
        ]
        return self._model.bind_tools(shown) if forced is None else self._model.bind_tools(shown, tool_choice=forced)

    async def _streamed(
        self, model: Runnable[Any, AIMessage], messages: list[BaseMessage], on_text: Callable[[str], None]
    ) -> tuple[AIMessage, list[translated.Call], str]:
        lanes, ending = Lanes(), ""
        more: dict[int, dict[str, Any]] = {}
        whole: AIMessageChunk | None = None
        async for chunk in model.astream(messages):
            if not isinstance(chunk, AIMessageChunk):
                continue
            for piece in translated.pieces_of(chunk):
                fragment = lanes.add(piece.index, piece.id, piece.name, piece.arguments)
                more.setdefault(fragment.lane, {}).update(piece.more)
            ending = _ending(chunk) or ending  # of two, the sum of the chunks would have both in one word
            whole = translated.without_pieces(chunk) if whole is None else whole + translated.without_pieces(chunk)
            if chunk.text:
                on_text(chunk.text)
            if lanes.is_full:
                break
        if whole is None or (self._tells_endings and not ending and not lanes.is_full):
            raise FailedTryError("a stream that was cut", passing=True)
        return whole, [translated.Call(call, more[number]) for number, call in enumerate(lanes.calls())], ending


def _ending(answer: AIMessage) -> str:
    said = next((said for name in _ENDINGS if (said := answer.response_metadata.get(name))), "")
    return str(said)


def _finish(answer: AIMessage, ending: str) -> FinishReason:
    """Return why the answer ended.

    Raises:
        FailedTryError: by an error, by the provider's filter, or since the model declined in the provider's own way.
    """
    return finish_of("refusal" if answer.additional_kwargs.get("refusal") else ending)


def _failure(error: Exception) -> FailedTryError:
    if isinstance(error, FailedTryError):
        return error
    return failure_of(error) or FailedTryError("an answer that cannot be read", passing=True)
