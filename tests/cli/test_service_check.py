"""A service that its author starts is checked beside its work, and the findings are lines of its log."""

import signal
import sys
import time
from pathlib import Path

import pytest

from axhub.cli.service_check import StartedCheck, project_of
from support.breaks import copy_sample
from support.process import PATIENCE_SECONDS
from support.service_process import ServiceProcess, service_process
from support.service_projects import PYPROJECT, write_files

PACKAGE = "src/insurance_tools"
WORDS = ("insurance_tools", "--profile", "local", "--port", "0")

pytestmark = pytest.mark.req("toolkit/S6")


def environ_of(root: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(root / "src"), "INSURANCE_TOOLS_REPEATS": str(root / "repeats.sqlite3")}


async def ended(running: ServiceProcess) -> None:
    running.signal(signal.SIGTERM)
    assert await running.exit_code() == 0


async def test_findings_are_logged_one_a_line_and_the_service_goes_on(tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    write_files(root, {f"{PACKAGE}/more.py": "# axhub: allow TK612\n"})
    async with service_process(*WORDS, **environ_of(root)) as running:
        await running.ready()
        summary = await running.log.event("checked")
        (finding,) = running.log.named("check_finding")
        assert {key: finding[key] for key in ("level", "rule", "severity", "file", "line", "tool", "problem")} == {
            "level": "warning",
            "rule": "TK003",
            "severity": "error",
            "file": f"{PACKAGE}/more.py",
            "line": 1,
            "tool": None,
            "problem": "이 주석은 TK612를 이유 없이 허용합니다.",
        }
        assert (summary["level"], summary["errors"], summary["warnings"], summary["tools"]) == ("warning", 1, 0, 11)
        assert (await running.send("/actuator/health/readiness", method="GET")).status == 200
        await ended(running)
    assert running.log.other_lines == []


async def test_a_service_without_a_fault_says_so_in_one_line(tmp_path: Path) -> None:
    async with service_process(*WORDS, **environ_of(copy_sample(tmp_path))) as running:
        summary = await running.log.event("checked")
        assert (summary["level"], summary["errors"], summary["warnings"], summary["tools"]) == ("info", 0, 0, 11)
        await ended(running)


def test_a_check_that_cannot_be_done_is_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    check = StartedCheck(tmp_path / "nowhere", "en")
    check.start()
    until = time.monotonic() + PATIENCE_SECONDS
    while not caplog.records and time.monotonic() < until:
        time.sleep(0.02)
    (record,) = caplog.records
    assert (record.levelname, record.message) == ("WARNING", "check_failed")
    assert record.__dict__["fields"] == {"exitCode": 2, "mend": "run `axhub check`"}
    check.stop()


async def test_a_service_ends_at_once_while_it_is_being_checked(tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    text = "import sys, time\nif 'axhub.toolkit.inspecting' in sys.modules:\n    time.sleep(9)\n"
    write_files(root, {f"{PACKAGE}/biz/__init__.py": text})
    async with service_process(*WORDS, **environ_of(root)) as running:
        await running.ready()
        await ended(running)
    assert running.log.named("checked") == []
    assert running.log.named("check_failed") == []


def test_a_package_that_is_no_project_of_its_own_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = {"pyproject.toml": PYPROJECT, "src/my_tools/__init__.py": ""}
    write_files(tmp_path, mine | {"src/my_other_tools/__init__.py": "", "alone/my_alone_tools/__init__.py": ""})
    monkeypatch.setattr(sys, "path", [str(tmp_path / "src"), str(tmp_path / "alone"), *sys.path])
    assert project_of("my_tools") == tmp_path.resolve()
    assert [project_of(name) for name in ("my_other_tools", "my_alone_tools", "no_such_tools", "json")] == [None] * 4
