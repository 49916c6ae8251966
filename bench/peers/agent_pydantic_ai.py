"""Pydantic AI's own loop; the messages of a turn as JSON in one transaction, with nothing between it and SQLite.

Runs in an environment of its own (bench/requirements/). Nothing else is stored, and no thread is changed: the least
that keeps a conversation.
"""

import json
import sqlite3
import sys
import uuid
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from bench.peers.agent_desk import ARGUMENT, DESCRIPTION, INSTRUCTIONS, PRAGMAS, TOOL, Script, rows, serve_agent, view

pydantic: Any = import_module("pydantic")
pydantic_ai: Any = import_module("pydantic_ai")
messages: Any = import_module("pydantic_ai.messages")
function: Any = import_module("pydantic_ai.models.function")

TABLE = (
    "CREATE TABLE IF NOT EXISTS turn (conversation TEXT, seq INTEGER, messages TEXT, PRIMARY KEY (conversation, seq))"
)


class OrderView(pydantic.BaseModel):  # type: ignore[misc]  # its package is in the peer's environment only
    order_id: str
    state: str
    items: int
    total: int


async def search_orders(order_id: Annotated[str, pydantic.Field(description=ARGUMENT)]) -> OrderView:
    return OrderView(**view(order_id))


class Model:
    """Follows the script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._calls = 0

    async def __call__(self, said: list[Any], _info: Any) -> Any:
        last = said[-1].parts[-1]
        if isinstance(last, messages.ToolReturnPart):
            return messages.ModelResponse([messages.TextPart(self._script.answer(last.model_response_str()))])
        people = sum(isinstance(part, messages.UserPromptPart) for one in said for part in one.parts)
        self._calls += 1
        wanted = json.dumps(self._script.wanted(last.content, people))
        return messages.ModelResponse([messages.ToolCallPart(TOOL, wanted, f"call-{self._calls}")])


class PydanticAi:
    """See `System`."""

    def __init__(self, script: Script) -> None:
        tool = pydantic_ai.Tool(search_orders, name=TOOL, description=DESCRIPTION)
        model = function.FunctionModel(Model(script))
        self._agent = pydantic_ai.Agent(model, instructions=INSTRUCTIONS, tools=[tool])
        self._connection = sqlite3.connect(":memory:")

    async def open(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for one in (*(f"PRAGMA {pragma}" for pragma in PRAGMAS), TABLE):
            self._connection.execute(one)

    async def close(self) -> None:
        self._connection.close()

    async def ask(self, conversation: str | None, text: str) -> tuple[str, str]:
        id_ = conversation or uuid.uuid4().hex
        history: list[Any] = []
        seq = 0
        if conversation is not None:
            query = "SELECT messages FROM turn WHERE conversation = ? ORDER BY seq"
            stored = self._connection.execute(query, (id_,)).fetchall()
            seq = len(stored)
            joined = "[" + ",".join(one[1:-1] for (one,) in stored) + "]"
            history = messages.ModelMessagesTypeAdapter.validate_json(joined)
        result = await self._agent.run(text, message_history=history)
        self._connection.execute("BEGIN IMMEDIATE")
        new = result.new_messages_json().decode()
        self._connection.execute("INSERT INTO turn VALUES (?, ?, ?)", (id_, seq, new))
        self._connection.execute("COMMIT")
        return id_, result.output

    def stored(self, path: Path, conversation: str) -> Any:
        found = rows(path, "SELECT messages FROM turn WHERE conversation = ? ORDER BY seq", conversation)
        return [_plain(part) for (text,) in found for one in json.loads(text) for part in one["parts"]]


def _plain(part: dict[str, Any]) -> list[Any]:
    if part["part_kind"] == "tool-call":
        return ["call", part["tool_name"], json.loads(part["args"])]
    kind = {"user-prompt": "user", "tool-return": "result", "text": "assistant"}[part["part_kind"]]
    return [kind, part["content"]]


if __name__ == "__main__":
    own = Script()
    serve_agent(PydanticAi(own), own)
