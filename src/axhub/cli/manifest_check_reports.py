"""What `axhub gateway check` and `axhub manifest check` find out about manifests, as data."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from axhub.contract.endpoints import Endpoint
from axhub.contract.findings import Finding
from axhub.contract.manifest import Manifest, ManifestPolicy, Rejected, check_manifest, run
from axhub.gateway.config.settings import Settings
from axhub.gateway.domain.catalogue import MergeRefusal, merge
from axhub.gateway.ports import ManifestSource, Pulled, PullFailure

ACCEPTED: Final = "accepted"
REJECTED: Final = "rejected"
NOT_PULLED: Final = "not pulled"
DISABLED: Final = "disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestReport:
    """The outcome for one manifest."""

    name: str
    """The bundle's id, or the file or URL as typed."""
    status: str
    manifest: Manifest | None = None
    findings: tuple[Finding, ...] = ()
    failure: PullFailure | None = None
    detail: str = ""

    @property
    def good(self) -> bool:
        """Whether a gateway would use it, or leaves it alone."""
        return self.status in {ACCEPTED, DISABLED}

    @property
    def addressed(self) -> tuple[tuple[str, Endpoint], ...]:
        """The tools that have an address, by name; in a manifest checked by itself, those with an absolute endpoint."""
        tools = self.manifest.tools if self.manifest else ()
        return tuple((tool.name, tool.endpoint) for tool in tools if tool.endpoint is not None)


@dataclass(frozen=True, slots=True)
class CatalogueReport:
    """The outcome for all bundles, each and together."""

    bundles: tuple[ManifestReport, ...] = ()
    together: tuple[Finding, ...] = field(default=())
    """Why the accepted manifests cannot stand in one catalogue (gateway/K1)."""

    @property
    def good(self) -> bool:
        """Whether a gateway would serve all of it."""
        return not self.together and all(bundle.good for bundle in self.bundles)


async def pull_catalogue(source: ManifestSource, settings: Settings) -> CatalogueReport:
    """Pull each enabled bundle once, all at the same time, and check what came (gateway/C4)."""
    enabled = settings.enabled_bundles
    pulled = await asyncio.gather(*(source.pull(bundle.id, None) for bundle in enabled))
    policies = {bundle.id: bundle.manifest_policy(settings.discovery.limits) for bundle in enabled}
    answers = {bundle.id: answer for bundle, answer in zip(enabled, pulled, strict=True)}
    reports = tuple(
        judge(bundle.id, answers[bundle.id], policies[bundle.id])
        if bundle.enabled
        else ManifestReport(name=bundle.id, status=DISABLED)
        for bundle in settings.bundles
    )
    accepted = {report.name: report.manifest for report in reports if report.manifest is not None}
    return CatalogueReport(reports, _together(accepted, settings.discovery.max_tools_total))


def judge(name: str, pulled: Pulled, policy: ManifestPolicy) -> ManifestReport:
    """Check what a pull brought."""
    if pulled.body is None:
        return ManifestReport(name=name, status=NOT_PULLED, failure=pulled.failure, detail=pulled.detail)
    outcome = run(check_manifest(pulled.body, policy))
    if isinstance(outcome, Rejected):
        return ManifestReport(name=name, status=REJECTED, findings=outcome.findings)
    return ManifestReport(name=name, status=ACCEPTED, manifest=outcome)


def _together(accepted: Mapping[str, Manifest], max_total: int) -> tuple[Finding, ...]:
    merged = merge(accepted, max_total)
    return merged.findings if isinstance(merged, MergeRefusal) else ()
