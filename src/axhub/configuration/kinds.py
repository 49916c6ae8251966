"""The kinds of values that keys take: what is allowed, in words, and how a written value becomes a setting."""

import math
import re
from dataclasses import dataclass
from typing import Final, Protocol

from axhub.configuration.values import Raw, Shape

_MAX_TEXT: Final = 1024
_MAX_DIGITS: Final = 40
_PREFIX = re.compile(r"[A-Za-z0-9_./-]{0,63}")


NOT_YET: Final = "not available yet"


class NotAllowedError(ValueError):
    """The value is not of its kind; a message, if any, tells more than the kind's `allowed`."""

    def __init__(self, message: str = "", *, hide: bool = False) -> None:
        super().__init__(message)
        self.hide: Final = hide
        """Whether the value must not be shown."""


class Kind(Protocol):
    """A kind of value."""

    @property
    def allowed(self) -> str:
        """What is allowed, as it stands after `allowed` in a fault and in the reference."""
        ...

    def read(self, raw: Raw) -> object:
        """Return the setting's value.

        Raises:
            NotAllowedError: it is not of this kind.
        """
        ...


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number: counts, bytes, milliseconds."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """See `Kind`."""
        return f"a whole number from {self.low} to {self.high}"

    def read(self, raw: Raw) -> int:
        """See `Kind`; true and false are no numbers, nor is `1.0` a whole one."""
        if raw.shape is not Shape.INTEGER or len(raw.text) > _MAX_DIGITS or not self.low <= int(raw.text) <= self.high:
            raise NotAllowedError
        return int(raw.text)


@dataclass(frozen=True, slots=True)
class Seconds:
    """A duration in seconds, fractions allowed."""

    high: int
    above_zero: bool = False

    @property
    def allowed(self) -> str:
        """See `Kind`."""
        low = "above 0 and at most" if self.above_zero else "from 0 to"
        return f"a number of seconds {low} {self.high}"

    def read(self, raw: Raw) -> float:
        """See `Kind`."""
        if raw.shape not in {Shape.INTEGER, Shape.DECIMAL} or len(raw.text) > _MAX_DIGITS or raw.text[-1] in "fFnN":
            raise NotAllowedError
        seconds = float(raw.text)
        if not math.isfinite(seconds) or not 0 <= seconds <= self.high or (self.above_zero and not seconds):
            raise NotAllowedError
        return seconds


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    not_yet: bool = False
    """Whether true is not available yet."""

    @property
    def allowed(self) -> str:
        """See `Kind`."""
        return "false" if self.not_yet else "true or false"

    def read(self, raw: Raw) -> bool:
        """See `Kind`."""
        if raw.shape is not Shape.BOOLEAN:
            raise NotAllowedError
        if self.not_yet and raw.boolean:
            raise NotAllowedError(NOT_YET)
        return raw.boolean


@dataclass(frozen=True, slots=True)
class Text:
    """One line of printable text in any script, not blank, without blanks around it."""

    what: str = "text"

    @property
    def allowed(self) -> str:
        """See `Kind`."""
        return self.what

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        if not raw.any_text:
            raise NotAllowedError(
                "" if raw.shape is Shape.NOTHING else "a value of this spelling is text only in quotes"
            )
        if not raw.text.strip():
            raise NotAllowedError("an empty text")
        if raw.text != raw.text.strip():
            raise NotAllowedError("with blanks around it")
        if not raw.text.isprintable():
            raise NotAllowedError("with characters that cannot be shown")
        if len(raw.text) > _MAX_TEXT:
            raise NotAllowedError(f"longer than {_MAX_TEXT} characters")
        return raw.text


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words."""

    words: tuple[str, ...]
    not_yet: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """See `Kind`."""
        *first, last = self.words
        return f"{', '.join(first)} or {last}" if first else last

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        if raw.any_text and raw.text in self.not_yet:
            raise NotAllowedError(NOT_YET)
        if not raw.any_text or raw.text not in self.words:
            raise NotAllowedError
        return raw.text


@dataclass(frozen=True, slots=True)
class NotYet:
    """A key of a later version: known, and refused so that nobody believes it works."""

    secret: bool = False
    """Whether the value may hold a password and is not shown."""
    allowed: str = "nothing yet: leave the key out"

    def read(self, raw: Raw) -> None:
        """See `Kind`; always refused."""
        raise NotAllowedError(NOT_YET, hide=self.secret and raw.shape is not Shape.NOTHING)


@dataclass(frozen=True, slots=True)
class FilePath:
    """A file; `file:` may stand before it; a relative one starts at the configuration file (decision/D24)."""

    allowed: str = "the path of a readable file, relative to the configuration file"

    def read(self, raw: Raw) -> str:
        """See `Kind`; the path as it will be opened, still relative."""
        text = Text().read(raw)
        if not text.startswith("file:"):
            return text
        path = text.removeprefix("file:")
        if path.startswith("//"):
            path = path.removeprefix("//")
            if not path.startswith("/"):
                raise NotAllowedError("which names a file on another machine")
        if not path:
            raise NotAllowedError("an empty path")
        return path


@dataclass(frozen=True, slots=True)
class Prefix:
    """What the tool names of a bundle start with; may be empty (decision/D23)."""

    allowed: str = "at most 63 of A-Z a-z 0-9 _ . / - (what tool names are made of), or nothing"

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        if raw.shape is Shape.NOTHING:
            return ""
        if not raw.any_text or not _PREFIX.fullmatch(raw.text):
            raise NotAllowedError
        return raw.text
