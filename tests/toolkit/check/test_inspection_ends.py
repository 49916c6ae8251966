"""What an inspecting process leaves behind: nothing, however it ends; and what of the environment it is given."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from axhub.toolkit.check.imports import importing
from axhub.toolkit.check.inspection import Running, run_inspection
from axhub.toolkit.check.project import find_project
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("rule/TK002")
PATH = "biz/cmm/usecase.py"
CHILD = """
    import subprocess, sys
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    open({mark!r}, "w").write(str(child.pid))
"""
WAITING = CHILD + "    child.wait()\n"


@pytest.fixture
def package(tmp_path: Path) -> ToolPackage:
    package = ToolPackage(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        f'[project]\nname = "{package.name.replace("_", "-")}"\nversion = "1"\n[tool.axhub]\n', encoding="utf-8"
    )
    return package


def wait_for(file: Path) -> int:
    end = time.monotonic() + 40
    while time.monotonic() < end:
        if file.exists() and file.read_text():
            return int(file.read_text())
        time.sleep(0.05)
    raise AssertionError(f"{file} was not written")


def is_gone(process: int) -> bool:
    for _ in range(1000):
        status = Path(f"/proc/{process}/stat")
        try:
            if status.read_text().split()[2] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def test_what_the_import_has_started_ends_with_the_process(package: ToolPackage, tmp_path: Path) -> None:
    mark = tmp_path / "child"
    package.write(PATH, CHILD.format(mark=str(mark)))
    result = run_inspection(package.root, package.name, 30)
    assert (result.problem, result.imported) == (None, {})
    assert is_gone(wait_for(mark))


def test_an_inspection_that_nobody_waits_for_any_more_is_ended(package: ToolPackage, tmp_path: Path) -> None:
    mark = tmp_path / "child"
    package.write(PATH, WAITING.format(mark=str(mark)))
    began = time.monotonic()
    kept = ExitStack()
    inspection = kept.enter_context(importing(find_project(tmp_path)))
    child = wait_for(mark)
    interrupt = KeyboardInterrupt()
    assert not kept.__exit__(KeyboardInterrupt, interrupt, None)
    assert time.monotonic() - began < 50
    assert is_gone(child)
    assert inspection.result(5).imported is None


def test_one_that_is_ended_before_it_begins_does_not_begin(package: ToolPackage) -> None:
    package.write(PATH, "import time\ntime.sleep(60)\n")
    running = Running()
    running.end()
    began = time.monotonic()
    assert run_inspection(package.root, package.name, 30, running).imported is None
    assert time.monotonic() - began < 25


def test_ctrl_c_ends_the_command_at_once(package: ToolPackage, tmp_path: Path) -> None:
    mark = tmp_path / "child"
    package.write(PATH, WAITING.format(mark=str(mark)))
    # A test run in the background of a shell inherits that Ctrl-C is ignored; a person's terminal does not ignore it.
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{listens}; import sys; from axhub.cli.main import main; sys.exit(main(['check', {str(tmp_path)!r}]))"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child = wait_for(mark)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30) == (b"", b"interrupted\n")
    assert process.returncode == 130
    assert is_gone(child)


def test_keys_and_addresses_of_the_environment_stay_outside(
    package: ToolPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "seen"
    package.write(PATH, f"import os\nopen({str(mark)!r}, 'w').write(' '.join(sorted(os.environ)))\n")
    for name in ("DATABASE_URL", "CLAIM_TOKEN", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_TIME", "C")
    assert run_inspection(package.root, package.name, 30).problem is None
    seen = set(mark.read_text().split())
    assert {"LC_TIME", "PATH"} <= seen
    assert not seen & {"DATABASE_URL", "CLAIM_TOKEN", "HTTPS_PROXY"}
    assert all(
        name in {"HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "PATH", "TEMP", "TMP", "TMPDIR", "TZ", "USER"}
        or name.startswith(("COVERAGE_", "DYLD_", "LC_", "PYTHON", "VIRTUAL_ENV"))
        for name in seen
    ), sorted(seen - set(os.environ))
