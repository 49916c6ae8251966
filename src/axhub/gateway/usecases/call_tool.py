"""Flow 2: a `tools/call` from decision to result (gateway/X1-X14).

Read `CallTool.start` from top to bottom. It decides from one snapshot, acts through the `Upstream` port and hears
of the end in a callback: no task and no future a call, except for the re-check of a name that is not known.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from axhub.gateway.domain.call import ForwardedHeaders, HeaderFaultError, ToolCall
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.domain.header_params import mismatch
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from axhub.gateway.ports import (
    CallObserver,
    CallRecord,
    Cancel,
    Clock,
    EventLog,
    McpAnswer,
    McpUpstream,
    Outcome,
    Severity,
    Upstream,
    UpstreamAnswer,
    UpstreamRequest,
)
from axhub.gateway.usecases.call_mcp import PROGRESS_TOKEN, mcp_call
from axhub.gateway.usecases.interpret_answer import ToolResult, error, interpret
from axhub.gateway.usecases.interpret_mcp import McpResult, interpret_mcp


class Refusal(StrEnum):
    """Why a call was refused before anything was sent."""

    OVERLOADED = "overloaded"
    UNAVAILABLE = "registry_unavailable"
    NOT_FOUND = "tool_not_found"
    INVALID_HEADER = "invalid_header"
    HEADER_MISMATCH = "header_mismatch"


class Refused(NamedTuple):
    """A call that was not made."""

    refusal: Refusal
    message: str


class Caller(Protocol):
    """Who waits for a call; exactly one of the two is told, once, at once or later."""

    def completed(self, result: McpResult, milliseconds: int) -> None:
        """Take the result of a call that was made, whatever came of it."""
        ...

    def progressed(self, params: bytes) -> None:
        """Hear how far a call is, before its end; `params` are the members of the notification but for its token."""
        ...

    def refused(self, refused: Refused) -> None:
        """Hear why no call was made."""
        ...


_OVERLOADED: Final = Refused(Refusal.OVERLOADED, "The gateway is at its limit of calls in flight; try again shortly")
UNAVAILABLE: Final = Refused(Refusal.UNAVAILABLE, "The tool catalogue is not loaded yet; try again shortly")
_NOT_FOUND: Final = Refused(Refusal.NOT_FOUND, "Tool not found")
_OUR_FAULT: Final = "The gateway could not complete the call; this is its own fault, not that of the arguments."
_OUTCOMES: Final = {Refusal.NOT_FOUND: Outcome.NOT_FOUND}


class CallTool:
    """The use case; one a process, all on the event loop's thread."""

    def __init__(  # noqa: PLR0913 -- every outside thing is a keyword
        self,
        *,
        upstream: Upstream,
        mcp_upstream: McpUpstream,
        rules: Mapping[str, CallRules],
        forwarded_headers: ForwardedHeaders,
        recheck: Callable[[], Coroutine[Any, Any, None]],
        count: CallObserver,
        log_call: CallObserver,
        log: EventLog,
        clock: Clock,
        new_error_id: Callable[[], str],
        max_in_flight: int,
    ) -> None:
        """Take the outside.

        Args:
            upstream: Tool Services.
            mcp_upstream: MCP servers.
            rules: by bundle id.
            forwarded_headers: the deployment's rule.
            recheck: returns when the pull that judges an unknown name has ended (gateway/X7).
            count: hears of each call first.
            log_call: hears of each call after that.
            log: for what is no call.
            clock: measures calls.
            new_error_id: makes the correlation ids of errors (decision/D14).
            max_in_flight: more calls at a time are refused (gateway/X14).
        """
        self._upstream = upstream
        self._mcp_upstream = mcp_upstream
        self._rules = rules
        self._forwarded_headers = forwarded_headers
        self._recheck = recheck
        self.count = count
        self.log_call = log_call
        self._log = log
        self.now = clock.monotonic
        self.new_error_id = new_error_id
        self._max_in_flight = max_in_flight
        self._routes: Mapping[str, Route] | None = None
        self._disabled: frozenset[str] = frozenset()
        self._rechecks: set[asyncio.Task[None]] = set()
        self.in_flight = 0

    def publish(self, snapshot: Snapshot) -> None:
        """Bind a new snapshot; calls that have started keep the route they were given (gateway/K3)."""
        routes = bind_routes(snapshot.tools, self._rules)
        self._disabled = frozenset(snapshot.by_name).difference(routes)
        self._routes = routes

    def start(self, call: ToolCall, caller: Caller) -> Cancel:
        """Make a call and tell `caller` of its end. Cancelling aborts the upstream call."""
        now, routes = self.now, self._routes if self.in_flight < self._max_in_flight else None
        running = _Running(self, call, caller, now(), None if routes is None else routes.get(call.name))
        if self.in_flight >= self._max_in_flight:
            running.refuse(_OVERLOADED, counted=False)
            return running.cancel
        self.in_flight += 1
        try:
            if running.route is not None:
                self._forward(running, running.route)
            else:
                self._without_route(running)
        except Exception as fault:  # noqa: BLE001 -- a fault of ours ends this call, and gives its place back
            running.fail(fault)
        return running.cancel

    def refused_by_protocol(self, headers: Mapping[bytes, bytes]) -> None:
        """Count a call that the protocol adapter could not even read."""
        guid, request_id = headers.get(b"guid", b""), headers.get(b"x-request-id", b"")
        record = CallRecord(None, Outcome.REFUSED, 0.0, guid, request_id, b"")
        self.count(record)
        self.log_call(record)

    def _without_route(self, running: "_Running") -> None:
        if self._routes is None:
            running.refuse(UNAVAILABLE)
        elif running.call.name in self._disabled:
            running.refuse(_NOT_FOUND)
        else:
            self._look_again(running)

    def _forward(self, running: "_Running", route: Route) -> None:
        call = running.call
        try:
            head, trace_id = self._forwarded_headers.head_for(call, route)
        except HeaderFaultError as fault:
            running.refuse(Refused(Refusal.INVALID_HEADER, str(fault)))
            return
        if trace_id:
            running.trace_id = trace_id
        problem = mismatch(route.header_params, call) if route.header_params and call.mirrors_arguments else None
        if problem is not None:
            running.refuse(Refused(Refusal.HEADER_MISMATCH, problem))
            return
        if route.own_name:
            on_progress = running.caller.progressed if PROGRESS_TOKEN in call.meta else None
            cancel = self._mcp_upstream.call(mcp_call(call, route, head), running.answered_by_mcp, on_progress)
        else:
            request = UpstreamRequest(route.bundle, route.origin, head, call.arguments, route.timeout)
            cancel = self._upstream.send(request, running.answered)
        if running.cancel_upstream is not _over:
            running.cancel_upstream = cancel

    def _look_again(self, running: "_Running") -> None:
        """Judge an unknown name by a fresh pull that all who miss at the same time share (gateway/X7)."""
        task = asyncio.get_running_loop().create_task(self._after_recheck(running))
        self._rechecks.add(task)
        task.add_done_callback(self._rechecks.discard)

    async def _after_recheck(self, running: "_Running") -> None:
        try:
            await self._recheck()
            if running.cancel_upstream is _over:
                return
            running.route = route = None if self._routes is None else self._routes.get(running.call.name)
            if route is None:
                running.refuse(_NOT_FOUND)
            else:
                self._forward(running, route)
        except Exception as fault:  # noqa: BLE001 -- as in `start`
            running.fail(fault)

    def fault(self, error_of_ours: Exception) -> ToolResult:
        """Return the result of a call that a fault of the gateway itself ended, and log it without its text."""
        error_id = self.new_error_id()
        self._log.event(Severity.ERROR, "call_failed", type=type(error_of_ours).__name__, errorId=error_id)
        return error(f"{_OUR_FAULT} Error id: {error_id}", Outcome.INVALID_RESULT, error_id)


