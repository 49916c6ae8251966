"""The languages in which people are told things, and which one an environment asks for."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

__all__ = ["LANGUAGES", "Language", "language_of"]

Language: TypeAlias = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ko")


def language_of(environ: Mapping[str, str], asked: str | None = None) -> Language:
    """Return the language that was asked for: by an option such as `--lang`, else by LANG; English if by neither."""
    return "ko" if (asked or environ.get("LANG", "")).startswith("ko") else "en"
