"""The kinds of values that are addresses or headers; addresses are read by the product's one URL parser."""

import re
from dataclasses import dataclass

from axhub.contract.endpoints import (
    Endpoint,
    EndpointError,
    Origin,
    check_relative,
    is_absolute,
    parse_origin,
    parse_url,
)
from axhub.gateway.config.kinds import NotAllowedError, Text
from axhub.gateway.config.values import Raw

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_BIND_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9._-]+)?")


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
class Url:
    """An absolute http(s) URL, read by the product's one URL parser."""

    query: bool = True
    allowed: str = "an http:// or https:// URL with a host, without user, password or fragment"

    def read(self, raw: Raw) -> Endpoint:
        """See `Kind`."""
        text = Text().read(raw)
        try:
            endpoint = parse_url(text)
        except EndpointError as error:
            raise NotAllowedError(str(error)) from None
        if not self.query and b"?" in endpoint.target:
            raise NotAllowedError("a query cannot stand here, since paths are appended")
        return endpoint


@dataclass(frozen=True, slots=True)
class OriginOrAny:
    """An origin for calls, or `*` for every one (decision/D1)."""

    allowed: str = 'an origin such as "http://host:8080", or "*"'

    def read(self, raw: Raw) -> Origin | None:
        """See `Kind`; None stands for `*`."""
        return None if raw.text == "*" else _origin(raw)


@dataclass(frozen=True, slots=True)
class BrowserOrigin:
    """An origin as a browser sends it in the header `Origin` (gateway/P5)."""

    allowed: str = 'an origin such as "https://console.example.com"'

    def read(self, raw: Raw) -> str:
        """See `Kind`; the default port is left out, as browsers do."""
        origin = _origin(raw)
        return f"{origin.scheme}://{origin.authority.decode()}"


@dataclass(frozen=True, slots=True)
class HostHeader:
    """A value of the header `Host` (gateway/P5)."""

    allowed: str = 'a host or host:port such as "mcp.example.com:8080"'

    def read(self, raw: Raw) -> str:
        """See `Kind`; lower case."""
        text = Text().read(raw)
        try:
            parse_origin(f"http://{text}")
        except EndpointError as error:
            raise NotAllowedError(str(error)) from None
        return text.lower()


@dataclass(frozen=True, slots=True)
class BindHost:
    """Where a port is opened: an address of this machine, or a name that stands for one."""

    allowed: str = "an IP address or a host name"

    def read(self, raw: Raw) -> str:
        """See `Kind`; an IPv6 address without brackets."""
        text = Text().read(raw).removeprefix("[").removesuffix("]")
        if not _BIND_HOST.fullmatch(text):
            raise NotAllowedError
        return text


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


def _origin(raw: Raw) -> Origin:
    try:
        return parse_origin(Text().read(raw))
    except EndpointError as error:
        raise NotAllowedError(str(error)) from None
