"""The order service in processes of their own, which die where a test says; others go on with what they left.

    with servers(1) as (server,):
        assert await server.does(url, "refund", "ORD-1", at="in settle") is None  # it died there
        await server.does(url, "go_on")

A process reads lines of JSON. For each it forks, so that nothing has to be imported anew, and the child does what the
line says: `_DOES` has the names. What the child says is written as a line of JSON; null if it was killed.
"""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from axhub.agent import Agent, LoopSettings, build_agent
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.outbox import SqlOutbox
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.main import Effects
from axhub.agent.ports.events import Event, OutboxStore
from axhub.agent.ports.runs import LostLeaseError, RunStore, StoreUnavailableError
from axhub.agent.testing import RecordingObserver
from axhub.agent.usecases.relay import Relay
from order_service.adapters.ai.actors import dump_actor, load_actor
from order_service.adapters.ai.approvals import AgentApprovals
from order_service.adapters.ai.demo_model import DemoTurns
from order_service.adapters.ai.gateway import AxhubGateway
from order_service.adapters.ai.registry import registry_of
from order_service.adapters.persistence.orders import SqlOrders
from order_service.adapters.persistence.transactions import SqlTransactions
from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentCapability, AgentOutcome, WaitingForApproval
from order_service.ports.approvals import ApprovalRefusedError, Verdict
from order_service.ports.faults import UnavailableError
from order_service.ports.inbound import SearchOrderQuery
from order_service.testing import WatchedTransactions
from order_service.usecases.cancel_order import CancelOrder
from order_service.usecases.capability_policy import CUSTOMER_AGENT, AgentCapabilityPolicy
from order_service.usecases.chat import ChatAgent, ChatCommand
from order_service.usecases.refund_order import RefundOrder
from order_service.usecases.search_orders import SearchOrders
from support.crash_points import Points, Watched

__all__ = ["MINJI", "Server", "Service", "assembled", "servers"]

_TESTS: Final = Path(__file__).resolve().parents[1]
MINJI: Final = ActorContext("minji", "hanbit")
_BORAM: Final = ActorContext("boram", "hanbit", frozenset({"approver"}))
_DAY: Final = 86_400.0
_FAILED: Final = "failed"
_FULL: Final = 1_024
"""Bytes to which a file may grow: less than one page of a database."""


@dataclass(frozen=True)
class Service:
    """The parts that `order_service.main` builds, with points between their steps."""

    database: Database
    chat: ChatAgent
    approvals: AgentApprovals
    agent: Agent[AgentCapability, ActorContext]
    relay: Relay
    search: SearchOrders
    observer: RecordingObserver

    async def ask(self, order: str) -> AgentOutcome:
        """Ask for a refund, as the customer does."""
        return await self.chat.execute(ChatCommand(MINJI, CUSTOMER_AGENT, f"refund {order}"))

    async def held(self, order: str) -> str:
        """Ask for a refund; return the id of its approval."""
        outcome = await self.ask(order)
        assert isinstance(outcome, WaitingForApproval), outcome
        return outcome.approvals[0].id

    async def decide(self, approval: str, verdict: Verdict = Verdict.APPROVE) -> None:
        await self.approvals.decide(_BORAM, approval, verdict, "")

    async def approve_all(self) -> int:
        pending = await self.approvals.pending(_BORAM, 1_000)
        for one in pending:
            await self.decide(one.id)
        return len(pending)

    async def go_on(self) -> None:
        """Do what a process does without being asked, until nothing is left to do."""
        await self.agent.recover.once()
        while await self.agent.resume.next() is not None:
            pass
        while await self.relay.once():
            pass


