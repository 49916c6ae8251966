"""LangChain's agent with LangGraph's saver on SQLite, as its documentation sets it up.

Runs in an environment of its own (bench/requirements/). It is called without asyncio, and so is its saver: a turn costs
the same then in a conversation of its own, and less in a known one.
"""

import json
import sys
import uuid
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from bench.peers.agent_desk import ARGUMENT, DESCRIPTION, INSTRUCTIONS, PRAGMAS, TOOL, Script, serve_agent, view

pydantic: Any = import_module("pydantic")
agents: Any = import_module("langchain.agents")
models: Any = import_module("langchain_core.language_models")
messages: Any = import_module("langchain_core.messages")
outputs: Any = import_module("langchain_core.outputs")
tools: Any = import_module("langchain_core.tools")
saver: Any = import_module("langgraph.checkpoint.sqlite")


def search_orders(order_id: Annotated[str, pydantic.Field(description=ARGUMENT)]) -> str:
    return json.dumps(view(order_id))


class Model(models.BaseChatModel):  # type: ignore[misc]  # its package is in the peer's environment only
    """Follows the script."""

    script: Any
    calls: int = 0

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, _tools: Any, **_options: Any) -> Any:
        return self

    def _generate(self, said: list[Any], *_args: Any, **_options: Any) -> Any:
        last = said[-1]
        if isinstance(last, messages.ToolMessage):
            message = messages.AIMessage(self.script.answer(last.content))
        else:
            people = sum(isinstance(one, messages.HumanMessage) for one in said)
            self.calls += 1
            wanted = self.script.wanted(last.content, people)
            call = {"name": TOOL, "args": wanted, "id": f"call-{self.calls}", "type": "tool_call"}
            message = messages.AIMessage("", tool_calls=[call])
        return outputs.ChatResult(generations=[outputs.ChatGeneration(message=message)])


class LangChain:
    """See `System`."""

    def __init__(self, script: Script) -> None:
        self._model = Model(script=script)
        self._tool = tools.StructuredTool.from_function(search_orders, name=TOOL, description=DESCRIPTION)
        self._opened: Any = None
        self._agent: Any = None

    async def open(self, path: Path) -> None:
        self._opened = saver.SqliteSaver.from_conn_string(str(path))
        checkpoints = self._opened.__enter__()
        for pragma in PRAGMAS:
            checkpoints.conn.execute(f"PRAGMA {pragma}")
        checkpoints.setup()
        self._agent = agents.create_agent(
            self._model, [self._tool], system_prompt=INSTRUCTIONS, checkpointer=checkpoints
        )

    async def close(self) -> None:
        self._opened.__exit__(None, None, None)

    async def ask(self, conversation: str | None, text: str) -> tuple[str, str]:
        id_ = conversation or uuid.uuid4().hex
        given = {"messages": [{"role": "user", "content": text}]}
        result = self._agent.invoke(given, {"configurable": {"thread_id": id_}})
        return id_, result["messages"][-1].content

    def stored(self, path: Path, conversation: str) -> Any:
        with saver.SqliteSaver.from_conn_string(str(path)) as checkpoints:
            found = checkpoints.get_tuple({"configurable": {"thread_id": conversation}})
        return [_plain(one) for one in found.checkpoint["channel_values"]["messages"]]


def _plain(one: Any) -> list[Any]:
    if isinstance(one, messages.HumanMessage):
        return ["user", one.content]
    if isinstance(one, messages.ToolMessage):
        return ["result", json.loads(one.content)]
    if one.tool_calls:
        return ["call", one.tool_calls[0]["name"], one.tool_calls[0]["args"]]
    return ["assistant", one.content]


if __name__ == "__main__":
    own = Script()
    serve_agent(LangChain(own), own)
