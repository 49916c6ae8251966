"""What `axhub sync` does; its parser is in `cli.sync`."""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import Final

from axhub.cli.promised import CannotTellError, facts_of, refuse, seen_from_here
from axhub.cli.sync_release import Outcome, release, retire
from axhub.cli.sync_words import WORDS, say
from axhub.configuration.languages import Language, language_of
from axhub.toolkit.check.collect.allowances import allowances_in
from axhub.toolkit.check.project import CannotCheckError, ToolProject, find_project
from axhub.toolkit.facts.fields import lacks_its_resource
from axhub.toolkit.facts.service import Definition, Facts, Imported
from axhub.toolkit.promises.definition_text import CannotEditError, with_parameters
from axhub.toolkit.promises.lock import LOCK, LockError
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.files import replace as replace_file

__all__ = ["run"]

DONE: Final = 0
REFUSED: Final = 1
UNUSABLE: Final = 2


@dataclass(frozen=True, slots=True)
class _Plan:
    """What becomes of one definition."""

    definition: Definition
    before: bytes
    after: bytes


def run(args: argparse.Namespace) -> int:
    """Bring definitions and lock up to date; return the exit code."""
    language = language_of(os.environ, args.lang)
    if (args.retire is None) != (args.reason is None) or (args.reason is not None and not args.reason.strip()):
        return refuse("sync", CannotTellError(WORDS["reason"]), language)
    try:
        project = find_project(Path(args.path))
        if args.retire is not None:
            return _finish(retire(project, args.retire, args.reason.strip()), project, language, dry_run=args.dry_run)
        facts = facts_of(project)
        plans, problems = _plans(project, facts)
        _write(project, plans, language, dry_run=args.dry_run)
        for problem in problems:
            _say_problem(project, problem, language)
        if not args.release:
            return UNUSABLE if problems else DONE
        if problems:
            return _say(WORDS["not-released"], language, UNUSABLE)
        return _finish(release(project, _renewed(facts, plans)), project, language, dry_run=args.dry_run)
    except (CannotCheckError, CannotTellError, LockError, OSError) as error:
        return refuse("sync", error, language)


def _plans(project: ToolProject, facts: Facts) -> tuple[list[_Plan], list[CannotEditError]]:
    plans: list[_Plan] = []
    problems: list[CannotEditError] = []
    for definition, tool in _pairs(facts):
        before = (project.root / definition.path).read_bytes()
        try:
            plans.append(_Plan(definition, before, with_parameters(before, definition.path, tool.input_schema)))
        except CannotEditError as error:
            problems.append(error)
    return plans, problems


def _pairs(facts: Facts) -> Iterator[tuple[Definition, Imported]]:
    """Yield each definition with its tool, by path; what is published must be known, and only one tool be meant."""
    for definition in sorted(facts.definitions, key=lambda one: one.path):
        tool = (facts.imported or {}).get(definition.stem)
        if tool is not None and not facts.is_doubled(definition.stem) and not lacks_its_resource(facts, tool):
            yield definition, tool


def _write(project: ToolProject, plans: list[_Plan], language: Language, *, dry_run: bool) -> None:
    changed = [plan for plan in plans if plan.after != plan.before]
    for plan in changed:
        shown = seen_from_here(project.root / plan.definition.path)
        if dry_run:
            _show_difference(shown, plan.before, plan.after)
        else:
            replace_file(project.root / plan.definition.path, plan.after.decode())
            print(say("written", language, path=shown))
    word = "would-change" if dry_run else "changed"
    print(say(word, language, count=len(changed), same=len(plans) - len(changed)))


def _renewed(facts: Facts, plans: list[_Plan]) -> Facts:
    """Return the facts with the definitions as they are written now."""
    renewed = {plan.definition.path: plan.after for plan in plans if plan.after != plan.before}
    definitions = tuple(
        read_definition(renewed[one.path], one.path) if one.path in renewed else one for one in facts.definitions
    )
    kept = tuple(one for one in facts.allowances if one.place.file not in renewed)
    again = (one for path, text in renewed.items() for one in allowances_in(path, text.decode("utf-8", "replace")))
    return replace(facts, definitions=definitions, allowances=(*kept, *again))


def _finish(outcome: Outcome, project: ToolProject, language: Language, *, dry_run: bool) -> int:
    """Write the lock, or say why not."""
    for line in outcome.lines(language, seen_from_here(project.root)):
        print(line, file=sys.stderr if outcome.is_refused else sys.stdout)
    if outcome.is_refused:
        return REFUSED
    place = project.root / LOCK
    shown = seen_from_here(place)
    before = place.read_bytes() if place.exists() else b""
    if outcome.content == before:
        print(say("lock-same", language, path=shown))
    elif dry_run:
        _show_difference(shown, before, outcome.content)
    else:
        replace_file(place, outcome.content.decode())
        print(say("lock-written", language, path=shown))
    return DONE


def _show_difference(name: str, before: bytes, after: bytes) -> None:
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    for line in unified_diff(old, new, name, name, lineterm=""):
        print(line)


def _say_problem(project: ToolProject, problem: CannotEditError, language: Language) -> None:
    place = problem.place._replace(file=seen_from_here(project.root / problem.place.file))
    print(f"{place}: {problem.text.said(language)}", file=sys.stderr)


def _say(text: Text, language: Language, code: int) -> int:
    print(f"axhub sync: {text.said(language)}", file=sys.stderr)
    return code
