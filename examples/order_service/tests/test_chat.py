"""The assistant and REST are two ways to the same use cases, with one wall behind both (agent/A2 to A6, agent/A11)."""

from collections.abc import Callable
from typing import Final

import pytest
from sqlalchemy import text

from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.messages import AssistantMessage, ModelTurn, TurnRequest
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.turns import Turns
from axhub.agent.testing import ScriptedTurns, call, calls
from order_service.adapters.ai.demo_words import KOREAN
from order_service.domain.actor import ActorContext
from order_service.domain.errors import OrderError
from order_service.main import OrderService
from order_service.ports.agent import (
    AgentAnswer,
    AgentCapability,
    AgentOutcome,
    AgentRequest,
    ConversationNotFoundError,
    PendingApprovalError,
    StillRunning,
    Stopped,
    WaitingForApproval,
)
from order_service.ports.approvals import ApprovalRefusal, ApprovalRefusedError, Verdict
from order_service.ports.inbound import CancelOrderCommand, OrderResult, RefundOrderCommand
from order_service.ports.runs import RunNotFoundError, RunNotWaitingError, RunStatus
from order_service.usecases.capability_policy import CUSTOMER_AGENT, AgentCapabilityPolicy
from order_service.usecases.chat import ChatAgent, ChatCommand

MINJI: Final = ActorContext("minji", "hanbit")
JUNHO: Final = ActorContext("junho", "hanbit")
SORA: Final = ActorContext("sora", "saebyeok")
DANA: Final = ActorContext("dana", "hanbit", frozenset({"support"}))
BORAM: Final = ActorContext("boram", "hanbit", frozenset({"approver"}))
HANEUL: Final = ActorContext("haneul", "saebyeok", frozenset({"approver"}))
WithModel = Callable[[Turns], OrderService]
REFUNDED: Final = OrderResult("ORD-100", "REFUNDED", "무선 키보드", 89_000)


async def say(
    service: OrderService, actor: ActorContext, message: str, conversation: str | None = None
) -> AgentOutcome:
    return await service.services.chat.execute(ChatCommand(actor, CUSTOMER_AGENT, message, conversation))


async def waiting(service: OrderService, actor: ActorContext, message: str) -> WaitingForApproval:
    outcome = await say(service, actor, message)
    assert isinstance(outcome, WaitingForApproval)
    return outcome


async def answer(
    service: OrderService, actor: ActorContext, message: str, approver: ActorContext = BORAM, say_: str = "approve"
) -> str:
    """Ask for something that needs an approval, let it be decided, and return what the assistant says in the end."""
    held = await waiting(service, actor, message)
    for one in held.approvals:
        await service.services.approvals.decide(approver, one.id, Verdict(say_), "")
    await service.agent.resume.next()
    report = await service.services.runs.run(actor, held.run_id)
    assert report.status is RunStatus.ANSWERED
    return report.content


async def rest(service: OrderService, verb: str, actor: ActorContext, order_id: str) -> OrderResult:
    """Do what REST does: hand a command to the use case that it was given."""
    if verb == "환불":
        return await service.services.refund.execute(RefundOrderCommand(actor, order_id))
    return await service.services.cancel.execute(CancelOrderCommand(actor, order_id))


async def events(database: Database) -> int:
    return await database.read(lambda one: one.execute(text("SELECT count(*) FROM agent_outbox")).scalar_one())


@pytest.mark.req("agent/A2", "agent/R0")
async def test_a_refund_by_chat_waits_happens_once_approved_and_is_what_rest_gets_afterwards(
    service: OrderService, database: Database
) -> None:
    assert await answer(service, MINJI, "ORD-100 환불해줘") == "ORD-100 (무선 키보드) 주문을 환불했어요."
    assert await service.services.refund.execute(RefundOrderCommand(MINJI, "ORD-100")) == REFUNDED
    assert await events(database) == 1


@pytest.mark.req("agent/A2")
async def test_a_refund_over_rest_is_what_the_chat_gets_afterwards(service: OrderService, database: Database) -> None:
    assert await service.services.refund.execute(RefundOrderCommand(MINJI, "ORD-100")) == REFUNDED
    assert await answer(service, MINJI, "refund ORD-100 please") == "Order ORD-100 (무선 키보드) was refunded."
    assert await events(database) == 1


