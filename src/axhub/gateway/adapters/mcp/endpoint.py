"""MCP over HTTP, transport-free: a whole request in, one reply out, now or later (gateway/P1-P6, P9, P10, K7).

Above it stands a front (`http1.server`, `asgi`), below it the use cases. Everything but `tools/call` is answered
at once from bytes made when the snapshot came.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from axhub.gateway.adapters.mcp import envelope, wire
from axhub.gateway.adapters.mcp.batch import BatchReply, check_batch, without_progress
from axhub.gateway.adapters.mcp.cursors import Cursors
from axhub.gateway.adapters.mcp.door import Door
from axhub.gateway.adapters.mcp.envelope import INVALID_REQUEST, Batch, EnvelopeError, Invalid, Message
from axhub.gateway.adapters.mcp.exchange import Exchange, ParamsError, progress_token, tool_call
from axhub.gateway.adapters.mcp.ladder import LadderError, agreed_revision, allows_batch, check_notification
from axhub.gateway.adapters.mcp.projection import (
    HANDSHAKE_CAPABILITIES,
    STATELESS_CAPABILITIES,
    Projection,
    ServerFacts,
)
from axhub.gateway.adapters.mcp.subscriptions import ListenError, Subscriptions, asks_for_tools, takes_events
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.domain.revision import HANDSHAKE_REVISIONS, LATEST_HANDSHAKE, STATELESS_REVISIONS, TRAITS, Revision
from axhub.gateway.ports import Cancel, HttpRequest, Reply, ReplyHead
from axhub.gateway.usecases.call_tool import UNAVAILABLE, CallTool, Refusal

_LISTEN: Final = "subscriptions/listen"
_NEWEST: Final = Revision.V2026_07_28
"""The one revision whose callers can listen (gateway/P9)."""
_Method = Callable[[Message, HttpRequest, "_Speech", Reply], Cancel | None]


class _Speech(NamedTuple):
    """How one revision is answered."""

    revision: Revision
    stateless: bool
    methods: Mapping[str, _Method]
    members: bytes
    """What each result has beside its own, comma first; empty in the handshake era."""
    not_found_code: int
    bad_request: ReplyHead
    """Of an answer to parameters that cannot be used."""


class McpEndpoint:
    """The one MCP endpoint; an `HttpHandler`."""

    def __init__(
        self,
        *,
        call_tool: CallTool,
        door: Door,
        facts: ServerFacts,
        not_found_code: int,
        subscriptions: Subscriptions,
    ) -> None:
        """`not_found_code` answers an unknown tool on the handshake revisions (decision/D5)."""
        self._call_tool = call_tool
        self._door = door
        self._facts = facts
        self.subscriptions = subscriptions
        """Who listens for a change of the list; whoever ends the gateway closes them first."""
        self._cursors = Cursors(facts.identity)
        self._projection: Projection | None = None
        self._discovery = _discovery(facts)
        both: dict[str, _Method] = {"tools/list": self._list, "tools/call": self._call}
        old: dict[str, _Method] = {**both, "initialize": self._initialize, "ping": self._ping}
        new: dict[str, _Method] = {**both, "server/discover": self._discover, _LISTEN: self._listen}
        self._speeches = {
            revision: _Speech(revision, True, new, facts.stateless_members, wire.INVALID_PARAMS, wire.head_of(400))
            if traits.stateless
            else _Speech(revision, False, old, b"", not_found_code, wire.OK)
            for revision, traits in TRAITS.items()
        }

    def publish(self, snapshot: Snapshot) -> None:
        """Serve this snapshot from now on; rendered before it is shown, swapped in one assignment (gateway/K3).

        Those who listen are told, unless the list looks the same to them as before.
        """
        projection = Projection(snapshot, self._facts, self._cursors)
        self._call_tool.publish(snapshot)
        before, self._projection = self._projection, projection
        if before is None or before.pages(_NEWEST) != projection.pages(_NEWEST):
            self.subscriptions.tools_changed()

    def __call__(self, request: HttpRequest, reply: Reply) -> Cancel | None:
        """Answer one HTTP request; the returned callable cancels a call whose caller has gone (gateway/X8)."""
        notes = request.notes
        takes_json = None if notes is None else notes.takes_json
        if takes_json is None:
            turned = self._door.turn_away(request)
            if turned is not None:
                reply(wire.head_of(turned.status), wire.error_body(None, INVALID_REQUEST, turned.message))
                return None
            takes_json = _takes_json(request.headers.get(b"accept"))
            if notes is not None:
                notes.takes_json = takes_json
        if not takes_json:
            reply = _as_events(reply)
        try:
            message = envelope.parse(request.body, notes)
            if isinstance(message, Message):
                return self._answer(message, request, reply)
            self._answer_batch(message, request, reply)
        except EnvelopeError as error:
            reply(wire.head_of(400), wire.error_body(None, error.code, str(error)))
        return None

    def _answer(self, message: Message, request: HttpRequest, reply: Reply) -> Cancel | None:
        """Find the revision a message speaks, then what its method does there."""
        request_id = message.id
        try:
            if request_id is None:  # a notification; a `tools/call` without id must not run
                check_notification(request.headers)
                reply(wire.ACCEPTED, b"")
                return None
            revision = agreed_revision(message, request)
        except LadderError as error:
            reply(wire.head_of(400), wire.error_body(request_id, error.code, str(error), error.data))
            return None
        speech = self._speeches[revision]
        method = speech.methods.get(message.method)
        if method is None:
            head = wire.head_of(404) if speech.stateless else wire.OK
            reply(head, wire.error_body(request_id, wire.METHOD_NOT_FOUND, "Method not found"))
            return None
        return method(message, request, speech, reply)

    def _answer_batch(self, batch: Batch, request: HttpRequest, reply: Reply) -> None:
        if not allows_batch(request.headers):
            raise EnvelopeError(INVALID_REQUEST, "Invalid Request: this revision has no batches; send one message")
        check_batch(batch)
        replies = BatchReply(len(batch), reply)
        for index, entry in enumerate(batch):
            slot = replies.slot(index)
            if isinstance(entry, Message):
                self._answer(without_progress(entry), request, slot)
            elif isinstance(entry, Invalid):
                slot(wire.OK, wire.error_body(None, entry.error.code, str(entry.error)))
            else:
                slot(wire.ACCEPTED, b"")

    def _initialize(self, message: Message, _request: HttpRequest, _speech: _Speech, reply: Reply) -> None:
        asked = envelope.text_of(message.params.get("protocolVersion"))
        if asked is None:
            self._invalid_params(message, "params.protocolVersion must be a string", wire.OK, reply)
            return
        result = {
            "protocolVersion": asked if asked in HANDSHAKE_REVISIONS else LATEST_HANDSHAKE,
            "capabilities": HANDSHAKE_CAPABILITIES,
            "serverInfo": self._facts.info,
        }
        reply(wire.OK, wire.result_body(message.id or b"", wire.as_json(result)))

    def _ping(self, message: Message, _request: HttpRequest, _speech: _Speech, reply: Reply) -> None:
        reply(wire.OK, wire.result_body(message.id or b"", b"{}"))

    def _discover(self, message: Message, _request: HttpRequest, _speech: _Speech, reply: Reply) -> None:
        reply(wire.OK, wire.result_body(message.id or b"", self._discovery))

    def _list(self, message: Message, _request: HttpRequest, speech: _Speech, reply: Reply) -> None:
        projection, cursor, place = self._projection, message.params.get("cursor"), None
        if not envelope.is_null(cursor):
            place = self._cursors.read(envelope.text_of(cursor))
            if place is None:
                self._invalid_params(message, "params.cursor is not a cursor of this list", speech.bad_request, reply)
                return
        if projection is None:
            data = {"reason": Refusal.UNAVAILABLE.value}
            reply(wire.UNAVAILABLE, wire.error_body(message.id, wire.INTERNAL_ERROR, UNAVAILABLE.message, data))
        else:
            revision = speech.revision
            listed = projection.lists[revision] if place is None else projection.after(revision, place)
            reply(wire.OK, b'{"jsonrpc":"2.0","id":%b' % (message.id or b""), listed)

    def _listen(self, message: Message, request: HttpRequest, speech: _Speech, reply: Reply) -> Cancel | None:
        """Open a subscription; a caller that takes no event stream cannot have one (MCP 2026-07-28, transports)."""
        if not takes_events(request.headers.get(b"accept")):
            problem = f"{_LISTEN} is answered with text/event-stream, which the Accept header leaves out"
            reply(wire.head_of(406), wire.error_body(message.id, INVALID_REQUEST, problem))
            return None
        try:
            tools = asks_for_tools(message)
        except ListenError as error:
            self._invalid_params(message, str(error), speech.bad_request, reply)
            return None
        return self.subscriptions.open(message.id or b"", tools, reply)

    def _call(self, message: Message, request: HttpRequest, speech: _Speech, reply: Reply) -> Cancel | None:
        revision, stateless, _, members, not_found_code, bad_request = speech
        try:
            call = tool_call(message, request, stateless)
        except ParamsError as error:
            self._call_tool.refused_by_protocol(request.headers)
            self._invalid_params(message, str(error), bad_request, reply)
            return None
        token = progress_token(message, request) if "progressToken" in message.meta else None
        exchange = Exchange(message.id or b"", reply, revision, members, not_found_code, token)
        cancel = self._call_tool.start(call, exchange)
        return cancel if stateless else None

    def _invalid_params(self, message: Message, problem: str, head: ReplyHead, reply: Reply) -> None:
        reply(head, wire.error_body(message.id, wire.INVALID_PARAMS, f"Invalid params: {problem}"))


def _discovery(facts: ServerFacts) -> bytes:
    document = wire.as_json({"supportedVersions": list(STATELESS_REVISIONS), "capabilities": STATELESS_CAPABILITIES})
    return document[:-1] + facts.stateless_members + facts.cache_members + b"}"


def _takes_json(accept: bytes | None) -> bool:
    """Clients should list both media types; one that lists only event streams gets one event, all others JSON."""
    if accept is None or b"application/json" in accept:
        return True
    kinds = accept.lower()
    return (
        b"text/event-stream" not in kinds
        or b"application/json" in kinds
        or b"*/*" in kinds
        or b"application/*" in kinds
    )


def _as_events(reply: Reply) -> Reply:
    streaming = False

    def send(head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        nonlocal streaming
        streaming = streaming or more  # then every piece is an event already
        if head is wire.OK and not streaming:
            reply(wire.OK_EVENTS, wire.as_event(body + tail))
        else:
            reply(head, body, tail, more=more)

    return send
