"""From the bytes of a call to the request of its tool, or to the answer that says what is wrong (toolkit/S3)."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from axhub.contract.jsontext import MAX_DEPTH, JsonTextError, check_grammar, deeper_than
from axhub.toolkit.json_values import MAX_FAULTS_BUILT, more_values_than
from axhub.toolkit.models import Input
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.answers import Answer, Outcome, refusal
from axhub.toolkit.service.explain import invalid_arguments, invalid_json
from axhub.toolkit.service.faults import Fault, from_model, from_schema
from axhub.toolkit.service.members import members_twice
from axhub.toolkit.service.unions import failing_fast, work_of
from axhub.toolkit.service.words import Language, RefusalCode

__all__ = ["MAX_VALUES", "MODEL_RULES", "ArgumentReader", "ModelRules", "NoArguments", "RefusedError"]

MAX_VALUES: Final = 10_000
"""Members, items, objects and lists that the arguments of one call may have: what bounds the time of validating them,
in which nothing else runs. With wide unions it is less, see `service.unions`."""
_MAX_VALID_WORK: Final = 100_000
_MAX_INVALID_WORK: Final = 40_000
"""Faults that may be noted while arguments are read: about 50 ms; it takes longer if they are to be told."""


class ModelRules(TypedDict):
    """How a request model is asked."""

    strict: bool
    extra: Literal["forbid"]
    by_alias: bool
    by_name: bool


MODEL_RULES: Final[ModelRules] = {"strict": True, "extra": "forbid", "by_alias": True, "by_name": False}
"""Whatever the model's own configuration says; the check tells with the same what an example lacks."""
_EMPTY: Final = b"{}"
_MANY_VALUES: Final = 1000
"""Of arguments with more values than this only the first fault against a schema resource is looked for."""
_BEGINNING: Final = 4096
"""Bytes of a body with too many values in which it is looked whether they are in each other."""


class NoArguments(Input):
    """The request of a tool without arguments: an object without members."""


class RefusedError(Exception):
    """The call is not made; `answer` says why."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class ArgumentReader:
    """Reads the arguments of one tool, strictly: kinds are not converted, no member is extra, names are the wire's."""

    __slots__ = ("_fast", "_judge", "_language", "_many", "_most", "_schema", "_validate")

    def __init__(
        self,
        model: type[BaseModel] | None,
        schema: Mapping[str, Any],
        judge: SchemaValidator | None,
        language: Language,
    ) -> None:
        """Take what the tool accepts.

        Args:
            model: the request model; None: no arguments.
            schema: the published input schema, for what faults say.
            judge: what a schema resource narrows, asked before the model (decision/D12).
            language: of what a model reads.
        """
        taken = model or NoArguments
        work = work_of(taken)
        self._validate = taken.__pydantic_validator__.validate_json
        self._most = min(MAX_VALUES, int(_MAX_VALID_WORK / work.valid)) if work.valid else MAX_VALUES
        self._many = max(_MANY_VALUES, int(_MAX_INVALID_WORK / work.invalid))
        self._fast = failing_fast(taken).validate_json if self._many < self._most else self._validate
        self._schema = schema
        self._judge = judge
        self._language = language

    def read(self, body: bytes) -> Any:
        """Return the request; an empty body counts as an object without members.

        Raises:
            RefusedError: it is none; the answer names every fault.
        """
        body = body or _EMPTY
        many = more_values_than(body, self._most)
        if deeper_than(body[:_BEGINNING] if many else body):
            raise self._over("TOO_DEEP", MAX_DEPTH)
        if many:
            raise self._over("TOO_MANY_VALUES", self._most)
        twice = members_twice(body)
        if twice:
            raise RefusedError(invalid_arguments(twice, self._schema, self._language))
        if b"NaN" in body or b"Infinity" in body:
            self._check_grammar(body)  # what the model's reader takes for numbers is no JSON
        if self._judge is not None:
            self._judged(self._judge, body)
        validate = self._fast if more_values_than(body, self._many) else self._validate
        try:
            return validate(body, **MODEL_RULES)
        except ValidationError as error:
            raise RefusedError(self._refused(error, body)) from None

    def _over(self, code: RefusalCode, limit: int) -> RefusedError:
        return RefusedError(refusal(code, self._language, Outcome.INVALID_ARGUMENTS, values={"limit": limit}))

    def _check_grammar(self, body: bytes) -> None:
        try:
            check_grammar(body)
        except JsonTextError:
            raise RefusedError(invalid_json(body, self._language)) from None

    def _judged(self, judge: SchemaValidator, body: bytes) -> None:
        arguments = self._plain(body)
        faults = judge.faults(arguments, first=more_values_than(body, _MANY_VALUES))
        if faults:
            found = from_schema(faults, arguments)
            raise RefusedError(invalid_arguments(found, self._schema, self._language))

    def _plain(self, body: bytes) -> Any:
        try:
            return from_json(body, allow_inf_nan=False)
        except ValueError:
            raise RefusedError(invalid_json(body, self._language)) from None

    def _refused(self, error: ValidationError, body: bytes) -> Answer:
        count = error.error_count()
        if count > MAX_FAULTS_BUILT:
            return invalid_arguments([Fault((), "too_many")], self._schema, self._language, count)
        details = error.errors(include_url=False, include_input=False)
        if details[0]["type"] == "json_invalid":
            return invalid_json(body, self._language)
        faults = from_model(details, self._plain(body))
        return invalid_arguments(faults, self._schema, self._language)
