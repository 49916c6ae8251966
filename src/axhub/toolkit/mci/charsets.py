"""The charsets of telegrams, stricter than Python's own (toolkit/B1).

Python's `euc_kr` writes a syllable that KS X 1001 lacks as four characters of two bytes, which no other system reads as
one. So EUC-KR is here what `cp949` knows, less what lies outside of the 94 rows of KS X 1001. Nothing is ever replaced.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from operator import methodcaller
from typing import Final

from axhub.toolkit.mci.errors import FieldError

__all__ = ["CHARSETS", "Charset", "Coding"]

_ASCII: Final = " 09AZaz"
_BELOW_KS: Final = 0xA1
_KS_BYTES: Final = bytes(range(_BELOW_KS, 0x100))
_FILLER: Final = "\u3164"
"""Announces a syllable that is put together from letters (KS X 1001, 4.3); alone it is invisible."""
_SUBSTITUTES: Final = str.maketrans({"\u20a9": "\uffe6", "\xa0": " ", "\u2014": "\u2015"})
"""Won sign, no-break space and em dash as the Korean charsets have them."""
_KEPT: Final = re.compile("([\u2126\u212a\u212b\uf900-\ufaff]+)")
"""Characters that KS X 1001 has beside the one that NFC makes of them: another code, or one that it lacks."""


@dataclass(frozen=True, slots=True)
class Charset:
    """How characters become bytes. A service may bring one of its own, such as the codec of its EBCDIC host."""

    name: str
    encode: Callable[[str], bytes]
    """Raises UnicodeEncodeError for a character that it lacks; it must not replace any."""
    decode: Callable[[bytes], str]
    """Raises UnicodeDecodeError for bytes that are none of it."""
    leads: range = range(0)
    """The bytes that begin a character of several bytes: what can be left of one at the end of a field."""
    is_composed: bool = False
    """Whether it has none of the characters that NFC puts together, so that what it can write need not be looked at."""


def _to_ks(text: str) -> bytes:
    raw = text.encode("cp949")
    if len(raw.translate(None, _KS_BYTES)) != 2 * len(text) - len(raw) or _FILLER in text:  # as in `_from_ks`
        at = next(at for at, one in enumerate(text) if _is_beyond_ks(one.encode("cp949"), one))
        raise UnicodeEncodeError("euc-kr", text, at, at + 1, "not in KS X 1001")
    return raw


def _from_ks(raw: bytes) -> str:
    text = raw.decode("cp949")
    # Bytes below 0xA1 have to be as many as there are ASCII characters; two-byte ones have none of them.
    if len(raw.translate(None, _KS_BYTES)) != 2 * len(text) - len(raw) or _FILLER in text:
        at = 0
        for one in text:
            of_one = one.encode("cp949")
            if _is_beyond_ks(of_one, one):
                raise UnicodeDecodeError("euc-kr", raw, at, at + 1, "not in KS X 1001")
            at += len(of_one)
    return text


def _is_beyond_ks(raw: bytes, one: str) -> bool:
    """Say whether a character has two bytes and one of them is below 0xA1, or announces a syllable."""
    return (len(raw) > 1 and min(raw) < _BELOW_KS) or one == _FILLER


CHARSETS: Final = {
    one.name: one
    for one in (
        Charset("euc-kr", _to_ks, _from_ks, range(_BELOW_KS, 0xFF), is_composed=True),
        Charset("cp949", methodcaller("encode", "cp949"), methodcaller("decode", "cp949"), range(0x81, 0xFF), True),
        Charset("utf-8", methodcaller("encode", "utf-8"), methodcaller("decode", "utf-8"), range(0xC2, 0xF5)),
    )
}
"""The charsets that a layout names by text."""


@dataclass(frozen=True, slots=True)
class Coding:
    """A charset as one telegram uses it; it is the same for all that is nested in the telegram."""

    charset: Charset
    substitutions: bool = False
    """Whether ₩, the no-break space and — are written as the look-alikes that the charsets have."""

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text, composed first (NFC).

        Raises:
            FieldError: the charset lacks a character.
        """
        composed = text if unicodedata.is_normalized("NFC", text) else _composed(text)
        if self.substitutions:
            composed = composed.translate(_SUBSTITUTES)
        try:
            return self.charset.encode(composed)
        except UnicodeEncodeError as error:
            lacking = f"U+{ord(composed[error.start]):04X} is not in {self.charset.name}"
        raise FieldError("charset", lacking)  # out here, so that nothing behind it holds the text

    def keeps_ascii(self) -> bool:
        """Say whether ASCII characters have their ASCII codes, as everywhere but in EBCDIC."""
        return self.charset.encode(_ASCII) == _ASCII.encode("ascii")

    def encoder(self) -> Callable[[str], bytes]:
        """Return `encode`, quicker where it has nothing to change and nothing to refuse."""
        careful, encode = self.encode, self.charset.encode
        if self.substitutions or not self.charset.is_composed:
            return careful

        def quick(text: str) -> bytes:
            try:
                return encode(text)
            except UnicodeEncodeError:
                pass
            return careful(text)

        return quick

    def decode(self, raw: bytes, drop_tail: bool) -> str:
        """Return the text of some bytes.

        Args:
            raw: the field without its padding.
            drop_tail: leave out the beginning of a character at the very end.

        Raises:
            FieldError: they are none of the charset, or end within a character.
        """
        try:
            return self.charset.decode(raw)
        except UnicodeDecodeError as error:
            start, is_tail = error.start, error.end == len(raw) and raw[error.start] in self.charset.leads
        if is_tail and drop_tail:
            return self.decode(raw[:start], drop_tail=False)
        if is_tail:
            raise FieldError("half", "it ends within a character")
        raise FieldError("charset", f"from its byte {start} on it is not {self.charset.name}")

    def cut(self, text: str, size: int) -> bytes:
        """Return as many whole characters of a text as go into `size` bytes."""
        kept: list[bytes] = []
        for one in _composed(text):
            encoded = self.encode(one)
            size -= len(encoded)
            if size < 0:
                break
            kept.append(encoded)
        return b"".join(kept)


def _composed(text: str) -> str:
    return "".join(part if _KEPT.fullmatch(part) else unicodedata.normalize("NFC", part) for part in _KEPT.split(text))
