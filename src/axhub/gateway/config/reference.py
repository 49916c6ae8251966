"""The reference of the configuration as Markdown, written from the table of keys, so that it cannot drift."""

from collections.abc import Iterator
from typing import Final

from axhub.configuration.reference import escaped, rows
from axhub.gateway.config.flags import flag_rows
from axhub.gateway.config.keys import KEYS

_FLAG_HEAD: Final = ("| flag | environment | value and default |", "|---|---|---|")


def reference_markdown() -> str:
    """Return two tables: the keys below `mcp:`, and the flags."""
    return "\n".join((*rows(KEYS, "key under `mcp`"), "", *_FLAG_HEAD, *_flags(), ""))


def _flags() -> Iterator[str]:
    for option, variable, text in flag_rows():
        yield f"| `{option}` | {f'`{variable}`' if variable else ''} | {escaped(text)} |"
