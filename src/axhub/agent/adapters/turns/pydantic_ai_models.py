"""Models of pydantic-ai, set up from what is needed to reach them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from openai.types import chat
from openai.types.chat import chat_completion_chunk
from pydantic_ai.messages import ModelResponseStreamEvent
from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from axhub.agent.adapters.turns.clients import Reach, anthropic_client, openai_client
from axhub.agent.adapters.turns.lanes import Lanes, with_ids
from axhub.agent.domain.messages import CallRequest

__all__ = ["model_named", "model_of"]


def model_of(name: str, reach: Reach) -> Model[Any]:
    """Return a model of one of the two wires."""
    if reach.provider == "anthropic":
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=anthropic_client(reach)))
    # Without this a stream that ends early would pass for a whole answer, calls that are missing included.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return _ChatModel(name, provider=OpenAIProvider(openai_client=openai_client(reach)), profile=profile)


def model_named(name: str) -> Model[Any]:
    """Return any other model that the framework knows by its name; it reads its own variables.

    Raises:
        pydantic_ai.exceptions.UserError, ValueError: it is unknown, or a variable is missing.
    """
    return infer_model(name)


@dataclass
class _Response(OpenAIStreamedResponse):
    """A streamed answer whose fragments find their calls by our rules (agent/L9)."""

    _lanes: Lanes = field(default_factory=Lanes, init=False)

    def _map_tool_call_delta(self, choice: chat_completion_chunk.Choice) -> Iterable[ModelResponseStreamEvent]:
        """See the base class."""
        for delta in choice.delta.tool_calls or ():
            said = delta.function
            index: int | None = getattr(delta, "index", None)
            arguments = None if said is None else said.arguments
            fragment = self._lanes.add(index, delta.id, None if said is None else said.name, arguments)
            delta.index, delta.id = fragment.lane, fragment.id
            if said is not None:
                said.name = fragment.name
        return super()._map_tool_call_delta(choice)


class _ChatModel(OpenAIChatModel):
    """Chat completions, streamed as above; calls without ids are taken in whole answers too."""

    def _validate_completion(self, response: chat.ChatCompletion) -> Any:
        """See the base class."""
        for choice in response.choices or ():
            called = getattr(choice.message, "tool_calls", None) or ()
            given = [CallRequest(getattr(one, "id", None) or "", "", "") for one in called]
            for one, named in zip(called, with_ids(given), strict=True):
                one.id = named.id
        return super()._validate_completion(response)

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        """See the base class."""
        return _Response