@pytest.mark.req("agent/A2")
async def test_a_refund_that_rest_makes_while_the_chats_waits_leaves_one(
    service: OrderService, database: Database
) -> None:
    held = await waiting(service, MINJI, "ORD-100 환불해줘")
    assert await service.services.refund.execute(RefundOrderCommand(MINJI, "ORD-100")) == REFUNDED
    await service.services.approvals.decide(BORAM, held.approvals[0].id, Verdict.APPROVE, "")
    await service.agent.resume.next()
    report = await service.services.runs.run(MINJI, held.run_id)
    assert (report.status, report.content) == (RunStatus.ANSWERED, "ORD-100 (무선 키보드) 주문을 환불했어요.")
    assert await events(database) == 1


@pytest.mark.req("agent/I5")
async def test_a_refund_that_nobody_can_pay_is_told_when_somebody_looks_and_may_be_asked_for_again(
    service: OrderService, database: Database
) -> None:
    assert await answer(service, JUNHO, "ORD-111 환불해줘") == "ORD-111 (핸드 드립 세트) 주문을 환불했어요."
    await service.payouts.next()
    shown = await say(service, JUNHO, "내 주문 보여줘")
    assert isinstance(shown, AgentAnswer)
    assert "- ORD-111 핸드 드립 세트, 54,000원, 배송 중 (환불하지 못했어요: account_closed)\n" in shown.content
    shown = await say(service, JUNHO, "show my orders")
    assert isinstance(shown, AgentAnswer)
    assert "shipped (could not be refunded: account_closed)\n" in shown.content
    assert await answer(service, JUNHO, "ORD-111 환불해줘") == "ORD-111 (핸드 드립 세트) 주문을 환불했어요."
    assert await events(database) == 3


@pytest.mark.req("agent/A11")
@pytest.mark.parametrize(
    ("actor", "approver", "order_id", "code", "said"),
    [
        (JUNHO, BORAM, "ORD-100", "NOT_FOUND", "그런 주문을 찾지 못했어요."),
        (SORA, HANEUL, "ORD-101", "NOT_FOUND", "그런 주문을 찾지 못했어요."),
        (MINJI, BORAM, "ORD-999", "NOT_FOUND", "그런 주문을 찾지 못했어요."),
        (MINJI, BORAM, "ORD-102", "WRONG_STATE", "지금 상태에서는 할 수 없는 주문이에요."),
    ],
)
@pytest.mark.parametrize("verb", ["환불", "취소"])
async def test_an_offered_tool_is_refused_as_rest_is(
    service: OrderService,
    database: Database,
    verb: str,
    actor: ActorContext,
    approver: ActorContext,
    order_id: str,
    code: str,
    said: str,
) -> None:
    with pytest.raises(OrderError) as refused:
        await rest(service, verb, actor, order_id)
    assert refused.value.code == code
    assert await answer(service, actor, f"{order_id} {verb}해줘", approver) == said
    told = "SELECT result FROM agent_call"
    results = await database.read(lambda one: one.execute(text(told)).scalars().all())
    assert [code in result for result in results] == [True]
    assert await events(database) == 0


@pytest.mark.req("agent/A3")
async def test_reading_needs_no_approval_and_shows_the_own_orders_only(service: OrderService) -> None:
    outcome = await say(service, MINJI, "내 주문 보여줘")
    assert isinstance(outcome, AgentAnswer)
    assert outcome.content == (
        "주문이 3건 있어요.\n"
        "- ORD-102 노트북 거치대, 42,000원, 취소됨\n"
        "- ORD-101 27인치 모니터, 329,000원, 배송 중\n"
        "- ORD-100 무선 키보드, 89,000원, 결제 완료"
    )
    other = await say(service, SORA, "Show my orders")
    assert isinstance(other, AgentAnswer)
    assert other.content == (
        "Orders found: 2.\n- ORD-200 경량 텐트, 248,000 won, paid\n- ORD-100 등산 배낭 40L, 119,000 won, paid"
    )


@pytest.mark.req("agent/A3")
async def test_the_streaming_form_gives_the_same_text_in_pieces(service: OrderService) -> None:
    pieces: list[str] = []
    outcome = await service.services.chat.execute(ChatCommand(MINJI, CUSTOMER_AGENT, "안녕"), pieces.append)
    assert isinstance(outcome, AgentAnswer)
    assert (len(pieces) > 1, "".join(pieces)) == (True, outcome.content)


