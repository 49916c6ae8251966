"""Coroutines that somebody made and forgot to await: Python only warns of them, and nothing is done."""

import gc
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["Unawaited", "listening"]

_NEVER: Final = re.compile(r"coroutine '(?P<name>[^']*)' was never awaited(?P<made>.*)", re.DOTALL)
_LINE: Final = re.compile(r'File "(?P<file>.*)", line (?P<line>[0-9]+), in ')
_DEPTH: Final = 1


class Unawaited:
    """What was heard."""

    def __init__(self, root: Path) -> None:
        self.said: str | None = None
        """`the coroutine Client.call was never awaited at src/…:12`; None: nothing of the kind."""
        self._root = root

    def note(self, message: str) -> None:
        """Take a warning, if it is one of this kind and the first."""
        found = _NEVER.match(message)
        if found is None or self.said is not None:
            return
        made = _LINE.search(found["made"])
        own = made is not None and Path(made["file"]).is_relative_to(self._root)
        place = f" at {Path(made['file']).relative_to(self._root).as_posix()}:{made['line']}" if made and own else ""
        self.said = f"the coroutine {found['name']} was never awaited{place}"


@contextmanager
def listening(root: Path) -> Iterator[Unawaited]:
    """Listen in this thread until the end, when everything is let go of that nobody holds.

    Args:
        root: what the author's lines are relative to.
    """
    unawaited = Unawaited(root)
    before = sys.get_coroutine_origin_tracking_depth()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        sys.set_coroutine_origin_tracking_depth(_DEPTH)
        try:
            yield unawaited
        finally:
            sys.set_coroutine_origin_tracking_depth(before)
            gc.collect()
            for one in heard:
                unawaited.note(str(one.message))
