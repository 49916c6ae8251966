"""Adds an API or MCI system to a service's configuration as text, so that comments and order stay (toolkit/T5)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from axhub.toolkit.check.report import Language

__all__ = ["KEYS", "MCI_KEYS", "add_api", "api_in", "language_in", "prefix_in"]

KEYS: Final = ("glow", "communication", "http", "api-list")
"""Where the APIs stand."""
MCI_KEYS: Final = ("glow", "communication", "mci", "system-list")
"""Where the MCI systems stand."""
_STEP: Final = 2


def api_in(text: str, name: str, keys: tuple[str, ...] = KEYS) -> Mapping[str, Any] | None:
    """Return the entry of an API as the configuration has it; None without one, or where the text is no YAML."""
    named = (entry for entry in _entries(_parsed(text), keys) if isinstance(entry, dict) and entry.get("name") == name)
    return next(named, None)


def language_in(text: str) -> Language | None:
    """Return the language that a service's configuration says; None where it says none that there is."""
    document = _parsed(text)
    said = document.get("language") if isinstance(document, dict) else None
    return "ko" if said == "ko" else "en" if said == "en" else None


def prefix_in(text: str, system: str) -> int:
    """Return how many bytes the length has that a system writes before its telegrams; 0 where it is in the header."""
    entry = api_in(text, system, MCI_KEYS) or {}
    field = entry.get("lengthField")
    size = field.get("size") if isinstance(field, dict) and field.get("place") == "prefix" else None
    return size if isinstance(size, int) else 0


def add_api(text: str, entry: str, keys: tuple[str, ...] = KEYS) -> tuple[str, int] | None:
    """Return the configuration with one more API or system, and the line where it begins.

    None where a person must add it: if the text is no YAML, or what the entry belongs into is written in braces or
    brackets. Added lines end as those that are there.

    Args:
        text: the configuration as it stands.
        entry: the entry as YAML from its `- ` on, not indented.
        keys: of the list that it belongs to.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    lines = text.splitlines(keepends=True)
    place = (len(lines), 0, keys) if root is None else _place(root, keys)
    if place is None:
        return None
    after, column, missing = place
    end = _line_end(lines)
    added = [line.removesuffix("\n") + end for line in _indented(_nested(missing, entry), column)]
    if after and not lines[after - 1].endswith("\n"):
        lines[after - 1] += end
    changed = "".join((*lines[:after], end, *added, *lines[after:]))
    return (changed, after + 2) if _only_adds(text, changed, entry, keys) else None


def _line_end(lines: list[str]) -> str:
    return "\r\n" if lines and lines[0].endswith("\r\n") else "\n"


def _place(node: yaml.Node, keys: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]] | None:
    """Return after how many lines to insert, at which column, and the keys that are missing yet."""
    if not keys:
        return _end_of(node) if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value else None
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return None
    for key, value in node.value:
        if key.value == keys[0]:
            return _place(value, keys[1:])
    after, column, _ = _end_of(node)
    return after, column, keys


def _end_of(node: yaml.Node) -> tuple[int, int, tuple[str, ...]]:
    return max(_last_lines(node)), node.start_mark.column, ()


def _last_lines(node: yaml.Node) -> Iterator[int]:
    """Yield the line, counted from 1, on which each leaf ends; blank lines and comments after it are not its own."""
    if isinstance(node, yaml.ScalarNode) or (isinstance(node, yaml.CollectionNode) and node.flow_style):
        yield node.end_mark.line + (1 if node.end_mark.column else 0)
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _last_lines(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _last_lines(value)


def _nested(keys: tuple[str, ...], entry: str) -> list[str]:
    """Return the entry below those keys, as lines."""
    heads = [" " * (_STEP * depth) + f"{key}:\n" for depth, key in enumerate(keys)]
    return [*heads, *_indented(entry.splitlines(keepends=True), _STEP * len(keys))]


def _indented(lines: list[str], column: int) -> list[str]:
    return [" " * column + line for line in lines]


def _only_adds(before: str, after: str, entry: str, keys: tuple[str, ...]) -> bool:
    """Say whether the change means what it should: the same configuration with one more entry."""
    old, new = _parsed(before) or {}, _parsed(after)
    expected = [*_entries(old, keys), *yaml.safe_load(entry)]
    return _entries(new, keys) == expected and _without(old, keys) == _without(new, keys)


def _parsed(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _entries(document: Any, keys: tuple[str, ...]) -> list[Any]:
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, list) else []


def _without(document: Any, keys: tuple[str, ...]) -> Any:
    """Return the document without those entries and without what only they had made necessary."""
    if not isinstance(document, dict) or not keys:
        return None
    inner = _without(document.get(keys[0]), keys[1:])
    rest = {key: value for key, value in document.items() if key != keys[0]}
    return {**rest, keys[0]: inner} if inner else rest or None
