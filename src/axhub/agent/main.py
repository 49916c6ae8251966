"""Puts an agent together: the only place that knows ports and adapters at once.

```python
agent = build_agent(
    turns=turns_of("openai:gpt-5-mini", environ=os.environ),
    sources=[registry],
    policy=policy,
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
from typing import Any, Generic, NamedTuple, TypeVar

from axhub.agent.adapters.log import LogObserver
from axhub.agent.adapters.system import RandomIds, SystemClock
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import ApprovalPolicy, EveryWriteNeedsApproval
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.ports.current_actor import CurrentActor
from axhub.agent.ports.effects import Clock, Ids, Observer
from axhub.agent.ports.runs import RunStore
from axhub.agent.ports.tools import ToolSource
from axhub.agent.ports.turns import Turns
from axhub.agent.registry import FixedTools
from axhub.agent.usecases.ask import Ask
from axhub.agent.usecases.decide import Decide
from axhub.agent.usecases.dispatch import Dispatch, ErrorPolicy
from axhub.agent.usecases.forget import Forget, Retention
from axhub.agent.usecases.loop import Loop, LoopSettings
from axhub.agent.usecases.offering import CapabilityPolicy, FixedVersion, Offering, Resolve
from axhub.agent.usecases.passed_over import PassedOver
from axhub.agent.usecases.recover import Recover
from axhub.agent.usecases.resume import Resume
from axhub.agent.usecases.work import RESUMES, Work

__all__ = ["Agent", "Effects", "build_agent"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


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
    work: Work
    """`await agent.work()` goes on with decided runs, looks after lost ones and removes what is old.

    Each process runs it until its end.
    """

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
    policy: CapabilityPolicy[A, C] | None = None,
    resolve: Resolve[A, C] | None = None,
    store: RunStore[A],
    settings: LoopSettings,
    policy_version: str = "1",
    current: CurrentActor[A] | None = None,
    approvals: ApprovalPolicy[A] | None = None,
    may_decide_own: bool = False,
    errors: ErrorPolicy | None = None,
    retention: Retention | None = None,
    resumes: int = RESUMES,
    effects: Effects | None = None,
) -> Agent[C, A]:
    """Put an agent together.

    Args:
        turns: the model.
        sources: where its tools come from; no two of them share a name.
        policy: the application's capability policy (agent/A4); None: no capabilities, as with `FixedTools` alone.
        resolve: a function instead of a policy.
        store: of runs.
        settings: what it is told, and its bounds.
        policy_version: that goes with `resolve`; stands in runs and audit.
        current: says who somebody is by now, before a run that waited goes on; None: as when it began (agent/R2).
        approvals: which calls a person decides on; None: every write (agent/R0).
        may_decide_own: whether a requester may approve the own request (agent/R2).
        errors: which exceptions end a run; None: none (agent/L5).
        retention: what `Agent.work` removes when it is old; None: nothing.
        resumes: how many decided runs `Agent.work` goes on with at once in this process.
        effects: None: the process's own.

    Raises:
        RegistrationError: two sources have a tool of one name, or the policy is missing, twice, or of no version.
    """
    own = effects or Effects()
    _check_policy(sources, policy, resolve)
    offering = Offering(sources, policy or FixedVersion(resolve or _nothing, policy_version))
    dispatch = _dispatch(own, store, errors or ErrorPolicy(), settings)
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
    ask = Ask(offering=offering, store=store, loop=loop, clock=own.clock, ids=own.ids, limits=settings.limits)
    decide = Decide(store=store, observer=own.observer, may_decide_own=may_decide_own)
    return _agent(own, ask, decide, _Parts(offering, store, loop, dispatch, current, retention, resumes))


def _check_policy(
    sources: Sequence[ToolSource[C, A]], policy: CapabilityPolicy[A, C] | None, resolve: Resolve[A, C] | None
) -> None:
    """Refuse two policies, and tools that would be offered and never run: what no policy allows, no call gets (A6)."""
    if policy is not None and resolve is not None:
        raise RegistrationError("build_agent takes policy or resolve, not both")
    if policy is not None or resolve is not None:
        return
    for source in sources:
        if source.names and not isinstance(source, FixedTools):
            name = type(source).__name__
            raise RegistrationError(
                f"{name} has tools by capability: give policy=... or resolve=..., or use FixedTools"
            )


def _dispatch(own: Effects, store: RunStore[A], errors: ErrorPolicy, settings: LoopSettings) -> Dispatch[A]:
    return Dispatch(
        store=store,
        clock=own.clock,
        ids=own.ids,
        observer=own.observer,
        errors=errors,
        kept_result_bytes=settings.kept_result_bytes,
    )


class _Parts(NamedTuple, Generic[C, A]):
    """What several use cases work with."""

    offering: Offering[C, A]
    store: RunStore[A]
    loop: Loop[A]
    dispatch: Dispatch[A]
    current: CurrentActor[A] | None
    retention: Retention | None
    resumes: int


def _agent(own: Effects, ask: Ask[C, A], decide: Decide[A], parts: _Parts[C, A]) -> Agent[C, A]:
    """Add what works without being asked."""
    offering, store, loop, dispatch, current, retention, resumes = parts
    passed_over = PassedOver(own.ids, own.observer)
    resume = Resume(
        offering=offering,
        store=store,
        loop=loop,
        dispatch=dispatch,
        clock=own.clock,
        passed_over=passed_over,
        current=current,
    )
    recover = Recover(
        offering=offering,
        store=store,
        dispatch=dispatch,
        clock=own.clock,
        ids=own.ids,
        observer=own.observer,
        passed_over=passed_over,
    )
    work = Work(
        resume=resume,
        recover=recover,
        forget=None if retention is None else Forget(retention=retention, observer=own.observer),
        clock=own.clock,
        ids=own.ids,
        observer=own.observer,
        resumes=resumes,
    )
    return Agent(ask, decide, resume, recover, store, own.observer, own.ids, own.clock, work)


def _nothing(_agent: str, _actor: Actor) -> frozenset[Any]:
    return frozenset()
