"""Cursors of `tools/list`: a place in the order of tools, the same on any replica and in any snapshot (gateway/P10).

A cursor is no secret and gives no right. Its mark only tells those of this gateway from others, and from damaged ones.
"""

import base64
import binascii
import hashlib
from typing import Final

import msgspec

_MARK_BYTES: Final = 6
_decode = msgspec.json.Decoder(tuple[str, str]).decode


class Cursors:
    """The cursors of one gateway, which all its replicas share."""

    def __init__(self, identity: str) -> None:
        """`identity` is the gateway's name."""
        self._identity = identity.encode()

    def after(self, bundle_id: str, name: str) -> str:
        """Return the cursor to what follows this tool in the order `(bundle id, name)`."""
        place = msgspec.json.encode((bundle_id, name))
        return base64.urlsafe_b64encode(self._mark(place) + place).decode().rstrip("=")

    def read(self, cursor: str | None) -> tuple[str, str] | None:
        """Return the bundle id and the name that a cursor of ours stands for, or None for anything else."""
        if cursor is None or not cursor.isascii():
            return None
        try:
            bundle_id, name = _decode(base64.urlsafe_b64decode(cursor + "==")[_MARK_BYTES:])
        except (binascii.Error, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return (bundle_id, name) if self.after(bundle_id, name) == cursor else None

    def _mark(self, place: bytes) -> bytes:
        return hashlib.blake2b(self._identity + b"\0" + place, digest_size=_MARK_BYTES).digest()
