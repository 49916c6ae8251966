"""Parts of a catalogue for tests of the core, made without reading a document."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from axhub.contract.endpoints import Endpoint, parse_url
from axhub.contract.manifest import Manifest, Tool

SERVICE = "http://127.0.0.1:9"
INPUT_SCHEMA = b'{"type":"object"}'


def made_tool(name: str, *, description: str = "", enabled: bool = True, endpoint: Endpoint | None = None) -> Tool:
    """Return a tool as a checked manifest has it."""
    text = (description or f"{name} 도구").replace('"', "'")
    return Tool(
        name=name,
        version="1.0.0",
        members={
            "name": b'"%b"' % name.encode(),
            "description": b'"%b"' % text.encode(),
            "inputSchema": INPUT_SCHEMA,
        },
        endpoint=endpoint or parse_url(f"{SERVICE}/tools/{name}"),
        timeout_millis=1000,
        enabled=enabled,
        header_params=(),
    )


def made_manifest(bundle_id: str, tools: Iterable[Tool | str], *, revision: str | None = None) -> Manifest:
    """Return a manifest of these tools, in the order of a checked one; its digest tells its content."""
    made = sorted((made_tool(entry) if isinstance(entry, str) else entry for entry in tools), key=lambda one: one.name)
    digest = hashlib.sha256(repr([replace(tool, members=dict(tool.members)) for tool in made]).encode()).hexdigest()
    return Manifest(bundle_id=bundle_id, revision=revision, tools=tuple(made), content_digest=digest)
