"""Checks a Tool Service along with its own tests: one item a tool, and one for the service as a whole.

pytest loads this wherever axhub is installed (entry point `pytest11`), so it imports nothing of the toolkit and does
nothing until it runs in the folder of a project with a table `[tool.axhub]`.
"""

import os
import tomllib
from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from axhub.cli.check import MISSING_TOOLKIT
from axhub.configuration.languages import language_of

if TYPE_CHECKING:
    from axhub.toolkit.check import Report, Result

_FILE: Final = "pyproject.toml"
_SERVICE: Final = "service"
"""Stands in the place of a tool's name where a finding concerns none, or more than one."""


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the run if it is that of a Tool Service."""
    if _is_project(config.rootpath):
        if find_spec("pydantic") is None:
            raise pytest.UsageError(f"the plugin axhub: {MISSING_TOOLKIT[language_of(os.environ)]}")
        config.addinivalue_line("markers", "axhub: what `axhub check` finds; -m 'not axhub' leaves it out")
        config.pluginmanager.register(_Checks(config), "axhub-check")


class _Checks:
    """The checks of one run."""

    def __init__(self, config: pytest.Config) -> None:
        self._root = config.rootpath

    @pytest.hookimpl(tryfirst=True)  # so that -k and -m choose among these too
    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Add the items, unless tests were asked for by name."""
        if config.args_source is not pytest.Config.ArgsSource.ARGS:
            items.extend(self._items(session))

    @cached_property
    def report(self) -> "Report":
        """The outcome of the check, which runs once, when the first item is run."""
        from axhub.toolkit.check import check, find_project

        return check(find_project(self._root))

    def _items(self, session: pytest.Session) -> Iterator[pytest.Item]:
        for name in (*self._tools(), _SERVICE):
            yield _CheckItem.from_parent(session, name=name, nodeid=f"{_FILE}::axhub[{name}]", checks=self)

    def _tools(self) -> list[str]:
        from axhub.toolkit.check import CannotCheckError, find_project
        from axhub.toolkit.check.collect.gather import gather

        try:
            declared = gather(find_project(self._root)).declared
        except CannotCheckError:
            return []  # the item of the service will say so
        return sorted({found.name for found in declared if found.name is not None} - {_SERVICE})


class _CheckItem(pytest.Item):
    """What is found about one tool, or about the service as a whole."""

    def __init__(self, *, checks: _Checks, **options: Any) -> None:
        super().__init__(**options)
        self._checks = checks
        self.add_marker("axhub")

    def runtest(self) -> None:
        """Fail for errors; what is only a warning is shown with the report."""
        from axhub.toolkit.check import CannotCheckError
        from axhub.toolkit.check.formats import fault_lines
        from axhub.toolkit.rules.model import Severity

        try:
            report = self._checks.report
        except CannotCheckError as error:
            raise _FoundError(error.said(language_of(os.environ))) from None
        found = [result for result in report.results if self._concerns(result, report)]
        lines = "\n".join(self._lines(found))
        faults = list(fault_lines(report, language_of(os.environ))) if self.name == _SERVICE else []
        if faults or any(result.severity is Severity.ERROR for result in found):
            raise _FoundError("\n".join(filter(None, (lines, *faults))))
        if lines:
            self.add_report_section("call", "axhub", lines)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the findings alone; a stack trace would be ours."""
        return str(excinfo.value) if isinstance(excinfo.value, _FoundError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where it stands in the summary."""
        return self.session.config.rootpath / _FILE, None, f"axhub[{self.name}]"

    def _concerns(self, result: "Result", report: "Report") -> bool:
        tool = result.breach.tool
        return (tool if tool in report.tools else _SERVICE) == self.name

    def _lines(self, found: "list[Result]") -> Iterator[str]:
        from axhub.toolkit.check.formats import result_lines

        for result in found:
            yield from result_lines(result, language_of(os.environ))


class _FoundError(Exception):
    """Carries findings from `runtest` to `repr_failure`."""


def _is_project(folder: Path) -> bool:
    try:
        document = tomllib.loads((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    tool = document.get("tool")
    return isinstance(tool, dict) and "axhub" in tool
