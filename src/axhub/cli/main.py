"""`axhub …`: the dispatcher of the command line.

Each command group is one file with `add_parser(subparsers)` and `run(args) -> int`; the parser's default `run`
says what to call. Only the group that was asked for is imported, and it imports what is heavy inside `run`: help and
mistakes answer at once, and a gateway carries nothing of the other commands.

Exit codes that hold for every command: 0 it went well, 2 the command line or the configuration is wrong,
130 stopped by Ctrl-C. Others are in the help of the command.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from axhub import __version__
from axhub.cli.parsing import Help

_GROUPS: Final = {
    "run": "axhub.cli.run",
    "tools": "axhub.cli.tools",
    "gateway": "axhub.cli.gateway",
    "manifest": "axhub.cli.manifest",
    "service": "axhub.cli.service",
    "mock": "axhub.cli.mock",
    "new": "axhub.cli.new",
    "layout": "axhub.cli.layout",
    "check": "axhub.cli.check",
    "sync": "axhub.cli.sync",
    "diff": "axhub.cli.diff",
    "explain": "axhub.cli.explain",
    "audit": "axhub.cli.audit",
}
"""Commands by their first word, in the order help shows them."""

USAGE: Final = 2
INTERRUPTED: Final = 130
TRACE: Final = "AXHUB_TRACE"
"""The environment variable that lets the stack trace of an unexpected error through."""

_OUR_FAULT: Final = f"This is a fault of axhub itself. {TRACE}=1 before the command shows where; please report it."

_DESCRIPTION: Final = """\
Lets AI agents use what your systems can do: a gateway that collects the tools of your services and serves
them over the Model Context Protocol (MCP), and the commands to check and try them."""
_EXAMPLES: Final = """\
examples:
  axhub run                                          see it work: a sample service and a gateway on this machine
  axhub tools list http://127.0.0.1:8080/mcp         which tools a gateway offers
  axhub tools call http://127.0.0.1:8080/mcp NAME --args '{"key": "value"}'
  axhub new tool cmm_claim_search --http claim       make a tool in the Tool Service in this folder
  axhub layout show CLCNNB00001 --hex captured.hex   what stands where in a telegram
  axhub check                                        what is wrong with the Tool Service in this folder
  axhub sync                                         write the schemas of its tools into their definitions
  axhub diff --against main                          what callers would notice if it were released now
  axhub service claim_tools --profile local          serve a Tool Service
  axhub manifest check manifest.json                 would a gateway accept this manifest?
  axhub gateway check --config gateway.yaml --pull   check a configuration and the services it names
  axhub gateway --config gateway.yaml                serve

`axhub COMMAND --help` tells more about one command."""


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of the command that `argv` begins with, or of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="axhub",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"axhub {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    asked = argv[0] if argv else ""
    for module in [_GROUPS[asked]] if asked in _GROUPS else _GROUPS.values():
        import_module(module).add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing but that leaves here, whatever happens inside."""
    _make_output_safe()
    try:
        code = _dispatch(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has enough (`axhub tools list … | head`): nothing is wrong, and nobody listens.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get(TRACE):
            raise
        print(f"axhub: {type(error).__name__}: {error}\n{_OUR_FAULT}", file=sys.stderr)
        return 1
    return code


def _dispatch(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else argv
    parser = build_parser(words)
    try:
        args = parser.parse_args(words)
    except SystemExit as finished:  # argparse has printed help, the version or what is wrong
        return int(finished.code or 0)
    command: Callable[[argparse.Namespace], int] | None = getattr(args, "run", None)
    if command is None:
        parser.print_help()
        return USAGE
    return command(args)


def _make_output_safe() -> None:
    """Let no character that the terminal's encoding lacks end a command with an exception."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
