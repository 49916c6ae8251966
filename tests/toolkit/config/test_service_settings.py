"""The settings that a service's configuration ends as: every key, every default, flags, variables (toolkit/S0)."""

from pathlib import Path
from typing import Any, Final

import pytest

from axhub.configuration.table import Missing
from axhub.toolkit.config.keys import APIS, KEYS
from axhub.toolkit.config.loading import load_service
from axhub.toolkit.config.mci_keys import KEYS as MCI_KEYS
from axhub.toolkit.config.settings import (
    HttpApiSettings,
    LengthField,
    MciSystemSettings,
    ServerSettings,
    ServiceSettings,
)

EVERYTHING: Final = """\
mcp: {bundleId: 보험-도구, namespace: ins_}
publishOutputSchema: true
disabledTools: [ins_old_lookup, cmm_code_lookup]
language: ko
tools:
  cmm_claim_search: {timeoutMillis: 8000}
  ins_premium_estimate: {timeoutMillis: 1}
server: {host: 0.0.0.0, port: 9001}
maxRequestBytes: 11
maxInFlightCalls: 12
drainSeconds: 0.5
glow:
  communication:
    http:
      api-list:
        - name: 청구
          domain: https://Claims.example.com:443
          url: /v1/claims?system=%ED%95%9C
          method: GET
          content-type: application/json;charset=EUC-KR
          biz-pod: true
          connectTimeoutMillis: 21
          readTimeoutMillis: 22
          totalTimeoutMillis: 23
          maxRetries: 2
          maxConnections: 24
          newRequestId: true
          headers: {Authorization: "${CLAIM_TOKEN}", X-Api-Key: "${CLAIM_KEY}"}
        - {name: plain, domain: "http://[2001:db8::1]:8080", url: /, method: POST}
    mci:
      system-list:
        - name: 계약
          transport: tcp
          host: mci.example.com
          port: 31
          lengthField: {kind: bcd, place: header, offset: 32, size: 3, includesItself: false, correction: -33}
          maxTelegramBytes: 34
          connectTimeoutMillis: 35
          totalTimeoutMillis: 36
          maxConnections: 37
        - name: bodies
          transport: http
          domain: https://mci.example.com
          url: /telegrams
          content-type: text/plain;charset=EUC-KR
        - {name: plain, host: "2001:db8::2", port: 1, lengthField: {kind: big, place: prefix, size: 4}}
"""
SECRETS: Final = {"CLAIM_TOKEN": "Bearer geheim", "CLAIM_KEY": "0123"}


SYSTEMS: Final = (
    MciSystemSettings(
        name="계약",
        host="mci.example.com",
        port=31,
        length=LengthField(kind="bcd", offset=32, size=3, includes_itself=False, correction=-33),
        max_telegram_bytes=34,
        connect_timeout_millis=35,
        total_timeout_millis=36,
        max_connections=37,
    ),
    MciSystemSettings(
        name="bodies",
        transport="http",
        domain="https://mci.example.com",
        url="/telegrams",
        content_type="text/plain;charset=EUC-KR",
    ),
    MciSystemSettings(name="plain", host="2001:db8::2", port=1, length=LengthField(kind="big", place="prefix", size=4)),
)


def load(folder: Path, text: str, environ: dict[str, str] | None = None, **flags: Any) -> ServiceSettings:
    file = folder / "service.yaml"
    file.write_text(text, encoding="utf-8")
    return load_service(file, environ or {}, flags.pop("profile", "production"), **flags)


