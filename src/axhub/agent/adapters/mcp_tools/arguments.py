"""What a model wrote against the schema that a catalogue publishes, before anything runs (agent/L1, agent/A7).

The schema decides which arguments there may be, undeclared ones included, as for every other client of that server.
One thing is ours: no argument may be named like an identity or a key, declared or not.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any, Final

import jsonschema_rs
import msgspec

from axhub.agent.domain.canonical import canonical
from axhub.agent.domain.definition import identity_names
from axhub.agent.domain.errors import ArgumentsError
from axhub.contract.output_validator import BoundedCheck, OutputValidator
from axhub.contract.schema_draft07 import as_2020_12, is_draft07

__all__ = ["ArgumentsCheck"]

_MOST_PROBLEMS: Final = 20
_REGEX_BYTES: Final = 262_144  # size of one compiled pattern
_LINEAR: Final = jsonschema_rs.RegexOptions(size_limit=_REGEX_BYTES, dfa_size_limit=_REGEX_BYTES)
_MASK: Final = "it"
_NO_FIT: Final = ("the arguments: they do not fit the schema",)


class ArgumentsCheck:
    """Checks the arguments of one tool; both schema and arguments come from outside, so the time is bounded."""

    __slots__ = ("_exceptions", "_explainer", "_schema", "_validator")

    def __init__(
        self, schema: Mapping[str, Any], exceptions: AbstractSet[str] | Mapping[str, str] = frozenset()
    ) -> None:
        """Take a schema that passed `judging.judged`; it is compiled when the first call comes.

        `exceptions` are arguments that are only named like an identity, as `ToolDefinition.identity_exceptions` has
        them.
        """
        self._exceptions = frozenset(f"/{name}" for name in exceptions)
        raw = msgspec.json.encode(schema)
        self._schema: Any = msgspec.json.decode(raw)
        self._validator = OutputValidator(raw)
        self._explainer: jsonschema_rs.Draft202012Validator | bool = True

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Look at arguments.

        Raises:
            ArgumentsError: they do not fit; each place, and what is allowed there.
        """
        forbidden = tuple(
            f"{pointer.removeprefix('/')}: this is decided by the server, never by a model; leave it out"
            for pointer in identity_names(arguments)
            if pointer not in self._exceptions
        )
        if forbidden:
            raise ArgumentsError(forbidden)
        if not self._validator.accepts(canonical(arguments).encode()):
            raise ArgumentsError(tuple(islice(self._problems(arguments), _MOST_PROBLEMS)) or _NO_FIT)

    def _problems(self, arguments: Mapping[str, Any]) -> Iterator[str]:
        """Yield what does not fit, in words that do not repeat what the model wrote (AG-P22)."""
        if self._explainer is True:
            self._explainer = _explainer(self._schema) or False
        if isinstance(self._explainer, bool):
            return
        for error in self._explainer.iter_errors(dict(arguments)):
            place = "/".join(map(str, error.instance_path)) or "the arguments"
            yield f"{place}: {error.message}"


def _explainer(schema: Any) -> jsonschema_rs.Draft202012Validator | None:
    """Return what says where arguments do not fit; None where only yes or no can be had in bounded time."""
    known = as_2020_12(schema) if is_draft07(schema) else schema
    if BoundedCheck.is_needed(known):
        return None
    try:
        return jsonschema_rs.Draft202012Validator(
            known, mask=_MASK, pattern_options=_LINEAR, offline=True, validate_formats=False
        )
    except ValueError:  # a pattern that cannot be matched in linear time
        return None
