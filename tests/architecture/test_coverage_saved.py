"""What a process of the tests covered is saved when its tests are over, even if it is killed before it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from support import tree

KILLED = "import os, signal\n\ndef pytest_unconfigure():\n    os.kill(os.getpid(), signal.SIGKILL)\n"


def test_a_process_that_is_killed_at_its_end_has_saved_what_it_covered(tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED, encoding="utf-8")
    data = tmp_path / "data"
    pytest = ("-m", "pytest", "-q", "-p", "killed", "-p", "no:cacheprovider", "tests/contract/test_naming.py")
    command = (sys.executable, "-m", "coverage", "run", f"--data-file={data}", *pytest)
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(command, cwd=tree.ROOT, env=environ, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stdout
    assert b" passed" in ended.stdout
    assert [file.stat().st_size > 10_000 for file in tmp_path.glob("data.*")] == [True]
