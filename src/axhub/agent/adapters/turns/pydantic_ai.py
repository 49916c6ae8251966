"""Turns through pydantic-ai's direct model requests, which execute nothing (agent/A8).

Neither its agents nor its tool loop, retries, retry texts or traces are used.
"""

from collections.abc import Callable
from dataclasses import replace
from inspect import isawaitable
from typing import Any, Final

from pydantic_ai import exceptions
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings as Said
from pydantic_ai.tools import ToolDefinition

from axhub.agent.adapters.turns import pydantic_ai_messages as translated
from axhub.agent.adapters.turns.clients import failure_of
from axhub.agent.adapters.turns.endings import finish_of
from axhub.agent.adapters.turns.history import as_sent
from axhub.agent.adapters.turns.lanes import MOST_CALLS
from axhub.agent.adapters.turns.tries import FailedTryError, of_status
from axhub.agent.domain.messages import ModelTurn, ToolSchema, TurnRequest, Usage

__all__ = ["PydanticAiTurns"]

_ANY_ID: Final = frozenset({"openai"})
"""Providers that take call ids of any characters."""
_MARKED_END: Final = frozenset({"anthropic"})
"""Providers whose whole answers always say why they ended; the framework looks at the others itself."""


class PydanticAiTurns:
    """See `tries.OneTry`; over any model of pydantic-ai."""

    def __init__(self, model: Model[Any], *, max_output_tokens: int | None = None) -> None:
        self._model = model
        self._by = f"pydantic-ai {model.system}:{model.model_name}"
        self._max_output_tokens = max_output_tokens

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None) -> ModelTurn:
        """See `OneTry`."""
        history = as_sent(request.messages, any_id=self._model.system in _ANY_ID)
        messages = translated.messages_of(history, request.instructions, self._model, self._by)
        said = self._settings(request)
        tools = ModelRequestParameters(function_tools=[_tool(tool) for tool in request.tools])
        try:
            if on_text is None:
                response = await model_request(
                    self._model, messages, model_settings=said, model_request_parameters=tools, instrument=False
                )
            else:
                response = await self._streamed(messages, said, tools, on_text)
        except Exception as error:
            raise _failure(error) from error
        finish = finish_of(_ending(response))
        usage = Usage(response.usage.input_tokens, response.usage.output_tokens)
        return ModelTurn(translated.message_of(response, self._by), usage, finish)

    async def aclose(self) -> None:
        """See `OneTry`."""
        close = getattr(getattr(self._model, "client", None), "close", None)
        closing = None if close is None else close()
        if isawaitable(closing):
            await closing

    async def _streamed(
        self, messages: translated.Messages, said: Said, tools: ModelRequestParameters, on_text: Callable[[str], None]
    ) -> ModelResponse:
        async with model_request_stream(
            self._model, messages, model_settings=said, model_request_parameters=tools, instrument=False
        ) as stream:
            calls = 0
            async for event in stream:
                piece = _text(event)
                if piece:
                    on_text(piece)
                calls += _is_call(event)
                if calls > MOST_CALLS:
                    return replace(stream.get(), finish_reason="length")  # an answer that is read no further
            response = stream.get()
        if response.provider_name in _MARKED_END and not _ending(response):
            raise FailedTryError("a stream that was cut", passing=True)
        return response

    def _settings(self, request: TurnRequest) -> Said:
        said = Said(max_retries=0)
        if self._max_output_tokens is not None:
            said["max_tokens"] = self._max_output_tokens
        if request.forced_tool is not None:
            said["tool_choice"] = [request.forced_tool]
        return said


def _tool(tool: ToolSchema) -> ToolDefinition:
    # `strict` would have the framework rewrite the schema; what the model is shown is what calls are held against.
    return ToolDefinition(
        name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters), strict=False
    )


def _text(event: object) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=piece)):
            return piece
        case PartDeltaEvent(delta=TextPartDelta(content_delta=piece)):
            return piece
        case _:
            return ""


def _is_call(event: object) -> bool:
    return isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart)


def _ending(response: ModelResponse) -> str:
    """Return why the answer ended: in the framework's word, or in the provider's if that has none for it."""
    return response.finish_reason or str((response.provider_details or {}).get("finish_reason") or "")


def _failure(error: Exception) -> FailedTryError:
    match error:
        case FailedTryError():
            return error
        case exceptions.ModelHTTPError():
            return of_status(error.status_code, error.retry_after)
        case exceptions.ModelTimeoutError():
            return FailedTryError("a timeout", passing=True)
        case exceptions.ModelConnectionError():
            return FailedTryError("no connection, or one that broke", passing=True)
        case exceptions.ModelRequestRejectedError() | exceptions.ContentFilterError() | exceptions.UserError():
            return FailedTryError("a request that it does not take", passing=False)
        case exceptions.ModelAPIError():
            # Below it may be a status that the framework has no word for.
            cause = None if error.__cause__ is None else failure_of(error.__cause__)
            return cause or FailedTryError("an error inside the answer", passing=True, retry_after=error.retry_after)
        case _:
            return FailedTryError("an answer that cannot be read", passing=True)
