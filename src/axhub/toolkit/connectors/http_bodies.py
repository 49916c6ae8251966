"""What an HTTP API is sent and what it answers, between models and bytes (toolkit/H1). Nothing here shows a value."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel, ValidationError

from axhub.toolkit.config.kinds import FIELD, charset_of
from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.json_values import more_values_than
from axhub.toolkit.places import faults_of

__all__ = [
    "INVALID_ANSWER",
    "INVALID_REQUEST",
    "MAX_ANSWER_VALUES",
    "TOO_LARGE",
    "Written",
    "answer_of",
    "json_bytes",
    "request_of",
    "validated",
]

INVALID_ANSWER: Final = "invalid_answer"
INVALID_REQUEST: Final = "invalid_request"
TOO_LARGE: Final = "too_large"
MAX_ANSWER_VALUES: Final = 100_000
"""Members, items, objects and lists that an answer may have: what bounds the time of validating it, in which nothing
else runs."""

_IN_QUERY: Final = frozenset({"GET", "HEAD", "DELETE", "OPTIONS"})
_NO_SEGMENTS: Final = frozenset({"", ".", ".."})
"""As parts of a path these are none, or lead elsewhere."""
_UTF_8: Final = "utf-8"
_WIDER: Final = {"euc_kr": "cp949"}
"""What calls itself EUC-KR is CP949 as often as not, which has all of it and more."""

_A = TypeVar("_A", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Written:
    """A request as it goes over the wire."""

    target: str
    """Path and query, percent-encoded."""
    body: bytes | None
    """None: the request has none."""


def request_of(api: HttpApiSettings, request: BaseModel) -> Written:
    """Write a request: as JSON, or into the query where the method has no body; what is null is left out of a query.

    Members that the path of the API names stand there, and nowhere else.

    Raises:
        LegacyError: `invalid_request`: a member has no place in a path or a query, or in the API's charset.
    """
    values = request.model_dump(mode="json", by_alias=True)
    charset = charset_of(api.content_type) or _UTF_8
    url = _filled(api.url, values, charset) if "{" in api.url else api.url
    if api.method not in _IN_QUERY:
        return Written(url, json_bytes(values, charset))
    query = _query(values, charset)
    return Written(f"{url}{'&' if '?' in url else '?'}{query}" if query else url, None)


def json_bytes(value: Any, charset: str = _UTF_8) -> bytes:
    """Write JSON in a charset; if that lacks a character, all beyond ASCII are written as JSON's escapes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode(charset)
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def answer_of(body: bytes, content_type: str, response_type: type[_A]) -> _A:
    """Read an answer; an empty one is an object without members.

    Args:
        body: as it came.
        content_type: may name a charset; UTF-8 without.
        response_type: the model.

    Raises:
        LegacyError: `invalid_answer`, with the fields and what is wrong with them, never with what stands there;
            `too_large`, if it has more than `MAX_ANSWER_VALUES` values.
    """
    if more_values_than(body, MAX_ANSWER_VALUES):
        raise LegacyError(TOO_LARGE, f"the answer has more than {MAX_ANSWER_VALUES} values")
    charset = charset_of(content_type)
    if charset is None and "charset" in content_type.lower():
        raise LegacyError(INVALID_ANSWER, "the answer is in an unknown charset")
    try:
        text = body.decode(_WIDER.get(charset or "", charset) or "utf-8-sig")
    except UnicodeDecodeError:
        raise LegacyError(INVALID_ANSWER, f"the answer is not {charset or _UTF_8}") from None
    return validated(response_type, text if text.strip() else "{}")


def validated(response_type: type[_A], text: str) -> _A:
    """Read JSON into a model.

    Raises:
        LegacyError: see `answer_of`.
    """
    try:
        return response_type.model_validate_json(text)
    except ValidationError as error:
        places = ", ".join(faults_of(error))
    # Outside of the handler, since the validation error quotes what was answered.
    raise LegacyError(INVALID_ANSWER, f"the answer is no {response_type.__name__}: {places}")


def _filled(url: str, values: dict[str, Any], charset: str) -> str:
    """Return a path with its members in place; they are taken out of `values`."""
    names = dict.fromkeys(FIELD.findall(url))
    written = {name: _segment(name, values.pop(name, None), charset) for name in names}
    return FIELD.sub(lambda found: written[found["name"]], url)


def _segment(name: str, value: Any, charset: str) -> str:
    """Return one value as a part of a path, from which it cannot lead away."""
    text = value if isinstance(value, str) else json.dumps(value)
    if value is None or isinstance(value, dict | list) or text in _NO_SEGMENTS:
        raise LegacyError(INVALID_REQUEST, f"the API's url has {{{name}}}, and the request has no usable {name}")
    try:
        return quote(text, safe="", encoding=charset, errors="strict")
    except UnicodeEncodeError:
        pass
    raise LegacyError(INVALID_REQUEST, f"the request has a character that {charset} lacks")


def _query(values: Mapping[str, Any], charset: str) -> str:
    pairs = [(name, text) for name, value in values.items() for text in _texts(name, value)]
    try:
        return urlencode(pairs, encoding=charset, errors="strict")
    except UnicodeEncodeError:
        pass
    raise LegacyError(INVALID_REQUEST, f"the request has a character that {charset} lacks")


def _texts(name: str, value: Any) -> Iterator[str]:
    """Yield a member's values; a list's stand one after the other under the same name."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict | list):
            raise LegacyError(INVALID_REQUEST, f"{name} is an object or a list of lists, which no query holds")
        if item is not None:
            yield item if isinstance(item, str) else json.dumps(item)
