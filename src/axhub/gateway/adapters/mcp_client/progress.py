"""The progress of one call, from what its server tells to what its caller hears (gateway/P11)."""

import asyncio
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Final

import msgspec

from axhub.gateway.domain.mcp_message import Notification

_NUMBER: Final = b"-0123456789"
_SHOWN: Final = {"progress": _NUMBER, "total": _NUMBER, "message": b'"'}
"""What a notice of progress says, and how each value begins: a client need not be able to read anything else."""
_MOST_AT_ONCE: Final = 16
"""How many notices of one call are passed on in one turn of the event loop; of those after them, only the last. What
a server sends in one piece may be thousands, and each that is passed on is a write of its own."""


class Progress:
    """Passes notices on that name the call, as the port `McpUpstream` has them; to nobody once it has ended.

    Only what says more than all before it: two streams of one call may come in any order.
    """

    __slots__ = ("_at_once", "_last", "_on_progress", "_reached", "token")

    def __init__(self, on_progress: Callable[[bytes], None]) -> None:
        self.token = b""
        """The number of the request, which is its token."""
        self._on_progress: Callable[[bytes], None] | None = on_progress
        self._at_once = 0  # passed on, or held back, in this turn
        self._last = b""  # held back
        self._reached = Decimal("-Infinity")  # passed on, or held back

    def take(self, message: Notification) -> None:
        """Take a notice, whichever stream it came on."""
        params = message.params
        if bytes(params.get("progressToken", b"")) != self.token:
            return
        shown = {name: bytes(params[name]) for name, begins in _SHOWN.items() if _begins(params.get(name), begins)}
        if "progress" in shown and self._grows(shown["progress"]):
            self._pass_on(b"".join(b',"%b":%b' % (name.encode(), value) for name, value in shown.items()))

    def end(self) -> None:
        """Pass on what was held back, and nothing from here on."""
        self._next_turn()
        self._on_progress = None

    def _grows(self, value: bytes) -> bool:
        """Say whether a number is greater than the last one, to its last digit; one that cannot be read is not."""
        try:
            number = Decimal(value.decode("ascii"))
        except InvalidOperation:  # its exponent has twenty digits
            return False
        grows = number > self._reached
        if grows:
            self._reached = number
        return grows

    def _pass_on(self, told: bytes) -> None:
        """Pass a notice on, or hold it back as the last one: values only grow, so it says the most."""
        if self._at_once == 0:
            asyncio.get_running_loop().call_soon(self._next_turn)
        self._at_once += 1
        if self._at_once > _MOST_AT_ONCE:
            self._last = told
        elif self._on_progress is not None:
            self._on_progress(told)

    def _next_turn(self) -> None:
        self._at_once = 0
        told, self._last = self._last, b""
        if told and self._on_progress is not None:
            self._on_progress(told)


def _begins(value: msgspec.Raw | None, characters: bytes) -> bool:
    return value is not None and bytes(value)[:1] in characters
