"""The head that a connection carried last: equal bytes mean the same again, without being parsed and judged anew.

Most peers repeat their head on a kept-alive connection, but for the digits of `Content-Length`. What was made of it
holds again for a message that is whole, stands alone in what was read, and is exactly as long as it says.
"""

from typing import Final, Generic, TypeVar

T = TypeVar("T")

_MOST_BYTES: Final = 4096
"""A longer head is not kept."""
_PATIENCE: Final = 8
"""After so many heads in a row of which none came again, only each eighth is kept: that peer writes each anew."""
_LENGTH: Final = b"content-length"
_LINE: Final = b"\r\ncontent-length: "
_LINE_TAIL: Final = b"ength: "
_END: Final = b"\r\n\r\n"
_NO_HEAD: Final = b"\0"


class HeadMemory(Generic[T]):
    """One connection's, for one direction."""

    __slots__ = ("_after", "_before", "_body_size", "_head", "_in_vain", "fields", "kept", "made", "most_digits")

    def __init__(self, nothing: T, most_digits: int) -> None:
        """A body whose length has at most `most_digits` digits is within the limit of bodies."""
        self._head = self._before = self._after = _NO_HEAD
        self._body_size = -1
        self._in_vain = 0
        self.most_digits = most_digits
        self.fields: dict[bytes, bytes] = {}
        """The header fields of the head that `body_of` found."""
        self.made = nothing
        """What was made of its first line."""
        self.kept: dict[str, object] = {}
        """What others made of it."""

    def body_of(self, data: bytes) -> bytes | None:
        """Return the body if `data` is the head that was kept, with exactly the body that it announces."""
        if not data.startswith(self._head):
            return self._of_another_length(data) if data.startswith(self._before) else None
        body = data[len(self._head) :]
        if len(body) != self._body_size:
            return None
        self._in_vain = 0
        return body

    def keep(self, data: bytes, body_size: int, fields: dict[bytes, bytes], made: T) -> None:
        """Keep the head of `data`, which was read as one sound message with a body of that size and these fields."""
        self._in_vain += 1
        size = len(data) - body_size
        if size > _MOST_BYTES or (self._in_vain > _PATIENCE and self._in_vain % _PATIENCE):
            return
        start = data.find(_LINE_TAIL) + len(_LINE_TAIL)
        end = data.find(b"\r", start)
        line, digits = data[max(start - len(_LINE), 0) : start], data[start:end]
        # The field stands in the head: so its body is not in chunks, whose data could look like the end of a head.
        if line.lower() != _LINE or fields.get(_LENGTH) != digits or data.find(_END, end) + len(_END) != size:
            return
        self._head, self._before, self._after = data[:size], data[:start], data[end:size]
        self._body_size, self.fields, self.made, self.kept = body_size, fields, made, {}

    def _of_another_length(self, data: bytes) -> bytes | None:
        start = len(self._before)
        end = data.find(b"\r", start, start + self.most_digits + 1)
        digits = data[start:end]
        if not (digits.isdigit() and data.startswith(self._after, end)):
            return None
        size = end + len(self._after)
        if len(data) - size != int(digits):
            return None
        self._head, self._body_size, self._in_vain = data[:size], int(digits), 0
        self.fields = {**self.fields, _LENGTH: digits}  # the last message's may still be in use
        return data[size:]
