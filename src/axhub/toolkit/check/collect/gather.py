"""Puts the facts together that can be known without importing anything; each file is read once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from axhub.toolkit.check.collect import files
from axhub.toolkit.check.collect.allowances import allowances_in
from axhub.toolkit.check.collect.declared import declared_in
from axhub.toolkit.check.collect.names import Names, imports_of, names_of
from axhub.toolkit.check.collect.parsing import Parsed, read_source
from axhub.toolkit.check.collect.provided import provided_in
from axhub.toolkit.check.collect.released import released_in
from axhub.toolkit.check.collect.siblings import siblings_of
from axhub.toolkit.check.collect.source import module_of
from axhub.toolkit.check.collect.telegrams import telegrams_in
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.facts.service import Allowance, Declared, Definition, Facts, Import, Located, Module, Place, Resource
from axhub.toolkit.facts.telegrams import Telegram
from axhub.toolkit.layout import CONFIGURATION
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.published.resources import read_resource

__all__ = ["gather"]


@dataclass(frozen=True, slots=True)
class _Source:
    """The package's Python."""

    modules: tuple[Module, ...]
    declared: tuple[Declared, ...]
    problems: tuple[Located[str], ...]
    allowances: tuple[Allowance, ...]
    provided: frozenset[str] | None
    telegrams: tuple[Telegram, ...]


@dataclass(frozen=True, slots=True)
class _Noted:
    """One module and what it declares."""

    module: Module
    declared: tuple[Declared, ...]


def gather(project: ToolProject) -> Facts:
    """Return what the files of a project say; nothing of it is imported, and nothing is wrong with that yet."""
    with _no_collections():
        return _gathered(project)


@contextmanager
def _no_collections() -> Iterator[None]:
    """Let the collector rest: what is read stays, and of much source it would look at all again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _gathered(project: ToolProject) -> Facts:
    source = _read_source(project)
    definitions, allowances = _read_definitions(project)
    siblings, unread = siblings_of(project)
    released = released_in(project)
    return Facts(
        project=project.facts,
        modules=source.modules,
        declared=source.declared,
        definitions=definitions,
        resources=tuple(_read_resources(project)),
        samples=files.samples_of(project),
        sample_texts=files.sample_texts(project),
        has_lock=released is not None,
        released=released,
        settings=settings_facts(project.folder / CONFIGURATION, files.shown(project, project.folder / CONFIGURATION)),
        siblings=siblings,
        problems=source.problems,
        provided=source.provided,
        telegrams=source.telegrams,
        unread_siblings=unread,
        unreadable=tuple(files.unreadable(project)),
        misspelt_definitions=tuple(files.shown(project, file) for file in files.misspelt_definitions(project)),
        allowances=(*source.allowances, *allowances, *_other_allowances(project)),
    )


def _read_source(project: ToolProject) -> _Source:
    read = [
        read_source(file, files.shown(project, file), files.module_name(project, file))
        for file in files.source_files(project)
    ]
    parsed = [(one, imports_of(one)) for one in read if isinstance(one, Parsed)]
    names = names_of(parsed)
    noted = [_note(one, names[one.name], imports) for one, imports in parsed]
    modules = [one for one in noted if isinstance(one, _Noted)]
    return _Source(
        tuple(one.module for one in modules),
        tuple(found for one in modules for found in one.declared),
        tuple(one for one in (*read, *noted) if isinstance(one, Located)),
        tuple(found for one, _ in parsed for found in allowances_in(one.path, one.text)),
        provided_in((one, names[one.name]) for one, _ in parsed),
        telegrams_in((one, names[one.name]) for one, _ in parsed),
    )


def _note(parsed: Parsed, names: Names, imports: tuple[Import, ...]) -> _Noted | Located[str]:
    try:
        return _Noted(module_of(parsed, names, imports), tuple(declared_in(parsed, names)))
    except RecursionError:  # a chain of hundreds of operators, which Python itself can still run
        return Located("an expression is nested too deeply to be checked", Place(parsed.path, 1, 1))


def _read_definitions(project: ToolProject) -> tuple[tuple[Definition, ...], tuple[Allowance, ...]]:
    definitions: list[Definition] = []
    allowances: list[Allowance] = []
    for file in files.definition_files(project):
        path, content = files.shown(project, file), files.content_of(file)
        if isinstance(content, str):
            definitions.append(replace(read_definition(b"", path), problem=_closed(content, path)))
            continue
        definitions.append(read_definition(content, path))
        allowances += allowances_in(path, content.decode("utf-8", errors="replace"))
    return tuple(definitions), tuple(allowances)


def _read_resources(project: ToolProject) -> Iterator[Resource]:
    for file in files.resource_files(project):
        path, content = files.shown(project, file), files.content_of(file)
        if isinstance(content, str):
            yield Resource(path, None, _closed(content, path))
        else:
            yield read_resource(content, path)


def _closed(why: str, path: str) -> Located[str]:
    return Located(f"cannot be read: {why}", Place(path, 1, 1))


def _other_allowances(project: ToolProject) -> Iterator[Allowance]:
    for file in (project.folder / CONFIGURATION, project.root / project.facts.pyproject):
        if file.is_file():
            yield from allowances_in(files.shown(project, file), _text(file))


def _text(file: Path) -> str:
    content = files.content_of(file)
    return "" if isinstance(content, str) else content.decode("utf-8", errors="replace")
