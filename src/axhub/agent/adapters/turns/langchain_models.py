"""Chat models of LangChain, set up from what is needed to reach them.

Its chat completions lose what this library needs: arguments as they were written, fragments without an index, and
members that a server wants back, such as `reasoning_content`. They are kept here, in the places that LangChain's own
packages for such servers use.
"""

from functools import cached_property
from typing import Any, Final

import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr, SecretStr

from axhub.agent.adapters.turns.clients import Reach, anthropic_client, openai_client
from axhub.agent.adapters.turns.langchain import LangChainTurns
from axhub.agent.adapters.turns.langchain_messages import MORE, RAW_CALLS

__all__ = ["turns_through_langchain"]

_REASONING: Final = ("reasoning_content", "reasoning")
"""Members of messages with what the model thought; servers that send one want it back while tools are called."""


def turns_through_langchain(name: str, reach: Reach, max_output_tokens: int | None) -> LangChainTurns:
    """Return turns of a model of one of the two wires."""
    said: dict[str, Any] = {} if max_output_tokens is None else {"max_tokens": max_output_tokens}
    key = SecretStr(reach.key)
    if reach.provider == "anthropic":
        client = anthropic_client(reach)
        talking = _Anthropic(model_name=name, api_key=key, base_url=reach.address, max_retries=0, cache=False, **said)
        talking._own_client = client  # noqa: SLF001 -- a private attribute of the class below
        return LangChainTurns(talking, client.close, tells_endings=True)
    root = openai_client(reach)
    model = _OpenAI(
        model=name,
        api_key=key,
        base_url=reach.address,
        max_retries=0,
        cache=False,
        stream_usage=True,
        use_responses_api=False,
        stream_chunk_timeout=None,
        async_client=root.chat.completions,
        root_async_client=root,
        **said,
    )
    return LangChainTurns(model, root.close, tells_endings=True)


class _Anthropic(ChatAnthropic):
    """Messages over our own client."""

    _own_client: anthropic.AsyncAnthropic = PrivateAttr()

    @cached_property
    def _async_client(self) -> anthropic.AsyncAnthropic:
        """See the base class."""
        return self._own_client


class _OpenAI(ChatOpenAI):
    """Chat completions that lose nothing."""

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        """See the base class."""
        data = response.model_dump(warnings=False) if isinstance(response, openai.BaseModel) else response
        result = super()._create_chat_result(_without_calls(data, "message"), generation_info)
        for generation, choice in zip(result.generations, data["choices"], strict=True):
            _keep(generation.message.additional_kwargs, choice["message"])
        return result

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        """See the base class."""
        bare = _without_calls(chunk, "delta")
        made = super()._convert_chunk_to_generation_chunk(bare, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or ()
        if made is not None and choices:
            _keep(made.message.additional_kwargs, choices[0].get("delta") or {})
        return made

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """See the base class."""
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        for message, sent in zip(self._convert_input(input_).to_messages(), payload["messages"], strict=True):
            if isinstance(message, AIMessage):
                _send_back(message.additional_kwargs, sent)
        return payload


def _without_calls(data: Any, member: str) -> Any:
    """Return a response without its calls: LangChain would parse them, and fail at arguments that are no object."""
    if not isinstance(data, dict) or not data.get("choices"):
        return data
    choices = [
        choice | {member: {name: value for name, value in choice[member].items() if name != "tool_calls"}}
        if choice.get(member)
        else choice
        for choice in data["choices"]
    ]
    return data | {"choices": choices}


def _keep(kwargs: dict[str, Any], said: dict[str, Any]) -> None:
    """Keep what came over the wire with a message, or with a piece of one."""
    if said.get("tool_calls") is not None:
        kwargs[RAW_CALLS] = said["tool_calls"]
    kwargs.update({name: said[name] for name in (*_REASONING, "refusal") if said.get(name)})


def _send_back(kwargs: dict[str, Any], sent: dict[str, Any]) -> None:
    sent.update({name: kwargs[name] for name in _REASONING if name in kwargs})
    more = kwargs.get(MORE, {})
    for call in sent.get("tool_calls", ()):
        call.update(more.get(call["id"], {}))
