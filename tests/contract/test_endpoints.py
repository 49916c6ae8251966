"""The one URL parser, and where a tool is called (decision/D1, decision/D2)."""

from urllib.parse import urlsplit

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from axhub.contract.endpoints import (
    Endpoint,
    EndpointError,
    EndpointPolicy,
    NoEndpointError,
    Origin,
    UndeclaredOriginError,
    check_relative,
    is_absolute,
    is_ip_literal,
    parse_origin,
    parse_url,
    resolve,
)

DOMAIN = parse_url("http://tools:8080/base")
POLICY = EndpointPolicy(DOMAIN, None, frozenset({DOMAIN.origin}), any_origin=False)
URL_TEXT = st.text(alphabet="ab.:/?#@\\%25eE2fF;=&[]0123456789-_ \t\n\u3002\uff0f가", max_size=30)


def policy(
    domain: str | None = "http://tools:8080/base", base: str | None = None, *more: str, any_origin: bool = False
) -> EndpointPolicy:
    """What a deployment declares by its addresses and `more` allowed origins."""
    own = [parse_url(url) for url in (domain, base) if url is not None]
    declared = frozenset(endpoint.origin for endpoint in own) | frozenset(map(parse_origin, more))
    return EndpointPolicy(
        parse_url(domain) if domain else None, parse_url(base) if base else None, declared, any_origin=any_origin
    )


