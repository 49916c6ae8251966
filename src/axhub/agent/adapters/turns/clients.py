"""The clients of the two wires, as both frameworks are given them, and what their errors stand for.

Only what the settings say counts: no proxy or address from the environment, no redirect, no retries of their own.
"""

import ssl
from dataclasses import dataclass
from typing import Final

import anthropic
import openai

from axhub.agent.adapters.turns.tries import FailedTryError, of_status

__all__ = ["Reach", "anthropic_client", "failure_of", "openai_client"]

_ADDRESSES: Final = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_TRANSPORTS: Final = frozenset({"httpx", "httpx2"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a provider is reached."""

    provider: str
    key: str
    base_url: str | None
    proxy: str | None
    ca_file: str | None
    connect_seconds: float
    read_seconds: float

    def __repr__(self) -> str:
        """Show no key."""
        return f"Reach({self.provider} at {self.address})"

    @property
    def address(self) -> str:
        """The base of the interface's addresses."""
        return self.base_url or _ADDRESSES[self.provider]


def openai_client(reach: Reach) -> openai.AsyncOpenAI:
    """Return a client for chat completions.

    Raises:
        OSError: the file of certificates cannot be read, or holds none.
    """
    timeout = openai.Timeout(reach.read_seconds, connect=reach.connect_seconds)
    http = openai.DefaultAsyncHttpxClient(
        timeout=timeout,
        proxy=reach.proxy,
        verify=_trust(reach),
        trust_env=False,
        follow_redirects=False,
        base_url=reach.address,
    )
    return openai.AsyncOpenAI(
        api_key=reach.key, base_url=reach.address, timeout=timeout, max_retries=0, http_client=http
    )


def anthropic_client(reach: Reach) -> anthropic.AsyncAnthropic:
    """Return a client for messages.

    Raises:
        OSError: as above.
    """
    timeout = anthropic.Timeout(reach.read_seconds, connect=reach.connect_seconds)
    http = anthropic.DefaultAsyncHttpxClient(
        timeout=timeout,
        proxy=reach.proxy,
        verify=_trust(reach),
        trust_env=False,
        follow_redirects=False,
        base_url=reach.address,
    )
    return anthropic.AsyncAnthropic(
        api_key=reach.key, base_url=reach.address, timeout=timeout, max_retries=0, http_client=http
    )


def failure_of(error: BaseException) -> FailedTryError | None:
    """Return what an error of a client stands for; None: it is none of theirs."""
    match error:
        case openai.APIStatusError() | anthropic.APIStatusError():
            return of_status(error.status_code, _retry_after(error.response.headers.get("retry-after")))
        case openai.APITimeoutError() | anthropic.APITimeoutError():
            return FailedTryError("a timeout", passing=True)
        case openai.APIConnectionError() | anthropic.APIConnectionError():
            return FailedTryError("no connection, or one that broke", passing=True)
        case openai.APIError() | anthropic.APIError():
            return FailedTryError("an error inside the answer", passing=True)
        case _:
            return _transport_failure(error)


def _trust(reach: Reach) -> ssl.SSLContext:
    """Return whose certificates are believed: the system's authorities, and those of the file."""
    context = ssl.create_default_context()
    if reach.ca_file is not None:
        context.load_verify_locations(reach.ca_file)
    return context


def _transport_failure(error: BaseException) -> FailedTryError | None:
    """Judge an error of the HTTP library by its name: the clients choose which of two equal libraries they use."""
    names = {one.__name__ for one in type(error).__mro__ if one.__module__.partition(".")[0] in _TRANSPORTS}
    if "TimeoutException" in names or isinstance(error, TimeoutError):
        return FailedTryError("a timeout", passing=True)
    if "TransportError" in names or isinstance(error, OSError):
        return FailedTryError("no connection, or one that broke", passing=True)
    return None


def _retry_after(text: str | None) -> float | None:
    """Return the seconds of the header; None for its other form, a date, which is of another clock."""
    return float(text) if text is not None and text.isascii() and text.isdigit() else None
