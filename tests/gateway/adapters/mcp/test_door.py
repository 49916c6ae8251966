import pytest

from axhub.gateway.adapters.mcp.door import Door
from axhub.gateway.ports import HttpRequest

JSON = {b"content-type": b"application/json"}


def status(
    headers: dict[bytes, bytes],
    *,
    origins: tuple[str, ...] | None = None,
    hosts: tuple[str, ...] = (),
    path: bytes = b"/mcp",
    method: bytes = b"POST",
    repeated: frozenset[bytes] = frozenset(),
) -> int | None:
    door = Door(allowed_origins=origins, allowed_hosts=hosts)
    turned = door.turn_away(HttpRequest(method, path, {**JSON, **headers}, repeated, b""))
    return None if turned is None else turned.status


@pytest.mark.req("gateway/P3", "input/B57", "input/B61")
@pytest.mark.parametrize(
    ("path", "method", "expected"),
    [
        (b"/mcp", b"POST", None),
        (b"/mcp/", b"POST", None),
        (b"/mcp", b"GET", 405),
        (b"/mcp", b"DELETE", 405),
        (b"/mcp", b"OPTIONS", 405),
        (b"/MCP", b"POST", 404),
        (b"//mcp", b"POST", 404),
        (b"/mcp/../actuator/health", b"POST", 404),
        (b"/mcp/%2e%2e/actuator", b"POST", 404),
        (b"/%6dcp", b"POST", 404),
        (b"/actuator/health", b"GET", 404),
        (b"/", b"POST", 404),
        (b"*", b"OPTIONS", 404),
    ],
)
def test_one_path_and_one_method_are_served(path: bytes, method: bytes, expected: int | None) -> None:
    assert status({}, path=path, method=method) == expected


@pytest.mark.req("gateway/P5", "input/B50", "threat/T14")
@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (b"http://localhost:3000", None),
        (b"http://127.0.0.1", None),
        (b"https://[::1]:8443", None),
        (b"http://localhost.evil.example", 403),
        (b"http://evil.example", 403),
        (b"http://evil.example#localhost", 403),
        (b"http://localhost:3000/path", 403),
        (b"null", 403),
        (b"", 403),
        (b"http://localhost:3000 http://evil.example", 403),
        ("http://예시".encode(), 403),
    ],
)
def test_bound_to_loopback_only_loopback_origins_are_let_in(origin: bytes, expected: int | None) -> None:
    assert status({b"origin": origin}) == expected


@pytest.mark.req("gateway/P5", "input/B50")
@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (b"https://app.example", None),
        (b"https://APP.example", None),
        (b"https://app.example:443", None),
        (b"https://app.example:8443", 403),
        (b"http://app.example", 403),
        (b"http://localhost", 403),
        (b"https://app.example.evil", 403),
    ],
)
def test_configured_origins_are_compared_as_origins(origin: bytes, expected: int | None) -> None:
    assert status({b"origin": origin}, origins=("https://app.example",)) == expected


@pytest.mark.req("gateway/P5")
def test_without_allowed_origins_every_origin_is_refused_and_none_is_fine() -> None:
    assert status({b"origin": b"http://localhost"}, origins=()) == 403
    assert status({}, origins=()) is None


@pytest.mark.req("gateway/P5", "input/B50")
def test_two_origins_are_refused() -> None:
    assert status({b"origin": b"http://localhost"}, repeated=frozenset({b"origin"})) == 403


@pytest.mark.req("gateway/P5", "input/B49")
@pytest.mark.parametrize(
    ("host", "expected"),
    [
        (b"mcp.example", None),
        (b"MCP.example:8443", None),
        (b"other.example:9000", None),
        (b"other.example", 421),
        (b"other.example:9001", 421),
        (b"mcp.example.evil", 421),
        (b"[::1]", None),
        (b"[::1]:8080", None),
        (b"", 421),
    ],
)
def test_hosts_are_checked_when_they_are_configured(host: bytes, expected: int | None) -> None:
    assert status({b"host": host}, hosts=("mcp.example", "other.example:9000", "[::1]")) == expected


@pytest.mark.req("gateway/P5")
def test_hosts_are_not_checked_by_default() -> None:
    assert status({b"host": b"whatever.example"}) is None


@pytest.mark.req("gateway/P6", "input/B51", "input/B62")
@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({b"content-type": b"Application/JSON"}, None),
        ({b"content-type": b"application/json; charset=utf-8"}, None),
        ({b"content-type": b'application/json;charset="UTF-8"'}, None),
        ({b"content-type": b"application/json; charset=latin-1"}, 415),
        ({b"content-type": b"text/plain"}, 415),
        ({b"content-type": b"application/jsonp"}, 415),
        ({b"content-type": b"multipart/form-data; boundary=x"}, 415),
        ({b"content-type": b""}, 415),
        ({b"content-encoding": b"gzip"}, 415),
        ({b"content-encoding": b"Identity"}, None),
    ],
)
def test_the_body_is_plain_json(headers: dict[bytes, bytes], expected: int | None) -> None:
    assert status(headers) == expected
