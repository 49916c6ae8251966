"""Messages filled in with what was found; values come from other people's files and stay on one line."""

import re
from collections.abc import Mapping
from typing import Final

from axhub.toolkit.rules.model import Breach, Rule

__all__ = ["rendered", "shown"]

_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)
_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_MAX_VALUE: Final = 2_000


def shown(text: str) -> str:
    """Return a text with everything that is not seen, or that a terminal obeys, as an escape."""
    return _UNSEEN.sub(lambda match: _ESCAPES.get(match[0]) or _escape(match[0]), text)


def rendered(rule: Rule, breach: Breach) -> Mapping[str, tuple[str, str]]:
    """Return problem and mend of a breach by language.

    Raises:
        LookupError: the rule has no such message, or a message names a value that is not there.
    """
    message = rule.messages[breach.variant]
    values = {name: _value(value) for name, value in breach.values.items()}
    return {
        "en": (message.problem.en.format_map(values), message.mend.en.format_map(values)),
        "ko": (message.problem.ko.format_map(values), message.mend.ko.format_map(values)),
    }


def _value(value: str | int) -> str | int:
    if not isinstance(value, str):
        return value
    return shown(value if len(value) <= _MAX_VALUE else f"{value[:_MAX_VALUE]}…")


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 - the sizes of Python's own escapes
