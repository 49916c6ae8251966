"""What goes wrong between `axhub tools` and an MCP server, told to a person: one sentence with the mend.

The SDK wraps failures in exception groups, and puts texts of its own in place of HTTP errors that it cannot read;
here the one that explains the others is chosen and said.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
import msgspec
from mcp import MCPError
from mcp.client.subscriptions import SubscriptionLost
from pydantic import ValidationError

from axhub.cli.tables import one_line

_WITHOUT_JSON_RPC: Final = frozenset({"Not Found", "Server returned an error response"})
"""What the SDK puts in place of an HTTP error without a JSON-RPC body."""
_NOT_MCP: Final = ("Unexpected content type", "Redirect to", "server answered a request with 202", "Failed to parse")
_ACCESS_REFUSED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


class UnreachableError(Exception):
    """No MCP server answers there, or it says that it cannot serve now; the message names the address and the mend."""


class AnsweredError(Exception):
    """The server answered with a JSON-RPC error, or with something that is no valid MCP result."""

    def __init__(self, message: str, code: int | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known beside the exceptions: the address, the bound in seconds, the last HTTP status and its words."""

    url: str
    timeout: float
    status: int
    refusal: str


class _ErrorObject(msgspec.Struct):
    message: str


class _ErrorAnswer(msgspec.Struct):
    error: _ErrorObject


def refusal(body: bytes) -> str:
    """Return the message of a JSON-RPC error, or nothing if `body` is none."""
    try:
        return one_line(msgspec.json.decode(body, type=_ErrorAnswer).error.message)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


def _leaves(group: BaseExceptionGroup[Any]) -> Iterable[Exception]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def judged(group: BaseExceptionGroup[Any], seen: Seen) -> Exception:
    """Return the failure that explains the others: one of this module's two errors, or a fault of ours as it is."""
    ordered = sorted(_leaves(group), key=lambda error: isinstance(error, TimeoutError | httpx2.TimeoutException))
    error = next((found for found in ordered if isinstance(found, MCPError)), ordered[0])
    if isinstance(error, MCPError):
        return _judged_answer(error, seen)
    if isinstance(error, TimeoutError | httpx2.TimeoutException):
        return UnreachableError(f"no answer from {seen.url} within {seen.timeout:g} s (--timeout SECONDS)")
    if isinstance(error, SubscriptionLost):
        return UnreachableError(f"the connection to {seen.url} broke")
    if isinstance(error, httpx2.TransportError):
        return UnreachableError(_connection_sentence(error, seen.url))
    if isinstance(error, ValidationError | RuntimeError):
        return AnsweredError(f"the answer of {seen.url} is no valid MCP result: {_first_line(error)}")
    return error


def _judged_answer(error: MCPError, seen: Seen) -> Exception:
    status, url = seen.status, seen.url
    bare = status >= HTTPStatus.BAD_REQUEST and error.message in _WITHOUT_JSON_RPC
    message = seen.refusal if bare else error.message
    if status == HTTPStatus.SERVICE_UNAVAILABLE and message:
        return UnreachableError(f"{url} cannot serve now: {message}; try again in a moment")
    if bare and (status == HTTPStatus.NOT_FOUND or not (message or status in _ACCESS_REFUSED)):
        hint = "" if urlsplit(url).path.rstrip("/") else f"; did you mean {url.rstrip('/')}/mcp ?"
        return UnreachableError(f"no MCP server at {url}: it answered HTTP {status}{hint}")
    if bare and message:
        return AnsweredError(f"the server refused: {message} (HTTP {status})")
    if bare:
        return AnsweredError(f"{url} refused access (HTTP {status}); does it want a --header, for example a token?")
    if message.startswith(_NOT_MCP):
        return UnreachableError(f"no MCP server at {url}: {_first_line(error)}")
    return AnsweredError(message, error.code, error.data)


def _connection_sentence(error: BaseException, url: str) -> str:
    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None:
        causes.append(cause)
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return f"nothing listens at {url}; is the server running, and is the port right?"
    system = next((cause for cause in reversed(causes) if isinstance(cause, OSError)), None)
    reason = (system.strerror if system else None) or _first_line(error)
    return f"no connection to {url}: {reason}; is the server running, and is the address right?"


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
