"""Hears what MCP servers say beside their answers: their tools have changed, or a call has got further (gateway/P11).

The first shortens the wait for the next pull, the second may be left out. So nothing here is ever told as a failure: a
server that cannot be listened to is pulled at intervals, like every other bundle, and its calls go on without progress.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from axhub.gateway.adapters.mcp_client.answers import OK, is_event_stream
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Session
from axhub.gateway.domain.mcp_message import read_message
from axhub.gateway.ports import Clock, Failure, UpstreamAnswer

_LISTEN_SECONDS: Final = 600.0
"""How long one stream is listened to: a connection that died without a word is noticed by then."""
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_MAX_EVENT_BYTES: Final = 262_144
_REFUSALS: Final = range(400, 500)
_T = TypeVar("_T")
_REPLACED: Final = UpstreamAnswer(0, {}, b"", Failure.CANCELLED)


async def listen(server: McpServer, clock: Clock, random: Callable[[], float]) -> None:
    """Listen to one server for ever; `random` gives numbers from 0 to 1."""
    wait = _FIRST_WAIT
    heard: Session | None = None
    while True:
        await server.opened.wait()
        session = server.session
        if session is None:
            continue
        if not await _wait_until_useful(server, session, clock):
            continue
        if heard is session and session.announces:
            server.on_changed(server.bundle)  # what was missed while nobody listened; a dead session is found so, too
        started = clock.monotonic()
        http = await _while_kept(server, session, clock, _listen(server, session)) or _REPLACED
        if _is_refused(http):
            await _until_replaced(server, session, clock)
            continue
        lasted = clock.monotonic() - started > wait
        if lasted or http.status in OK:
            heard = session
        if lasted:
            wait = _FIRST_WAIT
        await clock.sleep(wait * (0.5 + random() / 2))
        wait = min(wait * 2, _LONGEST_WAIT)


async def _wait_until_useful(server: McpServer, session: Session, clock: Clock) -> bool:
    """Wait until there is something to hear in a session and return True, or False if it was replaced before.

    That is so where list changes are announced, and else from the first call on whose progress may come on the
    session's stream. Only a server that gave the session an id can know whose stream it is.
    """
    if session.announces:
        return True
    if session.id:
        await _while_kept(server, session, clock, server.heard_for.wait())
    else:
        await _until_replaced(server, session, clock)
    return server.session is session


async def _while_kept(server: McpServer, session: Session, clock: Clock, doing: Coroutine[Any, Any, _T]) -> _T | None:
    """Return what comes of something, or None if the server has another session first."""
    done = asyncio.ensure_future(doing)
    replaced = asyncio.ensure_future(_until_replaced(server, session, clock))
    try:
        await asyncio.wait({done, replaced}, return_when=asyncio.FIRST_COMPLETED)
        return done.result() if done.done() else None
    finally:
        done.cancel()
        replaced.cancel()


async def _listen(server: McpServer, session: Session) -> UpstreamAnswer:
    def take(data: bytes) -> bool:
        server.told_on_own_stream(read_message(data))
        return server.session is not session

    method = "subscriptions/listen" if session.stateless else ""
    head = server.client.head(session, method, b"POST" if session.stateless else b"GET")
    body = b""
    if session.stateless:
        asked = {"notifications": {"toolsListChanged": True}}
        body = server.client.request(session, server.next_number(), method, asked)
    return await server.fetch(server.client.server.origin, head, _LISTEN_SECONDS, _MAX_EVENT_BYTES, body, take)


def _is_refused(http: UpstreamAnswer) -> bool:
    """Say whether a server does not want to be listened to; whatever else it is, may be otherwise the next time."""
    return http.status in _REFUSALS or (http.status in OK and not is_event_stream(http))


async def _until_replaced(server: McpServer, session: Session, clock: Clock) -> None:
    """Return when the server has another session: only then may it answer otherwise."""
    while server.session is session:
        await clock.sleep(_FIRST_WAIT)
