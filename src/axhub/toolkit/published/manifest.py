"""The manifest's bytes: everything that the service exposes at this moment (toolkit/S1, toolkit/T8, seed 001 §4-5)."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from axhub.toolkit.published.tool import PublishedTool, Texts

__all__ = ["Entry", "Manifest", "endpoint_of", "entry_of", "render_manifest"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool as the manifest shows it."""

    name: str
    """Published."""
    texts: Texts
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    """None: not published (decision/D6)."""
    timeout_millis: int
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `GET /tool-manifest` answers."""

    body: bytes
    revision: str
    """`sha256:<hex>` over everything else in the body; in quotes it is the ETag."""


def entry_of(tool: PublishedTool, *, publish_output_schema: bool) -> Entry:
    """Return what the manifest shows of a tool."""
    shown = tool.output_schema if publish_output_schema else None
    return Entry(tool.published_name, tool.texts, tool.input_schema, shown, tool.timeout_millis, tool.enabled)


def endpoint_of(published_name: str) -> str:
    """Return the path at which a tool is executed (toolkit/S2, toolkit/T6); a `/` in its name is encoded."""
    return f"/tools/{quote(published_name, safe='')}"


def render_manifest(bundle_id: str, entries: Iterable[Entry]) -> Manifest:
    """Write the manifest; equal input gives equal bytes, in whatever order the tools come.

    Args:
        bundle_id: the `id` that the gateway's configuration gives this service.
        entries: those of the registered tools; drafts (`register=False`) are left out by the caller.
    """
    tools = [_tool(entry) for entry in sorted(entries, key=lambda entry: entry.name)]
    digest = hashlib.sha256(_encoded({"bundleId": bundle_id, "tools": tools})).hexdigest()
    revision = f"sha256:{digest}"
    return Manifest(_encoded({"bundleId": bundle_id, "revision": revision, "tools": tools}), revision)


def _tool(entry: Entry) -> dict[str, Any]:
    texts = entry.texts
    tool: dict[str, Any] = {
        "name": entry.name,
        "title": texts.title,
        "description": texts.description,
        "inputSchema": entry.input_schema,
    }
    if entry.output_schema is not None:
        tool["outputSchema"] = entry.output_schema
    tool["annotations"] = {
        "readOnlyHint": texts.read_only,
        "destructiveHint": texts.destructive,
        "idempotentHint": texts.idempotent,
        "openWorldHint": texts.open_world,
    }  # all four, since the protocol's defaults are the dangerous ones
    tool["_meta"] = {"version": texts.version, "timeoutMillis": entry.timeout_millis}
    if not entry.enabled:
        tool["_meta"]["enabled"] = False
    tool["endpoint"] = endpoint_of(entry.name)
    return tool


def _encoded(document: Mapping[str, Any]) -> bytes:
    # A lone surrogate is let through, so that the checks of the manifest can name it.
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
