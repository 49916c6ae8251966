"""What `axhub new` does: plan the files, write those that are not there, and say what is left to do."""

import argparse
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from axhub.cli.new_view import Shown, render
from axhub.cli.new_writing import left, made, refuse, text_of
from axhub.configuration.languages import Language, language_of
from axhub.toolkit.check.project import CannotCheckError, ToolProject, find_project, is_project, read_project
from axhub.toolkit.layout import CONFIGURATION
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.configuration import KEYS, add_api, api_in, language_in
from axhub.toolkit.scaffold.files import Planned, State, replace, state_of
from axhub.toolkit.scaffold.mci.layouts import pair_of
from axhub.toolkit.scaffold.mci.names import mci_names
from axhub.toolkit.scaffold.mci.telegrams import NotImportableError
from axhub.toolkit.scaffold.mci.tool import plan_mci_tool
from axhub.toolkit.scaffold.names import ToolNames, UnusableNameError, service_names, tool_names
from axhub.toolkit.scaffold.service import service_files
from axhub.toolkit.scaffold.tool import InTheWayError, ToolPlan, plan_tool

__all__ = ["make_service", "make_tool"]

OK: Final = 0

_ANY_SYSTEM: Final = "system"
"""Stands for the system's name while the other names are looked at."""
_NO_SYSTEM: Final = Text(
    "--system names the system of an MCI interface; write --mci ID with it.",
    "--system은 MCI 인터페이스의 시스템을 지정합니다. --mci ID와 함께 쓰십시오.",
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
        lines = made(root, files, dry_run=args.dry_run)
        then = (f"cd {shlex.quote(str(root))}", "axhub new tool cmm_claim_search --http claim")
        shown = Shown(lines, tuple(left(root, files)), then)
    except (UnusableNameError, InTheWayError, CannotCheckError) as problem:
        return refuse(problem.said(language))
    except OSError as problem:
        return refuse(str(problem))
    print(render(shown, language, dry_run=args.dry_run))
    return OK


def make_tool(args: argparse.Namespace) -> int:
    """Make a tool; return the exit code."""
    language = language_of(os.environ, args.lang)
    if args.mci is None and args.system is not None:
        return refuse(_NO_SYSTEM.said(language))
    try:
        names = _names(args)
        project = find_project(Path(args.project))
        root = Path(os.path.relpath(project.root))
        configuration = text_of(root / project.facts.folder / CONFIGURATION) or ""
        plan = _planned(args, names, project, args.lang or language_in(configuration) or language)
        notes = _notes(root, plan, configuration)
        lines = [*made(root, plan.files, dry_run=args.dry_run), *_configured(root, plan, dry_run=args.dry_run)]
        then = ("axhub check", "pytest", f"axhub service {project.facts.package} --profile local")
        shown = Shown(lines, tuple(left(root, plan.files)), then, notes)
    except (UnusableNameError, InTheWayError, NotImportableError, CannotCheckError) as problem:
        return refuse(problem.said(language))
    except OSError as problem:
        return refuse(str(problem))
    print(render(shown, language, dry_run=args.dry_run))
    return OK


def _names(args: argparse.Namespace) -> ToolNames:
    if args.mci is None:
        return tool_names(args.name, args.http)
    mci_names(args.mci, args.system or _ANY_SYSTEM)
    return tool_names(args.name, args.system or _ANY_SYSTEM)


def _planned(args: argparse.Namespace, names: ToolNames, project: ToolProject, language: Language) -> ToolPlan:
    if args.mci is None:
        return plan_tool(project, names, language)
    pair = pair_of(project, args.mci, args.system)
    return plan_mci_tool(project, names, mci_names(args.mci, pair.system), pair, language)


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


def _configured(root: Path, plan: ToolPlan, *, dry_run: bool) -> list[tuple[str, str]]:
    place = root / plan.configuration
    text = text_of(place)
    if text is not None and api_in(text, plan.api, plan.keys) is not None:
        return [("kept", f"{place}")]
    changed = None if text is None else add_api(text, plan.entry, plan.keys)
    if changed is None:
        return [("by hand", f"{place}: {'.'.join(plan.keys)}:\n{plan.entry.rstrip()}")]
    if not dry_run:
        replace(place, changed[0])
    return [("added", f"{place}:{changed[1]}")]


def _notes(root: Path, plan: ToolPlan, configuration: str) -> Sequence[Text]:
    """Return what to know about an API that another tool has made: it has one address, whoever asks."""
    entry = api_in(configuration, plan.api)
    if plan.keys != KEYS or entry is None or state_of(root, plan.files[0]) is not State.NEW:
        return ()
    address = " ".join(str(entry.get(key, "")) for key in ("method", "domain", "url"))
    values = {"api": plan.api, "address": address}
    return (Text(_ONE_ADDRESS.en.format_map(values), _ONE_ADDRESS.ko.format_map(values)),)
