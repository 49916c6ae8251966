"""How tools and answers look on a terminal: plain values in, lines out.

Everything shown came from a server, so it passes `safe_text` or `one_line`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from axhub.cli.tables import Column, bold, one_line, safe_text, table
from axhub.contract.jsontext import JsonTextError, check_text

_COLUMNS: Final = (Column("NAME", 64), Column("TITLE", 10), Column("ARGUMENTS", 10), Column("WHAT IT DOES", 10))
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")


def tool_lines(tools: Sequence[Mapping[str, Any]], limit: int | None, colour: bool) -> list[str]:
    """Return the table of tools as `tools/list` describes them; none give no lines."""
    if not tools:
        return []
    rows = [
        (tool["name"], tool.get("title", ""), arguments(tool["inputSchema"]), tool.get("description", ""))
        for tool in tools
    ]
    head, *rest = table(_COLUMNS, rows, limit)
    return [bold(head, colour), *rest]


def arguments(schema: Mapping[str, Any]) -> str:
    """Return the names of a tool's arguments, the required ones first, the optional ones with a question mark."""
    properties = schema.get("properties")
    names = list(properties) if isinstance(properties, Mapping) else []
    required = schema.get("required")
    needed = [name for name in names if isinstance(required, list) and name in required]
    return ", ".join([*needed, *(f"{name}?" for name in names if name not in needed)])


def summary(count: int, server: tuple[str, str] | None, protocol: str) -> str:
    """Return the line under the table: how many, who answered, at which protocol revision."""
    who = one_line(" ".join(server)) if server else "a server that gives no name"
    tools = "no tools" if count == 0 else f"{count} tool{'' if count == 1 else 's'}"
    return f"{tools} at {who}, MCP {protocol}"


def text_of(content: Sequence[Mapping[str, Any]]) -> str:
    """Return the text blocks of a result, one after the other: what a model reads."""
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def answer(content: Sequence[Mapping[str, Any]]) -> str:
    """Return a result for a person: JSON indented with its characters readable, other blocks named."""
    return "\n".join(_block(block) for block in content)


def server_error(code: int | None, message: str) -> str:
    """Return the sentence for an error that the server itself answered."""
    return message if code is None else f"the server refused: {message} (code {code})"


def _block(block: Mapping[str, Any]) -> str:
    if block["type"] != "text":
        detail = one_line(str(block.get("mimeType") or block.get("uri") or ""))
        return f"[{one_line(block['type'])}{' ' + detail if detail else ''}: shown by --json]"
    return safe_text(readable(block["text"]))


def readable(text: str) -> str:
    """Indent `text` if it is a JSON object or array, numbers as they were written; other text stays."""
    if not text.startswith(("{", "[")):
        return text
    try:
        raw = text.encode()
        check_text(raw)
        return _ESCAPE.sub(_unescaped, msgspec.json.format(raw, indent=2).decode())
    except (JsonTextError, UnicodeEncodeError, msgspec.DecodeError, RecursionError):
        return text


def _unescaped(match: re.Match[str]) -> str:
    escape = match[0]
    if not escape.startswith("\\u"):
        return escape
    character: str = json.loads(f'"{escape}"')
    return character if character.isprintable() and character not in '"\\' else escape
