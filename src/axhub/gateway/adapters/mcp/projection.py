"""One snapshot as ready bytes for every revision: made once, written to every `tools/list` (gateway/K5, P8, P10)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from axhub.gateway.adapters.mcp.cursors import Cursors
from axhub.gateway.adapters.mcp.wire import as_json
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.usecases.list_tools import tool_object

HANDSHAKE_CAPABILITIES: Final = {"tools": {"listChanged": False}}
STATELESS_CAPABILITIES: Final = {"tools": {"listChanged": True}}
"""Notices of a change go to `subscriptions/listen`, which the handshake revisions do not have (gateway/P9)."""
_OPENING: Final = b',"result":{"tools":['


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What the gateway says of itself."""

    identity: str
    version: str
    ttl_millis: int
    """How long a list may be kept: the refresh interval (gateway/P4)."""
    page_size: int | None = None
    """Tools a page of `tools/list`; None: all on one (gateway/P10)."""

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


@dataclass(frozen=True, slots=True)
class _Listing:
    """The tools as one revision shows them."""

    pages: tuple[bytes, ...]
    """Each follows the `id` in a response; at least one."""
    starts: tuple[int, ...]
    """Where each tool begins in its page."""
    empty: bytes
    """The page behind the last tool."""


class Projection:
    """The list bodies of one snapshot; each follows the `id` in a response."""

    def __init__(self, snapshot: Snapshot, facts: ServerFacts, cursors: Cursors) -> None:
        shown = [entry for entry in snapshot.tools if entry.tool.enabled]
        self._size = facts.page_size or max(len(shown), 1)
        self._places = [(entry.bundle_id, entry.tool.name) for entry in shown]
        ends = self._places[self._size - 1 : -1 : self._size]
        following = [b',"nextCursor":"%b"' % cursors.after(*place).encode() for place in ends] + [b""]
        shared: dict[tuple[bytes, ...], _Listing] = {}  # most revisions show the same bytes: keep them once
        self._listings: dict[Revision, _Listing] = {}
        for revision, traits in TRAITS.items():
            members = facts.stateless_members + facts.cache_members if traits.stateless else b""
            listing = self._listing([tool_object(entry.tool, revision) for entry in shown], following, members)
            self._listings[revision] = shared.setdefault(listing.pages, listing)
        self.lists: dict[Revision, bytes] = {revision: one.pages[0] for revision, one in self._listings.items()}
        """What a list without a cursor is answered with: all of it, or its first page."""

    def after(self, revision: Revision, place: tuple[str, str]) -> bytes:
        """Return what follows a place, up to the end of the page that it falls on.

        From there on the pages are the ready ones again, whatever snapshot or page size the cursor comes from.
        """
        listing, at = self._listings[revision], bisect_right(self._places, place)
        if at == len(self._places):
            return listing.empty
        page = listing.pages[at // self._size]
        return page if at % self._size == 0 else _OPENING + page[listing.starts[at] :]

    def pages(self, revision: Revision) -> tuple[bytes, ...]:
        """Return all that a client of `revision` sees."""
        return self._listings[revision].pages

    def _listing(self, objects: Sequence[bytes], following: Sequence[bytes], members: bytes) -> _Listing:
        pages = tuple(
            b"%b%b]%b%b}}"
            % (_OPENING, b",".join(objects[page * self._size : (page + 1) * self._size]), cursor, members)
            for page, cursor in enumerate(following)
        )
        return _Listing(pages, self._starts(objects), b"%b]%b}}" % (_OPENING, members))

    def _starts(self, objects: Sequence[bytes]) -> tuple[int, ...]:
        starts, at = [], 0
        for index, text in enumerate(objects):
            at = at if index % self._size else len(_OPENING)
            starts.append(at)
            at += len(text) + len(",")
        return tuple(starts)
