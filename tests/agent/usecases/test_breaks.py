"""Whatever breaks while a run is worked on: nothing runs on a wrong answer, and the conversation takes the next message
(agent/R0, agent/L6, agent/L8)."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.agent.adapters.memory import MemoryRunStore
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.domain.messages import AssistantMessage, CallRequest, ModelTurn, Usage
from axhub.agent.domain.outcomes import Answered, AskRequest, Outcome, Stopped, Waiting
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.main import Agent, Effects, build_agent
from axhub.agent.ports.runs import LostCall, LostLeaseError, RunStore
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import FixedClock, NumberedIds, RecordingObserver, ScriptedTurns, call, calls, fixed
from support.agent_stores import BOSS, OWNER, STORES, Person, Stores, opened
from support.agents import SETTINGS, Cap, Probe, reader

_IDS: Final = NumberedIds()
REFUND: Final = calls(call("refund_order", order_id="A"))


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


class _Says:
    """An approval policy that answers as a test says."""

    version = "says-1"

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def needs_approval(self, *_: object) -> Any:
        return self._answer() if callable(self._answer) else self._answer


async def _no() -> bool:
    return False


def _agent(store: RunStore[Person], *turns: Any, tools: Sequence[Any], **more: Any) -> Agent[Cap, Person]:
    resolve = more.pop("resolve", lambda _agent, _actor: frozenset(Cap))
    return build_agent(
        turns=ScriptedTurns(*turns),
        sources=[ToolRegistry[Cap, Person]({Cap.WRITE: list(tools)})],
        resolve=resolve,
        store=store,
        settings=SETTINGS,
        effects=Effects(clock=FixedClock(), ids=_IDS, observer=RecordingObserver()),
        **more,
    )


async def _ask(agent: Agent[Cap, Person], conversation: str | None = None) -> Outcome:
    asked = AskRequest(
        agent="support", message="Please.", actor=OWNER, capabilities=frozenset(Cap), conversation_id=conversation
    )
    return await agent.ask(asked)


async def _failed(agent: Agent[Cap, Person], stores: Stores, error: type[Exception]) -> Stopped:
    """Ask; the run stops, the observer is told why, and the conversation takes another message."""
    stopped = await _ask(agent)
    assert isinstance(stopped, Stopped)
    assert stopped.reason is StopReason.FAILED
    assert isinstance(agent.observer, RecordingObserver)
    assert [type(one) for one in agent.observer.faults.values()] == [error]
    view = await stores.runs.run(stopped.run_id, OWNER)
    assert (view.state, view.reason) == (RunState.STOPPED, StopReason.FAILED)
    again = await _ask(_agent(stores.runs, "Here again.", tools=[]), stopped.conversation_id)
    assert isinstance(again, Answered)
    return stopped


@pytest.mark.req("agent/R0")
@pytest.mark.parametrize("answer", [None, 0, 1, "", "no", _no], ids=["None", "0", "1", "empty", "no", "coroutine"])
async def test_an_approval_policy_that_says_neither_yes_nor_no_runs_nothing(stores: Stores, answer: Any) -> None:
    refund = Probe()
    await _failed(_agent(stores.runs, REFUND, tools=[refund], approvals=_Says(answer)), stores, TypeError)
    assert refund.calls == []


@pytest.mark.req("agent/R0", "agent/A4")
@pytest.mark.parametrize("version", [None, 7, " ", "x" * 257, "a\0"])
def test_a_policy_without_a_version_is_told_when_the_agent_is_built(version: Any) -> None:
    class Policy(_Says):
        def resolve(self, _agent: str, _actor: object) -> frozenset[Cap]:
            return frozenset()

    policy = Policy(True)
    policy.version = version
    for more in ({"approvals": policy}, {"resolve": None, "policy": policy}):
        with pytest.raises(RegistrationError, match="Policy: it"):
            _agent(Any, tools=[], **more)  # type: ignore[arg-type]  # nothing is asked of the store
    with pytest.raises(RegistrationError, match="not both"):
        _agent(Any, tools=[], policy=_Says(True))  # type: ignore[arg-type]  # as above


def _with(**parts: Any) -> AssistantMessage:
    request = {"id": "a", "name": "search_orders", "arguments": '{"order_id":"A"}', **parts}
    return AssistantMessage("", (CallRequest(**request),))


@pytest.mark.req("agent/A8")
@pytest.mark.parametrize(
    "turn",
    [
        _with(arguments=None),
        _with(arguments={"order_id": "A"}),
        _with(id=7),
        _with(name=None),
        AssistantMessage(None),  # type: ignore[arg-type]  # what an adapter may do
        AssistantMessage("x", [CallRequest("a", "b", "{}")]),  # type: ignore[arg-type]  # as above
        AssistantMessage("x", ({"id": "a"},)),  # type: ignore[arg-type]  # as above
        AssistantMessage("x", (), "signature"),  # type: ignore[arg-type]  # as above
        ModelTurn("text"),  # type: ignore[arg-type]  # as above
        ModelTurn(AssistantMessage("x"), Usage("7", 1)),  # type: ignore[arg-type]  # as above
        ModelTurn(AssistantMessage("x"), finish="stop"),  # type: ignore[arg-type]  # as above
        lambda _request: ModelTurn(AssistantMessage("x"), Usage(None, 1)),  # type: ignore[arg-type]  # as above
    ],
)
async def test_a_turn_of_other_types_than_it_says_ends_the_run(stores: Stores, turn: Any) -> None:
    search = reader()
    await _failed(_agent(stores.runs, turn, tools=[search]), stores, TypeError)
    assert search.calls == []


@pytest.mark.req("agent/A8", "agent/L4")
async def test_a_response_that_cannot_be_stored_ends_the_run(stores: Stores) -> None:
    if isinstance(stores.runs, MemoryRunStore):
        pytest.skip("memory takes anything")
    search = reader()
    odd = AssistantMessage("", (CallRequest("a", "search_orders", '{"order_id":"A"}'),), {"signature": object()})
    await _failed(_agent(stores.runs, odd, tools=[search]), stores, TypeError)


class _Broken:
    """A store of which one method breaks once."""

    def __init__(self, store: RunStore[Person], name: str) -> None:
        self._store = store
        self._name: str | None = name

    def __getattr__(self, name: str) -> Any:
        if name != self._name:
            return getattr(self._store, name)
        self._name = None

        async def broken(*_: object, **__: object) -> None:
            raise RuntimeError("a statement that the database does not take")

        return broken


@pytest.mark.req("agent/L4")
@pytest.mark.parametrize("method", ["intend", "settle", "end"])
async def test_whatever_the_store_raises_ends_the_run_and_frees_its_conversation(stores: Stores, method: str) -> None:
    store: Any = _Broken(stores.runs, method)
    agent = _agent(store, REFUND, "Done.", tools=[Probe()], approvals=_Says(answer=False))
    await _failed(agent, stores, RuntimeError)


@pytest.mark.req("agent/L4")
async def test_a_response_that_could_not_be_held_ends_the_run(stores: Stores) -> None:
    store: Any = _Broken(stores.runs, "hold")
    await _failed(_agent(store, REFUND, tools=[Probe()]), stores, RuntimeError)


@pytest.mark.req("agent/I2", "agent/L6")
async def test_a_write_whose_outcome_could_not_be_stored_is_unknown_and_found_by_its_key(stores: Stores) -> None:
    refund = Probe(found='{"done":"A"}')
    store: Any = _Broken(stores.runs, "settle")
    agent = _agent(store, REFUND, tools=[refund], approvals=_Says(answer=False))
    stopped = await _failed(agent, stores, RuntimeError)
    assert len(refund.calls) == 1
    await agent.recover.once()
    assert refund.asked == ["t1:refund_order:A"]
    assert [one.text for one in (await stores.runs.run(stopped.run_id, OWNER)).results] == ['{"done":"A"}']
    told = [json.loads(one.body) for one in await stores.entries()]
    assert [one["outcome"] for one in told if one["call_id"]] == ["", "UNKNOWN", "find_done"]


@pytest.mark.req("agent/I2")
async def test_calls_of_a_stopped_run_that_ran_are_unknown(stores: Stores) -> None:
    store: Any = _Broken(stores.runs, "settle")
    await _failed(_agent(store, REFUND, tools=[Probe()], approvals=_Says(answer=False)), stores, RuntimeError)
    (lost,) = await stores.runs.unknown(9)
    assert isinstance(lost, LostCall)
    assert lost.call.key == "t1:refund_order:A"


async def _held(agent: Agent[Cap, Person]) -> Waiting:
    waiting = await _ask(agent)
    assert isinstance(waiting, Waiting)
    for one in waiting.approvals:
        assert (await agent.decide.decide(one.id, Decision.APPROVE, "", BOSS)).fault is None
    return waiting


@pytest.mark.req("agent/A6", "agent/R2")
async def test_a_policy_that_breaks_when_a_run_goes_on_ends_the_run(stores: Stores) -> None:
    refund, is_broken = Probe(), False

    def resolve(_agent: str, _actor: Person) -> frozenset[Cap]:
        if is_broken:
            raise ZeroDivisionError
        return frozenset(Cap)

    agent = _agent(stores.runs, REFUND, tools=[refund], resolve=resolve)
    waiting = await _held(agent)
    is_broken = True
    stopped = await agent.resume.next()
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, refund.calls) == (StopReason.FAILED, [])
    again = _agent(stores.runs, "Here again.", tools=[])
    assert isinstance(await _ask(again, waiting.conversation_id), Answered)


@pytest.mark.req("agent/R2")
async def test_a_lost_lease_stays_one(stores: Stores) -> None:
    async def taken_over(_arguments: Mapping[str, Any], _context: Any) -> str:
        await stores.pass_time(60)
        assert await stores.runs.take_over(30) is not None
        return "{}"

    agent = _agent(stores.runs, REFUND, tools=[Probe(behave=taken_over)], approvals=_Says(answer=False))
    with pytest.raises(LostLeaseError):
        await _ask(agent)


async def _approved(stores: Stores, refund: Probe, current: Any) -> tuple[Agent[Cap, Person], Outcome | None]:
    agent = _agent(stores.runs, REFUND, "Well.", tools=[refund], current=current)
    await _held(agent)
    return agent, await agent.resume.next()


@pytest.mark.req("agent/R2")
async def test_the_roles_of_now_count_when_a_run_goes_on(stores: Stores) -> None:
    async def current(actor: Person) -> Person:
        return replace(actor, roles=frozenset({"dismissed"}))

    refund = Probe()
    _, outcome = await _approved(stores, refund, current)
    assert isinstance(outcome, Answered)
    assert [context.actor.roles for _, context in refund.calls] == [{"dismissed"}]


@pytest.mark.req("agent/R2")
async def test_what_was_approved_for_somebody_who_is_gone_is_refused(stores: Stores) -> None:
    async def current(_actor: Person) -> None:
        return None

    refund = Probe()
    _, outcome = await _approved(stores, refund, current)
    assert isinstance(outcome, Answered)
    assert refund.calls == []
    (result,) = (await stores.runs.run(outcome.run_id, OWNER)).results
    assert result.text == "This is not possible any more, so it was not done."
    assert [json.loads(one.body)["outcome"] for one in await stores.entries()][-2:] == ["not_allowed", "answered"]


@pytest.mark.req("agent/R2")
@pytest.mark.parametrize("other", [{"user_id": "u2"}, {"tenant_id": "t2"}, None], ids=repr)
async def test_a_directory_that_names_somebody_else_or_breaks_runs_nothing(stores: Stores, other: Any) -> None:
    async def current(actor: Person) -> Person:
        if other is None:
            raise OSError("away")
        return replace(actor, **other)

    refund = Probe()
    _, outcome = await _approved(stores, refund, current)
    assert isinstance(outcome, Stopped)
    assert (outcome.reason, refund.calls) == (StopReason.FAILED, [])


class _Versions:
    """Both policies, of a version that a test changes."""

    version = "1"

    def resolve(self, _agent: str, _actor: object) -> frozenset[Cap]:
        return frozenset(Cap)

    def needs_approval(self, *_: object) -> bool:
        return True


@pytest.mark.req("agent/A4", "agent/R0", "agent/I3")
async def test_each_entry_has_the_versions_of_both_policies_that_were_asked(stores: Stores) -> None:
    exposure, approvals = _Versions(), _Versions()
    refund: Any = Probe()
    agent = build_agent(
        turns=ScriptedTurns(REFUND, "Done."),
        sources=[ToolRegistry[Cap, Person]({Cap.WRITE: [refund]})],
        policy=exposure,
        approvals=approvals,
        store=stores.runs,
        settings=SETTINGS,
        effects=fixed(),
    )
    approvals.version = "a2"
    await _held(agent)
    exposure.version, approvals.version = "3", "a3"
    assert isinstance(await agent.resume.next(), Answered)
    bodies = [json.loads(one.body) for one in await stores.entries()]
    asked = [(one["action"], one["policy_version"], one["approval_policy_version"]) for one in bodies]
    assert asked == [
        ("call_proposed", "1", "a2"),
        ("call_decided", "1", "a2"),
        ("call_intended", "3", "a2"),
        ("call_ended", "3", "a2"),
        ("run_ended", "3", "a2"),
    ]
