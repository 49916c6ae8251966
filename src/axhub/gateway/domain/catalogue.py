"""The catalogue: the immutable snapshot built from the last-good manifests of all enabled bundles (gateway/K1-K6)."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from axhub.contract.findings import Finding
from axhub.contract.manifest import Manifest, Tool
from axhub.contract.naming import folded


@dataclass(frozen=True, slots=True)
class CatalogueTool:
    """One tool and the bundle it came from."""

    bundle_id: str
    tool: Tool


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All tools at one moment, ascending by code point of `(bundle_id, name)`, disabled ones included."""

    tools: tuple[CatalogueTool, ...]
    by_name: Mapping[str, CatalogueTool]
    built_at: datetime
    """UTC end of the latest refresh that made or confirmed these tools; one in which every pull failed does neither."""
    digest: str
    """`sha256:…` of the `tools` array as revision 2025-11-25 shows it (gateway/M2)."""
    size_bytes: int
    """Length of that array."""
    tool_count: int
    """Tools shown, without disabled ones."""


@dataclass(frozen=True, slots=True)
class MergeRefusal:
    """Why manifests that are each valid cannot stand in one catalogue; the whole aggregate is refused (gateway/K1)."""

    findings: tuple[Finding, ...]


def merge(manifests: Mapping[str, Manifest], max_total: int) -> tuple[CatalogueTool, ...] | MergeRefusal:
    """Put the manifests, by bundle id, into one list that does not depend on the order they came in.

    Ascending by code point of `(bundle id, name)`, and only then compared: names that are equal but for case, and more
    than `max_total` tools, refuse everything. Disabled tools count (decision/D7).
    """
    tools = tuple(
        CatalogueTool(bundle_id, tool)
        for bundle_id in sorted(manifests)
        for tool in sorted(manifests[bundle_id].tools, key=lambda tool: tool.name)
    )
    findings = _collisions(tools)
    if len(tools) > max_total:
        findings.append(
            Finding(
                rule="catalogue.total",
                pointer="",
                tool=None,
                problem=f"all bundles together have {len(tools)} tools, and maxToolsTotal is {max_total}",
                mend="remove tools, or raise mcp.discovery.maxToolsTotal",
            )
        )
    return MergeRefusal(tuple(findings)) if findings else tools


def build_snapshot(tools: Sequence[CatalogueTool], shown: bytes, built_at: datetime) -> Snapshot:
    """Make the snapshot of merged tools; `shown` is their `tools` array as revision 2025-11-25 lists it."""
    return Snapshot(
        tools=tuple(tools),
        by_name=MappingProxyType({entry.tool.name: entry for entry in tools}),
        built_at=built_at,
        digest="sha256:" + hashlib.sha256(shown).hexdigest(),
        size_bytes=len(shown),
        tool_count=sum(entry.tool.enabled for entry in tools),
    )


def _collisions(tools: Sequence[CatalogueTool]) -> list[Finding]:
    seen: dict[str, CatalogueTool] = {}
    findings = []
    for entry in tools:
        first = seen.setdefault(folded(entry.tool.name), entry)
        if first is not entry:
            findings.append(_collision(first, entry))
    return findings


def _collision(first: CatalogueTool, second: CatalogueTool) -> Finding:
    return Finding(
        rule="catalogue.name.collision",
        pointer="",
        tool=second.tool.name,
        problem=(
            f"the tool {first.tool.name!r} of bundle {first.bundle_id!r} and the tool {second.tool.name!r} of bundle "
            f"{second.bundle_id!r} have the same name, or one that differs only in case"
        ),
        mend="rename one of them, or give each bundle a namePrefix of its own",
    )
