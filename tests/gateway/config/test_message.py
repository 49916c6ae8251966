"""The one message."""

import os
from pathlib import Path

import pytest
from wcwidth import wcswidth

from axhub.configuration.faults import WIDTH, Fault, Place, Where, excerpt
from axhub.gateway.config import ConfigError, load
from axhub.gateway.config.flags import Flags
from support.configs import GOOD, load_text, write

FAULTY = """\
mcp:
  identity: 1234
  registry: {refreshIntervalSeconds: true}
  discovery:
    readTimeoutMilis: 3000
  bundles:
    - id: 보험-처리
      manifestUrl: http://portal:geheim@tools/m
      namePrefix: 접두사.
  drainSeconds: ${GRACE}
"""
MESSAGE = """\
The configuration has 8 faults:
./설정/gateway.yaml:2  mcp.identity
    found 1234: a value of this spelling is text only in quotes;
    allowed text
./설정/gateway.yaml:3  mcp.registry.refreshIntervalSeconds
    found true;
    allowed a number of seconds above 0 and at most 86400
./설정/gateway.yaml:5  mcp.discovery.readTimeoutMilis
    found an unknown key;
    allowed readTimeoutMillis (the nearest key)
./설정/gateway.yaml:8  mcp.bundles[0].manifestUrl
    found "http://***@tools/m": it carries user information ('@' before the host);
    allowed an http:// or https:// URL with a host, without user, password or fragment
./설정/gateway.yaml:9  mcp.bundles[0].namePrefix
    found "접두사.";
    allowed at most 63 of A-Z a-z 0-9 _ . / - (what tool names are made of), or nothing
./설정/gateway.yaml:10  mcp.drainSeconds
    found ${GRACE}, a variable that is not set, without a default;
    allowed a set variable, or ${NAME:default}
environment AXHUB_MCP__MAXCONNECTION
    found an unknown variable;
    allowed AXHUB_MCP__MAXCONNECTIONS (the nearest variable)
command line --port  found "http"; allowed a whole number from 0 to 65535"""


@pytest.fixture
def configuration(tmp_path: Path) -> str:
    """Return a path that starts with `./`, as an operator types it."""
    folder = tmp_path / "설정"
    folder.mkdir()
    write(folder, FAULTY)
    return os.path.relpath(folder / "gateway.yaml")


def _message(path: str, environ: dict[str, str], flags: Flags) -> str:
    with pytest.raises(ConfigError) as caught:
        load(path, environ, flags)
    return str(caught.value)


@pytest.mark.req("gateway/C1", "fault/F34")
def test_every_fault_stands_in_one_message_by_file_and_line(tmp_path: Path, configuration: str) -> None:
    message = _message(configuration, {"AXHUB_MCP__MAXCONNECTION": "5"}, Flags(port="http"))
    assert message.replace(configuration, "./설정/gateway.yaml") == MESSAGE
    assert (tmp_path / "설정/gateway.yaml").exists()


@pytest.mark.req("gateway/C1")
def test_the_path_is_shown_as_it_was_typed(tmp_path: Path) -> None:
    write(tmp_path, "mcp: 5")
    typed = f"{tmp_path}/./../{tmp_path.name}/gateway.yaml"
    assert f"{typed}:1  mcp\n    found 5;" in _message(typed, {}, Flags())


@pytest.mark.req("gateway/C1", "gateway/C2")
@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "it is a folder"),
        (os.mkfifo, "it is not a regular file"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_said_like_any_fault(tmp_path: Path, make: object, found: str) -> None:
    path = tmp_path / "gateway.yaml"
    assert callable(make)
    make(path)
    with pytest.raises(ConfigError) as caught:
        load(path, {}, Flags(workers="2"))
    assert [fault.found for fault in caught.value.faults] == [
        f"no configuration: {found}",
        "2: more than one is not available yet",
    ]


@pytest.mark.req("gateway/C1")
def test_a_path_below_a_file_is_said_like_any_fault(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    with pytest.raises(ConfigError, match="there is no such file"):
        load(path / "gateway.yaml", {}, Flags())
    with pytest.raises(ConfigError, match="it cannot be read"):
        load(tmp_path / ("x" * 300), {}, Flags())


@pytest.mark.req("gateway/C1")
def test_no_word_is_broken_and_no_line_is_too_long_where_words_allow_it() -> None:
    place = Place(Where.FILE, "gateway.yaml", 7)
    many = ", ".join(f"키이름{number}" for number in range(40))
    lines = str(Fault(place, "mcp.x", "an unknown key", f"one of {many}")).splitlines()
    assert max(map(wcswidth, lines)) <= WIDTH
    assert lines[0] == "gateway.yaml:7  mcp.x"
    assert " ".join(line.strip() for line in lines[2:]) == f"allowed one of {many}"
    long = "x" * 200
    assert long in str(Fault(place, "mcp.x", "5", long)).splitlines()[-1]


@pytest.mark.req("gateway/C1")
def test_one_fault_is_one_fault_and_equal_ones_are_said_once() -> None:
    fault = Fault(Place(Where.FILE, "gateway.yaml"), "", "a", "b")
    assert str(ConfigError([fault, fault])) == "The configuration has 1 fault:\ngateway.yaml  found a; allowed b"


@pytest.mark.req("gateway/C1", "threat/T32")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("line\nbreak", "line\\nbreak"),
        ("\u202egnp", "\\u202egnp"),
        ("\udc80", "\\udc80"),
        ("보험", "보험"),
        ("x" * 81, "x" * 79 + "…"),
        ("redis://:geheim@host", "redis://***@host"),
        ("https://user:geh/eim@host/p", "https://***@host/p"),
        ("http://host/p", "http://host/p"),
        ("a@b", "a@b"),
    ],
)
def test_what_is_quoted_cannot_steer_a_terminal_or_show_a_password(text: str, shown: str) -> None:
    assert excerpt(text) == shown


@pytest.mark.req("gateway/C1")
def test_korean_values_and_file_names_work(tmp_path: Path) -> None:
    folder = tmp_path / "설정 파일"
    folder.mkdir()
    (folder / "예비.json").write_text("{}", encoding="utf-8")
    text = GOOD.replace("insurance-processing", "보험 처리") + "      fallbackManifestFile: file:./예비.json\n"
    settings = load_text(folder, text, flags=Flags(profile="local")).settings
    assert settings.bundles[0].id == "보험 처리"
    assert settings.bundles[0].fallback_manifest_file == folder / "예비.json"
