"""Values by JSON pointer, and the places that they would have in a YAML file in block style."""

from collections.abc import Mapping
from typing import Any

from axhub.toolkit.facts.service import Place


def places_of(values: Any, path: str) -> dict[str, Place]:
    """Return where each value and key would stand in a file that holds `values` in block style."""
    places = {"": Place(path, 1, 1)}
    _place(values, "", places, Place(path, 1, 1))
    return places


def put(values: Any, pointer: str, value: Any) -> None:
    """Set the value at a pointer; the number after a list's last appends."""
    *above, last = _steps(pointer)
    for step in above:
        values = values[step]
    if isinstance(values, list) and last == len(values):
        values.append(value)
    else:
        values[last] = value


def drop(values: Any, pointer: str) -> None:
    """Remove the value at a pointer."""
    *above, last = _steps(pointer)
    for step in above:
        values = values[step]
    del values[last]


def _steps(pointer: str) -> list[Any]:
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    return [int(part) if part.isascii() and part.isdigit() else part for part in parts]


def _place(value: Any, pointer: str, places: dict[str, Place], start: Place) -> int:
    """Note where the parts of a value stand that begins at `start`; return the line after it."""
    line = start.line
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            below = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
            places[f"key:{below}"] = Place(start.file, line, start.column)
            line = _item(item, below, places, Place(start.file, line, start.column), len(f"{key}: "))
        return line
    if isinstance(value, list) and value:
        for index, item in enumerate(value):
            line = _item(item, f"{pointer}/{index}", places, Place(start.file, line, start.column), len("- "))
        return line
    return line + 1


def _item(value: Any, pointer: str, places: dict[str, Place], start: Place, indent: int) -> int:
    nested = isinstance(value, Mapping | list) and bool(value)
    at = Place(start.file, start.line + 1, start.column + 2) if nested else start._replace(column=start.column + indent)
    places[pointer] = at
    return _place(value, pointer, places, at)
