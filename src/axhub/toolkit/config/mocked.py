"""What a mock needs of a service's configuration: names and paths of its APIs, whatever else is set or wrong."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from axhub.configuration.document import Document, read_document, variables
from axhub.configuration.faults import ConfigError, Fault, Where
from axhub.configuration.overlay import overlay
from axhub.toolkit.config import rules
from axhub.toolkit.config.keys import APIS
from axhub.toolkit.config.loading import read_flat
from axhub.toolkit.config.settings import LOCAL_PROFILE, HttpApiSettings

__all__ = ["Mocked", "load_mocked"]

_NEEDED: Final = frozenset({"name", "url", "method", "content-type"})
_API_KEY: Final = re.compile(re.escape(APIS) + r"\[\d+\]\.(?P<name>[^.]+)")
_HERE: Final = "http://localhost"


@dataclass(frozen=True, slots=True)
class Mocked:
    """The APIs of one service."""

    apis: tuple[HttpApiSettings, ...]
    """Of these, name, path, method and content type are those of the configuration."""
    variables: Mapping[str, str]
    """By name of the API: the variable of the environment that moves it to another domain, where there is one."""


def load_mocked(path: Path, environ: Mapping[str, str]) -> Mocked:
    """Read the entries of `api-list`; addresses and credentials need not be set.

    Raises:
        ConfigError: the file cannot be read, or an entry lacks what a mock needs.
    """
    flat, faults = read_flat(path, str(path))
    overlay(flat, environ)
    read = variables(flat)
    stand_ins = {one.name: _HERE for one in read if one.required}
    document, found = read_document(flat, {**stand_ins, **environ})
    found += rules.names_differ(rules.Draft(document, flat, environ, LOCAL_PROFILE))
    faults += [fault for fault in found if _is_needed(fault)]
    if faults:
        raise ConfigError(faults)
    paths = document.items(APIS)
    first = {one.path: one.name for one in reversed(read)}
    named = [(document.value(f"{item}.name"), first.get(f"{item}.domain")) for item in paths]
    return Mocked(
        tuple(_api(document, item) for item in paths), {name: variable for name, variable in named if variable}
    )


def _is_needed(fault: Fault) -> bool:
    """Say whether a mock cannot work with a fault."""
    if not fault.key:
        return fault.place.where is Where.FILE
    within = _API_KEY.match(fault.key)
    return within["name"] in _NEEDED if within else APIS.startswith(fault.key) or fault.key.startswith(APIS)


def _api(document: Document, path: str) -> HttpApiSettings:
    def get(name: str) -> Any:
        return document.value(f"{path}.{name}")

    return HttpApiSettings(
        name=get("name"), domain=_HERE, url=get("url"), method=get("method"), content_type=get("content-type")
    )
