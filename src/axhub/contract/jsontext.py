"""JSON as text: what must be known of a document while its bytes stay as they were written.

msgspec reads the grammar (strict RFC 8259, lone surrogate escapes refused) and keeps values as raw bytes.
Three things it does not look at are here: UTF-8, nesting depth, and names that stand twice in one object.
Everything takes time linear in the text, whatever the text is: the patterns are possessive, nothing backtracks.
"""

import json
import math
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, Final

import msgspec

from axhub.contract import deepjson

MAX_DEPTH: Final = 64
"""Containers inside each other, the outermost being 1 (gateway/P6, gateway/G4)."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)  # an unterminated one reaches to the end
_WHOLE_STRING = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")', re.DOTALL)
_BLANKS = b" \t\n\r"
_TO_STEPS = bytes.maketrans(b"{[}]", b"\x01\x01\xff\xff")  # as signed bytes: +1 and -1
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_CHUNK = 4096
_STEP_MEMBERS = 2048
_MAX_INTEGER_CHARS = 4000  # Python reads no more than 4,300 digits
_HUGE_INTEGER = 10**4000
_HUGE_FLOAT = math.nextafter(math.inf, 0)
_TINY_FLOAT = 5e-324
_CONTAINER = re.compile(rb"[ \t\n\r]*+[\[{]")
_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_any = msgspec.json.Decoder(msgspec.Raw).decode


class JsonTextError(ValueError):
    """The bytes are not JSON that axhub accepts; the message says what is wrong, without quoting the text."""


class DuplicateMemberError(JsonTextError):
    """An object has the same member name twice; `name` is the first such name found."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the member {name!r} stands twice in one object")
        self.name = name


class Pairs(list[tuple[str, Any]]):
    """An object's members in order, duplicates included (from `read_pairs`)."""


def deeper_than(text: bytes, limit: int = MAX_DEPTH) -> bool:
    """Say whether containers nest deeper than `limit`; stops reading where they do."""
    if text.count(b"{") + text.count(b"[") <= limit:
        return False
    steps = memoryview(_STRING.sub(b"", text).translate(_TO_STEPS, _NOT_BRACKETS)).cast("b")
    depth = 0
    for start in range(0, len(steps), _CHUNK):
        depths = list(accumulate(steps[start : start + _CHUNK], initial=depth))
        if max(depths) > limit:
            return True
        depth = depths[-1]
    return False


def check_text(text: bytes, max_depth: int = MAX_DEPTH) -> None:
    """Raise `JsonTextError` unless `text` is UTF-8 and nests no deeper than `max_depth`; grammar is not read."""
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise JsonTextError(f"not valid UTF-8 at byte {error.start}") from None
    if text.count(b"{") + text.count(b"[") > max_depth and deeper_than(text, max_depth):
        raise JsonTextError(f"nested deeper than {max_depth} levels")


def members(text: bytes | msgspec.Raw) -> dict[str, msgspec.Raw]:
    """Split one JSON object into its members, each value as the raw bytes it was written with.

    The caller has passed the whole text through `check_text`.

    Raises:
        DuplicateMemberError: a name stands twice at this level.
        JsonTextError: not JSON, or not an object.
    """
    try:
        found = _decode_members(text)
    except msgspec.ValidationError:
        raise JsonTextError("not a JSON object") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise JsonTextError(_grammar(error)) from None
    if compact_length(found) != len(text):  # white space, escapes in names, or duplicates: which of them?
        compacted = compact(bytes(text))
        for name in names_twice(compacted, _decode_members(compacted)):
            if name is not None:
                raise DuplicateMemberError(name)
    return found


def names_twice(text: bytes, kept: dict[str, msgspec.Raw]) -> Iterator[str | None]:
    """Yield the first name that a compact object has twice, if there is one; None after each 2,048 members.

    Args:
        text: the object.
        kept: what a reader that keeps the last of a repeated name makes of it.
    """
    if compact_length(kept) == len(text):
        return
    seen: set[str] = set()
    at = 1
    while token := _STRING.match(text, at):
        name = msgspec.json.decode(token[0], type=str)
        value = bytes(kept[name])
        start = token.end() + 1
        at = start + len(value) + 1
        # Of a repeated name the last value is kept: an earlier one then differs from it, or the name is met again.
        if name in seen or not text.startswith(value, start) or text[at - 1] not in b",}":
            yield name
            return
        seen.add(name)
        if len(seen) % _STEP_MEMBERS == 0:
            yield None


