"""Results of an MCP server as text for a model: what is no text is named, not sent (agent/L5, agent/L7)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    TextContent,
    TextResourceContents,
)

from axhub.agent.domain.canonical import NotCanonicalError, canonical

__all__ = ["Answer", "read_result"]

_LEFT_OUT: Final = "[left out: {}]"
_WRAPPING: Final = "result"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered to a call."""

    text: str
    is_error: bool = False
    wants_input: bool = False
    """It would go on only if a person were asked for more."""


def read_result(result: CallToolResult | InputRequiredResult) -> Answer:
    """Return a result as text.

    Text blocks come as they are. Structured content is added where no text says the same already.
    """
    if isinstance(result, InputRequiredResult):
        return Answer("", wants_input=True)
    parts = [_text_of(block) for block in result.content]
    parts += _structured(result, parts)
    return Answer("\n".join(parts), is_error=bool(result.is_error))


def _text_of(block: ContentBlock) -> str:
    match block:
        case TextContent(text=text):
            return text
        case EmbeddedResource(resource=TextResourceContents(text=text)):
            return text
        case ImageContent():
            return _LEFT_OUT.format("an image")
        case AudioContent():
            return _LEFT_OUT.format("a sound")
        case EmbeddedResource():
            return _LEFT_OUT.format("a file")
        case _:
            return _LEFT_OUT.format("a link")


def _structured(result: CallToolResult, parts: list[str]) -> Iterator[str]:
    """Yield the structured content as JSON, unless one of the texts says the same."""
    structured = result.structured_content
    if structured is None:
        return
    try:
        text = canonical(structured)
        same = {text, *_unwrapped(structured)}
    except NotCanonicalError:
        yield _LEFT_OUT.format("a structure that is no JSON")
        return
    if same.isdisjoint(parts) and same.isdisjoint(map(_canonical_of, parts)):
        yield text


def _unwrapped(structured: Any) -> Iterator[str]:
    """Yield the value inside `{"result": …}`, which servers put around a value that is no object."""
    if isinstance(structured, dict) and structured.keys() == {_WRAPPING}:
        value = structured[_WRAPPING]
        yield value if isinstance(value, str) else canonical(value)


def _canonical_of(text: str) -> str | None:
    try:
        value: Any = json.loads(text)
        return canonical(value)
    except (ValueError, RecursionError):
        return None
