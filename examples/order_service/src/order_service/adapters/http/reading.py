"""What stands in a request: bounded, strict, and refused rather than repaired."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from order_service.adapters.http.problems import (
    BAD_REQUEST,
    NO_KEY,
    NOT_AUTHENTICATED,
    NOT_FOUND,
    TOO_LARGE,
    WRONG_MEDIA,
    ProblemError,
)
from order_service.adapters.http.words import Text

__all__ = [
    "MAX_BODY_BYTES",
    "bearer_token",
    "bounded_body",
    "idempotency_key",
    "json_body",
    "path_id",
    "query",
    "trace_id",
]

MAX_BODY_BYTES: Final = 64 * 1024
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KEY: Final = re.compile(r"[!-~]{1,255}")
_BEARER: Final = re.compile(r"[Bb]earer +([A-Za-z0-9._~+/=-]+)")
_TRACE: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_WRONG: Final[Mapping[str, Text]] = {
    "missing": Text("is missing", "값이 없습니다"),
    "extra_forbidden": Text("is not known here", "알 수 없는 항목입니다"),
}
_UNUSABLE: Final = Text("cannot be used", "사용할 수 없는 값입니다")
_NO_JSON: Final = Text("The body is no JSON object.", "본문이 JSON 객체가 아닙니다.")

M = TypeVar("M", bound=BaseModel)


def bearer_token(request: Request) -> str:
    """Return the token of the one `Authorization` header.

    Raises:
        ProblemError: there is none, or something else.
    """
    found = _BEARER.fullmatch(_one_header(request, "authorization") or "")
    if found is None:
        raise ProblemError(NOT_AUTHENTICATED)
    return found[1]


def idempotency_key(request: Request) -> str:
    """Return the one `Idempotency-Key`.

    Raises:
        ProblemError: there is none that can be used.
    """
    key = _one_header(request, "idempotency-key")
    if key is None or not _KEY.fullmatch(key):
        raise ProblemError(NO_KEY)
    return key


def trace_id(request: Request) -> str:
    """Return the caller's trace id (W3C trace context); nothing if there is none."""
    found = _TRACE.fullmatch(_one_header(request, "traceparent") or "")
    return found[1] if found else ""


def _one_header(request: Request, name: str) -> str | None:
    values = request.headers.getlist(name)
    return values[0] if len(values) == 1 else None


def path_id(request: Request, name: str) -> str:
    """Return an id of the path.

    Raises:
        ProblemError: nothing here has such a name.
    """
    value = str(request.path_params[name])
    if not _ID.fullmatch(value):
        raise ProblemError(NOT_FOUND)
    return value


def query(request: Request, allowed: Mapping[str, "re.Pattern[str]"]) -> dict[str, str]:
    """Return the query's values.

    Raises:
        ProblemError: one is unknown, stands there twice, or is not of its form.
    """
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        form = allowed.get(name)
        if form is None:
            known = ", ".join(sorted(allowed)) or "-"
            raise ProblemError(BAD_REQUEST, Text(f"The query takes: {known}.", f"쿼리에 쓸 수 있는 항목: {known}."))
        if name in found or not form.fullmatch(value):
            raise ProblemError(BAD_REQUEST, Text(f"{name} {_UNUSABLE.en}.", f"{name}: {_UNUSABLE.ko}."))
        found[name] = value
    return found


async def bounded_body(request: Request) -> bytes:
    """Return the body.

    Raises:
        ProblemError: it is too large; the rest of it is not read.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise ProblemError(TOO_LARGE)
    return body


async def json_body(request: Request, model: type[M], *, is_optional: bool = False) -> M:
    """Return the body, read.

    Args:
        request: whose.
        model: what it must be.
        is_optional: whether no body is the same as an empty object.

    Raises:
        ProblemError: it is too large, of another type, no strict JSON, or not what the model says.
    """
    body = await bounded_body(request)
    if not body and is_optional:
        return model.model_validate({})
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ProblemError(WRONG_MEDIA)
    value = _parsed(body)
    try:
        return model.model_validate(value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise ProblemError(BAD_REQUEST, _told(error)) from None


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ProblemError(BAD_REQUEST, _NO_JSON) from None
    if not isinstance(value, dict):
        raise ProblemError(BAD_REQUEST, _NO_JSON)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member stands there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _told(error: ValidationError) -> Text:
    """Return what is wrong where; names that the sender made up, and all values, stay out of it."""
    english, korean = [], []
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        is_extra = one["type"] == "extra_forbidden"
        place = "*" if is_extra else ".".join(str(part) for part in one["loc"])
        wrong = _WRONG.get(one["type"], _UNUSABLE)
        english.append(f"{place} {wrong.en}")
        korean.append(f"{place}: {wrong.ko}")
    return Text("; ".join(english) + ".", "; ".join(korean) + ".")
