"""What a written value says: `${ENV:default}` replaced, then typed by the YAML 1.2 core schema.

YAML 1.1's surprises (`yes`, `012`, `1:30`, `1_000`, dates) are text here, so none becomes another value silently.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple

from axhub.configuration.faults import excerpt
from axhub.configuration.source import Items, Scalar, Section, Style, Value

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NOTHING: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_BRACE: Final = re.compile(r"[{}]")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")


class Shape(Enum):
    """The type a plain value has by its spelling."""

    NOTHING = "nothing"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    DECIMAL = "decimal"
    TEXT = "text"


class Raw(NamedTuple):
    """One value after substitution."""

    text: str
    shape: Shape
    any_text: bool
    """Whether it may be read as text whatever its shape: it is text, or came from an environment variable."""
    written: str
    """As it stands in the file, with `${…}`."""

    @property
    def boolean(self) -> bool:
        """The value of a `Shape.BOOLEAN`."""
        return _BOOLEANS[self.text]


class Substituted(NamedTuple):
    """A text with its `${…}` replaced, and what went wrong, each in a few words."""

    text: str
    problems: tuple[str, ...]


class Reference(NamedTuple):
    """A `${NAME}` or `${NAME:default}` in a text."""

    name: str
    default: str | None
    """As written, with the references in it; None: without a default."""


Own = Callable[[str], Substituted | None]
"""Give the value of a setting by its path, None if it has none; an unknown path is a problem."""


def is_variable_name(name: str) -> bool:
    """Say whether this can be the name of a variable of the environment."""
    return bool(_NAME.fullmatch(name))


def references(text: str) -> Iterator[str | Reference | None]:
    """Take a text apart: the texts between the references, the references, and None for one that is not closed."""
    position = 0
    while (start := text.find("${", position)) >= 0:
        yield text[position:start]
        end = _closing(text, start)
        if end < 0:
            yield None
            return
        name, colon, default = text[start + 2 : end].partition(":")
        yield Reference(name, default if colon else None)
        position = end + 1
    yield text[position:]


def substitute(text: str, environ: Mapping[str, str], own: Own | None = None) -> Substituted:
    """Replace each `${NAME}` and `${NAME:default}`; a default may hold further ones, a variable's value is final.

    A variable that is set to an empty text counts as set. With `own`, a name with a dot is the path of a setting.
    """
    parts: list[str] = []
    problems: list[str] = []
    for part in references(text):
        if part is None:
            return Substituted(text, (*problems, "${ without its closing }"))
        done = _value(part, environ, own) if isinstance(part, Reference) else Substituted(part, ())
        parts.append(done.text)
        problems.extend(done.problems)
    return Substituted("".join(parts), tuple(problems))


def _value(reference: Reference, environ: Mapping[str, str], own: Own | None) -> Substituted:
    name, default = reference
    setting = own is not None and "." in name
    if not setting and not is_variable_name(name):
        return Substituted("", (f"${{{excerpt(name)}}}, which is not a variable's name",))
    if not setting and name in environ:
        return Substituted(environ[name], ())
    if own and setting and (found := own(name)) is not None:
        return found
    if default is not None:
        return substitute(default, environ, own)
    what = "a setting that has no value" if setting else "a variable that is not set"
    return Substituted("", (f"${{{name}}}, {what}, without a default",))


def _closing(text: str, start: int) -> int:
    """Return where the `}` of the `${` at `start` stands, or -1; a default may have pairs of braces of its own."""
    depth = 0
    for match in _BRACE.finditer(text, start):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            return match.start()
    return -1


def typed(scalar: Scalar, text: str) -> Raw:
    """Type a scalar by its spelling after substitution; in quotes it stays text."""
    if scalar.style is Style.QUOTED:
        return Raw(text, Shape.TEXT, True, scalar.text)
    from_environment = scalar.style is Style.VARIABLE or text != scalar.text
    shape = shape_of(text)
    return Raw(text, shape, from_environment or shape is Shape.TEXT, scalar.text)


def shape_of(text: str) -> Shape:
    """Type a plain text by the YAML 1.2 core schema; a number with a leading zero is left as text."""
    if text in _NOTHING:
        return Shape.NOTHING
    if text in _BOOLEANS:
        return Shape.BOOLEAN
    if _INTEGER.fullmatch(text):
        return Shape.INTEGER
    if _DECIMAL.fullmatch(text) and not _LEADING_ZERO.match(text):
        return Shape.DECIMAL
    return Shape.TEXT


def describe(raw: Raw) -> str:
    """Say what was found, for a fault."""
    shown = excerpt(raw.text)
    if raw.shape is Shape.NOTHING:
        found = "nothing"
    elif raw.shape is not Shape.TEXT:
        found = shown
    elif shape_of(raw.text) not in {Shape.TEXT, Shape.NOTHING}:
        found = f'"{shown}" (text, since it stands in quotes)'
    else:
        found = f'"{shown}"'
    return found if raw.written == raw.text else f"{found} (written {excerpt(raw.written)})"


def describe_value(value: Value) -> str:
    """Say what a value that is no single one, or has a tag, is."""
    if isinstance(value, Section):
        return "a section"
    if isinstance(value, Items):
        return "a list"
    return describe(typed(value, value.text))
