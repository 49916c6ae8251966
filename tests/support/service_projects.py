"""Small projects of Tool Services on disk, for tests of how they are read."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Final

from axhub.toolkit.check import ToolProject, find_project
from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.facts.service import Facts, Module

PYPROJECT: Final = """\
[project]
name = "my-tools"
version = "1.0.0"

[tool.axhub]
"""


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    """Write texts, each without its common indent, and return the folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return root


def project_with(root: Path, package: Mapping[str, str], pyproject: str = PYPROJECT) -> ToolProject:
    """Return a project whose package `my_tools` holds these files."""
    files = {"src/my_tools/__init__.py": "", **{f"src/my_tools/{name}": text for name, text in package.items()}}
    return find_project(write_files(root, {"pyproject.toml": pyproject, **files}))


def facts_of(root: Path, package: Mapping[str, str]) -> Facts:
    """Return what is read from a package's files."""
    return gather(project_with(root, package))


def module_of(root: Path, text: str, name: str = "biz/cmm/usecase.py") -> Module:
    """Return the facts about one module of a package that holds nothing else."""
    found = facts_of(root, {name: text}).modules
    return next(module for module in found if module.path == f"src/my_tools/{name}")
