"""The samples of the page about exposure, approval and authorisation do what it says of them."""

import re
from typing import Any

import pytest

from axhub.agent import ApprovalPolicy, Effect, ToolDefinition
from axhub.agent.domain.definition import check_definition
from axhub.agent.ports.events import Event, Publisher
from axhub.agent.testing import FakeActor
from support import tree

PAGE = (tree.ROOT / "docs" / "howto" / "approvals.md").read_text(encoding="utf-8")
PORTS = tree.ROOT / "src" / "axhub" / "agent"


def sample(name: str) -> dict[str, Any]:
    """Run the block after a comment, and return what it defines."""
    found = re.search(rf"^<!-- {name} -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    defined: dict[str, Any] = {}
    exec(compile(found[1], name, "exec"), defined)
    return defined


def definition(name: str, effect: Effect) -> ToolDefinition:
    made = ToolDefinition(
        name=name,
        description="A tool.",
        parameters={"type": "object", "properties": {}, "additionalProperties": False},
        effect=effect,
        has_key=True,
    )
    check_definition(made)
    return made


@pytest.mark.req("agent/A4")
def test_the_policy_of_exposure_gives_each_actor_what_it_says() -> None:
    page = sample("policy")
    policy, known = page["CapabilityPolicy"](), page["Capability"]
    assert policy.resolve("customer", FakeActor()) == {known.SEARCH, known.REFUND}
    assert policy.resolve("customer", FakeActor(roles=frozenset({"support"}))) == {known.SEARCH}
    assert policy.resolve("another", FakeActor()) == frozenset()


@pytest.mark.req("agent/R0")
@pytest.mark.parametrize(
    ("name", "effect", "arguments", "asked"),
    [
        ("find_items", Effect.READ, {}, False),
        ("refund_item", Effect.WRITE, {"amount_won": 30_000}, False),
        ("refund_item", Effect.WRITE, {"amount_won": 30_001}, True),
        ("refund_item", Effect.WRITE, {}, True),
        ("delete_item", Effect.WRITE, {"amount_won": 1}, True),
    ],
)
def test_the_policy_of_approval_asks_about_what_it_does_not_know(
    name: str, effect: Effect, arguments: dict[str, Any], asked: bool
) -> None:
    policy: ApprovalPolicy[FakeActor] = sample("approval")["SmallRefundsGoThrough"]()
    assert policy.needs_approval(definition(name, effect), arguments, FakeActor()) is asked


class Queue:
    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    async def send(self, group: str, body: str) -> None:
        self.sent.append((group, body))


@pytest.mark.req("agent/I4")
async def test_the_publisher_keeps_the_order_of_an_aggregate_and_names_the_event() -> None:
    queue = Queue()
    publisher: Publisher = sample("publisher")["QueuePublisher"](queue)
    await publisher.publish(Event("e1", "order/1", "order.refunded", {"order_id": "ORD-1"}))
    assert queue.sent == [("order/1", '{"id": "e1", "type": "order.refunded", "order_id": "ORD-1"}')]


def test_every_port_that_the_page_names_is_one() -> None:
    table = PAGE.partition("| port |")[2].partition("\n\n")[0]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    sources = "\n".join(path.read_text(encoding="utf-8") for path in PORTS.rglob("*.py"))
    assert len(named) == 8
    assert [name for name in named if not re.search(rf"^class {name}\(Protocol", sources, re.MULTILINE)] == []
