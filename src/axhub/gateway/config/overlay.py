"""Environment over file: `AXHUB_MCP__DISCOVERY__READTIMEOUTMILLIS`, lists by index (gateway/C1).

A variable replaces what the file says about its key, or adds the next item of a list. What is not the name of a key
is a fault, so that a misspelt variable cannot be believed to work.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from axhub.gateway.config.faults import Fault, Place, Where, excerpt
from axhub.gateway.config.flatten import Entry, Flat, nearest
from axhub.gateway.config.keys import KEYS, ROOT
from axhub.gateway.config.source import Scalar, Style

PREFIX: Final = "AXHUB_MCP__"
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,3}")
_BY_FOLDED: Final = {path.casefold(): path for path in (f"{key.path}[]" if key.many else key.path for key in KEYS)}


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    path: str
    """The concrete path that it sets."""
    place: Place


def variable_name(path: str) -> str:
    """Return the variable that sets the key at a concrete path: `bundles[0].id` is `AXHUB_MCP__BUNDLES__0__ID`."""
    return PREFIX + path.replace("[", "__").replace("]", "").replace(".", "__").upper()


def overlay(flat: Flat, environ: Mapping[str, str]) -> None:
    """Put the variables of the environment over what the file says, and note those that fit nowhere."""
    variables = _variables(flat, environ)
    variables = _grown(flat, variables, nested=False)
    for variable in _grown(flat, variables, nested=True):
        scalar = Scalar(environ[variable.name], variable.place, Style.VARIABLE)
        flat.entries[variable.path] = Entry(scalar, variable.place)
        flat.broken.discard(variable.path)


def _variables(flat: Flat, environ: Mapping[str, str]) -> list[_Variable]:
    found: dict[str, _Variable] = {}
    for name in sorted(environ):
        if not name.upper().startswith(PREFIX):
            continue
        place = Place(Where.ENVIRONMENT, excerpt(name))
        path = _path(name)
        if path is None:
            flat.faults.append(Fault(place, "", "an unknown variable", _suggestion(name)))
        elif path in found:
            flat.fault(place, path, f"the key a second time (also as {found[path].name})", "each key once")
        else:
            found[path] = _Variable(name, path, place)
    return list(found.values())


def _split(name: str) -> tuple[str, list[str]]:
    """Split a variable's name into a folded template and its indices: `bundles[].id`, `["0"]`."""
    folded = ""
    indices = []
    for part in name[len(PREFIX) :].split("__"):
        if _INDEX.fullmatch(part):
            folded += "[]"
            indices.append(part)
        else:
            folded += ("." if folded else "") + part.casefold()
    return folded, indices


def _filled(path: str, indices: list[str]) -> str:
    numbers = iter(indices)
    return re.sub(r"\[\]", lambda _: f"[{next(numbers, '0')}]", path)


def _path(name: str) -> str | None:
    folded, indices = _split(name)
    path = _BY_FOLDED.get(folded)
    return None if path is None else _filled(path, indices)


def _suggestion(name: str) -> str:
    folded, indices = _split(name)
    near = nearest(folded.replace("_", ""), list(_BY_FOLDED.values()))
    if near is None:
        return f"{PREFIX}… with the path of a key of {ROOT}, such as {variable_name('discovery.enabled')}"
    return f"{variable_name(_filled(near, indices))} (the nearest variable)"


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
