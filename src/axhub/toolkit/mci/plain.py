"""Values of layouts as JSON has them, for samples and for showing: objects, lists, texts, numbers and null.

Decimals are whole numbers or texts, never floats; dates and times are ISO 8601 texts.
"""

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from axhub.toolkit.mci.declared import Declared
from axhub.toolkit.mci.fields import Filler, Rows
from axhub.toolkit.mci.layout import Layout

__all__ = ["from_plain", "to_plain"]

_L = TypeVar("_L", bound=Layout)


def from_plain(layout: type[_L], members: Mapping[str, Any]) -> _L:
    """Return a value of a layout from its plain form; counts of rows, fillers and defaults can be left out.

    Raises:
        ValueError: a member is missing, unknown or of another kind; the text names its place, never its value.
    """
    return _layout(layout, members, "")


def to_plain(value: Layout) -> dict[str, Any]:
    """Return the plain form of a value; fillers are left out."""
    return {
        field.name: _plain(getattr(value, field.name))
        for field in value.__declared__
        if not isinstance(field.note, Filler)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Layout):
        return to_plain(value)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return format(value, "f") if isinstance(value, Decimal) else value


def _layout(layout: type[_L], members: Any, place: str) -> _L:
    if not isinstance(members, Mapping):
        raise ValueError(_said(place, f"an object of {layout.__name__} has to be here"))  # noqa: TRY004 - data, not code
    fields = {field.name: field for field in layout.__declared__ if not isinstance(field.note, Filler)}
    if unknown := [name for name in members if name not in fields]:
        raise ValueError(_said(_inside(place, unknown[0]), f"{layout.__name__} has no such field"))
    values = {name: _value(fields[name], one, _inside(place, name)) for name, one in members.items()}
    try:
        return layout(**values)
    except TypeError as error:
        lacking = str(error)
    raise ValueError(_said(place, lacking))


def _value(field: Declared, found: Any, place: str) -> Any:
    if field.layout is not None and isinstance(field.note, Rows):
        if not isinstance(found, list | tuple):
            raise ValueError(_said(place, "a list has to be here"))
        return [_layout(field.layout, one, f"{place}[{at}]") for at, one in enumerate(found)]
    if field.layout is not None:
        return _layout(field.layout, found, place)
    if found is None and field.optional:
        return None
    try:
        return _read(field.kind, found)
    except (ValueError, InvalidOperation):
        pass
    raise ValueError(_said(place, f"{_EXPECTED[field.kind]} has to be here"))


def _read(kind: type, found: Any) -> Any:
    """Return a value of one of the types that fields have.

    Raises:
        ValueError, InvalidOperation: it is none.
    """
    if kind is Decimal and isinstance(found, str | int) and not isinstance(found, bool):
        return Decimal(found)
    if isinstance(found, str) and kind in _MOMENTS:
        return kind.fromisoformat(found)
    if type(found) is kind:
        return found
    raise ValueError(kind.__name__)


_MOMENTS = (date, datetime, time)
_EXPECTED: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    Decimal: "a whole number, or a text with a decimal number,",
    date: "a text such as 2026-01-31",
    datetime: "a text such as 2026-01-31T09:00:00",
    time: "a text such as 09:00:00",
}


def _inside(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _said(place: str, words: str) -> str:
    return f"{place}: {words}" if place else words
