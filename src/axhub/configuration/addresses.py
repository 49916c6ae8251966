"""The kinds of values that are addresses, read by the product's one URL parser."""

import re
from dataclasses import dataclass
from typing import Final

from axhub.configuration.kinds import NotAllowedError, Text
from axhub.configuration.values import Raw
from axhub.contract.endpoints import Endpoint, EndpointError, Origin, parse_origin, parse_url

_BIND_HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9._-]+)?")


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
class BrowserOrigin:
    """An origin as a browser sends it in the header `Origin` (gateway/P5)."""

    allowed: str = 'an origin such as "https://console.example.com"'

    def read(self, raw: Raw) -> str:
        """See `Kind`; the default port is left out, as browsers do."""
        origin = read_origin(raw)
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


def read_origin(raw: Raw) -> Origin:
    """Return a text that is an origin.

    Raises:
        NotAllowedError: it is none.
    """
    try:
        return parse_origin(Text().read(raw))
    except EndpointError as error:
        raise NotAllowedError(str(error)) from None
