"""`axhub new service|tool`: the files of a new Tool Service, and of a tool in it (toolkit/T5)."""

import argparse
from typing import Final

from axhub.cli.check import UNUSABLE, toolkit_is_missing
from axhub.cli.parsing import Subparsers, add_command
from axhub.configuration.languages import LANGUAGES

_EXIT_CODES: Final = """\
Nothing that is there is ever overwritten, and nothing is fetched: running it twice changes nothing.

exit codes: 0 made, or there already; 2 it cannot be made: a name that cannot be used, no project, a file in the way"""
_SERVICE_EPILOG: Final = f"""\
examples:
  axhub new service claim-tools
  axhub new service claim-tools --folder services/claims --lang ko

{_EXIT_CODES}"""
_TOOL_EPILOG: Final = f"""\
examples:
  axhub new tool cmm_claim_search --http claim
  axhub new tool cmm_claim_search --http claim --project services/claims --dry-run

The tool works at once: a sample stands for the answer of the API, and three tests pass. It is under development
(register=False) until you say otherwise. What a person must write is marked TODO and listed at the end.

{_EXIT_CODES}"""
_LANGUAGE: Final = "of texts and messages (default: texts of a tool as its service's configuration, else from LANG)"


def add_parser(commands: Subparsers) -> None:
    """Add `new service` and `new tool` to the command line."""
    group = commands.add_parser(
        "new",
        help="make a Tool Service, or a tool in it",
        description="Make the files of a new Tool Service, or of a new tool in one.",
        epilog="`axhub new tool --help` has examples.",
    ).add_subparsers(title="commands", metavar="COMMAND", required=True)
    service = add_command(group, "service", "make the project of a new Tool Service", _SERVICE_EPILOG)
    service.add_argument("name", metavar="NAME", help="its name, such as claim-tools")
    service.add_argument("--folder", metavar="FOLDER", help="where to make it (default: NAME in the current folder)")
    service.set_defaults(run=new_service)
    tool = add_command(group, "tool", "make a tool in a Tool Service", _TOOL_EPILOG)
    tool.add_argument("name", metavar="NAME", help="category, function and action, such as cmm_claim_search")
    kind = tool.add_mutually_exclusive_group(required=True)
    kind.add_argument("--http", metavar="API", help="the HTTP API behind it, by its name in the configuration")
    kind.add_argument("--mci", metavar="ID", help="the MCI interface behind it (not in this version)")
    tool.add_argument(
        "--project", metavar="PATH", default=".", help="a folder of the project (default: the current one)"
    )
    tool.set_defaults(run=new_tool)
    for parser in (service, tool):
        parser.add_argument("--dry-run", action="store_true", help="only say what would be made")
        parser.add_argument("--lang", choices=LANGUAGES, help=_LANGUAGE)


def new_service(args: argparse.Namespace) -> int:
    """Make a project; return the exit code."""
    if toolkit_is_missing("new"):
        return UNUSABLE
    from axhub.cli.new_files import make_service

    return make_service(args)


def new_tool(args: argparse.Namespace) -> int:
    """Make a tool; return the exit code."""
    if toolkit_is_missing("new"):
        return UNUSABLE
    from axhub.cli.new_files import make_tool

    return make_tool(args)
