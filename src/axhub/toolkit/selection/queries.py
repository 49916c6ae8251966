"""What is measured: tools as they describe themselves, and queries with the tool that they are meant for."""

from dataclasses import dataclass

from axhub.toolkit.facts.source import Place

__all__ = ["Asked", "Described"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One query with its tool."""

    query: str
    tool: str
    """The name of the tool that should be chosen."""
    place: Place
    number: int = 0
    """Of an example query: which of its definition it is, from 1; 0: it stands in a file of its own."""


@dataclass(frozen=True, slots=True)
class Described:
    """One tool with what it is chosen by. Example queries are no part of that: none is ranked against itself."""

    name: str
    title: str
    text: str
    """Everything that says what the tool is for, its title included."""
