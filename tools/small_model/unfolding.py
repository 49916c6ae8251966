"""Takes what a model writes apart while it is written: text, or a call with its arguments, piece by piece."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tools.small_model.choices import ANSWER, ARGUMENTS, TOOL

__all__ = ["Arguments", "Call", "Piece", "Text", "Unfolding"]

_ANSWER: Final = re.compile(rf'\s*\{{\s*"{ANSWER}"\s*:\s*(?=")')
_CALL: Final = re.compile(rf'\s*\{{\s*"{TOOL}"\s*:\s*"(?P<name>[^"]*)"\s*,\s*"{ARGUMENTS}"\s*:\s*(?=\{{)')
_LONGEST_ESCAPE: Final = len(r"\ud83d\ude0")
"""Characters at the end of a text that may be half of a pair."""


@dataclass(frozen=True, slots=True)
class Text:
    """More of an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call has begun."""

    name: str


@dataclass(frozen=True, slots=True)
class Arguments:
    """More of its arguments, as JSON."""

    text: str


Piece = Text | Call | Arguments


class Unfolding:
    """One answer while it is written."""

    def __init__(self) -> None:
        self._written = ""
        self._start: int | None = None
        """Where the text or the arguments begin; None: not yet written."""
        self._is_call = False
        self._given = 0
        """Characters of it that are given already."""
        self.is_whole = False
        """Whether the text, or the arguments, have come to their end."""

    def add(self, written: str) -> Iterator[Piece]:
        """Take more, and yield what is new in it."""
        self._written += written
        if self._start is None:
            yield from self._begin()
        if self._start is None or self.is_whole:
            return
        more = self._arguments(self._start) if self._is_call else self._text(self._start)
        if more:
            self._given += len(more)
            yield Arguments(more) if self._is_call else Text(more)

    def _begin(self) -> Iterator[Piece]:
        if call := _CALL.match(self._written):
            self._start, self._is_call = call.end(), True
            yield Call(call["name"])
        elif answer := _ANSWER.match(self._written):
            self._start = answer.end()

    def _arguments(self, start: int) -> str:
        """Return more of the arguments: all that was written, until they are whole."""
        end = _end(self._written, start)
        self.is_whole = end is not None
        return self._written[start:end][self._given :]

    def _text(self, start: int) -> str:
        """Return more of the text, without an escape at its end that is not whole yet."""
        end = _end(self._written, start)
        self.is_whole = end is not None
        if end is not None:
            return str(json.loads(self._written[start:end]))[self._given :]
        for left_out in range(_LONGEST_ESCAPE + 1):
            text = _text_of(self._written[start : len(self._written) - left_out] + '"')
            if text is not None:
                return text[self._given :]
        return ""


def _end(written: str, start: int) -> int | None:
    """Return where the value that begins at `start` ends; None: it does not yet."""
    try:
        return json.JSONDecoder().raw_decode(written, start)[1]
    except ValueError:
        return None


def _text_of(quoted: str) -> str | None:
    """Return a text that is whole characters."""
    try:
        text = str(json.loads(quoted))
        text.encode()
    except ValueError:
        return None
    return text
