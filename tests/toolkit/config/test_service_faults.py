"""Whatever is wrong with a service's configuration is told at once, with place and mend (toolkit/S0, toolkit/H1)."""

from pathlib import Path
from typing import Any, Final

import pytest

from axhub.configuration.faults import ConfigError
from axhub.toolkit.config.loading import load_service

HEAD: Final = "mcp: {bundleId: a}\nglow:\n  communication:\n    http:\n      api-list:\n"
API: Final = {"name": "a", "domain": "https://a.example", "url": "/a", "method": "GET"}


def told(
    folder: Path, text: str, environ: dict[str, str] | None = None, **more: Any
) -> list[tuple[str, str, str, str]]:
    """Return place, key, what was found and what is allowed of each fault."""
    file = folder / "service.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_service(file, environ or {}, more.pop("profile", "production"), **more)
    return [(str(one.place).removeprefix(str(file)), one.key, one.found, one.allowed) for one in caught.value.faults]


def with_api(**values: str) -> str:
    """Return a configuration with one API on line 6."""
    said = {**API, **{name.replace("_", "-"): value for name, value in values.items()}}
    written = ", ".join(f"{name}: {value}" for name, value in said.items() if value)
    return f"{HEAD}        - {{{written}}}\n"


def key(name: str, index: int = 0) -> str:
    return f"glow.communication.http.api-list[{index}].{name}"


DOMAIN: Final = "scheme, host and port, such as https://claims.example.com:8443"
PATH: Final = "a path that begins with /, such as /claims/search"
JSON: Final = "a JSON type, such as application/json or application/json;charset=EUC-KR"
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS"


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("name", "value", "found", "allowed"),
    [
        (
            "domain",
            "https://a.example/base",
            '"https://a.example/base": it is not an origin: nothing may stand after host and port',
            DOMAIN,
        ),
        (
            "domain",
            "a.example",
            '"a.example": it is not an origin such as http://host:8080',
            DOMAIN,
        ),
        (
            "domain",
            "http://u:pw@a.example",
            "\"http://***@a.example\": it carries user information ('@' before the host)",
            DOMAIN,
        ),
        ("url", "a", '"a"', PATH),
        ("url", "https://a.example/a", '"https://a.example/a": scheme and host stand in domain', PATH),
        ("url", "/../a", "\"/../a\": its path has a '.' or '..' segment", PATH),
        ("url", "/청구", '"/청구": it contains the non-ASCII character U+CCAD', PATH),
        ("method", "post", '"post"', METHODS),
        ("content-type", "text/xml", '"text/xml"', JSON),
        (
            "content-type",
            "application/json;charset=klingon",
            '"application/json;charset=klingon": at most one parameter, a known charset',
            JSON,
        ),
        (
            "content-type",
            "application/json;charset=UTF-16",
            '"application/json;charset=UTF-16": at most one parameter, a known charset',
            JSON,
        ),
        ("biz-pod", "yes", '"yes"', "true or false"),
        ("maxRetries", "11", "11", "a whole number from 0 to 10"),
        ("totalTimeoutMillis", "0", "0", "a whole number from 1 to 3600000"),
    ],
)
def test_a_wrong_value_of_an_api_is_a_fault(name: str, value: str, found: str, allowed: str, tmp_path: Path) -> None:
    written = with_api(**{name: f'"{value}"' if not value.isdecimal() else value})
    shown = f"{found} (text, since it stands in quotes)" if found.isdecimal() and not value.isdecimal() else found
    assert told(tmp_path, written) == [(":6", key(name), shown, allowed)]


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("name", "the name that clients call it by"),
        ("domain", DOMAIN),
        ("url", PATH),
        ("method", METHODS),
    ],
)
def test_an_api_without_an_address_is_a_fault(name: str, kind: str, tmp_path: Path) -> None:
    assert told(tmp_path, with_api(**{name: ""})) == [
        (":6", key(name), "nothing: the key is missing", f"{kind} (required)")
    ]


