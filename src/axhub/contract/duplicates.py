"""Finds members that stand twice in one object, at any depth, in steps (gateway/G6, input/B12).

Parsers keep one of the two and disagree which. Small values are read whole, many at a time; large ones are taken
apart level by level, so that no step takes long, however the document is built.
"""

import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final, NamedTuple

from axhub.contract.jsontext import Pairs, names_twice, read_pairs, split_array, split_object
from axhub.contract.schema_walk import Path

STEP_BYTES: Final = 32768
"""About how much text is read in one step."""
MAX_DUPLICATES: Final = 20
"""After that many the search ends."""

_Values = Iterator[tuple[Path, bytes]]


class Duplicate(NamedTuple):
    """A name that an object has twice."""

    path: Path
    """Where the object stands."""
    name: str


def find_duplicates(text: bytes, path: Path = ()) -> Generator[None, None, list[Duplicate]]:
    """Return what is found in compact JSON text that passed the checks of its grammar; yield between steps."""
    found: list[Duplicate] = []
    waiting: list[_Values] = [iter([(path, text)])]
    while waiting and len(found) < MAX_DUPLICATES:
        batch, large = _next_batch(waiting[-1])
        found += _in_batch(batch)
        if large is not None:
            yield from _at_top(*large, found)
            waiting.append(_children(*large))
        elif not batch:
            waiting.pop()
        yield
    return found[:MAX_DUPLICATES]


def _next_batch(values: _Values) -> tuple[list[tuple[Path, bytes]], tuple[Path, bytes] | None]:
    """Take small values up to a step's worth of text, or up to a large value, which is returned apart."""
    batch: list[tuple[Path, bytes]] = []
    size = 0
    for path, value in values:
        if len(value) > STEP_BYTES:
            return batch, (path, value)
        batch.append((path, value))
        size += len(value)
        if size > STEP_BYTES:
            break
    return batch, None


def _in_batch(batch: Iterable[tuple[Path, bytes]]) -> Iterator[Duplicate]:
    seen_twice = False

    def look(pairs: list[tuple[str, Any]]) -> None:
        nonlocal seen_twice
        seen_twice = seen_twice or len(dict(pairs)) != len(pairs)

    together = b"[" + b",".join(value for _, value in batch) + b"]"
    json.loads(together, object_pairs_hook=look, parse_int=len, parse_float=len)
    if seen_twice:
        for path, value in batch:
            yield from _in_tree(read_pairs(value), path)


def _in_tree(value: Any, path: Path) -> Iterator[Duplicate]:
    if isinstance(value, Pairs):
        seen: set[str] = set()
        for name, inner in value:
            if name in seen:
                yield Duplicate(path, name)
            seen.add(name)
            yield from _in_tree(inner, (*path, name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _in_tree(inner, (*path, str(at)))


def _children(path: Path, value: bytes) -> _Values:
    members = split_object(value)
    if members is not None:
        return (((*path, name), bytes(inner)) for name, inner in members.items())
    return (((*path, str(at)), bytes(inner)) for at, inner in enumerate(split_array(value) or ()))


def _at_top(path: Path, text: bytes, found: list[Duplicate]) -> Generator[None, None, None]:
    """Note the first name that stands twice among the members of a large value, if it is an object."""
    members = split_object(text)
    if members is None:
        return
    for name in names_twice(text, members):
        if name is None:
            yield
        else:
            found.append(Duplicate(path, name))
