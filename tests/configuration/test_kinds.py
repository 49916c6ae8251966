"""What each kind of value takes and refuses."""

import pytest

from axhub.configuration import addresses, kinds
from axhub.configuration.faults import Place, Where
from axhub.configuration.kinds import Kind, NotAllowedError
from axhub.configuration.source import Scalar, Style
from axhub.configuration.values import typed
from axhub.contract.endpoints import parse_url

HERE = Place(Where.FILE, "f.yaml", 1)


def _read(kind: Kind, text: str, style: Style = Style.PLAIN) -> object:
    return kind.read(typed(Scalar(text, HERE, style), text))


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (kinds.Whole(1, 10), "10", 10),
        (kinds.Whole(-40000, 10), "-32001", -32001),
        (kinds.Seconds(60), "0", 0.0),
        (kinds.Seconds(60), "2.5", 2.5),
        (kinds.Seconds(60, above_zero=True), "60", 60.0),
        (kinds.Seconds(60), "1e-3", 0.001),
        (kinds.Switch(), "true", True),
        (kinds.Switch(), "False", False),
        (kinds.Switch(not_yet=True), "false", False),
        (kinds.Text(), "보험 처리", "보험 처리"),
        (kinds.Text(), "yes", "yes"),
        (kinds.Choice(("json", "text")), "json", "json"),
        (kinds.Prefix(), "", ""),
        (kinds.Prefix(), "processing_", "processing_"),
        (kinds.Prefix(), "a" * 63, "a" * 63),
        (kinds.FilePath(), "a/b.json", "a/b.json"),
        (kinds.FilePath(), "file:./설정/b.json", "./설정/b.json"),
        (kinds.FilePath(), "file:/etc/b.json", "/etc/b.json"),
        (kinds.FilePath(), "file:///etc/b.json", "/etc/b.json"),
        (addresses.Url(), "HTTP://Tools:80/a?b", parse_url("http://tools/a?b")),
        (addresses.BrowserOrigin(), "https://x:443", "https://x"),
        (addresses.BrowserOrigin(), "http://[::1]:6274", "http://[::1]:6274"),
        (addresses.HostHeader(), "MCP.example.com:8080", "mcp.example.com:8080"),
        (addresses.HostHeader(), "[::1]", "[::1]"),
        (addresses.BindHost(), "0.0.0.0", "0.0.0.0"),
        (addresses.BindHost(), "[::1]", "::1"),
        (addresses.BindHost(), "fe80::1%eth0", "fe80::1%eth0"),
        (addresses.BindHost(), "localhost", "localhost"),
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
        *[(kinds.Whole(1, 10), text) for text in ("0", "11", "1.0", "true", "abc", "", "012", "1" * 5000, "1e1")],
        *[(kinds.Seconds(60), text) for text in ("-1", "61", "true", "abc", "", ".inf", ".nan", "9" * 400, "1" * 50)],
        (kinds.Seconds(60, above_zero=True), "0"),
        (kinds.Seconds(60, above_zero=True), "0.0"),
        *[(kinds.Switch(), text) for text in ("yes", "1", "0", "", "abc")],
        *[(kinds.Text(), text) for text in ("", "1234", "1.5", "true", "a\u200bb", "a\x07", "x" * 1025)],
        *[(kinds.Choice(("json", "text")), text) for text in ("JSON", "", "xml")],
        *[(kinds.Prefix(), text) for text in ("보험_", "a b", "a:", "a" * 64, "12")],
        *[(kinds.FilePath(), text) for text in ("file:", "file://host/x", "")],
        *[
            (addresses.Url(), text)
            for text in ("ftp://x/", "http://", "http:///x", "http://u:p@x/", "http://x/#f", "x/y", "http://한국/", "")
        ],
        *[(addresses.BrowserOrigin(), text) for text in ("*", "null", "http://x/y", "")],
        *[(addresses.HostHeader(), text) for text in ("http://x", "a/b", "a b", "x:99999", "*")],
        *[(addresses.BindHost(), text) for text in ("a b", "http://x", "", "한국")],
    ],
)
def test_what_is_not_allowed_is_refused(kind: Kind, text: str) -> None:
    with pytest.raises(NotAllowedError):
        _read(kind, text)


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("kind", [kinds.Whole(1, 10), kinds.Seconds(10), kinds.Switch()])
@pytest.mark.parametrize("text", ["5", "true"])
def test_a_number_or_truth_value_in_quotes_is_text(kind: Kind, text: str) -> None:
    with pytest.raises(NotAllowedError):
        _read(kind, text, Style.QUOTED)


@pytest.mark.req("gateway/C1")
def test_a_number_in_quotes_and_a_number_from_a_variable_can_be_a_text() -> None:
    assert _read(kinds.Text(), "1234", Style.QUOTED) == "1234"
    assert _read(kinds.Text(), "1234", Style.VARIABLE) == "1234"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("text", [" a", "a ", " "])
def test_blanks_around_a_text_are_refused(text: str) -> None:
    with pytest.raises(NotAllowedError):
        _read(kinds.Text(), text, Style.QUOTED)


@pytest.mark.req("decision/D2", "decision/D3")
def test_a_service_domain_cannot_have_a_query_since_paths_are_appended() -> None:
    with pytest.raises(NotAllowedError, match="a query cannot stand here"):
        _read(addresses.Url(query=False), "http://x/?a=b")
    assert _read(addresses.Url(query=False), "http://x/base") == parse_url("http://x/base")


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("kind", "text"),
    [(kinds.NotYet(), "50"), (kinds.Switch(not_yet=True), "true"), (kinds.Choice(("tool-service",), ("mcp",)), "mcp")],
)
def test_what_a_later_version_brings_is_refused_by_saying_so(kind: Kind, text: str) -> None:
    with pytest.raises(NotAllowedError, match="not available yet"):
        _read(kind, text)
