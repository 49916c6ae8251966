"""Tool names on the wire (decision/D4): seed 001's grammar and a bundle's prefix."""

import re
from typing import Final

MAX_NAME_CHARS: Final = 64

_NAME: Final = re.compile(r"[A-Za-z0-9_./-]{1,64}")  # spelled out: \w and \d would take other alphabets


def check_name(name: str, prefix: str = "") -> str | None:
    """Return what is wrong with a tool's name, or None. The prefix counts towards the 64 characters."""
    if not name.strip():
        return "the name is blank"
    if len(name) > MAX_NAME_CHARS:
        return f"the name has {len(name)} characters, more than {MAX_NAME_CHARS}"
    if _NAME.fullmatch(name) is None:
        return "the name has characters other than ASCII letters, digits, '_', '.', '/' and '-'"
    if not name.startswith(prefix):
        return f"the name does not begin with the bundle's prefix {prefix!r}"
    return None


def folded(name: str) -> str:
    """Return what names that differ only in case have in common, within a bundle and across all (gateway/K1)."""
    return name.casefold()


def check_prefix(prefix: str) -> str | None:
    """Return what is wrong with a bundle's `namePrefix`, or None; empty means that names are not bound."""
    if prefix and _NAME.fullmatch(prefix) is None:
        return (
            f"a prefix is 1 to {MAX_NAME_CHARS} of ASCII letters, digits, '_', '.', '/' and '-': no name could begin so"
        )
    return None
