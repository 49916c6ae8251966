"""What the parsers of all commands share: one look, examples kept as written, no abbreviated options."""

import argparse
from typing import TypeAlias

# argparse has no public name for what `add_subparsers` returns.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - see above


def add_command(group: Subparsers, name: str, summary: str, epilog: str) -> argparse.ArgumentParser:
    """Add a command whose help is the summary as a sentence, its arguments, and the epilog (examples, exit codes)."""
    return group.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
