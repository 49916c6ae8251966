"""Runs `axhub gateway check` and `axhub manifest check` in this process, as their parsers call them."""

import argparse
import asyncio

from axhub.cli import gateway_check, manifest


def run(*argv: str) -> int:
    """Return the exit code; output goes to the real streams."""
    parser = argparse.ArgumentParser(prog="axhub")
    commands = parser.add_subparsers(required=True)
    gateway_check.add_parser(commands.add_parser("gateway").add_subparsers())
    manifest.add_parser(commands)
    args = parser.parse_args(argv)
    code: int = args.run(args)
    return code


async def run_beside(*argv: str) -> int:
    """Run beside the test's own event loop, where a Tool Service may be answering."""
    return await asyncio.to_thread(run, *argv)
