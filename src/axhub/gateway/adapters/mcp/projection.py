"""One snapshot as ready bytes for every revision: made once, written to every `tools/list` (gateway/K5, gateway/P8)."""

from dataclasses import dataclass
from typing import Final

from axhub.gateway.adapters.mcp.wire import as_json
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.usecases.list_tools import tools_array

CAPABILITIES: Final = {"tools": {"listChanged": False}}


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What the gateway says of itself."""

    identity: str
    version: str
    ttl_millis: int
    """How long a list may be kept: the refresh interval (gateway/P4)."""

    @property
    def info(self) -> dict[str, str]:
        """`serverInfo`."""
        return {"name": self.identity, "version": self.version}

    @property
    def stateless_members(self) -> bytes:
        """What every result of the stateless era carries, comma first."""
        meta = as_json({"io.modelcontextprotocol/serverInfo": self.info})
        return b',"resultType":"complete","_meta":%b' % meta

    @property
    def cache_members(self) -> bytes:
        """What a cacheable result of the stateless era carries besides, comma first."""
        return b',"ttlMs":%d,"cacheScope":"public"' % self.ttl_millis


class Projection:
    """The list bodies of one snapshot; `lists[revision]` follows the `id` in a response."""

    def __init__(self, snapshot: Snapshot, facts: ServerFacts) -> None:
        shared: dict[bytes, bytes] = {}  # most revisions show the same bytes: keep them once
        self.lists: dict[Revision, bytes] = {}
        for revision, traits in TRAITS.items():
            members = facts.stateless_members + facts.cache_members if traits.stateless else b""
            tail = b',"result":{"tools":%b%b}}' % (tools_array(snapshot.tools, revision), members)
            self.lists[revision] = shared.setdefault(tail, tail)
