"""What `axhub gateway check` and `axhub manifest check` find out about manifests, as data."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.contract.endpoints import EndpointError, is_absolute, parse_url
from axhub.contract.findings import Finding
from axhub.contract.jsontext import JsonTextError, check_text
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
    absolute: tuple["AbsoluteEndpoint", ...] = ()

    @property
    def good(self) -> bool:
        """Whether a gateway would use it, or leaves it alone."""
        return self.status in {ACCEPTED, DISABLED}


@dataclass(frozen=True, slots=True)
class AbsoluteEndpoint:
    """An address of its own that a tool names: a gateway calls it only at a declared origin (decision/D1)."""

    tool: str
    url: str
    origin: str | None
    """None if it is not a URL that a gateway accepts; a finding says why."""


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
    absolute = tuple(absolute_endpoints(pulled.body))
    if isinstance(outcome, Rejected):
        return ManifestReport(name=name, status=REJECTED, findings=outcome.findings, absolute=absolute)
    return ManifestReport(name=name, status=ACCEPTED, manifest=outcome, absolute=absolute)


def absolute_endpoints(body: bytes) -> Iterator[AbsoluteEndpoint]:
    """Yield the absolute endpoints that a manifest names, rejected ones included, as far as it can be read."""
    for tool in _tools(body):
        meta = tool.get("_meta")
        endpoint = tool.get("endpoint")
        if endpoint is None and isinstance(meta, dict):
            endpoint = meta.get("endpoint")
        if isinstance(endpoint, str) and is_absolute(endpoint):
            yield AbsoluteEndpoint(str(tool.get("name")), endpoint, _origin(endpoint))


def _tools(body: bytes) -> Sequence[Mapping[str, Any]]:
    try:
        check_text(body)
        document = json.loads(body, parse_int=str, parse_float=str)
    except (JsonTextError, ValueError):
        return ()
    tools = document.get("tools") if isinstance(document, dict) else None
    return [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else ()


def _origin(url: str) -> str | None:
    try:
        return str(parse_url(url).origin)
    except EndpointError:
        return None


def _together(accepted: Mapping[str, Manifest], max_total: int) -> tuple[Finding, ...]:
    merged = merge(accepted, max_total)
    return merged.findings if isinstance(merged, MergeRefusal) else ()
