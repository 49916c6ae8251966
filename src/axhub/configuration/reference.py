"""The keys of a table as Markdown, so that a page about them cannot drift."""

from collections.abc import Iterable, Iterator

from axhub.configuration.kinds import NotYet
from axhub.configuration.table import Key, Missing

__all__ = ["escaped", "rows"]


def rows(keys: Iterable[Key], head: str = "key") -> Iterator[str]:
    """Yield the lines of a table: path, what is allowed, default and meaning of each key.

    Args:
        keys: in the order of the page.
        head: the first column's title.
    """
    yield f"| {head} | value | default | meaning |"
    yield "|---|---|---|---|"
    for key in keys:
        value = "not available yet" if isinstance(key.kind, NotYet) else escaped(key.allowed)
        yield f"| `{key.path}` | {value} | {_default(key)} | {escaped(key.meaning)} |"


def escaped(text: str) -> str:
    """Return a text that breaks no cell."""
    return text.replace("|", "\\|").replace("*", "\\*")


def _default(key: Key) -> str:
    if key.default is Missing.REQUIRED:
        return "**required**"
    if key.default is Missing.NONE:
        return "none"
    if key.default == ():
        return "`[]`"
    if key.default == "":
        return "empty"
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    return f"`{key.default:g}`" if isinstance(key.default, float) else f"`{key.default}`"
