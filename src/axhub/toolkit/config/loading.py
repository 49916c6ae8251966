"""File, environment and flags to settings; or one error that lists every fault (toolkit/S0, toolkit/H1)."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from axhub.configuration.document import Document, read_document
from axhub.configuration.faults import ConfigError, Fault, Place, Where
from axhub.configuration.files import read_bounded
from axhub.configuration.flatten import Flat, flatten
from axhub.configuration.overlay import overlay
from axhub.configuration.secrets import Secret
from axhub.configuration.source import MAX_BYTES, read_yaml
from axhub.toolkit.config import rules
from axhub.toolkit.config.keys import APIS, TABLE, TOOLS
from axhub.toolkit.config.mci_keys import LENGTH, NO_LENGTH, SYSTEMS
from axhub.toolkit.config.settings import (
    HttpApiSettings,
    LengthField,
    MciSystemSettings,
    ServerSettings,
    ServiceSettings,
)

__all__ = ["load_address", "load_service", "read_flat", "system_of"]

_ANY_PORT: Final = "0"
_PORT: Final = "${server.port}"


def load_service(
    path: str | os.PathLike[str],
    environ: Mapping[str, str],
    profile: str,
    *,
    host: str | None = None,
    port: str | int | None = None,
) -> ServiceSettings:
    """Read a service's configuration; precedence is flag, environment (`AXHUB_SERVICE__…`), file, default.

    Args:
        path: the file; stands in messages as it is given.
        environ: the environment.
        profile: only `local` relaxes anything.
        host: of the flag `--host`.
        port: of the flag `--port`; `${server.port}` is this one then, unless it is 0: nobody knows it yet. Who listens
            before it reads gives the one it got (`load_address`).

    Raises:
        ConfigError: with every fault of the file, the environment and the flags.
    """
    flat, faults = read_flat(Path(path), os.fspath(path))
    overlay(flat, environ)
    for flag, value in (("host", host), ("port", port)):
        if value is not None and str(value) != _ANY_PORT:
            flat.put(f"server.{flag}", str(value), Place(Where.COMMAND_LINE, f"--{flag}"))
    document, document_faults = read_document(flat, environ)
    faults += [*document_faults, *rules.check(rules.Draft(document, flat, environ, profile))]
    if faults:
        any_port = document.value("server.port") == 0
        raise ConfigError([_with_port(fault) if any_port else fault for fault in faults])
    return _settings(document, profile)


def load_address(
    path: str | os.PathLike[str], environ: Mapping[str, str], *, host: str | None = None, port: int | None = None
) -> tuple[str, int] | None:
    """Return host and port that a service is to listen on, whatever else is wrong; None if it is not known.

    Args:
        path: of the configuration.
        environ: the environment.
        host: of the flag `--host`.
        port: of the flag `--port`.
    """
    flat, faults = read_flat(Path(path), os.fspath(path))
    overlay(flat, environ)
    document, found = read_document(flat, environ)
    if any(not fault.key or fault.key.startswith("server") for fault in (*faults, *found)):
        return None
    return host or document.value("server.host"), document.value("server.port") if port is None else port


def _with_port(fault: Fault) -> Fault:
    """Say why a reference to the port leads nowhere: it is any free one, and nobody knows it yet."""
    if _PORT not in fault.found:
        return fault
    return replace(fault, allowed="a port that is known: server.port is 0, any free one; give it a number")


def read_flat(path: Path, shown: str) -> tuple[Flat, list[Fault]]:
    """Return a file laid flat; if it cannot be read, nothing and the reason.

    Args:
        path: the file.
        shown: what places call it.
    """
    place = Place(Where.FILE, shown)
    data = read_bounded(path, MAX_BYTES)
    if isinstance(data, str):
        return Flat(TABLE, place, broken={""}), [Fault(place, "", f"no configuration: {data}", "a readable YAML file")]
    try:
        return flatten(TABLE, read_yaml(data, shown), Place(Where.FILE, shown, 1)), []
    except ConfigError as error:
        return Flat(TABLE, place, broken={""}), list(error.faults)


def _settings(document: Document, profile: str) -> ServiceSettings:
    get = document.value
    return ServiceSettings(
        bundle_id=get("mcp.bundleId"),
        namespace=get("mcp.namespace"),
        profile=profile,
        publish_output_schema=get("publishOutputSchema"),
        disabled_tools=frozenset(get("disabledTools") or ()),
        language=get("language"),
        timeouts_millis={named.name: get(f"{named.path}.timeoutMillis") for named in document.names(TOOLS)},
        server=ServerSettings(
            host=get("server.host"),
            port=get("server.port"),
            max_request_bytes=get("maxRequestBytes"),
            max_in_flight_calls=get("maxInFlightCalls"),
            drain_seconds=get("drainSeconds"),
        ),
        apis=tuple(_api(document, path) for path in document.items(APIS)),
        systems=tuple(system_of(document, path) for path in document.items(SYSTEMS)),
    )


def _api(document: Document, path: str) -> HttpApiSettings:
    def get(name: str) -> Any:
        return document.value(f"{path}.{name}")

    origin = get("domain")
    return HttpApiSettings(
        name=get("name"),
        domain=f"{origin.scheme}://{origin.authority.decode()}",
        url=get("url"),
        method=get("method"),
        content_type=get("content-type"),
        biz_pod=get("biz-pod"),
        connect_timeout_millis=get("connectTimeoutMillis"),
        read_timeout_millis=get("readTimeoutMillis"),
        total_timeout_millis=get("totalTimeoutMillis"),
        max_retries=get("maxRetries"),
        max_connections=get("maxConnections"),
        new_request_id=get("newRequestId"),
        headers=tuple(_headers(document, path)),
    )


def system_of(document: Document, path: str) -> MciSystemSettings:
    """Return the settings of the MCI system at `path`, with what is left out as it stands there without a value."""

    def get(name: str) -> Any:
        return document.value(f"{path}.{name}")

    origin = get("domain")
    return MciSystemSettings(
        name=get("name"),
        transport=get("transport"),
        host=get("host") or "",
        port=get("port") or 0,
        domain=f"{origin.scheme}://{origin.authority.decode()}" if origin else "",
        url=get("url") or "",
        content_type=get("content-type"),
        length=LengthField(
            kind=get(f"{LENGTH}.kind") or NO_LENGTH,
            place=get(f"{LENGTH}.place"),
            offset=get(f"{LENGTH}.offset"),
            size=get(f"{LENGTH}.size") or 0,
            includes_itself=get(f"{LENGTH}.includesItself"),
            correction=get(f"{LENGTH}.correction"),
        ),
        max_telegram_bytes=get("maxTelegramBytes"),
        connect_timeout_millis=get("connectTimeoutMillis"),
        total_timeout_millis=get("totalTimeoutMillis"),
        max_connections=get("maxConnections"),
    )


def _headers(document: Document, path: str) -> list[tuple[str, str]]:
    written = [(named.name, document.value(named.path)) for named in document.names(f"{path}.headers")]
    return [(name, secret.reveal()) for name, secret in written if isinstance(secret, Secret)]
