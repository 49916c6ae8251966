"""What the configuration of a service says: its entries as written, with their places, whatever is wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.toolkit.facts.source import Located, Place

__all__ = ["Api", "Settings", "System"]

_NOWHERE: Final = Place("")


@dataclass(frozen=True, slots=True)
class Api:
    """One entry of `glow.communication.http.api-list`."""

    name: Located[str]
    values: Mapping[str, Located[Any]]
    """Other keys as written, after nothing was replaced."""
    environment: Mapping[str, Place]
    """Environment variables it reads."""
    secrets: frozenset[str] = frozenset()
    """Those of them that are credentials: what the values of `headers` are."""
    connect_millis: int = 0
    read_millis: int = 0
    total_millis: int = 0
    """The whole call with all its tries."""
    method: str = ""
    url: str = ""
    """As the defaults make it; empty, as the method, where a variable of the environment has to say it."""
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """One entry of `glow.communication.mci.system-list`."""

    name: Located[str]
    values: Mapping[str, Located[Any]]
    """Other keys as written, after nothing was replaced; those of a section by `lengthField.kind`."""
    environment: Mapping[str, Place]
    """Environment variables it reads."""
    transport: str = "tcp"
    """`tcp` or `http`."""
    connect_millis: int = 0
    total_millis: int = 0
    """The whole call, waiting for a connection included."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service's configuration says, faults included, so that rules can name places."""

    path: str
    bundle_id: str = ""
    namespace: str = ""
    timeouts: Mapping[str, Located[int]] = field(default_factory=dict)
    """`tools.<name>.timeoutMillis` where it is written."""
    apis: tuple[Api, ...] = ()
    systems: tuple[System, ...] = ()
    disabled: tuple[Located[str], ...] = ()
    publish_output_schema: bool = False
    namespace_place: Place = _NOWHERE
    tool_places: Mapping[str, Place] = field(default_factory=dict)
    """Where the names of tools stand below `tools`."""
    faults: tuple[tuple[Place, str, str], ...] = ()
    """Place, key and what was found there, what is allowed: what the loader would say, whatever is set.

    But for what rules say by themselves: names that stand twice (rule/TK611), addresses of this machine (rule/TK614).
    """
