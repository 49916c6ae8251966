"""What the log hears of a refresh: every failed pull once, every change once, nothing of what stays as it was.

Findings are written out when they are others than those of the pull before; a repeated failure is one line.
"""

from collections.abc import Sequence
from typing import Final

from axhub.contract.findings import Finding
from axhub.contract.manifest import ManifestPolicy
from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.ports import EventLog, Severity
from axhub.gateway.usecases.pull_bundle import Accepted, NotAdopted, PullResult

MAX_FINDINGS: Final = 50
"""Lines written for one rejected document; the first line of each rejection gives their whole number."""


class RefreshEvents:
    """Turns what happened in a refresh into log events."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._told: dict[str, tuple[Finding, ...]] = {}
        self._overrides_told: set[str] = set()
        self._waiting: Sequence[str] | None = None

    def pull_ended(self, before: BundleState, after: BundleState, result: PullResult) -> None:
        """Tell of one ended pull: a failure always, an adoption when something changed by it."""
        bundle = after.id
        if isinstance(result, NotAdopted):
            self._refused("manifest_pull_failed", bundle, result, consecutiveFailures=after.consecutive_failures)
            return
        self._told.pop(bundle, None)
        if not isinstance(result, Accepted) or _same_content(before, after):
            if before.status is not after.status:
                self._log.event(Severity.INFO, "bundle_recovered", bundle=bundle, status=after.status)
            return
        self._log.event(
            Severity.INFO, "manifest_adopted", bundle=bundle, tools=after.tool_count, revision=after.revision
        )
        if after.shrunk:
            self._log.event(
                Severity.WARNING, "bundle_shrunk", bundle=bundle, toolsBefore=before.tool_count, tools=after.tool_count
            )

    def stand_in_ended(self, content: str, bundle: str, result: PullResult) -> None:
        """Tell of the check of a document that stands in for a pull: `content` is `fallback` or `cache`."""
        if isinstance(result, NotAdopted):
            self._refused(f"{content}_rejected", bundle, result)
        elif isinstance(result, Accepted):
            tools = len(result.manifest.tools)
            self._log.event(Severity.WARNING, f"{content}_adopted", bundle=bundle, tools=tools)

    def endpoints(self, policy: ManifestPolicy, state: BundleState) -> None:
        """Tell once a bundle that its manifest sends calls elsewhere than to `baseEndpoint` (decision/D2)."""
        base = policy.endpoints.base_endpoint if policy.endpoints else None
        if base is None or state.manifest is None or state.id in self._overrides_told:
            return
        others = [tool.name for tool in state.manifest.tools if tool.endpoint != base]
        if others:
            self._overrides_told.add(state.id)
            self._log.event(
                Severity.INFO, "base_endpoint_overridden", bundle=state.id, tools=len(others), firstTool=others[0]
            )

    def published(self, snapshot: Snapshot) -> None:
        """Tell of a catalogue with other content than the one before."""
        self._waiting = None
        self._log.event(
            Severity.INFO,
            "catalogue_published",
            tools=snapshot.tool_count,
            sizeBytes=snapshot.size_bytes,
            digest=snapshot.digest,
        )

    def merge_refused(self, findings: tuple[Finding, ...]) -> None:
        """Tell, where it is news, that valid manifests do not fit together: the old catalogue stays (gateway/K1)."""
        if self._told.get("") != findings:
            self._log.event(Severity.ERROR, "catalogue_refused", findings=len(findings))
        self._list("", findings)

    def merged(self) -> None:
        """Tell that manifests fit together again, if they did not before."""
        if self._told.pop("", None) is not None:
            self._log.event(Severity.INFO, "catalogue_recovered")

    def waiting(self, bundles: Sequence[str]) -> None:
        """Tell that no catalogue can be built because these bundles never had a valid manifest (gateway/K2)."""
        if bundles != self._waiting:
            self._waiting = bundles
            names = ", ".join(bundles) or "none is enabled"
            self._log.event(Severity.WARNING, "catalogue_waits", bundles=names)

    def stale(self, state: BundleState) -> None:
        """Tell that a bundle has just become stale (decision/D16)."""
        self._log.event(
            Severity.WARNING, "bundle_stale", bundle=state.id, consecutiveFailures=state.consecutive_failures
        )

    def fault(self, where: str, error: BaseException) -> None:
        """Tell of a fault of our own that the second line of defence caught.

        Only its type: the text of an exception may hold anything that came from outside.
        """
        self._log.event(Severity.ERROR, "refresh_fault", where=where, error=type(error).__name__)

    def _refused(self, name: str, bundle: str, result: NotAdopted, **more: int) -> None:
        self._log.event(
            Severity.WARNING,
            name,
            bundle=bundle,
            reason=result.reason,
            detail=result.detail or None,
            findings=len(result.findings),
            **more,
        )
        self._list(bundle, result.findings)

    def _list(self, bundle: str, findings: tuple[Finding, ...]) -> None:
        if self._told.get(bundle) == findings:
            return
        self._told[bundle] = findings
        for finding in findings[:MAX_FINDINGS]:
            self._log.event(
                Severity.WARNING,
                "manifest_finding" if bundle else "catalogue_finding",
                bundle=bundle or None,
                tool=finding.tool,
                pointer=finding.pointer,
                rule=finding.rule,
                problem=finding.problem,
                mend=finding.mend,
            )


def _same_content(before: BundleState, after: BundleState) -> bool:
    if before.manifest is None or after.manifest is None:
        return False
    return before.content is after.content and before.manifest.tools == after.manifest.tools
