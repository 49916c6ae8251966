"""What a text may contain that people and models read (gateway/G6, input/B19).

A description that shows one thing to a reviewer and another to a model is how instructions are hidden. So characters
that are not seen are refused: controls, direction marks, tags, and zero-width characters, except where a script or an
emoji needs them. Visible characters of every script are welcome, private-use ones (house fonts) included.
"""

import re
import unicodedata
from typing import Final

MEND: Final = "remove the character; inside a pattern write it as an escape, such as \\\\u200b"
"""What to do about a character that `check_text_field` refuses."""

_MAX_INVISIBLE: Final = 10_000  # bounds the time that one text takes
# Every character that needs a look; whatever is not in here is fine. Ranges by Unicode 15.1.
_HIDDEN: Final = (
    "\x7f-\x9f"  # C1 controls
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers, vowel separators
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, direction marks, separators, invisible operators
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"  # Hangul fillers, variation selectors, byte order mark, annotation
    "\ud800-\udfff"  # lone surrogates, which no UTF-8 text can carry
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # format controls, tags, more selectors
)
_SUSPECT: Final = re.compile(f"[\x00-\x1f{_HIDDEN}]")
_SUSPECT_IN_LINES: Final = re.compile(f"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f{_HIDDEN}]")
# JSON text without other escapes than quotes, slashes, and those of letters from CJK to Hangul.
_PLAIN_ESCAPES: Final = re.compile(
    rb"[^\\]*+(?:\\(?:[\"\\/]|u(?:3[2-9a-fA-F]|[4-9a-cA-C][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2})[^\\]*+)*+"
)
_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAGS: Final = re.compile("[\U000e0000-\U000e007f]")
_JOINERS: Final = frozenset("\u200c\u200d")
_WORD_BREAK: Final = "\u200b"
_FILLERS: Final = frozenset("\u115f\u1160")
_SELECTORS: Final = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_EMOJI_SELECTORS: Final = frozenset("\ufe0e\ufe0f")
_SKIN_TONES: Final = re.compile("[\U0001f3fb-\U0001f3ff]")

# Scripts in which the joiners change how letters connect: Arabic to Sinhala, Tibetan, Myanmar, Khmer, Mongolian.
_JOINING_SCRIPT: Final = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1aaf\ua8e0-\ua8ff]")
# Scripts without blanks between words, where a zero-width space marks where a line may break.
_UNSPACED_SCRIPT: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1a20-\u1aaf]")
_OLD_HANGUL: Final = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_IDEOGRAPH: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KEYCAP_BASE: Final = frozenset("0123456789#*")


def check_text_field(text: str, multiline: bool) -> str | None:
    """Return what is wrong with a text, or None.

    Args:
        text: the decoded text.
        multiline: whether LF, TAB and CRLF may stand in it, as in descriptions; a name or title has one line.
    """
    suspects = (_SUSPECT_IN_LINES if multiline else _SUSPECT).finditer(text)
    for count, match in enumerate(suspects):
        problem = _problem(text, match.start(), multiline)
        if problem is None and count >= _MAX_INVISIBLE:
            problem = f"it contains more than {_MAX_INVISIBLE} invisible characters"
        if problem is not None:
            return problem
    return None


def is_plain(json_text: bytes) -> bool:
    """Say whether no text of some JSON text needs a look: a quick yes, or no when it might."""
    return _PLAIN_ESCAPES.fullmatch(json_text) is not None and _SUSPECT.search(json_text.decode()) is None


def clean_text(text: str) -> str:
    """Remove what `check_text_field` refuses from a text that a model is shown; LF and TAB stay (decision/D14)."""
    if _SUSPECT.search(text) is None:
        return text
    text = text.replace("\r\n", "\n")
    return "".join(
        character
        for at, character in enumerate(text)
        if _SUSPECT_IN_LINES.match(character) is None or _problem(text, at, multiline=True) is None
    )


def _problem(text: str, at: int, multiline: bool) -> str | None:
    """Return what is wrong with a suspect character."""
    character = text[at]
    named = f"U+{ord(character):04X} at character {at + 1}"
    if unicodedata.category(character) in {"Cc", "Zl", "Zp"}:
        return f"it contains the control character {named}" + ("" if multiline else "; it must be one line")
    if _BIDI.match(character):
        return f"it contains the direction mark {named}, which changes the order in which text is shown"
    if _TAGS.match(character):
        return f"it contains the invisible tag character {named}"
    if "\ud800" <= character <= "\udfff":
        return f"it contains the lone surrogate {named}, which is not a character"
    if _is_in_place(text, at):
        return None
    return f"it contains the invisible character {named} where neither a script nor an emoji needs it"


def _is_in_place(text: str, at: int) -> bool:
    character, before, after = text[at], text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if character in _JOINERS:
        both_letters = _JOINING_SCRIPT.match(before) is not None and _JOINING_SCRIPT.match(after) is not None
        return both_letters or (character == "\u200d" and _joins_emoji(text, at))
    if character == _WORD_BREAK:
        return _UNSPACED_SCRIPT.match(before) is not None and _UNSPACED_SCRIPT.match(after) is not None
    if character in _FILLERS:
        return _OLD_HANGUL.match(before + after) is not None
    if _SELECTORS.match(character):
        return _selects(character, before)
    return False


def _joins_emoji(text: str, at: int) -> bool:
    before = text[max(at - 2, 0) : at].removesuffix("\ufe0f")[-1:]
    return (_is_pictograph(before) or _SKIN_TONES.match(before) is not None) and _is_pictograph(text[at + 1 : at + 2])


def _selects(selector: str, base: str) -> bool:
    if selector in _EMOJI_SELECTORS:
        return base in _KEYCAP_BASE or _is_pictograph(base) or _IDEOGRAPH.match(base) is not None
    if "\u180b" <= selector <= "\u180f":
        return "\u1800" <= base <= "\u18af"
    return _IDEOGRAPH.match(base) is not None or _JOINING_SCRIPT.match(base) is not None


def _is_pictograph(character: str) -> bool:
    return character != "" and unicodedata.category(character) in {"So", "Sm", "Po", "Pd"} and character > "\x7f"
