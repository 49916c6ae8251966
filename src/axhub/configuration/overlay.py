"""Environment over file: `AXHUB_MCP__DISCOVERY__READTIMEOUTMILLIS`, lists by index (gateway/C1).

A variable replaces what the file says about its key, or adds the next item of a list. What is not the name of a key
is a fault, so that a misspelt variable cannot be believed to work. Where names are free (`tools.{}`), the part of the
variable's name means the name that the file writes, compared without case and with `_` for `-` and `.`; a name that
the file does not write is taken in lower case.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from axhub.configuration.faults import Fault, Place, Where, excerpt
from axhub.configuration.flatten import Flat, nearest
from axhub.configuration.table import ANY_NAME, Environment, Segment, Table, folded, is_free_name, joined, segments

_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,3}")
_LEADING: Final = re.compile(r"^(?:__)+")


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    path: str
    """The concrete path that it sets."""
    place: Place


class _Split(NamedTuple):
    """A variable's name taken apart: `BUNDLES__0__ID` has the segments of `bundles[].id` and the indices `["0"]`."""

    place: Place
    segments: list[Segment]
    indices: list[str]

    @property
    def template(self) -> str:
        return ".".join(name + item for name, item in self.segments)


def overlay(flat: Flat, environ: Mapping[str, str]) -> None:
    """Put the variables of the environment over what the file says, and note those that fit nowhere."""
    if flat.table.environment is None:
        return
    variables = _variables(flat, flat.table.environment, environ)
    variables = _grown(flat, variables, nested=False)
    for variable in _grown(flat, variables, nested=True):
        flat.put(variable.path, environ[variable.name], variable.place)


def _variables(flat: Flat, environment: Environment, environ: Mapping[str, str]) -> list[_Variable]:
    found: dict[str, _Variable] = {}
    paths = _paths_by_folded(flat.table)
    for name in sorted(environ):
        if not name.upper().startswith(environment.prefix):
            continue
        place = Place(Where.ENVIRONMENT, excerpt(name))
        split = _split(place, name[len(environment.prefix) :])
        path = _path(flat, split, paths)
        if path is None:
            allowed = _suggestion(flat.table, environment, split, list(paths.values()))
            flat.faults.append(Fault(place, "", "an unknown variable", allowed))
        elif path in found:
            flat.fault(place, path, f"the key a second time (also as {found[path].name})", "each key once")
        else:
            found[path] = _Variable(name, path, place)
    return list(found.values())


def _paths_by_folded(table: Table) -> dict[str, str]:
    """Return the template of each key, or of a list's item, by what a variable's name is compared with."""
    paths = [f"{key.path}[]" if key.many else key.path for key in table.keys]
    return {path.casefold().replace("-", "_"): path for path in paths}


def _split(place: Place, name: str) -> _Split:
    found: list[Segment] = []
    indices = []
    for part in _LEADING.sub("", name).split("__"):
        if not _INDEX.fullmatch(part):
            found.append(Segment(part.casefold(), ""))
            continue
        indices.append(part)
        last = found.pop() if found else Segment("", "")
        found.append(Segment(last.name, f"{last.item}[]"))
    return _Split(place, found, indices)


def _path(flat: Flat, split: _Split, paths: Mapping[str, str]) -> str | None:
    """Return the concrete path that a variable means, None if there is no such key."""
    for pattern, path in paths.items():
        wanted = list(segments(pattern))
        if len(wanted) == len(split.segments) and all(map(_fits, wanted, split.segments)):
            return _filled(flat, path, split)
    return None


def _fits(wanted: Segment, part: Segment) -> bool:
    return wanted.item == part.item and wanted.name in {part.name, ANY_NAME}


def _filled(flat: Flat, template: str, split: _Split) -> str | None:
    """Fill names and indices into a template; None if a name cannot stand there."""
    numbers = iter(split.indices)
    path = ""
    for (name, item), part in zip(segments(template), split.segments, strict=True):
        chosen = _free_name(flat, path, part.name, split.place) if name == ANY_NAME else name
        if name == ANY_NAME and not is_free_name(chosen):
            return None
        path = joined(path, chosen) + (f"[{next(numbers)}]" if item else "")
    return path


def _free_name(flat: Flat, section: str, part: str, place: Place) -> str:
    """Return the name that the file writes and the variable means, or a new one."""
    meant = [name for name in flat.names.get(section, ()) if folded(name) == part]
    if len(meant) > 1:
        found = f"a variable that may mean {' or '.join(meant)}"
        flat.fault(place, section, found, "names that differ in more than case, - _ and .")
    return meant[0] if meant else part


def _suggestion(table: Table, environment: Environment, split: _Split, paths: list[str]) -> str:
    near = nearest(split.template.replace("_", ""), paths)
    if near is None:
        keys = f"a key of {table.root}" if table.root else "a key"
        return f"{environment.prefix}… with the path of {keys}, such as {table.variable(environment.example)}"
    numbers = iter(split.indices)
    filled = re.sub(r"\[\]", lambda _: f"[{next(numbers, '0')}]", near).replace(ANY_NAME, "<name>")
    return f"{table.variable(filled)} (the nearest variable)"


def _grown(flat: Flat, variables: list[_Variable], *, nested: bool) -> list[_Variable]:
    """Let lists grow by the indices that variables name, and return the variables whose items exist then.

    Outer lists are grown before the lists in their items (`nested`).
    """
    wanted: dict[str, dict[int, _Variable]] = {}
    for variable in variables:
        if (item := _item(variable.path, nested)) is not None:
            wanted.setdefault(item[0], {}).setdefault(item[1], variable)
    for path, indices in wanted.items():
        _grow(flat, path, indices)
    return [variable for variable in variables if _exists(flat, variable, nested)]


def _item(path: str, nested: bool) -> tuple[str, int] | None:
    """Return the list and the index in a path: its first ones, or its second ones."""
    found = list(re.finditer(r"\[(\d+)\]", path))
    if len(found) <= nested:
        return None
    return path[: found[nested].start()], int(found[nested].group(1))


def _grow(flat: Flat, path: str, indices: dict[int, _Variable]) -> None:
    length = flat.lengths.get(path, 0)
    while length in indices and path not in flat.broken:
        flat.sections.setdefault(path, indices[length].place)
        flat.sections.setdefault(f"{path}[{length}]", indices[length].place)
        length += 1
    if length:
        flat.lengths[path] = length


def _exists(flat: Flat, variable: _Variable, nested: bool) -> bool:
    item = _item(variable.path, nested)
    if item is None:
        return True
    path, index = item
    length = flat.lengths.get(path, 0)
    if index < length:
        return True
    if flat.broken.isdisjoint((path, "")):
        items = "1 item" if length == 1 else f"{length} items"
        flat.fault(variable.place, variable.path, f"index {index} of a list of {items}", f"the next index, {length}")
    return False
