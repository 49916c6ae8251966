"""An MCP server on a loopback port that does what a test says: both eras, sessions, JSON or event streams, raw bytes.

    async with McpHost(listed("claim_find"), era="old") as host:
        host.says("tools/call", lambda seen: stream(event(response_to(seen, text("found"))), Hang()))
        async with running(settings(mcp_bundle(host))) as gateway:
            answer = await gateway.call("claim_find", b'{"n": 1.0}')
            assert host.of("tools/call")[0].arguments == b'{"n": 1.0}'

It is a `ToolService` that answers by the message instead of the path, so an answer is a tuple of steps here too.
What no test has said is answered as a good server would; a tool gives its arguments back as text.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Final, Literal, cast

import msgspec

from axhub.gateway.config.settings import BundleSettings, RegistrySettings
from axhub.gateway.domain.bundle import BundleState
from support.gateway import NEW, RunningGateway, bundle
from support.mcp_hosts_wire import chunk, error_to, event, http_error, list_result, response_to, stream, text
from support.tool_service import PATIENCE_SECONDS, Answer, Hang, Hold, Received, Send, Step, ToolService, reply

Era = Literal["new", "old", "both"]
_META: Final = "io.modelcontextprotocol/"
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


@dataclass(frozen=True)
class Heard:
    """One message as the server got it."""

    request: Received
    method: str
    """Of the message; that of HTTP where there is none; empty for an answer to something the server asked."""
    id: bytes
    """As it was written; empty in a notification."""
    params: Mapping[str, msgspec.Raw]

    @property
    def new(self) -> bool:
        """Whether it is written as the stateless era has it."""
        return _META + "protocolVersion" in self.meta

    @property
    def meta(self) -> dict[str, Any]:
        """`_meta`."""
        found: dict[str, Any] = json.loads(bytes(self.params.get("_meta", b"{}")))
        return found

    @property
    def arguments(self) -> bytes:
        """The bytes of `arguments`."""
        return bytes(self.params["arguments"])

    @property
    def name(self) -> str:
        """The tool of a call."""
        found: str = json.loads(bytes(self.params["name"]))
        return found

    @property
    def session(self) -> bytes | None:
        """The session that it names."""
        return self.request.headers.get(b"mcp-session-id")

    @property
    def json(self) -> Any:
        """The whole body."""
        return json.loads(self.request.body)


def heard(request: Received) -> Heard:
    """Read a message; it is one of our gateway, so it is well-formed or the test fails."""
    if not request.body:
        return Heard(request, request.method.decode(), b"", {})
    found = _members(request.body)
    params = _members(found["params"]) if "params" in found else {}
    method = json.loads(bytes(found["method"])) if "method" in found else ""
    return Heard(request, method, bytes(found.get("id", b"")), params)


Says = Answer | Callable[[Heard], Answer]
"""An answer, or what makes one from what was heard."""


class McpHost(ToolService):
    """Listens while entered. `era` is what it speaks; with `streams` it answers requests by event streams."""

    def __init__(
        self,
        *tools: Mapping[str, Any],
        era: Era = "new",
        sessions: bool = True,
        streams: bool = False,
        announces: bool = False,
        revision: str = "2025-11-25",
    ) -> None:
        super().__init__()
        self.tools: list[Mapping[str, Any]] = list(tools)
        self.era = era
        self.with_sessions = sessions
        self.streams = streams
        self.announces = announces
        self.revision = revision
        self.sessions: list[bytes] = []
        self.known: set[bytes] = set()
        """The sessions that it knows; `sessions` is all that it ever gave."""
        self.heard: list[Heard] = []
        self.unknown_session = http_error(404, b'{"code":-32001,"message":"Session not found"}')
        self.instead: Says | None = None
        """What answers everything, whatever it is."""
        self._said: dict[str, Iterator[Says]] = {}

    def says(self, method: str, *answers: Says) -> None:
        """Answer messages of this method with these in turn; the last one repeats."""
        self._said[method] = chain(answers, repeat(answers[-1]))

    def of(self, *methods: str) -> list[Heard]:
        """Return what was heard of these methods so far."""
        return [seen for seen in self.heard if seen.method in methods]

    async def hears(self, method: str, number: int = 1) -> Heard:
        """Wait for the message of a method with this number, from 1."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(found := self.of(method)) < number:
                await self.received(len(self.requests) + 1)
        return found[number - 1]

    def lose_sessions(self) -> None:
        """Forget all sessions, as a restart does."""
        self.known.clear()

    async def restart(self, *, era: Era | None = None) -> None:
        """Break off every connection, forget all sessions, and perhaps speak otherwise afterwards."""
        await self.stop()
        self.lose_sessions()
        self.era = era or self.era
        await self.start()

    def answer(self, request: Received) -> Answer:
        """Record a request and return its answer."""
        seen = heard(request)
        self.heard.append(seen)
        self.requests.append(request)
        self._received.add()
        if self.instead is not None:
            return self._made(self.instead, seen)
        if not self._knows(seen):
            return self._made(self.unknown_session, seen)
        if seen.method in self._said:
            return self._made(next(self._said[seen.method]), seen)
        return self.usually(seen)

    def usually(self, seen: Heard) -> Answer:
        """Answer as a good server does."""
        if seen.id and not self._speaks(seen):
            return http_error(400, b'{"code":-32000,"message":"Bad Request: Server not initialized"}')
        if seen.method.startswith("notifications/") or not seen.method:
            return reply(202, b"", content_type=None)
        if seen.method == "initialize":
            return self._initialized(seen)
        if seen.method == "GET":
            return stream(Hang()) if self.announces and seen.session else reply(405, b"", content_type=None)
        if seen.method == "DELETE":
            self.known.discard(seen.session or b"")
            return reply(200, b"", content_type=None)
        if seen.method == "subscriptions/listen":
            return stream(event(acknowledged(seen)), Hang())
        return self.respond(seen, self._result(seen))

    def respond(self, seen: Heard, message: bytes) -> Answer:
        """Return an answer that carries one message, in the way of this server."""
        return stream(event(message)) if self.streams else reply(body=message)

    def _result(self, seen: Heard) -> bytes:
        if seen.method == "server/discover":
            return response_to(seen, self._discovery())
        if seen.method == "tools/list":
            return response_to(seen, list_result(self.tools, new=seen.new))
        if seen.method == "tools/call":
            return response_to(seen, text(seen.arguments.decode(), new=seen.new))
        return error_to(seen, -32601, "Method not found")

    def _discovery(self) -> dict[str, Any]:
        capabilities = {"tools": {"listChanged": self.announces}}
        versions = {"supportedVersions": [NEW], "capabilities": capabilities}
        return {**versions, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}

    def _initialized(self, seen: Heard) -> Answer:
        result = {
            "protocolVersion": self.revision,
            "capabilities": {"tools": {"listChanged": self.announces}},
            "serverInfo": {"name": "host", "version": "1"},
        }
        headers: list[tuple[bytes, bytes]] = []
        if self.with_sessions:
            self.sessions.append(b"s-%d" % (len(self.sessions) + 1))
            self.known.add(self.sessions[-1])
            headers.append((b"Mcp-Session-Id", self.sessions[-1]))
        message = response_to(seen, result)
        return stream(event(message), headers=headers) if self.streams else reply(body=message, headers=headers)

    def _knows(self, seen: Heard) -> bool:
        return seen.session is None or seen.session in self.known

    def _speaks(self, seen: Heard) -> bool:
        if self.era == "both":
            return True
        if seen.method == "initialize":
            return self.era == "old"
        missing = self.era == "old" and self.with_sessions and seen.session is None
        return seen.new == (self.era == "new") and not missing

    def _made(self, says: Says, seen: Heard) -> Answer:
        return says if isinstance(says, tuple) else says(seen)


