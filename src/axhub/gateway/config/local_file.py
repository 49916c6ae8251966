"""The manifest that `registry.localFile` names: read once, checked like a pulled one (gateway/C3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from axhub.configuration.faults import Fault, Place, Where, excerpt
from axhub.configuration.files import read_bounded
from axhub.contract.findings import Finding
from axhub.contract.jsontext import JsonTextError, check_text, members
from axhub.contract.manifest import Manifest, ManifestPolicy, Rejected, check_manifest, run
from axhub.gateway.config.settings import BundleSettings, Settings


@dataclass(frozen=True, slots=True)
class LocalManifest:
    """The catalogue's only source while `discovery.enabled` is false."""

    bundle: BundleSettings
    """The declared bundle whose address keys apply; it is not pulled."""
    manifest: Manifest


def read_local_manifest(path: Path, settings: Settings) -> LocalManifest | list[Fault]:
    """Read and check the manifest at `path`."""
    place = Place(Where.MANIFEST, str(path))
    limit = settings.discovery.max_manifest_bytes
    body = read_bounded(path, limit)
    if isinstance(body, str):
        return [Fault(place, "", body, "a manifest")]
    if len(body) > limit:
        return [Fault(place, "", f"more than {limit} bytes", "at most discovery.maxManifestBytes")]
    bundle_id = _bundle_id(body)
    bundle = next((bundle for bundle in settings.bundles if bundle.id == bundle_id), None)
    limits = settings.discovery.limits
    policy = bundle.manifest_policy(limits) if bundle else ManifestPolicy(bundle_id=None, limits=limits)
    outcome = run(check_manifest(body, policy))
    faults = [_fault(place, finding) for finding in outcome.findings] if isinstance(outcome, Rejected) else []
    if bundle_id is not None and bundle is None:
        faults.append(_undeclared(place, bundle_id, settings.bundles))
    if isinstance(outcome, Manifest) and len(outcome.tools) > settings.discovery.max_tools_total:
        found = f"{len(outcome.tools)} tools"
        faults.append(Fault(place, "/tools", found, f"at most {settings.discovery.max_tools_total} (maxToolsTotal)"))
    if faults or bundle is None or isinstance(outcome, Rejected):
        return faults
    return LocalManifest(bundle, outcome)


def _bundle_id(body: bytes) -> str | None:
    """Return the manifest's `bundleId`, None where it has none that can be read: the checks say why."""
    try:
        check_text(body)
        return msgspec.json.decode(members(body)["bundleId"], type=str)
    except (JsonTextError, KeyError, msgspec.MsgspecError):
        return None


def _fault(place: Place, finding: Finding) -> Fault:
    tool = f"tool {excerpt(finding.tool)}, " if finding.tool else ""
    return Fault(place, finding.pointer, f"{finding.problem} ({tool}rule {finding.rule})", finding.mend)


def _undeclared(place: Place, bundle_id: str, bundles: Sequence[BundleSettings]) -> Fault:
    declared = ", ".join(f'"{excerpt(bundle.id)}"' for bundle in bundles)
    allowed = (
        f"the id of a declared bundle: {declared}" if declared else "the id of a bundle; declare one in mcp.bundles"
    )
    return Fault(place, "/bundleId", f'"{excerpt(bundle_id)}"', allowed)
