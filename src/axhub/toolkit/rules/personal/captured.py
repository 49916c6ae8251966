"""Personal data in captured telegrams: fields as their layout cuts them, or all that can be read (rule/TK516)."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.facts.telegrams import Slice, Telegrams
from axhub.toolkit.rules.personal.names import Personal
from axhub.toolkit.rules.personal.values import find_values

__all__ = ["HEX", "in_captured"]

HEX: Final = ".hex"
_TOKEN: Final = re.compile(r"#(?P<comment>[^\n]*)|(?P<byte>[0-9A-Fa-f]{2})")
_FILE: Final = re.compile(r"mci-(?P<interface>.+?)(?:-[0-9]+)?\.hex")
_CODE_PAGE: Final = "cp949"
"""In which digits, letters and Korean can be read, whatever the layout says."""


class _Byte(NamedTuple):
    """One byte and where it is written."""

    value: int
    at: int


def in_captured(facts: Facts, path: str, text: str) -> Iterator[tuple[Personal, Place]]:
    """Yield what looks like somebody's data in a captured telegram, with where its field begins.

    Args:
        facts: all that is known.
        path: of the file.
        text: hexadecimal digits with blanks, line ends and comments.
    """
    tokens = list(_TOKEN.finditer(text))
    for one in tokens:
        for found in find_values(one["comment"] or ""):
            yield found.kind, _place(path, text, one.start("comment") + found.start)
    read = [_Byte(int(one["byte"], 16), one.start()) for one in tokens if one["byte"]]
    slices = list(_slices(facts, path))
    end = slices[-1].end if slices else 0
    for part in (*slices, Slice("", end, len(read))):
        written = bytes(byte.value for byte in read[part.start : part.end]).decode(_CODE_PAGE, "replace")
        named = f"{part.name.rpartition('.')[2]}: {written.strip()}" if part.name else written
        for found in find_values(named):
            yield found.kind, _place(path, text, read[part.start].at)


def _slices(facts: Facts, path: str) -> Iterator[Slice]:
    """Yield the fields of the interface's answer, as far as their sizes are known."""
    named = _FILE.fullmatch(path.rpartition("/")[2])
    telegrams = Telegrams(facts.telegrams)
    answers = [one for one in telegrams.with_id(named["interface"] if named else "") if one.name.endswith("_O")]
    if answers:
        yield from telegrams.slices_of(answers[0])


def _place(path: str, text: str, at: int) -> Place:
    return Place(path, text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)
