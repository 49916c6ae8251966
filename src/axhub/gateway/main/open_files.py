"""How many callers fit into the process's limit of open files (fault/F27).

Without a share of its own the management port would fall silent with the MCP port, and calls in flight could not
reach their tools, exactly when there are more callers than the process can hold.
"""

import resource
from typing import Final, NamedTuple

_OURS: Final = 64
"""Files of our own: listeners, the log, the event loop's, and the connections of the management port."""
_TURNED_AWAY: Final = 256
"""Callers over the limit who are being told so."""
_SMALL_PART: Final = 8
_UNLIMITED: Final = 1 << 20
"""More files than any process here needs; also what stands for no limit at all."""


class Room(NamedTuple):
    """How the open files that a process may have are shared out."""

    connections: int
    """Callers at a time; at least one."""
    turned_away: int
    """Callers more who are told that there are too many."""
    limit: int
    """Files that the process may open."""
    needed: int
    """Files that all callers would need who were wanted."""


def make_room(connections: int, calls: int) -> Room:
    """Raise the soft limit as far as is wanted and allowed, and share out what there is then.

    `connections` is how many callers there may be, `calls` how many connections to Tool Services.
    """
    soft, hard = (_UNLIMITED if limit == resource.RLIM_INFINITY else limit for limit in _limits())
    wanted = min(share(connections, calls, _UNLIMITED).needed, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, _limits()[1]))
        soft = wanted
    return share(connections, calls, soft)


def share(connections: int, calls: int, limit: int) -> Room:
    """Share out `limit` open files: first ours, then the calls, and the callers get what is left."""
    turned_away = min(_TURNED_AWAY, limit // _SMALL_PART)
    left = limit - _OURS - calls - turned_away
    needed = connections + _OURS + calls + _TURNED_AWAY
    return Room(max(1, min(connections, left)), turned_away, limit, needed)


def _limits() -> tuple[int, int]:
    return resource.getrlimit(resource.RLIMIT_NOFILE)
