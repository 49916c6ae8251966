"""Releases what a service promises, and retires what it no longer does: the next lock, or why there is none."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from axhub.cli.promised import CannotTellError, current_of, line_of, lock_on_disk
from axhub.cli.sync_words import WORDS, say
from axhub.configuration.languages import Language
from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.check.deciding import report_on
from axhub.toolkit.check.formats import result_lines
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.check.render import shown
from axhub.toolkit.check.report import Report
from axhub.toolkit.facts.service import Facts
from axhub.toolkit.promises.changes import Change, changes, unstepped
from axhub.toolkit.promises.lock import LOCK, Lock, Retired, write_lock
from axhub.toolkit.promises.words import Severity
from axhub.toolkit.rules.model import Severity as RuleSeverity
from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.authored import nearest

__all__ = ["Outcome", "release", "retire"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The next lock, or what stands against it."""

    content: bytes = b""
    """Of the lock; empty where it is refused."""
    report: Report | None = None
    """With errors."""
    found: tuple[Change, ...] = ()
    unstepped: tuple[tuple[str, str, str], ...] = ()
    """Tools that need a new major version: name, version so far, definition."""
    said: tuple[Text, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether nothing is to be written."""
        return not self.content

    def lines(self, language: Language, prefix: str) -> Iterator[str]:
        """Yield what there is to say about it.

        Args:
            language: of everything that is said.
            prefix: the project's folder as seen from the reader's.
        """
        if self.report is not None:
            for result in self.report.results:
                if result.severity is RuleSeverity.ERROR:
                    yield from result_lines(result, language, prefix="" if prefix == "." else prefix)
            yield f"axhub sync: {say('errors', language, count=self.report.errors)}"
            return
        for change in self.found:
            if not self.unstepped or change.severity is Severity.BREAKING:
                yield f"{say(change.severity.value, language)}: {shown(line_of(change, language))}"
        for name, version, path in self.unstepped:
            major = str(int(version.partition(".")[0]) + 1) if version.partition(".")[0].isdigit() else "2"
            place = PurePath(prefix, path).as_posix()
            yield f"axhub sync: {say('step', language, name=name, version=version, next=f'{major}.0.0', path=place)}"
        yield from (text.said(language) for text in self.said)


def release(project: ToolProject, facts: Facts) -> Outcome:
    """Return the lock of a service as it is.

    Raises:
        CannotTellError, LockError: what is there cannot be read.
    """
    report = report_on(project, facts)
    if report.errors or report.faults:
        return Outcome(report=report)
    old = lock_on_disk(project) or Lock("")
    new = current_of(facts, old.retired)
    if not old.tools and not old.retired:
        return Outcome(
            write_lock(new), said=(_filled("first-one" if len(new.tools) == 1 else "first", count=len(new.tools)),)
        )
    found = changes(old, new)
    behind = unstepped(found, old, new)
    if behind:
        return Outcome(
            found=found, unstepped=tuple((name, old.tools[name].version, _path(facts, name)) for name in behind)
        )
    return Outcome(write_lock(new), found=found)


def retire(project: ToolProject, name: str, reason: str) -> Outcome:
    """Return the lock with a tool that is gone for good.

    Raises:
        CannotTellError: it was never released, or it is still there.
        LockError: the lock cannot be read.
    """
    lock = lock_on_disk(project)
    if lock is None:
        raise CannotTellError(_filled("no-lock", lock=LOCK))
    if name in lock.retired:
        return Outcome(write_lock(lock), said=(_filled("retired-before", name=name, reason=lock.retired[name].reason),))
    if name not in lock.tools:
        near = nearest(name, lock.tools)
        raise CannotTellError(_filled("unknown-near" if near else "unknown", name=name, near=near or ""))
    declared = gather(project).declared_as(name)
    if declared is not None and declared.register:
        raise CannotTellError(_filled("still-there", name=name, place=str(declared.place)))
    tools = {other: tool for other, tool in lock.tools.items() if other != name}
    retired = {**lock.retired, name: Retired(lock.tools[name].version, reason)}
    return Outcome(write_lock(replace(lock, tools=tools, retired=retired)), said=(_filled("retired", name=name),))


def _path(facts: Facts, name: str) -> str:
    found = facts.definition_of(name)
    return "" if found is None else found.path


def _filled(word: str, **values: object) -> Text:
    text = WORDS[word]
    return Text(text.en.format_map(values), text.ko.format_map(values))
