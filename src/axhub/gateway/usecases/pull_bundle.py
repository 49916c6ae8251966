"""Flow 1, its first half: one bundle's manifest from its source, through every check, into the bundle's last-good.

A failure of any kind is a value (gateway/G3). Nothing here knows of schedules, other bundles or the catalogue.
"""

import asyncio
from dataclasses import dataclass, replace

from axhub.contract.findings import Finding
from axhub.contract.manifest import Manifest, ManifestPolicy, Rejected, check_manifest
from axhub.gateway.domain.bundle import (
    BundleEvent,
    BundleState,
    CacheAdopted,
    FallbackAdopted,
    Moment,
    NotModified,
    PullFailed,
    RemoteAdopted,
    advance,
    declared,
    revision_to_match,
)
from axhub.gateway.ports import Clock, ManifestCache, ManifestSource, Pulled, PullFailure


@dataclass(frozen=True, slots=True)
class PulledBundle:
    """One declared bundle: what a refresh needs of its configuration."""

    id: str
    enabled: bool
    policy: ManifestPolicy
    fallback: ManifestSource | None = None
    """The local file that may stand in for a first remote pull that failed (gateway/G8)."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A manifest that passed every check, and the document it was read from."""

    manifest: Manifest
    body: bytes
    fresh_seconds: float | None = None
    """How long the source says that it holds."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The answer to a conditional request: what was adopted last still holds."""


@dataclass(frozen=True, slots=True)
class NotAdopted:
    """Nothing usable came."""

    reason: PullFailure
    detail: str = ""
    """For the operator's log only; may name the declared address of the manifest, without its query."""
    findings: tuple[Finding, ...] = ()


PullResult = Accepted | Unchanged | NotAdopted


class ManifestChecker:
    """Checks documents in turns: one step of one document each time the event loop comes round (fault/F14)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()

    async def check(self, body: bytes, policy: ManifestPolicy) -> Accepted | NotAdopted:
        """Run every check of gateway/G6; a fault in a check is the document's failure, never another's."""
        try:
            verdict = await self._in_steps(body, policy)
        except Exception as error:  # noqa: BLE001 - the second line of defence of seed 001 §6
            return NotAdopted(PullFailure.INVALID_MANIFEST, _unexpected("a check", error))
        if isinstance(verdict, Manifest):
            return Accepted(verdict, body)
        reason = PullFailure.INVALID_JSON if verdict.invalid_json else PullFailure.INVALID_MANIFEST
        return NotAdopted(reason, findings=verdict.findings)

    async def _in_steps(self, body: bytes, policy: ManifestPolicy) -> Manifest | Rejected:
        async with self._turn:
            steps = check_manifest(body, policy)
            while True:
                try:
                    next(steps)
                except StopIteration as end:
                    verdict: Manifest | Rejected = end.value
                    return verdict
                await self._clock.sleep(0)


class LastGood:
    """One declared bundle and its state. Every method that brings a document checks it in full, always (gateway/G5)."""

    def __init__(
        self, bundle: PulledBundle, *, source: ManifestSource, checker: ManifestChecker, clock: Clock, conditional: bool
    ) -> None:
        self.bundle = bundle
        self.state: BundleState = declared(bundle.id, bundle.enabled, clock.monotonic())
        self._source = source
        self._checker = checker
        self._conditional = conditional

    async def pull(self, at: Moment) -> PullResult:
        """Pull once, as of `at`, and let the state follow."""
        revision = revision_to_match(self.state) if self._conditional else None
        result = await self._bring(self._source, revision)
        match result:
            case Accepted(manifest):
                self._advance(RemoteAdopted(manifest, at))
            case Unchanged():
                self._advance(NotModified(at))
            case NotAdopted(reason):
                self._advance(PullFailed(reason, at))
        return result

    def give_up(self, at: Moment) -> NotAdopted:
        """Count a pull that ended in no result at all as a failed one."""
        self._advance(PullFailed(PullFailure.CONNECT_FAILED, at))
        return NotAdopted(PullFailure.CONNECT_FAILED, "the pull was broken off")

    async def fall_back(self) -> PullResult | None:
        """Read the local file if it may stand in: after the first pull failed, with nothing to show (gateway/G8)."""
        first_failed = self.state.manifest is None and self.state.consecutive_failures == 1
        if self.bundle.fallback is None or not first_failed:
            return None
        result = await self._bring(self.bundle.fallback, None)
        if isinstance(result, Accepted):
            self._advance(FallbackAdopted(result.manifest))
        return result

    async def warm(self, cache: ManifestCache) -> PullResult | None:
        """Adopt what the shared cache has, if anything; a fault of the cache is a miss (gateway/G1)."""
        try:
            body = await cache.load(self.bundle.id)
        except Exception as error:  # noqa: BLE001 - a cache never stands in the way of a start
            return NotAdopted(PullFailure.CONNECT_FAILED, _unexpected("the cache", error))
        if body is None:
            return None
        result = await self._checker.check(body, self.bundle.policy)
        if isinstance(result, Accepted):
            self._advance(CacheAdopted(result.manifest))
        return result

    async def _bring(self, source: ManifestSource, revision: str | None) -> PullResult:
        try:
            pulled = await source.pull(self.bundle.id, revision)
        except Exception as error:  # noqa: BLE001 - the second line of defence of seed 001 §6
            return NotAdopted(PullFailure.CONNECT_FAILED, _unexpected("the source", error))
        if pulled.body is not None:
            checked = await self._checker.check(pulled.body, self.bundle.policy)
            return replace(checked, fresh_seconds=pulled.fresh_seconds) if isinstance(checked, Accepted) else checked
        return _without_body(pulled, asked=revision is not None)

    def _advance(self, event: BundleEvent) -> None:
        self.state = advance(self.state, event)


def _without_body(pulled: Pulled, *, asked: bool) -> Unchanged | NotAdopted:
    if pulled.not_modified:
        return Unchanged() if asked else NotAdopted(PullFailure.UNEXPECTED_NOT_MODIFIED, pulled.detail)
    return NotAdopted(pulled.failure or PullFailure.CONNECT_FAILED, pulled.detail)


def _unexpected(where: str, error: Exception) -> str:
    """Name a fault by its type only: the text of an exception may hold anything that came from outside."""
    return f"unexpected fault in {where}: {type(error).__name__}"
