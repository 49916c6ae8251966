"""Prints the sizes of the product's files at the end of a run, so that growth is seen before it hits a limit."""

import statistics

import pytest

from support import tree


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    sizes = {path: len(path.read_bytes().splitlines()) for path in tree.python_files("src")}
    longest = max(sizes, key=lambda path: sizes[path])
    terminalreporter.write_line(
        f"src: {len(sizes)} files, {sum(sizes.values())} lines, median {statistics.median(sizes.values()):.0f}, "
        f"longest {tree.shown(longest)} with {sizes[longest]}"
    )
