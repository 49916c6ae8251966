"""Tools are views of the use cases: explicit, typed, and nothing that a model could use to be somebody else."""

from dataclasses import dataclass
from typing import Annotated, Final

import pytest
from pydantic import Field

from axhub.agent import (
    CallContext,
    Effect,
    FixedTools,
    LoopSettings,
    RegistrationError,
    Tool,
    ToolArgs,
    ToolError,
    ToolRegistry,
    ToolResult,
    build_agent,
)
from axhub.agent.domain.outcomes import Answered, AskRequest
from axhub.agent.main import Effects
from axhub.agent.ports.effects import Noted
from axhub.agent.ports.tools import Tool as AnyTool
from axhub.agent.testing import RecordingObserver
from order_service.adapters.ai.demo_model import DemoTurns
from order_service.adapters.ai.registry import registry_of
from order_service.adapters.ai.tools import CancelOrderTool, RefundOrderTool, SearchOrdersTool, told_of
from order_service.domain.actor import ActorContext
from order_service.domain.errors import OrderError, WrongStateError
from order_service.main import OrderService
from order_service.ports.agent import AgentCapability
from order_service.ports.faults import UnavailableError
from order_service.ports.inbound import OrderResult, RefundOrderCommand, RefundOrderUseCase
from order_service.usecases.capability_policy import CUSTOMER_AGENT, AgentCapabilityPolicy

MINJI: Final = ActorContext("minji", "hanbit")


class VatArgs(ToolArgs):
    total: Annotated[int, Field(ge=0, description="In won.")]


class VatResult(ToolResult):
    vat: int


