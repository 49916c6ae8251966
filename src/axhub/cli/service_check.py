"""The check of a service that was just started on its author's machine: findings are lines of its log (profile local).

It runs as `axhub check` in a process of its own, so the service answers meanwhile and goes on whatever is found.
"""

import json
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from axhub.configuration.languages import Language
from axhub.toolkit.check.project import CannotCheckError, find_project

__all__ = ["StartedCheck", "project_of"]

_EVENTS: Final = "axhub.service"
_SHOWN: Final = ("rule", "severity", "file", "line", "column", "tool", "problem", "mend")
_USABLE: Final = frozenset({0, 1})
"""Exit codes of `axhub check` after which there is a report."""


def project_of(package: str) -> Path | None:
    """Return the root of the project that a package is served from; None if it is an installed one, or another's."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))).resolve()
    try:
        project = find_project(folder)
    except CannotCheckError:
        return None
    return project.root if project.folder.resolve() == folder else None


class StartedCheck:
    """One check in the background."""

    def __init__(self, root: Path, language: Language) -> None:
        """Take the project's root and the language of the findings."""
        self._command = (sys.executable, "-m", "axhub.cli.main", "check", str(root), "--format", "json")
        self._language = language
        self._process: subprocess.Popen[bytes] | None = None
        self._over = False
        self._log = logging.getLogger(_EVENTS)

    def start(self) -> None:
        """Begin, and return at once."""
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter with our own command, no shell
            [*self._command, "--lang", self._language],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._tell, args=(self._process,), daemon=True).start()

    def stop(self) -> None:
        """Say nothing more, and let the check end by itself: it ends what it started."""
        self._over = True
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)

    def _tell(self, process: "subprocess.Popen[bytes]") -> None:
        written, _ = process.communicate()
        if self._over:
            return
        if process.returncode not in _USABLE:
            self._event(logging.WARNING, "check_failed", exitCode=process.returncode, mend="run `axhub check`")
            return
        report = json.loads(written)
        for finding in report["findings"]:
            self._event(logging.WARNING, "check_finding", **_fields(finding))
        level = logging.WARNING if report["findings"] else logging.INFO
        counts = {"errors": report["errors"], "warnings": report["warnings"], "tools": len(report["tools"])}
        self._event(level, "checked", **counts)

    def _event(self, level: int, event: str, **fields: Any) -> None:
        self._log.log(level, event, extra={"fields": fields})


def _fields(finding: Mapping[str, Any]) -> dict[str, Any]:
    return {name: finding[name] for name in _SHOWN}
