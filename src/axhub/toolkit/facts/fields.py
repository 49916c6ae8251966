"""The fields of request and response models as rules go through them: each declaration once, whoever uses it."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from axhub.toolkit.facts.holders import ENDINGS
from axhub.toolkit.facts.service import Facts, Field, Imported, Kind, Place
from axhub.toolkit.facts.wording import words

__all__ = [
    "Used",
    "answer_fields",
    "beside",
    "input_fields",
    "lacks_its_resource",
    "python_name",
    "request_place",
    "tools",
]


_INPUT: Final = "input_schema_resource"


class Used(NamedTuple):
    """A field where a tool uses it."""

    tool: str
    field: Field
    beside: tuple[Field, ...]
    """The other fields of the same object."""


def tools(facts: Facts) -> Iterator[tuple[str, Imported]]:
    """Yield the imported tools by name, those under development last: what they share is reported for the others."""
    imported = facts.imported or {}
    for name in sorted(imported, key=lambda name: (facts.is_draft(name), name)):
        yield name, imported[name]


def input_fields(facts: Facts) -> Iterator[Used]:
    """Yield each field of the request models once."""
    return _fields(facts, lambda tool: tool.inputs)


def answer_fields(facts: Facts) -> Iterator[Used]:
    """Yield each field of the response models once, but for those of legacy types in them, which TK517 tells."""
    return _fields(facts, _own_outputs)


def beside(field: Field, fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the other fields of the object that a field belongs to."""
    around = field.pointer.rpartition("/")[0]
    return tuple(other for other in fields if other is not field and other.pointer.rpartition("/")[0] == around)


def python_name(field: Field) -> str:
    """Return the attribute's name."""
    return field.python_name or "_".join(words(field.name))


def request_place(facts: Facts, tool: Imported) -> Place:
    """Return where the request model stands, or the tool if that is not known."""
    classes = (found for module in facts.modules for found in module.classes)
    model = next((found.place for found in classes if found.qualified == tool.request), None)
    declared = facts.declared_as(tool.name)
    return model or (declared.place if declared is not None else Place(facts.project.pyproject))


def lacks_its_resource(facts: Facts, tool: Imported) -> bool:
    """Say whether a tool names an input schema that cannot be used (rule/TK403): what it accepts is not known then."""
    declared = facts.declared_as(tool.name)
    given = None if declared is None else declared.arguments.get(_INPUT)
    if given is None:
        return False
    return tool.input_kind is not Kind.RESOURCE or not str(given.value).strip().endswith(ENDINGS[_INPUT])


def _own_outputs(tool: Imported) -> tuple[Field, ...]:
    leaks = [f"{leak.partition(': ')[0].rstrip('/')}/" for leak in tool.leaks]
    return tuple(field for field in tool.outputs if not any(field.pointer.startswith(leak) for leak in leaks))


def _fields(facts: Facts, of: Callable[[Imported], tuple[Field, ...]]) -> Iterator[Used]:
    seen = set()
    for name, tool in tools(facts):
        for field in of(tool):
            key = (field.place, field.model, field.name)
            if key not in seen:
                seen.add(key)
                yield Used(name, field, beside(field, of(tool)))
