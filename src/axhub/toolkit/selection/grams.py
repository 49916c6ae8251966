"""Text as a search sees it: characters and pairs of neighbouring characters, without case, width, blanks and signs."""

import re
import unicodedata
from itertools import pairwise
from typing import Final

__all__ = ["grams", "runs"]

_RUN: Final = re.compile(r"[^\W_]+")


def runs(text: str) -> list[str]:
    """Return the words of a text, folded: what stands between blanks and signs."""
    return _RUN.findall(unicodedata.normalize("NFKC", text).casefold())


def grams(text: str) -> list[str]:
    """Return each character and each pair of neighbours within a word, as often as it stands there.

    Words themselves are useless for Korean, whose particles and endings change them; a syllable is about a stem.
    """
    found: list[str] = []
    for run in runs(text):
        found += run
        found += map("".join, pairwise(run))
    return found
