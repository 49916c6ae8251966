"""What a mock needs of a service's configuration: its APIs and MCI systems, whatever else is set or wrong."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from axhub.configuration.document import Document, read_document, variables
from axhub.configuration.faults import ConfigError, Fault, Where
from axhub.configuration.overlay import overlay
from axhub.toolkit.config import mci_rules, rules
from axhub.toolkit.config.keys import APIS
from axhub.toolkit.config.loading import read_flat, system_of
from axhub.toolkit.config.mci_keys import LENGTH, SYSTEMS
from axhub.toolkit.config.settings import LOCAL_PROFILE, HttpApiSettings, MciSystemSettings

__all__ = ["Mocked", "load_mocked"]

_NEEDED: Final = {
    APIS: frozenset({"name", "url", "method", "content-type"}),
    SYSTEMS: frozenset({"name", "transport", "url", "content-type", LENGTH, "maxTelegramBytes"}),
}
_ENTRY_KEY: Final = re.compile(f"(?P<list>{re.escape(APIS)}|{re.escape(SYSTEMS)})" + r"\[\d+\]\.(?P<name>[^.]+)")
_HERE: Final = "http://localhost"
_MOVING: Final = ("domain", "host", "port")
"""Keys that say where an API or a system is."""


@dataclass(frozen=True, slots=True)
class Mocked:
    """The APIs and MCI systems of one service."""

    apis: tuple[HttpApiSettings, ...]
    """Of these, name, path, method and content type are those of the configuration."""
    variables: Mapping[str, str]
    """By name of the API: the variable of the environment that moves it to another domain, where there is one."""
    systems: tuple[MciSystemSettings, ...] = ()
    """Of these, everything but the address is that of the configuration."""
    system_variables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By name of the system: the variables that move its `domain`, `host` and `port`, where there are any."""


def load_mocked(path: Path, environ: Mapping[str, str]) -> Mocked:
    """Read the entries of `api-list` and `system-list`; addresses and credentials need not be set.

    Raises:
        ConfigError: the file cannot be read, or an entry lacks what a mock needs.
    """
    flat, faults = read_flat(path, str(path))
    overlay(flat, environ)
    read = variables(flat)
    stand_ins = {one.name: _stand_in(one.path) for one in read if one.required}
    document, found = read_document(flat, {**stand_ins, **environ})
    draft = rules.Draft(document, flat, environ, LOCAL_PROFILE)
    found += rules.names_differ(draft)
    found += mci_rules.systems_are_whole(draft)
    found += mci_rules.lengths_can_be_written(draft)
    faults += [fault for fault in found if _is_needed(fault)]
    if faults:
        raise ConfigError(faults)
    paths, systems = document.items(APIS), document.items(SYSTEMS)
    first = {one.path: one.name for one in reversed(read)}
    named = [(document.value(f"{item}.name"), first.get(f"{item}.domain")) for item in paths]
    return Mocked(
        tuple(_api(document, item) for item in paths),
        {name: variable for name, variable in named if variable},
        tuple(system_of(document, item) for item in systems),
        {document.value(f"{item}.name"): _moving(item, first) for item in systems},
    )


def _stand_in(path: str) -> str:
    """Return what stands in for a variable that is not set: what the key takes."""
    return "1" if path.endswith(".port") else _HERE


def _moving(item: str, first: Mapping[str, str]) -> Mapping[str, str]:
    return {key: first[f"{item}.{key}"] for key in _MOVING if f"{item}.{key}" in first}


def _is_needed(fault: Fault) -> bool:
    """Say whether a mock cannot work with a fault."""
    if not fault.key:
        return fault.place.where is Where.FILE
    within = _ENTRY_KEY.match(fault.key)
    if within:
        return within["name"] in _NEEDED[within["list"]]
    return any(entries.startswith(fault.key) or fault.key.startswith(entries) for entries in _NEEDED)


def _api(document: Document, path: str) -> HttpApiSettings:
    def get(name: str) -> Any:
        return document.value(f"{path}.{name}")

    return HttpApiSettings(
        name=get("name"), domain=_HERE, url=get("url"), method=get("method"), content_type=get("content-type")
    )
