"""Schemas of tools: JSON Schema 2020-12, within bounds, and complete in themselves (gateway/G6).

Bounds come first, so that nothing costly is ever done to a schema that is out of them. Patterns are not looked at:
an input schema is carried, not evaluated, and what cannot be evaluated in linear time is left out of the validation
of results (`OutputValidator`).
"""

from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any, Final

from axhub.contract import schema_meta, schema_refs
from axhub.contract.findings import Finding
from axhub.contract.jsontext import compact, deeper_than, read_values
from axhub.contract.output_validator import OutputValidator
from axhub.contract.schema_draft07 import as_2020_12, is_draft07
from axhub.contract.schema_walk import Path, Place, walk
from axhub.contract.schema_walk import pointer as json_pointer
from axhub.contract.text import MEND as TEXT_MEND
from axhub.contract.text import check_text_field, is_plain

__all__ = [
    "BOUND_RULES",
    "MAX_SCHEMA_BYTES",
    "MAX_SCHEMA_DEPTH",
    "MAX_SUBSCHEMAS",
    "OutputValidator",
    "check_schema",
    "check_schema_in_steps",
]

MAX_SCHEMA_BYTES: Final = 65536
"""Of one schema, without white space."""
MAX_SCHEMA_DEPTH: Final = 32
"""Containers inside each other, the schema itself being 1."""
MAX_SUBSCHEMAS: Final = 2000
"""Schemas inside one schema, itself not counted."""

BOUND_RULES: Final = frozenset({"schema.bytes", "schema.depth", "schema.subschemas"})
"""Findings after which a schema is not looked at any further."""

_MAX_FINDINGS: Final = 20
_DOLLAR_ESCAPE: Final = b"\\u0024"
_DIALECTS: Final = frozenset({schema_meta.DIALECT, schema_meta.DIALECT + "#"})
_Found = tuple[str, Path, str, str]

_MEND_REFS: Final = {
    "schema.ref.remote": "copy what it refers to into '$defs' and refer to that: '#/$defs/<name>'; nothing is fetched",
    "schema.ref.dangling": "refer to a schema of this document: '#', '#/$defs/<name>' or '#<anchor>'",
    "schema.ref.circle": "put the reference inside 'properties' or 'items', so that each step goes to a smaller value",
}


def check_schema(raw: bytes, pointer: str, tool: str | None, root_object: bool) -> list[Finding]:
    """Return what is wrong with one schema, at most 20 findings.

    Args:
        raw: JSON text that passed the checks of the document around it.
        pointer: where the schema stands.
        tool: whose it is.
        root_object: whether the root must be an object schema with `type: object`, as an input schema's.
    """
    steps = check_schema_in_steps(raw, pointer, tool, root_object)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            findings: list[Finding] = end.value
            return findings


def check_schema_in_steps(
    raw: bytes, pointer: str, tool: str | None, root_object: bool, draft07: bool = False
) -> Generator[None, None, list[Finding]]:
    """As `check_schema`, yielding between steps; `draft07` takes a schema that declares that dialect, too."""
    findings: list[Finding] = []
    for found in _check(compact(raw), root_object, draft07):
        if found is None:
            yield
            continue
        rule, path, problem, mend = found
        findings.append(Finding(rule, pointer + json_pointer(*path), tool, problem, mend))
        if len(findings) == _MAX_FINDINGS:
            break
    return findings


def _check(text: bytes, root_object: bool, draft07: bool) -> Iterator[_Found | None]:
    """Yield what is found, and None where a step ends."""
    outside = _out_of_bounds(text)
    if outside is not None:
        yield outside
        return
    shown = schema = read_values(text)
    if draft07 and is_draft07(schema):
        schema = as_2020_12(schema)
    yield from _check_root(schema, root_object)
    if not isinstance(schema, dict):
        return
    places = {place.path: place for place in islice(walk(schema), MAX_SUBSCHEMAS + 2)}
    if len(places) > MAX_SUBSCHEMAS + 1:
        problem = f"the schema has more than {MAX_SUBSCHEMAS} schemas inside it"
        yield "schema.subschemas", (), problem, "describe less of the data, or split the tool"
        return
    yield None
    if not schema_meta.is_valid(schema):
        yield from (("schema.invalid", *fault) for fault in schema_meta.faults(places.values()))
        yield None
    if b"$" in text or _DOLLAR_ESCAPE in text:
        yield from _check_dialect(places)
        yield from _check_references(places)
        yield None
    if not is_plain(text):
        yield from _check_texts(shown, places)


def _out_of_bounds(text: bytes) -> _Found | None:
    if len(text) > MAX_SCHEMA_BYTES:
        problem = f"the schema has {len(text)} bytes without white space, more than {MAX_SCHEMA_BYTES}"
        return "schema.bytes", (), problem, "shorten it, or split the tool"
    if deeper_than(text, MAX_SCHEMA_DEPTH):
        problem = f"the schema nests deeper than {MAX_SCHEMA_DEPTH} levels"
        return "schema.depth", (), problem, "move inner schemas to '$defs' at the root and refer to them"
    return None


def _check_root(schema: Any, root_object: bool) -> Iterator[_Found]:
    if root_object:
        if not isinstance(schema, dict) or schema.get("type") != "object":
            problem = "the root of an input schema is not an object schema"
            yield "schema.root", (), problem, 'write {"type": "object", "properties": {…}}; arguments are named'
    elif not isinstance(schema, dict | bool):
        yield "schema.root", (), "it is not a schema", "write an object, or true or false"


def _check_dialect(places: dict[Path, Place]) -> Iterator[_Found]:
    for path, place in places.items():
        dialect = place.schema.get("$schema") if isinstance(place.schema, dict) else None
        if isinstance(dialect, str) and dialect not in _DIALECTS:
            problem = "'$schema' names another dialect than JSON Schema 2020-12"
            mend = f"leave it out or write {schema_meta.DIALECT!r}, and adapt the keywords that changed"
            yield "schema.dialect", (*path, "$schema"), problem, mend


def _check_references(places: dict[Path, Place]) -> Iterator[_Found]:
    references, faults = schema_refs.read_references(places)
    for fault in (*faults, *schema_refs.circles(references)):
        path = (*fault.place.path, fault.keyword) if fault.keyword else fault.place.path
        yield fault.rule, path, fault.problem, _MEND_REFS[fault.rule]


def _check_texts(schema: dict[str, Any], places: dict[Path, Place]) -> Iterator[_Found]:
    """Look at every name and text of the document: whatever stands there is shown to models."""
    stack: list[tuple[Path, Any]] = [((), schema)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            for name in value:
                yield from _text(name, (*path, name), multiline=False)
            stack += (((*path, name), inner) for name, inner in reversed(value.items()))
        elif isinstance(value, list):
            stack += (((*path, str(at)), inner) for at, inner in reversed(list(enumerate(value))))
        elif isinstance(value, str):
            yield from _text(value, path, multiline=not (path[-1] == "title" and path[:-1] in places))


def _text(text: str, path: Path, multiline: bool) -> Iterator[_Found]:
    problem = check_text_field(text, multiline)
    if problem is not None:
        yield "text.character", path, problem, TEXT_MEND
