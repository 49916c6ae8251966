"""File, environment and flags to settings; or one error that lists every fault (gateway/C1, gateway/C2)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from axhub.configuration.document import Document, read_document
from axhub.configuration.faults import ConfigError, Fault, Place, Where
from axhub.configuration.files import read_bounded, unreadable
from axhub.configuration.flatten import Flat, flatten
from axhub.configuration.overlay import overlay
from axhub.configuration.source import MAX_BYTES, read_yaml
from axhub.gateway.config import rules
from axhub.gateway.config.build import build, tls_settings
from axhub.gateway.config.files import tls_problems
from axhub.gateway.config.flags import Flags, read_flags
from axhub.gateway.config.keys import TABLE
from axhub.gateway.config.local_file import LocalManifest, read_local_manifest
from axhub.gateway.config.settings import ServeSettings, Settings


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a gateway starts with."""

    settings: Settings
    warnings: tuple[str, ...]
    """Each a line for the operator: place, key, what deserves to be known."""
    local: LocalManifest | None
    """Set exactly when `discovery.enabled` is false."""


def load(config_path: str | os.PathLike[str], environ: Mapping[str, str], flags: Flags) -> Loaded:
    """Read the configuration; precedence is flag, environment, file, default.

    `config_path` stands in messages as it is given. Reads files, opens no connection.

    Raises:
        ConfigError: with every fault of the file, the environment and the flags.
    """
    typed = os.fspath(config_path)
    folder = Path(typed).parent
    serve, faults = read_flags(flags, environ)
    flat, unusable = _read_file(typed)
    overlay(flat, environ)
    document, document_faults = read_document(flat, environ)
    draft = rules.Draft(document, serve, folder, unreadable)
    faults += [*unusable, *document_faults, *rules.check(draft)]
    faults += _tls_faults(document, folder, faults)
    if faults:
        raise ConfigError(faults)
    return _finished(document, serve, folder, tuple(rules.warn(draft)))


def _read_file(typed: str) -> tuple[Flat, list[Fault]]:
    """Return the file laid flat; if it cannot be read, nothing and the reason."""
    place = Place(Where.FILE, typed)
    data = read_bounded(Path(typed), MAX_BYTES)
    if isinstance(data, str):
        return Flat(TABLE, place, broken={""}), [Fault(place, "", f"no configuration: {data}", "a readable YAML file")]
    try:
        return flatten(TABLE, read_yaml(data, typed), Place(Where.FILE, typed, 1)), []
    except ConfigError as error:
        return Flat(TABLE, place, broken={""}), list(error.faults)


def _tls_faults(document: Document, folder: Path, known: list[Fault]) -> list[Fault]:
    """Look into the PEM files, unless something is wrong with their keys already."""
    if any(fault.key.startswith(TABLE.whole("tls.")) for fault in known):
        return []
    problems = tls_problems(tls_settings(document, folder))
    return [
        Fault(document.place(key), TABLE.whole(key), f'"{document.value(key)}": {problem}', "a PEM file")
        for key, problem in problems
    ]


def _finished(document: Document, serve: ServeSettings, folder: Path, warnings: tuple[str, ...]) -> Loaded:
    settings = build(document, serve, folder)
    path = settings.registry.local_file
    if path is None:
        return Loaded(settings, warnings, None)
    local = read_local_manifest(path, settings)
    if isinstance(local, list):
        raise ConfigError(local)
    return Loaded(settings, warnings, local)
