"""The schemas that people write: `parameters_schema` of definitions, and files below `tool_schemas/`."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from axhub.contract.schema_walk import Place as SchemaPlace
from axhub.contract.schema_walk import walk
from axhub.toolkit.facts.service import Declared, Definition, Facts, Place, Resource
from axhub.toolkit.layout import RESOURCES

__all__ = ["ENDINGS", "Holder", "find_resource", "holders", "named_resources", "objects", "resource_file"]

ENDINGS: Final = {"input_schema_resource": "-input-schema.json", "output_schema_resource": "-output-schema.json"}
"""How the file must end that an argument names (seed 003 §6.2, §7)."""
_PARAMETERS: Final = "/parameters_schema"
_BELOW: Final = re.compile(r"(?:^|/)tool[-_]schemas/(.+)$")
_CONDITIONS: Final = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})


class Holder(NamedTuple):
    """One written schema."""

    schema: Any
    name: str
    """`parameters_schema`, or the file's name."""
    file: Definition | Resource
    prefix: str
    """Where in the file it stands."""
    tool: str | None
    is_input: bool
    is_resource: bool

    def place(self, pointer: str) -> Place:
        """Return where a JSON pointer into the schema leads."""
        return self.file.place(self.prefix + pointer)

    def key(self, pointer: str) -> Place:
        """Return where the name of a member stands."""
        return self.file.places.get(f"key:{self.prefix}{pointer}") or self.place(pointer)

    @property
    def is_sound(self) -> bool:
        """Whether it is an object schema at all, so that a closer look makes sense (rule/TK309)."""
        return isinstance(self.schema, dict) and self.schema.get("type") == "object"


def holders(facts: Facts) -> Iterator[Holder]:
    """Yield what is written, where it could be read."""
    for found in facts.definitions:
        if "parameters_schema" in found.values:
            schema = found.values["parameters_schema"]
            yield Holder(schema, "parameters_schema", found, _PARAMETERS, found.stem, True, False)
    users = {resource.path: declared.name for declared, _, resource in named_resources(facts)}
    for resource in facts.resources:
        if resource.problem is None:
            is_input = not resource.path.endswith(ENDINGS["output_schema_resource"])
            name = resource.path.rpartition("/")[2]
            yield Holder(resource.schema, name, resource, "", users.get(resource.path), is_input, True)


def named_resources(facts: Facts) -> Iterator[tuple[Declared, str, Resource]]:
    """Yield the resources that declarations name, with the argument that does."""
    for declared in facts.declared:
        for argument in ENDINGS:
            given = declared.arguments.get(argument)
            resource = find_resource(facts, given.value) if given is not None else None
            if resource is not None:
                yield declared, argument, resource


def find_resource(facts: Facts, written: Any) -> Resource | None:
    """Return the file that an argument names; hyphenated folders and `classpath:` are those of seed 003."""
    if not isinstance(written, str):
        return None
    wanted = resource_file(facts, written)
    return next((found for found in facts.resources if _plain(found.path) == wanted), None)


def resource_file(facts: Facts, written: str) -> str:
    """Return the path that an argument stands for, relative to the project's root."""
    found = _BELOW.search(written.strip().removeprefix("classpath:"))
    below = found[1] if found is not None else written.strip().lstrip("/")
    return f"{facts.project.folder}/{RESOURCES}/{below}"


def objects(schema: Any) -> Iterator[SchemaPlace]:
    """Yield the places that describe an object of their own, not a condition about one."""
    for place in walk(schema):
        if isinstance(place.schema, dict) and (
            _is_object(place.schema) or ("properties" in place.schema and not _CONDITIONS & {*place.path})
        ):
            yield place


def _is_object(schema: Any) -> bool:
    stated = schema.get("type") if isinstance(schema, dict) else None
    return stated == "object" or (isinstance(stated, list) and "object" in stated)


def _plain(path: str) -> str:
    return path.replace("/tool-schemas/", f"/{RESOURCES}/")
