"""What `axhub new layout` does: reads the sheets of an interface and writes its layouts (toolkit/B1, toolkit/T5)."""

import argparse
import os
from pathlib import Path
from typing import Final

from axhub.cli.check import UNUSABLE
from axhub.cli.new_view import Shown, render
from axhub.cli.new_writing import made, refuse
from axhub.configuration.languages import Language, language_of
from axhub.toolkit.check.project import CannotCheckError, find_project
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.files import Planned, State, state_of
from axhub.toolkit.scaffold.mci.interface import interface_files
from axhub.toolkit.scaffold.mci.layout_module import RESERVED, layout_module
from axhub.toolkit.scaffold.mci.names import MciNames, mci_names
from axhub.toolkit.scaffold.names import UnusableNameError
from axhub.toolkit.scaffold.sheets.model import Sheet, SheetError
from axhub.toolkit.scaffold.sheets.reading import read_sheet
from axhub.toolkit.scaffold.tool import InTheWayError

__all__ = ["make_layout"]

OK: Final = 0

_DIFFERS: Final = Text(
    "{path} is there with another content, and stays as it is. To make it anew from the sheets, move it away first.",
    "{path} 파일이 다른 내용으로 이미 있어 그대로 두었습니다. 시트로 다시 만들려면 먼저 그 파일을 옮기십시오.",
)
_NO_ANSWER: Final = Text(
    "There is no sheet of the answer: {name} is missing. Write --response FILE, or the class by hand.",
    "응답 시트가 없어 {name} 클래스를 만들지 않았습니다. --response FILE을 쓰거나 클래스를 직접 작성하십시오.",
)


def make_layout(args: argparse.Namespace) -> int:
    """Make the layouts of an interface; return the exit code."""
    language = language_of(os.environ, args.lang)
    try:
        names = mci_names(args.id, args.system)
        project = find_project(Path(args.project))
        root = Path(os.path.relpath(project.root))
        sheets = _sheets((args.from_sheet, args.response), language)
        if sheets is None:
            return UNUSABLE
        files = interface_files(project, names, layout_module(names.interface, args.charset, *sheets))
        notes = _notes(root, names, files[0], answered=sheets[1] is not None)
        lines = made(root, files, dry_run=args.dry_run)
    except (UnusableNameError, InTheWayError, CannotCheckError) as problem:
        return refuse(problem.said(language))
    except OSError as problem:
        return refuse(str(problem))
    then = (f"axhub layout show {names.interface}", f"axhub new tool NAME --mci {names.interface}")
    print(render(Shown(lines, (), then, notes), language, dry_run=args.dry_run))
    return OK


def _sheets(files: tuple[str, str | None], language: Language) -> tuple[Sheet, Sheet | None] | None:
    """Read both sheets; None where one cannot be used, after all its faults were told.

    Raises:
        OSError: a file cannot be read.
    """
    found: list[Sheet | None] = []
    faulty = False
    for file in files:
        try:
            found.append(None if file is None else read_sheet(Path(file).read_bytes(), RESERVED))
        except SheetError as error:
            faulty = True
            for fault in error.faults:
                refuse(fault.said(str(file), language))
    request = found[0] if not faulty else None
    return None if request is None else (request, found[1])


def _notes(root: Path, names: MciNames, planned: Planned, *, answered: bool) -> tuple[Text, ...]:
    """Return what to know besides: the module is there already, or one direction is missing in it."""
    values = {"path": str(root / planned.path), "name": f"{names.interface}_O"}
    state = state_of(root, planned)
    notes = []
    if state is State.OTHER:
        notes.append(_DIFFERS)
    elif not answered:
        notes.append(_NO_ANSWER)
    return tuple(Text(note.en.format_map(values), note.ko.format_map(values)) for note in notes)
