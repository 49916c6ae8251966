"""JSON as text: what must be known of a document while its bytes stay as they were written.

msgspec reads the grammar (strict RFC 8259, lone surrogate escapes refused) and keeps values as raw bytes.
Three things it does not look at are here: UTF-8, nesting depth, and names that stand twice in one object.
"""

import json
import re
from typing import Any, Final

import msgspec

MAX_DEPTH: Final = 64
"""Containers inside each other, the outermost being 1 (gateway/P6, gateway/G4)."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_TO_SQUARE = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
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
    """Say whether containers nest deeper than `limit`, in time linear in the text for each level."""
    if text.count(b"{") + text.count(b"[") <= limit:
        return False
    brackets = _STRING.sub(b"", text).translate(_TO_SQUARE, _NOT_BRACKETS)
    for _ in range(limit):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")  # takes away exactly the innermost level
    return bool(brackets)


def check_text(text: bytes, max_depth: int = MAX_DEPTH) -> None:
    """Raise `JsonTextError` unless `text` is UTF-8 and nests no deeper than `max_depth`; grammar is not read."""
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise JsonTextError(f"not valid UTF-8 at byte {error.start}") from None
    if deeper_than(text, max_depth):
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
    # A compact object without duplicates is exactly as long as its parts; only others are looked at closely.
    if len(found) * 4 + 1 + sum(map(len, found)) + sum(map(len, found.values())) != len(bytes(text)):
        _refuse_duplicates(bytes(text))
    return found


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


def read_pairs(text: bytes) -> Any:
    """Read a checked document with every member kept: objects become `Pairs`, numbers stay text (`Number`)."""
    return json.loads(text, object_pairs_hook=Pairs, parse_int=Number, parse_float=Number, parse_constant=Number)


class Number(str):
    """A JSON number as it was written (from `read_pairs`)."""

    __slots__ = ()


def _refuse_duplicates(text: bytes) -> None:
    seen: set[str] = set()
    for name, _ in read_pairs(text):
        if name in seen:
            raise DuplicateMemberError(name)
        seen.add(name)


def _grammar(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error).removeprefix("JSON is malformed: ")
