"""Whatever is wrong with an MCI system of the configuration is told at once (toolkit/S0, toolkit/H1, toolkit/B3)."""

import re
from pathlib import Path
from typing import Final

import pytest

from axhub.configuration.faults import ConfigError
from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.config.loading import load_service
from axhub.toolkit.facts.service import Located, Place, System
from axhub.toolkit.rules.telling.setting_faults import settings_faults

pytestmark = pytest.mark.req("toolkit/B3", "toolkit/H1")

HEAD: Final = "mcp: {bundleId: a}\nglow:\n  communication:\n    mci:\n      system-list:\n"
TCP: Final = "name: a, host: mci.example.com, port: 9, lengthField: {kind: ascii, size: 4}"
HTTP: Final = "name: a, transport: http, domain: https://mci.example.com, url: /telegrams"
LIST: Final = "glow.communication.mci.system-list"


def told(
    folder: Path, *systems: str, profile: str = "production", environ: dict[str, str] | None = None
) -> list[tuple[str, str, str]]:
    """Return key, what was found and what is allowed of each fault; the systems stand on lines from 6 on."""
    file = folder / "service.yaml"
    file.write_text(HEAD + "".join(map(_entry, systems)), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_service(file, environ or {}, profile)
    return [(one.key.removeprefix(f"{LIST}[0]."), one.found, one.allowed) for one in caught.value.faults]


def _entry(written: str) -> str:
    """Return an entry, each of its keys on a line of its own from the first on: so a variable may be a number."""
    lines = re.split(r", (?![^{]*\})", written)
    return "        - " + "\n          ".join(lines) + "\n"


MISSING: Final = "nothing: the key is missing"
PORT: Final = "a whole number from 0 to 65535"
KIND: Final = "ascii, big, little, bcd or none"
TYPE: Final = "a media type, such as application/octet-stream or text/plain;charset=EUC-KR"
PATH: Final = "a path that begins with /, such as /mci/telegrams"


@pytest.mark.parametrize(
    ("written", "faults"),
    [
        (
            "name: a",
            [("lengthField.kind", MISSING, f"{KIND} (required)"), ("port", MISSING, f"{PORT} (required)")],
        ),
        (
            "name: a, port: 9, lengthField: {kind: none}",
            [("host", MISSING, "an IP address or a host name (required)")],
        ),
        (
            "name: a, transport: http",
            [
                ("domain", MISSING, "scheme, host and port, such as https://claims.example.com:8443 (required)"),
                ("url", MISSING, f"{PATH} (required)"),
            ],
        ),
        (f"{TCP}, transport: udp", [("transport", '"udp"', "tcp or http")]),
        (f"{TCP}, url: /a", [("url", "a key of the transport http", "the keys of tcp alone")]),
        (f"{HTTP}, host: b", [("host", "a key of the transport tcp", "the keys of http alone")]),
        (f"{HTTP}2, content-type: telegram", [("content-type", '"telegram"', TYPE)]),
        (
            f"{HTTP}, content-type: text/plain;charset=klingon",
            [("content-type", '"text/plain;charset=klingon": at most one parameter, a known charset', TYPE)],
        ),
        (
            HTTP.replace("/telegrams", '"/t/{a}"'),
            [("url", '"/t/{a}": a telegram fills no path: no braces', PATH)],
        ),
        (TCP.replace("9", "70000"), [("port", "70000", PORT)]),
        (TCP.replace("ascii", "ebcdic"), [("lengthField.kind", '"ebcdic"', KIND)]),
        (
            TCP.replace(", size: 4", ""),
            [("lengthField.size", MISSING, "a whole number from 1 to 18 (required)")],
        ),
        (
            TCP.replace("ascii, size: 4", "big, size: 9"),
            [("lengthField.size", "9 with the kind big", "a whole number from 1 to 8")],
        ),
        (
            TCP.replace("ascii, size: 4", "bcd, size: 10"),
            [("lengthField.size", "10 with the kind bcd", "a whole number from 1 to 9")],
        ),
        (
            TCP.replace("size: 4", "size: 4, place: prefix, offset: 2"),
            [("lengthField.offset", "2 in a prefix", "0: a prefix is the length field and nothing else")],
        ),
        (f"{TCP}, maxTelegramBytes: 0", [("maxTelegramBytes", "0", "a whole number from 1 to 1073741824")]),
    ],
)
def test_a_system_that_cannot_work_is_a_fault(written: str, faults: list[tuple[str, str, str]], tmp_path: Path) -> None:
    assert told(tmp_path, written) == faults


def test_each_system_has_a_name_of_its_own(tmp_path: Path) -> None:
    assert told(tmp_path, TCP, HTTP) == [
        (f"{LIST}[1].name", f'"a", the name of {LIST}[0] too', "a name of its own"),
    ]


WHILE: Final = 'while the profile is "dev"'


@pytest.mark.parametrize(
    ("written", "faults"),
    [
        (
            TCP.replace("port: 9", "port: ${CFPA_PORT:0}"),
            [
                (
                    "port",
                    f"0, a mock that the service starts itself, {WHILE}",
                    "a port from CFPA_PORT, or --profile local",
                )
            ],
        ),
        (
            TCP.replace("mci.example.com", '"${CFPA_HOST:localhost}"'),
            [("host", f'"localhost", this machine, {WHILE}', "a host from CFPA_HOST, or --profile local")],
        ),
        (
            TCP.replace("mci.example.com", "127.0.0.1"),
            [
                (
                    "host",
                    f'"127.0.0.1", this machine, {WHILE}',
                    "a host from AXHUB_SERVICE__GLOW__COMMUNICATION__MCI__SYSTEM_LIST__0__HOST, or --profile local",
                )
            ],
        ),
        (
            HTTP.replace("https://mci.example.com", '"${CFPA_DOMAIN:http://localhost:${server.port}}"'),
            [
                (
                    "domain",
                    f'"http://localhost:8081", this machine, {WHILE}',
                    "an address from CFPA_DOMAIN, or --profile local",
                )
            ],
        ),
        (
            HTTP.replace("/telegrams", '"${CFPA_URL:/api/mock/mci/cfpa}"'),
            [
                (
                    "url",
                    f'"/api/mock/mci/cfpa", a path of the mocks, {WHILE}',
                    "a path from CFPA_URL, or --profile local",
                )
            ],
        ),
    ],
)
def test_an_address_that_only_a_developer_has_stops_the_start(
    written: str, faults: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    assert told(tmp_path, written, profile="dev") == faults


def test_a_host_that_a_variable_gives_is_meant_and_a_port_0_never_is(tmp_path: Path) -> None:
    written = TCP.replace("mci.example.com", '"${CFPA_HOST:localhost}"').replace("port: 9", "port: ${CFPA_PORT:0}")
    found = told(tmp_path, written, environ={"CFPA_HOST": "127.0.0.1", "CFPA_PORT": "0"})
    assert [key for key, _, _ in found] == ["port"]
    file = tmp_path / "service.yaml"
    given = {"CFPA_HOST": "127.0.0.1", "CFPA_PORT": "9"}
    assert load_service(file, given, "production").systems[0].host == "127.0.0.1"


SHOWN: Final = "src/my_tools/config/service.yaml"


@pytest.mark.req("toolkit/S0")
def test_the_rules_are_told_of_systems_with_places_whatever_is_set(tmp_path: Path) -> None:
    file = tmp_path / "service.yaml"
    file.write_text(
        f"{HEAD}        - name: cfpa\n          host: ${{CFPA_HOST}}\n          port: ${{CFPA_PORT:0}}\n"
        "          totalTimeoutMillis: 900\n          lengthField:\n"
        "            kind: ascii\n            size: ${CFPA_SIZE}\n",
        encoding="utf-8",
    )

    def at(line: int, column: int) -> Place:
        return Place(SHOWN, line, column)

    facts = settings_facts(file, SHOWN)
    assert facts.systems == (
        System(
            name=Located("cfpa", at(6, 17)),
            values={
                "host": Located("${CFPA_HOST}", at(7, 17)),
                "port": Located("${CFPA_PORT:0}", at(8, 17)),
                "totalTimeoutMillis": Located(900, at(9, 31)),
                "lengthField.kind": Located("ascii", at(11, 19)),
                "lengthField.size": Located("${CFPA_SIZE}", at(12, 19)),
            },
            environment={"CFPA_HOST": at(7, 17), "CFPA_PORT": at(8, 17), "CFPA_SIZE": at(12, 19)},
            transport="tcp",
            connect_millis=1000,
            total_millis=900,
        ),
    )
    assert facts.faults == ()


@pytest.mark.req("toolkit/S0")
def test_faults_of_a_system_are_facts_in_both_languages(tmp_path: Path) -> None:
    file = tmp_path / "service.yaml"
    written = TCP.replace("ascii, size: 4", "big, size: 9, place: prefix, offset: 2")
    file.write_text(
        f"{HEAD}        - {{{written}, url: /a, maxTelegramBytes: x}}\n        - {{name: b}}\n", encoding="utf-8"
    )
    found = list(settings_faults(settings_facts(file, SHOWN)))
    assert [one.key.removeprefix(LIST) for one in found] == [
        "[0].lengthField.offset",
        "[0].lengthField.size",
        "[0].maxTelegramBytes",
        "[0].url",
        "[1].lengthField.kind",
        "[1].port",
    ]
    for fault in found:
        assert fault.allowed_text.ko != fault.allowed_text.en, fault
