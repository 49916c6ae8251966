"""What each kind of value that the gateway alone has takes and refuses."""

import pytest

from axhub.configuration.faults import Place, Where
from axhub.configuration.kinds import Kind, NotAllowedError
from axhub.configuration.source import Scalar
from axhub.configuration.values import typed
from axhub.contract.endpoints import Origin
from axhub.gateway.config.address_kinds import HeaderName, OriginOrAny, PathOnly

HERE = Place(Where.FILE, "f.yaml", 1)
HEADER = HeaderName(frozenset({"host", "guid"}))


def _read(kind: Kind, text: str) -> object:
    return kind.read(typed(Scalar(text, HERE), text))


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (PathOnly(), "/tool-manifest", "/tool-manifest"),
        (OriginOrAny(), "*", None),
        (OriginOrAny(), "https://x", Origin("https", "x", 443)),
        (HEADER, "X-Tenant", b"x-tenant"),
    ],
)
def test_what_is_allowed_becomes_the_settings_value(kind: Kind, text: str, value: object) -> None:
    read = _read(kind, text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.req("gateway/C1", "gateway/C2")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *[(PathOnly(), text) for text in ("http://x/y", "//e", "/../x", "/a b", "/%2e%2e/x")],
        *[(OriginOrAny(), text) for text in ("http://x/y", "x", "**", "", "http://x/?")],
        *[(HEADER, text) for text in ("Host", "GUID", "a b", "x:y", "Authorization", "한글", "")],
    ],
)
def test_what_is_not_allowed_is_refused(kind: Kind, text: str) -> None:
    with pytest.raises(NotAllowedError):
        _read(kind, text)


@pytest.mark.req("decision/D13")
def test_authorization_cannot_be_forwarded_as_an_extra_header() -> None:
    with pytest.raises(NotAllowedError, match="forwardAuthorization only"):
        _read(HEADER, "authorization")
