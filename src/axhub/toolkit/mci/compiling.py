"""Makes the plan of a layout for the charset of the telegram that it is a part of."""

from typing import Final

from axhub.toolkit.mci.charsets import Coding
from axhub.toolkit.mci.codec import FieldCodec
from axhub.toolkit.mci.dates import date_codec
from axhub.toolkit.mci.declared import Declared
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.fields import Date, Filler, Num, Packed, Rows, Text
from axhub.toolkit.mci.numbers import num_codec, packed_codec
from axhub.toolkit.mci.plan import Plan, Step
from axhub.toolkit.mci.record import Record
from axhub.toolkit.mci.texts import filler_codec, text_codec

__all__ = ["plan_of"]

_DECLARED: Final = "__declared__"
_OWN_CHARSET: Final = "__own_charset__"


def plan_of(owner: type[Record], coding: Coding) -> Plan:
    """Return the plan of a layout class whose fields are declared.

    Args:
        owner: the class.
        coding: of the telegram; parts take it over.

    Raises:
        TypeError: a part has another charset of its own, or an area of a fixed size is for rows without one.
    """
    declared: tuple[Declared, ...] = getattr(owner, _DECLARED)
    return Plan(owner, [_step(owner, field, coding) for field in declared])


def _step(owner: type, field: Declared, coding: Coding) -> Step:
    if field.layout is None:
        try:
            return Step(field, _codec(field, coding))
        except FieldError as fault:
            raise TypeError(f"{owner.__name__}.{field.name}: its pad cannot be written, {fault.words}") from None
    charset = getattr(field.layout, _OWN_CHARSET)
    if charset is not None and charset != coding.charset:
        raise TypeError(
            f"{owner.__name__}.{field.name}: {field.layout.__name__} is in {charset.name}, the telegram in "
            f"{coding.charset.name}; leave the charset of the part out"
        )
    plan = plan_of(field.layout, coding)
    if isinstance(field.note, Rows) and field.note.fixed and plan.size is None:
        raise TypeError(
            f"{owner.__name__}.{field.name}: {field.layout.__name__} varies in size, so its area cannot be fixed; "
            "write fixed=False"
        )
    return Step(field, plan=plan)


def _codec(field: Declared, coding: Coding) -> FieldCodec:
    match field.note:
        case Text():
            return text_codec(field.note, coding, field.optional)
        case Num():
            return num_codec(field.note, field.kind, field.optional)
        case Packed():
            return packed_codec(field.note, field.kind, field.optional)
        case Date():
            return date_codec(field.note, field.optional)
        case Filler():
            return filler_codec(field.note)
        case _:
            raise AssertionError(field.name)
