"""One reading of Content-Type for callers, manifests and tools (RFC 9110 §8.3.1)."""

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.endpoints import parse_url
from axhub.contract.media import MediaType, is_json, media_type
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.adapters.mcp.door import Door
from axhub.gateway.ports import HttpRequest, UpstreamAnswer

KINDS = [
    (b"application/json", MediaType(b"application/json", None)),
    (b" Application/JSON\t", MediaType(b"application/json", None)),
    (b"application/json;", MediaType(b"application/json", None)),
    (b"application/json ; ; charset=UTF-8", MediaType(b"application/json", b"utf-8")),
    (b'application/json;CHARSET="utf-8"', MediaType(b"application/json", b"utf-8")),
    (b'application/json;charset="utf\\-8"', MediaType(b"application/json", b"utf-8")),
    (b"application/json; profile=x; charset=latin-1", MediaType(b"application/json", b"latin-1")),
    (b'application/json; x="a;charset=utf-16"', MediaType(b"application/json", None)),
    (b'application/json; x="\\"; charset=utf-16"; charset=utf-8', MediaType(b"application/json", b"utf-8")),
    (b"application/problem+json;charset=utf-8", MediaType(b"application/problem+json", b"utf-8")),
    (b"application/problem+jsonx", MediaType(b"application/problem+jsonx", None)),
    (b"", None),
    (b"json", None),
    (b"application/", None),
    (b"application/json, text/html", None),
    (b"application/json application/json", None),
    (b"application / json", None),
    (b"application/json; charset", None),
    (b"application/json;charset=", None),
    (b"application/json; charset = utf-8", None),
    (b'application/json; charset="utf-8', None),
    (b'application/json; charset=""', MediaType(b"application/json", b"")),
    (b"application/json; charset=utf-8; charset=utf-16", None),
    (b"application/json\x00", None),
    (b"application/json\n", None),
    ("application/제이슨".encode(), None),
]
UTF8_JSON = [kind for kind, meant in KINDS if meant in {MediaType(b"application/json", c) for c in (None, b"utf-8")}]
OTHER = [kind for kind, _ in KINDS if kind not in UTF8_JSON]


@pytest.mark.parametrize(("value", "meant"), KINDS)
def test_a_content_type_is_its_media_type_and_its_charset_in_lower_case_or_unreadable(
    value: bytes, meant: MediaType | None
) -> None:
    assert media_type(value) == meant


@given(st.binary(max_size=60) | st.text('aA/;= "\\\t,charset-8', max_size=60).map(str.encode))
def test_any_bytes_are_read_without_an_error(value: bytes) -> None:
    found = media_type(value)
    assert found is None or (b"/" in found.name and found.name == found.name.lower())
    assert is_json(value) == (
        found is not None and found.name == b"application/json" and found.charset in {None, b"utf-8"}
    )


def test_a_long_hostile_value_is_read_in_linear_time() -> None:
    assert media_type(b"a/b" + b' ;x="' * 2001) is None
    assert media_type(b"a/b" + b" ; " * 2000 + b"!") is None


async def taken_from_a_caller(value: bytes) -> bool:
    door = Door(allowed_origins=None, allowed_hosts=())
    return door.turn_away(HttpRequest(b"POST", b"/mcp", {b"content-type": value}, frozenset(), b"")) is None


async def taken_as_a_manifest(value: bytes) -> bool:
    async def fetch(*_asked: object) -> UpstreamAnswer:
        return UpstreamAnswer(200, {b"content-type": value}, b"{}")

    endpoints = {"a": parse_url("http://127.0.0.1/m")}
    source = HttpManifestSource(fetch, endpoints, connect_timeout=1, read_timeout=1, max_bytes=10)
    return (await source.pull("a", None)).body is not None


@pytest.mark.req("gateway/P3", "gateway/G5")
@pytest.mark.parametrize("reader", [taken_from_a_caller, taken_as_a_manifest])
@pytest.mark.parametrize("value", [*UTF8_JSON, *OTHER])
async def test_callers_and_tool_services_are_held_to_the_same_reading(
    reader: Callable[[bytes], Awaitable[bool]], value: bytes
) -> None:
    assert await reader(value) == (value in UTF8_JSON)
