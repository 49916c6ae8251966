"""Text that comes from outside, made whole: no half of a surrogate pair reaches a store, a provider or a person.

JSON can spell such a half, and a server that streams may cut a character in two; UTF-8 has no form for either.
"""

import codecs
from collections.abc import Callable, Mapping
from typing import Any, Final

__all__ = ["WholePieces", "storable", "whole", "whole_json"]

_UTF16: Final = "utf-16-le"
_DECODER: Final = codecs.getincrementaldecoder(_UTF16)


def whole(text: str) -> str:
    """Return a text in which halves that stand side by side are one character, and any other half is U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _halves(text).decode(_UTF16, "replace")
    return text


def storable(text: str) -> str:
    """Return a whole text without NUL, which no column of PostgreSQL takes."""
    return whole(text).replace("\0", "\ufffd")


def whole_json(value: Any) -> Any:
    """Return a JSON value with all its texts whole, names of members included."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, Mapping):
        return {whole_json(name): whole_json(inner) for name, inner in value.items()}
    return [whole_json(inner) for inner in value] if isinstance(value, list | tuple) else value


class WholePieces:
    """A listener to a text that comes in pieces; a half at the end of one waits for the other half."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        """Take who hears the pieces."""
        self._hear = hear
        self._decoder = _DECODER("replace")

    def __call__(self, piece: str) -> None:
        """Take a piece."""
        self._say(self._decoder.decode(_halves(piece)))

    def end(self) -> None:
        """Say that no piece follows."""
        self._say(self._decoder.decode(b"", final=True))

    def _say(self, text: str) -> None:
        if text:
            self._hear(text)


def _halves(text: str) -> bytes:
    return text.encode(_UTF16, "surrogatepass")
