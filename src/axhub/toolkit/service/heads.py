"""What uvicorn lacks for the head of a request: size, number of headers, time, one Host (threat/T17, toolkit/S6).

uvicorn's parser in C keeps a head of any size and waits for it for ever. `axhub service` takes this protocol instead;
whoever serves the app on another ASGI server bounds heads there, or in the proxy before it.
"""

import asyncio
import re
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from axhub.toolkit.service.answers import Outcome, refusal
from axhub.toolkit.service.headers import MAX_HEADER_BYTES, MAX_HEADERS
from axhub.toolkit.service.words import Language, RefusalCode

__all__ = ["HEAD_SECONDS", "BoundedHeads", "bounded_heads"]

HEAD_SECONDS: Final = 10.0
"""How long a head may take, from the connection or its first byte on."""
_LINGER_SECONDS: Final = 1.0
"""How long a refused sender may go on, so that it gets to read the refusal; what it sends is thrown away."""

_HOST: Final = b"host"
_HOST_VALUE: Final = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?")
"""A name or an address with or without a port, or nothing (RFC 9110, 7.2)."""
_BLANKS: Final = b" \t"


class BoundedHeads(HttpToolsProtocol):
    """Answers 431 to a head that is too large, 408 to one that does not end, 400 to one without a Host, and closes."""

    language: ClassVar[Language] = "en"
    head_seconds: ClassVar[float] = HEAD_SECONDS
    linger_seconds: ClassVar[float] = _LINGER_SECONDS

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self._inside = False
        """Whether a request has begun and not ended."""
        self._in_head = True
        """Whether what comes next belongs to a head, begun or not."""
        self._head_bytes = 0
        self._refused = False
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Wait for a head."""
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(self.head_seconds, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Pass on what came, unless the head has grown too large."""
        if self._refused:
            return
        alone = not self._inside or self._in_head  # else a part of it belongs to the body of the request before
        super().data_received(data)
        current: Any = self.cycle  # None before the first request, whatever uvicorn's annotation says
        if not self._in_head or not (self._inside or current is None or current.response_complete):
            self._stop_waiting()
            return
        self._head_bytes += len(data) if alone and self._inside else 0
        if self._inside and (self._head_bytes > MAX_HEADER_BYTES or len(self.headers) > MAX_HEADERS):
            self._refuse("HEADERS_TOO_LARGE")
        elif self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(self.head_seconds, self._too_slow)

    def on_message_begin(self) -> None:
        """Note that a head has begun."""
        super().on_message_begin()
        self._inside = self._in_head = True
        self._head_bytes = 0

    def on_headers_complete(self) -> None:
        """Note that the head has ended; one that does not say in one way for whom it is meant goes no further."""
        self._in_head = False
        if not self._refused and not self._says_its_host():
            self._refuse("INVALID_HTTP")
        if not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, unless its head was refused."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the next thing is another head."""
        if not self._refused:
            super().on_message_complete()
        self._inside, self._in_head = False, True

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's words, for people only
        """Refuse what is no HTTP in the form of all refusals."""
        self._refuse("INVALID_HTTP")

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: the request is answered as if nobody had asked for another protocol (RFC 9110, 7.8)."""

    def _says_its_host(self) -> bool:
        """Say whether there is one valid Host, or none in a request of HTTP/1.0 (RFC 9112, 3.2)."""
        values = [value.strip(_BLANKS) for name, value in self.headers if name == _HOST]
        if not values:
            return self.parser.get_http_version() != "1.1"
        return len(values) == 1 and _HOST_VALUE.fullmatch(values[0]) is not None

    def _is_of_the_body(self, current: Any) -> bool:
        """Say whether what came last is part of the only request that is to be answered, behind its head."""
        is_alone = current is not None and not self.pipeline and not current.response_started
        return is_alone and self._inside and not self._in_head

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _too_slow(self) -> None:
        self._head_timer = None
        if self._inside:
            self._refuse("SLOW_HEAD")
        else:
            self.transport.close()

    def _refuse(self, code: RefusalCode) -> None:
        """Answer, unless an earlier request of this connection is still being answered, and close.

        A request whose own body is no HTTP has no other answer than this one.
        """
        if self._refused:
            return
        self._refused = True
        self._stop_waiting()
        if self.transport.is_closing():
            return
        current: Any = self.cycle  # None before the first request, whatever uvicorn's annotation says
        if self._is_of_the_body(current):
            current.disconnected = True  # as if its caller had gone: the rest of the body never comes
            current.message_event.set()
        if current is None or current.response_complete or current.disconnected:
            answer = refusal(code, self.language, Outcome.INVALID_ARGUMENTS)
            lines = [b"%b: %b\r\n" % header for header in self.server_state.default_headers]
            self.transport.write(
                b"%bcontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n%b\r\n%b"
                % (STATUS_LINE[answer.status], len(answer.body), b"".join(lines), answer.body)
            )
            self.loop.call_later(self.linger_seconds, self.transport.close)
        else:
            current.keep_alive = False


def bounded_heads(language: Language) -> type[BoundedHeads]:
    """Return the protocol for `uvicorn.Config(http=…)`, with refusals in a language."""
    return type("BoundedHeads", (BoundedHeads,), {"language": language})
