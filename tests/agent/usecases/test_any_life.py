"""Whatever people, models, tools and dying processes do in whatever order: nothing is done twice, lost, or unproven.

A state machine over one agent and a store in memory. Each rule is one thing that somebody does; what must always hold
is looked at inside of every effect and after every rule, and at the end everything comes to rest (agent/I2, agent/I3,
agent/L4, agent/L6, agent/R3, agent/R4).
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from axhub.agent.adapters.memory import MemoryData, MemoryRunStore
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import verify
from axhub.agent.domain.calls import BLOCKING, CallState
from axhub.agent.domain.definition import Effect
from axhub.agent.domain.errors import AgentError, OutcomeUnknownError, ToolError
from axhub.agent.domain.messages import AssistantMessage, CallRequest, Message, ModelTurn, ResultsMessage, TurnRequest
from axhub.agent.domain.outcomes import AskRequest
from axhub.agent.domain.runs import ACTIVE
from axhub.agent.main import Agent, Effects, build_agent
from axhub.agent.ports.turns import ModelUnavailableError
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import FakeActor, FixedClock, NumberedIds, RecordingObserver
from support.agents import ACTOR, APPROVER, SETTINGS, Cap, Context, Probe

METHODS: Final = ("begin", "hold", "intend", "settle", "end", "claim_ready", "take_over", "give_back", "resolve")
REQUESTS: Final = (
    ("refund_order", '{"order_id":"A"}'),
    ("refund_order", '{"order_id":"B"}'),
    ("cancel_order", '{"order_id":"A"}'),
    ("search_orders", '{"order_id":"A"}'),
    ("search_orders", '{"order_id":'),
    ("refund_order", '{"order_id":"A","tenant":"other"}'),
    ("drop_database", "{}"),
)
WRITES: Final = st.lists(st.sampled_from(REQUESTS[:4]), min_size=1, max_size=3)
BATCH: Final = st.lists(st.sampled_from(REQUESTS), min_size=1, max_size=4)
TURN: Final = BATCH | st.sampled_from(["text", "unavailable", "dies", "same ids"])
DEATHS: Final = st.none() | st.tuples(st.sampled_from(METHODS), st.booleans())
"""The method of the store at which the process dies, and whether after it."""
MODES: Final = st.sampled_from(
    ["done", "done", "refused", "raises", "raises after", "unknown", "unknown after", "dies", "dies after"]
)


class DeadError(BaseException):
    """The process is gone: nothing catches this."""


class Dying:
    """The store of a process that dies before or after the next call of one method, if that is set."""

    def __init__(self, store: MemoryRunStore[FakeActor]) -> None:
        self._store = store
        self.at: tuple[str, bool] | None = None

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        real: Callable[..., Awaitable[Any]] = getattr(self._store, name)

        async def call(*args: Any, **more: Any) -> Any:
            is_hit = self.at is not None and self.at[0] == name
            is_after = self.at is not None and self.at[1]
            if is_hit:
                self.at = None
            if is_hit and not is_after:
                raise DeadError
            done = await real(*args, **more)
            if is_hit:
                raise DeadError
            return done

        return call


class Model:
    """Answers with the turns that are planned, and with a text when there are none."""

    def __init__(self) -> None:
        self.planned: list[Any] = []
        self.told: list[tuple[Message, ...]] = []
        self._ids = 0

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        self.told.append(request.messages)
        turn = self.planned.pop(0) if self.planned else "text"
        if turn == "unavailable":
            raise ModelUnavailableError
        if turn == "dies":
            raise DeadError
        if turn == "text":
            return ModelTurn(AssistantMessage("Here."))
        if turn == "same ids":
            return ModelTurn(AssistantMessage("", (CallRequest("x", "refund_order", '{"order_id":"A"}'),) * 2))
        self._ids += len(turn)
        return ModelTurn(
            AssistantMessage("", tuple(CallRequest(f"m{self._ids - at}", *one) for at, one in enumerate(turn)))
        )


class AnyLife(RuleBasedStateMachine):
    """One tenant, one person, one approver, and processes that come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()

    @initialize()
    def begin(self) -> None:
        self.data: MemoryData[FakeActor] = MemoryData(lambda: 0.0)
        self.store = Dying(MemoryRunStore(self.data))
        self.model = Model()
        self.modes: list[str] = []
        self.is_telling = True
        self.effects: dict[str, str] = {}
        """What the use cases did: by business key, the call that did it."""
        self.entered: Counter[str] = Counter()
        self.broken: list[AssertionError] = []
        self.conversations: list[str] = []
        self.allowed: set[Cap] = set(Cap)
        self.tools = [Probe("refund_order", behave=self._write), Probe("cancel_order", behave=self._write)]
        for tool in self.tools:
            tool.outcome = self._outcome  # type: ignore[method-assign,assignment]  # what is known is known here
        self.agent = self._agent()

    def _agent(self) -> Agent[Cap, FakeActor]:
        search = Probe("search_orders", Effect.READ)
        registry = ToolRegistry[Cap, FakeActor]({Cap.READ: [search], Cap.WRITE: self.tools})
        return build_agent(
            turns=self.model,
            sources=[registry],
            resolve=lambda _agent, _actor: frozenset(self.allowed),
            store=self.store,  # type: ignore[arg-type]  # it forwards every method
            settings=SETTINGS,
            effects=Effects(FixedClock(), _IDS, RecordingObserver()),
        )

    async def _write(self, _arguments: Mapping[str, Any], context: Context) -> str:
        """Do what a use case does, after a look at everything that must hold when one is reached."""
        try:
            self._check_entry(context)
        except AssertionError as error:
            self.broken.append(error)  # the loop takes what a tool raises
        assert context.key is not None
        mode = self.modes.pop(0) if self.modes else "done"
        if mode == "refused":
            raise ToolError("NO", "It cannot be done.")
        if mode in {"done", "raises after", "unknown after", "dies after"}:
            self.effects.setdefault(context.key, context.call_id)
        if mode.startswith("raises"):
            raise RuntimeError(mode)
        if mode.startswith("unknown"):
            raise OutcomeUnknownError(mode)
        if mode.startswith("dies"):
            raise DeadError
        return json.dumps({"done": context.key})

    def _check_entry(self, context: Context) -> None:
        self.entered[context.call_id] += 1
        assert self.entered[context.call_id] == 1, "a call ran twice"
        rows = [call for run in self.data.runs.values() for call in run.calls.values()]
        (own,) = [call for call in rows if call.record.id == context.call_id]
        assert own.record.state is CallState.RUNNING, "its intent is stored"
        assert own.approval is not None
        assert own.approval.decision is Decision.APPROVE, "a person approved it"
        others = [call.record.id for call in rows if call.record.key == context.key and call.record.state in BLOCKING]
        assert others == [context.call_id], "nothing with its key is under way or unknown"
        assert ("call_intended", context.call_id) in self._audited(), "its intent is in the audit"

    async def _outcome(self, _arguments: Any, context: Context) -> str | None:
        if not self.is_telling:
            raise OutcomeUnknownError("not now")
        assert context.key is not None
        return json.dumps({"done": context.key}) if context.key in self.effects else None

    def _audited(self) -> list[tuple[str, str]]:
        bodies = (json.loads(entry.body) for chain in self.data.chains.values() for entry in chain)
        return [(body["action"], body["call_id"]) for body in bodies]

    def run(self, work: Awaitable[Any]) -> Any:
        """Do something in a process; where that dies, all that it was doing is gone."""

        async def inside() -> Any:
            try:
                return await work
            except (DeadError, AgentError) as error:
                rest = asyncio.all_tasks() - {asyncio.current_task()}
                for task in rest:
                    task.cancel()
                await asyncio.gather(*rest, return_exceptions=True)
                if isinstance(error, DeadError):
                    self.agent = self._agent()
                return None

        return self.loop.run_until_complete(inside())

    @rule(first=WRITES | TURN, turns=st.lists(TURN, max_size=3), number=st.integers(0, 3))
    def somebody_asks(self, first: Any, turns: list[Any], number: int) -> None:
        self.ask(first, turns, number)

    def ask(self, first: Any, turns: list[Any], number: int) -> None:
        self.model.planned = [first, *turns]
        known = self.conversations[number] if number < len(self.conversations) else None
        asked = AskRequest(
            agent="a", message="Please.", actor=ACTOR, capabilities=frozenset(Cap), conversation_id=known
        )
        outcome = self.run(self.agent.ask(asked))
        if outcome is not None and known is None:
            self.conversations.append(outcome.conversation_id)

    @rule(decision=st.sampled_from([*[Decision.APPROVE] * 3, Decision.DENY]), number=st.integers(0, 5))
    def decide(self, decision: Decision, number: int) -> None:
        known = [call.record.id for run in self.data.runs.values() for call in run.calls.values() if call.approval]
        if known:
            chosen = known[-1 - number % len(known)]
            self.run(self.agent.decide.decide(chosen, decision, "because", APPROVER))

    @rule(turns=st.lists(TURN, max_size=3), modes=st.lists(MODES, max_size=4), dies=DEATHS)
    def a_worker_comes(self, turns: list[Any], modes: list[str], dies: tuple[str, bool] | None) -> None:
        self.approve_all_and_go_on(turns, modes, dies)

    def approve_all_and_go_on(self, turns: list[Any], modes: list[str], dies: tuple[str, bool] | None) -> None:
        for one in self.run(self.agent.decide.pending(APPROVER)):
            self.run(self.agent.decide.decide(one.id, Decision.APPROVE, "", APPROVER))
        self.store.at = dies
        self.resume(turns, modes)

    @rule(first=WRITES, modes=st.lists(MODES, max_size=4), dies=DEATHS, again=st.booleans(), is_telling=st.booleans())
    def one_story(
        self, first: Any, modes: list[str], dies: tuple[str, bool] | None, again: bool, is_telling: bool
    ) -> None:
        self.store.at = None
        self.ask(first, [], len(self.conversations))
        self.approve_all_and_go_on([first], modes, dies)
        if again:
            self.a_lease_runs_out(is_telling)
            self.resume([first], modes)

    @rule(turns=st.lists(TURN, max_size=3), modes=st.lists(MODES, max_size=4))
    def go_on(self, turns: list[Any], modes: list[str]) -> None:
        self.resume(turns, modes)

    def resume(self, turns: list[Any], modes: list[str]) -> None:
        self.model.planned, self.modes = turns, modes
        self.run(self.agent.resume.next())

    @rule(is_telling=st.booleans())
    def somebody_recovers(self, is_telling: bool) -> None:
        self.a_lease_runs_out(is_telling)

    def a_lease_runs_out(self, is_telling: bool) -> None:
        self.data.advance(31)
        self.is_telling = is_telling
        self.run(self.agent.recover.once())

    @rule(dies=DEATHS)
    def die_soon(self, dies: tuple[str, bool] | None) -> None:
        self.store.at = dies

    @rule(what=st.sampled_from(["withdraw", "expire", *Cap]), number=st.integers(0, 3))
    def something_seldom(self, what: str, number: int) -> None:
        if what == "expire":
            self.data.advance(86_401)
            self.run(self.agent.recover.once())
        elif what == "withdraw" and self.data.runs:
            chosen = list(self.data.runs)[-1 - number % len(self.data.runs)]
            self.run(self.agent.decide.withdraw(chosen, ACTOR))
        elif what != "withdraw":
            self.allowed ^= {Cap(what)}

    @invariant()
    def whatever_a_use_case_relies_on_held_when_it_was_reached(self) -> None:
        for error in self.broken:
            raise error

    @invariant()
    def the_audit_holds(self) -> None:
        assert list(verify(entry for chain in self.data.chains.values() for entry in chain)) == []

    @invariant()
    def every_call_in_a_history_has_exactly_one_result(self) -> None:
        for talk in self.data.conversations.values():
            self._check_pairs(talk.messages)
        for told in self.model.told:
            self._check_pairs(told)

    @staticmethod
    def _check_pairs(messages: Any) -> None:
        for at, one in enumerate(messages):
            if isinstance(one, AssistantMessage) and one.calls:
                follows = messages[at + 1]
                assert isinstance(follows, ResultsMessage)
                assert [call.id for call in one.calls] == [result.call_id for result in follows.results]
            if isinstance(one, ResultsMessage):
                assert isinstance(messages[at - 1], AssistantMessage)

    def teardown(self) -> None:
        try:
            if hasattr(self, "agent"):
                self._come_to_rest()
        finally:
            self.loop.close()

    def _come_to_rest(self) -> None:
        self.store.at, self.is_telling, self.model.planned, self.modes = None, True, [], []
        for _ in range(6):
            self.data.advance(86_401)
            self.run(self.agent.recover.once())
            while self.run(self.agent.resume.next()) is not None:
                pass
        self.whatever_a_use_case_relies_on_held_when_it_was_reached()
        assert [run.record.id for run in self.data.runs.values() if run.state in ACTIVE] == []
        rows = {call.record.id: call.record for run in self.data.runs.values() for call in run.calls.values()}
        assert [one.id for one in rows.values() if one.state in BLOCKING] == []
        assert [id_ for id_ in self.effects.values() if rows[id_].state is not CallState.DONE] == []
        writes = [one for one in rows.values() if one.key is not None and one.state is CallState.DONE]
        assert [one.id for one in writes if one.key not in self.effects] == []
        audited = self._audited()
        assert [id_ for id_ in self.entered if ("call_ended", id_) not in audited] == []


_IDS: Final = NumberedIds()


@pytest.mark.timeout(300)  # a failure takes its time to be made small
@pytest.mark.req("agent/I1", "agent/I2", "agent/I3", "agent/L4", "agent/L6", "agent/R3", "agent/R4")
class TestAnyLife(AnyLife.TestCase):  # type: ignore[misc,valid-type]  # made by Hypothesis
    settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
