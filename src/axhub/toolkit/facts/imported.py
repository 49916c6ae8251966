"""What the models of a service's tools are, as an import of the package shows them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from axhub.toolkit.facts.source import Located, Place

__all__ = ["FAILED", "Field", "Imported", "Kind", "Shape"]

FAILED: Final = "the request model fails with "
"""What begins the answer to an example at which the request model raises what it must not (`Imported.examples`)."""


class Shape(Enum):
    """What kind of value a field holds."""

    TEXT = "text"
    CODE = "code"
    """One of a closed set: `Literal` or `Enum`."""
    NUMBER = "number"
    SWITCH = "switch"
    OBJECT = "object"
    """A model of its own."""
    LIST = "list"
    OPEN = "open"
    """`dict`, `Any`, `object`, or a union that is not just nullable."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a request or response model, at any depth."""

    pointer: str
    """Into the value, with `*` for any item of a list: `/items/*/status`."""
    name: str
    """On the wire."""
    model: str
    """Qualified name of the model class."""
    place: Place
    """Where the field is declared."""
    shape: Shape
    item: Shape | None = None
    """Of a list: what its items are."""
    description: str = ""
    nullable: bool = False
    required: bool = True
    default_null: bool = False
    masked: str | None = None
    """The reason given to `masked`, if that stands there."""
    pattern: str | None = None
    python_name: str = ""
    codes: tuple[Any, ...] = ()
    """Of a code: the values that are allowed, as they are written, without null."""


class Kind(Enum):
    """Where a published schema comes from (seed 003 §6, §7)."""

    RESOURCE = "resource"
    MODEL = "model"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Imported:
    """What the models of one tool are, known after the import."""

    name: str
    input_schema: Any
    """As it would be published, from its resource or its model (toolkit/T7)."""
    input_kind: Kind
    model_schema: Any
    """The input schema of the request model alone."""
    output_schema: Any
    """As it would be validated against; None without one."""
    output_kind: Kind
    answer_schema: Any
    """The schema of the response model, declared or not."""
    request: str = ""
    """Qualified name of the request model; empty for a tool without arguments."""
    response: str = ""
    """Qualified name, or source text of the annotation where it is no model."""
    response_is_model: bool = True
    inputs: tuple[Field, ...] = ()
    outputs: tuple[Field, ...] = ()
    leaks: tuple[str, ...] = ()
    """Types in the answer that are telegrams, HTTP bodies, `dict` or `Any`: pointer and type, `/items: ClaimBody`."""
    examples: Mapping[str, str | None] = field(default_factory=dict)
    """Each example of the definition (`valid/0`, `invalid/1`) with what the tool says to it; None: accepted."""
    sample_runs: Mapping[str, str | None] = field(default_factory=dict)
    """Each sample file of the tool that was converted, by path, with what is wrong; None: its answer fits (rule/TK503).

    The tool runs with the definition's first valid example as arguments, and its client answers with the sample.
    """
    lacks_example: bool = False
    """Whether its samples were not tried, since neither the definition nor the fields have an example of a call."""
    reaches: Located[str] | None = None
    """What it reached for while it was tried, which a check refuses: `file`, `socket` or `process`, with the line."""
    untried: str = ""
    """Why it was not run on its samples: `writes`, `unknown` (whether it writes), `hintless` (no
    `category_key`, so its definition is not found), `provided` (by the app), `opened`
    (before the first call), or `constructor` with the class whose constructor does more than to keep what it is
    given."""