def _over() -> None:
    """Cancel nothing: the call has ended."""


class _Running(msgspec.Struct, eq=False):
    """One call between its start and its end."""

    owner: CallTool
    call: ToolCall
    caller: Caller
    started: float
    route: Route | None
    trace_id: bytes = b""
    cancel_upstream: Cancel | None = None
    """Set while the upstream is at work; `_over` after the end."""

    def answered(self, answer: UpstreamAnswer) -> None:
        """Take the upstream's answer to the caller."""
        if self.cancel_upstream is _over or self.route is None:
            return
        try:
            result = interpret(answer, self.route, self.owner.new_error_id)
        except Exception as fault:  # noqa: BLE001 -- as in `CallTool.start`
            result = self.owner.fault(fault)
        self._complete(result)

    def answered_by_mcp(self, answer: McpAnswer) -> None:
        """Take an MCP server's answer to the caller."""
        if self.cancel_upstream is _over or self.route is None:
            return
        try:
            result = interpret_mcp(answer, self.route, self.owner.new_error_id)
        except Exception as fault:  # noqa: BLE001 -- as in `CallTool.start`
            result = self.owner.fault(fault)
        self._complete(result)

    def fail(self, fault: Exception) -> None:
        """End the call because of a fault of ours; whatever the upstream still does is cut off."""
        result = self.owner.fault(fault)
        if self.cancel_upstream is _over:
            return
        cancel, self.cancel_upstream = self.cancel_upstream, _over
        if cancel is not None:
            cancel()
        self._complete(result)

    def refuse(self, refused: Refused, *, counted: bool = True) -> None:
        """End the call before anything was sent."""
        if counted:
            self.owner.in_flight -= 1
        self._end(_OUTCOMES.get(refused.refusal, Outcome.REFUSED))
        self.caller.refused(refused)

    def cancel(self) -> None:
        """End the call because its caller has gone (gateway/X8)."""
        if self.cancel_upstream is _over:
            return
        if self.cancel_upstream is not None:
            self.cancel_upstream()
        if self.cancel_upstream is not _over:  # it waits for a re-check, or the upstream reports later
            self._complete(error("The call was cancelled.", Outcome.CANCELLED))

    def _complete(self, result: McpResult) -> None:
        self.owner.in_flight -= 1
        seconds = self._end(result.outcome, result.error_id)
        self.caller.completed(result, int(seconds * 1000))

    def _end(self, outcome: Outcome, error_id: str = "") -> float:
        self.cancel_upstream = _over  # what was there leads back here: a cycle that only the collector would find
        owner, route, header = self.owner, self.route, self.call.headers.get
        now, count, log_call = owner.now, owner.count, owner.log_call
        seconds = now() - self.started
        tool = None if route is None else route.tool
        guid, request_id = header(b"guid", b""), header(b"x-request-id", b"")
        record = CallRecord(tool, outcome, seconds, guid, request_id, self.trace_id, error_id)
        count(record)
        log_call(record)
        return seconds
