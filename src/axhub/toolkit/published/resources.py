"""Schema resources: which file a declaration names, and what is in it (seed 003 §6.2, §7, decision/D26)."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from axhub.configuration.faults import ConfigError
from axhub.configuration.source import Items, Section, Value, read_yaml
from axhub.contract.duplicates import find_duplicates
from axhub.contract.jsontext import JsonTextError, check_text, compact, read_values
from axhub.contract.schema import check_schema
from axhub.contract.schema_walk import pointer as json_pointer
from axhub.toolkit.facts.service import Located, Place, Resource
from axhub.toolkit.layout import RESOURCES

__all__ = ["find_resource", "read_resource", "resource_path", "schema_problem"]

_MAX_PLACES: Final = 20_000
_BYTE: Final = re.compile("byte ([0-9]+)")
_SCHEME: Final = "classpath:"
_PATH: Final = re.compile(r"/?(?:[^/]+/)*?tool[-_]schemas/(?P<below>[^\\]+\.json)")


def resource_path(written: str) -> str | None:
    """Return the path below the package's folder that a declaration means, or None if it names no such file.

    `tool_schemas/cmm/claim-input-schema.json`, also with seed 003's `classpath:` and `tool-schemas`.
    """
    found = _PATH.fullmatch(written.strip().removeprefix(_SCHEME))
    if found is None or {"", ".", ".."} & set(found["below"].split("/")):
        return None
    return f"{RESOURCES}/{found['below']}"


def find_resource(folder: Path, root: Path, written: str) -> Resource:
    """Read the resource that a declaration names.

    Args:
        folder: the package's folder.
        root: what the paths of places are relative to.
        written: as the declaration has it.
    """
    path = resource_path(written)
    if path is None or not (folder / path).is_file():
        shown = path or f"{RESOURCES}/…/….json"
        problem = f"there is no such file: {written!r}" + ("" if path is None else f" (looked for {path})")
        return Resource(shown, None, Located(problem, Place(shown)), packaged=False)
    file = folder / path
    shown = file.relative_to(root).as_posix() if file.is_relative_to(root) else path
    return read_resource(file.read_bytes(), shown)


def read_resource(content: bytes, path: str) -> Resource:
    """Read one file; its `problem` says why it is no JSON. Whether it is a schema is looked at by `schema_problem`.

    Args:
        content: the file's bytes.
        path: as places name it.
    """
    try:
        text = compact(content)
        check_text(content)
    except JsonTextError as error:
        return Resource(path, None, Located(str(error), _place_of_error(content, path, error)))
    places = _places(content, path)
    duplicate = _first_duplicate(text)
    if duplicate is not None:
        at = places.get(duplicate.rpartition("/")[0], Place(path, 1))
        return Resource(path, None, Located(f"the member {duplicate} stands twice", at))
    return Resource(path, read_values(text), places=places)


def schema_problem(resource: Resource) -> Located[str] | None:
    """Return why a resource cannot be used: unreadable, not the dialect, or out of a gateway's bounds (gateway/G6)."""
    if resource.problem is not None:
        return resource.problem
    findings = check_schema(msgspec.json.encode(resource.schema), "", None, root_object=False)
    if not findings:
        return None
    first = findings[0]
    return Located(f"{first.pointer or '/'}: {first.problem}; {first.mend}", resource.place(first.pointer))


def _first_duplicate(text: bytes) -> str | None:
    steps = find_duplicates(text)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: list[Any] = end.value
            return json_pointer(*found[0].path, found[0].name) if found else None


def _place_of_error(content: bytes, path: str, error: JsonTextError) -> Place:
    """Return where reading stopped: at the byte that the message names, else at the end."""
    named = _BYTE.search(str(error))
    before = content[: int(named[1])] if named is not None else content.rstrip()
    line = before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")
    return Place(path, before.count(b"\n") + 1, len(line) + 1)


def _places(content: bytes, path: str) -> dict[str, Place]:
    try:
        root = read_yaml(content, path)
    except ConfigError:  # JSON that is no YAML, as with tabs without libyaml; then no places are known
        return {}
    places: dict[str, Place] = {}
    stack: list[tuple[str, Value]] = [("", root)]
    while stack and len(places) < _MAX_PLACES:
        pointer, value = stack.pop()
        places[pointer] = Place(path, value.place.line, value.place.column)
        if isinstance(value, Section):
            stack += [(pointer + json_pointer(member.name), member.value) for member in value.members]
        elif isinstance(value, Items):
            stack += [(f"{pointer}/{at}", item) for at, item in enumerate(value.items)]
    return places