class OwnStream:
    """Answers GET by a stream that stays open, on which a test says what it likes when it likes."""

    def __init__(self) -> None:
        self._messages: list[bytes] = []
        self._more = asyncio.Event()

    def __call__(self, seen: Heard) -> Answer:
        """Open the stream."""
        return cast("Answer", self._steps())  # steps are run one after the other; these are made as they are needed

    def say(self, *messages: bytes) -> None:
        """Send messages, now or once the stream is open, in one piece."""
        self._messages += messages
        self._more.set()

    def _steps(self) -> Iterator[Step]:
        yield from stream(ends=False)
        while True:
            yield Hold(self._more)
            self._more.clear()
            messages, self._messages = self._messages, []
            yield Send(chunk(b"".join(map(event, messages))))


def acknowledged(seen: Heard) -> bytes:
    """Return the first message of a listen stream."""
    meta = {_META + "subscriptionId": json.loads(seen.id)}
    params = {"_meta": meta, "notifications": {"toolsListChanged": True}}
    return notification("notifications/subscriptions/acknowledged", params)


def notification(method: str, params: Mapping[str, Any] | None = None) -> bytes:
    """Return a notification."""
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}}, ensure_ascii=False).encode()


LIST_CHANGED: Final = notification("notifications/tools/list_changed")


def progress(seen: Heard, value: object, **more: Any) -> bytes:
    """Return a notice of progress for a call."""
    return notification(
        "notifications/progress", {"progressToken": seen.meta["progressToken"], "progress": value, **more}
    )


def listed(name: str, **members: Any) -> dict[str, Any]:
    """Return a tool as `tools/list` shows it."""
    return {"name": name, "description": f"{name}: 청구를 조회합니다", "inputSchema": {"type": "object"}, **members}


def timed(name: str, millis: int, **members: Any) -> dict[str, Any]:
    """Return a tool whose calls may take so long."""
    return listed(name, _meta={"timeoutMillis": millis}, **members)


def mcp_bundle(host: McpHost, bundle_id: str = "mcp", **fields: Any) -> BundleSettings:
    """Return the settings of a bundle that is this server."""
    return bundle(host.url("/mcp"), bundle_id, mcp_server=True, **fields)


ASKED: Final = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=1)
"""For gateways that refresh when `refreshed` says so."""


async def refreshed(gateway: RunningGateway) -> None:
    """Ask for a refresh that begins now, and wait for its end."""
    await asyncio.sleep(0.002)  # longer than the least interval above
    await gateway.gateway.refresh.recheck()


def state(gateway: RunningGateway, bundle_id: str = "mcp") -> BundleState:
    """Return how a bundle stands."""
    return next(found for found in gateway.gateway.refresh.bundles() if found.id == bundle_id)