@pytest.mark.req("toolkit/S0", "toolkit/H1")
def test_every_key_arrives_in_the_settings(tmp_path: Path) -> None:
    claims = HttpApiSettings(
        name="청구",
        domain="https://claims.example.com",
        url="/v1/claims?system=%ED%95%9C",
        method="GET",
        content_type="application/json;charset=EUC-KR",
        biz_pod=True,
        connect_timeout_millis=21,
        read_timeout_millis=22,
        total_timeout_millis=23,
        max_retries=2,
        max_connections=24,
        new_request_id=True,
        headers=(("Authorization", "Bearer geheim"), ("X-Api-Key", "0123")),
    )
    assert load(tmp_path, EVERYTHING, SECRETS) == ServiceSettings(
        bundle_id="보험-도구",
        namespace="ins_",
        profile="production",
        publish_output_schema=True,
        disabled_tools=frozenset({"ins_old_lookup", "cmm_code_lookup"}),
        language="ko",
        timeouts_millis={"cmm_claim_search": 8000, "ins_premium_estimate": 1},
        server=ServerSettings(
            host="0.0.0.0", port=9001, max_request_bytes=11, max_in_flight_calls=12, drain_seconds=0.5
        ),
        apis=(claims, HttpApiSettings(name="plain", domain="http://[2001:db8::1]:8080", url="/")),
        systems=SYSTEMS,
    )


@pytest.mark.req("toolkit/S0")
def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    assert load(tmp_path, "mcp: {bundleId: a}\n") == ServiceSettings(bundle_id="a")


@pytest.mark.req("toolkit/S0", "toolkit/H1")
def test_defaults_of_the_keys_are_those_of_the_settings() -> None:
    api = HttpApiSettings(name="a", domain="http://a", url="/")
    names = {"content-type": "content_type", "biz-pod": "biz_pod", "newRequestId": "new_request_id"}
    names |= {"connectTimeoutMillis": "connect_timeout_millis", "readTimeoutMillis": "read_timeout_millis"}
    names |= {"totalTimeoutMillis": "total_timeout_millis", "maxRetries": "max_retries"}
    names |= {"maxConnections": "max_connections"}
    below = {key.name: key.default for key in KEYS if key.path.startswith(f"{APIS}[].")}
    said = {name: default for name, default in below.items() if not isinstance(default, Missing)}
    assert said == {name: getattr(api, field) for name, field in names.items()}


@pytest.mark.req("toolkit/S0", "toolkit/B3")
def test_defaults_of_the_keys_of_a_system_are_those_of_the_settings() -> None:
    system, length = MciSystemSettings(name="a"), LengthField()
    said = {key.name: key.default for key in MCI_KEYS if not isinstance(key.default, Missing)}
    assert said == {
        "transport": system.transport,
        "content-type": system.content_type,
        "place": length.place,
        "offset": length.offset,
        "includesItself": length.includes_itself,
        "correction": length.correction,
        "maxTelegramBytes": system.max_telegram_bytes,
        "connectTimeoutMillis": system.connect_timeout_millis,
        "totalTimeoutMillis": system.total_timeout_millis,
        "maxConnections": system.max_connections,
    }


LOCAL_SYSTEM: Final = """\
mcp: {bundleId: a}
glow:
  communication:
    mci:
      system-list:
        - name: cfpa
          host: ${CFPA_HOST:localhost}
          port: ${CFPA_PORT:0}
          lengthField: {kind: ascii, size: 8}
"""


@pytest.mark.req("toolkit/B3", "toolkit/H1")
@pytest.mark.parametrize(
    ("environ", "host", "port"),
    [({}, "localhost", 0), ({"CFPA_PORT": "9"}, "localhost", 9), ({"CFPA_HOST": "mci", "CFPA_PORT": "9"}, "mci", 9)],
)
def test_a_system_is_where_the_variables_say_else_a_mock_of_the_service(
    environ: dict[str, str], host: str, port: int, tmp_path: Path
) -> None:
    (system,) = load(tmp_path, LOCAL_SYSTEM, environ, profile="local").systems
    assert (system.host, system.port, system.is_mock) == (host, port, port == 0)
    assert system.length == LengthField(kind="ascii", size=8)


@pytest.mark.req("toolkit/H1")
def test_secrets_show_in_no_settings(tmp_path: Path) -> None:
    assert "geheim" not in repr(load(tmp_path, EVERYTHING, SECRETS))


