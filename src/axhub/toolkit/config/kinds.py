"""The kinds of values that a Tool Service alone has: where an API is, and how it is asked."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from axhub.configuration.addresses import read_origin
from axhub.configuration.kinds import NotAllowedError, Text
from axhub.configuration.values import Raw
from axhub.contract.endpoints import EndpointError, Origin, check_relative, is_absolute

__all__ = ["FIELD", "Domain", "JsonType", "MediaType", "PlainPath", "UrlPath", "charset_of"]

FIELD: Final = re.compile(r"\{(?P<name>[A-Za-z_][A-Za-z0-9_-]*)\}")
"""A place in a path that a member of the request fills: `/claims/{number}`."""


_JSON_TYPE: Final = re.compile(r"application/(?:[A-Za-z0-9.!#$&^_-]+\+)?json", re.IGNORECASE)
_MEDIA_TYPE: Final = re.compile(r"[A-Za-z0-9.!#$&^_+-]+/[A-Za-z0-9.!#$&^_+-]+")
_CHARSET: Final = re.compile(r"""\s*charset\s*=\s*"?(?P<name>[A-Za-z0-9._-]+)"?\s*""", re.IGNORECASE)
_ASCII: Final = "".join(map(chr, range(0x20, 0x7F)))


@dataclass(frozen=True, slots=True)
class Domain:
    """Scheme, host and port of an API."""

    allowed: str = "scheme, host and port, such as https://claims.example.com:8443"

    def read(self, raw: Raw) -> Origin:
        """See `Kind`."""
        return read_origin(raw)


@dataclass(frozen=True, slots=True)
class UrlPath:
    """The path of an API, with a query if there is one; `{name}` in it is filled from the request."""

    allowed: str = "a path that begins with /, such as /claims/search"

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        text = Text().read(raw)
        if is_absolute(text):
            raise NotAllowedError("scheme and host stand in domain")
        if not text.startswith("/"):
            raise NotAllowedError
        path, _, query = text.partition("?")
        filled = FIELD.sub("x", path)
        if any(brace in filled + query for brace in "{}"):
            raise NotAllowedError(
                "braces only in the path, around the name of a member of the request: /claims/{number}"
            )
        try:
            check_relative(f"{filled}?{query}" if query else filled)
        except EndpointError as error:
            raise NotAllowedError(str(error)) from None
        return text


@dataclass(frozen=True, slots=True)
class PlainPath:
    """The path that telegrams are sent to, with a query if there is one; nothing in it is filled."""

    allowed: str = "a path that begins with /, such as /mci/telegrams"

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        text = UrlPath().read(raw)
        if "{" in text:
            raise NotAllowedError("a telegram fills no path: no braces")
        return text


@dataclass(frozen=True, slots=True)
class MediaType:
    """The media type of a telegram as a body; a charset in it is only told, since the layouts decide it."""

    allowed: str = "a media type, such as application/octet-stream or text/plain;charset=EUC-KR"

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        text = Text().read(raw)
        kind, *parameters = text.split(";")
        if not _MEDIA_TYPE.fullmatch(kind.strip()):
            raise NotAllowedError
        if parameters and (len(parameters) > 1 or charset_of(text) is None):
            raise NotAllowedError("at most one parameter, a known charset")
        return text


@dataclass(frozen=True, slots=True)
class JsonType:
    """The media type of a request: JSON, in a charset that holds ASCII as it is."""

    allowed: str = "a JSON type, such as application/json or application/json;charset=EUC-KR"

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        text = Text().read(raw)
        kind, *parameters = text.split(";")
        if not _JSON_TYPE.fullmatch(kind.strip()):
            raise NotAllowedError
        if parameters and (len(parameters) > 1 or charset_of(text) is None):
            raise NotAllowedError("at most one parameter, a known charset")
        return text


def charset_of(content_type: str) -> str | None:
    """Return the charset that a media type names, as a codec that holds ASCII as it is; None without a usable one."""
    for parameter in content_type.split(";")[1:]:
        if (found := _CHARSET.fullmatch(parameter)) is not None:
            return _codec(found["name"])
    return None


def _codec(name: str) -> str | None:
    try:
        codec = codecs.lookup(name)
        return codec.name if _ASCII.encode(codec.name) == _ASCII.encode("ascii") else None
    except (LookupError, ValueError):
        return None
