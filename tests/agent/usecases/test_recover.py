"""What a dead process leaves: found, looked up, and never run a second time (agent/I2, agent/L6, AG-P17 to P21)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import Connection, select

from axhub.agent.adapters.sql import tables
from axhub.agent.domain.approval import Decider
from axhub.agent.domain.errors import NeverKnownError
from axhub.agent.domain.messages import AssistantMessage, ResultKind
from axhub.agent.domain.outcomes import Answered, NotApproverError, Stopped
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.domain.settlement import Finding
from axhub.agent.ports.effects import Noted
from axhub.agent.ports.runs import LostLeaseError, RunInProgressError, RunStore
from axhub.agent.testing import FakeActor, call, calls
from support.agents import ACTOR, APPROVER, Cap, Probe, World, Worlds, raising, reader, unknown


class DeadError(BaseException):
    """The process is gone: nothing catches this."""


class Dying:
    """A store whose process dies before or after one of its methods, once."""

    def __init__(self, store: RunStore[FakeActor], method: str, *, after: bool) -> None:
        self._store = store
        self._method: str | None = method
        self._after = after

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        real: Callable[..., Awaitable[Any]] = getattr(self._store, name)

        async def call_(*args: Any, **more: Any) -> Any:
            is_hit, self._method = name == self._method, None if name == self._method else self._method
            if is_hit and not self._after:
                raise DeadError
            done = await real(*args, **more)
            if is_hit:
                raise DeadError
            return done

        return call_


class Effects:
    """A use case that refuses nothing and counts what it did by key."""

    def __init__(self) -> None:
        self.done: dict[str, int] = {}

    def tool(self) -> Probe:
        probe = Probe()

        async def behave(_arguments: Mapping[str, Any], context: Any) -> str:
            self.done[context.key] = self.done.get(context.key, 0) + 1
            return f'{{"done": "{context.key}"}}'

        probe.behave = behave
        return probe

    def look(self, probe: Probe) -> None:
        """Let the tool say what is known."""
        for key in self.done:
            probe.found = f'{{"done": "{key}"}}'


def _dying(method: str, *, after: bool) -> Callable[[RunStore[FakeActor]], Any]:
    return lambda store: Dying(store, method, after=after)


async def _dies(work: Awaitable[object]) -> None:
    with pytest.raises(DeadError):
        await work


@pytest.mark.req("agent/I2", "agent/L6")
@pytest.mark.parametrize(
    ("method", "after", "kind"),
    [
        ("claim_ready", True, ResultKind.OK),
        ("intend", False, ResultKind.OK),
        ("intend", True, ResultKind.ERROR),
        ("settle", False, ResultKind.OK),
        ("settle", True, ResultKind.OK),
        ("end", False, ResultKind.OK),
    ],
)
async def test_a_run_whose_process_dies_at_any_step_does_its_write_once_or_not_at_all(
    worlds: Worlds, method: str, after: bool, kind: ResultKind
) -> None:
    effects = Effects()
    world = await worlds.make(
        calls(call("refund_order", order_id="A")), "Lost.", tools=[effects.tool()], store=_dying(method, after=after)
    )
    await world.approve_all(await world.held())
    await _dies(world.resume())
    probe = effects.tool()
    effects.look(probe)
    other = await worlds.make("Done.", tools=[probe])
    assert not await other.agent.recover.once()  # its lease still holds
    await other.later(31)
    assert await other.agent.recover.once()
    outcome = await other.resume()
    assert isinstance(outcome, Answered)
    assert [one.kind for one in other.told()] == [kind]
    assert list(effects.done.values()) == ([1] if kind is ResultKind.OK else [])
    assert (await other.store.run(outcome.run_id, ACTOR)).state is RunState.ANSWERED
    await other.audit()


async def test_a_process_that_died_before_anything_was_asked_lets_the_model_be_asked_again(worlds: Worlds) -> None:
    def dies(_request: object) -> AssistantMessage:
        raise DeadError

    world = await worlds.make(dies, tools=[reader()])
    await _dies(world.ask())
    await world.later(31)
    other = await worlds.make("Here.", tools=[reader()])
    assert await other.agent.recover.once()
    assert isinstance(await other.resume(), Answered)


@pytest.mark.req("agent/L6")
async def test_what_nobody_can_tell_stays_unknown_is_told_so_and_is_asked_again_later(worlds: Worlds) -> None:
    effects = Effects()
    first = await worlds.make(
        calls(call("refund_order", order_id="A")), tools=[effects.tool()], store=_dying("settle", after=False)
    )
    await first.approve_all(await first.held())
    await _dies(first.resume())
    probe = effects.tool()
    probe.found = unknown()
    world = await worlds.make("I am looking into it.", tools=[probe])
    await world.later(31)
    await world.agent.recover.once()
    outcome = await world.resume()
    assert isinstance(outcome, Answered)
    assert world.told()[0].kind is ResultKind.UNKNOWN
    assert probe.calls == []
    probe.found = '{"done": "A"}'
    world.allowed.discard(Cap.WRITE)  # what is allowed now does not matter: nothing is done
    await world.later(11)
    await world.agent.recover.once()
    view = await world.store.run(outcome.run_id, ACTOR)
    assert [one.kind for one in view.results] == [ResultKind.OK]
    assert probe.asked[-1] == "tenant-1:refund_order:A"
    asked = len(probe.asked)
    await world.agent.recover.once()
    assert len(probe.asked) == asked


@pytest.mark.req("agent/L6", "agent/I1")
async def test_a_sibling_with_the_key_of_a_lost_write_does_not_run(worlds: Worlds) -> None:
    refund = Probe(found=unknown())
    twice = calls(call("refund_order", order_id="A"), call("refund_order", order_id="A", note="again"))
    first = await worlds.make(twice, tools=[refund], store=_dying("settle", after=False))
    await first.approve_all(await first.held())
    await _dies(first.resume())
    world = await worlds.make("I am looking into it.", tools=[refund])
    await world.later(31)
    await world.agent.recover.once()
    assert isinstance(await world.resume(), Answered)
    assert len(refund.calls) == 1
    assert [one.kind for one in world.told()] == [ResultKind.UNKNOWN, ResultKind.UNKNOWN]


async def test_a_read_that_was_lost_failed_and_nobody_is_asked(worlds: Worlds) -> None:
    search, refund = reader(), Probe(found=None)
    first = await worlds.make(
        calls(call("search_orders", order_id="A"), call("refund_order", order_id="A")),
        tools=[search, refund],
        store=_dying("settle", after=False),
    )
    await first.approve_all(await first.held())
    await _dies(first.resume())
    world = await worlds.make("Well.", tools=[search, refund])
    await world.later(31)
    await world.agent.recover.once()
    await world.resume()
    assert [one.kind for one in world.told()] == [ResultKind.ERROR, ResultKind.ERROR]
    assert search.asked == []


async def test_a_run_that_kills_its_processes_stops_in_the_end(worlds: Worlds) -> None:
    def dies(_request: object) -> AssistantMessage:
        raise DeadError

    world = await worlds.make(dies, dies, dies, dies, "Never.")
    await _dies(world.ask())
    for _ in range(3):
        await world.later(31)
        assert await world.agent.recover.once()
        await _dies(world.resume())
    await world.later(31)
    assert not await world.agent.recover.once()
    assert await world.resume() is None
    assert (await world.audit())[-1]["outcome"] == StopReason.INTERRUPTED.value


async def test_a_process_that_was_only_slow_lets_go_and_its_outcome_is_stored(worlds: Worlds) -> None:
    inside, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        inside.set()
        await go.wait()
        return '{"done": "slowly"}'

    refund = Probe(behave=behave, found=unknown())
    world = await worlds.make(calls(call("refund_order", order_id="A")), "Never.", tools=[refund])
    waiting = await world.held()
    await world.approve_all(waiting)
    slow = asyncio.create_task(world.resume())
    await inside.wait()
    await world.later(31)
    other = await worlds.make("It is being looked into.", tools=[refund])
    await other.agent.recover.once()
    assert isinstance(await other.resume(), Answered)
    go.set()
    with pytest.raises(LostLeaseError):
        await slow
    view = await world.store.run(waiting.run_id, ACTOR)
    assert [(one.kind, one.text) for one in view.results] == [(ResultKind.OK, '{"done": "slowly"}')]
    assert len(refund.calls) == 1
    assert len(world.turns.requests) == 1


async def test_a_lease_is_kept_while_a_process_works(worlds: Worlds) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        asked.set()
        await go.wait()
        return "{}"

    world = await worlds.make(calls(call("search_orders", order_id="A")), "Done.", tools=[reader(behave=behave)])
    asking = asyncio.create_task(world.ask())
    await asked.wait()
    await world.later(29)
    ends = await _lease(world)
    world.clock.advance(10)
    async with asyncio.timeout(30):
        while await _lease(world) == ends:  # noqa: ASYNC110 -- a row has no event
            await asyncio.sleep(0.01)
    await world.later(20)
    assert not await world.agent.recover.once()
    go.set()
    assert isinstance(await asking, Answered)


async def _lease(world: World) -> int:
    """Return until when the one run is held."""

    def work(connection: Connection) -> int:
        found: int = connection.execute(select(tables.run.c.lease_until)).scalar_one()
        return found

    return await world.database.read(work)


async def test_a_failing_lookup_keeps_no_other_run_waiting(worlds: Worlds) -> None:
    async def dead(order: str) -> None:
        first = await worlds.make(
            calls(call("refund_order", order_id=order)), tools=[Probe()], store=_dying("settle", after=False)
        )
        waiting = await first.held()
        await first.approve_all(waiting)
        await _dies(first.resume())

    await dead("A")
    await dead("B")
    world: World = await worlds.make("One.", "Two.", tools=[])  # no source has the tool any more
    await world.later(31)
    assert await world.agent.recover.once()
    assert [isinstance(await world.resume(), Answered | Stopped) for _ in "AB"] == [True, True]
    assert len(world.observer.faults) == 4


@pytest.mark.req("agent/R4")
async def test_a_conversation_that_is_being_answered_takes_no_second_message(worlds: Worlds) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        asked.set()
        await go.wait()
        return "{}"

    world = await worlds.make(
        "Hello.", calls(call("search_orders", order_id="A")), "Done.", tools=[reader(behave=behave)]
    )
    first = await world.ask()
    asking = asyncio.create_task(world.ask(conversation=first.conversation_id))
    await asked.wait()
    with pytest.raises(RunInProgressError):
        await world.ask(conversation=first.conversation_id)
    go.set()
    await asking


@pytest.mark.req("agent/L6")
async def test_a_call_that_no_tool_can_look_up_is_told_once_and_waits_for_a_person(worlds: Worlds) -> None:
    refund = Probe(behave=raising(TimeoutError()), found=NeverKnownError("it has no find()"))
    world = await worlds.make(calls(call("refund_order", order_id="A")), "Well.", tools=[refund])
    waiting = await world.held()
    await world.approve_all(waiting)
    await world.resume()
    before = len(world.observer.faults)
    for _ in range(10):
        await world.agent.recover.once()
        await world.later(3600)
    assert len(world.observer.faults) == before
    (unknown_call,) = await world.agent.decide.unknown(APPROVER)
    told = [facts for what, facts in world.observer.notes if what is Noted.CALL_FOR_A_PERSON]
    assert told == [{"call": unknown_call.id, "tool": "refund_order"}]
    settled = await world.agent.decide.settle_unknown(unknown_call.id, Finding.DID_NOT_HAPPEN, APPROVER)
    assert settled.fault is None
    assert await world.agent.decide.unknown(APPROVER) == ()
    (result,) = (await world.store.run(waiting.run_id, ACTOR)).results
    assert (result.kind, result.text) == (ResultKind.ERROR, "Somebody has looked: it was not done.")
    assert (await world.audit())[-1]["approver"] == APPROVER.user_id


@pytest.mark.req("agent/R2")
async def test_who_may_not_decide_is_told_to_the_observer(worlds: Worlds) -> None:
    world = await worlds.make(calls(call("refund_order", order_id="A")), tools=[Probe()])
    waiting = await world.held()
    nobody = Decider("u9", "tenant-1", frozenset())
    for look in (world.agent.decide.unknown, world.agent.decide.pending):
        with pytest.raises(NotApproverError):
            await look(nobody)
    await world.decide(waiting.approvals[0].id, who=nobody)
    await world.agent.decide.settle_unknown("nowhere", Finding.HAPPENED, APPROVER)
    refused = [facts["reason"] for what, facts in world.observer.notes if what is Noted.DECISION_REFUSED]
    assert refused == ["not_approver", "not_approver", "not_approver", "not_found"]


@pytest.mark.req("agent/L6")
async def test_an_outcome_that_comes_after_its_call_was_settled_is_a_fault(worlds: Worlds) -> None:
    inside, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        inside.set()
        await go.wait()
        return '{"done": "slowly"}'

    world = await worlds.make(calls(call("refund_order", order_id="A")), tools=[Probe(behave=behave)])
    await world.approve_all(await world.held())
    slow = asyncio.create_task(world.resume())
    await inside.wait()
    await world.later(31)
    other = await worlds.make("It did not happen.", tools=[Probe(found=None)])
    await other.agent.recover.once()
    assert isinstance(await other.resume(), Answered)
    go.set()
    with pytest.raises(LostLeaseError):
        await slow
    assert [type(one) for one in world.observer.faults.values()] == [LostLeaseError]
    ends = [(one["action"], one["outcome"]) for one in await world.audit() if one["call_id"]][2:]
    assert ends == [
        ("call_intended", ""),
        ("call_ended", "UNKNOWN"),
        ("call_ended", "find_nothing"),
        ("outcome_late", "DONE"),
    ]
