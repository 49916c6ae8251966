"""The kinds of values that the gateway alone has: paths of manifests, origins for calls, headers to forward."""

import re
from dataclasses import dataclass
from typing import Final

from axhub.configuration.addresses import read_origin
from axhub.configuration.kinds import NotAllowedError, Text
from axhub.configuration.values import Raw
from axhub.contract.endpoints import EndpointError, Origin, check_relative, is_absolute

_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")


@dataclass(frozen=True, slots=True)
class PathOnly:
    """The path of a manifest below `serviceDomain` (decision/D3)."""

    allowed: str = "a path such as /tool-manifest"

    def read(self, raw: Raw) -> str:
        """See `Kind`."""
        text = Text().read(raw)
        if is_absolute(text):
            raise NotAllowedError("a whole URL stands in manifestUrl")
        try:
            check_relative(text)
        except EndpointError as error:
            raise NotAllowedError(str(error)) from None
        return text


@dataclass(frozen=True, slots=True)
class OriginOrAny:
    """An origin for calls, or `*` for every one (decision/D1)."""

    allowed: str = 'an origin such as "http://host:8080", or "*"'

    def read(self, raw: Raw) -> Origin | None:
        """See `Kind`; None stands for `*`."""
        return None if raw.text == "*" else read_origin(raw)


@dataclass(frozen=True, slots=True)
class HeaderName:
    """A caller's header to be forwarded (decision/D8); not one that HTTP or the gateway itself decides."""

    taken: frozenset[str]
    allowed: str = "the name of a header that neither HTTP nor the gateway sets, and that carries no credentials"

    def read(self, raw: Raw) -> bytes:
        """See `Kind`; lower case."""
        name = Text().read(raw).lower()
        if name == "authorization":
            raise NotAllowedError("which is forwarded by a bundle's forwardAuthorization only")
        if not _HEADER.fullmatch(name) or name in self.taken:
            raise NotAllowedError
        return name.encode()
