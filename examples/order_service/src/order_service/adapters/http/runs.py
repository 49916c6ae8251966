"""The actor's own runs and conversations."""

import asyncio
import re
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from order_service.adapters.http.reading import json_body, path_id, query
from order_service.adapters.http.serving import HttpSettings, Services, actor_of, guarded, json_response
from order_service.adapters.http.shapes import ConversationBody, FullResultBody, NothingBody, RunBody
from order_service.domain.actor import ActorContext
from order_service.ports.runs import RunReport

__all__ = ["RunEndpoints"]


class RunEndpoints:
    """`/api/v1/runs`, `/api/v1/conversations` and `/api/v1/results`."""

    def __init__(self, services: Services, settings: HttpSettings) -> None:
        self._services: Final = services
        self._settings: Final = settings
        allowed = "|".join(str(seconds) for seconds in range(settings.longest_wait_seconds + 1))
        self._query: Final[Mapping[str, re.Pattern[str]]] = {"wait": re.compile(allowed)}

    def routes(self) -> list[Route]:
        """Return them."""
        listed = (
            ("/api/v1/runs/{run_id}", self.run, "GET"),
            ("/api/v1/runs/{run_id}/withdraw", self.withdraw, "POST"),
            ("/api/v1/conversations/{conversation_id}", self.conversation, "GET"),
            ("/api/v1/results/{result_id}", self.full_result, "GET"),
        )
        return [Route(path, guarded(self._services, endpoint), methods=[method]) for path, endpoint, method in listed]

    async def run(self, request: Request) -> Response:
        """Return a run: at once, or with `?wait=seconds` as soon as its status is another one."""
        actor = await actor_of(self._services, request)
        run_id = path_id(request, "run_id")
        seconds = int(query(request, self._query).get("wait", "0"))
        return json_response(RunBody.of(await self._changed(actor, run_id, seconds)))

    async def _changed(self, actor: ActorContext, run_id: str, seconds: int) -> RunReport:
        first = report = await self._services.runs.run(actor, run_id)
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while report.status is first.status and not report.status.is_last and loop.time() < until:
            await asyncio.sleep(self._settings.poll_seconds)
            report = await self._services.runs.run(actor, run_id)
        return report

    async def withdraw(self, request: Request) -> Response:
        """Take a waiting run back."""
        actor = await actor_of(self._services, request)
        run_id = path_id(request, "run_id")
        await json_body(request, NothingBody, is_optional=True)
        return json_response(RunBody.of(await self._services.runs.withdraw(actor, run_id)))

    async def conversation(self, request: Request) -> Response:
        """Return what was said."""
        actor = await actor_of(self._services, request)
        conversation_id = path_id(request, "conversation_id")
        return json_response(ConversationBody.of(await self._services.runs.conversation(actor, conversation_id)))

    async def full_result(self, request: Request) -> Response:
        """Return the whole of a result that was cut for the assistant."""
        actor = await actor_of(self._services, request)
        result_id = path_id(request, "result_id")
        return json_response(FullResultBody.of(await self._services.runs.full_result(actor, result_id)))
