"""Flow 1, manifest in: when to pull, what to build from what came, and whom to hand it to.

Two rules hold in this file:

1. One refresh at a time. Whoever needs one while one runs waits for it (gateway/G9, gateway/X7).
2. The catalogue in use is only ever replaced by a whole one: each enabled bundle has a last-good, and they agree.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from axhub.gateway.domain.bundle import BundleState, Moment, at_time
from axhub.gateway.domain.catalogue import MergeRefusal, Snapshot, build_snapshot, merge
from axhub.gateway.domain.revision import Revision
from axhub.gateway.ports import Clock, EventLog, ManifestCache, ManifestSource
from axhub.gateway.usecases.early_pulls import EarlyPulls
from axhub.gateway.usecases.list_tools import tools_array
from axhub.gateway.usecases.pull_bundle import (
    Accepted,
    LastGood,
    ManifestChecker,
    NotAdopted,
    PulledBundle,
    PullResult,
)
from axhub.gateway.usecases.refresh_events import RefreshEvents

__all__ = ["PulledBundle", "RefreshCatalogue", "Schedule"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """When to pull; all in seconds."""

    interval: float = 30.0
    """From start to start of the scheduled refreshes (gateway/G2)."""
    jitter: float = 5.0
    """The first scheduled one is late by up to this."""
    recheck_min_interval: float = 1.0
    """A miss this soon after the start of a pull is judged by that pull (gateway/X7)."""
    conditional: bool = False
    """Whether requests name the revision that was adopted last (decision/D9)."""


class RefreshCatalogue:
    """Keeps the catalogue: pulls on a schedule and on a miss, and publishes each snapshot with other tools.

    `publish` gets a snapshot only when its tools differ from those before; in between, `snapshot.built_at` alone moves.
    `on_pull` hears of each ended pull: the bundle's id, and `ok`, `not_modified` or the reason of the failure.
    `random` gives numbers from 0 to 1.
    """

    def __init__(  # noqa: PLR0913 - every outside thing is a keyword
        self,
        *,
        bundles: Sequence[PulledBundle],
        source: ManifestSource,
        cache: ManifestCache,
        clock: Clock,
        log: EventLog,
        publish: Callable[[Snapshot], None],
        schedule: Schedule,
        max_total: int,
        random: Callable[[], float],
        on_pull: Callable[[str, str], None] = lambda _bundle, _outcome: None,
    ) -> None:
        self.snapshot: Snapshot | None = None
        """The catalogue in use; None until there is a usable one (gateway/K7)."""
        self.first_attempt_over = False
        """Whether the first refresh has ended, well or badly (gateway/M1)."""
        checker = ManifestChecker(clock)
        self._declared = [
            LastGood(bundle, source=source, checker=checker, clock=clock, conditional=schedule.conditional)
            for bundle in bundles
        ]
        self._enabled = [kept for kept in self._declared if kept.bundle.enabled]
        self._cache = cache
        self._clock = clock
        self._events = RefreshEvents(log)
        self._publish = publish
        self._schedule = schedule
        self._max_total = max_total
        self._random = random
        self._on_pull = on_pull
        self._refused = False
        self._stopped = False
        self._started = float("-inf")
        self._refresh: asyncio.Task[None] | None = None
        self._partial, self._waiting = False, 0
        self._early = EarlyPulls(clock, self._refresh_some, schedule.recheck_min_interval)
        self._unstored: dict[str, bytes] = {}
        self._storing: asyncio.Task[None] | None = None

    def bundles(self) -> tuple[BundleState, ...]:
        """Return the state of every declared bundle, disabled ones too, as it is now."""
        now = self._clock.monotonic()
        return tuple(at_time(kept.state, now, self._schedule.interval) for kept in self._declared)

    @property
    def stale_snapshot(self) -> bool:
        """Whether a bundle is stale or the last rebuild was refused (gateway/M2)."""
        return self._refused or any(state.stale for state in self.bundles())

    async def run(self) -> None:
        """Warm start, first refresh at once, then one each interval, until cancelled (gateway/G1, gateway/G2).

        A fault of ours on the way is told, and the schedule begins anew an interval later.
        """
        early = asyncio.create_task(self._early.run(), name="early pulls")
        try:
            await self._warm_start()
            while True:
                try:
                    await self._keep_schedule()
                except Exception as error:  # noqa: BLE001 - without a schedule the catalogue would stand still for ever
                    self._events.fault("the schedule", error)
                await self._clock.sleep(self._schedule.interval)
        finally:
            await self._stop(early)

    async def _keep_schedule(self) -> None:
        due = self._clock.monotonic()
        wait = self._schedule.interval + self._schedule.jitter * self._random()
        while True:
            await self._join_refresh()
            now = self._clock.monotonic()
            due = max(due + wait, now)  # ticks missed meanwhile are dropped, but one follows at once (gateway/G9)
            wait = self._schedule.interval
            await self._clock.sleep(due - now)

    async def recheck(self) -> None:
        """Return when the pull that judges a miss of now has ended (gateway/X7); at once without a snapshot."""
        if self.snapshot is None or self._stopped:
            return
        age = self._clock.monotonic() - self._started
        if age >= self._schedule.recheck_min_interval or (_runs(self._refresh) and not self._partial):
            await self._join_refresh()

    def changed(self, bundle_id: str) -> None:
        """Take a source's word that its tools have changed: pull that bundle before its turn (gateway/P11)."""
        self._early.ask(bundle_id)

    async def _join_refresh(self) -> None:
        self._waiting += 1
        try:
            while self._partial and _runs(self._refresh):
                await self._end_of_refresh()
        finally:
            self._waiting -= 1
        if not _runs(self._refresh):
            self._started = self._clock.monotonic()
            self._partial = False
            self._refresh = asyncio.create_task(self._refresh_all(self._enabled, self._started), name="refresh")
        await self._end_of_refresh()

    async def _refresh_some(self, bundle_ids: frozenset[str]) -> None:
        """Pull some bundles, when no refresh runs (gateway/G9); one that runs may have asked them before the change.

        Whoever waits for a refresh of all has precedence: a bundle that is always due would keep all others waiting.
        """
        while self._waiting or _runs(self._refresh):
            await self._end_of_refresh()
            await self._clock.sleep(0)
        some = [kept for kept in self._enabled if kept.bundle.id in bundle_ids]
        self._partial = True
        self._refresh = asyncio.create_task(self._refresh_all(some, self._clock.monotonic()), name="early refresh")
        await self._end_of_refresh()

    async def _end_of_refresh(self) -> None:
        if self._refresh is not None:
            await asyncio.wait({self._refresh})  # unlike a plain await: who waits cannot cancel it

    async def _refresh_all(self, bundles: Sequence[LastGood], started: float) -> None:
        try:
            confirmed = await self._pull_all(bundles, Moment(self._clock.now(), started))
            self._rebuild_guarded(confirmed=confirmed)
            self._mark_stale()
        except Exception as error:  # noqa: BLE001 - what was adopted goes on serving, and the next refresh comes
            self._events.fault("the refresh", error)
        finally:
            self.first_attempt_over = self.first_attempt_over or not self._partial
        if self._unstored and not _runs(self._storing):
            self._storing = asyncio.create_task(self._store(), name="store manifests")

    async def _pull_all(self, bundles: Sequence[LastGood], at: Moment) -> bool:
        """Pull these bundles at the same time; say whether one succeeded."""
        before = [kept.state for kept in bundles]
        pulls = await asyncio.gather(*(self._pull(kept, at) for kept in bundles), return_exceptions=True)
        for kept, state, pull in zip(bundles, before, pulls, strict=True):
            if isinstance(pull, BaseException):  # the second line of defence of seed 001 §6
                self._events.fault(f"the pull of {kept.bundle.id}", pull)
                if kept.state is state:
                    self._tell(kept, state, kept.give_up(at))
        return True in pulls

    async def _pull(self, kept: LastGood, at: Moment) -> bool:
        """Pull one bundle and tell of it; say whether it succeeded."""
        before = kept.state
        self._early.pull_started(kept.bundle.id)
        result = await kept.pull(at)
        self._tell(kept, before, result)
        if isinstance(result, Accepted) and result.fresh_seconds is not None:
            self._early.ask(kept.bundle.id, result.fresh_seconds)
        if not isinstance(result, NotAdopted):
            return True
        stand_in = await kept.fall_back()
        if stand_in is not None:
            self._events.stand_in_ended("fallback", kept.bundle.id, stand_in)
        return False

    def _tell(self, kept: LastGood, before: BundleState, result: PullResult) -> None:
        self._events.pull_ended(before, kept.state, result)
        if isinstance(result, Accepted):
            self._unstored[kept.bundle.id] = result.body
            self._events.endpoints(kept.bundle.policy, kept.state)
        self._on_pull(kept.bundle.id, _outcome(result))

    async def _warm_start(self) -> None:
        """Serve what the shared cache has until the first pulls have ended; no fault in it delays them."""
        found = await asyncio.gather(*(self._warm(kept) for kept in self._enabled), return_exceptions=True)
        for kept, result in zip(self._enabled, found, strict=True):
            if isinstance(result, BaseException):
                self._events.fault(f"the warm start of {kept.bundle.id}", result)
        if True in found:
            self._rebuild_guarded(confirmed=False)

    async def _warm(self, kept: LastGood) -> bool:
        """Say whether a manifest was adopted."""
        result = await kept.warm(self._cache)
        if result is not None:
            self._events.stand_in_ended("cache", kept.bundle.id, result)
        return isinstance(result, Accepted)

    def _rebuild_guarded(self, *, confirmed: bool) -> None:
        try:
            self._rebuild(confirmed=confirmed)
        except Exception as error:  # noqa: BLE001 - the old snapshot goes on serving, and the next refresh comes
            self._refused = True
            self._events.fault("the rebuild", error)

    def _rebuild(self, *, confirmed: bool) -> None:
        """Replace the snapshot by that of the last-goods of now, if they are complete and agree (gateway/K1, K2)."""
        waiting = [kept.bundle.id for kept in self._enabled if kept.state.manifest is None]
        if waiting or not self._enabled:
            self._events.waiting(waiting)
            return
        manifests = {kept.bundle.id: kept.state.manifest for kept in self._enabled if kept.state.manifest is not None}
        merged = merge(manifests, self._max_total)
        self._refused = isinstance(merged, MergeRefusal)
        if isinstance(merged, MergeRefusal):
            self._events.merge_refused(merged.findings)
            return
        self._events.merged()
        if self.snapshot is None or merged != self.snapshot.tools:
            snapshot = build_snapshot(merged, tools_array(merged, Revision.V2025_11_25), self._clock.now())
            self._publish(snapshot)
            self.snapshot = snapshot
            self._events.published(snapshot)
        elif confirmed:
            self.snapshot = replace(self.snapshot, built_at=self._clock.now())

    def _mark_stale(self) -> None:
        now = self._clock.monotonic()
        for kept in self._enabled:
            marked = at_time(kept.state, now, self._schedule.interval)
            if marked.stale and not kept.state.stale:
                self._events.stale(marked)
            kept.state = marked

    async def _store(self) -> None:
        """Give adopted documents to the shared cache, beside the refreshes and not in their way (ops/O1)."""
        while self._unstored:
            bundle_id, body = self._unstored.popitem()
            try:
                await self._cache.store(bundle_id, body)
            except Exception as error:  # noqa: BLE001 - a cache is never in the way
                self._events.fault("the cache", error)

    async def _stop(self, early: asyncio.Task[None]) -> None:
        self._stopped = True
        tasks = [task for task in (early, self._refresh, self._storing) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _runs(task: asyncio.Task[None] | None) -> bool:
    return task is not None and not task.done()


def _outcome(result: PullResult) -> str:
    if isinstance(result, NotAdopted):
        return str(result.reason)
    return "ok" if isinstance(result, Accepted) else "not_modified"
