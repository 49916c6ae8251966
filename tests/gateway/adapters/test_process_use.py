"""Reading /proc: the real one where there is one, and folders that look like one."""

import os
import sys
import time
from pathlib import Path

import pytest

from axhub.gateway.adapters.process_use import ProcessUse, ProcFiles

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
STAT = (
    "42 ({name}) S 1 42 42 0 -1 4194560 900 0 3 0 {user} {system} 0 0 20 0 4 0 {started} 250000000 {pages} 1844 1 1 0\n"
)


def proc(folder: Path, *, name: str = "axhub", booted: str = "btime 1700000000\n", files: int = 3) -> Path:
    (folder / "self" / "fd").mkdir(parents=True)
    for number in range(files):
        (folder / "self" / "fd" / str(number)).touch()
    figures = STAT.format(name=name, user=3 * TICKS, system=2 * TICKS, started=10 * TICKS, pages=1000)
    (folder / "self" / "stat").write_text(figures, encoding="utf-8")
    (folder / "stat").write_text(f"cpu  1 2 3\nintr 5\n{booted}processes 9\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["axhub", "a b", ") S 1 (", "게이트웨이", ""])
def test_the_figures_are_found_behind_whatever_name_the_program_has(tmp_path: Path, name: str) -> None:
    use = ProcFiles(proc(tmp_path, name=name)).read()
    assert use == ProcessUse(resident_bytes=1000 * PAGE, cpu_seconds=5, open_files=3, started_at=1_700_000_010)


def test_a_system_without_proc_tells_nothing(tmp_path: Path) -> None:
    assert ProcFiles(tmp_path / "none").read() == ProcessUse()


@pytest.mark.parametrize("text", ["", "42 (axhub) S 1 2", "42 (axhub) " + "x " * 40])
def test_a_stat_file_that_is_none_leaves_the_rest(tmp_path: Path, text: str) -> None:
    root = proc(tmp_path)
    (tmp_path / "self" / "stat").write_text(text, encoding="utf-8")
    assert ProcFiles(root).read() == ProcessUse(open_files=3)


def test_without_the_time_of_boot_there_is_no_start_time(tmp_path: Path) -> None:
    use = ProcFiles(proc(tmp_path, booted="")).read()
    assert use == ProcessUse(resident_bytes=1000 * PAGE, cpu_seconds=5, open_files=3, started_at=None)


def test_the_time_of_boot_is_read_once_and_the_rest_anew(tmp_path: Path) -> None:
    files = ProcFiles(proc(tmp_path))
    files.read()
    (tmp_path / "stat").unlink()
    (tmp_path / "self" / "fd" / "3").touch()
    use = files.read()
    assert (use.started_at, use.open_files) == (1_700_000_010, 4)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_of_this_very_process_it_tells_what_the_standard_library_tells() -> None:
    use, cpu = ProcFiles().read(), time.process_time()
    assert use.resident_bytes is not None
    assert 4_000_000 < use.resident_bytes < 4_000_000_000
    assert use.cpu_seconds == pytest.approx(cpu, abs=0.1)
    assert use.open_files is not None
    assert use.open_files >= 3
    assert use.started_at is not None
    age = time.clock_gettime(time.CLOCK_REALTIME) - use.started_at
    assert 0 <= age < 24 * 3600
