"""What stands in the source of a Tool Service, as plain values with their places; part of `facts.service`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Generic, NamedTuple, TypeVar

__all__ = [
    "TOO_LARGE",
    "Allowance",
    "Allowed",
    "Call",
    "Class",
    "Function",
    "Import",
    "Layer",
    "Literal",
    "Located",
    "Module",
    "Place",
]

TOO_LARGE: Final = "too large: "
"""Begins the problem of a source file that is not read for its size, which follows (rule/TK001)."""
_T = TypeVar("_T")


class Place(NamedTuple):
    """Where something stands; line and column count from 1, 0 is unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part)


@dataclass(frozen=True, slots=True)
class Located(Generic[_T]):
    """A value and where it was written."""

    value: _T
    place: Place


class Layer(Enum):
    """What a module is, by its folder (toolkit/T4)."""

    DTO = "dto"
    CONVERTER = "converter"
    USECASE = "usecase"
    CLIENT = "client"
    """`infra/http/{api}/` and `infra/mci/{system}/`, but for their `io` and `envelope`."""
    ENVELOPE = "envelope"
    """How the telegrams of one MCI system are put together: `infra/mci/{system}/envelope`."""
    IO = "io"
    """Telegrams and HTTP bodies."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module or name."""

    module: str
    """Absolute dotted name: of `from a.b import c` it is `a.b`."""
    name: str
    """`c`; empty for `import a.b`."""
    place: Place
    local: str = ""
    """What it is called in this module."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call in the source."""

    callee: str
    """As written: `logger.info`, `ClaimRequest`."""
    resolved: str
    """The callee with imported names resolved: `app.infra.http.claim.io.ClaimRequest`; as written where unknown."""
    function: str
    """Qualified name of the function around it; empty at module level."""
    arguments: tuple[str, ...]
    """Names and attribute chains passed, as written; `*` and other expressions as their source."""
    keywords: Mapping[str, str]
    """Keyword arguments as source text."""
    place: Place


@dataclass(frozen=True, slots=True)
class Literal:
    """One text or number literal outside docstrings."""

    value: str | int | float
    name: str
    """What it is given to: the variable, keyword or attribute name; empty if none."""
    place: Place


@dataclass(frozen=True, slots=True)
class Class:
    """One class."""

    name: str
    qualified: str
    """`package.biz.cmm.dto.ClaimItem`."""
    bases: tuple[str, ...]
    """Resolved names."""
    decorators: tuple[str, ...]
    constants: Mapping[str, Located[str]]
    """Attributes that are given a text literal, as `API_NAME = "insurance"`."""
    annotations: Mapping[str, Located[str]]
    """Annotated attributes, with the source of the annotation."""
    methods: tuple[str, ...]
    place: Place
    held: Mapping[str, str] = field(default_factory=dict)
    """What its constructor keeps: attributes with the resolved annotation of the parameter that they are given."""
    computed: Mapping[str, Place] = field(default_factory=dict)
    """Attributes that are given a text which is put together here, with where that stands."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method."""

    name: str
    qualified: str
    parameters: Mapping[str, Located[str]]
    """Names with the resolved source of their annotations (empty if none)."""
    returns: Located[str]
    is_async: bool
    place: Place
    made: Mapping[str, str] = field(default_factory=dict)
    """Local variables that are given the result of a call, with what is called, resolved."""
    reads: Mapping[str, Place] = field(default_factory=dict)
    """Environment variables that it reads itself, as in `Module.environment`, with the first place."""
    awaits: bool = False
    """Whether it is not async and awaits something all the same, which Python refuses."""


@dataclass(frozen=True, slots=True)
class Module:
    """One source file of the package."""

    path: str
    name: str
    """Dotted."""
    layer: Layer
    part: str
    """The category of `biz/{category}`, the api or system of `infra/…/{name}`; empty elsewhere."""
    imports: tuple[Import, ...] = ()
    calls: tuple[Call, ...] = ()
    literals: tuple[Literal, ...] = ()
    classes: tuple[Class, ...] = ()
    functions: tuple[Function, ...] = ()
    environment: tuple[Located[str], ...] = ()
    """Environment variables that are read by a literal name, or by a name that stands for one and nothing else."""
    defaulted: frozenset[str] = frozenset()
    """Those of them that are read with a default wherever they are read."""
    hides_environment: bool = False
    """Whether it reads a variable whose name cannot be followed."""

    @property
    def is_mci(self) -> bool:
        """Whether it belongs to an MCI system."""
        return ".infra.mci." in f"{self.name}."


class Allowed(Enum):
    """What became of an allowance once the other rules had run."""

    USED = "used"
    UNUSED = "unused"
    """The rule finds nothing there."""
    UNKNOWN = "unknown"
    """There is no rule with this id."""
    REFUSED = "refused"
    """The rule holds without exception."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """One comment `# axhub: allow TK105 -- reason`, which keeps a finding out of the count."""

    place: Place
    """Of the comment."""
    rules: tuple[str, ...]
    """The ids it names; empty if it cannot be read."""
    reason: str
    """Why; empty if it is missing."""
    first: int
    """The first line it stands for."""
    last: int
    """The last one: of a comment on a line of its own, the next line with anything else."""
    outcome: Mapping[str, Allowed] | None = None
    """What became of each id; None before the other rules have run."""
