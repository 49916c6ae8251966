"""What a Tool Service answers: status, body, and how the call ended (toolkit/S3, decision/D14)."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from axhub.contract.text import clean_text
from axhub.toolkit.errors import ToolError, is_refusal
from axhub.toolkit.service.words import REFUSALS, Language, RefusalCode

__all__ = ["MAX_TEXT", "Answer", "Outcome", "refusal", "refused_by_tool", "shown"]

MAX_TEXT: Final = 2000
"""Characters of one text that a model is shown."""
_MAX_CODE: Final = 64
_ELLIPSIS: Final = "…"
_encode: Final = msgspec.json.Encoder().encode


class Outcome(StrEnum):
    """How a call ended: what the log and the metrics say."""

    OK = "ok"
    REPEATED = "repeated"
    """A write that was made before: answered from the store, not run."""
    INVALID_ARGUMENTS = "invalid_arguments"
    REFUSED = "refused"
    """By the use case, or because of who calls."""
    CONFLICT = "conflict"
    """A write whose first call is still running, or ended without a known answer."""
    BUSY = "busy"
    TIMEOUT = "timeout"
    STOPPED = "stopped"
    """Cut off by the end of the service."""
    CANCELLED = "cancelled"
    ERROR = "error"
    INVALID_RESULT = "invalid_result"
    NOT_FOUND = "not_found"


class Answer(NamedTuple):
    """The answer to one call."""

    status: int
    body: bytes
    outcome: Outcome
    error_id: str = ""
    """Of a fault of ours, what `X-Error-Id` and the log say."""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    """Besides content type and length."""
    undone: bool = False
    """Whether it is certain that the use case did nothing, so that the call may be made again."""


def refusal(
    code: RefusalCode,
    language: Language,
    outcome: Outcome,
    *,
    values: Mapping[str, Any] | None = None,
    fields: Sequence[Mapping[str, str]] = (),
    error_id: str = "",
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> Answer:
    """Return one of the refusals of our own, in the service's language.

    Args:
        code: which one; its status and text stand in `words.REFUSALS`.
        language: of the text.
        outcome: what the log and the metrics say.
        values: what the text's `{…}` stand for.
        fields: `{"path", "message"}` for each argument at fault.
        error_id: of a fault of ours; goes into `X-Error-Id`.
        headers: more of them.
    """
    found = REFUSALS[code]
    text = found.text.said(language)
    error: dict[str, Any] = {"code": code, "message": text.format_map(values) if values else text}
    if fields:
        error["fields"] = fields
    if error_id:
        headers = (*headers, (b"x-error-id", error_id.encode()))
    return Answer(found.status, _encode({"error": error}), outcome, error_id, headers)


def refused_by_tool(error: ToolError) -> Answer:
    """Return what a use case declares: the status and code of its class, its own text for the model.

    Raises:
        ValueError: its status is none of a refusal. Whatever else its class raises when it is read comes out too.
    """
    status = type(error).status
    if not is_refusal(status):
        raise ValueError(f"{type(error).__name__} has the status {status!r}, which is not one of 400 to 499")
    body: dict[str, Any] = {"code": shown(str(type(error).code), _MAX_CODE), "message": shown(str(error.message))}
    if error.field:
        body["field"] = shown(str(error.field), _MAX_CODE * 4)
    return Answer(status, _encode({"error": body}), Outcome.REFUSED, undone=True)


def shown(text: str, limit: int = MAX_TEXT) -> str:
    """Return a text without control and invisible characters, at most `limit` characters long."""
    clean = clean_text(text[: limit + 1].encode("utf-8", "replace").decode())
    return clean if len(clean) <= limit else clean[: limit - 1] + _ELLIPSIS
