"""One way to break the good sample service, and what the check must then say: exactly that rule, at that place.

Families stand in `tests/toolkit/check/breaks/*.py`, each with a list `BREAKS`; every rule has at least one entry.
"""

import runpy
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support import tree

SAMPLE: Final = tree.ROOT / "examples" / "insurance_tools"
_FOLDER: Final = tree.ROOT / "tests" / "toolkit" / "check" / "breaks"
_NO_COPY: Final = shutil.ignore_patterns("__pycache__", ".pytest_cache", "build", "dist", "axhub.lock.json")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to one file, named from the project's root."""

    file: str
    old: str | None
    """Text that stands exactly once in the file; None: the file is new, or replaced as a whole."""
    new: str | None
    """What stands there instead; None: the file is deleted."""


@dataclass(frozen=True, slots=True)
class Break:
    """One planted fault.

    ```python
    Break("TK101", YAML, "name: cmm_claim_search", "name: cmm.claim", at="cmm.claim")
    ```
    """

    rule: str
    """The rule that must fire, and no other."""
    file: str
    """The file that is changed, from the project's root."""
    old: str | None
    """Text that stands exactly once in it; None: a new file."""
    new: str | None
    """What stands there instead; None: the file is deleted."""
    at: str | None = None
    """The text at whose beginning the finding points, in the changed file; of several the first inside or after
    `new`. None: only the file is compared."""
    at_file: str = ""
    """The file that the finding names; by default the changed one."""
    more: tuple[Edit, ...] = ()
    """What else has to change, made before this one."""
    severity: str = ""
    """`error` or `warning`; by default the rule's own."""
    note: str = ""
    """Tells cases of one rule apart."""

    def __str__(self) -> str:
        return f"{self.rule}-{self.note}" if self.note else self.rule

    def plant(self, root: Path) -> None:
        """Make the changes in a copy of the sample."""
        for change in (*self.more, Edit(self.file, self.old, self.new)):
            edit(root, change)

    def place(self, root: Path) -> tuple[str, int, int] | tuple[str]:
        """Return where the finding must point, once the fault is planted."""
        file = self.at_file or self.file
        if self.at is None:
            return (file,)
        text = (root / file).read_text(encoding="utf-8")
        start = text.find(self.new) if self.new and file == self.file else 0
        index = text.find(self.at, max(start, 0))
        assert index >= 0, f"{self}: {self.at!r} is not in {file}"
        return (file, text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1)


def copy_sample(folder: Path) -> Path:
    """Return a copy of the good sample service."""
    root = folder / SAMPLE.name
    shutil.copytree(SAMPLE, root, ignore=_NO_COPY)
    return root


def all_breaks() -> Iterator[Break]:
    """Yield every entry of every family."""
    for file in sorted(_FOLDER.glob("*.py")):
        yield from runpy.run_path(str(file))["BREAKS"]


def edit(root: Path, change: Edit) -> None:
    """Make one change in a copy of the sample."""
    path = root / change.file
    if change.new is None:
        path.unlink()
        return
    if change.old is not None:
        text = path.read_text(encoding="utf-8")
        assert text.count(change.old) == 1, f"{change.old!r} stands {text.count(change.old)} times in {change.file}"
        change = Edit(change.file, None, text.replace(change.old, change.new))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(change.new or "", encoding="utf-8")
