"""What discovery finds in a package, as tests look at it."""

from typing import Final

from axhub.toolkit.published.discovery import Found, find_tools
from axhub.toolkit.rules.telling.unusable import text_of
from support.tool_packages import HEAD, ToolPackage

_HEAD_LINES: Final = HEAD.count("\n")


def find(package: ToolPackage) -> Found:
    """Return what a package declares."""
    return find_tools(package.name, package.root)


def only_problem(found: Found, package: ToolPackage) -> tuple[str, str, str]:
    """Return kind, place and the whole English text of the only problem."""
    (problem,) = found.problems
    assert found.tools == ()
    place = str(problem.place).replace(package.name, "PACKAGE")
    problem_text, mend = text_of(problem)
    return problem.kind, place, f"{problem_text}; {mend}".replace(package.name, "PACKAGE")


def line(number: int) -> int:
    """Return the line of a module after `HEAD`, counted from 1 after its first, empty one."""
    return _HEAD_LINES + number + 1
