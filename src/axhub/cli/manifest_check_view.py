"""How the outcome of a check is shown: lines for people, one JSON object for scripts.

Names and texts come from manifests, so whatever could steer a terminal is removed before they are printed.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from axhub.cli.manifest_check_reports import ACCEPTED, NOT_PULLED, REJECTED, CatalogueReport, ManifestReport
from axhub.cli.tables import one_line
from axhub.configuration.faults import Fault
from axhub.contract.findings import Finding

GOOD: Final = 0
FINDINGS: Final = 1
UNUSABLE: Final = 2
"""Exit codes of both commands."""


def catalogue_lines(report: CatalogueReport) -> Iterator[str]:
    """Say for each bundle how it went, and what stands against serving them together."""
    for bundle in report.bundles:
        yield from manifest_lines(bundle)
    if report.together:
        yield f"all bundles together: refused, {_count(len(report.together), 'finding')}"
        yield from _finding_lines(report.together)


def manifest_lines(report: ManifestReport) -> Iterator[str]:
    """Say how one manifest fared, each finding with tool, pointer, rule and mend."""
    yield f"{one_line(report.name)}: {_verdict(report)}"
    yield from _finding_lines(report.findings)


def absolute_lines(report: ManifestReport) -> Iterator[str]:
    """List the absolute endpoints of a manifest, and what a gateway's configuration must say to allow them.

    They call a tool only at an origin that the deployment declared (decision/D1).
    """
    if not report.addressed:
        return
    yield "absolute endpoints, called only at origins that the gateway's configuration declares (or the bundle's own):"
    for name, endpoint in report.addressed:
        yield f"  {one_line(name)}  {one_line(str(endpoint))}"
    origins = sorted({str(endpoint.origin) for _, endpoint in report.addressed})
    quoted = ", ".join(f'"{origin}"' for origin in origins)
    yield f"to declare them, add to the bundle: allowedEndpointOrigins: [{quoted}]"


def absolute_json(report: ManifestReport) -> dict[str, Any]:
    """Return what `axhub manifest check --json` adds: the absolute endpoints."""
    return {"absoluteEndpoints": [{"tool": name, "url": str(endpoint)} for name, endpoint in report.addressed]}


def catalogue_json(report: CatalogueReport) -> dict[str, Any]:
    """Return what `axhub gateway check --pull --json` adds."""
    return {
        "bundles": [manifest_json(bundle) for bundle in report.bundles],
        "together": [_finding_json(finding) for finding in report.together],
    }


def manifest_json(report: ManifestReport) -> dict[str, Any]:
    """Return one manifest's outcome."""
    manifest = report.manifest
    return {
        "name": report.name,
        "status": report.status,
        "bundleId": manifest.bundle_id if manifest else None,
        "revision": manifest.revision if manifest else None,
        "toolCount": len(manifest.tools) if manifest else None,
        "failure": report.failure.value if report.failure else None,
        "detail": report.detail,
        "findings": [_finding_json(finding) for finding in report.findings],
    }


def fault_json(fault: Fault) -> dict[str, Any]:
    """Return one fault of a configuration."""
    return {"place": str(fault.place), "key": fault.key, "found": fault.found, "allowed": fault.allowed}


def print_json(document: object) -> None:
    """Print a document for scripts, Korean text as it is."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def _verdict(report: ManifestReport) -> str:
    if report.status == ACCEPTED and report.manifest is not None:
        revision = f", revision {one_line(report.manifest.revision)}" if report.manifest.revision else ""
        return f"accepted, {_count(len(report.manifest.tools), 'tool')}{revision}"
    if report.status == REJECTED:
        return f"rejected, {_count(len(report.findings), 'finding')}"
    if report.status == NOT_PULLED:
        return (
            f"not pulled, {report.failure}: {one_line(report.detail)}"
            if report.detail
            else f"not pulled, {report.failure}"
        )
    return f"{report.status}, left alone"


def _finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        tool = f"tool {one_line(finding.tool)}" if finding.tool else ""
        place = one_line(finding.pointer) if finding.pointer else "whole manifest"
        yield "  " + "  ".join(part for part in (tool, place, f"rule {finding.rule}") if part)
        yield f"      {one_line(finding.problem)}"
        yield f"      mend: {one_line(finding.mend)}"


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "tool": finding.tool,
        "pointer": finding.pointer,
        "rule": finding.rule,
        "problem": finding.problem,
        "mend": finding.mend,
    }


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