@pytest.mark.req("agent/A3", "agent/R4")
async def test_what_stands_in_the_way_of_a_message_is_told_in_the_applications_words(service: OrderService) -> None:
    held = await waiting(service, MINJI, "ORD-100 환불해줘")
    with pytest.raises(PendingApprovalError):
        await say(service, MINJI, "네, 승인해요", held.conversation_id)
    with pytest.raises(ConversationNotFoundError):
        await say(service, JUNHO, "내 주문 보여줘", held.conversation_id)
    with pytest.raises(ConversationNotFoundError):
        await service.services.runs.conversation(JUNHO, held.conversation_id)
    with pytest.raises(RunNotFoundError):
        await service.services.runs.run(JUNHO, held.run_id)


@pytest.mark.req("agent/A3", "agent/L2")
async def test_a_run_that_stops_says_why_in_one_word(with_model: WithModel) -> None:
    made = with_model(ScriptedTurns(""))
    outcome = await say(made, MINJI, "안녕")
    assert isinstance(outcome, Stopped)
    assert outcome.reason == StopReason.NO_ANSWER.value
    report = await made.services.runs.run(MINJI, outcome.run_id)
    assert (report.status, report.reason) == (RunStatus.STOPPED, "no_answer")


@pytest.mark.req("agent/R2", "agent/R3", "agent/R5")
async def test_decisions_are_the_approvers_of_the_tenant_and_count_once(service: OrderService) -> None:
    held = await waiting(service, MINJI, "ORD-100 환불해줘")
    approvals, one = service.services.approvals, held.approvals[0].id
    assert [shown.id for shown in await approvals.pending(BORAM)] == [one]
    assert await approvals.pending(HANEUL) == ()
    both = ActorContext("minji", "hanbit", frozenset({"approver"}))
    refusals = []
    for actor in (MINJI, HANEUL, both):
        with pytest.raises(ApprovalRefusedError) as refused:
            await approvals.decide(actor, one, Verdict.APPROVE, "")
        refusals.append(refused.value.reason)
    refusal = ApprovalRefusal
    assert refusals == [refusal.NOT_APPROVER, refusal.NOT_FOUND, refusal.OWN_REQUEST]
    with pytest.raises(ApprovalRefusedError, match=refusal.NOT_APPROVER.value):
        await approvals.pending(MINJI)
    first = await approvals.decide(BORAM, one, Verdict.DENY, "확인이 필요해요")
    assert (first.verdict, first.approver, first.comment) == (Verdict.DENY, "boram", "확인이 필요해요")
    assert await approvals.decide(BORAM, one, Verdict.DENY, "again") == first
    with pytest.raises(ApprovalRefusedError, match=refusal.ALREADY_DECIDED.value):
        await approvals.decide(BORAM, one, Verdict.APPROVE, "")


@pytest.mark.req("agent/R4")
async def test_a_denied_refund_is_told_and_does_not_happen(service: OrderService, database: Database) -> None:
    assert (
        await answer(service, MINJI, "ORD-100 환불해줘", say_="deny") == "담당자가 승인하지 않아서 처리하지 않았어요."
    )
    assert await events(database) == 0


@pytest.mark.req("agent/R4")
async def test_a_waiting_run_can_be_taken_back_once(service: OrderService) -> None:
    held = await waiting(service, MINJI, "ORD-100 환불해줘")
    runs = service.services.runs
    assert (await runs.run(MINJI, held.run_id)).approvals == held.approvals
    with pytest.raises(RunNotFoundError):
        await runs.withdraw(JUNHO, held.run_id)
    report = await runs.withdraw(MINJI, held.run_id)
    assert (report.status, report.approvals) == (RunStatus.WITHDRAWN, ())
    with pytest.raises(RunNotWaitingError):
        await runs.withdraw(MINJI, held.run_id)


@pytest.mark.req("agent/L1")
async def test_two_orders_in_one_message_wait_together(service: OrderService, database: Database) -> None:
    said = await answer(service, MINJI, "ord-100, ORD-101 환불해줘")
    assert said == "ORD-100 (무선 키보드) 주문을 환불했어요.\nORD-101 (27인치 모니터) 주문을 환불했어요."
    assert await events(database) == 2


