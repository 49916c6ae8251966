"""`axhub check`: every mistake of a Tool Service with its place and its mend, before anything is built."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from axhub.cli.parsing import Subparsers, add_command
from axhub.cli.tables import wants_colour
from axhub.configuration.languages import LANGUAGES, Language, language_of

if TYPE_CHECKING:
    from axhub.toolkit.check import Report

UNUSABLE: Final = 2
MISSING_TOOLKIT: Final = "the toolkit is not installed; this brings it: pip install 'axhub[toolkit]'"
_FORMATS: Final = ("text", "json", "github")
_EPILOG: Final = """\
examples:
  axhub check                        the service in this folder
  axhub check ../claim-tools --strict
  axhub check --format github        beside the lines of a pull request
  axhub explain TK101                what a rule wants, why, and how to do it

A finding that has to stay is allowed on its line, with a reason:  # axhub: allow TK103 -- released under this name
Findings of a tool under development (register=False) are warnings.

exit codes: 0 nothing was found but warnings, 1 errors were found (with --strict: or warnings),
2 it could not be checked"""


def add_parser(commands: Subparsers) -> None:
    """Add `check` to the command line."""
    parser = add_command(commands, "check", "find what is wrong with a Tool Service", _EPILOG)
    parser.add_argument(
        "path", metavar="PATH", nargs="?", default=".", help="the project, or anything in it (default: this folder)"
    )
    parser.add_argument("--format", choices=_FORMATS, default="text", help="how to print what is found (default: text)")
    parser.add_argument("--strict", action="store_true", help="let warnings fail the check too")
    add_language(parser)
    parser.set_defaults(run=check_service)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add `--lang`."""
    parser.add_argument("--lang", choices=LANGUAGES, default=None, help="language of the messages (default: from LANG)")


def toolkit_is_missing(command: str) -> bool:
    """Say whether what the toolkit stands on is not installed, and if so also to the user."""
    missing = find_spec("pydantic") is None
    if missing:
        print(f"axhub {command}: {MISSING_TOOLKIT}", file=sys.stderr)
    return missing


def check_service(args: argparse.Namespace) -> int:
    """Check one Tool Service; return the exit code."""
    if toolkit_is_missing("check"):
        return UNUSABLE
    from axhub.toolkit.check import CannotCheckError, check, find_project

    try:
        report = check(find_project(Path(args.path)))
    except CannotCheckError as error:
        print(f"axhub check: {error.said(language_of(os.environ, args.lang))}", file=sys.stderr)
        return UNUSABLE
    _show(report, args.format, language_of(os.environ, args.lang))
    return report.exit_code(strict=args.strict)


def _show(report: "Report", format_: str, language: Language) -> None:
    from axhub.toolkit.check import formats

    if format_ == "json":
        print(formats.json_text(report, language))
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


def _seen_from_here(root: Path) -> str:
    """Return the project's folder from the current one, empty if it is that."""
    here = os.path.relpath(root)
    return "" if here == os.curdir else here
