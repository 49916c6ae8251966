"""What goes wrong with a telegram: the place in it and the bound, never the value (toolkit/B2)."""

from typing import Final

__all__ = ["CorrelationError", "FieldError", "TelegramError"]

_WHOLE: Final = ""


class FieldError(Exception):
    """What one field finds wrong, before anybody has asked where the field stands."""

    def __init__(self, kind: str, words: str, *, limit: int | None = None, length: int | None = None) -> None:
        super().__init__(words)
        self.kind = kind
        self.words = words
        self.limit = limit
        self.length = length


class TelegramError(ValueError):
    """Bytes that are no such telegram, or values that do not go into one.

    It says `CLCNNB00001_O.name @byte 0: 12 bytes do not fit in 10`; the value stands neither in it nor behind it.
    """

    layout: str
    """Name of the class that was read or written."""
    field: str
    """Path such as `rows[2].amount`; empty: the telegram as a whole."""
    offset: int
    """Bytes before the field, from the beginning of the layout."""
    kind: str
    """What kind of fault it is: `length` of a telegram, `overflow` of a field, `charset`, `half` a character, `digits`,
    `sign`, `scale`, `blank` bytes or a `missing` value where there is no None, `type`, `date` or `count` of rows."""
    limit: int | None
    """What there is room for, in the unit that the message names; None: there is no such number."""
    length: int | None
    """What there was, in the same unit."""

    def __init__(self, layout: str, field: str, offset: int, fault: FieldError) -> None:
        place = layout if field == _WHOLE else f"{layout}.{field} @byte {offset}"
        super().__init__(f"{place}: {fault.words}")
        self.layout = layout
        self.field = field
        self.offset = offset
        self.kind = fault.kind
        self.limit = fault.limit
        self.length = fault.length


class CorrelationError(Exception):
    """An answer that belongs to another request; the connection that it came over is of no more use."""

    def __init__(self, layout: str, field: str) -> None:
        """Take the name of the header's layout and of the field that should be the same in request and answer."""
        super().__init__(f"{layout}.{field}: the answer belongs to another request")
        self.layout = layout
        self.field = field
