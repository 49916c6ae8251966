"""Names and texts as rules look at them: words of a name, the script of a text, JSON as it is written."""

import json
import re
from typing import Any, Final

__all__ = ["end_of_text", "is_korean", "kind_of", "shown", "words"]

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[가-힣]+")
_HANGUL: Final = re.compile(r"[가-힣]")
_MAX_SHOWN: Final = 120
_KINDS: Final = {bool: "boolean", str: "string", int: "number", float: "number", list: "array", dict: "object"}


def words(name: str) -> tuple[str, ...]:
    """Split a name at capitals, digits and signs: `claimStatusCd`, `claim_status_cd` → claim, status, cd."""
    return tuple(word.lower() for word in _WORD.findall(name))


def is_korean(text: str) -> bool:
    """Say whether a text is written in Korean, so that what is added to it should be too."""
    return _HANGUL.search(text) is not None


def end_of_text(text: str) -> str:
    """Return a description ready to be followed by another sentence."""
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?", ":")) else f"{stripped}."


def shown(value: Any, limit: int = _MAX_SHOWN) -> str:
    """Write a value as JSON on one line, cut after so many characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else f"{text[:limit]}…"


def kind_of(value: Any) -> str:
    """Name the JSON type of a value as a schema would: `string`, `array`."""
    return _KINDS.get(type(value), "null" if value is None else type(value).__name__)