class TestParsing:
    @pytest.mark.parametrize(
        ("text", "origin", "target"),
        [
            ("http://tools:8080/tool-manifest", Origin("http", "tools", 8080), b"/tool-manifest"),
            ("https://tools", Origin("https", "tools", 443), b"/"),
            ("http://tools?x=1", Origin("http", "tools", 80), b"/?x=1"),
            ("HTTP://Tools.Example:80/A?b=//c@d", Origin("http", "tools.example", 80), b"/A?b=//c@d"),
            ("http://10.0.0.1/a%2Fb", Origin("http", "10.0.0.1", 80), b"/a%2Fb"),
            ("http://[::1]:9/", Origin("http", "::1", 9), b"/"),
            ("http://[2001:DB8:0:0::1]/", Origin("http", "2001:db8::1", 80), b"/"),
            (
                "http://tool_service.ax-hub.svc.cluster.local:65535/x//y@z",
                Origin("http", "tool_service.ax-hub.svc.cluster.local", 65535),
                b"/x//y@z",
            ),
            ("http://1a.2b/", Origin("http", "1a.2b", 80), b"/"),
        ],
    )
    def test_a_url_is_read_into_origin_and_target(self, text: str, origin: Origin, target: bytes) -> None:
        assert parse_url(text) == Endpoint(origin, target)

    @pytest.mark.req("decision/D1", "gateway/C2", "input/B22", "input/B23", "input/B24")
    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("", "not an absolute URL"),
            ("tools:8080/x", "not an absolute URL"),
            ("//tools/x", "not an absolute URL"),
            ("http:/tools", "not an absolute URL"),
            ("http:tools", "not an absolute URL"),
            ("file:///etc/passwd", "scheme 'file' is not http or https"),
            ("FILE:///etc/passwd", "scheme 'file' is not http or https"),
            ("gopher://tools/", "scheme 'gopher'"),
            ("ftp://tools/", "scheme 'ftp'"),
            ("unix://tools/", "scheme 'unix'"),
            ("data:text/plain,x", "not an absolute URL"),
            (" http://tools/", "a blank"),
            ("http://tools/ ", "a blank"),
            ("http://to ols/", "a blank"),
            ("ht\ntp://tools/", "a blank"),
            ("http://tools/\x00", "a control character"),
            ("http://tools/\x7f", "a control character"),
            ("http://tools/\u3000", "a blank"),
            ("http://보험/", "non-ASCII character U+BCF4"),
            ("http://tools/경로", "non-ASCII character"),
            ("http://to\u200dols/", "non-ASCII character"),
            ("http://user@tools/", "user information"),
            ("http://user:secret@tools/", "user information"),
            ("http://tools:80@evil.example/", "user information"),
            ("http://tools#@evil.example/", "fragment"),
            ("http://tools/#x", "fragment"),
            ("http://tools\\@evil.example/", "backslash"),
            ("http://tools/a\\b", "backslash"),
            ("http:///x", "no host"),
            ("http://:80/", "no host"),
            ("http://tools./", "ends with a dot"),
            ("http://10.0.0.1./", "ends with a dot"),
            ("http://127.1/", "not a plain IPv4 address"),
            ("http://0x7f000001/", "not a plain IPv4 address"),
            ("http://0x7f.0.0.1/", "not a plain IPv4 address"),
            ("http://2130706433/", "not a plain IPv4 address"),
            ("http://0177.0.0.1/", "not a plain IPv4 address"),
            ("http://127.0.0.01/", "not a plain IPv4 address"),
            ("http://256.0.0.1/", "not a plain IPv4 address"),
            ("http://1.2.3.4.5/", "not a plain IPv4 address"),
            ("http://tools.0x/", "not a plain IPv4 address"),
            ("http://0.0.0.0/", "not an address that can be called"),
            ("http://[::ffff:127.0.0.1]/", "a zone, a mapped IPv4"),
            ("http://[::]/", "a zone, a mapped IPv4"),
            ("http://[fe80::1%25eth0]/", "a zone, a mapped IPv4"),
            ("http://[::g]/", "not an IPv6 address"),
            ("http://[::1/", "host is malformed"),
            ("http://::1/", "no host"),
            ("http://[::1]x/", "host is malformed"),
            ("http://tools:/", "port is not a number"),
            ("http://tools:0/", "port is not a number"),
            ("http://tools:080/", "port is not a number"),
            ("http://tools:65536/", "port is not a number"),
            ("http://tools:http/", "port is not a number"),
            ("http://tools:+80/", "port is not a number"),
            ("http://tools:\uff18\uff10/", "non-ASCII"),
            ("http://to%6fls/", "not a host name"),
            ("http://-tools/", "not a host name"),
            ("http://tools-/", "not a host name"),
            ("http://a..b/", "not a host name"),
            ("http://" + "a" * 64 + "/", "not a host name"),
            ("http://" + ".".join(["a" * 60] * 5) + "/", "not a host name"),
            ("http://tools/a/../b", "'.' or '..' segment"),
            ("http://tools/%2e%2E/b", "'.' or '..' segment"),
            ("http://tools/a|b", "percent-encoded"),
            ("http://tools/{id}", "percent-encoded"),
            ("http://tools/%zz", "two hex digits"),
            ("http://tools/a?b=%0d%0aX", "percent-encoded control character"),
            ("http://tools/" + "a" * 2048, "longer than 2048"),
        ],
    )
    def test_what_readers_could_understand_differently_is_refused(self, text: str, part: str) -> None:
        with pytest.raises(EndpointError) as error:
            parse_url(text)
        assert part in str(error.value)

    @given(URL_TEXT.map(lambda rest: "http://" + rest))
    @example("http://tools:80@evil/")
    def test_what_is_taken_has_the_host_and_port_that_other_readers_see(self, text: str) -> None:
        try:
            endpoint = parse_url(text)
        except EndpointError:
            return
        other = urlsplit(text)
        assert other.hostname is not None
        assert parse_url(str(endpoint)) == endpoint
        assert (endpoint.origin.host, endpoint.origin.port) == (other.hostname, other.port or 80)
        assert other.username is None
        assert not other.fragment

    @pytest.mark.parametrize(
        ("text", "authority"),
        [
            ("http://tools:8080", b"tools:8080"),
            ("http://tools:80", b"tools"),
            ("https://tools:443", b"tools"),
            ("https://tools:80", b"tools:80"),
            ("http://[::1]", b"[::1]"),
            ("http://[::1]:8080", b"[::1]:8080"),
        ],
    )
    def test_the_host_header_leaves_out_the_default_port(self, text: str, authority: bytes) -> None:
        assert parse_origin(text).authority == authority

    def test_an_origin_is_shown_with_its_port(self) -> None:
        assert str(parse_origin("http://tools")) == "http://tools:80"
        assert str(parse_origin("https://[::1]")) == "https://[::1]:443"
        assert str(parse_url("http://tools/a?b")) == "http://tools:80/a?b"

    @pytest.mark.parametrize("text", ["http://tools/", "http://tools/x", "http://tools?x", "http://tools:80/"])
    def test_nothing_may_stand_after_an_origin(self, text: str) -> None:
        with pytest.raises(EndpointError, match="nothing may stand after"):
            parse_origin(text)

    @pytest.mark.req("gateway/C2")
    @pytest.mark.parametrize(
        ("text", "literal"),
        [("http://10.0.0.1", True), ("http://[::1]", True), ("http://tools", False), ("http://10.tools", False)],
    )
    def test_addresses_are_told_from_names(self, text: str, literal: bool) -> None:
        assert is_ip_literal(parse_origin(text)) == literal


