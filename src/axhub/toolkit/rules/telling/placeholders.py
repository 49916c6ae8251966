"""Texts that nobody has written yet, as generated files have them: `TODO …` (rule/TK303)."""

import re
from typing import Final

from axhub.toolkit.rules.telling.authored import is_blank, squeezed

__all__ = ["is_unwritten", "marker_in", "stands_for_a_text"]

_MARKERS: Final = re.compile(
    r"(?<![A-Za-z])(?:TODO|TBD|FIXME)(?![A-Za-z])|[Ll]orem ipsum|작성\s*(?:하세요|하십시오|해\s*주세요|필요|예정)"
)
_WHOLE: Final = frozenset(
    {"na", "none", "null", "nil", "없음", "해당없음", "미정", "xxx", "test", "테스트", "text", "description", "설명"}
)
_ANGLES: Final = re.compile(r"[<\[{][^<>\[\]{}]*[>\]}]")


def marker_in(text: object) -> str | None:
    """Return the sign in a text that says it is still to be written: `TODO`."""
    found = _MARKERS.search(text) if isinstance(text, str) else None
    return None if found is None else found[0]


def is_unwritten(text: object) -> bool:
    """Say whether a text has such a sign, or is nothing but a name in brackets: `<owner>`."""
    return marker_in(text) is not None or (isinstance(text, str) and _ANGLES.fullmatch(text.strip()) is not None)


def stands_for_a_text(text: str) -> bool:
    """Say whether what should be a sentence is only a word that fills its place, without any sign."""
    return not is_blank(text) and (squeezed(text) in {"", *_WHOLE} or _ANGLES.fullmatch(text.strip()) is not None)