FAULTY: Final = (
    "mcp: {bundleID: a}\nlanguage: de\ntools: {cmm_claim_search: {timeoutMillis: 0, retries: 1}}\n"
    "glow:\n  communication:\n    http:\n      api-list:\n"
    '        - {name: a, domain: "${NOWHERE}", url: /a, method: GET, headers: {X-Key: geheim}}\n'
    "        - {name: a, domain: http://localhost:1, url: /a, method: POST, maxRetries: 1}\n"
)
TOLD: Final = [
    (":1", "mcp.bundleID", "an unknown key", "bundleId (the nearest key)"),
    (":1", "mcp.bundleId", "nothing: the key is missing", "the name of the bundle (required)"),
    (":2", "language", '"de"', "en or ko"),
    (":3", "tools.cmm_claim_search.retries", "an unknown key", "one of timeoutMillis"),
    (":3", "tools.cmm_claim_search.timeoutMillis", "0", "a whole number from 1 to 3600000"),
    (
        ":8",
        key("domain"),
        "${NOWHERE}, a variable that is not set, without a default",
        "a set variable, the path of a setting, or ${NAME:default}",
    ),
    (
        ":8",
        key("headers.X-Key"),
        "a value: which does not come from one variable",
        "${NAME} alone, without a default: a secret comes from a variable of the environment",
    ),
    (
        ":9",
        key("domain", 1),
        '"http://localhost:1", this machine, while the profile is "production"',
        "an address from AXHUB_SERVICE__GLOW__COMMUNICATION__HTTP__API_LIST__1__DOMAIN, or --profile local",
    ),
    (":9", key("maxRetries", 1), "1 with the method POST", "0: it is not sent twice"),
    (":9", key("name", 1), '"a", the name of glow.communication.http.api-list[0] too', "a name of its own"),
    (
        "environment AXHUB_SERVICE__DRAINSECONDS",
        "drainSeconds",
        '"soon"',
        "a number of seconds from 0 to 86400",
    ),
    (
        "environment AXHUB_SERVICE__SERVER__PROT",
        "",
        "an unknown variable",
        "AXHUB_SERVICE__SERVER__PORT (the nearest variable)",
    ),
    ("command line --host", "server.host", '"no host!"', "an IP address or a host name"),
    ("command line --port", "server.port", '"http"', "a whole number from 0 to 65535"),
]


@pytest.mark.req("toolkit/S0", "toolkit/H1")
def test_all_faults_of_file_environment_and_flags_are_told_at_once(tmp_path: Path) -> None:
    environ = {"AXHUB_SERVICE__SERVER__PROT": "1", "AXHUB_SERVICE__DRAINSECONDS": "soon"}
    assert told(tmp_path, FAULTY, environ, host="no host!", port="http") == TOLD


@pytest.mark.req("toolkit/S0")
def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_service("nowhere/service.yaml", {}, "local")
    assert str(caught.value) == (
        "The configuration has 1 fault:\n"
        "nowhere/service.yaml  found no configuration: there is no such file; allowed a readable YAML file"
    )


@pytest.mark.req("toolkit/S0")
def test_a_file_that_is_no_yaml_is_a_fault(tmp_path: Path) -> None:
    assert told(tmp_path, "mcp: {bundleId: a\n") == [
        (":2", "", "text that is not YAML: expected ',' or '}', but got '<stream end>'", "valid YAML")
    ]


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    "domain",
    [
        "${D:http://localhost:${server.port}}",
        "http://localhost:8081",
        "http://${HOST:127.0.0.1}:8081",
        "http://localhost:${SET}",
        "http://mock.localhost",
        "http://[::1]:1",
        "${D:${E:http://127.1.2.3}}",
    ],
)
def test_an_address_of_this_machine_that_nobody_chose_stops_the_start(domain: str, tmp_path: Path) -> None:
    found = told(tmp_path, with_api(domain=f'"{domain}"'), {"SET": "80"})
    assert [(place, key_, text.split(", ", 1)[1]) for place, key_, text, _ in found] == [
        (":6", key("domain"), 'this machine, while the profile is "production"')
    ]


