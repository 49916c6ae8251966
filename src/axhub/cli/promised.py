"""What `axhub sync` and `axhub diff` share: the facts about a project, its lock on disk, and why it cannot be read."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from axhub.cli.check import UNUSABLE
from axhub.configuration.languages import Language
from axhub.toolkit.check.imports import importing
from axhub.toolkit.check.project import CannotCheckError, ToolProject
from axhub.toolkit.facts.service import Facts
from axhub.toolkit.promises.changes import Change
from axhub.toolkit.promises.current import current_lock
from axhub.toolkit.promises.lock import LOCK, Lock, LockError, Retired, read_lock
from axhub.toolkit.rules.model import SaidError, Text

__all__ = ["CannotTellError", "current_of", "facts_of", "lock_on_disk", "refuse", "seen_from_here"]


class CannotTellError(SaidError):
    """Something cannot be read; `text` says what, and what to do."""


def facts_of(project: ToolProject) -> Facts:
    """Read a project's files and import its package.

    Raises:
        CannotTellError: the package cannot be imported, or a file of it not be read.
    """
    with importing(project) as inspection:
        from axhub.toolkit.check import deciding

        facts = deciding.read(project, inspection)
    if facts.imported is None:
        raise CannotTellError(
            Text(
                "the package cannot be read or imported, so what its tools accept is not known; `axhub check` says why",
                "패키지를 읽거나 가져올 수 없어 도구가 무엇을 받는지 알 수 없습니다. 이유는 `axhub check` 명령으로 "
                "확인하십시오",
            )
        )
    return facts


def current_of(facts: Facts, retired: Mapping[str, Retired]) -> Lock:
    """Return what a service would promise now.

    Raises:
        CannotTellError: a tool, or what is said about it, cannot be read.
    """
    found = current_lock(facts, retired)
    if found is None:
        raise CannotTellError(
            Text(
                "what a tool promises cannot be told: its declaration or its definition cannot be used; `axhub check` "
                "says why",
                "선언이나 정의 파일을 쓸 수 없는 도구가 있어 무엇을 약속하는지 알 수 없습니다. 이유는 `axhub check` "
                "명령으로 확인하십시오",
            )
        )
    return found


def lock_on_disk(project: ToolProject) -> Lock | None:
    """Return the lock of a project; None without one.

    Raises:
        LockError: it cannot be used.
    """
    place = project.root / LOCK
    try:
        content = place.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LockError(Text(f"{LOCK}: {error.strerror}", f"{LOCK}: {error.strerror}")) from None
    return read_lock(content, LOCK)


def seen_from_here(file: Path) -> str:
    """Return a path from the current folder."""
    return os.path.relpath(file)


def refuse(command: str, error: Exception, language: Language) -> int:
    """Say why something cannot be done, and return the exit code."""
    said = error.said(language) if isinstance(error, CannotCheckError | SaidError) else str(error)
    print(f"axhub {command}: {said}", file=sys.stderr)
    return UNUSABLE


def line_of(change: Change, language: Language) -> str:
    """Return one change on one line: tool, pointer, what changed."""
    where = " ".join(filter(None, (change.tool, change.pointer)))
    said = change.text.said(language)
    return f"{where}: {said}" if where else said
