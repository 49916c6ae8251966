"""What is refused when a tool is declared or registered, and what of it a model sees (agent/A3, A5, A7, A12, I1)."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import pytest
from pydantic import Field

from axhub.agent import (
    CallContext,
    Effect,
    FixedTools,
    OutcomeUnknownError,
    RegistrationError,
    Tool,
    ToolArgs,
    ToolDefinition,
    ToolRegistry,
    ToolResult,
)
from axhub.agent.domain.definition import check_definition, identity_fields
from axhub.agent.domain.errors import ArgumentsError
from axhub.agent.ports.effects import Noted
from axhub.agent.testing import FakeActor, RecordingObserver
from support.agents import Probe, reader

Context = CallContext[FakeActor]


class Cap(StrEnum):
    SEARCH = "search"
    REFUND = "refund"
    DREAM = "dream"


class RefundArgs(ToolArgs):
    order_id: Annotated[str, Field(pattern=r"^ORD-[0-9]+$", description="The order.")]
    amount: Annotated[int, Field(ge=1, description="How much.")] = 1


class RefundView(ToolResult):
    order_id: str
    by: str


class RefundTool(Tool[RefundArgs, RefundView, FakeActor]):
    name = "refund_order"
    description = "Refund one order."
    effect = Effect.WRITE
    audited = frozenset({"order_id"})

    def key(self, args: RefundArgs, context: Context) -> str:
        return args.order_id

    async def run(self, args: RefundArgs, context: Context) -> RefundView:
        return RefundView(order_id=args.order_id, by=context.actor.user_id)


class FindingTool(RefundTool):
    name = "refund_again"

    async def find(self, args: RefundArgs, context: Context) -> RefundView | None:
        return None if args.amount == 1 else RefundView(order_id=str(context.key), by="found")


CONTEXT: Context = CallContext(FakeActor(), "run-1", "call-1", "t:refund_order:ORD-1", "trace-1", 10.0)


@pytest.mark.req("agent/A3")
async def test_a_tool_is_typed_arguments_in_and_its_own_view_out() -> None:
    tool = RefundTool()
    args = tool.read({"order_id": "ORD-1"})
    assert args == RefundArgs(order_id="ORD-1")
    assert tool.key_of(args, CONTEXT) == "ORD-1"
    assert json.loads(await tool.call(args, CONTEXT)) == {"order_id": "ORD-1", "by": "user-1"}


@pytest.mark.req("agent/A3", "agent/A7")
def test_a_model_is_shown_arguments_and_nothing_of_the_context() -> None:
    definition = RefundTool.definition
    assert (definition.name, definition.effect, definition.has_key) == ("refund_order", Effect.WRITE, True)
    assert definition.parameters == {
        "additionalProperties": False,
        "properties": {
            "order_id": {"description": "The order.", "pattern": "^ORD-[0-9]+$", "type": "string"},
            "amount": {"default": 1, "description": "How much.", "minimum": 1, "type": "integer"},
        },
        "required": ["order_id"],
        "type": "object",
    }
    assert "user-1" not in repr(CONTEXT)


@pytest.mark.req("threat/T24", "input/B79", "input/B80")
@pytest.mark.parametrize(
    ("arguments", "problems"),
    [
        ({}, ("order_id: Field required",)),
        ({"order_id": "x"}, ("order_id: String should match pattern '^ORD-[0-9]+$'",)),
        ({"order_id": "ORD-1", "userId": "root"}, ("userId: Extra inputs are not permitted",)),
        ({"order_id": "ORD-1", "amount": "5"}, ("amount: Input should be a valid integer",)),
        (
            {"order_id": 1, "amount": 0},
            ("order_id: Input should be a valid string", "amount: Input should be greater than or equal to 1"),
        ),
    ],
)  # fmt: skip
def test_arguments_are_strict_and_closed(arguments: Mapping[str, Any], problems: tuple[str, ...]) -> None:
    with pytest.raises(ArgumentsError) as refused:
        RefundTool().read(arguments)
    assert refused.value.problems == problems


@pytest.mark.req("agent/L6")
async def test_a_tool_tells_what_became_of_a_call_or_leaves_it_unknown() -> None:
    args = RefundArgs(order_id="ORD-1", amount=2)
    with pytest.raises(OutcomeUnknownError, match=r"^refund_order has no find\(\)$"):
        await RefundTool().outcome(args, CONTEXT)
    assert await FindingTool().outcome(RefundArgs(order_id="ORD-1"), CONTEXT) is None
    assert json.loads(await FindingTool().outcome(args, CONTEXT) or "") == {"order_id": CONTEXT.key, "by": "found"}


def test_a_tool_class_says_what_it_lacks() -> None:
    with pytest.raises(RegistrationError, match=r"^Nameless: it has no name and no effect$"):

        class Nameless(Tool[RefundArgs, RefundView, FakeActor]):
            description = "None."

            async def run(self, args: RefundArgs, context: Context) -> RefundView:
                raise AssertionError

    class Silent(ToolArgs):
        order_id: str

    with pytest.raises(
        RegistrationError, match=r"^Wordless: the argument order_id has no description; a model needs one$"
    ):

        class Wordless(Tool[Silent, RefundView, FakeActor]):
            name = "wordless_tool"
            description = "None."
            effect = Effect.READ

            async def run(self, args: Silent, context: Context) -> RefundView:
                raise AssertionError


def _definition(**more: Any) -> ToolDefinition:
    fields: dict[str, Any] = {
        "name": "a_tool",
        "description": "Does.",
        "parameters": {"type": "object", "properties": {}},
        "effect": Effect.READ,
    }
    return ToolDefinition(**{**fields, **more})


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


IDENTITY = (
    "the argument {} is decided by the server, never by a model; take it from the context, or say in "
    "identity_exceptions why this one is a model's to write"
)
NAME = "the name is not 3 to 64 of a-z, 0-9 and _, beginning with a letter; providers refuse others"


@pytest.mark.req("agent/A5", "agent/A7", "agent/I1", "threat/T24", "input/B79")
@pytest.mark.parametrize(
    ("more", "problem"),
    [
        *[({"name": name}, NAME) for name in ("ab", "Refund", "re-fund", "re.fund", "환불하기", "1abc", "abc\n")],
        ({"name": "a" * 65}, NAME),
        ({"description": "  "}, "it has no description; say what it does and when to use it"),
        ({"parameters": {"type": "array"}}, "its arguments are no JSON object; give it a model with fields"),
        *[
            ({"parameters": _object(**{name: {}})}, IDENTITY.format(f"/{name}"))
            for name in ("userId", "user_id", "USER-ID", "Tenant.Id", "actor", "idempotency_key", "\uff55ser\uff29d")
        ],
        ({"parameters": _object(order=_object(employeeNo={}))}, IDENTITY.format("/order/employeeNo")),
        (
            {"parameters": {"type": "object", "$defs": {"Who": _object(tenantId={})}}},
            IDENTITY.format("/tenantId"),
        ),
        ({"parameters": _object(lines={"items": {"anyOf": [_object(roles={})]}})}, IDENTITY.format("/lines/roles")),
        (
            {"effect": Effect.WRITE},
            "it writes and has no key(); return what makes the request the same request, such as the order's id",
        ),
        ({"timeout_seconds": 0}, "timeout_seconds must be above 0"),
        ({"timeout_seconds": float("inf")}, "timeout_seconds must be above 0"),
        ({"max_result_bytes": 0}, "max_result_bytes must be above 0"),
        ({"audited": frozenset({"order"})}, "audited names order, which is none of its arguments"),
    ],
)  # fmt: skip
def test_a_tool_that_cannot_be_offered_safely_is_refused_with_what_to_do(more: dict[str, Any], problem: str) -> None:
    definition = _definition(**more)
    with pytest.raises(RegistrationError) as refused:
        check_definition(definition)
    assert str(refused.value) == f"tool {definition.name!r}: {problem}"


@pytest.mark.req("agent/A7")
def test_values_and_words_that_look_like_identities_are_no_arguments() -> None:
    kind = {"enum": ["user_id", "tenant"], "default": {"properties": {"user": 1}}, "description": "The user."}
    parameters = _object(kind=kind, users={"type": "integer"})
    assert list(identity_fields(parameters)) == []
    check_definition(_definition(parameters=parameters))


@pytest.mark.req("agent/R2")
def test_the_digest_is_of_what_is_shown_and_of_nothing_else() -> None:
    one = _definition(timeout_seconds=3.0)
    assert one.digest == _definition().digest
    others = [
        _definition(name="b_tool"),
        _definition(description="Other."),
        _definition(parameters=_object(a={})),
        _definition(effect=Effect.WRITE),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 5
    reordered = _definition(parameters={"properties": {}, "type": "object"})
    assert reordered.digest == one.digest


@pytest.mark.req("agent/A5")
async def test_a_registry_offers_what_its_map_says_and_each_tool_once() -> None:
    observer = RecordingObserver()
    search, refund = reader(), Probe()
    registry = ToolRegistry[Cap, FakeActor]({Cap.SEARCH: [search], Cap.REFUND: [refund, search]}, observer)
    assert await registry.tools(frozenset()) == {}
    assert await registry.tools({Cap.SEARCH}) == {"search_orders": search}
    assert list(await registry.tools({Cap.REFUND, Cap.SEARCH})) == ["search_orders", "refund_order"]
    for _ in range(3):
        assert await registry.tools({Cap.DREAM}) == {}
    assert observer.notes == [(Noted.UNMAPPED, {"capability": "dream"})]
    assert await registry.known("refund_order") is refund
    assert await registry.known("nothing") is None


@pytest.mark.req("agent/A5")
@pytest.mark.parametrize(
    "tools",
    [lambda: ToolRegistry({Cap.SEARCH: [reader()], Cap.REFUND: [reader()]}), lambda: FixedTools(reader(), reader())],
)
def test_two_tools_with_one_name_are_refused(tools: Any) -> None:
    with pytest.raises(RegistrationError) as refused:
        tools()
    assert str(refused.value) == (
        "tool 'search_orders': two tools have this name; rename one, or put one object under both"
    )


@pytest.mark.req("agent/A5", "agent/I1")
def test_a_registry_checks_each_tool() -> None:
    nameless = reader("Bad Name")
    with pytest.raises(RegistrationError):
        ToolRegistry({Cap.SEARCH: [nameless]})


@pytest.mark.req("agent/A12")
async def test_the_small_case_takes_read_only_tools_and_refuses_writes() -> None:
    search = reader()
    tools = FixedTools[FakeActor](search)
    assert await tools.tools(frozenset()) == {"search_orders": search}
    assert await tools.known("search_orders") is search
    with pytest.raises(RegistrationError) as refused:
        FixedTools(Probe())
    assert str(refused.value) == "tool 'refund_order': it writes, so it needs a capability: use a ToolRegistry"
