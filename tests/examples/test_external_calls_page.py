"""The test that the page about calls to other systems shows runs as it stands there (agent/I5)."""

import inspect
import re
from typing import Any

import pytest

from order_service.domain.payout import PayoutState
from order_service.ports import payments
from support import tree


@pytest.mark.req("agent/I5")
async def test_the_test_of_the_page_passes() -> None:
    page = (tree.ROOT / "docs" / "howto" / "external-calls.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    defined: dict[str, Any] = {}
    exec(compile(block, "external-calls.md", "exec"), defined)
    tests = [one for name, one in defined.items() if name.startswith("test_") and inspect.iscoroutinefunction(one)]
    for test in tests:
        await test()
    assert len(tests) == 1


@pytest.mark.req("agent/I5")
def test_the_states_and_values_that_the_page_names_are_those_of_the_code() -> None:
    page = (tree.ROOT / "docs" / "howto" / "external-calls.md").read_text(encoding="utf-8")
    assert [state for state in PayoutState if state.value not in page] == []
    values = {one.__name__ for one in (*payments.Sent.__args__, *payments.Asked.__args__)}
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == values
