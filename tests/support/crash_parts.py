"""The order service as a process of the crash tests has it: its parts, with points between their steps."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from axhub.agent import Agent, LoopSettings, build_agent
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.outbox import SqlOutbox
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.main import Effects
from axhub.agent.ports.events import Event, OutboxStore
from axhub.agent.ports.runs import RunStore
from axhub.agent.testing import RecordingObserver
from axhub.agent.usecases.relay import Relay
from order_service.adapters.ai.actors import dump_actor, load_actor
from order_service.adapters.ai.approvals import AgentApprovals
from order_service.adapters.ai.demo_model import DemoTurns
from order_service.adapters.ai.gateway import AxhubGateway
from order_service.adapters.ai.registry import registry_of
from order_service.adapters.payments.http import HttpPayments
from order_service.adapters.payments.in_process import InProcessPayments
from order_service.adapters.persistence.orders import SqlOrders
from order_service.adapters.persistence.transactions import SqlTransactions
from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentCapability, AgentOutcome, WaitingForApproval
from order_service.ports.approvals import Verdict
from order_service.ports.payments import Payments
from order_service.testing import RecordedPauses, WatchedTransactions
from order_service.usecases.cancel_order import CancelOrder
from order_service.usecases.capability_policy import CUSTOMER_AGENT, AgentCapabilityPolicy
from order_service.usecases.chat import ChatAgent, ChatCommand
from order_service.usecases.compensate_refund import CompensateRefund
from order_service.usecases.pay_out_refund import PayOutRefund
from order_service.usecases.refund_order import RefundOrder
from order_service.usecases.search_orders import SearchOrders
from support.crash_points import Points, Watched

__all__ = ["BORAM", "DAY", "MINJI", "Service", "assembled"]

MINJI: Final = ActorContext("minji", "hanbit")
BORAM: Final = ActorContext("boram", "hanbit", frozenset({"approver"}))
DAY: Final = 86_400.0


@dataclass(frozen=True)
class Service:
    """The parts that `order_service.main` builds, with points between their steps."""

    database: Database
    chat: ChatAgent
    approvals: AgentApprovals
    agent: Agent[AgentCapability, ActorContext]
    relay: Relay
    refund: RefundOrder
    payouts: PayOutRefund
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
        await self.approvals.decide(BORAM, approval, verdict, "")

    async def approve_all(self) -> int:
        pending = await self.approvals.pending(BORAM, 1_000)
        for one in pending:
            await self.decide(one.id)
        return len(pending)

    async def go_on(self) -> None:
        """Do what a process does without being asked, until nothing is left to do."""
        await self.agent.recover.once()
        while await self.agent.resume.next() is not None:
            pass
        while await self.payouts.next() is not None:
            pass
        while await self.relay.once():
            pass


def assembled(
    url: str,
    points: Points,
    events: Path | None = None,
    *,
    approval_seconds: float = DAY,
    payments: str = "",
    patience_seconds: float = 20,
) -> Service:
    """Put the service together.

    Args:
        url: of the database.
        points: where it stops, and what happens then.
        events: lines of this file are the types, orders and ids of events that have left.
        approval_seconds: how long people may take to decide.
        payments: address of the provider that pays refunds; nothing: one in the process.
        patience_seconds: how long a transaction may take; a busy machine needs more than a user would wait.
    """
    database, effects = Database(url, patience_seconds=patience_seconds), Effects(observer=RecordingObserver())
    points.watch_commits(database)
    plain = SqlTransactions(database, effects.ids.new)
    transactions = WatchedTransactions(plain, points.in_refund)
    search, refund = SearchOrders(SqlOrders(database)), RefundOrder(transactions)
    policy = AgentCapabilityPolicy()
    store = Watched(SqlRunStore(database, ActorCodec(dump_actor, load_actor)), points)
    agent = build_agent(
        turns=DemoTurns(),
        sources=[registry_of(search, refund, CancelOrder(transactions))],
        resolve=policy.resolve,
        store=cast("RunStore[ActorContext]", store),
        settings=LoopSettings(instructions="You help.", approval_seconds=approval_seconds, pending_approvals=1_000),
        policy_version=policy.version,
        effects=effects,
    )
    relay = Relay(
        outbox=cast("OutboxStore", Watched(SqlOutbox(database), points)),
        publisher=_Lines(events),
        clock=effects.clock,
        ids=effects.ids,
        observer=effects.observer,
        chance=lambda: 0.0,
    )
    observer = cast("RecordingObserver", effects.observer)
    chat = ChatAgent(policy, AxhubGateway(agent))
    payouts = _payouts(plain, points, payments)
    return Service(database, chat, AgentApprovals(agent), agent, relay, refund, payouts, search, observer)


def _payouts(transactions: SqlTransactions, points: Points, url: str) -> PayOutRefund:
    payments = cast("Payments", Watched(HttpPayments(url) if url else InProcessPayments(), points))
    compensate = CompensateRefund(WatchedTransactions(transactions, points.in_compensation))
    return PayOutRefund(WatchedTransactions(transactions, points.in_payout), payments, compensate, RecordedPauses())


class _Lines:
    """See `ports.events.Publisher`: a line of a file for each event."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    async def publish(self, event: Event) -> None:
        if self._file is not None:
            with self._file.open("a") as lines:
                lines.write(f"{event.type} {event.aggregate.rpartition('/')[2]} {event.id}\n")
