"""Whether a document is JSON Schema 2020-12, in words for the author of a tool (gateway/G6).

The meta-schema says what is wrong; the table here says what would be right.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import jsonschema_rs

from axhub.contract.schema_walk import Path, Place, shallow

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


_BOOLEAN: Final = "true or false"
_COUNT: Final = "an integer of at least 0"
_NUMBER: Final = "a number"
_TEXT: Final = "a text"
_SCHEMA: Final = "a schema, that is an object or true or false"
_SCHEMAS: Final = "a list of at least one schema"
_NAMED_SCHEMAS: Final = "an object whose members are schemas"
_NAMES: Final = "a list of texts, none twice"
_ANCHOR: Final = "a name of ASCII letters, digits, '-', '_' and '.' that begins with a letter or '_'"

_EXPECTED: Final = {
    "$anchor": _ANCHOR,
    "$comment": _TEXT,
    "$defs": _NAMED_SCHEMAS,
    "$dynamicAnchor": _ANCHOR,
    "$dynamicRef": "a reference, such as '#node'",
    "$id": "an address without a fragment",
    "$ref": "a reference, such as '#/$defs/address'",
    "$schema": f"{DIALECT!r}",
    "allOf": _SCHEMAS,
    "anyOf": _SCHEMAS,
    "contentEncoding": _TEXT,
    "contentMediaType": _TEXT,
    "definitions": _NAMED_SCHEMAS,
    "dependentRequired": "an object whose members are lists of property names",
    "dependentSchemas": _NAMED_SCHEMAS,
    "deprecated": _BOOLEAN,
    "description": _TEXT,
    "enum": "a list",
    "examples": "a list",
    "exclusiveMaximum": _NUMBER,
    "exclusiveMinimum": _NUMBER,
    "format": _TEXT,
    "maxContains": _COUNT,
    "maxItems": _COUNT,
    "maxLength": _COUNT,
    "maxProperties": _COUNT,
    "maximum": _NUMBER,
    "minContains": _COUNT,
    "minItems": _COUNT,
    "minLength": _COUNT,
    "minProperties": _COUNT,
    "minimum": _NUMBER,
    "multipleOf": "a number above 0",
    "oneOf": _SCHEMAS,
    "pattern": _TEXT,
    "patternProperties": _NAMED_SCHEMAS,
    "prefixItems": _SCHEMAS,
    "properties": _NAMED_SCHEMAS,
    "readOnly": _BOOLEAN,
    "required": _NAMES,
    "title": _TEXT,
    "type": "'array', 'boolean', 'integer', 'null', 'number', 'object' or 'string', or a list of these, none twice",
    "uniqueItems": _BOOLEAN,
    "writeOnly": _BOOLEAN,
}


def is_valid(schema: Any) -> bool:
    """Say whether the meta-schema accepts a document; what `$schema` it names is looked at elsewhere."""
    if isinstance(schema, dict):
        schema = {"$schema": DIALECT} | {name: value for name, value in schema.items() if name != "$schema"}
    return jsonschema_rs.meta.is_valid(schema)


def faults(places: Iterable[Place]) -> Iterator[tuple[Path, str, str]]:
    """Yield place, problem and mend for what the meta-schema does not accept, schema by schema.

    Each schema is looked at without those inside it: whoever stops reading after some faults saves the time for the
    rest.
    """
    for place in places:
        if not isinstance(place.schema, dict | bool):
            yield place.path, f"{place.path[-1]!r} is not {_SCHEMA}", f"write {_SCHEMA}"
        elif isinstance(place.schema, dict):
            yield from _own_faults(place.path, shallow(place.schema))


def _own_faults(path: Path, schema: Any) -> Iterator[tuple[Path, str, str]]:
    seen: set[Path] = set()
    for error in _explainer().iter_errors(schema):
        below = tuple(map(str, error.instance_path))
        if below in seen:
            continue
        seen.add(below)
        expected = next((_EXPECTED[token] for token in reversed(below) if token in _EXPECTED), None)
        if expected is None:
            yield path + below, f"{below[-1]!r}: {error.message}", "see JSON Schema 2020-12"
        else:
            yield path + below, f"{below[-1]!r} is not {expected}", f"write {expected}"


@cache
def _explainer() -> jsonschema_rs.Draft202012Validator:
    """Return what says where a schema is wrong; it takes 2 MB, so it is made when the first one is.

    Offline, so that nothing that an author writes can make it fetch.
    """
    return jsonschema_rs.Draft202012Validator({"$ref": DIALECT}, mask="it", offline=True, validate_formats=False)
