"""How messages show what an author wrote: short, on one line, and with its kind in both languages."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date
from difflib import get_close_matches
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.rules.model import Text

__all__ = [
    "described",
    "in_both",
    "is_blank",
    "listed",
    "nearest",
    "quoted",
    "squeezed",
    "truth",
    "values_of",
    "yaml_text",
]

_PLAIN_YAML: Final = re.compile(r"[A-Za-z가-힣][A-Za-z0-9가-힣_ ./()-]*(?<! )")
_YAML_WORDS: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_SIGNS: Final = re.compile(r"[\W_]+")
_YES: Final = frozenset({"yes", "y", "on", "true", "1", "t", "예", "네", "참"})
_NO: Final = frozenset({"no", "n", "off", "false", "0", "f", "아니오", "아니요", "거짓"})
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")  # letters by their category, and nothing to be seen
_KINDS: Final[tuple[tuple[type | tuple[type, ...], Text], ...]] = (
    (type(None), Text("nothing", "빈 값")),
    ((int, float), Text("a number", "숫자")),
    (str, Text("a text", "문자열")),
    (Mapping, Text("a group of keys", "키 묶음")),
    ((list, tuple), Text("a list", "목록")),
    (date, Text("a date", "날짜")),
)


def quoted(value: object) -> str:
    """Return a value fit to stand in a message: texts in quotes and shortened, others as YAML writes them."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{excerpt(value)}"' if isinstance(value, str) else excerpt(str(value))


def described(value: object) -> Text:
    """Return a value with its kind, as far as it is short enough: `the number 12`, `a list`, `nothing`."""
    if isinstance(value, bool):
        return Text(quoted(value), quoted(value))
    if value == [] or (isinstance(value, str) and is_blank(value)):
        return Text("an empty list", "빈 목록") if value == [] else Text("an empty text", "빈 문자열")
    kind = next((text for types, text in _KINDS if isinstance(value, types)), Text("another value", "다른 값"))
    if isinstance(value, int | float | str | date):
        return Text(f"the {kind.en.partition(' ')[2]} {quoted(value)}", f"{kind.ko} {quoted(value)}")
    return kind


def in_both(name: str, text: Text) -> dict[str, str]:
    """Return a text as values of a breach: `{name}` in English messages, `{name_ko}` in Korean ones."""
    return {name: text.en, f"{name}_ko": text.ko}


def is_blank(value: object) -> bool:
    """Say whether there is nothing to read: null, an empty text, or one of blanks and invisible characters only."""
    return value is None or (isinstance(value, str) and all(map(_is_unseen, value)))


def _is_unseen(character: str) -> bool:
    return character.isspace() or character in _FILLERS or unicodedata.category(character) in {"Cc", "Cf"}


def listed(items: Iterable[object]) -> str:
    """Return things to choose from, each once: `a, b, c`."""
    return ", ".join(dict.fromkeys(excerpt(str(item)) for item in items))


def nearest(word: object, words: Iterable[str]) -> str | None:
    """Return the one of `words` that somebody who wrote `word` most likely meant; case, `_` and `-` do not count."""
    folded = {squeezed(candidate): candidate for candidate in words}
    close = get_close_matches(squeezed(str(word)), folded, n=1, cutoff=0.7)
    return folded[close[0]] if close else None


def squeezed(text: str) -> str:
    """Return what texts that read the same have in common: no case, width, blanks or punctuation."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold())


def truth(value: object) -> bool | None:
    """Return which of true and false another value was meant to be, as `yes`, `"false"` or 1; None if that is open."""
    text = squeezed(str(value)) if isinstance(value, str | int | float) else ""
    return True if text in _YES else False if text in _NO else None


def values_of(value: object) -> Mapping[Any, Any]:
    """Return a group of keys, or an empty one where something else stands."""
    return value if isinstance(value, Mapping) else {}


def yaml_text(value: object) -> str:
    """Return a value as one would write it in YAML so that it is a text: `cmm`, `"1.1"`, `"yes"`."""
    text = value if isinstance(value, str) else quoted(value)
    if _PLAIN_YAML.fullmatch(text) and text.casefold() not in _YAML_WORDS:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
