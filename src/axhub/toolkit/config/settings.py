"""A Tool Service's settings: frozen, checked, with units in the names (toolkit/S0, toolkit/H1).

Nothing here reads anything; `load_service` builds these, `ToolService` hands their plain values on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from axhub.configuration.languages import Language
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS

__all__ = [
    "LOCAL_PROFILE",
    "MOCK_PREFIX",
    "HttpApiSettings",
    "ServerSettings",
    "ServiceSettings",
    "is_mocked",
]

LOCAL_PROFILE: Final = "local"
"""The only profile that relaxes anything; every other name is strict."""
MOCK_PREFIX: Final = "/api/mock/http"
"""Paths below it are answered by mocks, from samples (toolkit/B4)."""


def is_mocked(url: str) -> bool:
    """Say whether a path is one that only mocks answer."""
    return url.partition("?")[0].startswith(f"{MOCK_PREFIX}/")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpApiSettings:
    """One entry of `glow.communication.http.api-list`: where an API is and how long it may take."""

    name: str
    """What a client's `API_NAME` says."""
    domain: str
    """Scheme, host and port: `https://claims.example:8443`."""
    url: str
    """The path, beginning with `/`."""
    method: str = "POST"
    """In capitals."""
    content_type: str = "application/json;charset=UTF-8"
    biz_pod: bool = False
    """Carried without effect."""
    connect_timeout_millis: int = 1000
    read_timeout_millis: int = 3000
    total_timeout_millis: int = 5000
    """The whole call with all its tries."""
    max_retries: int = 0
    """Idempotent methods only."""
    max_connections: int = 32
    new_request_id: bool = False
    """Send a new request id with each call; the caller's is logged as its parent (toolkit/H2)."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Header names and their values, which are credentials: never logged, never shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How the service listens, and its bounds (toolkit/S6)."""

    host: str = "127.0.0.1"
    port: int = 8081
    """0: any free port."""
    max_request_bytes: int = 1_048_576
    max_in_flight_calls: int = 256
    drain_seconds: float = 25.0
    """How long calls in flight may take to end once the service is asked to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """Everything a Tool Service was told, checked."""

    bundle_id: str
    namespace: str = ""
    """Goes before each tool's name when it is published, separator included (decision/D4)."""
    profile: str = "production"
    publish_output_schema: bool = False
    """Whether the manifest carries output schemas (decision/D6); results are validated anyway."""
    disabled_tools: frozenset[str] = frozenset()
    """Authored names: published with `_meta.enabled: false`, and not executed (decision/D7)."""
    language: Language = "en"
    """Of what a model reads when a call cannot be answered (toolkit/S3)."""
    timeouts_millis: Mapping[str, int] = field(default_factory=dict)
    """`tools.<name>.timeoutMillis` by authored name, where it is written."""
    server: ServerSettings = ServerSettings()
    apis: tuple[HttpApiSettings, ...] = ()

    @property
    def local(self) -> bool:
        """Whether the relaxations of the profile `local` apply."""
        return self.profile == LOCAL_PROFILE

    def timeout_millis(self, tool: str) -> int:
        """Return after how many milliseconds a call of a tool, by its authored name, is cut off."""
        return self.timeouts_millis.get(tool, DEFAULT_TIMEOUT_MILLIS)