def check_grammar(text: bytes) -> None:
    """Raise `JsonTextError` unless `text` is one JSON value of any kind."""
    try:
        _decode_any(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise JsonTextError(_grammar(error)) from None


def compact(text: bytes) -> bytes:
    """Remove the white space between tokens and touch nothing else: numbers, escapes and key order stay.

    Raises:
        JsonTextError: not JSON.
    """
    try:
        return msgspec.json.format(text, indent=-1)
    except (msgspec.DecodeError, RecursionError) as error:
        raise JsonTextError(_grammar(error)) from None


def compact_lenient(text: bytes) -> bytes | None:
    """Remove the white space of an object or array that may be unusual, and touch nothing else (gateway/X3).

    Unlike `compact`, this takes what only RFC 8259's grammar allows: escapes of lone surrogates, and nests of any
    depth (documents that have more than 1,000,000 tokens as well are left alone). The caller has checked UTF-8.

    Returns:
        None if it is not JSON, or neither an object nor an array.
    """
    if _CONTAINER.match(text) is None:
        return None
    try:
        return msgspec.json.format(text, indent=-1)
    except msgspec.DecodeError:
        # \ud800 becomes \u0800: another escape of the same form, also after an escaped backslash.
        ordinary = text.replace(b"\\ud", b"\\u0").replace(b"\\uD", b"\\u0")
        if ordinary == text:
            return None
    except RecursionError:
        ordinary = text
    return _without_blanks(text) if _is_json(ordinary) else None


def split_object(text: bytes | msgspec.Raw) -> dict[str, msgspec.Raw] | None:
    """Split JSON text that passed `check_grammar` into its members, the last of a repeated name; None: no object."""
    try:
        return _decode_members(text)
    except msgspec.ValidationError:
        return None


def split_array(text: bytes | msgspec.Raw) -> list[msgspec.Raw] | None:
    """Split JSON text that passed `check_grammar` into its elements; None: no array."""
    try:
        return _decode_elements(text)
    except msgspec.ValidationError:
        return None


def read_values(text: bytes) -> Any:
    """Read a checked document as plain Python values, for validators.

    Numbers beyond Python's reach come as the nearest it can hold, so that their kind, sign and rough size are right.

    Raises:
        ValueError: it is not JSON after all.
    """
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=_constant)


def read_pairs(text: bytes) -> Any:
    """Read a checked document with every member kept: objects become `Pairs`, numbers stay text (`Number`)."""
    return json.loads(text, object_pairs_hook=Pairs, parse_int=Number, parse_float=Number, parse_constant=Number)


class Number(str):
    """A JSON number as it was written (from `read_pairs`)."""

    __slots__ = ()


def _without_blanks(text: bytes) -> bytes:
    parts = _WHOLE_STRING.split(text)  # every second one is a string
    parts[::2] = [part.translate(None, _BLANKS) for part in parts[::2]]
    return b"".join(parts)


def _is_json(text: bytes) -> bool:
    try:
        _decode_any(text)
    except msgspec.DecodeError:
        return False
    except RecursionError:
        return deepjson.is_json(text)
    return True


def _integer(text: str) -> int:
    if len(text) <= _MAX_INTEGER_CHARS:
        return int(text)
    return -_HUGE_INTEGER if text.startswith("-") else _HUGE_INTEGER


def _float(text: str) -> float:
    value = float(text)
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        return math.copysign(_TINY_FLOAT, value)
    return max(-_HUGE_FLOAT, min(_HUGE_FLOAT, value))


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def compact_length(members: dict[str, msgspec.Raw]) -> int:
    """Return how long a compact object is that has these members, if its names are ASCII without escapes."""
    return len(members) * 4 + 1 + sum(map(len, members)) + sum(map(len, members.values()))


def _grammar(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    text = str(error).removeprefix("JSON is malformed: ")
    if "utf-16" in text or "hex escape" in text:
        return "an escape such as \\\\ud800 that is half of a character, or no hexadecimal number"
    return text.replace("Input data was truncated", "the text ends too early, or half of a character is escaped alone")
