"""Whether a tool of a catalogue may be offered, and as what: pure, and nothing of the catalogue is believed (agent/A9).

Read `judged` from top to bottom. A tool that fails one check is left out with its reason; the others are offered.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import msgspec

from axhub.agent.adapters.mcp_tools.mapping import CatalogueTool
from axhub.agent.domain.canonical import NotCanonicalError
from axhub.agent.domain.definition import Effect, ToolDefinition, check_definition, published_digest
from axhub.agent.domain.errors import RegistrationError
from axhub.contract.findings import Finding
from axhub.contract.headers import HeaderParam, find_header_params
from axhub.contract.schema import check_schema_in_steps
from axhub.contract.text import check_text_field

__all__ = ["Judged", "NotOffered", "judged"]

_MOST_OF_DESCRIPTION: Final = 4096
_READ_ONLY: Final = "readOnlyHint"
_SCHEMA: Final = "inputSchema"


class NotOffered(StrEnum):
    """Why a tool that the application wants is not offered; counted and shown by this name."""

    UNKNOWN = "unknown"
    """The list has not been read since the process began."""
    MISSING = "missing"
    """It is not in the list."""
    TWICE = "twice"
    """It is in the list more than once."""
    CHANGED = "changed"
    """Its definition is not the one that was approved."""
    MAY_WRITE = "may_write"
    """It is mapped as one that reads, and its server says otherwise or says nothing."""
    SCHEMA = "schema"
    TEXT = "text"
    KEY = "key"
    """An argument of the business key is not one that is always there."""
    UNSAFE = "unsafe"
    """What is refused at registration too: an argument that only the server may decide, no description."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one tool of a list."""

    digest: str = ""
    """Of its definition as it is published; empty if there is none."""
    definition: ToolDefinition | None = None
    """None: it is not offered."""
    schema: Mapping[str, Any] | None = None
    """Of its arguments, as it is published."""
    params: tuple[HeaderParam, ...] = ()
    """Arguments that are repeated in headers on revision 2026-07-28."""
    reason: NotOffered | None = None
    detail: str = ""
    """For operators; it may quote the catalogue, so it goes to no log and no model."""


class _RefusedError(Exception):
    def __init__(self, reason: NotOffered, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def judged(name: str, wanted: CatalogueTool[Any], found: Mapping[str, Any], before: Judged | None = None) -> Judged:
    """Judge one tool.

    Args:
        name: what the model would call it.
        wanted: what the application says of it.
        found: the tool as the list has it.
        before: what came of it the last time; the same definition gets the same judgement.
    """
    try:
        digest = published_digest(found)
    except NotCanonicalError as error:
        return Judged(reason=NotOffered.TEXT, detail=str(error))
    if before is not None and before.digest == digest:
        return before
    try:
        _check_approved(wanted, digest)
        effect = _effect(wanted, found)
        description = _description(found)
        params = _checked_schema(wanted, found[_SCHEMA])
        definition = _definition(name, wanted, description, effect, found[_SCHEMA])
    except _RefusedError as refused:
        return Judged(digest, reason=refused.reason, detail=refused.detail)
    return Judged(digest, definition, found[_SCHEMA], params)


def _check_approved(wanted: CatalogueTool[Any], digest: str) -> None:
    if wanted.digest is not None and wanted.digest != digest:
        raise _RefusedError(NotOffered.CHANGED, f"approved is {wanted.digest}, and it is {digest} now")


def _effect(wanted: CatalogueTool[Any], found: Mapping[str, Any]) -> Effect:
    """Return the effect: by the application's word, or, where it leaves that to the server, by the hint."""
    hint = (found.get("annotations") or {}).get(_READ_ONLY)
    if wanted.effect is None and hint is not True:
        raise _RefusedError(NotOffered.MAY_WRITE, f"it has no {_READ_ONLY}: say writes(), with a key and a digest")
    if wanted.effect is Effect.READ and wanted.digest is None and hint is False:
        problem = f"its {_READ_ONLY} is false: say writes(), or approve it as one that reads with its digest"
        raise _RefusedError(NotOffered.MAY_WRITE, problem)
    return wanted.effect or Effect.READ


def _description(found: Mapping[str, Any]) -> str:
    text = found.get("description") or ""
    problem = check_text_field(text, multiline=True)
    if problem is None and len(text) > _MOST_OF_DESCRIPTION:
        problem = f"it has {len(text)} characters, more than {_MOST_OF_DESCRIPTION}"
    if problem is not None:
        raise _RefusedError(NotOffered.TEXT, f"description: {problem}")
    return text


def _checked_schema(wanted: CatalogueTool[Any], schema: Any) -> tuple[HeaderParam, ...]:
    """Refuse a schema that is out of bounds or that could not be validated against in bounded time (threat/T09)."""
    for finding in _findings(schema, wanted.tool):
        raise _RefusedError(NotOffered.SCHEMA, f"{finding.rule} at {finding.pointer or '/'}: {finding.problem}")
    params, findings = find_header_params(schema, f"/{_SCHEMA}", wanted.tool)
    for finding in findings:
        raise _RefusedError(NotOffered.SCHEMA, f"{finding.rule} at {finding.pointer}: {finding.problem}")
    required = schema.get("required", ())
    for name in wanted.key_arguments:
        if name not in required:
            raise _RefusedError(NotOffered.KEY, f"{name} is part of the key, and not among the required arguments")
    return params


def _findings(schema: Any, tool: str) -> Iterator[Finding]:
    steps = check_schema_in_steps(msgspec.json.encode(schema), f"/{_SCHEMA}", tool, root_object=True, draft07=True)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            yield from end.value
            return


def _definition(
    name: str, wanted: CatalogueTool[Any], description: str, effect: Effect, schema: Mapping[str, Any]
) -> ToolDefinition:
    definition = ToolDefinition(
        name=name,
        description=description,
        parameters={keyword: value for keyword, value in schema.items() if keyword != "$schema"},
        effect=effect,
        timeout_seconds=wanted.timeout_seconds,
        audited=wanted.audited,
        max_result_bytes=wanted.max_result_bytes,
        has_key=wanted.key is not None,
        identity_exceptions=dict(wanted.identity_exceptions),
    )
    try:
        check_definition(definition)
    except RegistrationError as error:
        raise _RefusedError(NotOffered.UNSAFE, str(error)) from None
    return definition
