"""The other Tool Services of the workspace: what names they take (rule/TK107)."""

import os
from pathlib import Path

from axhub.toolkit.check.collect import files
from axhub.toolkit.check.collect.declared import declared_in
from axhub.toolkit.check.collect.names import imports_of, names_of
from axhub.toolkit.check.collect.parsing import Parsed, read_source
from axhub.toolkit.check.project import CannotCheckError, ToolProject, is_project, read_project
from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.facts.service import Located, Place, Sibling
from axhub.toolkit.layout import CONFIGURATION

__all__ = ["siblings_of"]


def siblings_of(project: ToolProject) -> tuple[tuple[Sibling, ...], tuple[Located[str], ...]]:
    """Return the services that `[tool.axhub] workspace` names, and why some of them could not be read."""
    found: list[Sibling] = []
    unread: list[Located[str]] = []
    for entry in project.workspace:
        other = _read(project, entry)
        if isinstance(other, ToolProject):
            found.append(Sibling(other.name, _names(other, project.root)))
        elif other is not None:
            unread.append(other)
    return tuple(found), tuple(unread)


def _read(project: ToolProject, entry: Located[str]) -> ToolProject | Located[str] | None:
    """Return the other project, why it cannot be read, or None if it is this one."""
    folder = (project.root / entry.value).resolve()
    if folder == project.root:
        return None
    if not is_project(folder):
        return Located(f"{entry.value}: there is no pyproject.toml with a table [tool.axhub]", entry.place)
    try:
        return read_project(folder)
    except CannotCheckError as error:
        return Located(f"{entry.value}: {error.faults[0].en}", entry.place)


def _names(project: ToolProject, seen_from: Path) -> dict[str, Place]:
    """Return the published names of a service, drafts included, with places seen from another project."""
    names: dict[str, Place] = {}
    namespace = settings_facts(project.folder / CONFIGURATION, CONFIGURATION).namespace
    for file in files.source_files(project):
        path = Path(os.path.relpath(file, seen_from)).as_posix()
        parsed = read_source(file, path, files.module_name(project, file))
        if isinstance(parsed, Parsed) and "tool" in parsed.text:
            resolver = names_of([(parsed, imports_of(parsed))])[parsed.name]
            for found in declared_in(parsed, resolver):
                if found.name is not None:
                    names.setdefault(namespace + found.name, found.place_of("name"))
    return names