async def test_a_conversation_goes_on_and_shows_what_was_said(service: OrderService) -> None:
    first = await say(service, MINJI, "환불해줘")
    second = await say(service, MINJI, "안녕", first.conversation_id)
    assert second.conversation_id == first.conversation_id
    shown = await service.services.runs.conversation(MINJI, first.conversation_id)
    said = [(one.role, one.text) for one in shown.messages]
    assert said == [("user", "환불해줘"), ("assistant", KOREAN.which), ("user", "안녕"), ("assistant", KOREAN.help)]


@pytest.mark.req("agent/A4")
async def test_the_chat_asks_the_policy_and_the_gateway_and_nothing_else() -> None:
    class OneGateway:
        def __init__(self) -> None:
            self.asked: list[AgentRequest] = []

        async def ask(self, request: AgentRequest, _on_text: object = None) -> AgentOutcome:
            self.asked.append(request)
            return AgentAnswer("run", "talk", "answer")

    gateway = OneGateway()
    chat = ChatAgent(AgentCapabilityPolicy(), gateway)
    asked = [(MINJI, CUSTOMER_AGENT), (DANA, CUSTOMER_AGENT), (MINJI, "somebody else's")]
    for actor, agent_type in asked:
        await chat.execute(ChatCommand(actor, agent_type, "안녕", "talk", "trace"))
    allowed = [frozenset(AgentCapability), frozenset({AgentCapability.SEARCH_ORDER}), frozenset[AgentCapability]()]
    assert gateway.asked == [
        AgentRequest(agent_type, "안녕", actor, capabilities, "talk", "trace")
        for (actor, agent_type), capabilities in zip(asked, allowed, strict=True)
    ]


@pytest.mark.req("agent/A4", "agent/A6")
async def test_what_the_policy_does_not_allow_is_not_offered_and_not_run(
    with_model: WithModel, database: Database
) -> None:
    turns = ScriptedTurns(calls(call("refund_order", order_id="ORD-100")), "that cannot be done")
    made = with_model(turns)
    assert isinstance(await say(made, DANA, "ORD-100 환불해줘"), AgentAnswer)
    assert [tool.name for tool in turns.requests[0].tools] == ["search_orders"]
    assert await events(database) == 0


@pytest.mark.req("agent/A7")
async def test_the_actor_reaches_no_model(with_model: WithModel) -> None:
    turns = ScriptedTurns(calls(call("search_orders")), "done")
    made = with_model(turns)
    await say(made, MINJI, "내 주문 보여줘")
    assert [name in repr(turns.requests) for name in ("minji", "hanbit", "무선 키보드")] == [False, False, True]


@pytest.mark.req("agent/L8")
async def test_no_transaction_is_open_while_a_model_is_waited_for(with_model: WithModel, database: Database) -> None:
    async def open_ones() -> int:
        if database.is_sqlite:
            await database.write(lambda one: one.execute(text("UPDATE order_service_order SET version = version")))
            return 0
        counted = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL"
        found = await database.read(lambda one: one.execute(text(counted)).scalar_one())
        return int(found) - 1  # the one that asks

    class Watching:
        def __init__(self) -> None:
            self.seen: list[int] = []

        async def take(self, _request: TurnRequest, _on_text: object = None) -> ModelTurn:
            self.seen.append(await open_ones())
            asked = calls(call("refund_order", order_id="ORD-100"))
            return ModelTurn(AssistantMessage("done") if len(self.seen) > 1 else asked)

    turns = Watching()
    made = with_model(turns)
    assert await answer(made, MINJI, "ORD-100 환불해줘") == "done"
    assert turns.seen == [0, 0]


@pytest.mark.req("agent/I2")
async def test_a_run_that_another_process_has_taken_over_is_named(with_model: WithModel, database: Database) -> None:
    class Slow:
        async def take(self, _request: TurnRequest, _on_text: object = None) -> ModelTurn:
            taken = text("UPDATE agent_run SET version = version + 1, attempts = attempts + 1")
            await database.write(lambda one: one.execute(taken).rowcount)
            return ModelTurn(AssistantMessage("too late"))

    made = with_model(Slow())
    outcome = await say(made, MINJI, "안녕")
    assert isinstance(outcome, StillRunning)
    report = await made.services.runs.run(MINJI, outcome.run_id)
    assert (report.status, report.conversation_id) == (RunStatus.RUNNING, outcome.conversation_id)