@pytest.mark.req("toolkit/H1")
def test_a_forgotten_address_names_the_variable_to_set(tmp_path: Path) -> None:
    faults = told(tmp_path, with_api(domain='"${CLAIM_DOMAIN:http://localhost:${server.port}}"'), profile="dev")
    assert faults == [
        (
            ":6",
            key("domain"),
            '"http://localhost:8081", this machine, while the profile is "dev"',
            "an address from CLAIM_DOMAIN, or --profile local",
        )
    ]


@pytest.mark.req("toolkit/H1", "toolkit/B4")
def test_an_address_without_its_path_is_told_like_both_forgotten(tmp_path: Path) -> None:
    entry = with_api(
        domain='"${CLAIM_DOMAIN:http://localhost:${server.port}}"', url='"${CLAIM_URL:/api/mock/http/cmm_claim_search}"'
    )
    path = (
        ":6",
        key("url"),
        '"/api/mock/http/cmm_claim_search", a path of the mocks, while the profile is "production"',
        "a path from CLAIM_URL, or --profile local",
    )
    assert told(tmp_path, entry, {"CLAIM_DOMAIN": "https://claims.example.com"}) == [path]
    assert [one[1] for one in told(tmp_path, entry)] == [key("domain"), key("url")]


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("url", ["/c/{", "/c/{}", "/c/{a b}", "/c?x={no}", "/c/{a/b}", "/c/{{no}}", "/c/no}"])
def test_braces_in_a_path_stand_around_the_name_of_one_member(url: str, tmp_path: Path) -> None:
    (fault,) = told(tmp_path, with_api(url=f'"{url}"'))
    assert "braces only in the path, around the name of a member of the request: /claims/{number}" in " ".join(fault)


@pytest.mark.req("toolkit/H1", "toolkit/H2")
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_method_that_changes_something_has_no_retries(method: str, tmp_path: Path) -> None:
    assert told(tmp_path, with_api(method=method, maxRetries="2")) == [
        (":6", key("maxRetries"), f"2 with the method {method}", "0: it is not sent twice")
    ]


@pytest.mark.req("toolkit/H1", "toolkit/H2")
@pytest.mark.parametrize("name", ["trace-id", "Request-Id", "employee-id", "Host", "Content-Type", "COOKIE"])
def test_a_header_that_a_call_decides_cannot_be_configured(name: str, tmp_path: Path) -> None:
    faults = told(tmp_path, with_api(headers=f'{{{name}: "${{KEY}}"}}'), {"KEY": "k"})
    assert faults == [
        (":6", key(f"headers.{name}"), f"{name}, which is set for each call", "the name of another header")
    ]


@pytest.mark.req("toolkit/H1")
def test_headers_have_names_that_can_be_sent_each_once(tmp_path: Path) -> None:
    headers = '{"X-키": "${KEY}", X-Key: "${KEY}", x-key: "${KEY}"}'
    assert told(tmp_path, with_api(headers=headers), {"KEY": "k"}) == [
        (":6", key("headers.X-키"), "what is no name of a header", "a name such as Authorization or X-Api-Key"),
        (":6", key("headers.x-key"), "the header a second time (also as X-Key)", "each header once"),
    ]


@pytest.mark.req("toolkit/H1", "threat/T32")
@pytest.mark.parametrize("written", ["geheim", "Bearer ${KEY}", "${KEY:geheim}"])
def test_a_credential_is_one_variable_and_is_never_shown(written: str, tmp_path: Path) -> None:
    faults = told(tmp_path, with_api(headers=f'{{X-Key: "{written}"}}'), {"KEY": "geheim"})
    assert faults == [
        (
            ":6",
            key("headers.X-Key"),
            "a value: which does not come from one variable",
            "${NAME} alone, without a default: a secret comes from a variable of the environment",
        )
    ]
