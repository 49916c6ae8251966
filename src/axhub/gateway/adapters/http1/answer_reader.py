"""Bytes in, one whole answer or a failure out: the receiving half of a connection to a Tool Service, without any I/O.

It also says whether the bytes ended exactly where the answer did: a connection that carried a byte more is never
used again, since that byte would reach the next caller (gateway/X10).
"""

from dataclasses import dataclass, field
from typing import Final

from httptools import HttpParserError, HttpResponseParser

from axhub.contract.media import media_type
from axhub.gateway.adapters.http1.reading import StopParsingError, fields_size, fits, joined, sure_digits
from axhub.gateway.domain.event_stream import EventReader
from axhub.gateway.domain.head_memory import HeadMemory
from axhub.gateway.ports import Failure, UpstreamAnswer

_MAX_FIELDS: Final = 64
_MAX_HEAD_BYTES: Final = 32 * 1024
_MAX_INTERIM_ANSWERS: Final = 8
_FIRST_STATUS, _SWITCHING_PROTOCOLS, _FIRST_FINAL_STATUS, _FIRST_UNSUCCESSFUL_STATUS = 100, 101, 200, 300
_WITHOUT_BODY: Final = frozenset({204, 304})
_EVENT_STREAM: Final = b"text/event-stream"
_STREAM_TIMES: Final = 4
"""How many times the bound of a body all events of a stream may have together: notices and the response."""
_CUMULATIVE: Final = frozenset({b"content-encoding", b"transfer-encoding"})
"""Of these every repetition counts."""


