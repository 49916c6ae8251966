"""The gate that a build passes: the check before, the seal after, whatever the build backend.

What is sealed is compared with what was checked, so that nothing comes into a wheel between the two.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from axhub import __version__
from axhub.toolkit.check.formats import fault_lines, text_lines
from axhub.toolkit.check.project import CannotCheckError, ToolProject, is_project, read_project
from axhub.toolkit.check.report import CLEAN, Language, Report
from axhub.toolkit.check.run import check
from axhub.toolkit.gate.files import RECEIPT, digest_of_all, files_of
from axhub.toolkit.gate.receipt import FORM, Allowed, Receipt, render_receipt
from axhub.toolkit.gate.wheels import add_to_wheel, code_outside, files_in_wheel
from axhub.toolkit.gate.words import WORDS
from axhub.toolkit.layout import CONFIG, DEFINITIONS, RESOURCES

__all__ = ["GateClosedError", "Passed", "pass_gate", "say", "seal"]

_FOLDERS: Final = (DEFINITIONS, RESOURCES, CONFIG)
_TESTS: Final = frozenset({"tests", "test"})


class GateClosedError(Exception):
    """Nothing is built; the message is one sentence for the author, after the findings."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A project that may be built, with the files that were checked."""

    project: ToolProject
    report: Report
    files: Mapping[str, str]
    """Digests by path from the package's folder, taken before the check."""


def say(line: str) -> None:
    """Write a line where build frontends show what a backend says."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def pass_gate(root: Path, language: Language, tell: Callable[[str], None] = say) -> Passed:
    """Check a project as `axhub check` does, and tell what is found.

    Args:
        root: the project's folder: its source, or an unpacked sdist.
        language: of everything that is told.
        tell: takes the lines.

    Raises:
        GateClosedError: an error stands, or it cannot be checked.
    """
    words = WORDS[language]
    if not is_project(root):
        raise GateClosedError(words.closed.format(name=root.name, reason=words.no_table))
    try:
        project = read_project(root)
        files = files_of(project.folder)
        report = check(project)
    except (CannotCheckError, OSError) as error:
        tell(error.said(language) if isinstance(error, CannotCheckError) else str(error))
        raise GateClosedError(words.closed.format(name=root.name, reason=words.unusable)) from None
    for line in (*text_lines(report, language), *fault_lines(report, language)):
        tell(line)
    if report.exit_code() != CLEAN:
        reason = words.faults if report.faults else words.count(report.errors)
        raise GateClosedError(words.closed.format(name=project.name, reason=reason))
    return Passed(project, report, files)


def seal(wheel: Path, passed: Passed, language: Language) -> None:
    """Put the receipt into a wheel, if it holds what was checked and no other code; otherwise the wheel is deleted.

    Raises:
        GateClosedError: its files are others, or it has code outside the package; the message names them.
    """
    words, package = WORDS[language], passed.project.facts.package
    files = files_in_wheel(wheel, package)
    said = (
        (words.other, _others(passed.files, files)),
        (words.lacking, _lacking(passed.files, files)),
        (words.outside, code_outside(wheel, package)),
    )
    problems = [text.format(paths=", ".join(paths), package=package) for text, paths in said if paths]
    if problems:
        wheel.unlink()
        raise GateClosedError(words.closed.format(name=passed.project.name, reason=" ".join(problems)))
    add_to_wheel(wheel, f"{package}/{RECEIPT}", render_receipt(_receipt(passed, files)))


def _others(checked: Mapping[str, str], built: Mapping[str, str]) -> list[str]:
    return [path for path in built if built[path] != checked.get(path)]


def _lacking(checked: Mapping[str, str], built: Mapping[str, str]) -> list[str]:
    return [path for path in checked if path not in built and _is_needed(PurePosixPath(path))]


def _is_needed(path: PurePosixPath) -> bool:
    """Say whether a service cannot do without a file that was checked; samples, tests and notes may stay behind."""
    if any(part.startswith(".") for part in path.parts):
        return False
    return path.parts[0] in _FOLDERS or (path.suffix == ".py" and not _TESTS & set(path.parts))


def _receipt(passed: Passed, files: Mapping[str, str]) -> Receipt:
    report = passed.report
    return Receipt(
        receipt=FORM,
        axhub=__version__,
        project=passed.project.name,
        package=passed.project.facts.package,
        digest=digest_of_all(files),
        errors=report.errors,
        warnings=dict(sorted(Counter(result.rule.id for result in report.results).items())),
        drafts=report.drafts,
        allowed=tuple(_allowed(report)),
        files=files,
    )


def _allowed(report: Report) -> Iterator[Allowed]:
    for result in report.allowed:
        place = result.breach.place
        yield Allowed(result.rule.id, place.file, place.line, result.reason)
