"""One tool behind the endpoint of calls, in the test's own process: for use cases that misbehave."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel

from axhub.toolkit import Desc, Input, Output, RepeatStore
from axhub.toolkit.context import ToolContext
from axhub.toolkit.published.schemas import input_schema
from axhub.toolkit.service.arguments import ArgumentReader
from axhub.toolkit.service.endpoint import CallEndpoint, CallLimits, Target
from axhub.toolkit.service.execution import Execution, Once, Terms
from axhub.toolkit.service.log import CallLog
from axhub.toolkit.service.metrics import Metrics
from axhub.toolkit.service.repeat import BusinessKey
from axhub.toolkit.service.results import ResultWriter
from axhub.toolkit.service.watch import Abandoned
from axhub.toolkit.testing import ToolAnswer
from support.desk import logged_to


class Numbered(Input):
    number: Annotated[str, Desc("number")] = "1"


class Done(Output):
    done: Annotated[bool, Desc("done")] = True


@dataclass
class OneTool:
    """The endpoint of the tool `odd`, and what it logged and counted."""

    endpoint: CallEndpoint
    metrics: Metrics
    target: Target
    log_lines: list[str] = field(default_factory=list)

    async def call(self, body: bytes = b"{}", headers: Any = (), gate: asyncio.Event | None = None) -> ToolAnswer:
        """Call it; the body comes when `gate` is set."""
        sent: list[Any] = []
        bodies = [body]

        async def receive() -> dict[str, Any]:
            if not bodies:
                await asyncio.Event().wait()
            if gate is not None:
                await gate.wait()
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.endpoint.by_path(self.target, {"headers": list(headers)}, receive, send)
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return ToolAnswer(sent[0]["status"], sent[1]["body"], found)

    @property
    def log(self) -> list[dict[str, Any]]:
        """The log so far, an object a line."""
        return [json.loads(line) for line in self.log_lines]

    def counted(self) -> Mapping[str, float]:
        """Return how many calls ended in which way."""
        text = self.metrics.text().decode().splitlines()
        lines = [line.rpartition(" ") for line in text if line.startswith("axhub_service_tool_calls_total")]
        return {name.split('outcome="')[1].split('"')[0]: float(value) for name, _, value in lines if float(value)}


@asynccontextmanager
async def one_tool(
    call: Callable[[Any, ToolContext], Awaitable[Any]],
    *,
    request: type[BaseModel] = Numbered,
    response: type[BaseModel] = Done,
    store: RepeatStore | None = None,
    seconds: float = 20.0,
    limits: CallLimits | None = None,
) -> AsyncIterator[OneTool]:
    """Put a use case behind an endpoint; with a store its argument `number` is its business key.

    `seconds` is the tool's deadline: short only where a test is about it.
    """
    abandoned, log = Abandoned(), CallLog()
    once = None if store is None else Once(BusinessKey(request, ("number",)), store)
    execution = Execution(
        "odd",
        call,
        ArgumentReader(request, input_schema(request), None, "en"),
        ResultWriter(response, None),
        Terms(seconds, once=once, abandoned=abandoned),
        log,
    )
    target, metrics = Target("odd", execution), Metrics(["odd"])
    endpoint = CallEndpoint({"odd": target}, limits or CallLimits(1 << 20, 8), "en", log, metrics, abandoned)
    running = OneTool(endpoint, metrics, target)
    with logged_to(running.log_lines):
        yield running
