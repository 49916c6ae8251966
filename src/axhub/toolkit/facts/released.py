"""What a service has released, as rules look at it: names, versions and places in its lock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from axhub.toolkit.facts.source import Place

__all__ = ["Released", "Unreadable"]


class Unreadable(NamedTuple):
    """Why a lock cannot be used, and what to do, in both languages."""

    en: str
    ko: str


@dataclass(frozen=True, slots=True)
class Released:
    """The lock of a service."""

    path: str
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of the tools that callers were promised, by authored name."""
    retired: Mapping[str, str] = field(default_factory=dict)
    """Why tools are gone that callers were promised once, by authored name."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """Where the entry of each stands."""
    problem: Unreadable | None = None

    def place(self, name: str) -> Place:
        """Return where a tool's entry stands."""
        return self.places.get(name, Place(self.path, 1, 1))