class TestRelative:
    @pytest.mark.req("decision/D2")
    @pytest.mark.parametrize(
        ("base", "relative", "url"),
        [
            ("http://tools:8080", "/search", "http://tools:8080/search"),
            ("http://tools:8080/", "search", "http://tools:8080/search"),
            ("http://tools:8080/base", "/search", "http://tools:8080/base/search"),
            ("http://tools:8080/base/", "search/now", "http://tools:8080/base/search/now"),
            ("http://tools:8080/base", "/search?v=1&w=a:b", "http://tools:8080/base/search?v=1&w=a:b"),
            ("http://tools:8080/base", "?v=1", "http://tools:8080/base/?v=1"),
            ("http://tools:8080/base", "/", "http://tools:8080/base/"),
            ("http://tools:8080/base", "/a/", "http://tools:8080/base/a/"),
            ("http://tools:8080/base", "/..a/b...;v=1", "http://tools:8080/base/..a/b...;v=1"),
            ("http://tools:8080/base", "/a:b", "http://tools:8080/base/a:b"),
            ("http://tools:8080/base", "/a%2Fb", "http://tools:8080/base/a%2Fb"),
        ],
    )
    def test_it_is_appended_to_the_service_domain_with_one_slash(self, base: str, relative: str, url: str) -> None:
        assert str(resolve(relative, None, policy(base))) == url

    @pytest.mark.req("decision/D2", "input/B25")
    @pytest.mark.parametrize(
        ("relative", "part"),
        [
            ("", "empty"),
            ("//evil.example/x", "'//'"),
            ("/a//b", "'//'"),
            ("/a?u=http://x", "'//'"),
            ("@evil.example/x", "'@'"),
            ("/a@b", "'@'"),
            ("/\\evil.example", "backslash"),
            ("/a#b", "fragment"),
            ("/a b", "a blank"),
            ("/a\r\nX: y", "a blank"),
            ("/..", "'.' or '..'"),
            ("/../x", "'.' or '..'"),
            ("./x", "'.' or '..'"),
            ("/a/%2e%2e/b", "'.' or '..'"),
            ("/a/%2E./b", "'.' or '..'"),
            ("/a/%252e%252e/b", "'.' or '..'"),
            ("/a/..%2fb", "'.' or '..'"),
            ("/a/..%5cb", "'.' or '..'"),
            ("/;/../x", "'.' or '..'"),
            ("/..;a=b/x", "'.' or '..'"),
            ("/%2fevil", "empty segment"),
            ("%2Fevil", "empty segment"),
            ("/a%0d%0aX", "control character"),
            ("/a%00", "control character"),
            ("/경로", "non-ASCII"),
            ("/{id}", "percent-encoded"),
            (":80/x", "':'"),
            ("?" + "a" * 2048, "longer than"),
        ],
    )
    def test_what_could_leave_its_base_is_refused(self, relative: str, part: str) -> None:
        assert not is_absolute(relative)
        with pytest.raises(EndpointError) as error:
            resolve(relative, None, POLICY)
        assert part in str(error.value)

    def test_at_and_port_tricks_do_not_reach_another_host(self) -> None:
        for trick in (":80@evil.example/", "@evil.example", "tools@evil.example"):
            with pytest.raises(EndpointError):
                resolve(trick, None, POLICY)

    @pytest.mark.req("decision/D1", "decision/D2", "input/B25", "threat/T01")
    @given(URL_TEXT)
    @example(":80@evil/")
    @example("/%25252e%25252e/")
    def test_no_relative_text_changes_the_origin_or_leaves_the_path(self, text: str) -> None:
        assume(not is_absolute(text))
        try:
            endpoint = resolve(text, None, POLICY)
        except EndpointError:
            return
        other = urlsplit(str(endpoint))
        assert endpoint.origin == DOMAIN.origin
        assert (other.hostname, other.port) == ("tools", 8080)
        assert endpoint.target.startswith(b"/base/")
        assert b"/../" not in endpoint.target

    def test_without_a_service_domain_it_leads_nowhere(self) -> None:
        with pytest.raises(EndpointError, match="no serviceDomain"):
            resolve("/x", None, policy(None, "http://base:1/mcp"))

    def test_a_service_domain_with_a_query_cannot_be_appended_to(self) -> None:
        with pytest.raises(EndpointError, match="ends in a query"):
            resolve("/x", None, policy("http://tools/?a=1"))

    def test_the_form_alone_can_be_checked(self) -> None:
        check_relative("/tools/search?v=1")
        with pytest.raises(EndpointError):
            check_relative("//x")


