"""Members that stand twice in one object of a call's arguments: readers disagree which of the two counts.

`axhub.contract.duplicates` does the same for documents of any size, in steps; arguments are bounded, so one pass does.
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from axhub.contract.jsontext import Pairs, read_pairs
from axhub.toolkit.service.explain import MAX_FAULTS
from axhub.toolkit.service.faults import Fault, Path

__all__ = ["members_twice"]


class _Twice(Exception):  # noqa: N818 - no error: it ends the reading at the first find
    """An object has a member twice."""


def _look(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        raise _Twice


_read: Final = json.JSONDecoder(object_pairs_hook=_look, parse_int=len, parse_float=len).decode


def members_twice(body: bytes) -> list[Fault]:
    """Return a fault for each member that stands twice in its object, at most 20; none if the text is no JSON.

    Args:
        body: nested no deeper than `MAX_DEPTH`.
    """
    if body.count(b":") < 2:  # noqa: PLR2004 - two members have two colons
        return []
    try:
        _read(body.decode().strip())
    except _Twice:
        return list(islice(_faults(read_pairs(body), ()), MAX_FAULTS))
    except ValueError:
        return []
    return []


def _faults(value: Any, path: Path) -> Iterator[Fault]:
    if isinstance(value, Pairs):
        seen: set[str] = set()
        for name, inner in value:
            if name in seen:
                yield Fault((*path, name), "duplicate")
            seen.add(name)
            yield from _faults(inner, (*path, name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _faults(inner, (*path, at))
