"""How the process is told to serve: flags, over three environment variables, over defaults.

The same flags stand at `axhub gateway` and `axhub gateway check`; all are read as text here, so that a wrong one is
listed with every other fault instead of ending the command alone.
"""

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from axhub.configuration.addresses import BindHost
from axhub.configuration.faults import ConfigError, Fault, Place, Where
from axhub.configuration.kinds import Choice, Kind, NotAllowedError, Text, Whole
from axhub.configuration.values import Raw, describe, shape_of
from axhub.gateway.config.settings import ServeSettings

_MAX_PORT: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What was typed, None where nothing was; field names are those of `ServeSettings`."""

    profile: str | None = None
    host: str | None = None
    port: str | int | None = None
    management_host: str | None = None
    management_port: str | int | None = None
    log_format: str | None = None
    log_level: str | None = None
    workers: str | int | None = None


@dataclass(frozen=True, slots=True)
class _Flag:
    name: str
    kind: Kind
    help: str
    variable: str | None = None

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")


_FLAGS: Final = (
    _Flag(
        "profile", Text("a name"), "production (strict, the default), or local, which relaxes checks", "AXHUB_PROFILE"
    ),
    _Flag("host", BindHost(), "address that serves MCP (127.0.0.1)"),
    _Flag("port", Whole(0, _MAX_PORT), "port that serves MCP (8080; 0: any free one)", "AXHUB_PORT"),
    _Flag("management_host", BindHost(), "address of health, status and metrics (as --host)"),
    _Flag("management_port", Whole(0, _MAX_PORT), "its port (9090; 0: any free one)", "AXHUB_MANAGEMENT_PORT"),
    _Flag("log_format", Choice(("json", "text")), "json or text (text on a terminal, else json)"),
    _Flag("log_level", Choice(("debug", "info", "warning", "error")), "debug, info, warning or error (info)"),
    _Flag("workers", Whole(1, 1), "processes (1; more are not available yet)"),
)
_SERVICE_LINK: Final = "tcp://"


def add_flags(parser: ArgumentParser) -> None:
    """Add `--config` and the flags of `ServeSettings` to a command's parser.

    What is not typed leaves no trace in the namespace, so that a command and its subcommand can both have the flags.
    """
    parser.add_argument("--config", metavar="FILE", default=SUPPRESS, help="the configuration, a YAML file; required")
    for flag in _FLAGS:
        variable = f"; variable {flag.variable}" if flag.variable else ""
        name = flag.name.rpartition("_")[2].upper()
        parser.add_argument(flag.option, metavar=name, default=SUPPRESS, help=flag.help + variable)


def flag_rows() -> list[tuple[str, str | None, str]]:
    """Return each flag with its variable and its explanation, for the reference."""
    return [(flag.option, flag.variable, flag.help) for flag in _FLAGS]


def config_of(args: Namespace) -> str:
    """Return what was typed after `--config`.

    Raises:
        ConfigError: nothing was.
    """
    typed = getattr(args, "config", None)
    if not typed:
        place = Place(Where.COMMAND_LINE, "--config")
        raise ConfigError([Fault(place, "", "nothing", "the path of the configuration, a YAML file")])
    return str(typed)


def flags_of(args: Namespace) -> Flags:
    """Return the flags that were parsed by a parser of `add_flags`."""
    return Flags(**{field.name: getattr(args, field.name, None) for field in fields(Flags)})


def read_flags(flags: Flags, environ: Mapping[str, str]) -> tuple[ServeSettings, list[Fault]]:
    """Return how to serve, with defaults in place of what is faulty, and the faults."""
    chosen: dict[str, Any] = {}
    faults: list[Fault] = []
    for flag in _FLAGS:
        written = _written(flag, flags, environ)
        if written is None:
            continue
        text, place = written
        raw = Raw(text, shape_of(text), True, text)
        try:
            chosen[flag.name] = flag.kind.read(raw)
        except NotAllowedError as error:
            faults.append(_fault(flag, place, raw, str(error)))
    if "host" in chosen:
        chosen.setdefault("management_host", chosen["host"])
    serve = ServeSettings(**chosen)
    if serve.port and serve.port == serve.management_port and serve.host == serve.management_host:
        place = Place(Where.COMMAND_LINE, "--management-port")
        found = f"{serve.port}, which is also the port that serves MCP"
        faults.append(Fault(place, "", found, "another port than --port"))
    return serve, faults


def _written(flag: _Flag, flags: Flags, environ: Mapping[str, str]) -> tuple[str, Place] | None:
    """Return what was said and where; an empty variable says nothing."""
    typed = getattr(flags, flag.name)
    if typed is not None:
        return str(typed), Place(Where.COMMAND_LINE, flag.option)
    if flag.variable and environ.get(flag.variable):
        return environ[flag.variable], Place(Where.ENVIRONMENT, flag.variable)
    return None


def _fault(flag: _Flag, place: Place, raw: Raw, problem: str) -> Fault:
    found = f"{describe(raw)}: {problem}" if problem else describe(raw)
    allowed = flag.kind.allowed
    if flag.name == "workers" and raw.text.isdecimal() and int(raw.text) > 1:
        found, allowed = f"{found}: more than one is not available yet", "1"
    elif place.where is Where.ENVIRONMENT and raw.text.startswith(_SERVICE_LINK):
        # Kubernetes sets AXHUB_PORT=tcp://… in every pod beside a Service that is called axhub.
        allowed += " (Kubernetes sets this for a Service of that name: set enableServiceLinks: false, or use the flag)"
    return Fault(place, "", found, allowed)