def assembled(url: str, points: Points, events: Path | None = None, *, approval_seconds: float = _DAY) -> Service:
    """Put the service together; the ids of events that have left are lines of a file."""
    database, effects = Database(url), Effects(observer=RecordingObserver())
    points.watch_commits(database)
    orders = SqlOrders(database)
    transactions = WatchedTransactions(SqlTransactions(database, effects.ids.new), points.in_refund)
    search = SearchOrders(orders)
    policy = AgentCapabilityPolicy()
    store = Watched(SqlRunStore(database, ActorCodec(dump_actor, load_actor)), points)
    agent = build_agent(
        turns=DemoTurns(),
        sources=[registry_of(search, RefundOrder(transactions), CancelOrder(transactions))],
        resolve=policy.resolve,
        store=cast("RunStore[ActorContext]", store),
        settings=LoopSettings(instructions="You help.", approval_seconds=approval_seconds),
        policy_version=policy.version,
        effects=effects,
    )
    relay = Relay(
        outbox=cast("OutboxStore", Watched(SqlOutbox(database), points)),
        publisher=_Lines(events),
        ids=effects.ids,
        observer=effects.observer,
        chance=lambda: 0.0,
    )
    observer = cast("RecordingObserver", effects.observer)
    chat = ChatAgent(policy, AxhubGateway(agent))
    return Service(database, chat, AgentApprovals(agent), agent, relay, search, observer)


class _Lines:
    """See `ports.events.Publisher`: a line of a file for each event."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    async def publish(self, event: Event) -> None:
        if self._file is not None:
            with self._file.open("a") as lines:
                lines.write(f"{event.aggregate.rpartition('/')[2]} {event.id}\n")


async def _refund(service: Service, order: str) -> None:
    """Refund an order from the customer's message to the event that has left."""
    approval = await service.held(order)
    await service.decide(approval)
    await service.agent.resume.next()
    await service.relay.once()


async def _go_on(service: Service) -> None:
    await service.go_on()


async def _resume(service: Service) -> str:
    """Go on with one run; say what came of it, or which error."""
    try:
        return type(await service.agent.resume.next()).__name__
    except LostLeaseError as error:
        return type(error).__name__


async def _approve_all(service: Service) -> int:
    return await service.approve_all()


async def _hold(service: Service, *orders: str) -> list[str]:
    return [await service.held(one) for one in orders]


async def _again(service: Service, *orders: str) -> list[str]:
    """Ask anew, each in a new conversation, and approve; return the ids of the runs."""
    runs = []
    for order in orders:
        outcome = await service.ask(order)
        assert isinstance(outcome, WaitingForApproval), outcome
        await service.decide(outcome.approvals[0].id)
        runs.append(outcome.run_id)
    await service.go_on()
    return [(await service.agent.store.run(run, MINJI)).answer or "" for run in runs]


async def _contend(service: Service, word: str, *approvals: str) -> list[str]:
    """Decide on approvals and carry out what is ready, side by side with another process; say what came of each."""
    await service.approvals.pending(_BORAM, 1)  # it is connected
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    said = []
    for one in approvals:
        try:
            await service.decide(one, Verdict(word))
            said.append("counts")
        except ApprovalRefusedError as refused:
            said.append(refused.reason.value)
        await service.agent.resume.next()
    return said


async def _without_room(service: Service, order: str, approved: str, waiting: str) -> dict[str, str]:
    """Let no file grow, as on a full disk, and try everything; make room again, and go on."""
    await service.decide(approved)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FULL, most))
    tried: dict[str, Callable[[], Awaitable[object]]] = {
        "ask": lambda: service.ask(order),
        "decide": lambda: service.decide(waiting),
        "go on": service.agent.resume.next,
        "search": lambda: service.search.execute(SearchOrderQuery(MINJI)),
        "pending": lambda: service.approvals.pending(_BORAM),
    }
    said = {name: await _tried(one) for name, one in tried.items()}
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    await service.decide(waiting)
    await service.go_on()
    return said


async def _tried(one: Callable[[], Awaitable[object]]) -> str:
    try:
        await one()
    except (StoreUnavailableError, UnavailableError):
        return "refused"
    return "done"


