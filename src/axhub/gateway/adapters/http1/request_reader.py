"""Bytes in, whole requests or one refusal out: the receiving half of a caller's connection, without any I/O.

Nothing a peer sends makes it raise; after a refusal, or a request that is the last, it is deaf.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from msgspec.structs import replace

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.reading import StopParsingError, fields_size, fits, joined, sure_digits
from axhub.gateway.adapters.http1.request_head import Fault, body_too_large, head_fault, size_fault
from axhub.gateway.domain.call import HeadNotes
from axhub.gateway.domain.head_memory import HeadMemory
from axhub.gateway.ports import HttpRequest

_PIECE_BYTES: Final = 8192
"""Bigger reads are parsed in pieces, so that a burst of pipelined requests cannot become thousands of objects."""
_NO_NAMES: Final[frozenset[bytes]] = frozenset()
_NO_REQUEST: Final = HttpRequest(b"", b"", {}, _NO_NAMES, b"")


@dataclass(slots=True, eq=False)
class RequestReader:
    """Feeds llhttp and fills `queue`; each entry says whether it is the connection's last."""

    limits: ServerLimits
    memory: HeadMemory[HttpRequest] = field(init=False)
    """For whoever knows that a request begins: of one whose head is known nothing has to be fed."""
    queue: deque[tuple[HttpRequest | Fault, bool]] = field(default_factory=deque)
    deaf: bool = False
    receiving: bool = False
    """Between the first byte of a request and its last."""
    head_done: bool = False
    before_1_1: bool = False
    """Whether the last request came in HTTP/1.0, which is always the last one of its connection."""
    wants_continue: bool = False
    """The caller holds the body back until it is told to go on (RFC 9110 section 10.1.1)."""
    _parser: HttpRequestParser = field(init=False)
    _piece: int = 0  # size of what is being parsed
    _quiet: int = 0  # bytes since the request began or brought body bytes: bounds head, chunk extensions, trailers
    _target: bytes = b""
    _fields: dict[bytes, bytes] = field(default_factory=dict)  # being read: the head's, then a trailer's
    _headers: dict[bytes, bytes] = field(default_factory=dict)
    _repeated: frozenset[bytes] = _NO_NAMES
    _repetitions: list[tuple[bytes, bytes]] = field(default_factory=list)
    _body: bytes | bytearray = b""
    _last: bool = False
    _announcement: bytes = b""
    _path: bytes = b""  # of the target

    def __post_init__(self) -> None:
        self._parser = HttpRequestParser(self)
        self.memory = HeadMemory(_NO_REQUEST, sure_digits(self.limits.max_body_bytes), self.limits.max_head_bytes)

    def feed(self, data: bytes | memoryview) -> memoryview | None:
        """Parse until all is parsed, or enough requests wait: then return what is left for later."""
        begins = not (self.queue or self.receiving or self.deaf)
        rest = self._parse(data)
        if begins and isinstance(data, bytes) and len(self.queue) == 1:
            request = self.queue[0][0]
            if isinstance(request, HttpRequest) and not request.repeated:
                self.memory.remember(data, len(request.body), request.headers, replace(request, notes=HeadNotes()))
        return rest

    def _parse(self, data: bytes | memoryview) -> memoryview | None:
        size = len(data)
        if size > _PIECE_BYTES:
            return self._feed_pieces(memoryview(data))
        if self.deaf:
            return None
        if self.queue and len(self.queue) >= self.limits.max_pipelined:
            return memoryview(data)
        self._piece = size
        self._quiet += size
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            return self._ignore_upgrade(memoryview(data)[upgrade.args[0] :])
        except HttpParserError:
            if not self.deaf:
                self.refuse(Fault(400, "The request is not well-formed HTTP/1.1."))
        if self.receiving and self._quiet > self.limits.max_head_bytes + _PIECE_BYTES:
            framing = Fault(400, "The body of the request is framed wastefully.")
            self.refuse(framing if self.head_done else size_fault(0, self._quiet, self.limits) or framing)
        return None

    def _feed_pieces(self, data: memoryview) -> memoryview | None:
        for start in range(0, len(data), _PIECE_BYTES):
            piece = data[start : start + _PIECE_BYTES]
            rest = self._parse(piece)
            if rest is not None:
                return data[start + len(piece) - len(rest) :]
        return None

    def refuse(self, fault: Fault) -> None:
        """Queue a refusal; nothing more is parsed."""
        self.deaf = True
        self.receiving = False
        self.queue.append((fault, True))

    def _ignore_upgrade(self, rest: memoryview) -> memoryview | None:
        """Go on as if no other protocol had been offered (RFC 9110 section 7.8).

        llhttp takes what follows the head for the other protocol; a fresh parser is told that a body follows.
        Return what is left for later, as `feed` does.
        """
        announcement, self._announcement = self._announcement, b""
        self._parser = HttpRequestParser(self)
        if announcement:
            kept = self._headers, self._repeated, self._last, self.wants_continue
            self._parser.feed_data(announcement)
            self._headers, self._repeated, self._last, self.wants_continue = kept
        return self._parse(rest) if rest else None

    # What llhttp tells.

    def on_message_begin(self) -> None:
        """Forget the request before."""
        if self.deaf:
            raise StopParsingError
        self.receiving = True
        self.head_done = self.wants_continue = False
        self._quiet = self._piece
        self._target = b""
        self._fields = {}
        self._repetitions = []

    def on_url(self, url: bytes) -> None:
        """Take a piece of the request target."""
        self._target = self._target + url if self._target else url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header field; those of a trailer are dropped with their dictionary (RFC 9110 section 6.5.1)."""
        name = name.lower()
        headers = self._fields
        if name not in headers:
            headers[name] = value.strip()
        elif not self.head_done:
            self._repetitions.append((name, value))

    def on_headers_complete(self) -> None:
        """Judge the head before anything of the body is looked at."""
        self.head_done = True
        headers = self._headers = self._fields
        self._repeated = frozenset([name for name, _ in self._repetitions]) if self._repetitions else _NO_NAMES
        version = self._parser.get_http_version()
        self.before_1_1 = version == "1.0"
        self._last = version != "1.1" or not self._parser.should_keep_alive()
        self._judge(headers, version)
        self._fields = {}
        self.wants_continue = headers.get(b"expect", b"").lower() == b"100-continue" and version == "1.1"
        if b"upgrade" in headers and self._parser.should_upgrade():
            self._announcement = _announce_body(self._parser.get_method(), self._target, headers)

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._quiet = 0
        held = self._body
        if len(held) + len(body) > self.limits.max_body_bytes:
            self.refuse(body_too_large(self.limits))
            raise StopParsingError
        self._body = joined(held, body) if held else body

    def on_message_complete(self) -> None:
        """Queue the request; nothing is parsed after one that is the last."""
        method = self._parser.get_method()
        if method == b"CONNECT":  # llhttp takes what follows its head, a body too, for the tunnel that was asked for
            self.refuse(Fault(400, "The method CONNECT is not understood."))
            raise StopParsingError
        if self._announcement:
            return
        self.receiving = False
        self.deaf = last = self._last
        body, self._body = bytes(self._body), b""
        self.queue.append((HttpRequest(method, self._path, self._headers, self._repeated, body), last))

    def _judge(self, headers: dict[bytes, bytes], version: str) -> None:
        """Refuse an unsound head."""
        fits_body = fits(headers.get(b"content-length", b"0"), self.limits.max_body_bytes)
        fault = self._oversize(headers) or head_fault(self._target, headers, self._repeated, version)
        if fault := fault or (None if fits_body else body_too_large(self.limits)):
            self.refuse(fault)
            raise StopParsingError
        self._path = self._target.partition(b"?")[0]

    def _oversize(self, headers: dict[bytes, bytes]) -> Fault | None:
        size = 0
        if self._quiet > self.limits.max_head_bytes:
            size = len(self._parser.get_method()) + len(self._target) + len("  HTTP/1.1\r\n\r\n")
            size += fields_size(headers.items()) + fields_size(self._repetitions)
        return size_fault(len(headers) + len(self._repetitions), size, self.limits)


def _announce_body(method: bytes, target: bytes, headers: Mapping[bytes, bytes]) -> bytes:
    """Return a head that announces the same body, or nothing if there is no body."""
    line = b"%b %b HTTP/1.1\r\nHost: %b\r\n" % (method, target, headers.get(b"host", b"-"))
    if b"transfer-encoding" in headers:
        return line + b"Transfer-Encoding: chunked\r\n\r\n"
    length = int(headers.get(b"content-length", b"0"))
    return line + b"Content-Length: %d\r\n\r\n" % length if length else b""
