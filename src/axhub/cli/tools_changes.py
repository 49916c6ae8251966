"""What became of a list of tools between two looks at it: compared by name, and as lines for people."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from axhub.cli.tables import Column, table

Tool = Mapping[str, Any]
"""A tool as `tools/list` describes it."""

_COLUMNS: Final = (Column("", 8), Column("changed", 7), Column("", 64), Column("", 10))
"""Their titles are not shown; the longest word keeps its column as wide from change to change."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What came, what went, and of what stayed the members that are not as they were; false if nothing changed."""

    came: tuple[Tool, ...] = ()
    went: tuple[Tool, ...] = ()
    changed: tuple[tuple[Tool, tuple[str, ...]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.came or self.went or self.changed)


def compare(before: Sequence[Tool], after: Sequence[Tool]) -> Changes:
    """Return what leads from one list to the other, in the order of the lists."""
    known, now = ({tool["name"]: tool for tool in tools} for tools in (before, after))
    stayed = [(tool, _changed_members(known[name], tool)) for name, tool in now.items() if name in known]
    return Changes(
        came=tuple(tool for name, tool in now.items() if name not in known),
        went=tuple(tool for name, tool in known.items() if name not in now),
        changed=tuple((tool, members) for tool, members in stayed if members),
    )


def change_lines(time: str, changes: Changes, limit: int | None) -> list[str]:
    """Return one line for each tool; `limit` is the width of the terminal."""
    rows = [
        *((time, "new", tool["name"], tool.get("title") or tool.get("description", "")) for tool in changes.came),
        *((time, "gone", tool["name"], "") for tool in changes.went),
        *((time, "changed", tool["name"], ", ".join(members)) for tool, members in changes.changed),
    ]
    return table(_COLUMNS, rows, limit)[1:]


def _changed_members(before: Tool, after: Tool) -> tuple[str, ...]:
    names = [*after, *(name for name in before if name not in after)]
    return tuple(name for name in names if _written(before, name) != _written(after, name))


def _written(tool: Tool, name: str) -> str | None:
    """Return a member as text: Python takes 1, 1.0 and true for the same, JSON does not."""
    return json.dumps(tool[name], sort_keys=True) if name in tool else None
