"""Reads docs/flows.md: the flows, each with its files in order, and what links one file to the next."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support import tree

PAGE: Final = tree.ROOT / "docs" / "flows.md"
HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)
STEP: Final = re.compile(r"^\d+\. `([^`]+)`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Flow:
    """One chapter of the page."""

    title: str
    files: tuple[str, ...]


def read(text: str) -> list[Flow]:
    """Return the flows of the page in order."""
    parts = HEADING.split(text)[1:]
    return [Flow(title, tuple(STEP.findall(body))) for title, body in zip(parts[::2], parts[1::2], strict=True)]


def link(first: str, second: str) -> str | None:
    """Say what ties two files together: an import in either direction, or a module of ours that both import.

    The latter is how an adapter and a use case meet: each knows the port, neither knows the other.
    """
    names = [tree.module_name(tree.ROOT / path) for path in (first, second)]
    imports = [_own_imports(tree.ROOT / path) for path in (first, second)]
    if names[1] in imports[0]:
        return f"{first} imports {second}"
    if names[0] in imports[1]:
        return f"{second} imports {first}"
    shared = sorted(imports[0] & imports[1])
    return f"both import {shared[0]}" if shared else None


def _own_imports(path: Path) -> set[str]:
    return {module for module in tree.imported_modules(path) if module.startswith(("axhub.", "order_service."))}
