"""A JSON-RPC batch, which only revision 2025-03-26 has: every entry answered, one array back (gateway/P6)."""

from typing import Final

import msgspec

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import INVALID_REQUEST, Batch, EnvelopeError, Message
from axhub.gateway.ports import Reply, ReplyHead

MAX_ENTRIES: Final = 20


def check_batch(batch: Batch) -> None:
    """Refuse what no batch may be.

    Raises:
        EnvelopeError: it is empty, too long, or holds an `initialize`.
    """
    if not 0 < len(batch) <= MAX_ENTRIES:
        raise EnvelopeError(INVALID_REQUEST, f"Invalid Request: a batch has 1 to {MAX_ENTRIES} entries")
    if any(isinstance(entry, Message) and entry.method == "initialize" for entry in batch):
        raise EnvelopeError(INVALID_REQUEST, "Invalid Request: initialize must not be in a batch")


def without_progress(entry: Message) -> Message:
    """Return an entry that asks for no progress: nothing can be told before the one answer to all entries."""
    if "progressToken" not in entry.meta:
        return entry
    return msgspec.structs.replace(
        entry, meta={name: entry.meta[name] for name in entry.meta if name != "progressToken"}
    )


class BatchReply:
    """Collects the answers of a batch in the order of its entries and sends them when the last is there."""

    def __init__(self, entries: int, reply: Reply) -> None:
        self._answers: list[bytes] = [b""] * entries
        self._missing = entries
        self._reply = reply

    def slot(self, index: int) -> Reply:
        """Return the reply of one entry; a notification's empty answer leaves no trace in the array.

        Entries are answered whole: a piece that more follows is dropped.
        """

        def answer(_head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
            if more:
                return
            self._answers[index] = body + tail
            self._missing -= 1
            if not self._missing:
                self._send()

        return answer

    def _send(self) -> None:
        answers = [answer for answer in self._answers if answer]
        if answers:
            self._reply(wire.OK, b"[" + b",".join(answers) + b"]")
        else:
            self._reply(wire.ACCEPTED, b"")