@pytest.mark.req("toolkit/S0")
def test_variables_stand_over_the_file_and_flags_over_both(tmp_path: Path) -> None:
    environ = {
        **SECRETS,
        "AXHUB_SERVICE__MCP__BUNDLEID": "from-outside",
        "AXHUB_SERVICE__SERVER__PORT": "9002",
        "AXHUB_SERVICE__SERVER__HOST": "::1",
        "AXHUB_SERVICE__TOOLS__CMM_CLAIM_SEARCH__TIMEOUTMILLIS": "7",
        "AXHUB_SERVICE__GLOW__COMMUNICATION__HTTP__API_LIST__1__DOMAIN": "http://localhost:1",
        "AXHUB_SERVICE__GLOW__COMMUNICATION__HTTP__API_LIST__0__HEADERS__X_API_KEY": "4567",
    }
    found = load(tmp_path, EVERYTHING, environ, host="10.0.0.1", port=9003)
    assert (found.bundle_id, found.server.host, found.server.port) == ("from-outside", "10.0.0.1", 9003)
    assert found.timeouts_millis == {"cmm_claim_search": 7, "ins_premium_estimate": 1}
    assert found.apis[1].domain == "http://localhost:1"
    assert found.apis[0].headers == (("Authorization", "Bearer geheim"), ("X-Api-Key", "4567"))


MOCKED: Final = """\
mcp: {bundleId: a}
glow:
  communication:
    http:
      api-list:
        - name: insurance
          domain: ${AXHUB_INSURANCE_HTTP_DOMAIN:http://localhost:${server.port}}
          url: ${AXHUB_INSURANCE_HTTP_URL:/api/mock/http/ins_insurance_processor}
          method: POST
          content-type: application/json;charset=UTF-8
          biz-pod: false
"""
"""The sample of seed 003 §10, word for word."""


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("environ", "flags", "domain"),
    [
        ({}, {}, "http://localhost:8081"),
        ({}, {"port": 9000}, "http://localhost:9000"),
        ({}, {"port": 0}, "http://localhost:8081"),
        ({"AXHUB_SERVICE__SERVER__PORT": "9001"}, {}, "http://localhost:9001"),
        ({"AXHUB_INSURANCE_HTTP_DOMAIN": "https://ins.example.com"}, {}, "https://ins.example.com"),
    ],
)
def test_an_address_is_made_of_nested_defaults_and_the_services_own_settings(
    environ: dict[str, str], flags: dict[str, int], domain: str, tmp_path: Path
) -> None:
    api = load(tmp_path, MOCKED, environ, profile="local", **flags).apis[0]
    assert (api.domain, api.url) == (domain, "/api/mock/http/ins_insurance_processor")


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("domain", ["http://localhost:9", "http://127.0.0.1"])
def test_an_address_of_this_machine_that_a_variable_gives_is_meant(domain: str, tmp_path: Path) -> None:
    environ = {"AXHUB_INSURANCE_HTTP_DOMAIN": domain, "AXHUB_INSURANCE_HTTP_URL": "/claims"}
    assert load(tmp_path, MOCKED, environ).apis[0].domain == domain


@pytest.mark.req("toolkit/H1", "toolkit/B4")
def test_a_path_of_the_mocks_that_a_variable_gives_is_meant(tmp_path: Path) -> None:
    mocked = "/api/mock/http/ins_insurance_processor"
    environ = {"AXHUB_INSURANCE_HTTP_DOMAIN": "http://localhost:9", "AXHUB_INSURANCE_HTTP_URL": mocked}
    assert load(tmp_path, MOCKED, environ).apis[0].url == mocked


@pytest.mark.req("toolkit/H1")
def test_a_path_may_be_filled_from_the_request_also_as_the_default_of_a_variable(tmp_path: Path) -> None:
    text = MOCKED.replace("/api/mock/http/ins_insurance_processor", "/claims/{number}/rows/{row_no}?all=1")
    assert load(tmp_path, text, profile="local").apis[0].url == "/claims/{number}/rows/{row_no}?all=1"
    given = {"AXHUB_INSURANCE_HTTP_URL": "/c/{number}"}
    assert load(tmp_path, text, given, profile="local").apis[0].url == "/c/{number}"
