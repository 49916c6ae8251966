"""`axhub explain`: what a rule wants, why, and how to do it."""

import argparse
import os
import sys
from typing import Final

from axhub.cli.check import UNUSABLE, add_language, toolkit_is_missing
from axhub.cli.parsing import Subparsers, add_command
from axhub.configuration.languages import language_of

_EPILOG: Final = """\
examples:
  axhub explain            all rules, one a line
  axhub explain TK101      what it wants, why, what its messages are, and how to do it
  axhub explain TK101 --lang ko

exit codes: 0 it was shown, 2 there is no such rule"""


def add_parser(commands: Subparsers) -> None:
    """Add `explain` to the command line."""
    parser = add_command(commands, "explain", "explain the rules of axhub check", _EPILOG)
    parser.add_argument("id", metavar="ID", nargs="?", help="the rule's id, as a finding shows it (default: list all)")
    add_language(parser)
    parser.set_defaults(run=explain)


def explain(args: argparse.Namespace) -> int:
    """Show one rule or the list of all; return the exit code."""
    if toolkit_is_missing("explain", args.lang):
        return UNUSABLE
    from axhub.toolkit.check.explaining import explained, listed
    from axhub.toolkit.check.held import HELD
    from axhub.toolkit.rules.all import ALL, rule_of

    language = language_of(os.environ, args.lang)
    if args.id is None:
        lines = listed(ALL, language)
    elif (rule := rule_of(args.id.upper())) is not None:
        lines = explained(rule, language)
    elif (held := HELD.get(args.id.upper())) is not None:
        lines = iter((f"{args.id.upper()}: {held.said(language)}",))
    else:
        print(f"axhub explain: there is no rule {args.id}; without an ID, `axhub explain` lists all", file=sys.stderr)
        return UNUSABLE
    for line in lines:
        print(line)
    return 0
