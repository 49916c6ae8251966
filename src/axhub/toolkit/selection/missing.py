"""Which words of a query a description lacks: what to add to it, as far as characters can tell."""

import re
from typing import Final

from axhub.toolkit.selection.grams import grams, runs
from axhub.toolkit.selection.likeness import COMMON_WORDS, stem

__all__ = ["missing_words"]

_LATIN: Final = re.compile(r"[a-z0-9]+")
_ASKING: Final = re.compile(
    r"(?:알려|보여|찾아|해(?:줘|주|줄|달|요)|확인|조회|얼마|어디|어느|언제|누가|누구|무엇|무슨|뭐|뭔|어떤|어떻|몇|왜|"
    r"있(?:는|어|나|을|니|으)|없(?:는|어|나|을|니|으)|싶|하고|하려|하는|해야|할까|될까|되나|됐|나올까|대한|대해|관한|관해|"
    r"지금|오늘|어제|내일|우리|제가|내가|저의|이거|그거|이것|그것|그리고|혹시)"
)
"""How Korean words begin that are in queries of every kind."""


def missing_words(query: str, description: str) -> tuple[str, ...]:
    """Return the words of a query, in its order, that have nothing of them in a description.

    A Korean word is there if two neighbouring syllables of it are; one of Latin letters if it is, whatever its ending.
    Numbers, single syllables and words that every query has are left out.
    """
    pairs = {gram for gram in grams(description) if len(gram) > 1}
    stems = {stem(word) for word in runs(description)}
    words = dict.fromkeys(runs(query))
    return tuple(word for word in words if _tells(word) and not _is_in(word, pairs, stems))


def _tells(word: str) -> bool:
    if len(word) == 1 or word[0].isdigit():
        return False
    return word not in COMMON_WORDS and _ASKING.match(word) is None


def _is_in(word: str, pairs: set[str], stems: set[str]) -> bool:
    if _LATIN.fullmatch(word):
        return stem(word) in stems
    return any(word[at : at + 2] in pairs for at in range(len(word) - 1))