async def _on_other_days(service: Service, order: str, seconds: str) -> str:
    """Refund an order in a process whose clock jumps between the steps, and which waits before it decides."""
    approval = await service.held(order)
    _jump(2)
    await asyncio.sleep(float(seconds))
    _jump(-4)
    try:
        await service.decide(approval)
    except ApprovalRefusedError as refused:
        return refused.reason.value
    _jump(4)
    await service.agent.recover.once()
    return type(await service.agent.resume.next()).__name__


def _jump(days: float) -> None:
    """Set the wall clock of this process, which is about to end, to another day; the monotonic clock stays."""
    real, real_ns = (vars(time)[name] for name in ("time", "time_ns"))
    vars(time).update(time=lambda: real() + days * _DAY, time_ns=lambda: real_ns() + int(days * _DAY) * 10**9)


_DOES: Final[dict[str, Callable[..., Awaitable[Any]]]] = {
    "refund": _refund,
    "go_on": _go_on,
    "resume": _resume,
    "approve_all": _approve_all,
    "hold": _hold,
    "again": _again,
    "contend": _contend,
    "without_room": _without_room,
    "on_other_days": _on_other_days,
}


class Server:
    """A process that was started."""

    def __init__(self) -> None:
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", "support.crash_service"]
        self._process = subprocess.Popen(
            command, cwd=_TESTS, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    async def does(
        self, url: str, what: str, *words: str, at: str | None = None, events: Path | None = None, seconds: float = _DAY
    ) -> Any:
        """Let a child do something, and return what it says; None if it died, at the point where it was to.

        Args:
            url: of the database.
            what: one of `_DOES`.
            words: its arguments.
            at: where it is to die.
            events: where the ids of events go that have left.
            seconds: how long people may take to decide.
        """
        said = json.loads(await self.say([url, what, words, at, None if events is None else str(events), seconds]))
        assert said != _FAILED, f"{what} failed; its process has written why"
        return said

    async def pauses(self, url: str, what: str, *words: str, at: str) -> int:
        """Let a child do something until it comes to a point and stops there; return its process id."""
        return int(await self.say([url, what, words, at, None, _DAY, True]))

    async def goes_on(self, pid: int) -> Any:
        """Let it go on, and return what it says."""
        os.kill(pid, signal.SIGCONT)
        assert self._process.stdout is not None
        return json.loads(await asyncio.to_thread(self._process.stdout.readline))

    async def say(self, line: object) -> str:
        """Say a line to the child, and return its next one."""
        return await asyncio.to_thread(self._said, json.dumps(line))

    def _said(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def servers(count: int) -> Iterator[tuple[Server, ...]]:
    """Start some processes; they are gone at the end of the block."""
    made = tuple(Server() for _ in range(count))
    try:
        yield made
    finally:
        for one in made:
            one.close()


async def _child(
    url: str,
    what: str,
    words: list[str],
    at: str | None,
    events: str | None,
    approval_seconds: float,
    is_paused: bool = False,
) -> None:
    points = Points(at, _pause if is_paused else None)
    service = assembled(url, points, None if events is None else Path(events), approval_seconds=approval_seconds)
    said = await _DOES[what](service, *words)
    await service.database.close()
    assert at is None or is_paused, f"{what} did not come to the point {at!r}"
    sys.stdout.write(f"{json.dumps({'said': said} if said is None else said)}\n")
    sys.stdout.flush()


def _pause() -> None:
    sys.stdout.write(f"{os.getpid()}\n")
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGSTOP)


def _forked(asked: list[Any]) -> None:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            asyncio.run(_child(*asked))
            code = 0
        except BaseException:  # noqa: BLE001 -- a child must not go on as its parent
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status):
        sys.stdout.write(f"{json.dumps(None if os.WIFSIGNALED(status) else _FAILED)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    while line := sys.stdin.readline():
        _forked(json.loads(line))
