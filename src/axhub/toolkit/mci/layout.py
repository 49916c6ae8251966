"""The base class of all layouts (toolkit/B1).

A layout is a class with one annotated field after another. Making the class works out once where each field lies and
how it is read and written; a declaration that cannot be laid out is a TypeError that names class, field and mend.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias, dataclass_transform

from axhub.toolkit.mci.charsets import CHARSETS, Charset, Coding
from axhub.toolkit.mci.compiling import plan_of
from axhub.toolkit.mci.declared import Declared, declared_fields
from axhub.toolkit.mci.errors import FieldError, TelegramError
from axhub.toolkit.mci.fields import Date, Filler, Num, Packed, Rows, Text
from axhub.toolkit.mci.plan import Plan
from axhub.toolkit.mci.record import Record, new_record, put_values, values_of
from axhub.toolkit.mci.tables import layout_table, telegram_table
from axhub.toolkit.mci.walking import FaultyValueError, check_value, read_cells

__all__ = ["Layout", "LayoutField"]

_DEFAULT: Final = "euc-kr"
_MASK: Final = "***"
_LayoutType: TypeAlias = "type[Layout] | None"


@dataclass(frozen=True, slots=True)
class LayoutField:
    """One field of a layout, for those that look at layouts."""

    name: str
    offset: int | None
    """Bytes before it; None: that varies, since rows that vary in number stand before it."""
    size: int | None
    """Bytes; None: that varies."""
    kind: str
    """Name of the note's class, or `Group`."""
    note: Text | Num | Packed | Date | Filler | Rows | None
    """None: a group."""
    type: type
    """Of its values, without `| None`; of rows list or tuple, of a filler the type of None."""
    optional: bool
    """Whether the value can be None."""
    layout: _LayoutType
    """Of a group or a row."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Layout(Record):
    """A telegram, or a part of one.

    ```python
    class CLCNNB00001_I(Layout, id="CLCNNB00001"):
        claim_no: Annotated[str, Text(16)]
    ```

    Values are made with keywords only, do not change, are equal if all their fields are, and print without what they
    hold. A count of rows that is not given is taken from the rows.
    """

    layout_id: ClassVar[str] = ""
    """The interface id; empty: a part, such as a row or a header."""
    layout_size: ClassVar[int | None] = None
    """Bytes; None: that varies."""
    layout_fields: ClassVar[tuple[LayoutField, ...]] = ()

    __charset__: ClassVar[str] = _DEFAULT
    __coding__: ClassVar[Coding] = Coding(CHARSETS[_DEFAULT])
    __own_charset__: ClassVar[Charset | None] = None
    __declared__: ClassVar[tuple[Declared, ...]] = ()
    __defaults__: ClassVar[dict[str, Any]] = {}
    __plan__: ClassVar[Plan]

    def __init_subclass__(
        cls,
        *,
        id: str = "",  # noqa: A002 - it reads as `class X(Layout, id="…")`
        charset: str | Charset | None = None,
        size: int | None = None,
        substitutions: bool | None = None,
        **options: Any,
    ) -> None:
        """Work the layout out.

        Args:
            id: the interface id.
            charset: `euc-kr` (KS X 1001 alone), `cp949`, `utf-8` or one of the service's own; None: that of the base
                class, and inside another layout that of the telegram.
            size: what its bytes have to be together; checked.
            substitutions: whether ₩, the no-break space and — are written as ￦, a space and ―.
            **options: for other base classes.

        Raises:
            TypeError: it cannot be laid out.
        """
        super().__init_subclass__(**options)
        if not isinstance(id, str):
            raise TypeError(f"{cls.__name__}: id={id!r} is no text; write it in quotation marks")
        own = cls.__own_charset__ if charset is None else _charset(cls, charset)
        replacing = cls.__coding__.substitutions if substitutions is None else substitutions
        cls.layout_id, cls.__own_charset__ = id, own
        cls.__coding__ = Coding(own or CHARSETS[_DEFAULT], replacing)
        cls.__charset__ = cls.__coding__.charset.name
        cls.__declared__ = declared_fields(cls, Layout)
        cls.__plan__ = plan_of(cls, cls.__coding__)
        if size is not None and size != cls.__plan__.size:
            raise TypeError(f"{cls.__name__}: size={size!r}, and {_said_size(cls.__plan__)}")
        cls.layout_size = cls.__plan__.size
        cls.layout_fields = _fields(cls.__plan__)
        cls.__defaults__ = cls.__defaults__ | _defaults(cls)
        _check_defaults(cls)
        for at, field in enumerate(cls.__declared__):
            setattr(cls, field.name, _reading(at))

    def __init__(self, /, **values: Any) -> None:
        """Take the values of all fields by name; those with a default, fillers and counts of rows can be left out.

        Raises:
            TypeError: a name is missing, or is not one of a field.
        """
        given = {**self.__defaults__, **values}
        for field in self.__declared__:
            if isinstance(field.note, Rows):
                rows = given.get(field.name)
                if isinstance(rows, list | tuple):
                    given[field.name] = field.kind(rows)  # nobody else has this sequence
                if field.note.count and field.note.count not in values:
                    given[field.note.count] = len(rows) if isinstance(rows, list | tuple) else 0
        names = [field.name for field in self.__declared__]
        if missing := [name for name in names if name not in given]:
            raise TypeError(f"{type(self).__name__} lacks {', '.join(missing)}")
        if unknown := [name for name in values if name not in names]:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(unknown)}")
        put_values(self, tuple(given[name] for name in names))

    @classmethod
    def decode(cls, raw: bytes | bytearray | memoryview, *, exact: bool = True) -> Self:
        """Return the value of a telegram.

        Args:
            raw: its bytes; how many they are is looked at before anything else.
            exact: whether more bytes than the layout has are an error; False: they are not looked at.

        Raises:
            TelegramError: the bytes are no such telegram.
        """
        raw, plan = bytes(raw), cls.__plan__
        if len(raw) != plan.size:
            _check_length(cls, len(raw), exact)
            raw = raw[: plan.size]
        try:
            if plan.size is not None:
                made: Self = plan.read(raw)
                return made
            made, end = plan.read_at(raw, 0)
            if end == len(raw) or not exact:
                return made
            words = f"{len(raw)} bytes came, and its rows end at {end}"
            fault = FieldError("length", words, limit=end, length=len(raw))
            raise TelegramError(cls.__name__, "", 0, fault)
        except FieldError:
            pass
        raise _unreadable(cls, raw)  # out here, so that nothing behind it holds bytes of the telegram

    def encode(self) -> bytes:
        """Return the bytes.

        Raises:
            TelegramError: a value does not go into its field, or a given count is not that of the rows.
        """
        try:
            return self.__plan__.write(self)
        except FieldError:
            pass
        raise _unwritable(self)

    @classmethod
    def table(
        cls,
        raw: bytes | bytearray | memoryview | None = None,
        *,
        unmask: bool = False,
        lang: Literal["en", "ko"] = "en",
        base: int = 0,
    ) -> str:
        """Return lines for people: offset, bytes and name of each field; of a telegram also its values.

        A field that cannot be read shows what is wrong with it, so any bytes can be looked at.

        Args:
            raw: a telegram; None: the layout alone.
            unmask: show values; they are masked otherwise.
            lang: of the headings and remarks.
            base: what offsets begin with, if this is a section of a longer telegram.
        """
        if raw is None:
            return layout_table(cls.__plan__, lang, base)
        return telegram_table(cls.__plan__, bytes(raw), lang, base, unmask)

    def __replace__(self, /, **changes: Any) -> Self:
        """Return a copy with other values; counts of rows that are not among them are taken from the rows."""
        counts = {field.note.count for field in self.__declared__ if isinstance(field.note, Rows)}
        names = [field.name for field in self.__declared__]
        kept = {name: value for name, value in zip(names, values_of(self), strict=True) if name not in counts}
        return type(self)(**{**kept, **changes})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and values_of(other) == values_of(self)

    def __hash__(self) -> int:
        return hash((type(self), values_of(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), values_of(self))

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={_MASK}" for field in self.__declared__ if not isinstance(field.note, Filler))
        return f"{type(self).__name__}({shown})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} does not change; make another value")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} does not change; make another value")


def _charset(owner: type, charset: str | Charset) -> Charset:
    if isinstance(charset, Charset):
        return charset
    if charset not in CHARSETS:
        raise TypeError(f"{owner.__name__}: charset={charset!r} is not known; write {', '.join(CHARSETS)} or a Charset")
    return CHARSETS[charset]


def _said_size(plan: Plan) -> str:
    if plan.size is None:
        return "its rows vary in number; leave size out"
    return f"its fields have {plan.size} bytes; correct one of them"


def _fields(plan: Plan) -> tuple[LayoutField, ...]:
    fields = []
    offset: int | None = 0
    for step in plan.steps:
        one = step.declared
        kind = "Group" if one.note is None else type(one.note).__name__
        fields.append(LayoutField(one.name, offset, step.size, kind, one.note, one.kind, one.optional, one.layout))
        offset = None if offset is None or step.size is None else offset + step.size
    return tuple(fields)


def _defaults(owner: "type[Layout]") -> dict[str, Any]:
    """Return what stands behind `=` in the class itself; a filler needs nothing there."""
    own = {field.name: vars(owner)[field.name] for field in owner.__declared__ if field.name in vars(owner)}
    return {field.name: None for field in owner.__declared__ if isinstance(field.note, Filler)} | own


def _check_defaults(owner: "type[Layout]") -> None:
    """Refuse a default that its field never takes; which characters it takes may depend on the telegram around it."""
    for step in owner.__plan__.steps:
        if step.codec is None or step.name not in owner.__defaults__:
            continue
        try:
            step.codec.write(owner.__defaults__[step.name])
        except FieldError as fault:
            words = None if fault.kind == "charset" else fault.words
        else:
            words = None
        if words is not None:
            raise TypeError(f"{owner.__name__}.{step.name}: its default does not go into it, {words}; correct it")


def _reading(at: int) -> property:
    """Return what reads one field of a value."""
    return property(lambda value: values_of(value)[at])


def _restored(owner: "type[Layout]", values: tuple[Any, ...]) -> "Layout":
    """Return a value that was stored."""
    made: Layout = new_record(owner)
    put_values(made, values)
    return made


def _check_length(owner: type[Layout], length: int, exact: bool) -> None:
    plan = owner.__plan__
    if length < plan.least or (exact and plan.size is not None and length > plan.size):
        least = "" if plan.size is not None else "at least "
        words = f"{length} bytes came, and {least}{plan.least} are laid down"
        raise TelegramError(owner.__name__, "", 0, FieldError("length", words, limit=plan.least, length=length))


def _unreadable(owner: type[Layout], raw: bytes) -> TelegramError:
    for cell in read_cells(owner.__plan__, raw):
        if cell.fault is not None:
            return TelegramError(owner.__name__, cell.path, cell.offset, cell.fault)
    raise AssertionError(owner.__name__)


def _unwritable(value: Layout) -> TelegramError:
    try:
        check_value(value.__plan__, value)
    except FaultyValueError as found:
        return TelegramError(type(value).__name__, found.path, found.offset, found.fault)
    raise AssertionError(type(value).__name__)
