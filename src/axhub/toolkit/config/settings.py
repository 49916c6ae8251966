"""A Tool Service's settings: frozen, checked, with units in the names (toolkit/S0, toolkit/H1, toolkit/B3).

Nothing here reads anything; `load_service` builds these, `ToolService` hands their plain values on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from axhub.configuration.languages import Language
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS

__all__ = [
    "LOCAL_PROFILE",
    "MCI_MOCK_PREFIX",
    "MOCK_PREFIX",
    "HttpApiSettings",
    "LengthField",
    "MciSystemSettings",
    "ServerSettings",
    "ServiceSettings",
    "is_mocked",
]

LOCAL_PROFILE: Final = "local"
"""The only profile that relaxes anything; every other name is strict."""
MOCK_PREFIX: Final = "/api/mock/http"
"""Paths below it are answered by mocks, from samples (toolkit/B4)."""
MCI_MOCK_PREFIX: Final = "/api/mock/mci"
"""The same for MCI systems whose telegrams are HTTP bodies."""


def is_mocked(url: str) -> bool:
    """Say whether a path is one that only mocks answer."""
    return url.partition("?")[0].startswith((f"{MOCK_PREFIX}/", f"{MCI_MOCK_PREFIX}/"))


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
class LengthField:
    """Where a telegram says how long it is (toolkit/B3).

    It says: all bytes that go over the wire, less `size` unless it counts itself, plus `correction`.
    """

    kind: str = "none"
    """`ascii` (digits), `big` or `little` (binary, first byte highest or lowest), `bcd` (two digits a byte), `none`."""
    place: str = "header"
    """`header`: inside the telegram; `prefix`: before it, and no part of it."""
    offset: int = 0
    """Bytes of the telegram before the field; 0 in a prefix."""
    size: int = 0
    """Bytes of the field."""
    includes_itself: bool = True
    correction: int = 0
    """Bytes that the other side counts besides, or does not count (negative)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MciSystemSettings:
    """One entry of `glow.communication.mci.system-list`: where a system is and how telegrams go there (toolkit/B3)."""

    name: str
    """What a client's `SYSTEM` says."""
    transport: str = "tcp"
    """`tcp`, or `http`: a telegram is the body of a POST and of its answer."""
    host: str = ""
    """Of `tcp`."""
    port: int = 0
    """Of `tcp`; 0: that of the mock which the service starts itself in the profile `local` (toolkit/B4)."""
    domain: str = ""
    """Of `http`: scheme, host and port."""
    url: str = ""
    """Of `http`: the path, beginning with `/`."""
    content_type: str = "application/octet-stream"
    length: LengthField = LengthField()
    max_telegram_bytes: int = 1_048_576
    """Size that a telegram may have, either way; nothing longer is read."""
    connect_timeout_millis: int = 1000
    total_timeout_millis: int = 5000
    """The whole call: waiting for a connection, connecting, the answer."""
    max_connections: int = 32

    @property
    def is_mock(self) -> bool:
        """Whether only a mock that the service starts itself can answer."""
        return self.transport == "tcp" and not self.port


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
    systems: tuple[MciSystemSettings, ...] = ()

    @property
    def local(self) -> bool:
        """Whether the relaxations of the profile `local` apply."""
        return self.profile == LOCAL_PROFILE

    def timeout_millis(self, tool: str) -> int:
        """Return after how many milliseconds a call of a tool, by its authored name, is cut off."""
        return self.timeouts_millis.get(tool, DEFAULT_TIMEOUT_MILLIS)
