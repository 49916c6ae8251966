"""Validation of results against a tool's `outputSchema` (gateway/X12): offline, and bounded in time.

Both the schema and the result come from outside, so neither may be able to hold up or end the gateway. References are
rewritten to plain JSON pointers, so that the library resolves no addresses (a dynamic reference leads to where it
leads statically). Patterns run in a linear-time engine; one that it does not take is left out of the validation.
Schemas that multiply when references are followed get a budget of references per validation.
"""

from functools import lru_cache
from typing import Any, Final, cast
from urllib.parse import quote

import jsonschema_rs

from axhub.contract.jsontext import read_values
from axhub.contract.schema_draft07 import as_2020_12, is_draft07
from axhub.contract.schema_growth import growing_places
from axhub.contract.schema_refs import References, is_small, read_references
from axhub.contract.schema_walk import pointer, walk

MAX_PATTERNS: Final = 50
"""Patterns of one schema that are evaluated; more are carried without being evaluated."""
_MAX_PATTERN_CHARS: Final = 1000
_REGEX_BYTES: Final = 262144  # size of one compiled pattern
_SMALL: Final = 10_000
"""Schemas, references followed, up to which a document is validated without counting."""
_BUDGET: Final = 10_000
_BYTES_PER_STEP: Final = 8  # a large result may need more steps
_COUNTER: Final = "x-axhub-step"
_ADDRESSES: Final = ("$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$schema", "$vocabulary")

_LINEAR: Final = jsonschema_rs.RegexOptions(size_limit=_REGEX_BYTES, dfa_size_limit=_REGEX_BYTES)


class BoundedCheck:
    """Whether values conform to a schema, in a bounded number of steps, where that takes counting them."""

    __slots__ = ("_steps", "_validator")

    def __init__(self, schema: Any) -> None:
        """Take a schema that passed `check_schema` and whose patterns can be matched in linear time; it is changed.

        Raises:
            ValueError: a reference leads nowhere.
        """
        self._steps = _Steps()
        self._validator = _compiled(_counted(schema, always=True), self._steps)

    @staticmethod
    def is_needed(schema: Any) -> bool:
        """Say whether a small value can take forever: the work grows with every level, or with every reference."""
        found, faults = read_references({place.path: place for place in walk(schema)})
        if faults or is_small(found, _SMALL):
            return False
        return not is_small(found, _SMALL, recursive=True) or bool(growing_places(found))

    def accepts(self, value: Any, size: int) -> bool:
        """Say whether a JSON value conforms; False also if that takes too many steps.

        Args:
            value: as plain Python.
            size: of its JSON text in bytes, or nearly.

        Raises:
            ValueError: it is no JSON: half a surrogate pair, NaN.
            RecursionError: it nests too deeply.
        """
        self._steps.left = _BUDGET + size // _BYTES_PER_STEP
        return bool(self._validator.is_valid(value)) and self._steps.left >= 0


class OutputValidator:
    """Validates the results of one tool; made once a snapshot.

    The schema is compiled when the first result comes: all of a catalogue at once would hold up the event loop for
    most of a second (fault/F14), and most tools of most catalogues are never called.
    """

    __slots__ = ("_raw", "_steps", "_validator")

    def __init__(self, raw: bytes) -> None:
        """Take a schema that passed `check_schema`."""
        self._raw: bytes | None = raw
        self._steps = _Steps()
        self._validator: jsonschema_rs.Draft202012Validator | None = None

    def accepts(self, json_text: bytes) -> bool:
        """Say whether a JSON text conforms to the schema; False also when that cannot be found out."""
        if self._raw is not None:
            self._validator = _compile(self._raw, self._steps)
            self._raw = None
        if self._validator is None:
            return False
        try:
            value = read_values(json_text)
            self._steps.left = _BUDGET + len(json_text) // _BYTES_PER_STEP
            return bool(self._validator.is_valid(value)) and self._steps.left >= 0
        except BaseException as error:
            if _is_fault_of_input(error):
                return False
            raise


class _Steps:
    """A keyword that counts how often references are followed, and fails when that is too often."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0

    def __call__(self, *_: object) -> "_Steps":
        """Stand in for the keyword's class: every place shares this counter."""
        return self

    def validate(self, _: object) -> None:
        """Count one step; called by the validator wherever the keyword stands."""
        self.left -= 1
        if self.left < 0:
            raise ValueError("too many steps")


def _compile(raw: bytes, steps: _Steps) -> jsonschema_rs.Draft202012Validator | None:
    try:
        schema = read_values(raw)
        return _compiled(_prepared(as_2020_12(schema) if is_draft07(schema) else schema), steps)
    except BaseException as error:
        if _is_fault_of_input(error):
            return None
        raise


def _compiled(schema: Any, steps: _Steps) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        schema,
        keywords={_COUNTER: cast("Any", steps)},
        pattern_options=_LINEAR,
        offline=True,
        validate_formats=False,
    )


def _is_fault_of_input(error: BaseException) -> bool:
    # A panic of the library's Rust code is no Exception in Python; its class cannot be imported.
    faults = (ValueError, RecursionError, jsonschema_rs.ReferencingError)
    return isinstance(error, faults) or type(error).__name__ == "PanicException"


def _prepared(schema: Any) -> Any:
    """Change a schema, in place, into one that is cheap to compile and to validate against."""
    if isinstance(schema, dict):
        _counted(schema)
        _drop_patterns([place.schema for place in walk(schema) if isinstance(place.schema, dict)])
    return schema


def _counted(schema: Any, *, always: bool = False) -> Any:
    """Rewrite the references of a schema, in place, counted where following them multiplies the work."""
    places = {place.path: place for place in walk(schema)}
    references, faults = read_references(places)
    if faults:
        raise ValueError(faults[0].problem)
    _rewrite_references(references, counted=always or not is_small(references, _SMALL))
    return schema


def _rewrite_references(references: References, *, counted: bool) -> None:
    """Write each reference as a JSON pointer, with a counting step before it if that is asked for.

    `allOf` goes through its parts in order and stops at the first that fails, so it is where a step can come before.
    """
    for path, place in references.places.items():
        if not isinstance(place.schema, dict):
            continue
        for keyword in _ADDRESSES:
            place.schema.pop(keyword, None)
        for target in references.targets.get(path, ()):
            reference = {"$ref": "#" + quote(pointer(*target))}
            one = {"allOf": [{_COUNTER: True}, reference]} if counted else reference
            place.schema.setdefault("allOf", []).append(one)


def _drop_patterns(schemas: list[dict[str, Any]]) -> None:
    """Leave out the patterns that are not evaluated; each place counts, since each is compiled."""
    count = 0
    for schema in schemas:
        named = schema.get("patternProperties", {})
        dropped = []
        for pattern in [*named, *([schema["pattern"]] if "pattern" in schema else ())]:
            count += 1
            if count > MAX_PATTERNS or not _is_linear(pattern):
                dropped.append(pattern)
        if schema.get("pattern") in dropped:
            del schema["pattern"]
        left_out = [pattern for pattern in dropped if named.pop(pattern, None) is not None]
        if left_out:  # what they do not match can no longer be told
            schema.pop("additionalProperties", None)
            schema.pop("unevaluatedProperties", None)


@lru_cache(maxsize=256)
def _is_linear(pattern: str) -> bool:
    if len(pattern) > _MAX_PATTERN_CHARS:
        return False
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=_LINEAR, offline=True)
    except ValueError:
        return False
    return True