@dataclass(slots=True, eq=False)
class AnswerReader:
    """Feeds llhttp; used for one answer after the other as long as the connection is."""

    max_bytes: int
    """Bound of the body."""
    memory: HeadMemory[UpstreamAnswer] = field(init=False)
    """For whoever knows that an answer begins: of one whose head is known nothing has to be fed."""
    encoded: bool = False
    """Let a content coding through, for a reader of headers to judge; nothing is ever decoded."""
    streams: bool = False
    """Whether the events of an event stream are wanted as they come: they then stand in `events`, not in the body."""
    events: list[bytes] = field(default_factory=list)
    """The data of events that came and were not taken yet."""
    complete: bool = False
    failure: Failure | None = None
    keep: bool = False
    """Whether the peer and the framing let the connection be used again."""
    surplus: bool = False
    """Whether bytes came that belong to no answer."""
    _parser: HttpResponseParser = field(init=False)
    _status: int = 0
    _interim_answers: int = 0
    _until_end: bool = False
    _fields: dict[bytes, bytes] = field(default_factory=dict)  # being read: the head's, then a trailer's
    _headers: dict[bytes, bytes] = field(default_factory=dict)
    _repetitions: int = 0
    _quiet: int = 0  # bytes since the answer began or brought body bytes: bounds head, chunk extensions, trailers
    _body: bytes | bytearray = b""
    _last_piece: bytes = b""
    _event_reader: EventReader | None = None

    def __post_init__(self) -> None:
        self._parser = HttpResponseParser(self)
        self.memory = HeadMemory(UpstreamAnswer(0, {}, b""), sure_digits(self.max_bytes))

    def expect(self) -> None:
        """Make ready for the next answer; keep nothing of the last."""
        self.complete = self.keep = self._until_end = False
        self._interim_answers = self._quiet = 0
        self._body = self._last_piece = b""
        self._event_reader = None

    def feed(self, data: bytes) -> bool:
        """Parse; return True once `complete` or `failure` is set."""
        begins = not self._quiet
        self._quiet += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserError:
            if not self.complete:
                self.failure = self.failure or Failure.INVALID
        if self.complete:
            self._judge_end(data)
            # Of a status that has no body the length says something else.
            if begins and self._body and self.keep and not (self.surplus or self._repetitions):
                self.memory.remember(data, len(self._body), self._headers, self.answer())
            return True
        if self._quiet > _MAX_HEAD_BYTES:
            self.failure = self.failure or Failure.INVALID
        return self.failure is not None

    def end(self) -> None:
        """Take the peer's end of stream: it completes an answer that has no other end."""
        self.complete = self._until_end
        self.failure = None if self._until_end else Failure.UNREACHABLE

    def answer(self) -> UpstreamAnswer:
        """Return what was read, or the failure."""
        if self.failure is not None:
            return UpstreamAnswer(0, {}, b"", self.failure)
        return UpstreamAnswer(self._status, self._headers, bytes(self._body))

    def _judge_end(self, data: bytes) -> None:
        """Look for bytes after the answer; those that begin another one, or do not parse, have been seen already.

        Left are line ends, which llhttp skips. Where they cannot be told from the answer's own, `keep` is dropped.
        """
        piece = self._last_piece
        if piece:
            if not data.endswith(piece):
                self.surplus = True
            if piece[-1] in b"\r\n" and not piece.strip(b"\r\n"):
                self.keep = False
        elif len(data) <= len("\r\n\r\n"):
            self.keep = False
        else:
            self.surplus = self.surplus or not data.endswith(b"\r\n\r\n") or data[-5] in b"\r\n"

    # What llhttp tells.

    def on_message_begin(self) -> None:
        """Forget the answer before, or notice a second one."""
        if self.complete:
            self.surplus = True
            raise StopParsingError
        self._fields = {}
        self._repetitions = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header field; those of a trailer are dropped with their dictionary."""
        name, headers = name.lower(), self._fields
        if name in headers:
            self._repetitions += 1
            if name in _CUMULATIVE:
                value = b"%b,%b" % (headers[name], value)
        headers[name] = value.strip()

    def on_headers_complete(self) -> None:
        """Judge the head before anything of the body is looked at; skip interim answers."""
        headers, parser = self._fields, self._parser
        self._headers = headers
        status = self._status = parser.get_status_code()
        too_long = self._quiet > _MAX_HEAD_BYTES and fields_size(headers.items()) > _MAX_HEAD_BYTES
        if too_long or len(headers) + self._repetitions > _MAX_FIELDS:
            self._fail(Failure.INVALID)
        if status < _FIRST_FINAL_STATUS:
            self._interim_answers += 1
            if status < _FIRST_STATUS or status == _SWITCHING_PROTOCOLS or self._interim_answers > _MAX_INTERIM_ANSWERS:
                self._fail(Failure.INVALID)
            return
        self.keep = parser.should_keep_alive()
        length, coding = headers.get(b"content-length"), headers.get(b"transfer-encoding")
        self._judge_framing(headers, coding, length)
        if self.streams and status < _FIRST_UNSUCCESSFUL_STATUS:
            kind = media_type(headers.get(b"content-type", b""))
            if kind is not None and kind.name == _EVENT_STREAM:
                self._event_reader = EventReader(self.max_bytes, self.max_bytes * _STREAM_TIMES)

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._quiet = 1  # 0 is where an answer begins
        self._last_piece = body
        held = self._body
        if self._event_reader is not None:
            self.events += self._event_reader.feed(body)
            if self._event_reader.too_large:
                self._fail(Failure.TOO_LARGE)
        elif len(held) + len(body) > self.max_bytes:
            self._fail(Failure.TOO_LARGE)
        else:
            self._body = joined(held, body) if held else body

    def on_chunk_complete(self) -> None:
        """Note that a chunk's end is not body."""
        self._last_piece = b""

    def on_message_complete(self) -> None:
        """End the answer, unless it is an interim one."""
        self.complete = self._status >= _FIRST_FINAL_STATUS

    def _judge_framing(self, headers: dict[bytes, bytes], coding: bytes | None, length: bytes | None) -> None:
        version = self._parser.get_http_version()
        if coding is not None:
            self._fields = {}
        understood = coding is None or (coding.lower() == b"chunked" and version == "1.1")
        if not understood or version not in {"1.0", "1.1"}:
            self._fail(Failure.INVALID)
        coded = headers.get(b"content-encoding", b"").lower() not in {b"identity", b""}
        if coded and not self.encoded and self._status < _FIRST_UNSUCCESSFUL_STATUS:  # the status of an error is enough
            self._fail(Failure.INVALID)
        bodiless = self._status in _WITHOUT_BODY
        if length is not None and not bodiless and not fits(length, self.max_bytes):
            self._fail(Failure.TOO_LARGE)
        self._until_end = not self.keep and not bodiless and coding is None and length is None

    def _fail(self, failure: Failure) -> None:
        self.failure = failure
        raise StopParsingError