class TestResolving:
    @pytest.mark.req("decision/D2", "input/B26")
    @pytest.mark.parametrize(
        ("endpoint", "meta", "url"),
        [
            ("/a", "/b", "http://tools:8080/base/a"),
            (None, "/b", "http://tools:8080/base/b"),
            (None, None, "http://other:9/mcp?x=1"),
            ("http://other:9/c", "/b", "http://other:9/c"),
        ],
    )
    def test_the_top_level_wins_then_meta_then_the_base_endpoint_verbatim(
        self, endpoint: str | None, meta: str | None, url: str
    ) -> None:
        assert str(resolve(endpoint, meta, policy("http://tools:8080/base", "http://other:9/mcp?x=1"))) == url

    @pytest.mark.req("decision/D2")
    def test_no_address_at_all_is_refused(self) -> None:
        with pytest.raises(NoEndpointError, match="no endpoint and its bundle no baseEndpoint"):
            resolve(None, None, POLICY)

    @pytest.mark.req("decision/D1", "input/B21", "input/B22", "threat/T01")
    @pytest.mark.parametrize(
        ("url", "origin"),
        [
            ("http://evil.example/x", "http://evil.example:80"),
            ("https://tools:8080/x", "https://tools:8080"),
            ("http://tools/x", "http://tools:80"),
            ("http://tools:8081/x", "http://tools:8081"),
            ("http://tools.evil.example:8080/x", "http://tools.evil.example:8080"),
            ("http://169.254.169.254/latest/meta-data", "http://169.254.169.254:80"),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"),
            ("http://[::1]:8080/x", "http://[::1]:8080"),
        ],
    )
    def test_an_undeclared_origin_is_refused_with_the_line_that_would_allow_it(self, url: str, origin: str) -> None:
        with pytest.raises(UndeclaredOriginError) as error:
            resolve(url, None, POLICY)
        assert f'allowedEndpointOrigins: ["{origin}"]' in str(error.value)
        assert str(resolve(url, None, policy(POLICY_URL, None, origin))).startswith(origin)

    @pytest.mark.req("decision/D1")
    def test_an_absolute_endpoint_at_a_declared_origin_is_used_as_it_is(self) -> None:
        assert str(resolve("HTTP://TOOLS:8080/x//y?z=%41", None, POLICY)) == "http://tools:8080/x//y?z=%41"

    @pytest.mark.req("decision/D1")
    def test_the_star_turns_the_origin_check_off_and_no_other(self) -> None:
        open_policy = policy(any_origin=True)
        assert str(resolve("http://elsewhere:1/x", None, open_policy)) == "http://elsewhere:1/x"
        with pytest.raises(EndpointError):
            resolve("file:///etc/passwd", None, open_policy)

    @pytest.mark.req("decision/D1", "threat/T01")
    @given(st.one_of(URL_TEXT, URL_TEXT.map(lambda rest: "http://" + rest), st.text()), st.one_of(st.none(), URL_TEXT))
    def test_no_text_leads_to_an_undeclared_origin(self, endpoint: str, meta: str | None) -> None:
        declared = policy(POLICY_URL, "http://other:9/mcp", "http://a")
        try:
            found = resolve(endpoint, meta, declared)
        except EndpointError:
            return
        assert found.origin in declared.declared
        assert parse_url(str(found)).origin in declared.declared


POLICY_URL = "http://tools:8080/base"