class VatTool(Tool[VatArgs, VatResult, ActorContext]):
    """A calculation: no use case, no actor."""

    name = "vat_of"
    description = "Return the tax in a total."
    effect = Effect.READ

    async def run(self, args: VatArgs, _context: CallContext[ActorContext]) -> VatResult:
        return VatResult(vat=args.total // 11)


def context_of(actor: ActorContext) -> CallContext[ActorContext]:
    return CallContext(actor, "run", "call", None, "", 0.0)


@pytest.mark.req("agent/A5")
async def test_each_capability_offers_its_tools_and_no_capability_offers_none(service: OrderService) -> None:
    made = service.services
    registry = registry_of(made.search, made.refund, made.cancel)
    offered = {one: list(await registry.tools({one})) for one in AgentCapability}
    assert offered == {
        AgentCapability.SEARCH_ORDER: ["search_orders"],
        AgentCapability.REFUND_ORDER: ["refund_order"],
        AgentCapability.CANCEL_ORDER: ["cancel_order"],
    }
    assert list(await registry.tools(frozenset())) == []


@pytest.mark.req("agent/A5")
async def test_a_calculation_without_an_actor_stands_beside_the_others_and_twice_is_once(service: OrderService) -> None:
    vat, search = VatTool(), SearchOrdersTool(service.services.search)
    one, two = AgentCapability.SEARCH_ORDER, AgentCapability.REFUND_ORDER
    registry: ToolRegistry[AgentCapability, ActorContext] = ToolRegistry({one: [search, vat], two: [vat]})
    assert list(await registry.tools({one, two})) == ["search_orders", "vat_of"]
    assert await vat.call(vat.read({"total": 1_100}), context_of(MINJI)) == '{"vat":100}'


@pytest.mark.req("agent/A5")
async def test_two_tools_with_one_name_and_a_capability_without_tools_are_noticed(service: OrderService) -> None:
    search, observer = service.services.search, RecordingObserver()
    capability = AgentCapability.SEARCH_ORDER
    with pytest.raises(RegistrationError, match="tool 'search_orders': two tools have this name"):
        ToolRegistry({capability: [SearchOrdersTool(search), SearchOrdersTool(search)]})
    registry: ToolRegistry[AgentCapability, ActorContext] = ToolRegistry({capability: []}, observer)
    for _ in range(2):
        assert list(await registry.tools({AgentCapability.REFUND_ORDER})) == []
    assert [noted for noted, _ in observer.notes] == [Noted.UNMAPPED]


@pytest.mark.req("agent/A12")
async def test_the_small_case_needs_neither_policy_nor_registry(service: OrderService) -> None:
    fixed: FixedTools[ActorContext] = FixedTools(SearchOrdersTool(service.services.search))
    agent = build_agent(
        turns=DemoTurns(),
        sources=[fixed],
        store=service.agent.store,
        settings=LoopSettings(instructions="You show orders."),
        effects=Effects(observer=RecordingObserver()),
    )
    outcome = await agent.ask(AskRequest(agent="small", message="ORD 주문 보여줘", actor=MINJI))
    assert isinstance(outcome, Answered)
    assert outcome.text.startswith("주문이 3건 있어요.")


@pytest.mark.req("agent/A12")
async def test_a_tool_that_writes_is_none_for_the_small_case(service: OrderService) -> None:
    with pytest.raises(RegistrationError, match="tool 'refund_order': it writes, so it needs a capability"):
        FixedTools(RefundOrderTool(service.services.refund))


@pytest.mark.req("agent/A3")
async def test_a_result_is_the_tools_own_view(service: OrderService) -> None:
    tool = SearchOrdersTool(service.services.search)
    text = await tool.call(tool.read({"text": "키보드"}), context_of(MINJI))
    assert text == '{"orders":[{"order_id":"ORD-100","status":"PAID","item":"무선 키보드","total_won":89000}]}'


@pytest.mark.req("agent/A7", "agent/I1")
async def test_a_model_is_shown_orders_and_nothing_about_people_or_keys(service: OrderService) -> None:
    made = service.services
    tools: list[AnyTool[ActorContext]] = [
        SearchOrdersTool(made.search),
        RefundOrderTool(made.refund),
        CancelOrderTool(made.cancel),
    ]
    shown = {tool.definition.name: sorted(tool.definition.parameters["properties"]) for tool in tools}
    assert shown == {
        "search_orders": ["status", "text"],
        "refund_order": ["order_id"],
        "cancel_order": ["order_id"],
    }
    assert [tool.definition.has_key for tool in tools] == [False, True, True]


@pytest.mark.req("agent/A3")
def test_each_refusal_of_the_use_cases_has_its_code_and_its_sentence() -> None:
    kinds = OrderError.__subclasses__()
    assert sorted(kind.code for kind in kinds) == ["CONFLICT", "NOT_ALLOWED", "NOT_FOUND", "WRONG_STATE"]
    told = {kind.code: told_of(kind).code for kind in kinds}
    assert told == {kind.code: kind.code for kind in kinds}


@pytest.mark.req("agent/L6", "agent/A11")
async def test_what_became_of_a_lost_call_is_found_by_whoever_made_it(service: OrderService) -> None:
    tool = RefundOrderTool(service.services.refund)
    args = tool.read({"order_id": "ORD-100"})
    assert await tool.outcome(args, context_of(MINJI)) is None
    done = await tool.call(args, context_of(MINJI))
    assert done == '{"order_id":"ORD-100","status":"REFUNDED","item":"무선 키보드","total_won":89000}'
    assert await tool.outcome(args, context_of(MINJI)) == done
    assert await tool.outcome(args, context_of(ActorContext("junho", "hanbit"))) is None
    cancel = CancelOrderTool(service.services.cancel)
    with pytest.raises(ToolError, match="WRONG_STATE") as refused:
        await cancel.call(args, context_of(MINJI))
    assert isinstance(refused.value.__cause__, WrongStateError)
    assert await cancel.outcome(args, context_of(MINJI)) is None
    assert "ORD-100" not in refused.value.public_message


class UnconfirmedRefund:
    """A refund whose commit the database did not confirm."""

    def __init__(self, inner: RefundOrderUseCase) -> None:
        self._inner = inner

    async def execute(self, command: RefundOrderCommand) -> OrderResult:
        await self._inner.execute(command)
        raise UnavailableError

    async def outcome(self, command: RefundOrderCommand) -> OrderResult | None:
        return await self._inner.outcome(command)


@dataclass(frozen=True)
class Unattended:
    """Nobody needs to approve anything."""

    version: str = "unattended-1"

    def needs_approval(self, _tool: object, _arguments: object, _actor: object) -> bool:
        return False


@pytest.mark.req("agent/L6", "agent/I2")
async def test_a_refund_whose_commit_was_not_confirmed_is_looked_up_and_told_as_done(service: OrderService) -> None:
    made, observer = service.services, RecordingObserver()
    agent = build_agent(
        turns=DemoTurns(),
        sources=[registry_of(made.search, UnconfirmedRefund(made.refund), made.cancel)],
        resolve=AgentCapabilityPolicy().resolve,
        store=service.agent.store,
        settings=LoopSettings(instructions="You refund orders."),
        approvals=Unattended(),
        effects=Effects(observer=observer),
    )
    asked = AskRequest(
        agent=CUSTOMER_AGENT, message="ORD-100 환불해줘", actor=MINJI, capabilities=frozenset(AgentCapability)
    )
    outcome = await agent.ask(asked)
    assert isinstance(outcome, Answered)
    assert outcome.text == "ORD-100 (무선 키보드) 주문을 환불했어요."
    assert [type(error) for error in observer.faults.values()] == [UnavailableError]


async def test_a_search_is_bounded_and_takes_no_pattern(service: OrderService) -> None:
    tool = SearchOrdersTool(service.services.search)
    nothing = '{"orders":[]}'
    for text in ("%", "_", "\0", "텐트"):
        assert await tool.call(tool.read({"text": text}), context_of(MINJI)) == nothing
    assert await tool.call(tool.read({"status": "REFUNDED"}), context_of(MINJI)) == nothing
