"""What the parsers of all commands share: one look, examples kept as written, no abbreviated options."""

import argparse
import os
import sys
from typing import Final, TypeAlias

# argparse has no public name for what `add_subparsers` returns.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - see above
_USUAL_COLUMNS: Final = 80
_MARGIN: Final = 2  # as argparse leaves


class Help(argparse.RawDescriptionHelpFormatter):
    """Keeps texts as they are written, and knows the width without `shutil`.

    argparse would load that, with three compressors, for the first option that is declared: most of a megabyte in a
    server that never prints help again.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - _MARGIN)


def columns() -> int:
    """Return how wide the terminal is: as `COLUMNS` says, else as it says itself, else 80."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or _USUAL_COLUMNS
    except (OSError, ValueError):  # it is no terminal, or closed
        return _USUAL_COLUMNS


def add_command(group: Subparsers, name: str, summary: str, epilog: str) -> argparse.ArgumentParser:
    """Add a command whose help is the summary as a sentence, its arguments, and the epilog (examples, exit codes)."""
    return group.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
        formatter_class=Help,
        allow_abbrev=False,
    )
