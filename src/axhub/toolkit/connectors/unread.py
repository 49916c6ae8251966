"""Sample files that no mock reads, as `axhub mock` tells of them at its start (toolkit/B4, rule/TK503)."""

from collections.abc import Collection, Iterator
from pathlib import Path

from axhub.toolkit.layout import DEFINITIONS, SAMPLES
from axhub.toolkit.rules.answers.sample_names import NAMES, Known, unread_among
from axhub.toolkit.rules.model import Text

__all__ = ["told_unread"]


def told_unread(folder: Path, apis: Collection[str], interfaces: Collection[str]) -> list[Text]:
    """Return a line for each sample whose name makes no mock read it, with what to do.

    Args:
        folder: of the package, with `samples` in it.
        apis: names of all APIs that are served.
        interfaces: ids of all interfaces that are served.
    """
    tools = {file.stem for file in folder.glob(f"{DEFINITIONS}/**/*.yml")}
    found = unread_among(_files(folder), Known(SAMPLES, tools, apis, interfaces))
    return [
        _told(breach.variant, {name: str(value) for name, value in breach.values.items()}) for breach in found.values()
    ]


def _files(folder: Path) -> Iterator[str]:
    """Yield the files below `samples` by their paths from the package's folder; hidden ones are somebody else's."""
    for file in sorted((folder / SAMPLES).rglob("*")):
        path = file.relative_to(folder)
        if file.is_file() and not any(part.startswith(".") for part in path.parts):
            yield path.as_posix()


def _told(variant: str, values: dict[str, str]) -> Text:
    problem, mend = NAMES[variant]
    return Text(
        f"{problem.en.format(**values)} {mend.en.format(**values)}",
        f"{problem.ko.format(**values)} {mend.ko.format(**values)}",
    )
