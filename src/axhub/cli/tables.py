"""Tables for a terminal: lines no longer than it is wide, emphasis where it shows it.

How columns are laid out is in `contract.columns`; its names are offered here, so that a view imports from one place.
"""

import os
import shutil
from collections.abc import Mapping
from typing import TextIO

from axhub.contract.columns import ELLIPSIS, GAP, Column, cut, one_line, safe_text, table, text_width

__all__ = [
    "ELLIPSIS",
    "GAP",
    "Column",
    "bold",
    "cut",
    "one_line",
    "safe_text",
    "table",
    "terminal_width",
    "text_width",
    "wants_colour",
]

_BOLD, _RESET = "\x1b[1m", "\x1b[0m"


def terminal_width(stream: TextIO) -> int | None:
    """Return the columns of the terminal behind `stream`, or None if there is none to fit into."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Say whether `stream` is a terminal that shows colours and whose user wants them (https://no-color.org)."""
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def bold(text: str, colour: bool) -> str:
    """Return `text` emphasised if colours are wanted."""
    return f"{_BOLD}{text}{_RESET}" if colour else text
