"""A model behind a loopback server, asked through one framework over one wire."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.agent.adapters.turns.tries import Patience, RetryingTurns
from axhub.agent.config.model import Framework, ModelSettings
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    FinishReason,
    Message,
    ModelTurn,
    ToolSchema,
    TurnRequest,
    Usage,
    UserMessage,
)
from axhub.agent.models import turns_of
from axhub.agent.testing import ScriptedTurns
from support.model_server import (
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    AnthropicWire,
    Called,
    OpenAIWire,
    Part,
    Text,
    Wire,
    streamed,
    whole,
)
from support.tool_service import ToolService

KEY: Final = "sk-of-the-test"
ENVIRON: Final = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
WIRES: Final = (OpenAIWire(), AnthropicWire())
READ_SECONDS: Final = 20.0
"""Of a server that answers at once: what a test of time-outs says instead is short."""
SEARCH: Final = ToolSchema(
    "search_orders",
    "Finds orders.",
    {
        "type": "object",
        "properties": {"text": {"type": "string", "minLength": 1}, "limit": {"type": "integer"}},
        "required": ["text"],
        "additionalProperties": False,
    },
)
REFUND: Final = ToolSchema("refund_order", "Refunds one.", {"type": "object", "properties": {}})


class Clock:
    """Time that passes only when somebody sleeps; it notes for how long."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return sum(self.slept)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@dataclass
class Talk:
    """What a test needs of it."""

    framework: Framework
    wire: Wire
    service: ToolService
    turns: RetryingTurns
    clock: Clock
    is_streamed: bool = False
    pieces: list[str] = field(default_factory=list)
    """What was heard of the text."""

    def says(self, *parts: Part, ended: str | None = None) -> None:
        """Have the model answer with these parts, whole or streamed as the test asks."""
        self.wire.on(self.service, (streamed if self.is_streamed else whole)(self.wire, *parts, ended=ended))

    async def ask(self, *messages: Message, tools: tuple[ToolSchema, ...] = (), forced: str | None = None) -> ModelTurn:
        """Take a turn; without messages the person says hello."""
        request = TurnRequest("You help.", messages or (UserMessage("Hello"),), tools, forced)
        return await self.turns.take(request, self.pieces.append if self.is_streamed else None)

    @property
    def provider(self) -> str:
        """Whose wire it is."""
        return self.wire.provider

    @property
    def sent(self) -> dict[str, Any]:
        """The body of the last request."""
        body: dict[str, Any] = json.loads(self.service.requests[-1].body)
        return body


class ScriptedTalk(Talk):
    """The model of the library's own testing kit, which needs no server."""

    def __init__(self, *, is_streamed: bool) -> None:
        self.is_streamed = is_streamed
        self.pieces = []

    @property
    def provider(self) -> str:
        return "scripted"

    def says(self, *parts: Part, ended: str | None = None) -> None:
        calls = tuple(CallRequest(part.id, part.name, part.arguments) for part in parts if isinstance(part, Called))
        text = "".join(part.text for part in parts if isinstance(part, Text))
        finish = FinishReason.STOP if ended is None else FinishReason(ended)
        turn = ModelTurn(AssistantMessage(text, calls), Usage(INPUT_TOKENS, OUTPUT_TOKENS), finish)
        self._scripted = ScriptedTurns(turn)

    async def ask(self, *messages: Message, tools: tuple[ToolSchema, ...] = (), forced: str | None = None) -> ModelTurn:
        request = TurnRequest("You help.", messages or (UserMessage("Hello"),), tools, forced)
        return await self._scripted.take(request, self.pieces.append if self.is_streamed else None)


@asynccontextmanager
async def talk(framework: Framework, wire: Wire, *, is_streamed: bool = False, **said: Any) -> AsyncIterator[Talk]:
    """Start the server and a model that is configured for it; `said` are more of its settings."""
    async with ToolService() as service:
        settings = ModelSettings(
            model=f"{wire.provider}:some-model",
            framework=framework,
            base_url=wire.base_url(service),
            connect_seconds=READ_SECONDS,
            **{"read_seconds": READ_SECONDS, **said},
        )
        clock = Clock()
        patience = Patience(settings.tries, settings.max_wait_seconds, chance=lambda: 0.5)
        turns = turns_of(settings, ENVIRON, clock=clock, patience=patience)
        try:
            yield Talk(framework, wire, service, turns, clock, is_streamed)
        finally:
            await turns.aclose()
