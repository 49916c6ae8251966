"""The assistant over HTTP: one JSON answer, or its text as it comes and then the same answer (agent/A3).

A client that goes away stops nothing: what has begun ends, and is there under its run id.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from order_service.adapters.http.reading import json_body, trace_id
from order_service.adapters.http.serving import HttpSettings, Services, actor_of, guarded, json_response, told
from order_service.adapters.http.shapes import ChatBody, outcome_body
from order_service.ports.agent import AgentOutcome, StillRunning, WaitingForApproval
from order_service.usecases.chat import ChatCommand

__all__ = ["ChatEndpoints"]

EVENT_STREAM: Final = "text/event-stream"
_FIRST_SECONDS: Final = 2.0
"""How long a stream waits for its first text, so that a refusal has its own status."""
_ACCEPTED: Final = 202
_SILENCE: Final = ": still here\n\n"


class ChatEndpoints:
    """`/api/v1/chat`."""

    def __init__(self, services: Services, settings: HttpSettings) -> None:
        self._services: Final = services
        self._settings: Final = settings
        self._asking: Final[set[asyncio.Task[AgentOutcome]]] = set()

    def routes(self) -> list[Route]:
        """Return them."""
        return [Route("/api/v1/chat", guarded(self._services, self.chat), methods=["POST"])]

    async def chat(self, request: Request) -> Response:
        """Answer a message."""
        actor = await actor_of(self._services, request)
        body = await json_body(request, ChatBody)
        command = ChatCommand(actor, self._settings.agent_type, body.message, body.conversation_id, trace_id(request))
        texts: asyncio.Queue[str | None] = asyncio.Queue()
        asking = asyncio.create_task(self._services.chat.execute(command, texts.put_nowait))
        self._asking.add(asking)
        asking.add_done_callback(lambda task: self._done(task, texts))
        if EVENT_STREAM not in request.headers.get("accept", ""):
            outcome = await asyncio.shield(asking)
            is_to_come = isinstance(outcome, WaitingForApproval | StillRunning)
            return json_response(outcome_body(outcome), _ACCEPTED if is_to_come else 200)
        first = await _next(texts, _FIRST_SECONDS)
        if first is None:
            asking.result()
        return StreamingResponse(self._events(request, asking, texts, first), media_type=EVENT_STREAM)

    def _done(self, asking: asyncio.Task[AgentOutcome], texts: asyncio.Queue[str | None]) -> None:
        self._asking.discard(asking)
        texts.put_nowait(None)
        if not asking.cancelled():
            asking.exception()  # somebody who has left will not ask for it

    async def _events(
        self,
        request: Request,
        asking: asyncio.Task[AgentOutcome],
        texts: asyncio.Queue[str | None],
        first: str | None,
    ) -> AsyncIterator[str]:
        """Yield the text as it comes, and one last event: `outcome`, or `problem` if it failed after the beginning."""
        text = first
        while text is not None:
            yield _event("text", json.dumps({"text": text}, ensure_ascii=False)) if text else _SILENCE
            text = await _next(texts, self._settings.beat_seconds)
        try:
            outcome = asking.result()
        except Exception as error:  # noqa: BLE001 - the stream has begun, so the problem comes as its last event
            yield _event("problem", bytes(told(self._services, request, error).body).decode())
        else:
            yield _event("outcome", outcome_body(outcome).json_text())


async def _next(texts: asyncio.Queue[str | None], seconds: float) -> str | None:
    """Return the next text; nothing if none comes in time, None after the last one."""
    try:
        async with asyncio.timeout(seconds):
            return await texts.get()
    except TimeoutError:
        return ""


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"
