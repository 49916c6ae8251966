"""Whether a `parameters_schema` that somebody wrote says what is published, so that nothing has to be written."""

from collections.abc import Mapping
from typing import Any, Final

from axhub.toolkit.promises.known import has_references, text_of
from axhub.toolkit.published.rendering import render

__all__ = ["OWN", "agrees"]

OWN: Final = frozenset({"title", "examples", "$comment"})
"""Keywords that an author may write or leave out as they like."""
_NAMED: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_SETS: Final = frozenset({"required", "enum", "type"})
_NOTHING: Final = object()
_USUAL: Final[Mapping[str, tuple[Any, ...]]] = {
    "required": ([], _NOTHING),
    "additionalProperties": (True, _NOTHING),
    "default": (None, _NOTHING),
}
"""Keywords with the values that say as much as leaving them out."""


def agrees(written: Any, wanted: Any) -> bool:
    """Say whether two schemas say the same.

    Order, titles, examples and how null or a constant is spelled do not count; a description only where both have one.
    """
    if isinstance(written, dict) and not has_references(text_of(written)):
        written = render(written, close=False)
    return _agree(written, wanted)


def _agree(written: Any, wanted: Any) -> bool:
    if not isinstance(written, dict) or not isinstance(wanted, dict):
        return _alike(written, wanted)
    return all(
        _agree_about(keyword, written.get(keyword, _NOTHING), wanted.get(keyword, _NOTHING))
        for keyword in (written.keys() | wanted.keys()) - OWN
    )


def _agree_about(keyword: str, written: Any, wanted: Any) -> bool:
    if keyword == "description":
        return _NOTHING in (written, wanted) or _plain(written) == _plain(wanted)
    if keyword in _SETS:
        return bool(_as_set(keyword, written) == _as_set(keyword, wanted))
    if keyword in _USUAL and any(_is(written, one) for one in _USUAL[keyword]):
        return any(_is(wanted, one) for one in _USUAL[keyword])
    if keyword in _NAMED and isinstance(written, dict) and isinstance(wanted, dict):
        return written.keys() == wanted.keys() and all(_agree(written[name], wanted[name]) for name in written)
    if isinstance(written, list) and isinstance(wanted, list):
        return len(written) == len(wanted) and all(map(_agree, written, wanted))
    return _agree(written, wanted)


def _is(value: Any, other: Any) -> bool:
    return value is other or (isinstance(value, list) and value == other)


def _as_set(keyword: str, value: Any) -> Any:
    if keyword == "type" and isinstance(value, str):
        return frozenset({text_of(value)})
    if keyword == "required" and value is _NOTHING:
        return frozenset()
    return frozenset(map(text_of, value)) if isinstance(value, list) else value


def _alike(one: Any, other: Any) -> bool:
    numbers = [value for value in (one, other) if isinstance(value, int | float) and not isinstance(value, bool)]
    both = 2
    if len(numbers) == both:
        return bool(one == other)
    return _NOTHING not in (one, other) and text_of(one) == text_of(other)


def _plain(text: Any) -> str:
    return " ".join(str(text).split())
