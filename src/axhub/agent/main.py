"""Puts an agent together: the only place that knows ports and adapters at once.

```python
agent = build_agent(
    turns=turns_of("openai:gpt-5-mini", environ=os.environ),
    sources=[registry],
    resolve=policy.resolve,
    store=SqlRunStore(database, actors),
    settings=LoopSettings(instructions="You help customers with their orders."),
)
match await agent.ask(AskRequest(agent="support", message=text, actor=actor, capabilities=allowed)):
    case Answered(text=text): ...
    case Waiting(approvals=approvals): ...
    case Stopped(reason=reason): ...
```
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from axhub.agent.adapters.log import LogObserver
from axhub.agent.adapters.system import RandomIds, SystemClock
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import ApprovalPolicy, EveryWriteNeedsApproval
from axhub.agent.ports.effects import Clock, Ids, Observer
from axhub.agent.ports.runs import LostLeaseError, RunStore
from axhub.agent.ports.tools import ToolSource
from axhub.agent.ports.turns import Turns
from axhub.agent.usecases.ask import Ask
from axhub.agent.usecases.decide import Decide
from axhub.agent.usecases.dispatch import Dispatch, ErrorPolicy
from axhub.agent.usecases.loop import Loop, LoopSettings
from axhub.agent.usecases.offering import Offering, Resolve
from axhub.agent.usecases.recover import Recover
from axhub.agent.usecases.resume import Resume

__all__ = ["Agent", "Effects", "build_agent"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")

_IDLE_SECONDS: Final = 0.5
_RECOVER_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Agent(Generic[C, A]):
    """The use cases of one agent, over one store."""

    ask: Ask[C, A]
    decide: Decide[A]
    resume: Resume[C, A]
    recover: Recover[C, A]
    store: RunStore[A]
    observer: Observer
    ids: Ids
    clock: Clock

    async def work(self) -> None:
        """Go on with decided runs and look after lost ones, until it is cancelled; each process runs it once."""
        recovered = float("-inf")
        while True:
            try:
                if self.clock.monotonic() - recovered >= _RECOVER_SECONDS:
                    recovered = self.clock.monotonic()
                    await self.recover.once()
                if await self.resume.next() is None:
                    await self.clock.sleep(_IDLE_SECONDS)
            except LostLeaseError:
                continue
            except Exception as error:  # noqa: BLE001 -- one run that fails must not keep all others waiting
                self.observer.fault(self.ids.new(), error)
                await self.clock.sleep(_IDLE_SECONDS)

    async def drain(self) -> None:
        """Wait until what was asked has been answered, waits for a person, or has stopped."""
        await self.ask.drain()
        await self.resume.drain()


@dataclass(frozen=True, slots=True)
class Effects:
    """Time, chance and who watches; tests bring their own."""

    clock: Clock = field(default_factory=SystemClock)
    ids: Ids = field(default_factory=RandomIds)
    observer: Observer = field(default_factory=LogObserver)


def build_agent(  # noqa: PLR0913 -- every decision about an agent is a keyword
    *,
    turns: Turns,
    sources: Sequence[ToolSource[C, A]],
    resolve: Resolve[A, C] | None = None,
    store: RunStore[A],
    settings: LoopSettings,
    policy_version: str = "1",
    approvals: ApprovalPolicy[A] | None = None,
    may_decide_own: bool = False,
    errors: ErrorPolicy | None = None,
    effects: Effects | None = None,
) -> Agent[C, A]:
    """Put an agent together.

    Args:
        turns: the model.
        sources: where its tools come from; of two tools with one name the first source's counts.
        resolve: the application's capability policy (agent/A4); None: no capabilities, as with `FixedTools` alone.
        store: of runs.
        settings: what it is told, and its bounds.
        policy_version: of the capability policy; stands in runs and audit.
        approvals: which calls a person decides on; None: every write (agent/R0).
        may_decide_own: whether a requester may approve the own request (agent/R2).
        errors: which exceptions end a run; None: none (agent/L5).
        effects: None: the process's own.
    """
    own = effects or Effects()
    offering = Offering(sources, resolve or _nothing)
    dispatch = Dispatch(
        store=store, clock=own.clock, ids=own.ids, observer=own.observer, errors=errors or ErrorPolicy()
    )
    loop = Loop(
        turns=turns,
        store=store,
        dispatch=dispatch,
        approvals=approvals or EveryWriteNeedsApproval(),
        clock=own.clock,
        ids=own.ids,
        observer=own.observer,
        settings=settings,
    )
    ask = Ask(
        offering=offering,
        store=store,
        loop=loop,
        clock=own.clock,
        ids=own.ids,
        limits=settings.limits,
        policy_version=policy_version,
    )
    decide = Decide(store=store, may_decide_own=may_decide_own)
    return _agent(own, store, ask, decide, offering, loop, dispatch)


def _agent(
    own: Effects,
    store: RunStore[A],
    ask: Ask[C, A],
    decide: Decide[A],
    offering: Offering[C, A],
    loop: Loop[A],
    dispatch: Dispatch[A],
) -> Agent[C, A]:
    """Add what works without being asked."""
    return Agent(
        ask=ask,
        decide=decide,
        resume=Resume(offering=offering, store=store, loop=loop, dispatch=dispatch, clock=own.clock),
        recover=Recover(
            offering=offering, store=store, dispatch=dispatch, clock=own.clock, ids=own.ids, observer=own.observer
        ),
        store=store,
        observer=own.observer,
        ids=own.ids,
        clock=own.clock,
    )


def _nothing(_agent: str, _actor: Actor) -> frozenset[Any]:
    return frozenset()
