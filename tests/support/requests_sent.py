"""What a request for a turn tells the model, read from either wire into one form."""

import json
from collections.abc import Iterator
from typing import Any

Said = tuple[Any, ...]
"""`("user", text)`, `("assistant", text, [(id, name, arguments)])` or `("result", id, text)`."""


def system_of(body: dict[str, Any]) -> str:
    """Return the instructions."""
    if "system" in body:
        return _text(body["system"])
    return _text(body["messages"][0]["content"])


def conversation_of(body: dict[str, Any]) -> list[Said]:
    """Return the conversation; results that stand in one message come one by one."""
    return [said for message in body["messages"] for said in _said(message)]


def failed_results_of(body: dict[str, Any]) -> list[str]:
    """Return the ids of results that are marked as errors; one wire has no such mark."""
    blocks = [block for message in body["messages"] for block in _blocks(message["content"])]
    return [block["tool_use_id"] for block in blocks if block.get("is_error")]


def tools_of(body: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Return names, descriptions and schemas."""
    tools = [tool.get("function", tool) for tool in body.get("tools", ())]
    return [(tool["name"], tool["description"], tool.get("parameters", tool.get("input_schema"))) for tool in tools]


def forced_of(body: dict[str, Any]) -> str | None:
    """Return the tool that must be called."""
    choice = body.get("tool_choice")
    if not isinstance(choice, dict) or choice.get("type") == "auto":
        return None
    name: str = choice["function"]["name"] if "function" in choice else choice["name"]
    return name


def _said(message: dict[str, Any]) -> Iterator[Said]:
    blocks = _blocks(message["content"])
    if message["role"] == "tool":
        yield ("result", message["tool_call_id"], _text(message["content"]))
    elif message["role"] == "assistant":
        calls = [(one["id"], one["name"], one["input"]) for one in blocks if one["type"] == "tool_use"]
        calls += [
            (one["id"], one["function"]["name"], json.loads(one["function"]["arguments"]))
            for one in message.get("tool_calls", ())
        ]
        yield ("assistant", _text(message["content"]), calls)
    elif message["role"] == "user":
        for block in blocks:
            is_result = block["type"] == "tool_result"
            yield ("result", block["tool_use_id"], _text(block["content"])) if is_result else ("user", block["text"])


def _blocks(content: Any) -> list[dict[str, Any]]:
    if content is None:
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(content: Any) -> str:
    return "".join(block["text"] for block in _blocks(content) if block["type"] == "text")
