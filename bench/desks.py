"""Processes that answer lines with lines: each peer in an environment of its own, and ours beside them."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from bench.servers import NotRunning

Desk = subprocess.Popen[str]
"""One such process; it ends when its input does."""


@contextmanager
def desk(command: Sequence[str]) -> Iterator[Desk]:
    """Start one, and end it with the block."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # it may have ended by itself, with a line to it on the way
                process.communicate()


def ask(one: Desk, line: str) -> Any:
    """Return what a desk answers to a line.

    Raises:
        NotRunning: it has ended.
    """
    if one.stdin is None or one.stdout is None:
        raise AssertionError(one.args)
    with suppress(BrokenPipeError):  # that it has ended shows in what follows
        one.stdin.write(line + "\n")
        one.stdin.flush()
    answer = one.stdout.readline()
    if not answer:
        raise NotRunning(f"it ended with exit code {one.wait(10)}")
    return json.loads(answer)
