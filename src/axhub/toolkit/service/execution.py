"""One call of one tool, from its bytes to its answer (toolkit/S2 to S5, rule/TK804)."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.toolkit.context import ToolContext, current_context
from axhub.toolkit.errors import ToolError
from axhub.toolkit.ports import RepeatStore
from axhub.toolkit.service.answers import Answer, Outcome, refusal, refused_by_tool
from axhub.toolkit.service.arguments import ArgumentReader, RefusedError
from axhub.toolkit.service.log import CallLog
from axhub.toolkit.service.repeat import BusinessKey
from axhub.toolkit.service.results import InvalidResultError, ResultWriter
from axhub.toolkit.service.watch import Abandoned, Receive, Watch, is_being_cancelled
from axhub.toolkit.service.words import Language, RefusalCode

__all__ = ["REPEATED", "RETRY", "Execution", "Once", "Terms", "new_error_id"]

OK: Final = 200
_CLOSED: Final = 499
"""Only in the log: nobody is there to read an answer."""
RETRY: Final = ((b"retry-after", b"1"),)
REPEATED: Final = ((b"x-repeated", b"true"),)
"""On an answer that comes from the store: the write was made before."""
_ERROR_ID_BYTES: Final = 8
_STORE_SECONDS: Final = 5.0
"""How long noting an answer may take; the caller waits that long at most."""


def new_error_id() -> str:
    """Return what ties an answer to the log."""
    return secrets.token_hex(_ERROR_ID_BYTES)


@dataclass(frozen=True, slots=True)
class Once:
    """How a write is kept from being made twice."""

    key: BusinessKey
    store: RepeatStore


@dataclass(frozen=True, slots=True)
class Terms:
    """Under which terms a tool is run."""

    seconds: float
    """After which the use case is cancelled."""
    language: Language = "en"
    """Of what a model reads."""
    requires_employee: bool = False
    """Whether a call without an employee number is refused."""
    once: Once | None = None
    """How repetition is prevented; None: it is not."""
    abandoned: Abandoned = field(default_factory=Abandoned)
    """Counts use cases that go on after they were cut off; one for all tools of a service."""


class Execution:
    """Runs the calls of one tool; whatever a use case does, an answer comes out."""

    __slots__ = (
        "_abandoned", "_call", "_employee", "_language", "_log", "_notes", "_once", "_read", "_running", "_write",
        "name", "seconds",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        call: Callable[[Any, ToolContext], Awaitable[Any]],
        arguments: ArgumentReader,
        results: ResultWriter,
        terms: Terms,
        log: CallLog,
    ) -> None:
        """Take everything that one tool needs.

        Args:
            name: the published name.
            call: the use case with its dependencies, taking the request and the context.
            arguments: reads its arguments.
            results: writes its results.
            terms: how it is run.
            log: where the causes of failures go.
        """
        self.name = name
        self.seconds = terms.seconds
        self._call = call
        self._read = arguments.read
        self._write = results.write
        self._language = terms.language
        self._log = log
        self._employee = terms.requires_employee
        self._once = terms.once
        self._abandoned = terms.abandoned
        self._running: dict[str, str] = {}
        self._notes: set[asyncio.Task[None]] = set()

    async def answer(self, body: bytes, context: ToolContext, receive: Receive | None) -> Answer:
        """Run one call; `context.deadline` says until when.

        Args:
            body: the arguments' bytes.
            context: of this call.
            receive: tells when the caller has gone; None: never.
        """
        try:
            return await self._answered(body, context, receive)
        except RefusedError as refused:
            return refused.answer
        except GeneratorExit:  # the loop was closed around this call
            raise
        except BaseException as error:  # noqa: BLE001 - validators and stores are somebody's code too
            if isinstance(error, asyncio.CancelledError) and is_being_cancelled():
                return self.stopped()
            return self._fault("INTERNAL_ERROR", Outcome.ERROR, "tool_failed", context, error)

    def stopped(self) -> Answer:
        """Return the answer to a call that the end of the service cuts off."""
        return refusal("STOPPED", self._language, Outcome.STOPPED, error_id=new_error_id(), headers=RETRY)

    async def _answered(self, body: bytes, context: ToolContext, receive: Receive | None) -> Answer:
        if self._employee and context.employee is None:
            return refusal("EMPLOYEE_REQUIRED", self._language, Outcome.REFUSED)
        request = self._read(body)
        now = asyncio.get_running_loop().time()
        deadline = now + self.seconds if context.deadline is None else context.deadline
        if now >= deadline:
            return self._fault("TIMEOUT", Outcome.TIMEOUT, "tool_timeout", context)
        token = current_context.set(context)
        try:
            if self._once is not None:
                return await self._run_once(self._once, request, context, receive, deadline)
            return await self._run(request, context, receive, deadline)
        finally:
            current_context.reset(token)

    async def _run(self, request: Any, context: ToolContext, receive: Receive | None, deadline: float) -> Answer:
        watch = Watch(asyncio.get_running_loop(), receive, deadline, self._abandoned)
        await watch.run(self._call, request, context)
        if watch.left_behind:
            self._log.event(logging.WARNING, "tool_abandoned", tool=self.name, count=len(self._abandoned))
        if watch.stopped:
            return self.stopped()
        if watch.expired:
            return self._fault("TIMEOUT", Outcome.TIMEOUT, "tool_timeout", context, watch.failure)
        if watch.gone:
            return Answer(_CLOSED, b"", Outcome.CANCELLED)
        if watch.failure is not None:
            return self._failed(watch.failure, context)
        return self._written(watch.result, context)

    async def _run_once(
        self, once: Once, request: Any, context: ToolContext, receive: Receive | None, deadline: float
    ) -> Answer:
        key, digest = once.key.of(request), once.key.digest(request, context)
        running = self._running.get(key)
        if running is not None:
            same = running == digest
            return refusal("STILL_RUNNING", self._language, Outcome.CONFLICT) if same else self._conflict(once)
        self._running[key] = digest
        try:
            found = await self._begun(once, key, digest, context, deadline)
            if found is not None:
                return found
            answer = await self._run(request, context, receive, deadline)
            await self._noted(once.store, key, answer, context)
        finally:
            del self._running[key]
        return answer

    async def _begun(self, once: Once, key: str, digest: str, context: ToolContext, deadline: float) -> Answer | None:
        """Take a key; return the answer if the call is not to be made."""
        store = once.store
        limit = asyncio.timeout_at(deadline)
        try:
            async with limit:
                stored = await store.begin(self.name, key, digest)
            if stored is not None:
                return self._repeated(stored.answer) if stored.digest in {None, digest} else self._conflict(once)
        except BaseException as error:  # the store is somebody's code too; nothing was run
            if isinstance(error, GeneratorExit) or is_being_cancelled():
                raise
            if limit.expired():
                return self._fault("TIMEOUT", Outcome.TIMEOUT, "tool_timeout", context, error)
            return self._fault("INTERNAL_ERROR", Outcome.ERROR, "repeat_store_failed", context, error)
        if asyncio.get_running_loop().time() < deadline:
            return None
        answer = self._fault("TIMEOUT", Outcome.TIMEOUT, "tool_timeout", context)._replace(undone=True)
        await self._noted(store, key, answer, context)
        return answer

    def _repeated(self, answer: bytes | None) -> Answer:
        if answer is None:
            return refusal("OUTCOME_UNKNOWN", self._language, Outcome.CONFLICT)
        return Answer(OK, answer, Outcome.REPEATED, headers=REPEATED)

    def _conflict(self, once: Once) -> Answer:
        values = {"key": ", ".join(once.key.names)}
        return refusal("CONFLICT", self._language, Outcome.CONFLICT, values=values)

    async def _noted(self, store: RepeatStore, key: str, answer: Answer, context: ToolContext) -> None:
        """Note an answer; whoever cuts the call off meanwhile does not cut off the note."""
        note = asyncio.create_task(self._note(store, key, answer, context))
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)
        try:
            await asyncio.shield(note)
        except asyncio.CancelledError:  # the call was made: its answer goes out
            return

    async def _note(self, store: RepeatStore, key: str, answer: Answer, context: ToolContext) -> None:
        """Store an answer, or give the key back if nothing was done; in every other case the outcome is unknown."""
        try:
            async with asyncio.timeout(_STORE_SECONDS):
                if answer.outcome is Outcome.OK:
                    await store.finish(self.name, key, answer.body)
                elif answer.undone:
                    await store.release(self.name, key)
        except BaseException as error:  # noqa: BLE001 - the call was made: its answer counts, and the key stays taken
            self._log.failed("repeat_not_noted", self.name, new_error_id(), context, error=error)

    def _failed(self, failure: BaseException, context: ToolContext) -> Answer:
        if not isinstance(failure, ToolError):
            return self._fault("INTERNAL_ERROR", Outcome.ERROR, "tool_failed", context, failure)
        try:
            return refused_by_tool(failure)
        except BaseException:  # noqa: BLE001 - its text is somebody's code too; it refused the call all the same
            return self._fault("INTERNAL_ERROR", Outcome.ERROR, "tool_failed", context, failure)._replace(undone=True)

    def _written(self, result: Any, context: ToolContext) -> Answer:
        try:
            return Answer(OK, self._write(result), Outcome.OK)
        except InvalidResultError as invalid:
            return self._fault(
                "INTERNAL_ERROR", Outcome.INVALID_RESULT, "invalid_result", context, places=invalid.places
            )
        except Exception as error:  # noqa: BLE001 - an author's own serializer may fail in any way
            return self._fault("INTERNAL_ERROR", Outcome.INVALID_RESULT, "invalid_result", context, error)

    def _fault(
        self,
        code: RefusalCode,
        outcome: Outcome,
        event: str,
        context: ToolContext,
        error: BaseException | None = None,
        **more: Any,
    ) -> Answer:
        """Log what is behind a fault of ours, and return the answer that only refers to it."""
        error_id = new_error_id()
        self._log.failed(event, self.name, error_id, context, error=error, **more)
        return refusal(code, self._language, outcome, error_id=error_id)
