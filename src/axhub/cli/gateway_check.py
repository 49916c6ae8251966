"""`axhub gateway check`: what is wrong with a configuration, before anything runs (gateway/C4)."""

import argparse
from typing import Final

from axhub.cli.parsing import Subparsers, add_command

_GATEWAY_EPILOG: Final = """\
examples:
  axhub gateway check --config gateway.yaml           is the configuration right? Nothing is contacted.
  axhub gateway check --config gateway.yaml --pull    and would each bundle's manifest be accepted now?

exit codes: 0 nothing is wrong, 1 a manifest is wrong or could not be pulled, 2 the configuration is wrong"""


def add_parser(commands: Subparsers) -> None:
    """Add `check` to the commands of `axhub gateway`."""
    from axhub.gateway.config.flags import add_flags

    parser = add_command(commands, "check", "check a configuration without serving", _GATEWAY_EPILOG)
    add_flags(parser)
    parser.add_argument(
        "--pull", action="store_true", help="also pull each enabled bundle's manifest once and check it"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, for scripts")
    parser.set_defaults(run=check_gateway)


def check_gateway(args: argparse.Namespace) -> int:
    """Check a configuration, with `--pull` its bundles' manifests too; return the exit code."""
    from axhub.cli.gateway_check_run import run

    return run(args)
