"""What the project's Markdown says that can be checked: the paths it cites and the commands it tells people to type."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from support import tree

FENCE: Final = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)\s*$", re.MULTILINE | re.DOTALL)
CODE: Final = re.compile(r"`([^`\n]+)`")
LINK: Final = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
MAKE: Final = re.compile(r"\bmake ([a-z]+(?:-[a-z]+)*)\b")
FILE: Final = re.compile(r"[A-Za-z0-9_.*{},/-]+/[A-Za-z0-9_.*-]+\.(?:py|md|toml|yaml|yml|json|txt|sh|mjs|in)")
FOLDER: Final = re.compile(r"(?:src|tests|docs|bench|examples|config|changes|requirements|tools)/(?:[A-Za-z0-9_.-]+/)*")
ROOT_FILE: Final = re.compile(r"(?:Makefile|LICENSE|\.ci/run|[A-Za-z]+\.md|pyproject\.toml)")


def documents() -> list[Path]:
    """Return every Markdown file of the project."""
    return tree.files("*.md")


def cited_paths(text: str) -> Iterator[str]:
    """Yield what a text cites as a file or folder: targets of links, and code spans that look like a path.

    Blocks of code are not looked into: they show commands and samples of other people's files.
    """
    prose = FENCE.sub("", text)
    yield from (target for target in LINK.findall(prose) if not re.match(r"[a-z]+:", target))
    for code in CODE.findall(prose):
        hidden = code.startswith(".") and not code.startswith((".ci/", "../"))  # a file in somebody's own folder
        if not hidden and any(kind.fullmatch(code) for kind in (FILE, FOLDER, ROOT_FILE)):
            yield code


def find(cited: str, document: Path) -> bool:
    """Say whether a cited path exists: from the document, the root, a source folder or src/axhub; `*` is allowed."""
    starts = (document.parent, tree.ROOT, *tree.SOURCES, tree.ROOT / "src" / "axhub")
    return any(next(start.glob(cited.rstrip("/")), None) is not None for start in starts) or (
        cited.startswith("../") and (document.parent / cited).exists()
    )


def make_targets(text: str) -> set[str]:
    """Return the targets of `make …` commands in code spans and blocks of code."""
    blocks = [block[0] for block in FENCE.finditer(text)]
    return {target for code in (*blocks, *CODE.findall(FENCE.sub("", text))) for target in MAKE.findall(code)}
