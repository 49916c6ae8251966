"""Takes calls as raw ASGI: bounds first, then the tool, then one line in the log and one count (toolkit/S2, S6).

It is plain ASGI since every request passes here; the other addresses are a Starlette app (`pages`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from axhub.contract.media import is_json
from axhub.toolkit.context import ToolContext
from axhub.toolkit.service.answers import Answer, Outcome, refusal
from axhub.toolkit.service.arguments import RefusedError
from axhub.toolkit.service.execution import RETRY, Execution, new_error_id
from axhub.toolkit.service.headers import Header, HeaderError, conflicts, context_of, read_headers
from axhub.toolkit.service.log import CallLog
from axhub.toolkit.service.metrics import Metrics
from axhub.toolkit.service.watch import Abandoned, Receive, is_being_cancelled
from axhub.toolkit.service.words import Language

__all__ = ["CallEndpoint", "CallLimits", "Send", "Target", "send_answer"]

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_CALL: Final = b"tools/call"
_JSON: Final = (b"content-type", b"application/json")
_PLAIN_ENCODINGS: Final = frozenset({b"", b"identity"})
_MAX_LENGTH_DIGITS: Final = 15
_STOPPED: Final = Answer(499, b"", Outcome.CANCELLED)
"""Of a call whose caller has gone: nobody reads it."""
_NOBODY: Final = ToolContext("", "")
"""The context of a call that failed before it had one."""
_TYPE: Final = int(Header.CONTENT_TYPE)
_LENGTH: Final = int(Header.CONTENT_LENGTH)
_ENCODING: Final = int(Header.CONTENT_ENCODING)
_NAME: Final = int(Header.MCP_NAME)
_METHOD: Final = int(Header.MCP_METHOD)


@dataclass(frozen=True, slots=True)
class Target:
    """What is behind a tool's name."""

    name: str
    execution: Execution | None
    """None: the tool is switched off."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Bounds of one request and of all together."""

    max_request_bytes: int
    max_in_flight_calls: int
    body_seconds: float = 30.0
    """How long a body may take to arrive; never longer than the timeout of its tool."""
    stuck_seconds: float = 60.0
    """After which use cases that were cut off and go on are taken for ones that never end."""

    @property
    def max_abandoned_calls(self) -> int:
        """How many use cases may go on after they were cut off, before no more callers shall be sent here."""
        return max(1, self.max_in_flight_calls // 4)


class CallEndpoint:
    """Answers `POST /tools/{name}` and `POST /mcp`."""

    def __init__(
        self,
        targets: Mapping[str, Target],
        limits: CallLimits,
        language: Language,
        log: CallLog,
        metrics: Metrics,
        abandoned: Abandoned | None = None,
    ) -> None:
        """Take what can be called, by published name, and what all calls share."""
        self._abandoned = Abandoned() if abandoned is None else abandoned
        self.in_flight = 0
        self._targets = targets
        self.limits = limits
        self._language = language
        self._log = log
        self.metrics = metrics
        metrics.watch_in_flight(lambda: self.in_flight)
        metrics.watch_abandoned(lambda: self.abandoned)

    @property
    def abandoned(self) -> int:
        """How many use cases go on although they were cut off."""
        return len(self._abandoned)

    @property
    def is_clogged(self) -> bool:
        """Whether so many use cases ignore that they were cut off that the process had better be replaced."""
        return self.abandoned >= self.limits.max_abandoned_calls

    @property
    def is_stuck(self) -> bool:
        """Whether the same use cases have clogged the process for so long that only a new one will help."""
        return self._abandoned.seconds_of(self.limits.max_abandoned_calls) >= self.limits.stuck_seconds

    async def by_path(self, target: Target | None, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a call whose address names the tool; None: no tool has that name."""
        await self._serve(target, False, scope, receive, send)

    async def by_header(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a call whose header `Mcp-Name` names the tool (decision/D2)."""
        await self._serve(None, True, scope, receive, send)

    async def _serve(
        self, target: Target | None, named: bool, scope: Mapping[str, Any], receive: Receive, send: Send
    ) -> None:
        arrived = asyncio.get_running_loop().time()
        started = perf_counter()  # the loop's clock stands still while a callback runs
        context: ToolContext | None = None
        answer = _STOPPED
        self.in_flight += 1
        try:
            found = read_headers(scope["headers"])
            if named:
                target = self._named(found)
            seconds = 0.0 if target is None or target.execution is None else target.execution.seconds
            context = context_of(found, arrived + seconds)
            execution = self._admitted(target, found)
            body = await self._body(found, receive, min(self.limits.body_seconds, seconds))
            answer = await execution.answer(body, context, receive)
        except RefusedError as refused:
            answer = refused.answer
        except HeaderError as error:
            answer = self._bad_headers(error)
        except GeneratorExit:  # the loop was closed around this call
            raise
        except BaseException as error:  # noqa: BLE001 - an answer comes out, whatever happens
            answer = self._broken(error, target, context)
        finally:
            self.in_flight -= 1
            name = None if target is None else target.name
            seconds = perf_counter() - started
            self.metrics.ended(name, answer.outcome, seconds)
            self._log.ended(name, answer, context, seconds)
        if answer.outcome is not Outcome.CANCELLED:
            await send_answer(send, answer)

    def _broken(self, error: BaseException, target: Target | None, context: ToolContext | None) -> Answer:
        error_id = new_error_id()
        if isinstance(error, asyncio.CancelledError) and is_being_cancelled():
            return refusal("STOPPED", self._language, Outcome.STOPPED, error_id=error_id, headers=RETRY)
        self._log.failed("call_failed", target.name if target else "", error_id, context or _NOBODY, error=error)
        return refusal("INTERNAL_ERROR", self._language, Outcome.ERROR, error_id=error_id)

    def _named(self, found: Sequence[bytes]) -> Target | None:
        if found[_METHOD] and found[_METHOD] != _CALL:
            raise RefusedError(refusal("NOT_A_TOOL_CALL", self._language, Outcome.INVALID_ARGUMENTS))
        if not found[_NAME]:
            raise RefusedError(refusal("TOOL_NAME_MISSING", self._language, Outcome.INVALID_ARGUMENTS))
        return self._targets.get(found[_NAME].decode("ascii", "replace"))

    def _admitted(self, target: Target | None, found: Sequence[bytes]) -> Execution:
        """Return what runs the call, or refuse it before its body is read."""
        if self.in_flight + self.abandoned > self.limits.max_in_flight_calls:
            answer = refusal("BUSY", self._language, Outcome.BUSY, error_id=new_error_id(), headers=RETRY)
        elif target is None:
            answer = refusal("UNKNOWN_TOOL", self._language, Outcome.NOT_FOUND)
        elif target.execution is None:
            answer = refusal("TOOL_DISABLED", self._language, Outcome.REFUSED)
        elif (found[_TYPE] and not is_json(found[_TYPE])) or found[_ENCODING].lower() not in _PLAIN_ENCODINGS:
            answer = refusal("UNSUPPORTED_MEDIA_TYPE", self._language, Outcome.INVALID_ARGUMENTS)
        else:
            self._note_conflicts(found, target.name)
            return target.execution
        raise RefusedError(answer)

    def _note_conflicts(self, found: Sequence[bytes], tool: str) -> None:
        names = conflicts(found)
        if names:
            self.metrics.header_conflict()
            self._log.event(logging.WARNING, "header_conflict", tool=tool, headers=names)

    async def _body(self, found: Sequence[bytes], receive: Receive, seconds: float) -> bytes:
        limit = self.limits.max_request_bytes
        length = found[_LENGTH]
        if length and (len(length) > _MAX_LENGTH_DIGITS or int(length) > limit):
            raise RefusedError(self._too_large())
        try:
            async with asyncio.timeout(seconds):
                message = await receive()
                if not message.get("more_body") and message["type"] == "http.request":
                    body: bytes = message.get("body", b"")
                else:
                    body = await self._rest(message, receive)
        except TimeoutError:
            raise RefusedError(refusal("SLOW_BODY", self._language, Outcome.INVALID_ARGUMENTS)) from None
        if len(body) > limit:
            raise RefusedError(self._too_large())
        return body

    async def _rest(self, message: MutableMapping[str, Any], receive: Receive) -> bytes:
        """Read on until the end of the body, or until it is longer than allowed."""
        parts: list[bytes] = []
        size = 0
        while message["type"] != "http.disconnect":
            part = message.get("body", b"")
            parts.append(part)
            size += len(part)
            if not message.get("more_body") or size > self.limits.max_request_bytes:
                return b"".join(parts)
            message = await receive()
        raise RefusedError(_STOPPED)

    def _too_large(self) -> Answer:
        values = {"limit": self.limits.max_request_bytes}
        return refusal("TOO_LARGE", self._language, Outcome.INVALID_ARGUMENTS, values=values)

    def _bad_headers(self, error: HeaderError) -> Answer:
        if not error.name:
            return refusal("HEADERS_TOO_LARGE", self._language, Outcome.INVALID_ARGUMENTS)
        values = {"name": error.name}
        return refusal("AMBIGUOUS_HEADER", self._language, Outcome.INVALID_ARGUMENTS, values=values)


async def send_answer(send: Send, answer: Answer) -> None:
    """Send an answer as ASGI messages."""
    headers = [_JSON, (b"content-length", b"%d" % len(answer.body)), *answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
