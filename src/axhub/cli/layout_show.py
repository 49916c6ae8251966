"""What `axhub layout show` does: finds the layouts, reads the captured telegram, prints tables."""

import argparse
import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from axhub.cli.check import UNUSABLE
from axhub.configuration.languages import Language, language_of
from axhub.toolkit.check.project import CannotCheckError, find_project
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.mci.captured import NoHexError, Shown, bytes_of, recognised
from axhub.toolkit.scaffold.mci.telegrams import Declared, NotImportableError, Telegrams, telegrams_of

__all__ = ["show_layout"]

OK: Final = 0
FAULTY: Final = 1
_HEX_ENDING: Final = ".hex"

_NONE: Final = Text(
    "there is no layout {wanted}{where}: below infra/mci no class has that name or that interface id. {known}",
    "{wanted} 레이아웃이 없습니다{where}. infra/mci 아래에 그 이름이나 인터페이스 ID의 클래스가 없습니다. {known}",
)
_KNOWN: Final = Text("There are: {names}.", "있는 레이아웃: {names}.")
_NEAR: Final = Text("Did you mean {names}?", "{names}을(를) 찾으십니까?")
_EMPTY: Final = Text(
    "There is none at all; `axhub new layout ID --system NAME --from-sheet FILE` makes some.",
    "레이아웃이 하나도 없습니다. `axhub new layout ID --system NAME --from-sheet FILE` 명령으로 만드십시오.",
)
_WHERE: Final = Text(" of the system {system}", "(시스템 {system})")
_NO_ENVELOPE: Final = Text(
    "the system {system} has no ENVELOPE in infra/mci/{system}/envelope.py, so only data sections can be shown; leave "
    "--system out",
    "시스템 {system}의 infra/mci/{system}/envelope.py에 ENVELOPE가 없어 데이터부만 볼 수 있습니다. --system을 빼십시오",
)
_HEADING: Final = Text("{name}  {system}, {size}", "{name}  {system}, {size}")
_BYTES: Final = Text("{size} bytes", "{size}바이트")
_VARIES: Final = Text("varying length", "가변 길이")
_TAKEN_WHOLE: Final = Text(
    "{bytes} bytes, read as a whole telegram with {name}",
    "{bytes}바이트. {name} 전문 전체로 읽었습니다",
)
_PREFIX: Final = Text("the first {bytes} are its length", "앞의 {bytes}바이트는 전문 길이입니다")
_TAKEN_DATA: Final = Text(
    "{bytes} bytes, read as the data section {name}", "{bytes}바이트. {name} 데이터부로 읽었습니다"
)


def show_layout(args: argparse.Namespace) -> int:
    """Show one interface or class; return the exit code."""
    language = language_of(os.environ, args.lang)
    try:
        raw = None if args.hex is None else _read(args.hex)
        with telegrams_of(find_project(Path(args.project))) as telegrams:
            found = telegrams.of(args.id, args.system)
            if not found:
                return _refuse(_not_there(args.id, args.system, telegrams, language))
            if args.system is not None and raw is not None and args.system not in telegrams.envelopes:
                return _refuse(_NO_ENVELOPE.said(language).format(system=args.system))
            if raw is None:
                print("\n\n".join(_declared(declared, language) for declared in found))
                return OK
            shown = recognised(raw, found, telegrams, whole=True if args.system else None)
            print("\n".join(_captured(shown, len(raw), language, unmask=args.unmask)))
            return OK if shown.fits else FAULTY
    except (NoHexError, NotImportableError, CannotCheckError) as problem:
        return _refuse(problem.said(language))
    except OSError as problem:
        return _refuse(f"{args.hex}: {problem.strerror or problem}")


def _refuse(message: str) -> int:
    print(f"axhub layout show: {message}", file=sys.stderr)
    return UNUSABLE


def _read(file: str) -> bytes:
    return bytes_of(Path(file).read_bytes(), certainly_hex=file.endswith(_HEX_ENDING))


def _not_there(wanted: str, system: str | None, telegrams: Telegrams, language: Language) -> str:
    ids = [one.layout.layout_id for one in telegrams.layouts if one.layout.layout_id]
    names = list(dict.fromkeys(ids or [one.name for one in telegrams.layouts]))
    near = get_close_matches(wanted.upper(), names)
    listed = _NEAR if near else _KNOWN if names else _EMPTY
    known = listed.said(language).format(names=", ".join(near or names))
    where = _WHERE.said(language).format(system=system) if system else ""
    return _NONE.said(language).format(wanted=wanted, where=where, known=known)


def _declared(declared: Declared, language: Language) -> str:
    return f"{_heading(declared, language)}\n{declared.layout.table(lang=language)}"


def _heading(declared: Declared, language: Language) -> str:
    size = declared.layout.layout_size
    said = (_VARIES if size is None else _BYTES).said(language).format(size=size)
    return _HEADING.said(language).format(name=declared.name, system=declared.system, size=said)


def _captured(shown: Shown, size: int, language: Language, *, unmask: bool) -> Iterator[str]:
    taken = _TAKEN_WHOLE if shown.whole else _TAKEN_DATA
    yield taken.said(language).format(bytes=size, name=shown.declared.name)
    if shown.before:
        yield _PREFIX.said(language).format(bytes=shown.before)
    for section in shown.sections:
        if shown.whole:
            yield section.layout.__name__
        yield section.layout.table(section.raw, unmask=unmask, lang=language, base=section.offset)
