"""Faults of a configuration, and the one message that lists them all (gateway/C1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final
from unicodedata import combining, east_asian_width

from axhub.contract.errors import AxhubError

WIDTH: Final = 100
"""Columns of the message; a longer fault is broken at `found` and `allowed`."""
_EXCERPT: Final = 80


class Where(IntEnum):
    """What kind of place a fault stands in; also the order in which faults are listed."""

    FILE = 0
    MANIFEST = 1
    """A manifest in a file that the configuration names."""
    ENVIRONMENT = 2
    COMMAND_LINE = 3


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a value was written. The column tells more and counts for nothing when places are compared or shown."""

    where: Where
    source: str
    """The file as the operator typed it, the name of the variable, or the flag."""
    line: int = 0
    """Counted from 1; 0: no line can be named."""
    column: int = field(default=0, compare=False)
    """In characters, counted from 1; 0: no column can be named."""

    def __str__(self) -> str:
        if self.where is Where.ENVIRONMENT:
            return f"environment {self.source}"
        if self.where is Where.COMMAND_LINE:
            return f"command line {self.source}"
        return f"{self.source}:{self.line}" if self.line else self.source


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong, in the operator's words. Ordered by file and line."""

    place: Place
    key: str
    """Whole key path, `mcp.bundles[0].id`; empty where no key is concerned."""
    found: str
    allowed: str

    def __str__(self) -> str:
        head = "  ".join(part for part in (str(self.place), self.key) if part)
        line = f"{head}  found {self.found}; allowed {self.allowed}"
        if _columns(line) <= WIDTH:
            return line
        return "\n".join((head, *_wrapped(f"found {self.found};"), *_wrapped(f"allowed {self.allowed}")))


class ConfigError(AxhubError):
    """The configuration cannot be used. `str()` is the whole message for the operator: every fault, no trace."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        super().__init__("\n".join((f"The configuration has {count}:", *map(str, self.faults))))


def excerpt(text: str) -> str:
    """Return `text` fit to be shown: one line, at most 80 characters, nothing unprintable, no password of a URL."""
    hidden = _without_userinfo(text)
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in hidden[: _EXCERPT + 1])
    return shown if len(shown) <= _EXCERPT else shown[: _EXCERPT - 1] + "…"


def _without_userinfo(text: str) -> str:
    scheme, slashes, rest = text.partition("://")
    userinfo, at, host = rest.rpartition("@")
    return f"{scheme}{slashes}***@{host}" if slashes and at and userinfo else text


def _columns(text: str) -> int:
    # By hand, since the tables of a package for it would stay in the gateway's memory (5 MB) for the sake of a message.
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _wrapped(text: str) -> Iterator[str]:
    """Break between words only, so that names and lines to copy stay whole."""
    line = "   "
    for word in text.split(" "):
        if line.strip() and _columns(line) + 1 + _columns(word) > WIDTH:
            yield line
            line = "     "
        line = f"{line} {word}"
    yield line
