"""A model that answers by script and keeps what it was told; it passes the suite of the real adapters."""

import asyncio
import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any, Final, TypeAlias

from axhub.agent.domain.messages import AssistantMessage, CallRequest, ModelTurn, TurnRequest, Usage

__all__ = ["Scripted", "ScriptedTurns", "call", "calls"]

Scripted: TypeAlias = str | AssistantMessage | ModelTurn | Exception | Callable[[TurnRequest], Any]
"""One turn: a text, a message with calls, what is raised, or what makes one of these of what the model is told."""

_USAGE: Final = Usage(10, 5)
_PIECES: Final = re.compile(r"\s*\S+\s*")
_SHOWN: Final = 200
"""Characters of a turn in a complaint."""
_numbers: Final = count(1)


def call(tool: str, /, **arguments: Any) -> CallRequest:
    """Return a call with an id of its own, as a model writes it."""
    return CallRequest(f"call-{next(_numbers)}", tool, json.dumps(arguments, ensure_ascii=False))


def calls(*requests: CallRequest, text: str = "") -> AssistantMessage:
    """Return a response with calls."""
    return AssistantMessage(text, requests)


class ScriptedTurns:
    """See `ports.turns.Turns`.

    ```python
    turns = ScriptedTurns(calls(call("search_orders", order_id="ORD-1")), "It is on its way.")
    turns = ScriptedTurns(ModelUnavailableError())
    ```
    """

    def __init__(self, *turns: Scripted) -> None:
        """Take the turns, in their order."""
        self.requests: Final[list[TurnRequest]] = []
        """What the model was told, turn by turn."""
        self._turns = list(turns)

    def assert_used_up(self) -> None:
        """Complain about turns that nobody took, as at the end of a test.

        Raises:
            AssertionError: with how many there are, and the first of them.
        """
        if self._turns:
            first = repr(self._turns[0])[:_SHOWN]
            raise AssertionError(f"{len(self._turns)} turns of the script were not taken; the next would be {first}")

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        """See `Turns`.

        Raises:
            LookupError: the script has ended.
        """
        self.requests.append(request)
        if not self._turns:
            raise LookupError(f"the script has ended, and the model is asked for turn {len(self.requests)}")
        await asyncio.sleep(0)  # others run meanwhile, as they do when a model is really asked
        turn = _turn(self._turns.pop(0), request)
        if on_text is not None:
            for piece in _PIECES.findall(turn.message.text):
                on_text(piece)
        return turn


def _turn(scripted: Any, request: TurnRequest) -> ModelTurn:
    if isinstance(scripted, Exception):
        raise scripted
    if isinstance(scripted, ModelTurn):
        return scripted
    if isinstance(scripted, AssistantMessage):
        return ModelTurn(scripted, _USAGE)
    if isinstance(scripted, str):
        return ModelTurn(AssistantMessage(scripted), _USAGE)
    return _turn(scripted(request), request)
