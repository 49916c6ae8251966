"""How wide help is: as the terminal says, without loading what argparse would load to know it."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from axhub.cli.parsing import columns


@pytest.mark.parametrize(
    ("said", "wide"), [("132", 132), ("40", 40), ("0", 80), ("", 80), ("-5", 80), ("wide", 80), ("٣", 80)]
)
def test_the_environment_says_how_wide_help_is(
    said: str, wide: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", said)
    with (tmp_path / "no_terminal").open("w") as file:
        monkeypatch.setattr(sys, "__stdout__", file)
        assert columns() == wide
    assert columns() == wide  # nor when it is closed


@pytest.mark.parametrize("wide", [47, 211])
def test_help_fits_the_terminal(wide: int) -> None:
    ours, theirs = pty.openpty()
    try:
        subprocess.run(["stty", "cols", str(wide)], stdin=theirs, check=True)
        environ = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        command = [sys.executable, "-m", "axhub.cli.main", "gateway", "--help"]
        subprocess.run(command, stdout=theirs, env=environ, check=True)
        lines = os.read(ours, 65536).decode().splitlines()
    finally:
        os.close(ours)
        os.close(theirs)
    usage = lines[: lines.index("")]
    assert usage[0].startswith("usage: axhub gateway")
    assert wide - 30 < max(map(len, usage)) <= wide
