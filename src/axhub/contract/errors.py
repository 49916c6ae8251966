"""Errors that keep what a person or a model may read apart from what only the log may know (decision/D14)."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from axhub.contract.jsontext import JsonTextError, check_text, compact, members, split_array
from axhub.contract.text import clean_text

MAX_PUBLIC_BYTES: Final = 8192
"""Bound of what a model is shown of an error body."""

_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ERROR_TEXTS: Final = ("code", "message", "field")
_FIELD_TEXTS: Final = ("path", "message")
_PROBLEM_TEXTS: Final = ("title", "detail")
_ELLIPSIS: Final = "…"
_MIN_TEXT_BYTES: Final = 32
_NUMBER_STARTS: Final = frozenset({b"-", *(b"%d" % digit for digit in range(10))})
_encode = msgspec.json.encode


class AxhubError(Exception):
    """Root of our exceptions. `public` may be shown to anyone; `detail` goes to the log only."""

    def __init__(self, public: str, detail: str = "") -> None:
        super().__init__(public)
        self.public = public
        self.detail = detail


def public_error_text(body: bytes, extra_fields: tuple[str, ...], *, problem: bool = False) -> str | None:
    """Return the public part of a 4xx body as compact JSON text of at most 8 KiB, or None if it has none.

    Public are `code`, `message`, `field` and `fields[].path|message` of an `error` object (toolkit/S3), `title` and
    `detail` of a problem document, and the top-level members that the bundle's `publicErrorFields` names. Nothing
    else gets through: default bodies of frameworks carry paths and traces.

    Args:
        body: the answer's body.
        extra_fields: the bundle's `publicErrorFields`.
        problem: whether the content type was `application/problem+json` (RFC 9457).
    """
    try:
        check_text(body)
        found = members(compact(body))
    except JsonTextError:
        return None
    room = _Room(MAX_PUBLIC_BYTES)
    # A member that the operator names is shown whole; it is not shown a second time in part.
    shown = [] if "error" in extra_fields else _error_object(found.get("error"), room)
    if problem:
        shown += _texts(found, [name for name in _PROBLEM_TEXTS if name not in extra_fields], room)
    shown += _extra(found, extra_fields, room)
    return _object(shown).decode() if shown else None


class _Room:
    """How many bytes may still be shown."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left - len(b"{}")

    def take(self, part: bytes) -> bool:
        """Reserve room for a part and the comma after it; False if there is none."""
        if len(part) + 1 > self.left:
            return False
        self.left -= len(part) + 1
        return True


def _error_object(raw: msgspec.Raw | None, room: _Room) -> list[bytes]:
    found = _members_or_none(raw)
    if found is None:
        return []
    room.take(b'"error":{}')
    shown = _texts(found, _ERROR_TEXTS, room)
    fields = _fields(found.get("fields"), room)
    if fields:
        shown.append(b'"fields":[' + b",".join(fields) + b"]")
    return [b'"error":' + _object(shown)] if shown else []


def _fields(raw: msgspec.Raw | None, room: _Room) -> list[bytes]:
    elements = split_array(raw) if raw is not None else None
    if not elements or not room.take(b'"fields":[]'):
        return []
    shown = []
    for element in elements:
        found = _members_or_none(element)
        if found is not None and room.take(b"{}"):
            shown.append(_object(_texts(found, _FIELD_TEXTS, room)))
    return [field for field in shown if field != b"{}"]


def _texts(found: dict[str, msgspec.Raw], names: Sequence[str], room: _Room) -> list[bytes]:
    """Show members that are text, cut where the room ends; a numeric code counts as text."""
    shown = []
    for name in names:
        raw = bytes(found.get(name, b""))
        if raw.startswith(b'"'):
            part = _fitted(_encode(name) + b":", _shown(raw), room)
        elif name == "code" and raw[:1] in _NUMBER_STARTS:
            part = _encode(name) + b":" + raw
        else:
            continue
        if part and room.take(part):
            shown.append(part)
    return shown


def _fitted(prefix: bytes, text: str, room: _Room) -> bytes:
    """Encode a text after its prefix, shortened so that it fits; empty if hardly any room is left."""
    while len(part := prefix + _encode(text)) + 1 > room.left:
        surplus = len(part) + 1 - room.left
        kept = len(text) - max(surplus // 6, 1) - len(_ELLIPSIS)  # one character takes at most 6 bytes
        if room.left < _MIN_TEXT_BYTES + len(prefix) or kept <= 0:
            return b""
        text = text[:kept] + _ELLIPSIS
    return part


def _extra(found: dict[str, msgspec.Raw], names: tuple[str, ...], room: _Room) -> list[bytes]:
    shown = []
    for name in dict.fromkeys(names):
        raw = bytes(found.get(name, b""))
        prefix = _encode(name) + b":"
        if raw.startswith(b'"'):
            part = _fitted(prefix, _shown(raw), room)
        elif 0 < len(raw) <= MAX_PUBLIC_BYTES:
            part = prefix + _STRING.sub(lambda token: _encode(_shown(token[0])), raw)
        else:
            continue
        if part and room.take(part):
            shown.append(part)
    return shown


def _shown(raw: bytes) -> str:
    return clean_text(msgspec.json.decode(raw, type=str)[:MAX_PUBLIC_BYTES])


def _members_or_none(raw: msgspec.Raw | None) -> dict[str, msgspec.Raw] | None:
    try:
        return members(raw) if raw is not None else None
    except JsonTextError:
        return None


def _object(parts: list[bytes]) -> bytes:
    return b"{" + b",".join(parts) + b"}"
