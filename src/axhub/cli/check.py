"""`axhub check`: every mistake of a Tool Service with its place and its mend, before anything is built."""

import argparse
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from axhub.cli.parsing import Subparsers, add_command
from axhub.cli.tables import terminal_width, wants_colour
from axhub.configuration.languages import LANGUAGES, Language, language_of

if TYPE_CHECKING:
    from axhub.toolkit.check import Report, ToolProject

UNUSABLE: Final = 2
MISSING_TOOLKIT: Final[Mapping[Language, str]] = {
    "en": "the toolkit is not installed; this brings it: pip install 'axhub[toolkit]'",
    "ko": "툴킷이 설치되어 있지 않습니다. 이 명령으로 설치하십시오: pip install 'axhub[toolkit]'",
}
_FORMATS: Final = ("text", "json", "github", "sarif")
_SELECTION_FORMATS: Final = ("text", "json")
_MISUSED: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "queries": "--queries FILE goes with --selection",
        "format": f"--selection goes with --format {' or '.join(_SELECTION_FORMATS)}",
    },
    "ko": {
        "queries": "--queries FILE은 --selection과 함께 쓰십시오",
        "format": f"--selection에는 --format {' 또는 '.join(_SELECTION_FORMATS)}만 쓸 수 있습니다",
    },
}
_EPILOG: Final = """\
examples:
  axhub check                        the service in this folder
  axhub check ../claim-tools --strict
  axhub check --format github        beside the lines of a pull request
  axhub check --format sarif         for code scanning and editors
  axhub check --selection            how well queries find their tools by the descriptions
  axhub check --selection --queries held-out.csv
  axhub explain TK101                what a rule wants, why, and how to do it

A finding that has to stay is allowed on its line, with a reason:  # axhub: allow TK103 -- released under this name
Findings of a tool under development (register=False) are warnings.

exit codes: 0 nothing was found but warnings, 1 errors were found (with --strict: or warnings),
2 it could not be checked.
With --selection: 0, or 1 with --strict if a query does not have its tool among the first three."""


def add_parser(commands: Subparsers) -> None:
    """Add `check` to the command line."""
    parser = add_command(commands, "check", "find what is wrong with a Tool Service", _EPILOG)
    parser.add_argument(
        "path", metavar="PATH", nargs="?", default=".", help="the project, or anything in it (default: this folder)"
    )
    parser.add_argument("--format", choices=_FORMATS, default="text", help="how to print what is found (default: text)")
    parser.add_argument("--strict", action="store_true", help="let warnings fail the check too")
    parser.add_argument(
        "--selection",
        action="store_true",
        help="instead of findings: rank the example queries against all descriptions",
    )
    parser.add_argument(
        "--queries", metavar="FILE", help="with --selection: other queries (.yml, .csv or .jsonl: query and tool)"
    )
    add_language(parser)
    parser.set_defaults(run=check_service)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add `--lang`."""
    parser.add_argument("--lang", choices=LANGUAGES, default=None, help="language of the messages (default: from LANG)")


def toolkit_is_missing(command: str, asked: str | None = None) -> bool:
    """Say whether what the toolkit stands on is missing, and if so tell the user, in the language asked for."""
    missing = find_spec("pydantic") is None
    if missing:
        print(f"axhub {command}: {MISSING_TOOLKIT[language_of(os.environ, asked)]}", file=sys.stderr)
    return missing


def check_service(args: argparse.Namespace) -> int:
    """Check one Tool Service; return the exit code."""
    if toolkit_is_missing("check", args.lang):
        return UNUSABLE
    language = language_of(os.environ, args.lang)
    if (misused := _misused(args)) is not None:
        print(f"axhub check: {_MISUSED[language][misused]}", file=sys.stderr)
        return UNUSABLE
    from axhub.toolkit.check import CannotCheckError, check, find_project

    try:
        project = find_project(Path(args.path))
        if args.selection:
            return _show_selection(args, project, language)
        report = check(project)
    except CannotCheckError as error:
        print(f"axhub check: {error.said(language)}", file=sys.stderr)
        return UNUSABLE
    _show(report, args.format, language)
    return report.exit_code(strict=args.strict)


def _misused(args: argparse.Namespace) -> str | None:
    """Return which options do not go together."""
    if args.queries is not None and not args.selection:
        return "queries"
    return "format" if args.selection and args.format not in _SELECTION_FORMATS else None


def _show_selection(args: argparse.Namespace, project: "ToolProject", language: Language) -> int:
    """Print how well queries find their tools; with `--strict`, one that misses the first three fails."""
    from axhub.cli.selection_view import selection_lines
    from axhub.toolkit.check import selection
    from axhub.toolkit.selection import ENOUGH

    report = selection.select(project, None if args.queries is None else Path(args.queries))
    if args.format == "json":
        print(selection.selection_json(report))
    else:
        prefix, limit = _seen_from_here(project.root), terminal_width(sys.stdout)
        colour = wants_colour(sys.stdout)
        for line in selection_lines(report, language, prefix=prefix, limit=limit, colour=colour):
            print(line)
    return int(args.strict and report.measurement.recall(ENOUGH) not in {None, 1.0})


def _show(report: "Report", format_: str, language: Language) -> None:
    from axhub.toolkit.check import formats

    if format_ == "json":
        print(formats.json_text(report, language))
        return
    if format_ == "sarif":
        _show_sarif(report, language)
        return
    prefix = _seen_from_here(report.project.root)
    if format_ == "github":
        lines = formats.github_lines(report, language, prefix=prefix)
    else:
        lines = formats.text_lines(report, language, prefix=prefix, colour=wants_colour(sys.stdout))
    for line in lines:
        print(line)
    for line in formats.fault_lines(report, language):
        print(f"axhub check: {line}", file=sys.stderr)


def _show_sarif(report: "Report", language: Language) -> None:
    """Print SARIF with paths from the current folder, which is the repository's where it is made for it."""
    from axhub.toolkit.check.sarif import sarif_text

    here, root = Path.cwd(), report.project.root
    print(sarif_text(report, language, base=here if root.is_relative_to(here) else root))


def _seen_from_here(root: Path) -> str:
    """Return the project's folder from the current one, empty if it is that."""
    here = os.path.relpath(root)
    return "" if here == os.curdir else here
