"""The check: one engine behind `axhub check`, the build hook, the pytest plugin and a start in the profile `local`.

`check` finds the project, collects facts, runs the rules and returns a `Report`; `formats` writes it out.
"""

from axhub.toolkit.check.project import CannotCheckError, ToolProject, find_project
from axhub.toolkit.check.report import LANGUAGES, Language, Report, Result
from axhub.toolkit.check.run import check

__all__ = ["LANGUAGES", "CannotCheckError", "Language", "Report", "Result", "ToolProject", "check", "find_project"]
