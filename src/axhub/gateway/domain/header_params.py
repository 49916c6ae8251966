"""Arguments mirrored in `Mcp-Param-*` headers: the header must say what the body says (MCP 2026-07-28, gateway/P4)."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final

import msgspec

from axhub.contract.headers import HeaderParam
from axhub.gateway.domain.call import ToolCall

_PREFIX: Final = b"=?base64?"
_SUFFIX: Final = b"?="
_NUMBER: Final = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?")
_PLAIN: Final = re.compile(rb"[\t\x20-\x7e]*")
_ABSENT: Final = object()


def decode_header_value(value: bytes) -> str | None:
    """Undo the header value codec: plain ASCII, or `=?base64?…?=` around UTF-8; None if it is neither."""
    if is_encoded(value):
        encoded = value[len(_PREFIX) : -len(_SUFFIX)]
        try:
            decoded = base64.b64decode(encoded, validate=True)
            # The decoder lets surplus padding pass; only the one right spelling is taken.
            return decoded.decode() if base64.b64encode(decoded) == encoded else None
        except (binascii.Error, UnicodeDecodeError):
            return None
    return value.decode("ascii") if is_plain(value) else None


def is_encoded(value: bytes) -> bool:
    """Say whether a header value has the form of an encoded one."""
    return value.startswith(_PREFIX) and value.endswith(_SUFFIX) and len(value) >= len(_PREFIX) + len(_SUFFIX)


def is_plain(value: bytes) -> bool:
    """Say whether a header value has only the characters that one may have as it is: ASCII without controls."""
    return _PLAIN.fullmatch(value) is not None


def encode_header_value(text: str) -> bytes:
    """Write a text as a header value: as it is where that is plain, else encoded."""
    value = text.encode("utf-8", "replace")
    plain = text.isascii() and text.isprintable() and text == text.strip() and not is_encoded(value)
    return value if plain else _PREFIX + base64.b64encode(value) + _SUFFIX


def mirrored(params: Iterable[HeaderParam], arguments: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers, name and value, that say what the arguments say."""
    for param in params:
        value = _argument(arguments, param.path)
        if isinstance(value, bool):
            yield param.header, b"true" if value else b"false"
        elif isinstance(value, str):
            yield param.header, encode_header_value(value)


def mismatch(params: Iterable[HeaderParam], call: ToolCall) -> str | None:
    """Say what is wrong with the call's `Mcp-Param-*` headers, or None."""
    for param in params:
        problem = _mismatch(param, call)
        if problem is not None:
            return problem
    return None


def _mismatch(param: HeaderParam, call: ToolCall) -> str | None:
    shown = param.header.decode("ascii")
    value = _argument(call.arguments, param.path)
    header = call.headers.get(param.header)
    if param.header in call.repeated:
        return f"the header {shown} came more than once"
    if value is _ABSENT or value is None:
        return None if header is None else f"the header {shown} has no argument {_path(param)} to mirror"
    if header is None:
        return f"the header {shown} is missing; it must mirror the argument {_path(param)}"
    decoded = decode_header_value(header)
    if decoded is None or not _equal(value, decoded, param.kind):
        return f"the header {shown} does not match the argument {_path(param)}"
    return None


def _argument(arguments: bytes, path: tuple[str, ...]) -> Any:
    """Return the argument at `path`: a string, a bool, a number's text, or something that matches no header."""
    raw: bytes | msgspec.Raw = arguments
    for name in path:
        try:
            found = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        except msgspec.DecodeError:
            return _ABSENT
        if name not in found:
            return _ABSENT
        raw = found[name]
    text = bytes(raw)
    if text[:1] in b'"tfn':
        return msgspec.json.decode(text)
    return text.decode()


def _equal(value: Any, header: str, kind: str) -> bool:
    if isinstance(value, bool):
        return header == ("true" if value else "false")
    if kind == "integer" and _NUMBER.fullmatch(str(value)) and _NUMBER.fullmatch(header):
        return Decimal(str(value)) == Decimal(header)  # `1`, `1.0` and `1e0` are one integer
    return bool(header == value)


def _path(param: HeaderParam) -> str:
    return ".".join(param.path)
