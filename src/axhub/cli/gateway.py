"""`axhub gateway`: run the gateway. Checking a configuration without running it is in `cli.gateway_check`."""

import argparse
import os
import sys

from axhub.cli.parsing import Help, Subparsers

_DESCRIPTION = """\
Serve the tools of many Tool Services as one MCP server.

  axhub gateway --config gateway.yaml                     serve
  axhub gateway --config gateway.yaml --profile local     serve on your own machine, with relaxed checks
  axhub gateway check --config gateway.yaml --pull        check the configuration and the services, serve nothing
"""
_CODES = "exit codes: 0 drained after a signal, 2 the configuration is wrong, 1 anything else (a port is taken, say)"


def add_parser(commands: Subparsers) -> None:
    """Add `gateway` and its `check`."""
    from axhub.cli import gateway_check
    from axhub.gateway.config.flags import add_flags

    parser = commands.add_parser(
        "gateway",
        help="run the gateway, or check its configuration",
        description=_DESCRIPTION,
        epilog=_CODES,
        formatter_class=Help,
        allow_abbrev=False,
    )
    add_flags(parser)
    parser.set_defaults(run=run)
    gateway_check.add_parser(parser.add_subparsers(title="instead of serving", metavar="[check]"))


def run(args: argparse.Namespace) -> int:
    """Serve until a signal comes; return the exit code (gateway/C6)."""
    from axhub.gateway.config import ConfigError, load
    from axhub.gateway.config.flags import config_of, flags_of

    try:
        loaded = load(config_of(args), os.environ, flags_of(args))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    import asyncio

    from axhub.gateway.main import new_event_loop, serve

    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(serve(loaded))
