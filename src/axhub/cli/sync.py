"""`axhub sync`: schemas into definitions, and what is released into the lock (decision/D12)."""

import argparse
from typing import Final

from axhub.cli.check import UNUSABLE, add_language, toolkit_is_missing
from axhub.cli.parsing import Subparsers, add_command

_EPILOG: Final = """\
examples:
  axhub sync                       write parameters_schema of each definition as the request model has it
  axhub sync --dry-run             only show what would be written
  axhub sync --release             also write axhub.lock.json: from now on callers count on these tools
  axhub sync --retire cmm_claim_search --reason "replaced by cmm_claim_inquiry"

Comments, order, quotes and line ends of a definition stay; nothing but parameters_schema is changed, and running it
twice changes nothing. Commit axhub.lock.json: it is what `axhub diff` compares with.

A release is refused while `axhub check` has an error to report, and where a change breaks the callers of a tool whose
version has not gone up to the next major one.

exit codes: 0 done, or nothing to do; 1 the release is refused; 2 it cannot be done: no project, the package cannot be
imported, a definition that cannot be changed safely"""


def add_parser(commands: Subparsers) -> None:
    """Add `sync` to the command line."""
    parser = add_command(commands, "sync", "write the schemas of the tools into their definitions", _EPILOG)
    parser.add_argument(
        "path", metavar="PATH", nargs="?", default=".", help="the project, or anything in it (default: this folder)"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--release", action="store_true", help="also write axhub.lock.json, what callers may count on")
    kind.add_argument("--retire", metavar="NAME", help="only say in the lock that a released tool is gone for good")
    parser.add_argument("--reason", metavar="TEXT", help="why, with --retire")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be written")
    add_language(parser)
    parser.set_defaults(run=sync)


def sync(args: argparse.Namespace) -> int:
    """Bring definitions and lock up to date; return the exit code."""
    if toolkit_is_missing("sync", args.lang):
        return UNUSABLE
    from axhub.cli.sync_run import run

    return run(args)
