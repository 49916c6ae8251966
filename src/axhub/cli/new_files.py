"""What `axhub new` does: plan the files, write those that are not there, and say what is left to do."""

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from axhub.cli.check import UNUSABLE
from axhub.cli.new_view import Shown, render
from axhub.configuration.languages import language_of
from axhub.toolkit.check.project import PYPROJECT, CannotCheckError, find_project, is_project, read_project
from axhub.toolkit.layout import CONFIGURATION
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.configuration import KEYS, add_api, api_in, language_in
from axhub.toolkit.scaffold.files import Planned, State, left_to_do, replace, state_of, write
from axhub.toolkit.scaffold.names import UnusableNameError, service_names, tool_names
from axhub.toolkit.scaffold.service import service_files
from axhub.toolkit.scaffold.texts import MARK
from axhub.toolkit.scaffold.tool import InTheWayError, ToolPlan, plan_tool

__all__ = ["make_service", "make_tool"]

OK: Final = 0

_NO_MCI: Final = Text(
    "Tools with an MCI interface behind them come with the telegrams, in a later version. Write --http API for a tool "
    "with an HTTP API behind it.",
    "MCI 전문을 사용하는 도구는 이후 버전에서 지원합니다. HTTP API를 사용하는 도구는 --http API로 만드십시오.",
)

_ONE_ADDRESS: Final = Text(
    "The API {api} is in the configuration already, and its one address is {address}. Another address needs another "
    "API name after --http.",
    "API {api}은(는) 이미 설정에 있으며 주소는 하나뿐입니다: {address}. 다른 주소를 호출하려면 --http 뒤에 다른 API "
    "이름을 쓰십시오.",
)


def make_service(args: argparse.Namespace) -> int:
    """Make a project; return the exit code."""
    language = language_of(os.environ, args.lang)
    try:
        names = service_names(args.name)
        root = Path(args.folder or names.project)
        files = service_files(names, language)
        _check_free(root, names.project, files)
        lines = _made(root, files, dry_run=args.dry_run)
        then = (f"cd {shlex.quote(str(root))}", "axhub new tool cmm_claim_search --http claim")
        shown = Shown(lines, tuple(_left(root, files)), then)
    except (UnusableNameError, InTheWayError) as problem:
        return _refuse(getattr(problem.text, language))
    except (CannotCheckError, OSError) as problem:
        return _refuse(str(problem))
    print(render(shown, language, dry_run=args.dry_run))
    return OK


def make_tool(args: argparse.Namespace) -> int:
    """Make a tool; return the exit code."""
    language = language_of(os.environ, args.lang)
    if args.mci is not None:
        return _refuse(getattr(_NO_MCI, language))
    try:
        names = tool_names(args.name, args.http)
        project = find_project(Path(args.project))
        root = Path(os.path.relpath(project.root))
        configuration = _text_of(root / project.facts.folder / CONFIGURATION) or ""
        plan = plan_tool(project, names, args.lang or language_in(configuration) or language)
        notes = _notes(root, plan, configuration)
        lines = [*_made(root, plan.files, dry_run=args.dry_run), *_configured(root, plan, dry_run=args.dry_run)]
        then = ("axhub check", "pytest", f"axhub service {project.facts.package} --profile local")
        shown = Shown(lines, tuple(_left(root, plan.files)), then, notes)
    except (UnusableNameError, InTheWayError) as problem:
        return _refuse(getattr(problem.text, language))
    except (CannotCheckError, OSError) as problem:
        return _refuse(str(problem))
    print(render(shown, language, dry_run=args.dry_run))
    return OK


def _refuse(message: str) -> int:
    print(f"axhub new: {message}", file=sys.stderr)
    return UNUSABLE


def _check_free(root: Path, name: str, files: Sequence[Planned]) -> None:
    """Refuse to make a project into a folder that holds another one, or files of the same names."""
    if is_project(root) and read_project(root).name == name:
        return
    taken = [str(root / planned.path) for planned in files if state_of(root, planned) is State.OTHER]
    if taken:
        listed = ", ".join(taken)
        raise InTheWayError(
            Text(
                f"Nothing was made: these files are there already: {listed}. Move them, or write another folder after "
                "--folder.",
                f"다음 파일이 이미 있어 아무것도 만들지 않았습니다: {listed}. "
                "파일을 옮기거나 --folder 뒤에 다른 폴더를 쓰십시오.",
            )
        )


def _made(root: Path, files: Iterable[Planned], *, dry_run: bool) -> list[tuple[str, str]]:
    """Write what is not there yet, the project's own file last, and return a word for each file with its path."""
    lines = []
    for planned in sorted(files, key=lambda planned: planned.path == PYPROJECT):
        state = state_of(root, planned)
        if state is State.NEW and not dry_run:
            write(root, planned)
        lines.append(("new" if state is State.NEW else "kept", str(root / planned.path)))
    return sorted(lines, key=lambda line: line[1])


def _configured(root: Path, plan: ToolPlan, *, dry_run: bool) -> list[tuple[str, str]]:
    place = root / plan.configuration
    text = _text_of(place)
    if text is not None and api_in(text, plan.api) is not None:
        return [("kept", f"{place}")]
    changed = None if text is None else add_api(text, plan.entry)
    if changed is None:
        return [("by hand", f"{place}: {'.'.join(KEYS)}:\n{plan.entry.rstrip()}")]
    if not dry_run:
        replace(place, changed[0])
    return [("added", f"{place}:{changed[1]}")]


def _text_of(place: Path) -> str | None:
    """Return the text of a file with its line ends, empty if there is none, None if it is no text."""
    try:
        return place.read_bytes().decode() if place.exists() else ""
    except UnicodeDecodeError:
        return None


def _notes(root: Path, plan: ToolPlan, configuration: str) -> Sequence[Text]:
    """Return what to know about an API that another tool has made: it has one address, whoever asks."""
    entry = api_in(configuration, plan.api)
    if entry is None or state_of(root, plan.files[0]) is not State.NEW:
        return ()
    address = " ".join(str(entry.get(key, "")) for key in ("method", "domain", "url"))
    values = {"api": plan.api, "address": address}
    return (Text(_ONE_ADDRESS.en.format_map(values), _ONE_ADDRESS.ko.format_map(values)),)


def _left(root: Path, files: Iterable[Planned]) -> Iterable[str]:
    return (f"{root / path}:{line}: {text}" for path, line, text in left_to_do(root, files, MARK))
