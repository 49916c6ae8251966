"""What is typed after `axhub tools`: the arguments of a call and the headers, checked before anything is sent.

Arguments stay bytes: they reach the tool as they were written (principle 4 of the specification).
"""

import json
import math
import os
import re
from collections.abc import Callable
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
_MAX_DIGITS: Final = 4000
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

    Numbers that Python or the client library would refuse (1e400, thousands of digits) become 0 here; what is
    sent is the bytes.
    """
    parsed: dict[str, Any] = json.loads(arguments, parse_int=_integer, parse_float=_finite)
    return parsed


def _integer(text: str) -> int:
    return int(text) if len(text) <= _MAX_DIGITS else 0


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else 0.0


def _read_file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the file {name!r}: {error.strerror or error}") from None
