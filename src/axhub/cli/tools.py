"""`axhub tools list|call|watch URL`: see and try what an MCP server offers (gateway/C5).

For people: tables and indented answers. For scripts: `--json`, whose shape is in the help and stays stable.
The SDK takes a second to load, so `mcp_client` is imported only when a server is to be asked.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from axhub.cli import tools_view, tools_watch
from axhub.cli.arguments import UsageError, read_arguments, read_header
from axhub.cli.parsing import Subparsers, add_command
from axhub.cli.tables import one_line, terminal_width, wants_colour

if TYPE_CHECKING:
    from axhub.cli.mcp_client import Target

OK: Final = 0
ERROR: Final = 1
USAGE: Final = 2
UNREACHABLE: Final = 3
PROTOCOLS: Final = ("auto", "legacy", "2026-07-28")

_EXIT_CODES: Final = """\
exit codes:
  0  it went well
  1  the tool or the server answered with an error
  2  the command line is wrong
  3  no MCP server answers at URL, or it cannot serve now"""
_LIST_EPILOG: Final = f"""\
examples:
  axhub tools list http://127.0.0.1:8080/mcp
  axhub tools list http://127.0.0.1:8080/mcp --json | jq -r '.tools[].name'

In the table, arguments with a question mark are optional. --json prints one object:
  {{"url": …, "protocol": "2026-07-28", "server": {{"name": …, "version": …}} or null,
   "tools": [each tool as the server describes it: "name", "description", "inputSchema", …]}}

{_EXIT_CODES}"""
_CALL_EPILOG: Final = f"""\
examples:
  axhub tools call http://127.0.0.1:8080/mcp ins_contract_get --args '{{"contractNo": "2023-0001234"}}'
  axhub tools call http://127.0.0.1:8080/mcp ins_contract_get --args @arguments.json --header guid=G-1
  echo '{{}}' | axhub tools call http://127.0.0.1:8080/mcp cmm_request_context --args - --json

The arguments are sent with the very bytes that you wrote: 1.0, 1e400 and integers of any size stay as they are.
--json prints one object:
  {{"tool": …, "isError": true or false, "text": what a model reads,
   "content": [all blocks], "structuredContent": … (only if the tool gave one)}}
or, if the server itself refused the call (exit 1):
  {{"tool": …, "isError": true, "error": {{"code": …, "message": …, "data": …}}}}

{_EXIT_CODES}"""
_MISSING_CLIENT: Final = "the MCP client library is not installed; this brings it: pip install 'axhub[client]'"


def add_parser(commands: Subparsers) -> None:
    """Add `tools list`, `tools call` and `tools watch` to the command line."""
    group = commands.add_parser(
        "tools",
        help="list, call and watch the tools of an MCP server",
        description="See which tools an MCP server offers, and try them.",
        epilog="`axhub tools COMMAND --help` has examples.",
    ).add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_common(add_command(group, "list", "show the tools that an MCP server offers", _LIST_EPILOG), _list)
    calling = add_command(group, "call", "call one tool and print its answer", _CALL_EPILOG)
    _add_common(calling, _call)
    calling.add_argument("tool", metavar="NAME", help="the tool's name as `axhub tools list` shows it")
    calling.add_argument(
        "--args",
        metavar="JSON|@FILE|-",
        help="the arguments as one JSON object: itself, from a file, or from standard input (default: none)",
    )

    watching = add_command(group, "watch", "show the tools, then each change of the list", tools_watch.EPILOG)
    _add_common(watching, tools_watch.watch)
    tools_watch.add_options(watching)
    watching.set_defaults(run=_run_until_interrupted)


def _run_until_interrupted(args: argparse.Namespace) -> int:
    try:
        return run(args)
    except KeyboardInterrupt:
        return OK


def run(args: argparse.Namespace) -> int:
    """Run the chosen command and return its exit code."""
    if find_spec("mcp") is None:
        return _fail(_MISSING_CLIENT, USAGE)
    work: Callable[[argparse.Namespace, Target], Coroutine[Any, Any, int]] = args.work
    try:
        target = _target(args)
    except UsageError as error:
        return _fail(str(error), USAGE)
    return asyncio.run(_guarded(work(args, target)))


async def _guarded(work: Coroutine[Any, Any, int]) -> int:
    from axhub.cli.mcp_client import AnsweredError, UnreachableError

    try:
        return await work
    except UsageError as error:
        return _fail(str(error), USAGE)
    except UnreachableError as error:
        return _fail(str(error), UNREACHABLE)
    except AnsweredError as error:
        return _fail(tools_view.server_error(error.code, str(error)), ERROR)


async def _list(args: argparse.Namespace, target: "Target") -> int:
    from axhub.cli.mcp_client import list_tools

    listing = await list_tools(target)
    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listing.tools]
    if args.json:
        server = dict(zip(("name", "version"), listing.server, strict=True)) if listing.server else None
        _print_json({"url": target.url, "protocol": listing.protocol, "server": server, "tools": tools})
        return OK
    for line in tools_view.tool_lines(tools, terminal_width(sys.stdout), wants_colour(sys.stdout)):
        print(line)
    print(tools_view.summary(len(tools), listing.server, listing.protocol))
    return OK


async def _call(args: argparse.Namespace, target: "Target") -> int:
    from axhub.cli.mcp_client import AnsweredError, call_tool

    arguments = None if args.args is None else read_arguments(args.args, sys.stdin.buffer.read)
    try:
        result = await call_tool(target, args.tool, arguments)
    except AnsweredError as error:
        if args.json:
            answer = {"code": error.code, "message": str(error), "data": error.data}
            _print_json({"tool": args.tool, "isError": True, "error": answer})
        raise
    document = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    content = document["content"]
    if args.json:
        head = {"tool": args.tool, "isError": result.is_error, "text": tools_view.text_of(content), "content": content}
        rest = {"structuredContent": result.structured_content} if result.structured_content is not None else {}
        _print_json(head | rest)
    else:
        print(tools_view.answer(content))
    return _fail(f"{args.tool} answered with an error", ERROR) if result.is_error else OK


def _add_common(parser: argparse.ArgumentParser, work: Callable[..., Any]) -> None:
    parser.add_argument("url", metavar="URL", help="the MCP endpoint, for example http://127.0.0.1:8080/mcp")
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.add_argument(
        "--header",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="send this HTTP header with every request, for example --header guid=G-1; may be repeated",
    )
    parser.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default="auto",
        help="auto asks the server (default); legacy starts with `initialize`, as clients before 2026-07-28 do",
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=60.0, help="wait so long for an answer (default: 60)"
    )
    parser.set_defaults(run=run, work=work)


def _target(args: argparse.Namespace) -> "Target":
    from axhub.cli.mcp_client import Target

    try:
        parts = urlsplit(args.url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"URL must be like http://127.0.0.1:8080/mcp; found {args.url!r}")
    if not 0 < args.timeout < float("inf"):
        raise UsageError(f"--timeout takes a number of seconds above 0; found {args.timeout:g}")
    headers = tuple(read_header(header) for header in args.header)
    return Target(url=args.url, headers=headers, protocol=args.protocol, timeout=args.timeout)


def _print_json(document: object) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2))


def _fail(message: str, code: int) -> int:
    print(f"axhub tools: {one_line(message)}", file=sys.stderr)
    return code
