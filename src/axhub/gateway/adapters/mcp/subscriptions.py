"""Open `subscriptions/listen` streams: who is told that the list of tools has changed (gateway/P9).

Source: MCP 2026-07-28, "Subscriptions". A subscription lives as long as its caller's connection and nothing of it is
kept afterwards: a client that comes again lists the tools again.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from axhub.contract.jsontext import JsonTextError, members
from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message
from axhub.gateway.ports import Cancel, Clock, Reply

KEEP_ALIVE_SECONDS: Final = 15.0
"""Half of what intermediaries allow a silent connection at the least."""
MAX_ID_BYTES: Final = 1024
"""The id of the request stands in every message of its stream, and is kept as long as the stream."""
_AT_A_TIME: Final = 256
"""So many are written to in one turn of the event loop (fault/F14)."""
_KEEP_ALIVE: Final = b": keep-alive\n\n"
_FILTER: Final = "params.notifications"
_WANTED, _UNWANTED = b"true", frozenset({b"false", b"null"})

_SUBSCRIPTION_ID: Final = b'"io.modelcontextprotocol/subscriptionId":%b'
_NOTIFICATION: Final = b'{"jsonrpc":"2.0","method":"notifications/%b","params":{"_meta":{%b}%b}}'


class ListenError(ValueError):
    """The request cannot be served as it is; answered as `-32602`."""


def asks_for_tools(message: Message) -> bool:
    """Say whether a `subscriptions/listen` wants to hear of the list of tools; other kinds are not served.

    Raises:
        ListenError: no filter, one of the wrong shape, or an id of over `MAX_ID_BYTES`.
    """
    if len(message.id or b"") > MAX_ID_BYTES:
        raise ListenError(f"the id of a subscription has at most {MAX_ID_BYTES} bytes")
    try:
        asked = members(message.params["notifications"])
    except (KeyError, JsonTextError):
        raise ListenError(f"{_FILTER} must be an object") from None
    wanted = bytes(asked.get("toolsListChanged", b"false"))
    if wanted != _WANTED and wanted not in _UNWANTED:
        raise ListenError(f"{_FILTER}.toolsListChanged must be true or false")
    return wanted == _WANTED


def takes_events(accept: bytes | None) -> bool:
    """Say whether an `Accept` header lets an event stream through."""
    kinds = b"*/*" if accept is None else accept.lower()
    return b"text/event-stream" in kinds or b"*/*" in kinds or b"text/*" in kinds


@dataclass(slots=True, eq=False)
class _Subscription:
    """One open stream."""

    id: bytes
    tools: bool
    reply: Reply

    def notification(self, name: bytes, more: bytes = b"") -> bytes:
        return wire.as_event(_NOTIFICATION % (name, _SUBSCRIPTION_ID % self.id, more))


_Words = Callable[[_Subscription], bytes]


class Subscriptions:
    """The subscriptions of one process; their number is bounded by that of the connections."""

    def __init__(self, stateless_members: bytes, clock: Clock) -> None:
        """`stateless_members` are what every result carries, `_meta` last (gateway/P4)."""
        self._members = stateless_members
        self._clock = clock
        self._open: dict[_Subscription, None] = {}
        self._untold: deque[tuple[_Words, Iterator[_Subscription]]] = deque()
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def open(self, request_id: bytes, tools: bool, reply: Reply) -> Cancel | None:
        """Acknowledge a subscription and keep it until its caller leaves, which the returned callable says.

        Where nothing of what was asked for is served, the stream is kept too, silent but for its comments.
        """
        one = _Subscription(request_id, tools, reply)
        honoured = b'{"toolsListChanged":true}' if tools else b"{}"
        acknowledgment = one.notification(b"subscriptions/acknowledged", b',"notifications":%b' % honoured)
        if self._closed:
            reply(wire.OK_EVENTS, acknowledgment, self._end(one))
            return None
        self._open[one] = None
        reply(wire.OK_EVENTS, acknowledgment, more=True)
        return lambda: self._forget(one)

    def tools_changed(self) -> None:
        """Send one notice to each subscription that asked for it."""
        self._tell(lambda one: one.notification(b"tools/list_changed"), [one for one in self._open if one.tools])

    async def keep_alive(self) -> None:
        """Write a comment to every stream every `KEEP_ALIVE_SECONDS`, until cancelled."""
        while True:
            await self._clock.sleep(KEEP_ALIVE_SECONDS)
            self._tell(lambda _: _KEEP_ALIVE, list(self._open))

    def close(self) -> None:
        """End every subscription in good order, and from now on each new one as soon as it is acknowledged."""
        self._closed = True
        while self._untold:
            self._tell_some()
        ending, self._open = self._open, {}
        for one in ending:
            one.reply(wire.OK_EVENTS, self._end(one))

    def _tell(self, words: _Words, whom: list[_Subscription]) -> None:
        self._untold.append((words, iter(whom)))
        if len(self._untold) == 1:
            self._tell_in_turns()

    def _tell_in_turns(self) -> None:
        self._tell_some()
        if self._untold:
            asyncio.get_running_loop().call_soon(self._tell_in_turns)

    def _tell_some(self) -> None:
        for _ in range(_AT_A_TIME):
            if not self._untold:
                return
            words, whom = self._untold[0]
            one = next(whom, None)
            if one is None:
                self._untold.popleft()
            elif one in self._open:
                one.reply(wire.OK_EVENTS, words(one), more=True)

    def _forget(self, one: _Subscription) -> None:
        if one in self._open:
            del self._open[one]
            one.reply(wire.OK_EVENTS, b"")

    def _end(self, one: _Subscription) -> bytes:
        members = b"%b,%b}" % (self._members[:-1], _SUBSCRIPTION_ID % one.id)
        return wire.as_event(b'{"jsonrpc":"2.0","id":%b,"result":{%b}}' % (one.id, members[1:]))
