"""Where a telegram ends on a stream of bytes: the length field in all its variants (toolkit/B3). Pure.

The field says: all bytes that go over the wire, without its own unless it counts itself, plus a correction. A telegram
with a prefix goes over the wire with the prefix before it; a length in the header is part of the telegram.
"""

from typing import Final, Literal, TypeAlias

from axhub.toolkit.config.settings import LengthField

__all__ = ["Buffer", "Framing", "FramingError", "OversizeError"]

Buffer: TypeAlias = bytes | bytearray | memoryview

_NONE: Final = "none"
_PREFIX: Final = "prefix"
_ORDERS: Final[dict[str, Literal["big", "little"]]] = {"big": "big", "little": "little"}


class FramingError(ValueError):
    """A length that cannot be written, or is none; the message has no byte of a telegram."""


class OversizeError(FramingError):
    """A telegram that is longer than it may be."""


class Framing:
    """Writes and reads the lengths of one system's telegrams."""

    def __init__(self, field: LengthField, most: int) -> None:
        """Take the field.

        Args:
            field: of the configuration.
            most: bytes that a telegram may have, without its prefix.
        """
        self._field = field
        self._most = most
        self.is_none: Final = field.kind == _NONE
        """Whether a telegram ends where its sender ends the stream."""
        self._prefix = field.size if not self.is_none and field.place == _PREFIX else 0
        self.head: Final = 0 if self.is_none else field.offset + field.size
        """How many bytes must be there before the length is known."""
        self.most: Final = self._prefix + most
        """How many bytes may go over the wire for one telegram."""

    def framed(self, telegram: bytes) -> bytes:
        """Return a telegram as it goes over the wire.

        Raises:
            OversizeError: it is longer than it may be.
            FramingError: its length does not fit in the field, or it is too short to have one.
        """
        if len(telegram) > self._most:
            raise OversizeError(f"the telegram has {len(telegram)} bytes, more than {self._most}")
        if self.is_none:
            return telegram
        wire = bytearray(self._prefix) + telegram
        if len(wire) < self.head:
            raise FramingError(
                f"the telegram has {len(telegram)} bytes, and its length field would end after byte {self.head}"
            )
        wire[self._field.offset : self.head] = self._written(len(wire))
        return bytes(wire)

    def total(self, head: Buffer) -> int:
        """Return how many bytes a telegram has on the wire.

        Args:
            head: its first `head` bytes, or more of them.

        Raises:
            OversizeError: more than it may have.
            FramingError: the field holds no length, or one that is too short.
        """
        counted = self._read(bytes(memoryview(head)[self._field.offset : self.head]))
        total = counted - self._field.correction + (0 if self._field.includes_itself else self._field.size)
        if total > self.most:
            raise OversizeError(f"the answer says that it has {total - self._prefix} bytes, more than {self._most}")
        if total < self.head:
            raise FramingError("the length field of the answer says less than the bytes before its end")
        return total

    def telegram(self, wire: Buffer) -> bytes:
        """Return the telegram in what came over the wire."""
        return bytes(memoryview(wire)[self._prefix :])

    def _written(self, total: int) -> bytes:
        field = self._field
        counted = total + field.correction - (0 if field.includes_itself else field.size)
        order = _ORDERS.get(field.kind)
        digits = field.size * (2 if field.kind == "bcd" else 1)
        most = 256**field.size if order else 10**digits
        if not 0 <= counted < most:
            raise FramingError(f"the telegram's length, {counted}, does not fit in {field.size} bytes ({field.kind})")
        if order:
            return counted.to_bytes(field.size, order)
        text = f"{counted:0{digits}d}"
        return bytes.fromhex(text) if field.kind == "bcd" else text.encode("ascii")

    def _read(self, written: bytes) -> int:
        order = _ORDERS.get(self._field.kind)
        if order:
            return int.from_bytes(written, order)
        if self._field.kind == "bcd":
            text = written.hex()
            if text.isdecimal():
                return int(text)
        elif written.isdigit():
            return int(written)
        raise FramingError(f"the length field of the answer holds no number ({self._field.kind})")
