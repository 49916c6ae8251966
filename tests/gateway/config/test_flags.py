"""Flags over variables over defaults."""

import argparse
from collections.abc import Mapping

import pytest

from axhub.configuration.faults import ConfigError
from axhub.gateway.config.flags import Flags, add_flags, config_of, flags_of, read_flags
from axhub.gateway.config.settings import ServeSettings


def _serve(flags: Flags, environ: Mapping[str, str] | None = None) -> ServeSettings:
    serve, faults = read_flags(flags, environ or {})
    assert faults == []
    return serve


@pytest.mark.req("gateway/C1")
def test_nothing_said_means_the_defaults() -> None:
    assert _serve(Flags()) == ServeSettings(
        profile="production",
        host="127.0.0.1",
        port=8080,
        management_host="127.0.0.1",
        management_port=9090,
        log_format=None,
        log_level="info",
        workers=1,
    )


@pytest.mark.req("gateway/C1")
def test_a_flag_outranks_its_variable_and_the_variable_the_default() -> None:
    environ = {"AXHUB_PROFILE": "local", "AXHUB_PORT": "1", "AXHUB_MANAGEMENT_PORT": "2"}
    serve = _serve(Flags(), environ)
    assert (serve.profile, serve.port, serve.management_port) == ("local", 1, 2)
    serve = _serve(Flags(profile="ocp", port="3", management_port=4), environ)
    assert (serve.profile, serve.port, serve.management_port) == ("ocp", 3, 4)


@pytest.mark.req("gateway/C1")
def test_a_variable_that_a_flag_outranks_is_not_looked_at() -> None:
    assert _serve(Flags(port="3"), {"AXHUB_PORT": "abc"}).port == 3


@pytest.mark.req("gateway/C1")
def test_an_empty_variable_says_nothing() -> None:
    assert _serve(Flags(), {"AXHUB_PROFILE": "", "AXHUB_PORT": ""}) == ServeSettings()


@pytest.mark.req("gateway/C1")
def test_the_management_host_is_as_the_host_unless_said() -> None:
    assert _serve(Flags(host="0.0.0.0")).management_host == "0.0.0.0"
    assert _serve(Flags(host="0.0.0.0", management_host="127.0.0.1")).management_host == "127.0.0.1"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("profile", "local"), [("local", True), ("Local", False), ("production", False), ("locale", False)]
)
def test_only_the_literal_local_relaxes(profile: str, local: bool) -> None:
    assert _serve(Flags(profile=profile)).local is local


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("flags", "option", "found"),
    [
        (Flags(port="abc"), "--port", '"abc"'),
        (Flags(port="65536"), "--port", "65536"),
        (Flags(management_port="-1"), "--management-port", "-1"),
        (Flags(host="a b"), "--host", '"a b"'),
        (Flags(host=""), "--host", "nothing: an empty text"),
        (Flags(log_format="xml"), "--log-format", '"xml"'),
        (Flags(log_level="INFO"), "--log-level", '"INFO"'),
        (Flags(workers="2"), "--workers", "2: more than one is not available yet"),
        (Flags(workers="0"), "--workers", "0"),
        (Flags(workers="many"), "--workers", '"many"'),
        (Flags(profile=" "), "--profile", '" ": an empty text'),
        (Flags(port="9090"), "--management-port", "9090, which is also the port that serves MCP"),
    ],
)
def test_a_wrong_flag_is_a_fault_that_names_it(flags: Flags, option: str, found: str) -> None:
    _, (fault,) = read_flags(flags, {})
    assert (str(fault.place), fault.found) == (f"command line {option}", found)


@pytest.mark.req("gateway/C1")
def test_a_wrong_variable_is_named() -> None:
    _, (fault,) = read_flags(Flags(), {"AXHUB_MANAGEMENT_PORT": "x"})
    assert str(fault.place) == "environment AXHUB_MANAGEMENT_PORT"


@pytest.mark.req("gateway/C1")
def test_the_variable_that_kubernetes_sets_for_a_service_is_explained() -> None:
    _, (fault,) = read_flags(Flags(), {"AXHUB_PORT": "tcp://10.0.0.1:80"})
    assert "enableServiceLinks: false" in fault.allowed


@pytest.mark.req("gateway/C1")
def test_ports_may_be_equal_on_different_hosts_or_free() -> None:
    assert _serve(Flags(host="127.0.0.1", management_host="127.0.0.2", port="1", management_port="1")).port == 1
    assert _serve(Flags(port="0", management_port="0")).port == 0


@pytest.mark.req("gateway/C1")
def test_a_command_and_its_subcommand_share_the_flags() -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    add_flags(parser.add_subparsers().add_parser("check"))
    args = parser.parse_args(["--port", "1", "check", "--config", "a.yaml", "--log-level", "debug"])
    assert config_of(args) == "a.yaml"
    assert flags_of(args) == Flags(port="1", log_level="debug")


@pytest.mark.req("gateway/C1")
def test_a_missing_config_flag_is_a_fault_like_any_other() -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    with pytest.raises(ConfigError, match="command line --config  found nothing"):
        config_of(parser.parse_args([]))
