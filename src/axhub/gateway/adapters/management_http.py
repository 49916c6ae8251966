"""The management port: health, info, bundle states and metrics over plain HTTP, read only (gateway/M1-M3).

An `HttpHandler` for a listener of its own, never for the one that serves `/mcp` (threat/T12, seed 001 §9). Paths are
compared as they were sent: no decoding, no trailing slash, no dot segments. Every answer that is not the metrics text
is one small JSON object.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Final

import msgspec

from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.ports import HttpRequest, Reply, ReplyHead
from axhub.gateway.usecases import report_status
from axhub.gateway.usecases.report_status import NotReady

HEALTH: Final = b"/actuator/health"
LIVENESS: Final = b"/actuator/health/liveness"
READINESS: Final = b"/actuator/health/readiness"
INFO: Final = b"/actuator/info"
TOOL_BUNDLES: Final = b"/actuator/toolBundles"
PROMETHEUS: Final = b"/actuator/prometheus"

_METHODS: Final = (b"GET", b"HEAD")
_NO_STORE: Final = (b"cache-control", b"no-store")
_JSON: Final = ((b"content-type", b"application/json"), _NO_STORE)
_ALLOW: Final = (b"allow", b"GET, HEAD")
_METRICS_TYPE: Final = b"text/plain; version=0.0.4; charset=utf-8"
_NO_SUCH_PATH: Final = "not a path of the management port; there are: " + ", ".join(
    path.decode() for path in (HEALTH, LIVENESS, READINESS, INFO, TOOL_BUNDLES, PROMETHEUS)
)
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSources:
    """Where the answers come from; each is asked anew with every request."""

    bundles: Callable[[], Sequence[BundleState]]
    snapshot: Callable[[], Snapshot | None]
    snapshot_stale: Callable[[], bool]
    first_attempt_over: Callable[[], bool]
    draining: Callable[[], bool]
    metrics: Callable[[], bytes]
    """The text of all metrics in Prometheus' format 0.0.4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """The members of `/actuator/info`."""

    name: str
    version: str
    identity: str


Answer = tuple[ReplyHead, bytes]


class ManagementHandler:
    """Answers each request at once; a HEAD gets what the GET would get, and the front leaves the body out."""

    def __init__(self, info: Info, sources: StatusSources) -> None:
        self._info = _encode({"name": info.name, "version": info.version, "identity": info.identity})
        self._sources = sources
        self._routes: dict[bytes, Callable[[], Answer]] = {
            HEALTH: self._health,
            LIVENESS: lambda: _status(True),
            READINESS: lambda: _status(self.not_ready() is None),
            INFO: lambda: (_head(HTTPStatus.OK), self._info),
            TOOL_BUNDLES: self._tool_bundles,
            PROMETHEUS: self._metrics,
        }

    def __call__(self, request: HttpRequest, reply: Reply) -> None:
        """Answer `request`."""
        route = self._routes.get(request.path)
        if route is None:
            reply(*refusal(HTTPStatus.NOT_FOUND, _NO_SUCH_PATH))
        elif request.method not in _METHODS:
            reply(*refusal(HTTPStatus.METHOD_NOT_ALLOWED, "the management port is read only: use GET"))
        else:
            reply(*route())

    def not_ready(self) -> NotReady | None:
        """Return why the gateway takes no traffic at this moment, None if it does."""
        sources = self._sources
        return report_status.not_ready(
            draining=sources.draining(),
            first_attempt_over=sources.first_attempt_over(),
            has_snapshot=sources.snapshot() is not None,
        )

    def _health(self) -> Answer:
        problem = self.not_ready()
        return _health_head(problem is None), _encode(report_status.health(problem))

    def _tool_bundles(self) -> Answer:
        sources = self._sources
        document = report_status.tool_bundles(sources.bundles(), sources.snapshot(), sources.snapshot_stale())
        return _head(HTTPStatus.OK), _encode(document)

    def _metrics(self) -> Answer:
        return _METRICS_HEAD, self._sources.metrics()


def refusal(code: int, problem: str) -> Answer:
    """Return the answer to a request that the port does not serve: a status and one sentence for a person.

    Also what the front of this port says of requests that it could not read.
    """
    return _head(code), _encode({"error": problem})


def _status(up: bool) -> Answer:
    return _health_head(up), _encode(report_status.status(up))


def _health_head(up: bool) -> ReplyHead:
    return _head(HTTPStatus.OK if up else HTTPStatus.SERVICE_UNAVAILABLE)


@cache
def _head(code: int) -> ReplyHead:
    """Return the one head of a status: fronts know heads by identity."""
    return ReplyHead(code, (*_JSON, _ALLOW) if code == HTTPStatus.METHOD_NOT_ALLOWED else _JSON)


_METRICS_HEAD: Final = ReplyHead(HTTPStatus.OK, ((b"content-type", _METRICS_TYPE), _NO_STORE))
