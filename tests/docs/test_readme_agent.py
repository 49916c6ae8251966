"""The tool in the README that an assistant calls is one: it registers, waits for a person by default, and runs."""

import re
from dataclasses import dataclass
from typing import Any

from axhub.agent import CallContext, Effect, EveryWriteNeedsApproval, ToolRegistry
from axhub.agent.testing import FakeActor
from support import tree


@dataclass
class Done:
    id: str
    status: str


class RefundOrder:
    async def execute(self, actor: FakeActor, order_id: str) -> Done:
        return Done(order_id, f"REFUNDED for {actor.user_id}")

    async def outcome(self, _actor: FakeActor, order_id: str) -> Done | None:
        return Done(order_id, "REFUNDED") if order_id == "ORD-100" else None


async def test_the_tool_of_the_readme_for_assistants_works() -> None:
    readme = (tree.ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- agent:start[^>]*-->\n```python\n(.*?)```\n<!-- agent:end -->", readme, re.DOTALL)
    assert block is not None
    defined: dict[str, Any] = {"Customer": FakeActor, "RefundOrder": RefundOrder}
    exec(compile(block[1], "README.md", "exec"), defined)
    tool = defined["RefundTool"](RefundOrder())
    assert set(await ToolRegistry({"refund": [tool]}).tools({"refund"})) == {"refund_order"}
    assert tool.definition.effect is Effect.WRITE
    assert EveryWriteNeedsApproval().needs_approval(tool.definition, {}, FakeActor())
    args = tool.read({"order_id": "ORD-100"})
    context = CallContext(FakeActor("minji"), "run", "call", None, "", 10.0)
    assert tool.key_of(args, context) == "ORD-100"
    assert await tool.call(args, context) == '{"order_id":"ORD-100","status":"REFUNDED for minji"}'
    assert await tool.outcome(args, context) == '{"order_id":"ORD-100","status":"REFUNDED"}'
    assert await tool.outcome(tool.read({"order_id": "ORD-101"}), context) is None
