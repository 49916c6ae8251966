"""What is typed after `axhub tools`: the arguments of a call and the headers, checked before anything is sent.

Arguments stay bytes: they reach the tool as they were written (principle 4 of the specification).
"""

import json
import os
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

from axhub.contract.jsontext import JsonTextError, check_grammar, check_text

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_OWN_HEADERS: Final = frozenset(
    {
        "accept",
        "connection",
        "content-length",
        "content-type",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "transfer-encoding",
    }
)
_MAX_DIGITS: Final = 400
"""Longer numbers are not written out."""
_BOM: Final = b"\xef\xbb\xbf"


class UsageError(ValueError):
    """What was typed cannot be used; the message says what is wrong and how to write it."""


def read_arguments(text: str, read_stdin: Callable[[], bytes]) -> bytes:
    """Return the JSON object that `--args` names: the text itself, `@FILE`, or `-` for standard input.

    Raises:
        UsageError: the file cannot be read, or the text is not one JSON object.
    """
    if text == "-":
        raw, where = read_stdin(), "standard input"
    elif text.startswith("@"):
        raw, where = _read_file(text[1:]), text[1:]
    else:
        raw, where = os.fsencode(text), "--args"
    raw = raw.removeprefix(_BOM).strip(b" \t\r\n")
    try:
        check_text(raw)
        check_grammar(raw)
    except JsonTextError as problem:
        raise UsageError(f"""{where} is not JSON: {problem}; write it like --args '{{"name": "value"}}'""") from None
    if not raw.startswith(b"{"):
        raise UsageError(f"""{where} is not a JSON object; a tool takes its arguments by name: '{{"name": "value"}}'""")
    return raw


def read_header(text: str) -> tuple[str, str]:
    """Split `NAME=VALUE` into a header that HTTP can carry.

    Raises:
        UsageError: no `=`, not a header name, a control character, or a header that the client sets itself.
    """
    name, separator, value = text.partition("=")
    if not separator or not _TOKEN.fullmatch(name):
        raise UsageError(f"--header takes NAME=VALUE, for example --header guid=G-1; found {name!r}")
    if name.lower() in _OWN_HEADERS or name.lower().startswith("mcp-param-"):
        raise UsageError(f"--header {name}: the client sets this header itself; leave it out")
    if _CONTROL.search(value):
        raise UsageError(f"--header {name}: the value has a control character, which HTTP cannot carry")
    return name, value.strip()


def for_headers(arguments: bytes) -> dict[str, Any]:
    """Return checked arguments as Python values, good for deriving `Mcp-Param-*` headers and for nothing else.

    Numbers are their text, so that a header says what the body says, however many digits it has; a whole number with
    an exponent is written out, because servers compare `1000` and `1000.0` as numbers but `1e3` as text. What is sent
    as arguments is the bytes.
    """
    parsed: dict[str, Any] = json.loads(arguments, parse_int=str, parse_float=_number)
    return parsed


def _number(text: str) -> str:
    if "e" not in text.lower():
        return text
    try:
        value = Decimal(text)
        short = 0 <= value.adjusted() < _MAX_DIGITS and value == value.to_integral_value()
        return f"{value.to_integral_value():f}" if short else text
    except InvalidOperation:  # an exponent or a fraction beyond what decimals hold
        return text


def _read_file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the file {name!r}: {error.strerror or error}") from None
