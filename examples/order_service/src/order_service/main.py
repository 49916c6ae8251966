"""Puts the service together: the only place that knows all adapters at once.

`uvicorn --factory order_service.main:create_app`, or `python -m order_service --profile local`.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from starlette.applications import Starlette

from axhub.agent import Agent, LoopSettings, Retention, build_agent
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.outbox import SqlOutbox
from axhub.agent.adapters.sql.retention import SqlRetention
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.adapters.tokens import DevelopmentIssuer, JwtVerifier, KeySource, TokenRules, UrlKeys, file_keys
from axhub.agent.config.model import ModelConfigError
from axhub.agent.main import Effects
from axhub.agent.models import turns_of
from axhub.agent.ports.events import Publisher
from axhub.agent.ports.turns import Turns
from axhub.agent.usecases.relay import Relay
from order_service.adapters.ai.actors import dump_actor, load_actor
from order_service.adapters.ai.approvals import AgentApprovals
from order_service.adapters.ai.demo_model import DemoTurns
from order_service.adapters.ai.gateway import AxhubGateway
from order_service.adapters.ai.registry import registry_of
from order_service.adapters.ai.runs import AgentRuns
from order_service.adapters.events.in_process import InProcessPublisher, logged
from order_service.adapters.http.app import HttpSettings, Services, build_http
from order_service.adapters.identity import VerifiedTokens
from order_service.adapters.pauses import ClockPauses
from order_service.adapters.payments.http import HttpPayments
from order_service.adapters.payments.in_process import InProcessPayments
from order_service.adapters.persistence.health import is_reachable
from order_service.adapters.persistence.migrations import upgrade
from order_service.adapters.persistence.orders import SqlOrders
from order_service.adapters.persistence.request_keys import SqlRequestKeys
from order_service.adapters.persistence.seed import seed
from order_service.adapters.persistence.transactions import SqlTransactions
from order_service.config import ConfigError, Problem, Settings, read_settings
from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentCapability
from order_service.ports.payments import Payments
from order_service.usecases.cancel_order import CancelOrder
from order_service.usecases.capability_policy import AgentCapabilityPolicy
from order_service.usecases.chat import ChatAgent
from order_service.usecases.compensate_refund import CompensateRefund
from order_service.usecases.pay_out_refund import PayOutRefund
from order_service.usecases.refund_order import RefundOrder
from order_service.usecases.search_orders import SearchOrders

__all__ = ["INSTRUCTIONS", "OrderService", "build", "create_app", "database_of"]

INSTRUCTIONS: Final = """\
You help the customers of a shop with their own orders: you find, refund and cancel them with the tools that you are
given. Answer in the language of the customer, in short and plain sentences. Say that something was done only if a
result says so. Look for an order's number with search_orders before you ask the customer for it.
"""
_IDLE_SECONDS: Final = 0.5
_DRAIN_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class OrderService:
    """The service in one process, not started: its ASGI app starts it, and ends it."""

    settings: Settings
    database: Database
    agent: Agent[AgentCapability, ActorContext]
    relay: Relay
    payouts: PayOutRefund
    turns: Turns
    issuer: DevelopmentIssuer | None
    """In the profile `local`, where nobody else gives tokens."""
    services: Services
    """The use cases, as REST gets them."""

    def asgi(self) -> Starlette:
        """Return the service as an ASGI app."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            async with self.running():
                yield

        return build_http(self.services, HttpSettings(is_secure=not self.settings.is_local), lifespan)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Migrate, go on with runs, events and payouts, and at the end let what has begun come to its end."""
        await upgrade(self.database)
        if self.settings.is_local:
            await seed(self.database)
        ends = asyncio.Event()
        loops = [asyncio.create_task(self._again(once, ends)) for once in (self.relay.once, self.payouts.next)]
        work = asyncio.create_task(self.agent.work())
        try:
            yield
        finally:
            ends.set()
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await self._end(loops)

    async def _again(self, once: Callable[[], Awaitable[object]], ends: asyncio.Event) -> None:
        """Do something again and again, with a pause where there was nothing to do; what has begun is not cut off."""
        while not ends.is_set():
            try:
                is_idle = not await once()
            except Exception as error:  # noqa: BLE001 -- a database that is away comes back, and what is due waits for it
                self.agent.observer.fault(self.agent.ids.new(), error)
                is_idle = True
            if is_idle:
                with suppress(TimeoutError):
                    await asyncio.wait_for(ends.wait(), _IDLE_SECONDS)

    async def _end(self, loops: Sequence[asyncio.Task[None]]) -> None:
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await asyncio.gather(*loops)
                await self.agent.drain()
        except TimeoutError as error:
            self.agent.observer.fault(self.agent.ids.new(), error)  # another process takes over what is left
        aclose = getattr(self.turns, "aclose", None)
        if aclose is not None:
            await aclose()
        await self.database.close()


def create_app() -> Starlette:
    """Return the service as an ASGI app, configured by the environment.

    Raises:
        ConfigError: with everything that is wrong.
    """
    return build(read_settings(os.environ)).asgi()


def build(
    settings: Settings,
    *,
    turns: Turns | None = None,
    publisher: Publisher | None = None,
    payments: Payments | None = None,
    effects: Effects | None = None,
    database: Database | None = None,
) -> OrderService:
    """Put the service together; nothing is connected yet.

    Args:
        settings: what it is configured with.
        turns: a model instead of the configured one, for tests.
        publisher: where events go; None: a line in the log for each.
        payments: a provider instead of the configured one, for tests.
        effects: time, ids and who watches; None: the process's own.
        database: instead of the configured one, for tests.

    Raises:
        ConfigError: a file that the settings name cannot be used.
    """
    own = effects or Effects()
    database = database or database_of(settings)
    model = turns or _model(settings)
    commands = _commands(database, own)
    policy = AgentCapabilityPolicy()
    agent = build_agent(
        turns=model,
        sources=[registry_of(commands.search, commands.refund, commands.cancel, own.observer)],
        resolve=policy.resolve,
        store=SqlRunStore(database, ActorCodec(dump_actor, load_actor)),
        settings=LoopSettings(instructions=INSTRUCTIONS),
        policy_version=policy.version,
        retention=Retention(SqlRetention(database)),
        effects=own,
    )
    issuer = DevelopmentIssuer(settings.profile, audience=settings.audience) if settings.jwks is None else None
    services = Services(
        chat=ChatAgent(policy, AxhubGateway(agent)),
        search=commands.search,
        refund=commands.refund,
        cancel=commands.cancel,
        approvals=AgentApprovals(agent),
        runs=AgentRuns(agent),
        request_keys=SqlRequestKeys(database, own.ids.new),
        tokens=VerifiedTokens(_verifier(settings, issuer)),
        is_ready=lambda: is_reachable(database),
        fault=own.observer.fault,
    )
    relay = _relay_of(database, publisher or InProcessPublisher(logged), own)
    payouts = _payouts(database, payments or _payments(settings), own)
    return OrderService(settings, database, agent, relay, payouts, model, issuer, services)


def database_of(settings: Settings) -> Database:
    """Return the database; nothing is connected yet.

    Raises:
        ConfigError: its address cannot be used.
    """
    try:
        return Database(settings.database_url)
    except ValueError as error:
        problem = Problem(
            f"ORDER_SERVICE_DATABASE_URL: {error}",
            "ORDER_SERVICE_DATABASE_URL: 사용할 수 없는 주소입니다. sqlite:///FILE 또는 "
            "postgresql://USER:PASSWORD@HOST:PORT/NAME 형식으로 쓰고, 이름과 비밀번호의 / : @ ?는 %XX로 쓰십시오",
        )
        raise ConfigError(settings.profile, (problem,)) from error


def _model(settings: Settings) -> Turns:
    if settings.model is None:
        return DemoTurns()
    try:
        return turns_of(settings.model, os.environ)
    except ModelConfigError as error:
        told = str(error).replace("ca_file", "ORDER_SERVICE_MODEL_CA_FILE").replace("AXHUB_", "ORDER_SERVICE_")
        problem = Problem(f"ORDER_SERVICE_MODEL: {told}", f"ORDER_SERVICE_MODEL: 사용할 수 없습니다: {told}")
        raise ConfigError(settings.profile, (problem,)) from error


class _Commands(NamedTuple):
    search: SearchOrders
    refund: RefundOrder
    cancel: CancelOrder


def _commands(database: Database, effects: Effects) -> _Commands:
    transactions, orders = SqlTransactions(database, effects.ids.new), SqlOrders(database)
    return _Commands(SearchOrders(orders), RefundOrder(transactions), CancelOrder(transactions))


def _payouts(database: Database, payments: Payments, effects: Effects) -> PayOutRefund:
    transactions = SqlTransactions(database, effects.ids.new)
    return PayOutRefund(transactions, payments, CompensateRefund(transactions), ClockPauses(effects.clock))


def _payments(settings: Settings) -> Payments:
    if settings.payments_url is None:
        return InProcessPayments()
    return HttpPayments(settings.payments_url, settings.payments_key)


def _relay_of(database: Database, publisher: Publisher, effects: Effects) -> Relay:
    return Relay(
        outbox=SqlOutbox(database),
        publisher=publisher,
        clock=effects.clock,
        ids=effects.ids,
        observer=effects.observer,
        chance=random.random,
    )


def _verifier(settings: Settings, issuer: DevelopmentIssuer | None) -> JwtVerifier:
    if issuer is not None:
        return JwtVerifier(issuer.rules, issuer.keys())
    rules = TokenRules(issuer=settings.issuer or "", audience=settings.audience)
    return JwtVerifier(rules, _keys(settings, settings.jwks or ""))


def _keys(settings: Settings, jwks: str) -> KeySource:
    try:
        return UrlKeys(jwks) if settings.is_jwks_address else file_keys(Path(jwks))
    except (OSError, ValueError) as error:
        problem = Problem(
            f"ORDER_SERVICE_JWKS: cannot be used: {error}", f"ORDER_SERVICE_JWKS: 사용할 수 없습니다: {error}"
        )
        raise ConfigError(settings.profile, (problem,)) from error
