"""A model for the demonstration and for tests: rules instead of a network, so no key is needed (agent/A10).

It knows orders by their numbers and three verbs in Korean and English, calls only tools that it was offered, and makes
a plain sentence of each result. What must hold for a real model holds for it: nothing that it says is believed.
"""

import json
import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    ModelTurn,
    ResultsMessage,
    TurnRequest,
    UserMessage,
)
from order_service.adapters.ai.demo_words import words_for

__all__ = ["DemoTurns"]

_NUMBER: Final = re.compile(r"ORD-[0-9]{1,6}(?![0-9])", re.IGNORECASE)
_VERBS: Final = MappingProxyType(
    {
        "refund_order": re.compile("환불|refund|money back", re.IGNORECASE),
        "cancel_order": re.compile("취소|cancel", re.IGNORECASE),
        "search_orders": re.compile("주문|조회|보여|찾아|order|show|list|find", re.IGNORECASE),
    }
)
"""What each tool is called for; the first that is found counts."""
_SEARCH: Final = "search_orders"
_PIECE: Final = re.compile(r"\S+\s*")


class DemoTurns:
    """See `axhub.agent.ports.turns.Turns`."""

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        """See `Turns`."""
        message = _answer(request)
        if on_text is not None:
            for piece in _PIECE.findall(message.text):
                on_text(piece)
        return ModelTurn(message)


def _answer(request: TurnRequest) -> AssistantMessage:
    said = next((one.text for one in reversed(request.messages) if isinstance(one, UserMessage)), "")
    words, last = words_for(said), request.messages[-1]
    if isinstance(last, ResultsMessage):
        return AssistantMessage("\n".join(words.of(result) for result in last.results))
    offered = {tool.name for tool in request.tools}
    wanted = next((tool for tool, verb in _VERBS.items() if verb.search(said)), None)
    if wanted is None or wanted not in offered:
        return AssistantMessage(words.help)
    if wanted == _SEARCH:
        return AssistantMessage("", (_call(request, 0, wanted, {}),))
    orders = list(dict.fromkeys(number.upper() for number in _NUMBER.findall(said)))
    if not orders:
        return AssistantMessage(words.which)
    return AssistantMessage("", tuple(_call(request, at, wanted, {"order_id": id_}) for at, id_ in enumerate(orders)))


def _call(request: TurnRequest, at: int, tool: str, arguments: dict[str, str]) -> CallRequest:
    return CallRequest(f"demo_{len(request.messages)}_{at}", tool, json.dumps(arguments))
