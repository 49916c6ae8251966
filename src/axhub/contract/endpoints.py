"""Where a call goes: the product's one URL parser, and endpoint resolution (decision/D1, decision/D2).

Addresses come from two places: the deployment's configuration, which is trusted to name origins, and manifests,
which are not. Both are read by the same strict parser; what two URL readers could understand differently is refused
rather than repaired. A manifest's address is only ever used at an origin that the deployment declared.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final, Literal, cast
from urllib.parse import unquote

MAX_URL_CHARS: Final = 2048

Scheme = Literal["http", "https"]

_DEFAULT_PORT: Final = {"http": 80, "https": 443}
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_ABSOLUTE: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?]*)(?P<target>.*)", re.DOTALL)
_ORIGIN: Final = re.compile(r"[^/]*//[^/?]*")
_AUTHORITY: Final = re.compile(r"(?:\[(?P<six>[^\[\]]*)\]|(?P<host>[^:\[\]]*))(?::(?P<port>.*))?", re.DOTALL)
_PORT: Final = re.compile(r"[1-9][0-9]{0,4}")
_MAX_PORT: Final = 65535
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_MAX_HOST_CHARS: Final = 253
_NUMBER_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_IPV4: Final = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}")
_PATH_CHARACTERS: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*")
_QUERY_CHARACTERS: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]]|%[0-9A-Fa-f]{2})*")
_ENCODED_CONTROL: Final = re.compile(r"%(?:[01][0-9A-Fa-f]|7[Ff])")
_DOT_SEGMENTS: Final = frozenset({".", ".."})


class EndpointError(ValueError):
    """A URL or endpoint that is not accepted; the message says why, for the operator or the author."""


class UndeclaredOriginError(EndpointError):
    """A well-formed address at an origin that the deployment did not declare."""


class NoEndpointError(EndpointError):
    """There is nothing that says where to call."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port: what a deployment declares and a connection is made to."""

    scheme: Scheme
    host: str
    """Lower-case name, dotted IPv4 address, or compressed IPv6 address without brackets."""
    port: int

    @property
    def authority(self) -> bytes:
        """The value of the `Host` header: without the scheme's default port, IPv6 in brackets."""
        suffix = "" if self.port == _DEFAULT_PORT[self.scheme] else f":{self.port}"
        return (self._bracketed() + suffix).encode()

    def _bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    def __str__(self) -> str:
        return f"{self.scheme}://{self._bracketed()}:{self.port}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A whole address: an origin and what stands in the request line."""

    origin: Origin
    target: bytes
    """Path and query as written, `/` if the URL has neither."""

    def __str__(self) -> str:
        return f"{self.origin}{self.target.decode()}"


@dataclass(frozen=True, slots=True)
class EndpointPolicy:
    """What a deployment declared about one bundle's addresses (decision/D1, decision/D2)."""

    service_domain: Endpoint | None
    """Base of relative endpoints; its path is kept."""
    base_endpoint: Endpoint | None
    """Where tools without an endpoint of their own are POSTed, verbatim."""
    declared: frozenset[Origin]
    """Origins that an absolute endpoint of the manifest may have."""
    any_origin: bool
    """`allowedEndpointOrigins: ["*"]`: no origin check."""


def parse_url(text: str) -> Endpoint:
    """Read an absolute http(s) URL.

    Raises:
        EndpointError: it is not one, or two readers could take it for different addresses (input/B21-B25).
    """
    _refuse_characters(text)
    found = _ABSOLUTE.fullmatch(text)
    if found is None:
        raise EndpointError("it is not an absolute URL such as http://host:8080/path")
    scheme = found["scheme"].lower()
    if scheme not in _DEFAULT_PORT:
        raise EndpointError(f"its scheme {scheme!r} is not http or https")
    origin = _origin(cast("Scheme", scheme), found["authority"])
    target = found["target"]
    _check_target(target)
    return Endpoint(origin, (target if target.startswith("/") else "/" + target).encode())


def parse_origin(text: str) -> Origin:
    """Read `scheme://host` or `scheme://host:port` with nothing after it.

    Raises:
        EndpointError: it is not an origin.
    """
    _refuse_characters(text)
    if _ABSOLUTE.fullmatch(text) is None:
        raise EndpointError("it is not an origin such as http://host:8080")
    endpoint = parse_url(text)
    if _ORIGIN.fullmatch(text) is None:
        raise EndpointError("it is not an origin: nothing may stand after host and port")
    return endpoint.origin


def is_ip_literal(origin: Origin) -> bool:
    """Say whether the host is an address rather than a name."""
    return ":" in origin.host or _IPV4.fullmatch(origin.host) is not None


def is_absolute(endpoint: str) -> bool:
    """Say whether a manifest's endpoint is read as a URL of its own rather than as a path."""
    return _SCHEME.match(endpoint) is not None


def check_relative(endpoint: str) -> None:
    """Raise `EndpointError` unless `endpoint` is a path (and query) that cannot leave its base."""
    if not endpoint:
        raise EndpointError("it is empty")
    _refuse_characters(endpoint)
    if "@" in endpoint:
        raise EndpointError("a relative endpoint may not contain '@' (write %40)")
    if "//" in endpoint:
        raise EndpointError("a relative endpoint may not contain '//'")
    if not endpoint.startswith("/") and ":" in re.split("[/?]", endpoint, maxsplit=1)[0]:
        raise EndpointError("the first part of a relative endpoint may not contain ':'")
    _check_target(endpoint if endpoint.startswith("/") else "/" + endpoint)
    if "" in _decoded_segments(endpoint.lstrip("/").partition("?")[0])[:-1]:
        raise EndpointError("its path has an empty segment")


