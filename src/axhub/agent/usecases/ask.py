"""One message of a person: which tools, a stored run, and the loop (agent/A3, agent/A5, agent/A6, agent/A7).

A caller that goes away does not stop a run: what has begun ends, and is stored.
"""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.limits import Limits
from axhub.agent.domain.outcomes import AskRequest, NotAuthenticatedError, Outcome
from axhub.agent.domain.records import Begun, NewRun
from axhub.agent.domain.texts import storable, whole
from axhub.agent.ports.effects import Clock, Ids
from axhub.agent.ports.runs import RunStore
from axhub.agent.usecases.kept import Kept
from axhub.agent.usecases.lease import LEASE_SECONDS, held
from axhub.agent.usecases.loop import Loop, Offer
from axhub.agent.usecases.offering import Offering

__all__ = ["Ask"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")

_LONGEST_NAME: Final = 256


class Ask(Generic[C, A]):
    """The use case; one an application."""

    def __init__(
        self,
        *,
        offering: Offering[C, A],
        store: RunStore[A],
        loop: Loop[A],
        clock: Clock,
        ids: Ids,
        limits: Limits,
    ) -> None:
        self._offering = offering
        self._store = store
        self._loop = loop
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._kept: Kept[Outcome] = Kept()

    async def __call__(self, request: AskRequest[A, C], on_text: Callable[[str], None] | None = None) -> Outcome:
        """Answer a message.

        Raises:
            NotAuthenticatedError: nobody acts, or somebody whose name can be stored nowhere.
            NotFoundError: the conversation is not the actor's.
            PendingApprovalError, RunInProgressError: the conversation takes no message now (agent/R4).
            ToolAbortedError: the error policy hands a tool's exception to the caller.
        """
        if not _is_known(request.actor):
            raise NotAuthenticatedError
        tools, stop = await self._offering.offered(request.capabilities, self._limits)
        begun = await self._store.begin(
            NewRun(
                id=self._ids.new(),
                conversation_id=request.conversation_id or self._ids.new(),
                is_new_conversation=request.conversation_id is None,
                agent=whole(request.agent),
                actor=request.actor,
                message=whole(request.message),
                offered={name: tool.definition.digest for name, tool in tools.items()},
                policy_version=self._offering.policy_version,
                approval_policy_version=self._loop.approval_policy_version,
                trace_id=whole(request.trace_id)[:_LONGEST_NAME],
                lease_seconds=LEASE_SECONDS,
            )
        )
        if stop is not None:
            return await self._loop.stop(begun, stop)
        offer = self._offering.frozen(tools, request.agent, request.actor)
        return await self._kept.done(self._work(begun, offer, None if on_text is None else _quiet(on_text)))

    async def _work(self, begun: Begun[A], offer: Offer[A], on_text: Callable[[str], None] | None) -> Outcome:
        async with held(self._store, self._clock, begun.run):
            return await self._loop.run(begun, offer, on_text)

    async def drain(self) -> None:
        """Wait until every run that has begun has ended or waits."""
        await self._kept.drain()


def _is_known(actor: object) -> bool:
    return all(_is_name(getattr(actor, name, None)) for name in ("user_id", "tenant_id"))


def _is_name(name: object) -> bool:
    """Say whether something can be a name in every store; one is never changed to become one, as two would be one."""
    return isinstance(name, str) and bool(name.strip()) and len(name) <= _LONGEST_NAME and storable(name) == name


def _quiet(on_text: Callable[[str], None]) -> Callable[[str], None]:
    """Return a listener that may go away: what it raises ends its listening, not the run."""
    listening = [on_text]

    def say(text: str) -> None:
        try:
            for listener in listening:
                listener(text)
        except Exception:  # noqa: BLE001 -- the person has left, and the answer is stored
            listening.clear()

    return say
