"""An MCP server that says what a test says, in either era, over the connections of `tool_service`.

async with peer() as server:
    server.tools = [listed("claim.find")]
    server.on_call = lambda call: result("found")        # or any steps: Hang(), Reset(), half an answer
    ...
    server.calls[0].headers[b"guid"]
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from support.tool_service import Answer, Close, Drip, Hang, Hold, Received, Send, ToolService, reply, response

NEW: Final = "2026-07-28"
OLD: Final = "2025-11-25"
ERAS: Final = (NEW, OLD)
_ENDED: Final = reply(200, b"", content_type=None)
_CACHE: Final = {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"}


def listed(name: str, **members: Any) -> dict[str, Any]:
    """Return a tool as `tools/list` has it; it takes an order's number."""
    schema = {"type": "object", "properties": {"no": {"type": "string"}}, "required": ["no"]}
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, **members}


def result(*texts: str, **members: Any) -> dict[str, Any]:
    """Return the result of a call."""
    return {"content": [{"type": "text", "text": text} for text in texts], **members}


def error(code: int, message: str = "No.", **more: Any) -> dict[str, Any]:
    """Return the error of a call, as it stands in the answer."""
    return {"error": {"code": code, "message": message, **more}}


@dataclass
class Peer:
    """The server; what it says may be changed at any time."""

    service: ToolService
    revision: str = NEW
    session: str | None = None
    tools: Any = field(default_factory=list)
    ttl_millis: int = 0
    list_changed: bool = False
    pages: int = 1
    on_list: Mapping[str, Any] | Answer | None = None
    """Instead of the list: a result, or steps."""
    on_call: Callable[[Received], Mapping[str, Any] | Answer] = lambda _: result("done")
    calls: list[Received] = field(default_factory=list)
    lists: int = 0
    ended: int = 0
    """Sessions that were ended by their client."""
    on_end: Answer = _ENDED
    notice: asyncio.Event = field(default_factory=asyncio.Event)
    """When it is set, those who listen are told that the list changed."""
    notices: int = 1
    """How often, on one stream, one after the other."""
    hangs_up: bool = False
    """Whether it ends the stream of those who listen at once, without saying so."""
    listens: int = 0
    listened: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody listens."""

    @property
    def url(self) -> str:
        return self.service.url("/mcp")

    def answer(self, request: Received) -> Answer:
        """Answer one request."""
        if request.method == b"DELETE":
            self.ended += 1
            return self.on_end
        if request.method != b"POST":
            return reply(405)
        message = json.loads(request.body)
        if "id" not in message or "method" not in message:
            return reply(202, b"", content_type=None)
        return self._replied(message, request)

    def _replied(self, message: Any, request: Received) -> Answer:
        method, number = message["method"], message["id"]
        if method == "tools/call":
            self.calls.append(request)
            said = self.on_call(request)
            return said if isinstance(said, tuple) else rpc(number, self._completed(said))
        if method == "tools/list":
            self.lists += 1
            said = self._page(message) if self.on_list is None else self.on_list
            return said if isinstance(said, tuple) else rpc(number, self._completed(said))
        if method == "subscriptions/listen" and self.list_changed:
            return self._listening(number)
        return self._opened(method, number)

    def _opened(self, method: str, number: Any) -> Answer:
        capabilities = {"tools": {"listChanged": self.list_changed}}
        if method == "server/discover" and self.revision == NEW:
            return rpc(number, {"supportedVersions": [NEW], "capabilities": capabilities, **_CACHE})
        if method == "initialize" and self.revision != NEW:
            opened = {"protocolVersion": self.revision, "capabilities": capabilities}
            headers = () if self.session is None else ((b"Mcp-Session-Id", self.session.encode()),)
            return rpc(number, {**opened, "serverInfo": {"name": "peer", "version": "1"}}, headers=headers)
        return rpc(number, error(-32601, "Method not found"), status=404 if self.revision == NEW else 200)

    def _listening(self, number: Any) -> Answer:
        """Acknowledge a subscription, tell of changes when it is time, and keep the stream open."""
        meta = {"io.modelcontextprotocol/subscriptionId": number}
        acknowledged = {"notifications": {"toolsListChanged": True}, "_meta": meta}
        head = response(content_type=b"text/event-stream", body=b"", length=None)
        told = _event("notifications/tools/list_changed", {"_meta": meta})
        self.listened.set()
        self.listens += 1
        first = head + _event("notifications/subscriptions/acknowledged", acknowledged)
        if self.hangs_up:
            return (Send(first), Close())
        return (Send(first), Hold(self.notice), Drip(told * self.notices, every=0.005, size=len(told)), Hang())

    def _page(self, message: Any) -> dict[str, Any]:
        at = int(message.get("params", {}).get("cursor", "0"))
        more = {"nextCursor": str(at + 1)} if at + 1 < self.pages else {}
        return {"tools": self.tools[at :: self.pages], "ttlMs": self.ttl_millis, "cacheScope": "private", **more}

    def _completed(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        is_new = self.revision == NEW and "error" not in said
        return {"resultType": "complete", **said} if is_new else said


def _event(method: str, params: Mapping[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
    return f"event: message\ndata: {body}\n\n".encode()


def rpc(
    number: Any, said: Mapping[str, Any], *, status: int = 200, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> Answer:
    """Return a JSON-RPC answer: a result, or what stands under `error`."""
    inner = said if set(said) == {"error"} else {"result": said}
    body = json.dumps({"jsonrpc": "2.0", "id": number, **inner}, ensure_ascii=False).encode()
    return reply(status, body, headers=headers)


@asynccontextmanager
async def peer(revision: str = NEW, **said: Any) -> AsyncIterator[Peer]:
    """Serve one on a loopback port."""
    async with ToolService() as service:
        server = Peer(service, revision, **said)
        service.on("/mcp", server.answer)
        yield server
