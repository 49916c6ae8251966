"""Adds what is known only after the package was imported, in a process of its own."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from axhub.toolkit.check.inspection import InspectionResult, Running, run_inspection
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.facts.service import Facts

__all__ = ["IMPORT_SECONDS", "importing", "with_import"]

IMPORT_SECONDS: Final = 30.0
"""How long the import of a package may take."""


@contextmanager
def importing(project: ToolProject) -> Iterator["Future[InspectionResult]"]:
    """Import the package in the background: it takes as long as everything else, on another core."""
    background, running = ThreadPoolExecutor(1), Running()
    try:
        yield background.submit(run_inspection, project.root, project.facts.package, IMPORT_SECONDS, running)
    except BaseException:
        running.end()  # nobody waits for it any more, Ctrl-C above all
        raise
    finally:
        background.shutdown(wait=False, cancel_futures=True)


def with_import(facts: Facts, found: InspectionResult) -> Facts:
    """Return the facts with the models in them; unchanged if some source cannot be read, which is reported anyway."""
    if facts.problems or facts.unreadable:
        return facts
    return replace(
        facts,
        imported=found.imported,
        import_problem=found.problem,
        import_hung=found.hung,
        unusable=found.unusable,
    )
