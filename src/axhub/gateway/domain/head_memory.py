"""The head that a connection carried last: equal bytes mean the same again, without being parsed and judged anew.

Many peers repeat their head on a kept-alive connection, but for the digits of `Content-Length`. What was made of it
holds again for a message that is whole, stands alone in what was read, and is exactly as long as it says.
"""

from collections.abc import Mapping
from typing import Final, Generic, TypeVar

from msgspec import Struct, structs

M = TypeVar("M", bound=Struct)
"""A message with the members `headers` and `body`."""

_replace: Final = structs.replace
_MOST_BYTES: Final = 4096
"""A longer head is not remembered."""
_PATIENCE, _REST = 8, 24
"""After more messages in a row than the first whose head was not known, everything is forgotten, and the next so many
are not looked at: a peer that writes each head anew should not pay for those that do not."""
_LENGTH: Final = b"content-length"
_LINE: Final = b"\r\ncontent-length: "
_LINE_TAIL: Final = b"ength: "
_END: Final = b"\r\n\r\n"
_EVENT_STREAM: Final = b"text/event-stream"
_NO_HEAD: Final = b"\0"


class HeadMemory(Generic[M]):
    """One connection's, for one direction."""

    __slots__ = (
        "_after", "_before", "_fields", "_head", "_head_size", "_misses", "_most_bytes", "_most_digits", "_nothing",
        "_rest", "_size", "last",
    )  # fmt: skip

    def __init__(self, nothing: M, most_digits: int, most_bytes: int = _MOST_BYTES) -> None:
        """Take the bounds.

        Args:
            nothing: stands for a message before there was one.
            most_digits: a body whose length has no more of them is within the limit of bodies.
            most_bytes: the limit of heads.
        """
        self._nothing = nothing
        self._most_digits = most_digits
        self._most_bytes = min(_MOST_BYTES, most_bytes - most_digits)
        self._misses = self._rest = 0
        self._forget()

    def _forget(self) -> None:
        self._head = self._before = self._after = _NO_HEAD
        self._head_size = len(_NO_HEAD)
        self._size = -1  # of the whole message
        self._fields: Mapping[bytes, bytes] = {}
        self.last = self._nothing
        """The message that is remembered, without its body."""

    def message_of(self, data: bytes) -> M | None:
        """Return the message if `data` is the head that is remembered, with exactly the body that it announces."""
        if len(data) == self._size and data.startswith(self._head):
            self._misses = 0
            return _replace(self.last, body=data[self._head_size :])
        if self._rest:
            self._rest -= 1
            return None
        is_like_it = self._size >= 0 and data.startswith(self._before)  # nothing is like no head
        message = self._of_another_length(data) if is_like_it else None
        self._misses = 0 if message is not None else self._misses + 1
        if self._misses > _PATIENCE:
            self._misses, self._rest = _PATIENCE - 1, _REST
            self._forget()
        return message

    def remember(self, data: bytes, body_size: int, fields: Mapping[bytes, bytes], message: M) -> None:
        """Remember the head of `data`, which was read as one sound message with a body of that size.

        An event stream is not: whoever waits for its events gets them one by one.
        """
        size = len(data) - body_size
        if self._rest or size > self._most_bytes or _EVENT_STREAM in fields.get(b"content-type", b"").lower():
            return
        start = data.find(_LINE_TAIL) + len(_LINE_TAIL)
        end = data.find(b"\r", start)
        line, digits = data[max(start - len(_LINE), 0) : start], data[start:end]
        # The field stands in the head: so its body is not in chunks, whose data could look like the end of a head.
        if line.lower() != _LINE or fields.get(_LENGTH) != digits or data.find(_END, end) + len(_END) != size:
            return
        self._head, self._before, self._after = data[:size], data[:start], data[end:size]
        self._head_size, self._size = size, len(data)
        self._fields, self.last = fields, _replace(message, body=b"")

    def _of_another_length(self, data: bytes) -> M | None:
        start = len(self._before)
        end = data.find(b"\r", start, start + self._most_digits + 1)
        digits = data[start:end]
        if end < 0 or not (digits.isdigit() and data.startswith(self._after, end)):
            return None
        size = end + len(self._after)
        if len(data) - size != int(digits):
            return None
        self._head, self._head_size, self._size = data[:size], size, len(data)
        self._fields = {**self._fields, _LENGTH: digits}  # the last message's may still be in use
        self.last = _replace(self.last, headers=self._fields)
        return _replace(self.last, body=data[size:])
