"""`axhub manifest check`: would a gateway accept what a Tool Service publishes? (gateway/C4)."""

import argparse
from typing import Final

from axhub.cli.parsing import Subparsers, add_command

_MANIFEST_EPILOG: Final = """\
examples:
  axhub manifest check manifest.json
  axhub manifest check http://127.0.0.1:9000/tool-manifest
  curl -s http://127.0.0.1:9000/tool-manifest | axhub manifest check -

The manifest is checked by itself: its bundleId may be any text, no name prefix is asked for, relative endpoints are
checked for their form and absolute ones are listed once nothing is wrong. A gateway's configuration may ask for more.

exit codes: 0 nothing is wrong, 1 what SOURCE gives is no manifest that a gateway would accept,
2 SOURCE cannot be used: no such file, no usable URL, or nobody answers there"""


def add_parser(commands: Subparsers) -> None:
    """Add `manifest check` to the command line."""
    group = commands.add_parser(
        "manifest",
        help="check a manifest",
        description="Check what a Tool Service publishes, in whatever language it is written.",
        epilog="`axhub manifest check --help` has examples.",
    ).add_subparsers(title="commands", metavar="COMMAND", required=True)
    parser = add_command(group, "check", "check one manifest as a gateway would", _MANIFEST_EPILOG)
    parser.add_argument("source", metavar="SOURCE", help="a file, a URL, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for scripts")
    parser.set_defaults(run=check_manifest)


def check_manifest(args: argparse.Namespace) -> int:
    """Check one manifest from a file, a URL or standard input; return the exit code."""
    from axhub.cli.manifest_check import run

    return run(args)
