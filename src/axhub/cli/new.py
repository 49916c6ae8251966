"""`axhub new service|tool|layout`: the files of a new Tool Service, of a tool, of telegrams (toolkit/T5)."""

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
  axhub new tool cmm_claim_search --mci CLCNNB00001                   telegrams, whose layouts are there
  axhub new tool cmm_claim_search --mci CLCNNB00001 --system cfpa     or are sketched

The tool works at once: a sample stands for the answer of the system behind it, and three tests pass. It is under
development (register=False) until you say otherwise. What a person must write is marked TODO and listed at the end.

{_EXIT_CODES}"""
_LAYOUT_EPILOG: Final = f"""\
examples:
  axhub new layout CLCNNB00001 --system cfpa --from-sheet request.csv --response answer.csv
  axhub new layout CLCNNB00001 --system cfpa --from-sheet request.csv --charset cp949 --dry-run

A sheet is a CSV file (UTF-8 or CP949). Its first row has the headers, in English or Korean:

  field,type,size,scale,sign,required,occurs,note     필드명,타입,길이,소수,부호,필수,반복,설명

field, type and size are needed. Types: text, num, packed, date, time, filler, and group, which has the rows below it
whose names begin with its own and a dot. A group occurs 5 times, 5 ROW_CNT (always 5, the field ROW_CNT says how many
count) or 0-5 ROW_CNT (as many as that says). Sizes are bytes. A last row total,,175 is compared. Rows that begin with #
are not read.

{_EXIT_CODES}"""
_CHARSETS: Final = ("euc-kr", "cp949", "utf-8")
_LANGUAGE: Final = "of texts and messages (default: texts of a tool as its service's configuration, else from LANG)"


def add_parser(commands: Subparsers) -> None:
    """Add `new service` and `new tool` to the command line."""
    group = commands.add_parser(
        "new",
        help="make a Tool Service, or a tool or telegrams in it",
        description="Make the files of a new Tool Service, or of a new tool or telegrams in one.",
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
    kind.add_argument("--mci", metavar="ID", help="the MCI interface behind it, such as CLCNNB00001")
    tool.add_argument("--system", metavar="NAME", help="with --mci: its system (default: the one that has its layouts)")
    tool.set_defaults(run=new_tool)
    layout = _layout_parser(group)
    for parser in (tool, layout):
        parser.add_argument(
            "--project", metavar="PATH", default=".", help="a folder of the project (default: the current one)"
        )
    for parser in (service, tool, layout):
        parser.add_argument("--dry-run", action="store_true", help="only say what would be made")
        parser.add_argument("--lang", choices=LANGUAGES, help=_LANGUAGE)


def _layout_parser(group: Subparsers) -> argparse.ArgumentParser:
    layout = add_command(
        group, "layout", "make the layouts of telegrams from the sheets of an interface", _LAYOUT_EPILOG
    )
    layout.add_argument("id", metavar="ID", help="the interface id, such as CLCNNB00001")
    layout.add_argument(
        "--system", metavar="NAME", required=True, help="the MCI system, by its name in the configuration"
    )
    layout.add_argument("--from-sheet", metavar="FILE", required=True, help="the sheet of the request")
    layout.add_argument("--response", metavar="FILE", help="the sheet of the answer")
    layout.add_argument("--charset", choices=_CHARSETS, default=_CHARSETS[0], help="of its texts (default: euc-kr)")
    layout.set_defaults(run=new_layout)
    return layout


def new_service(args: argparse.Namespace) -> int:
    """Make a project; return the exit code."""
    if toolkit_is_missing("new", args.lang):
        return UNUSABLE
    from axhub.cli.new_files import make_service

    return make_service(args)


def new_tool(args: argparse.Namespace) -> int:
    """Make a tool; return the exit code."""
    if toolkit_is_missing("new", args.lang):
        return UNUSABLE
    from axhub.cli.new_files import make_tool

    return make_tool(args)


def new_layout(args: argparse.Namespace) -> int:
    """Make the layouts of an interface; return the exit code."""
    if toolkit_is_missing("new", args.lang):
        return UNUSABLE
    from axhub.cli.new_layout import make_layout

    return make_layout(args)
