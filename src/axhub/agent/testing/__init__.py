"""For the tests of applications with an agent: a model by script, a fixed world, and a check of their layers.

```python
turns = ScriptedTurns(calls(call("search_orders", order_id="ORD-1")), "It is on its way.")
store = MemoryRunStore(MemoryData())
agent = build_agent(turns=turns, sources=[registry], resolve=resolve, store=store, settings=settings, effects=fixed())
outcome = await agent.ask(AskRequest(agent="support", message="Where is it?", actor=FakeActor()))
```
"""

from axhub.agent.adapters.memory import (
    MemoryAuditTrail,
    MemoryData,
    MemoryOnce,
    MemoryOutbox,
    MemoryRetention,
    MemoryRunStore,
)
from axhub.agent.testing.layers import assert_layers
from axhub.agent.testing.results import unmarked
from axhub.agent.testing.tools import ScriptedTools
from axhub.agent.testing.turns import ScriptedTurns, call, calls
from axhub.agent.testing.world import FakeActor, FixedClock, NumberedIds, RecordingObserver, fixed

__all__ = [
    "FakeActor",
    "FixedClock",
    "MemoryAuditTrail",
    "MemoryData",
    "MemoryOnce",
    "MemoryOutbox",
    "MemoryRetention",
    "MemoryRunStore",
    "NumberedIds",
    "RecordingObserver",
    "ScriptedTools",
    "ScriptedTurns",
    "assert_layers",
    "call",
    "calls",
    "fixed",
    "unmarked",
]
