"""Writes the functions between what agents see and the layouts of an MCI interface."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from axhub.toolkit.scaffold.mci.models import Models
from axhub.toolkit.scaffold.mci.parts import Part
from axhub.toolkit.scaffold.python_text import Bracketed, imported

__all__ = ["Direction", "converter_module"]

_MOMENTS: Final = ("datetime", "time")


@dataclass(slots=True)
class Direction:
    """One of the two functions, and those for the groups inside."""

    models: Models
    telegram: str
    """The layout, `CLCNNB00001_I`."""
    parts: Sequence[Part]
    functions: list[str] = field(default_factory=list)
    layouts: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)

    @property
    def asks(self) -> bool:
        """Whether it goes to the system."""
        return self.models.base == "Input"


def converter_module(system: str, request: Direction, response: Direction, places: Mapping[str, str]) -> str:
    """Return the text of the tool's module in `converter`.

    Args:
        system: its name.
        request: from the agent to the system.
        response: from the system to the agent.
        places: the modules of `dto` and `io`.
    """
    _write(request, "to_mci_request(request: {source})", request.parts, "request", "Return the question as a telegram.")
    _write(
        response, "to_response(answer: {source})", response.parts, "answer", "Return the answer in the agent's words."
    )
    dto = _dto_names((request, response))
    standard = "\n".join(imported({"datetime": request.types}))
    own = "\n".join(imported({places["dto"]: dto, places["io"]: request.layouts | response.layouts}))
    head = f'"""Between what agents see and the telegrams of the system {system}: plain functions."""'
    return (
        "\n\n\n".join(
            ("\n\n".join(part for part in (head, standard, own) if part), *request.functions, *response.functions)
        )
        + "\n"
    )


def _dto_names(directions: Iterable[Direction]) -> set[str]:
    return {name for direction in directions for name in (direction.models.words, *direction.models.names.values())}


def _write(direction: Direction, head: str, parts: Sequence[Part], name: str, about: str, group: str = "") -> None:
    """Add a function that makes one object, and before it those for the groups in it."""
    model, layout = group or direction.models.words, direction.telegram
    if group:
        layout = next(layout for (layout, _), known in direction.models.names.items() if known == group)
    direction.layouts.add(layout)
    source, target = (model, layout) if direction.asks else (layout, model)
    items = [f"{part.name if direction.asks else part.seen_as}={_value(direction, part, name)}" for part in parts]
    body = Bracketed(f"return {target}(", items, ")").written(4)
    text = f'def {head.format(source=source)} -> {target}:\n    """{about}"""\n    {body}'
    direction.functions.append(text)


def _value(direction: Direction, part: Part, source: str) -> str:
    whole = f"{source}.{part.seen_as if direction.asks else part.name}"
    if part.type in {"group", "rows"}:
        convert = _helper(direction, part)
        return f"{convert}({whole})" if part.type == "group" else f"[{convert}(row) for row in {whole}]"
    if part.type not in _MOMENTS:
        return whole
    if direction.asks:
        direction.types.add(part.type)
        made: Callable[[str], str] = f"{part.type}.fromisoformat({{}})".format
    else:
        made = "{}.isoformat()".format
    return f"None if {whole} is None else {made(whole)}" if part.optional else made(whole)


def _helper(direction: Direction, part: Part) -> str:
    """Return the function for a group, which is written where it is not there yet."""
    model = direction.models.class_of(part)
    name = "_" + "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in model).lstrip("_")
    if not any(f"def {name}(" in function for function in direction.functions):
        _write(direction, f"{name}(part: {{source}})", part.members, "part", "Convert one part.", model)
    return name
