"""One tool of a catalogue as the loop knows tools (agent/A9, agent/L6).

What ends a call is one of three: a result; an error that tells the model that nothing took effect; or nobody knows,
which for a write is an outcome unknown that no retry follows.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Generic, TypeVar

from axhub.agent.adapters.mcp_tools.actor_headers import SealError, headers_of
from axhub.agent.adapters.mcp_tools.arguments import ArgumentsCheck
from axhub.agent.adapters.mcp_tools.calling import Call, RefusedError
from axhub.agent.adapters.mcp_tools.judging import Judged
from axhub.agent.adapters.mcp_tools.mapping import CatalogueTool
from axhub.agent.adapters.mcp_tools.results import Answer
from axhub.agent.adapters.mcp_tools.wire import LostError, TooLargeError, UnsentError
from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.canonical import canonical
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import NeverKnownError, OutcomeUnknownError, ToolError
from axhub.agent.ports.actor_cipher import ActorCipher
from axhub.agent.ports.effects import Noted, Observer
from axhub.contract.text import clean_text

__all__ = ["RemoteTool"]

A = TypeVar("A", bound=Actor)

_UNSENT: Final = (
    "UNREACHABLE",
    "The system behind this tool cannot be reached now. Nothing was sent, so trying again later does no harm.",
)
_REFUSED: Final = "The system behind this tool did not take the call. Nothing was done."
_TOO_LARGE: Final = ("TOO_LARGE", "The answer is larger than what can be read here. Ask for less.")
_WANTS_INPUT: Final = (
    "NEEDS_INPUT",
    "The system behind this tool would first ask a person for more, which is not possible here. Nothing was done.",
)
_NO_ACTOR: Final = (
    "ACTOR_UNAVAILABLE",
    "Who this is for could not be told to the system behind this tool. Nothing was sent. Reference: {}.",
)
_EMPTY: Final = "The tool failed and gave no reason."
_MOST_OF_ERROR: Final = 8_192
_MOST_OF_REASON: Final = 500
_DOUBTS: Final = (
    "It is not known whether",
    "answer is larger than the gateway passes on",
    "gave an answer that",
    "which is no result",
    "gateway could not complete the call",
)
"""What an axhub gateway says in an error result of a call that may have taken effect (gateway/X4, decision/D14)."""


class RemoteTool(Generic[A]):
    """See `ports.tools.Tool`."""

    def __init__(
        self,
        definition: ToolDefinition,
        wanted: CatalogueTool[A],
        listed: Judged,
        send: Callable[[Call], Awaitable[Answer]],
        *,
        cipher: ActorCipher[A] | None,
        observer: Observer,
        connect_seconds: float,
    ) -> None:
        """Take what is known of it.

        Args:
            definition: as a model is shown it.
            wanted: what the application says of it.
            listed: what the list says; without a schema, it can only be asked what became of a call.
            send: makes a call.
            cipher: encrypts who acts; None: no employee header is sent.
            observer: hears of calls that were not taken.
            connect_seconds: how long to wait for a connection.
        """
        self.definition: Final = definition
        self._wanted = wanted
        self._params = listed.params
        self._send = send
        self._cipher = cipher
        self._observer = observer
        self._connect_seconds = min(connect_seconds, definition.timeout_seconds / 2)
        self._check = None if listed.schema is None else ArgumentsCheck(listed.schema, definition.identity_exceptions)

    def read(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """See `Tool`; the schema that the catalogue publishes decides."""
        if self._check is not None:
            self._check.check(arguments)
        return arguments

    def key_of(self, arguments: Mapping[str, Any], context: CallContext[A]) -> str:
        """See `Tool`."""
        if self._wanted.key is None:
            raise LookupError(f"{self._wanted.tool} reads, so it has no key")
        return self._wanted.key(arguments, context)

    async def call(self, arguments: Mapping[str, Any], context: CallContext[A]) -> str:
        """See `Tool`; sent once, whatever happens."""
        it = Call(
            tool=self._wanted.tool,
            arguments=arguments,
            text=canonical(arguments).encode(),
            headers=await self._headers(context),
            params=self._params,
            connect_seconds=self._connect_seconds,
        )
        try:
            answer = await self._send(it)
        except UnsentError:
            self._not_taken("unsent")
            raise ToolError(*_UNSENT) from None
        except RefusedError as refused:
            self._not_taken("refused", status=refused.status, code=refused.code)
            raise ToolError("REFUSED", _with_reason(refused.message)) from None
        except LostError as lost:
            if isinstance(lost, TooLargeError) and self.definition.effect is Effect.READ:
                raise ToolError(*_TOO_LARGE) from None
            raise OutcomeUnknownError(f"{self._wanted.tool}: {str(lost) or type(lost).__name__}") from lost
        return self._result(answer)

    async def outcome(self, arguments: Mapping[str, Any], context: CallContext[A]) -> str | None:
        """See `Tool`; MCP has no way to ask, so the application's `find` is asked, if there is one."""
        if self._wanted.find is None:
            raise NeverKnownError(f"{self._wanted.tool} has no find()")
        return await self._wanted.find(arguments, context)

    async def _headers(self, context: CallContext[A]) -> Mapping[str, str]:
        try:
            return await headers_of(context, self._cipher)
        except SealError as error:
            self._observer.fault(context.call_id, error, run=context.run_id, tool=self.definition.name)
            code, message = _NO_ACTOR
            raise ToolError(code, message.format(context.call_id)) from None

    def _result(self, answer: Answer) -> str:
        if answer.wants_input:
            raise ToolError(*_WANTS_INPUT)
        if not answer.is_error:
            return answer.text
        is_doubtful = any(doubt in answer.text for doubt in _DOUBTS)
        if is_doubtful and self.definition.effect is Effect.WRITE:
            raise OutcomeUnknownError(f"{self._wanted.tool}: its server does not know either")
        raise ToolError("TOOL_ERROR", clean_text(answer.text)[:_MOST_OF_ERROR].strip() or _EMPTY)

    def _not_taken(self, kind: str, **facts: float) -> None:
        self._observer.note(Noted.CALL_NOT_TAKEN, kind=kind, tool=self.definition.name, **facts)


def _with_reason(reason: str) -> str:
    said = clean_text(reason)[:_MOST_OF_REASON].strip()
    return f"{_REFUSED} It says: {said}" if said else _REFUSED
