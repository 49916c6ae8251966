"""One bundle as the gateway knows it: its last-good manifest, and what each pull does to it.

Two rules hold in this file:

1. A state is never changed; `advance` returns the next one. Which status follows which event is data: `TRANSITIONS`.
2. Nothing takes a manifest away. An event brings another one or leaves the last-good as it is (gateway/G5, gateway/K6).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from axhub.contract.manifest import Manifest

STALE_AFTER_INTERVALS: Final = 10
"""Refresh intervals without a success after which a bundle is marked stale (decision/D16)."""


class BundleStatus(StrEnum):
    """How a bundle stands: the values of `status` in `/actuator/toolBundles` (gateway/M2, seed 001 §9)."""

    HEALTHY = "healthy"
    """The last pull succeeded."""
    FALLBACK = "fallback"
    """The first remote pull failed and the local file is in use."""
    DEGRADED = "degraded"
    """A last-good is shown that the latest pull did not confirm."""
    UNREACHABLE = "unreachable"
    """Never a success, nothing shown; also before the first pull has ended."""
    DISABLED = "disabled"
    """Switched off in the configuration: never contacted, part of nothing."""


class Content(StrEnum):
    """Where the last-good of a bundle came from."""

    NONE = "none"
    CACHE = "cache"
    """The cache shared between replicas, read at warm start (gateway/G1)."""
    FALLBACK = "fallback"
    """The bundle's local file (gateway/G8)."""
    REMOTE = "remote"


class Moment(NamedTuple):
    """One instant on both clocks."""

    wall: datetime
    """UTC."""
    monotonic: float
    """Seconds."""


@dataclass(frozen=True, slots=True)
class RemoteAdopted:
    """A pull brought a manifest that passed every check; `at` is when the pull started, as in all events."""

    manifest: Manifest
    at: Moment


@dataclass(frozen=True, slots=True)
class NotModified:
    """A pull that asked for it was answered that the last adopted remote manifest still holds (decision/D9)."""

    at: Moment


@dataclass(frozen=True, slots=True)
class PullFailed:
    """A pull brought nothing usable; `reason` is one of the names of `ports.PullFailure`."""

    reason: str
    at: Moment


@dataclass(frozen=True, slots=True)
class FallbackAdopted:
    """The local file passed every check."""

    manifest: Manifest


@dataclass(frozen=True, slots=True)
class CacheAdopted:
    """The shared cache had a manifest that passed every check."""

    manifest: Manifest


BundleEvent = RemoteAdopted | NotModified | PullFailed | FallbackAdopted | CacheAdopted

TRANSITIONS: Final[Mapping[BundleStatus, Mapping[type[BundleEvent], BundleStatus]]] = {
    BundleStatus.UNREACHABLE: {
        CacheAdopted: BundleStatus.DEGRADED,
        FallbackAdopted: BundleStatus.FALLBACK,
        RemoteAdopted: BundleStatus.HEALTHY,
        PullFailed: BundleStatus.UNREACHABLE,
    },
    BundleStatus.FALLBACK: {
        RemoteAdopted: BundleStatus.HEALTHY,
        PullFailed: BundleStatus.FALLBACK,
    },
    BundleStatus.DEGRADED: {
        RemoteAdopted: BundleStatus.HEALTHY,
        NotModified: BundleStatus.HEALTHY,
        PullFailed: BundleStatus.DEGRADED,
    },
    BundleStatus.HEALTHY: {
        RemoteAdopted: BundleStatus.HEALTHY,
        NotModified: BundleStatus.HEALTHY,
        PullFailed: BundleStatus.DEGRADED,
    },
    BundleStatus.DISABLED: {},
}
"""Status and kind of event to the next status. What is not here cannot happen: a local file never replaces anything."""


class TransitionError(ValueError):
    """An event came in a status that has no place for it: a fault of the caller."""


