"""A conversation as the model reads it: ChatML, with examples of all that it may write.

What a model of this size writes hangs on its examples, the last of them most. With none it calls the first tool,
whatever is said; with calls alone it calls until it is stopped; with an answer as the last it hardly calls. They are
the same in each prompt: what the model has read once it need not read again.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tools.small_model.choices import ANSWER, ARGUMENTS, TOOL, names_of

__all__ = ["prompt_of"]

_MARK: Final = "<|"
_RESULT: Final = "Result: {}\nAnswer me."
_RANDOM: Final = re.compile(r"(</?data-)[0-9a-f]{16,}>")
"""What stands around results, with an id of its own in each request: left out, or no two prompts would begin alike."""
_SYSTEM: Final = frozenset({"developer", "system"})

Turn = tuple[str, str]
"""Who says something, and what."""


def prompt_of(body: Mapping[str, Any]) -> str:
    """Return the prompt of a request for chat completions, up to where the model goes on."""
    names, _ = names_of(body)
    tools = [tool["function"] for tool in body.get("tools") or () if tool["function"]["name"] in names]
    messages: Sequence[Mapping[str, Any]] = body["messages"]
    instructions = "\n".join(_content(one) for one in messages if one["role"] in _SYSTEM)
    spoken = [turn for one in messages if one["role"] not in _SYSTEM for turn in _turns(one)]
    turns = [("system", _instructed(instructions, tools)), *_examples(tools), *spoken]
    return "".join(_marked(role, text) for role, text in turns) + f"{_MARK}im_start|>assistant\n"


def _instructed(text: str, tools: Sequence[Mapping[str, Any]]) -> str:
    if not tools:
        return text
    return "\n".join([text, "Tools:", *(f"- {tool['name']}: {tool.get('description', '')}" for tool in tools)])


def _examples(tools: Sequence[Mapping[str, Any]]) -> Iterator[Turn]:
    """Yield what is said to a result, and to a greeting; and how each tool is asked for, and its call begins."""
    yield from (("user", _RESULT.format("done")), ("assistant", _json({ANSWER: "That is done."})))
    yield from (("user", "Hello"), ("assistant", _json({ANSWER: "How can I help you?"})))
    for tool in tools:
        yield from (("user", tool["name"].replace("_", " ")), ("assistant", f'{{"{TOOL}": "{tool["name"]}"'))


def _turns(message: Mapping[str, Any]) -> Iterator[Turn]:
    """Yield a message in the form that the model writes its own in."""
    text = _content(message)
    if message["role"] != "assistant":
        yield "user", _RESULT.format(_RANDOM.sub(r"\1ID>", text)) if message["role"] == "tool" else text
        return
    if text:
        yield "assistant", _json({ANSWER: text})
    for call in message.get("tool_calls") or ():
        yield "assistant", _json({TOOL: call["function"]["name"], ARGUMENTS: _read(call["function"]["arguments"])})


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _marked(role: str, text: str) -> str:
    """Return one turn; nobody can write the marks that end it."""
    return f"{_MARK}im_start|>{role}\n{text.replace(_MARK, '< |')}{_MARK}im_end|>\n"
