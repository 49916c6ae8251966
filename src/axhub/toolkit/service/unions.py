"""How much work one value of a tool's arguments can make, which its unions multiply (threat/T17).

Without a discriminator a value is read as each branch of a union, and whatever is wrong with each is noted before the
branch that fits is known. So the number of values that a call may have falls with the width of its widest union; what
most services have, two or three branches or a discriminator, costs nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import SchemaValidator

__all__ = ["Work", "failing_fast", "work_of"]

_NO_SCHEMAS: Final = frozenset({"cls", "config", "default", "expected", "metadata", "serialization"})
"""Members of a core schema that have no schemas of arguments inside them."""
_EMPTY_MARKS: Final = 2
"""Values that an empty object counts for, with the comma before it."""
_COLLECTIONS: Final = frozenset({"dict", "frozenset", "list", "set", "tuple"})


@dataclass(frozen=True, slots=True)
class Work:
    """What one value of the arguments costs at the most, in faults that are noted."""

    valid: float
    """Of arguments that are taken in the end: in the branches that do not fit."""
    invalid: float
    """Of those that are refused."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """One branch."""

    names: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()

    @property
    def marks(self) -> int:
        """How many values it has at least when it is taken."""
        return max(1, len(self.needed) + 1)

    def cost(self, others: "list[_Shape]") -> int:
        """Return how many faults the other branches find in a value of this one."""
        faults = (len(other.needed - self.names) + len(self.needed - other.names) + 1 for other in others)
        optional = max(
            (sum(name not in other.names for other in others) for name in self.names - self.needed), default=0
        )
        return sum(faults) - 1 + optional  # it is among them


def work_of(model: type[BaseModel]) -> Work:
    """Return the work of the values of a request model."""
    return _Measuring(model.__pydantic_core_schema__).work()


def failing_fast(model: type[BaseModel]) -> SchemaValidator:
    """Return a validator that ends with the first item of a list, or member of a mapping, that is wrong."""
    schema: Any = _fast(model.__pydantic_core_schema__)
    return SchemaValidator(schema, _use_prebuilt=False)  # else models inside are read by validators of their own


def _fast(schema: Any) -> Any:
    if isinstance(schema, list | tuple):
        return type(schema)(map(_fast, schema))
    if not isinstance(schema, dict):
        return schema
    changed = {name: value if name in _NO_SCHEMAS else _fast(value) for name, value in schema.items()}
    return {**changed, "fail_fast": True} if schema.get("type") in _COLLECTIONS else changed


class _Measuring:
    """One core schema while it is measured."""

    def __init__(self, schema: Any) -> None:
        self._definitions: dict[str, Any] = {one["ref"]: one for one in _parts(schema) if "ref" in one}
        self._root = schema

    def work(self) -> Work:
        valid, invalid = 0.0, 1.0
        for part, times in self._walked(self._root, 1, frozenset()):
            shapes = [self._shape(branch) for branch in _branches(part)]
            if shapes:
                costs = (shape.cost(shapes) / shape.marks for shape in shapes)
                valid = max(valid, times * max(costs))
                empty = sum(len(shape.needed) + 1 for shape in shapes) / _EMPTY_MARKS
                invalid = max(invalid, times * max(empty, len(shapes)))
            elif part.get("type") == "model-fields":
                invalid = max(invalid, times * len(_needed(part)) / _EMPTY_MARKS)
        return Work(valid, invalid)

    def _walked(self, schema: Any, times: int, around: frozenset[str]) -> Iterator[tuple[Mapping[str, Any], int]]:
        """Yield each schema with how often a value there is read."""
        if isinstance(schema, list | tuple):
            for one in schema:
                yield from self._walked(one, times, around)
        if not isinstance(schema, dict):
            return
        reference = schema.get("schema_ref") if schema.get("type") == "definition-ref" else None
        if reference is not None:
            if reference not in around:
                yield from self._walked(self._definitions.get(reference), times, around | {reference})
            return
        yield schema, times
        inside = times * max(1, len(_branches(schema)))
        for name, value in schema.items():
            if name not in _NO_SCHEMAS and not (name == "definitions" and schema.get("type") == "definitions"):
                yield from self._walked(value, inside, around)

    def _shape(self, branch: Any, depth: int = 0) -> _Shape:
        """Return the members of an object that a branch is; nothing of any other branch."""
        if not isinstance(branch, dict) or depth > len(self._definitions) + 16:
            return _Shape()
        if branch.get("type") == "model-fields":
            return _Shape(frozenset(branch["fields"]), frozenset(_needed(branch)))
        if branch.get("type") == "definition-ref":
            return self._shape(self._definitions.get(branch["schema_ref"]), depth + 1)
        return self._shape(branch.get("schema"), depth + 1)


def _branches(schema: Mapping[str, Any]) -> list[Any]:
    choices = schema.get("choices", ()) if schema.get("type") == "union" else ()
    return [one[0] if isinstance(one, tuple) else one for one in choices]


def _needed(fields: Mapping[str, Any]) -> list[str]:
    return [name for name, field in fields["fields"].items() if field["schema"].get("type") != "default"]


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema inside a schema."""
    if isinstance(schema, list | tuple):
        for one in schema:
            yield from _parts(one)
    elif isinstance(schema, dict):
        yield schema
        for name, value in schema.items():
            if name not in _NO_SCHEMAS:
                yield from _parts(value)
