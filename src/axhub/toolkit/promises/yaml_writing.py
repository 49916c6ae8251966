"""JSON values as YAML that people would write: a line for each key, short lists in brackets, quotes where needed."""

import json
from collections.abc import Iterator
from typing import Any, Final

from axhub.toolkit.rules.telling.authored import yaml_text

__all__ = ["block_lines", "flow_text", "is_short", "key_text", "scalar_text"]

STEP: Final = 2
_MAX_LIST: Final = 100
"""Characters of a list in brackets."""


def scalar_text(value: Any, before: str = "") -> str:
    """Write a text, number, boolean or null.

    Args:
        value: what to write.
        before: what stood there, whose quotes are kept.
    """
    if not isinstance(value, str):
        return json.dumps(value)
    if before.startswith("'") and "\n" not in value and value.isprintable():
        return "'{}'".format(value.replace("'", "''"))
    plain = yaml_text(value)
    if before.startswith('"') or plain.startswith('"') or not value.isprintable():
        return f'"{"".join(map(_escaped, value))}"'
    return plain


def key_text(name: str) -> str:
    """Write a key."""
    return scalar_text(name)


def flow_text(value: Any) -> str:
    """Write a value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text(name)}: {flow_text(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    return scalar_text(value)


def is_short(value: Any) -> bool:
    """Say whether a value belongs behind its key on the same line."""
    if isinstance(value, dict):
        return not value
    if isinstance(value, list):
        return not any(isinstance(one, dict | list) for one in value) and len(flow_text(value)) <= _MAX_LIST
    return True


def block_lines(value: Any, column: int) -> Iterator[str]:
    """Yield the lines of a value that is not short, each with its indent.

    Args:
        value: a group of keys or a list, not empty.
        column: where the keys or the dashes stand.
    """
    indent = " " * column
    if isinstance(value, dict):
        for name, one in value.items():
            yield from member_lines(name, one, column)
        return
    for one in value:
        if is_short(one):
            yield f"{indent}- {flow_text(one)}"
            continue
        lines = list(block_lines(one, column + STEP))
        yield f"{indent}- {lines[0].lstrip()}"
        yield from lines[1:]


def member_lines(name: str, value: Any, column: int) -> Iterator[str]:
    """Yield the lines of a key with its value."""
    indent = " " * column
    if is_short(value):
        yield f"{indent}{key_text(name)}: {flow_text(value)}"
    else:
        yield f"{indent}{key_text(name)}:"
        yield from block_lines(value, column + STEP)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character)
    if named is not None:
        return named
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - the sizes of YAML's own escapes
