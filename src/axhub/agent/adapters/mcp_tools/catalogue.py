"""A server's list, read beside the turns: a turn only looks at what is known (agent/A9).

The list is read again when its `ttlMs` is over, when the server says that it changed, and after `refresh_seconds` at
the latest. When that fails, the last list goes on to be used. A tool disappears only when a list came that lacks it.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from axhub.agent.adapters.mcp_tools.calling import Call, Negotiated, RefusedError, call
from axhub.agent.adapters.mcp_tools.judging import Judged, NotOffered, judged
from axhub.agent.adapters.mcp_tools.link import Failure, Link, Listing, connected, failure_of
from axhub.agent.adapters.mcp_tools.mapping import CatalogueTool
from axhub.agent.adapters.mcp_tools.results import Answer
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.adapters.mcp_tools.wire import Pool, UnsentError
from axhub.agent.ports.effects import Clock, Noted, Observer

__all__ = ["Catalogue"]

_LEAST_SECONDS: Final = 0.5
"""Between two lists, however often a server says that its list changed; and the first pause after a failure."""
_MOST_DOUBLINGS: Final = 16


class Catalogue:
    """What is known of one server, and the way to it."""

    def __init__(
        self, server: McpServer, wanted: Mapping[str, CatalogueTool[Any]], observer: Observer, clock: Clock
    ) -> None:
        """Take the server, and the tools that the application wants of it by the names that a model knows."""
        self.server: Final = server
        self.judged: Mapping[str, Judged] = {name: Judged(reason=NotOffered.UNKNOWN) for name in wanted}
        """By the name for the model."""
        self.is_read = asyncio.Event()
        """Whether a list has come."""
        self.failures = 0
        """How often in a row reading the list has failed."""
        self.failure: Failure | None = None
        """Why it failed the last time."""
        self._wanted = wanted
        self._observer = observer
        self._clock = clock
        self._told: dict[str, tuple[NotOffered, str]] = {}
        self._due = asyncio.Event()
        self._is_outdated = False
        self._pool: Pool | None = None
        self._negotiated: Negotiated | None = None

    async def call(self, it: Call) -> Answer:
        """Make a call; see `calling.call` for what it raises.

        A server that says that what is known of it does not hold is asked anew, at once; the call is not repeated.
        """
        if self._pool is None or self._negotiated is None:
            raise UnsentError("not connected")
        try:
            return await call(self.server, self._pool, self._negotiated, it)
        except RefusedError as refused:
            if refused.is_outdated:
                self._is_outdated = True
                self._due.set()
            raise

    async def watch(self) -> None:
        """Keep the list fresh until it is cancelled; one task a process."""
        pool = self._pool = Pool(self.server)
        try:
            while True:
                await self._follow(pool)
                if self.failures:
                    pause = _LEAST_SECONDS * 2 ** min(self.failures - 1, _MOST_DOUBLINGS)
                    await self._clock.sleep(min(pause, self.server.refresh_seconds))
        finally:
            self._pool = None
            await pool.aclose()

    async def _follow(self, pool: Pool) -> None:
        """Follow the server's list until the conversation breaks, or what is known does not hold any more."""
        broken: BaseExceptionGroup[Any] | None = None
        try:
            async with connected(self.server, pool, self._due.set) as link, asyncio.TaskGroup() as tasks:
                listening = tasks.create_task(self._listen(link))
                await self._read_on(link)
                listening.cancel()
        except* Exception as group:  # noqa: BLE001 -- whatever it is, the last list goes on to be used
            broken = group
        if broken is not None:
            self._failed(broken)

    async def _read_on(self, link: Link) -> None:
        self._is_outdated = False
        while not self._is_outdated:
            self._due.clear()
            async with asyncio.timeout(self.server.list_seconds):
                listing = await link.list()
            await self._adopt(listing, link.negotiated)
            await self._until_due(listing.ttl_seconds)

    async def _listen(self, link: Link) -> None:
        """Hear of changes; a stream that ends is opened again with the next regular list."""
        while True:
            await link.listen(self._due.set)
            await self._clock.sleep(self.server.refresh_seconds)

    async def _until_due(self, ttl_seconds: float | None) -> None:
        """Wait until the list is to be read again."""
        await self._clock.sleep(_LEAST_SECONDS)
        seconds = min(ttl_seconds or math.inf, self.server.refresh_seconds) - _LEAST_SECONDS
        waiting = [asyncio.create_task(self._clock.sleep(seconds)), asyncio.create_task(self._due.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()

    async def _adopt(self, listing: Listing, negotiated: Negotiated) -> None:
        """Judge a list, and swap what is known in one assignment."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for tool in listing.tools:
            found.setdefault(tool["name"], []).append(tool)
        new: dict[str, Judged] = {}
        for name, wanted in self._wanted.items():
            new[name] = _judged(name, wanted, found.get(wanted.tool, ()), self.judged[name])
            await asyncio.sleep(0)  # a large schema takes a while, and others want the loop too
        has_changed = new != self.judged
        self.judged, self._negotiated = new, negotiated
        self.failures, self.failure = 0, None
        self.is_read.set()
        if has_changed:
            offered = sum(one.definition is not None for one in new.values())
            self._observer.note(Noted.CATALOGUE_READ, source=self.server.id, tools=offered)
        self._tell(new)

    def _tell(self, new: Mapping[str, Judged]) -> None:
        """Tell once for each reason what is not offered; a tool that comes back may be told of again."""
        for name, one in new.items():
            if one.reason is None:
                self._told.pop(name, None)
            elif self._told.get(name) != (one.reason, one.digest):
                self._told[name] = (one.reason, one.digest)
                facts = {"source": self.server.id, "tool": self._wanted[name].tool, "digest": one.digest}
                self._observer.note(Noted.TOOL_NOT_OFFERED, reason=one.reason.value, **facts)

    def _failed(self, broken: BaseExceptionGroup[Any]) -> None:
        self.failures += 1
        self.failure = failure_of(broken)
        kind = self.failure.value
        self._observer.note(Noted.CATALOGUE_FAILED, source=self.server.id, kind=kind, failures=self.failures)
        if self.failure is Failure.FAULT:
            self._observer.fault(self.server.id, broken)


def _judged(name: str, wanted: CatalogueTool[Any], found: Sequence[Mapping[str, Any]], before: Judged) -> Judged:
    if not found:
        return Judged(reason=NotOffered.MISSING)
    return judged(name, wanted, found[0], before) if len(found) == 1 else Judged(reason=NotOffered.TWICE)
