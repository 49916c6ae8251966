"""Captured telegrams: bytes from hex text or as they are, and which layout they are of (toolkit/B1)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from axhub.toolkit.mci import Envelope, Layout, TelegramError
from axhub.toolkit.mci.walking import read_cells
from axhub.toolkit.rules.model import SaidError, Text
from axhub.toolkit.scaffold.mci.telegrams import Declared, Telegrams

__all__ = ["NoHexError", "Section", "Shown", "bytes_of", "recognised"]

_COMMENT: Final = re.compile(r"#[^\n]*")
_HEX: Final = re.compile(r"[0-9A-Fa-f]*")


class NoHexError(SaidError):
    """A file of hex text has something else in it; `text` says where."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a telegram, with the layout that it has."""

    layout: type[Layout]
    offset: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Shown:
    """What a captured telegram was taken for."""

    declared: Declared
    whole: bool
    """Whether it has header and message too."""
    sections: tuple[Section, ...]
    likely: bool = False
    """Whether its header says so: an answer has a result there, a request has none. A number says nothing, since it may
    be 0 in both."""
    before: int = 0
    """Bytes of the length that stands before it."""

    @property
    def fits(self) -> bool:
        """Whether every section can be read."""
        return all(_can_be_read(section) for section in self.sections)


def _can_be_read(section: Section) -> bool:
    try:
        section.layout.decode(section.raw)
    except TelegramError:
        return False
    return True


def bytes_of(content: bytes, *, certainly_hex: bool) -> bytes:
    """Return the telegram in a file: hex digits with blanks, line ends and `#` comments between them, else what it is.

    Args:
        content: of the file.
        certainly_hex: whether its name says that it is hex text; then anything else in it is a fault.

    Raises:
        NoHexError: it is no hex text, though it should be.
    """
    text = content.decode("ascii", "replace")
    digits = "".join(_COMMENT.sub("", text).split())
    if _HEX.fullmatch(digits) and digits and len(digits) % 2 == 0:
        return bytes.fromhex(digits)
    if not certainly_hex:
        return content
    raise NoHexError(_why(text, digits))


def _why(text: str, digits: str) -> Text:
    for number, line in enumerate(text.splitlines(), 1):
        for column, character in enumerate(line.partition("#")[0], 1):
            if not character.isspace() and not _HEX.fullmatch(character):
                return Text(
                    f"line {number}, column {column}: no hex digit; write 0-9 and a-f, two for each byte, and # before "
                    "a comment",
                    f"{number}행 {column}열: 16진수 숫자가 아닙니다. 바이트마다 0-9, a-f 두 자리로 쓰고 주석 앞에는 "
                    "#을 쓰십시오",
                )
    return Text(
        f"there are {len(digits)} hex digits; each byte has two, so one is missing or one too many",
        f"16진수 숫자가 {len(digits)}개입니다. 바이트마다 두 자리이므로 하나가 빠졌거나 남습니다",
    )


def recognised(raw: bytes, candidates: Sequence[Declared], telegrams: Telegrams, *, whole: bool | None) -> Shown:
    """Take a telegram for the layout that it fits, or for the one that it comes nearest to.

    Args:
        raw: a data section, or a whole telegram.
        candidates: at least one layout.
        telegrams: has the envelopes.
        whole: whether there is a header before the data; None: find out.
    """
    possible = list(_possible(raw, candidates, telegrams, whole))
    return max([shown for shown in possible if shown.fits] or possible, key=_nearness)


def _possible(raw: bytes, candidates: Sequence[Declared], telegrams: Telegrams, whole: bool | None) -> Iterator[Shown]:
    """Yield what it may be, answers first: they are what is captured most."""
    ordered = sorted(candidates, key=lambda declared: declared.is_request)
    for declared in ordered:
        envelope = telegrams.envelopes.get(declared.system)
        if whole is not True or envelope is None:
            yield Shown(declared, whole=False, sections=(Section(declared.layout, 0, raw),))
        if whole is not False and envelope is not None:
            for before in sorted({0, telegrams.prefixes.get(declared.system, 0)}):
                yield from _as_whole(raw, before, declared, envelope, certain=whole is True)


def _as_whole(raw: bytes, before: int, declared: Declared, envelope: Envelope, *, certain: bool) -> Iterator[Shown]:
    """Yield it as a telegram with its header, behind a length of so many bytes."""
    telegram = raw[before:]
    header = _header_of(telegram, envelope)
    if not certain and (header is None or not _is_of(declared, header, envelope)):
        return
    result = "" if header is None else getattr(header, envelope.result)
    likely = not isinstance(result, int) and bool(result) != declared.is_request
    parts = envelope.sections(telegram, declared.layout, answer=not declared.is_request)
    sections = tuple(Section(layout, before + offset, part) for layout, offset, part in parts)
    yield Shown(declared, whole=True, sections=sections, likely=likely, before=before)


def _header_of(raw: bytes, envelope: Envelope) -> Layout | None:
    try:
        return envelope.read_header(raw)
    except TelegramError:
        return None


def _is_of(declared: Declared, header: Layout, envelope: Envelope) -> bool:
    """Say whether a header has the interface's id; one that has no place for it is of any."""
    return not envelope.interface or str(getattr(header, envelope.interface)) == declared.layout.layout_id


def _nearness(shown: Shown) -> tuple[bool, bool, int]:
    """Return how near a telegram comes to a layout: a known header counts most, then the bytes before a fault."""
    return shown.whole, shown.likely, sum(_readable(section) for section in shown.sections)


def _readable(section: Section) -> int:
    """Return how many bytes of a section can be read before the first fault or the end of the layout."""
    end = 0
    for cell in read_cells(section.layout.__plan__, section.raw):
        if cell.fault is not None:
            return cell.offset
        end = cell.offset + cell.size
    return end
