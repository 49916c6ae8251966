"""Text and filler fields: bytes are counted, never characters."""

from typing import Any, Final

from axhub.toolkit.mci.charsets import Coding
from axhub.toolkit.mci.codec import FieldCodec, Reader, Writer, wrong_type
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.fields import Filler, Text

__all__ = ["filler_codec", "text_codec"]

_SPACE: Final = " "
_NUL: Final = "\0"
_UNSET: Final = _SPACE + _NUL


def text_codec(note: Text, coding: Coding, optional: bool) -> FieldCodec:
    """Return the codec of a text field."""
    fill = _filling(note, coding)
    blank = fill(b"")
    return FieldCodec(note.size, _reader(note, coding, optional), _writer(note, coding, optional, blank), blank)


def filler_codec(note: Filler) -> FieldCodec:
    """Return the codec of a field that means nothing."""
    filling = note.fill.encode("ascii") * note.size
    return FieldCodec(note.size, lambda _raw: None, lambda _value: filling, filling)


def _trimmed(note: Text) -> str:
    if note.trim is not None:
        return note.trim
    return note.pad if note.pad in {"0", _SPACE} else note.pad + _SPACE


def _reader(note: Text, coding: Coding, optional: bool) -> Reader:
    trim, keeps_ascii = _trimmed(note), coding.keeps_ascii()
    narrow = "".join(one for one in trim if one.isascii() and keeps_ascii).encode("ascii")
    is_wide, is_left, drop_tail = len(narrow) < len(trim), note.align == "left", note.on_bad_tail == "drop"
    strip_bytes = bytes.rstrip if is_left else bytes.lstrip
    strip_text = str.rstrip if is_left else str.lstrip
    empty = None if optional else ""
    may_be_unset = note.trim is None
    decode = coding.charset.decode

    def read(raw: bytes) -> str | None:
        raw = strip_bytes(raw, narrow)
        try:
            text = raw.decode("ascii") if keeps_ascii and raw.isascii() else decode(raw)
        except UnicodeDecodeError:
            text = None
        if text is None:
            text = coding.decode(raw, drop_tail)
        if is_wide:
            text = strip_text(text, trim)
        if may_be_unset and _NUL in text and not text.strip(_UNSET):  # a host that never wrote the field
            return empty
        return text or empty

    return read


def _writer(note: Text, coding: Coding, optional: bool, blank: bytes) -> Writer:
    size, fill, keeps_ascii = note.size, _filling(note, coding), coding.keeps_ascii()
    pad = coding.encode(note.pad)
    is_plain = len(pad) == 1 and note.align == "left"
    encode = coding.encoder()

    def write(value: Any) -> bytes:
        if not isinstance(value, str):
            if value is None and optional:
                return blank
            raise wrong_type(value, "str")
        raw = value.encode("ascii") if keeps_ascii and value.isascii() else encode(value)
        if len(raw) > size:
            raw = _cut(note, coding, value, len(raw))
        return raw.ljust(size, pad) if is_plain else fill(raw)

    return write


def _cut(note: Text, coding: Coding, value: str, length: int) -> bytes:
    if note.overflow == "cut":
        return coding.cut(value, note.size)
    raise FieldError("overflow", f"{length} bytes do not fit in {note.size}", limit=note.size, length=length)


def _filling(note: Text, coding: Coding) -> Writer:
    """Return what fills a text up to the size of its field; where a wide pad has no room, there is a space."""
    pad, space = coding.encode(note.pad), coding.encode(_SPACE)

    def fill(raw: bytes) -> bytes:
        pads, rest = divmod(note.size - len(raw), len(pad))
        return raw + pad * pads + space * rest if note.align == "left" else space * rest + pad * pads + raw

    return fill