@dataclass(frozen=True, slots=True)
class BundleState:
    """What is known of one declared bundle at one moment."""

    id: str
    status: BundleStatus
    refreshed: float
    """`Clock.monotonic` seconds of the last success; before the first one, of the start of the gateway."""
    content: Content = Content.NONE
    manifest: Manifest | None = None
    """The last-good, whatever it came from."""
    last_attempt_at: datetime | None = None
    """UTC start of the latest pull that has ended."""
    last_success_at: datetime | None = None
    """UTC start of the latest pull that brought or confirmed a manifest; a local file or a cache is none."""
    consecutive_failures: int = 0
    last_failure_reason: str | None = None
    """A name of `ports.PullFailure`; None after a success."""
    shrunk: bool = False
    """The last-good removed more than half of the tools of the one before it (decision/D16)."""
    stale: bool = False
    """No success for `STALE_AFTER_INTERVALS`; set by `at_time`, since it depends on when one looks."""

    @property
    def tool_count(self) -> int:
        """Tools of the last-good, disabled ones included."""
        return 0 if self.manifest is None else len(self.manifest.tools)

    @property
    def revision(self) -> str | None:
        """The last-good's own revision text, if it has one."""
        return None if self.manifest is None else self.manifest.revision

    @property
    def enabled(self) -> bool:
        """Whether the bundle takes part in anything."""
        return self.status is not BundleStatus.DISABLED


def declared(bundle_id: str, enabled: bool, monotonic: float) -> BundleState:
    """Return the state of a bundle before anything happened."""
    status = BundleStatus.UNREACHABLE if enabled else BundleStatus.DISABLED
    return BundleState(bundle_id, status, refreshed=monotonic)


def advance(state: BundleState, event: BundleEvent) -> BundleState:
    """Return the state after `event`.

    Raises:
        TransitionError: `TRANSITIONS` has no entry for it.
    """
    status = TRANSITIONS[state.status].get(type(event))
    if status is None:
        raise TransitionError(f"{type(event).__name__} cannot happen to a bundle that is {state.status}")
    match event:
        case RemoteAdopted(manifest, at):
            return _succeeded(_adopted(state, status, Content.REMOTE, manifest), status, at)
        case NotModified(at):
            return _succeeded(state, status, at)
        case PullFailed(reason, at):
            return replace(
                state,
                status=status,
                last_attempt_at=at.wall,
                consecutive_failures=state.consecutive_failures + 1,
                last_failure_reason=reason,
            )
        case FallbackAdopted(manifest):
            return _adopted(state, status, Content.FALLBACK, manifest)
        case CacheAdopted(manifest):
            return _adopted(state, status, Content.CACHE, manifest)


def revision_to_match(state: BundleState) -> str | None:
    """Return the revision a conditional request may name: only that of an adopted remote manifest (decision/D9)."""
    return state.revision if state.content is Content.REMOTE else None


def at_time(state: BundleState, monotonic: float, interval: float) -> BundleState:
    """Return the state with `stale` as it is at `monotonic`, for refreshes every `interval` seconds."""
    stale = state.enabled and monotonic - state.refreshed >= STALE_AFTER_INTERVALS * interval
    return state if stale == state.stale else replace(state, stale=stale)


def _succeeded(state: BundleState, status: BundleStatus, at: Moment) -> BundleState:
    return replace(
        state,
        status=status,
        refreshed=at.monotonic,
        last_attempt_at=at.wall,
        last_success_at=at.wall,
        consecutive_failures=0,
        last_failure_reason=None,
        stale=False,
    )


def _adopted(state: BundleState, status: BundleStatus, content: Content, manifest: Manifest) -> BundleState:
    shrunk = state.shrunk
    if state.manifest is not None and state.manifest.content_digest != manifest.content_digest:
        shrunk = _has_shrunk(state.manifest, manifest)
    return replace(state, status=status, content=content, manifest=manifest, shrunk=shrunk)


def _has_shrunk(before: Manifest, after: Manifest) -> bool:
    names = {tool.name for tool in before.tools}
    removed = names.difference(tool.name for tool in after.tools)
    return len(removed) * 2 > len(names)
