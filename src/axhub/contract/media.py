"""Media types as `Content-Type` gives them (RFC 9110 §8.3.1): one reading for callers, manifests and tools."""

import re
from typing import Final, NamedTuple

JSON: Final = b"application/json"
PROBLEM_JSON: Final = b"application/problem+json"
"""Problem details (RFC 9457)."""

_TOKEN: Final = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_NAME: Final = re.compile(rb"[ \t]*(" + _TOKEN + rb"/" + _TOKEN + rb")")
_QUOTED: Final = rb'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\t\x20-\x7e\x80-\xff])*"'
_PARAMETER: Final = re.compile(rb"[ \t]*(?:;[ \t]*(?:(" + _TOKEN + rb")=(" + _TOKEN + rb"|" + _QUOTED + rb"))?|\Z)")
_ESCAPE: Final = re.compile(rb"\\(.)", re.DOTALL)


class MediaType(NamedTuple):
    """A media type, in lower case."""

    name: bytes
    """Type and subtype: `application/json`."""
    charset: bytes | None
    """The value of `charset` without its quotes; None if there is none."""


def media_type(value: bytes) -> MediaType | None:
    """Read the value of a `Content-Type`; None if it is not one media type, or its charset stands more than once."""
    name = _NAME.match(value)
    if name is None:
        return None
    charset: bytes | None = None
    at = name.end()
    while at < len(value):
        parameter = _PARAMETER.match(value, at)
        if parameter is None:
            return None
        at = parameter.end()
        if (parameter[1] or b"").lower() == b"charset":
            if charset is not None:
                return None
            charset = _unquoted(parameter[2]).lower()
    return MediaType(name[1].lower(), charset)


def is_json(value: bytes) -> bool:
    """Say whether a `Content-Type` means JSON in UTF-8: said so, or without a charset (RFC 8259 §8.1)."""
    return value in _USUAL_JSON or media_type(value) in _UTF8_JSON


def _unquoted(value: bytes) -> bytes:
    return _ESCAPE.sub(rb"\1", value[1:-1]) if value.startswith(b'"') else value


_USUAL_JSON: Final = frozenset({JSON, JSON + b"; charset=utf-8", JSON + b";charset=utf-8"})
_UTF8_JSON: Final = frozenset({MediaType(JSON, None), MediaType(JSON, b"utf-8")})
