"""Which systems the tools of an installed package call, read in its source as the check reads it (rule/TK615).

A start knows which clients a tool may reach; which of them it calls, only its code says. It is read only where that
decides something, since reading it takes longer than the rest of a start.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.facts.following import HTTP, MCI, Package
from axhub.toolkit.facts.service import Project

__all__ = ["Called", "System"]

_WIRES: Final = (HTTP, MCI)


class System(NamedTuple):
    """One that a tool calls."""

    constant: str
    """The attribute of a client that has its name: `API_NAME` or `SYSTEM`."""
    name: str

    def __str__(self) -> str:
        return f"{'API' if self.constant == HTTP.constant else 'MCI'} {self.name}"


class Called:
    """The calls of one package."""

    def __init__(self, package: str, folder: Path) -> None:
        """Take the package's dotted name and its folder; nothing is read yet."""
        self._package = package
        self._folder = folder

    def by(self, tool: str) -> tuple[System, ...]:
        """Return what a tool calls, by its authored name; nothing where its source does not say it."""
        return self._all.get(tool, ())

    @cached_property
    def _all(self) -> Mapping[str, tuple[System, ...]]:
        root = self._folder.parents[self._package.count(".")]
        facts = gather(
            ToolProject(root, self._package, Project(self._package, self._folder.relative_to(root).as_posix()))
        )
        package = Package(facts)
        return {
            declared.name: tuple(
                System(wire.constant, name) for wire in _WIRES for name in package.named_by(declared, wire)
            )
            for declared in facts.declared
            if declared.name is not None
        }
