"""What `axhub diff` does; its parser is in `cli.diff`."""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from axhub.cli.git_files import NoFileError, file_at
from axhub.cli.promised import CannotTellError, current_of, facts_of, line_of, lock_on_disk, refuse
from axhub.configuration.files import read_bounded
from axhub.configuration.languages import Language, language_of
from axhub.toolkit.check.project import CannotCheckError, ToolProject, find_project
from axhub.toolkit.check.render import shown
from axhub.toolkit.promises.changes import Change, Severity, changes, unstepped
from axhub.toolkit.promises.lock import LOCK, Lock, LockError, read_lock
from axhub.toolkit.rules.model import Text

__all__ = ["run"]

SAFE: Final = 0
BREAKING: Final = 1
_MAX_BYTES: Final = 64 * 1024 * 1024

_HEADS: Final[Mapping[Severity, Text]] = {
    Severity.BREAKING: Text("breaking", "호환되지 않음"),
    Severity.BEHAVIOURAL: Text("behavioural", "동작 변경"),
    Severity.SAFE: Text("safe", "안전"),
}
_NONE: Final = Text("no change against {against}", "{against}와(과) 달라진 것이 없습니다")
_SUM: Final = Text(
    "{breaking} breaking, {behavioural} behavioural, {safe} safe against {against}",
    "{against} 대비 호환되지 않는 변경 {breaking}건, 동작 변경 {behavioural}건, 안전한 변경 {safe}건",
)
_STEP: Final = Text(
    "a new major version is needed before a release: {tools}",
    "배포하려면 주 버전을 올려야 합니다: {tools}",
)
_NO_LOCK: Final = Text(
    "{folder} has no {lock}: nothing was released yet. `axhub sync --release` writes it; --against compares with "
    "another file or a commit",
    "{folder} 폴더에 {lock} 파일이 없습니다. 아직 배포한 것이 없습니다. `axhub sync --release` 명령으로 만들거나 "
    "--against 뒤에 비교할 파일이나 커밋을 쓰십시오",
)


def run(args: argparse.Namespace) -> int:
    """Compare what is there now with what was released; return the exit code."""
    language = language_of(os.environ, args.lang)
    try:
        project = find_project(Path(args.path))
        old, against = _old(project, args.against)
        facts = facts_of(project)
        on_disk = lock_on_disk(project) if args.against is None else _lock_or_none(project)
        new = current_of(facts, {} if on_disk is None else on_disk.retired)
        if isinstance(old, bytes):
            old = read_lock(old, against, new.namespace)
    except (CannotCheckError, CannotTellError, LockError, NoFileError) as error:
        return refuse("diff", error, language)
    found = changes(old, new)
    behind = unstepped(found, old, new)
    if args.format == "json":
        print(json.dumps(_document(project, against, found, behind, language), ensure_ascii=False, indent=2))
    else:
        for line in _lines(found, behind, against, language):
            print(line)
    return BREAKING if any(change.severity is Severity.BREAKING for change in found) else SAFE


def _old(project: ToolProject, against: str | None) -> tuple[Lock | bytes, str]:
    """Return what to compare with, still to be read where it may be a manifest, and what it is called.

    Raises:
        CannotTellError, LockError, NoFileError: there is no such thing.
    """
    if against is None:
        lock = lock_on_disk(project)
        if lock is None:
            values = {"folder": str(project.root), "lock": LOCK}
            raise CannotTellError(Text(_NO_LOCK.en.format_map(values), _NO_LOCK.ko.format_map(values)))
        return lock, LOCK
    file = Path(against)
    if not file.exists():
        return file_at(project.root, LOCK, against), against
    content = read_bounded(file, _MAX_BYTES)
    if isinstance(content, str):
        raise CannotTellError(Text(f"{against}: {content}", f"{against}: {content}"))
    return content, against


def _lock_or_none(project: ToolProject) -> Lock | None:
    try:
        return lock_on_disk(project)
    except LockError:
        return None  # compared with something else; `axhub check` speaks of it


def _lines(found: tuple[Change, ...], behind: tuple[str, ...], against: str, language: Language) -> Iterator[str]:
    if not found:
        yield _NONE.said(language).format(against=against)
        return
    counts = Counter(change.severity for change in found)
    for severity in Severity:
        if counts[severity]:
            yield f"{_HEADS[severity].said(language)}:"
        for change in found:
            if change.severity is severity:
                yield f"  {shown(line_of(change, language))}"
    values = {severity.value: counts[severity] for severity in Severity}
    yield _SUM.said(language).format(against=against, **values)
    if behind:
        yield _STEP.said(language).format(tools=", ".join(behind))


def _document(
    project: ToolProject, against: str, found: tuple[Change, ...], behind: tuple[str, ...], language: Language
) -> dict[str, Any]:
    counts = Counter(change.severity for change in found)
    return {
        "project": project.name,
        "against": against,
        **{severity.value: counts[severity] for severity in Severity},
        "changes": [
            {
                "severity": change.severity.value,
                "kind": change.kind,
                "tool": change.tool,
                "pointer": change.pointer,
                "before": change.before,
                "after": change.after,
                "text": change.text.said(language),
            }
            for change in found
        ],
        "needMajorVersion": list(behind),
    }
