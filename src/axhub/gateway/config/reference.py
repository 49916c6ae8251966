"""The reference of the configuration as Markdown, written from the table of keys, so that it cannot drift."""

from collections.abc import Iterator
from typing import Final

from axhub.gateway.config.flags import flag_rows
from axhub.gateway.config.keys import KEYS, Key, Missing
from axhub.gateway.config.kinds import NotYet

_HEAD: Final = ("| key under `mcp` | value | default | meaning |", "|---|---|---|---|")
_FLAG_HEAD: Final = ("| flag | environment | value and default |", "|---|---|---|")


def reference_markdown() -> str:
    """Return two tables: the keys below `mcp:`, and the flags."""
    return "\n".join((*_HEAD, *map(_row, KEYS), "", *_FLAG_HEAD, *_flags(), ""))


def _row(key: Key) -> str:
    value = "not available yet" if isinstance(key.kind, NotYet) else _escaped(key.allowed)
    return f"| `{key.path}` | {value} | {_default(key)} | {_escaped(key.meaning)} |"


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


def _flags() -> Iterator[str]:
    for option, variable, text in flag_rows():
        yield f"| `{option}` | {f'`{variable}`' if variable else ''} | {_escaped(text)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")
