"""HTML that cannot be broken out of: each text is escaped where it enters, and what people must see is visible."""

import html
import unicodedata
from typing import Final

__all__ = ["Html", "element", "joined", "visible"]

_VOID: Final = frozenset({"input", "link", "meta"})
_UNSEEN: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(chr(point) for point in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Letters and marks that nobody sees."""
_UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})


class Html(str):
    """Text that is HTML already; only `element` and `joined` make it."""

    __slots__ = ()


def element(name: str, /, *content: str, **attributes: str) -> Html:
    """Return an element.

    Args:
        name: of the element.
        content: texts, which are escaped, and elements, which are not.
        attributes: with `_` in place of `-`, and after names that Python keeps for itself; values are escaped.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(value, quote=True)}"' for key, value in attributes.items()
    )
    return Html(f"<{name}{said}>" if name in _VOID else f"<{name}{said}>{joined(*content)}</{name}>")


def joined(*content: str) -> Html:
    """Return texts and elements one after the other."""
    return Html("".join(part if isinstance(part, Html) else html.escape(part, quote=True) for part in content))


def visible(text: str) -> Html:
    """Return a text in which every character can be seen: bidi marks, controls and look-alike blanks by their number.

    A line break and a plain blank stay as they are.
    """
    return joined(*(_mark(one) if _is_unseen(one) else one for one in text))


def _is_unseen(character: str) -> bool:
    if character in {" ", "\n"}:
        return False
    return unicodedata.category(character) in _UNSEEN_CATEGORIES or character in _UNSEEN


def _mark(character: str) -> Html:
    return element("mark", f"[U+{ord(character):04X}]")
