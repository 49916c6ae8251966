"""What the marker `needs` does: a test names the programs it must have, and is skipped, or failed, without them."""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest

REQUIRE = "AXHUB_REQUIRE_SERVERS"
"""Set to 1 where every program must be there (`.ci/run`): a missing one then fails the test instead of skipping it."""


_MORE: Final = ("/usr/sbin", "/usr/local/sbin", "/sbin")


def find_program(name: str) -> str | None:
    """Return the path of a program; servers that Debian keeps out of a plain user's PATH are found too."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join([*_MORE, *_postgres()]))


def _postgres() -> list[str]:
    """Return the folders of PostgreSQL's programs, the newest version's first."""
    found = Path("/usr/lib/postgresql").glob("*/bin")
    return sorted(map(str, found), reverse=True)


def missing_programs(wanted: Iterable[str], find: Callable[[str], str | None] = find_program) -> str | None:
    """Return a sentence that names the programs not on this machine, or None when all are."""
    missing = [name for name in wanted if find(name) is None]
    return f"not on this machine: {', '.join(missing)}" if missing else None


def check(item: pytest.Item, environ: Mapping[str, str] = os.environ) -> None:
    """Skip or fail a test whose `needs` markers name a program that is missing."""
    wanted = [name for marker in item.iter_markers("needs") for name in marker.args]
    reason = missing_programs(wanted)
    if reason is None:
        return
    if environ.get(REQUIRE) == "1":
        pytest.fail(f"{reason} ({REQUIRE}=1)", pytrace=False)
    pytest.skip(reason)
