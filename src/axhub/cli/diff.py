"""`axhub diff`: what callers would notice of the tools as they are now, compared with what was released."""

import argparse
from typing import Final

from axhub.cli.check import UNUSABLE, add_language, toolkit_is_missing
from axhub.cli.parsing import Subparsers, add_command

_EPILOG: Final = """\
examples:
  axhub diff                                  compared with axhub.lock.json of the project
  axhub diff --against main                   with the lock on another branch, tag or commit
  axhub diff --against manifest.json          with a manifest that a gateway has
  axhub diff --against main --format json

breaking: calls that were good are refused, or answers are no longer what they were promised to be
behavioural: every call stays good, but a model may decide otherwise: texts, hints, defaults
safe: nobody has to do anything

exit codes: 0 nothing breaks, 1 something does, 2 it cannot be compared: no project, no lock, no such branch, no git"""


def add_parser(commands: Subparsers) -> None:
    """Add `diff` to the command line."""
    parser = add_command(commands, "diff", "show what callers of the tools would notice", _EPILOG)
    parser.add_argument(
        "path", metavar="PATH", nargs="?", default=".", help="the project, or anything in it (default: this folder)"
    )
    parser.add_argument(
        "--against",
        metavar="FILE|GITREF",
        help="a lock, a manifest, or a branch, tag or commit with a lock (default: the project's lock)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")
    add_language(parser)
    parser.set_defaults(run=diff)


def diff(args: argparse.Namespace) -> int:
    """Compare; return the exit code."""
    if toolkit_is_missing("diff", args.lang):
        return UNUSABLE
    from axhub.cli.diff_run import run

    return run(args)