def resolve(endpoint: str | None, meta_endpoint: str | None, policy: EndpointPolicy) -> Endpoint:
    """Say where a tool is called: its `endpoint`, else its `_meta.endpoint`, else the bundle's `baseEndpoint`.

    Raises:
        EndpointError: no address at all, a malformed one, or one at an origin that was not declared.
    """
    chosen = endpoint if endpoint is not None else meta_endpoint
    if chosen is None:
        if policy.base_endpoint is None:
            raise NoEndpointError("the tool has no endpoint and its bundle no baseEndpoint")
        return policy.base_endpoint
    if not is_absolute(chosen):
        return _append(chosen, policy.service_domain)
    found = parse_url(chosen)
    if not policy.any_origin and found.origin not in policy.declared:
        raise UndeclaredOriginError(
            f"the deployment did not declare its origin {found.origin}; to allow it, add to the bundle: "
            f'allowedEndpointOrigins: ["{found.origin}"]'
        )
    return found


def _append(relative: str, base: Endpoint | None) -> Endpoint:
    check_relative(relative)
    if base is None:
        raise EndpointError("it is relative, and its bundle has no serviceDomain to append it to")
    if b"?" in base.target:
        raise EndpointError("it is relative, and the bundle's serviceDomain ends in a query")
    return Endpoint(base.origin, base.target.rstrip(b"/") + b"/" + relative.removeprefix("/").encode())


def _refuse_characters(text: str) -> None:
    if len(text) > MAX_URL_CHARS:
        raise EndpointError(f"it is longer than {MAX_URL_CHARS} characters")
    for character in text:
        if not "!" <= character <= "~":
            raise EndpointError(f"it contains {_named(character)}")
    if "\\" in text:
        raise EndpointError("it contains a backslash")
    if "#" in text:
        raise EndpointError("it has a fragment ('#')")


def _named(character: str) -> str:
    if character.isspace():
        return "a blank"
    if ord(character) < 0x20 or ord(character) == 0x7F:  # noqa: PLR2004 - the bounds of ASCII control characters
        return "a control character"
    return f"the non-ASCII character U+{ord(character):04X}"


def _origin(scheme: Scheme, authority: str) -> Origin:
    if "@" in authority:
        raise EndpointError("it carries user information ('@' before the host)")
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        raise EndpointError("its host is malformed")
    host = _ipv6(parts["six"]) if parts["six"] is not None else _host(parts["host"].lower())
    return Origin(scheme, host, _port(parts["port"], scheme))


def _port(text: str | None, scheme: Scheme) -> int:
    if text is None:
        return _DEFAULT_PORT[scheme]
    if _PORT.fullmatch(text) is None or int(text) > _MAX_PORT:
        raise EndpointError("its port is not a number from 1 to 65535")
    return int(text)


def _host(host: str) -> str:
    if not host:
        raise EndpointError("it has no host")
    if host.endswith("."):
        raise EndpointError("its host ends with a dot")
    labels = host.split(".")
    if _NUMBER_LABEL.fullmatch(labels[-1]):
        return _ipv4(host)
    if len(host) > _MAX_HOST_CHARS or not all(map(_LABEL.fullmatch, labels)):
        raise EndpointError("its host is not a host name of ASCII letters, digits, '-', '_' and '.'")
    return host


def _ipv4(host: str) -> str:
    try:
        address = IPv4Address(host)
    except AddressValueError:
        raise EndpointError("its host is a number that is not a plain IPv4 address (a.b.c.d)") from None
    if address.is_unspecified:
        raise EndpointError("its host 0.0.0.0 is not an address that can be called")
    return str(address)


def _ipv6(text: str) -> str:
    try:
        address = IPv6Address(text)
    except AddressValueError:
        raise EndpointError("its host is not an IPv6 address") from None
    if address.scope_id is not None or address.ipv4_mapped is not None or address.is_unspecified:
        raise EndpointError("its host is an IPv6 address with a zone, a mapped IPv4 address or the unspecified address")
    return str(address)


def _check_target(target: str) -> None:
    path, _, query = target.partition("?")
    if not _PATH_CHARACTERS.fullmatch(path) or not _QUERY_CHARACTERS.fullmatch(query):
        raise EndpointError("it contains a character that has to be percent-encoded, or a '%' without two hex digits")
    if _ENCODED_CONTROL.search(target):
        raise EndpointError("it contains a percent-encoded control character")
    if not _DOT_SEGMENTS.isdisjoint(segment.partition(";")[0] for segment in _decoded_segments(path)):
        raise EndpointError("its path has a '.' or '..' segment")


def _decoded_segments(path: str) -> list[str]:
    """Split a path as the most eager reader would: percent-decoded until nothing changes, either slash."""
    return list(_decodings(path))[-1].replace("\\", "/").split("/")


def _decodings(path: str) -> Iterator[str]:
    previous = None
    while path != previous:
        yield path
        previous, path = path, unquote(path, errors="replace")
