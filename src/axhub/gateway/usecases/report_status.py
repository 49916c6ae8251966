"""What operators see of the gateway: health and the state of every bundle, as plain documents (gateway/M1, M2).

Pure: state in, document out. No address, no prefix and no message ever enters a document (seed 001 §9).
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.domain.catalogue import Snapshot

Document = dict[str, Any]
"""A JSON object."""


class NotReady(StrEnum):
    """Why the gateway takes no traffic, the most telling reason first."""

    DRAINING = "draining"
    """It has been asked to stop (gateway/C6)."""
    FIRST_ATTEMPT = "first_attempt"
    """The first pull of all enabled bundles has not ended."""
    NO_SNAPSHOT = "no_snapshot"
    """There is no usable snapshot: an enabled bundle never brought a manifest, or the merge was refused."""


def not_ready(*, draining: bool, first_attempt_over: bool, has_snapshot: bool) -> NotReady | None:
    """Return why the gateway is not ready, or None if it is (gateway/M1, seed 001 §6)."""
    if draining:
        return NotReady.DRAINING
    if not first_attempt_over:
        return NotReady.FIRST_ATTEMPT
    return None if has_snapshot else NotReady.NO_SNAPSHOT


def status(up: bool) -> Document:
    """Return the document of one health state."""
    return {"status": "UP" if up else "DOWN"}


def health(problem: NotReady | None) -> Document:
    """Return the whole health: DOWN while not ready; `components` says which part, and why in one word."""
    readiness = status(problem is None)
    if problem is not None:
        readiness["details"] = {"reason": problem.value}
    return {**status(problem is None), "components": {"livenessState": status(True), "readinessState": readiness}}


def tool_bundles(bundles: Sequence[BundleState], snapshot: Snapshot | None, snapshot_stale: bool) -> Document:
    """Return the state of the catalogue and of every declared bundle, in the order of the configuration.

    Of a bundle `toolCount` includes disabled tools, of the snapshot it does not (gateway/M2).
    """
    return {
        "snapshot": None if snapshot is None else _snapshot(snapshot, snapshot_stale),
        "bundles": [_bundle(state) for state in bundles],
    }


def rfc3339(moment: datetime) -> str:
    """Return a UTC moment as RFC 3339 with milliseconds and `Z`."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _snapshot(snapshot: Snapshot, stale: bool) -> Document:
    return {
        "digest": snapshot.digest,
        "toolCount": snapshot.tool_count,
        "sizeBytes": snapshot.size_bytes,
        "builtAt": rfc3339(snapshot.built_at),
        "stale": stale,
    }


def _bundle(state: BundleState) -> Document:
    return {
        "id": state.id,
        "status": state.status.value,
        "toolCount": state.tool_count,
        "revision": state.revision,
        "lastAttemptAt": _optional(state.last_attempt_at),
        "lastSuccessAt": _optional(state.last_success_at),
        "consecutiveFailures": state.consecutive_failures,
        "lastFailureReason": state.last_failure_reason,
        "shrunk": state.shrunk,
        "stale": state.stale,
    }


def _optional(moment: datetime | None) -> str | None:
    return None if moment is None else rfc3339(moment)
