"""`axhub layout show`: what stands where in a telegram, beside a captured one (toolkit/B1)."""

import argparse
from typing import Final

from axhub.cli.check import UNUSABLE, add_language, toolkit_is_missing
from axhub.cli.parsing import Subparsers, add_command

_EPILOG: Final = """\
examples:
  axhub layout show CLCNNB00001                          offset, length and name of each field, of question and answer
  axhub layout show CLCNNB00001_O                        of the answer only
  axhub layout show CLCNNB00001 --hex captured.hex       beside the bytes of a captured telegram; values are masked
  axhub layout show CLCNNB00001 --hex captured.hex --unmask --system cfpa

FILE has hex digits with blanks, line ends and # comments between them, or the bytes as they are. It may be the data
section alone, or a whole telegram with the header that infra/mci/{system}/envelope.py declares: that is found out.

exit codes: 0 it was shown, 1 it was shown up to a fault in the telegram, 2 there is no such layout or file"""


def add_parser(commands: Subparsers) -> None:
    """Add `layout show` to the command line."""
    group = commands.add_parser(
        "layout",
        help="show the layouts of telegrams",
        description="Show the layouts of telegrams, and what a captured one holds.",
        epilog="`axhub layout show --help` has examples.",
    ).add_subparsers(title="commands", metavar="COMMAND", required=True)
    parser = add_command(group, "show", "show what stands where in a telegram", _EPILOG)
    parser.add_argument("id", metavar="ID", help="an interface id such as CLCNNB00001, or the name of a layout's class")
    parser.add_argument("--hex", metavar="FILE", help="a captured telegram")
    parser.add_argument("--unmask", action="store_true", help="show values as they are; they may be personal data")
    parser.add_argument("--system", metavar="NAME", help="FILE is a whole telegram of this MCI system")
    parser.add_argument(
        "--project", metavar="PATH", default=".", help="a folder of the project (default: the current one)"
    )
    add_language(parser)
    parser.set_defaults(run=show)


def show(args: argparse.Namespace) -> int:
    """Show one interface or class; return the exit code."""
    if toolkit_is_missing("layout", args.lang):
        return UNUSABLE
    from axhub.cli.layout_show import show_layout

    return show_layout(args)
