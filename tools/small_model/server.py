"""Serves a small model on loopback: `POST /v1/chat/completions`, whole or streamed, and `GET /v1/models`."""

import json
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, Final

from tools.small_model.choices import schema_of
from tools.small_model.engine import Engine, PromptError, Written
from tools.small_model.prompt import prompt_of
from tools.small_model.unfolding import Piece, Unfolding
from tools.small_model.wire import DONE, Answering, error_of, event_of, models

__all__ = ["PORT", "ModelServer", "Note"]

PORT: Final = 8_000
"""Where it is served if nobody says otherwise; docs/howto/assistant.md says so too."""

_MOST_TOKENS: Final = 256
_LONGEST_BODY: Final = 1 << 22
_JSON: Final = "application/json"

Note = Callable[[Mapping[str, Any]], None]
"""Hears of each request for an answer: its headers, its body as text, and what the model wrote."""


class ModelServer(ThreadingHTTPServer):
    """The server; on loopback only, as it asks nobody who he is."""

    daemon_threads = True

    def __init__(self, engine: Engine, port: int, note: Note) -> None:
        """Listen on a port; 0: any free one."""
        super().__init__(("127.0.0.1", port), _Handler)
        self._engine = engine
        self._note = note
        self._one_at_a_time = threading.Lock()
        self._numbers = count(1)

    @property
    def base_url(self) -> str:
        """Return what clients are configured with."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def answer(self, asked: "Asked", on_piece: Callable[[Piece], None]) -> tuple[list[Piece], Written]:
        """Have the model write; `on_piece` hears of it as it comes.

        Raises:
            PromptError: nothing was written.
        """
        unfolding, pieces, said = Unfolding(), list[Piece](), list[str]()

        def heard(text: str) -> None:
            said.append(text)
            for piece in unfolding.add(text):
                pieces.append(piece)
                on_piece(piece)

        with self._one_at_a_time:
            try:
                written = self._engine.write(asked.prompt, asked.schema, asked.most_tokens, heard)
            finally:
                self._note({"headers": asked.headers, "body": asked.text, "written": "".join(said)})
        return pieces, written

    def answering(self) -> Answering:
        """Return the form of the next answer."""
        return Answering(next(self._numbers))


class Asked:
    """One request for an answer."""

    def __init__(self, headers: list[tuple[str, str]], text: str) -> None:
        """Read it.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: it is none; `text` says nothing that could be answered.
        """
        body: Mapping[str, Any] = json.loads(text)
        self.headers = headers
        self.text = text
        self.prompt = prompt_of(body)
        self.schema = schema_of(body)
        self.is_streamed = body.get("stream") is True
        self.with_usage = (body.get("stream_options") or {}).get("include_usage") is True
        most = body.get("max_completion_tokens") or body.get("max_tokens") or _MOST_TOKENS
        self.most_tokens = min(int(most), _MOST_TOKENS)


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer a question about the models."""
        if self.path == "/v1/models":
            self._send(HTTPStatus.OK, models())
        else:
            self._send(HTTPStatus.NOT_FOUND, error_of(f"there is nothing at {self.path}"))

    def do_POST(self) -> None:
        """Answer a request for an answer."""
        length = int(self.headers.get("content-length") or 0)
        if self.path != "/v1/chat/completions" or length > _LONGEST_BODY:
            self.close_connection = True
            self._send(HTTPStatus.NOT_FOUND, error_of(f"nothing is taken at {self.path}, or not so much"))
            return
        try:
            asked = Asked(self.headers.items(), self.rfile.read(length).decode())
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._send(HTTPStatus.BAD_REQUEST, error_of(f"no request for chat completions: {error!r}"))
            return
        try:
            self._stream(asked) if asked.is_streamed else self._whole(asked)
        except PromptError as error:
            self._send(HTTPStatus.BAD_REQUEST, error_of(str(error)))
        except ConnectionError:
            self.close_connection = True

    def _whole(self, asked: Asked) -> None:
        answering = self.server.answering()
        self._send(HTTPStatus.OK, answering.whole(*self.server.answer(asked, lambda _: None)))

    def _stream(self, asked: Asked) -> None:
        answering, stream = self.server.answering(), _Stream(self)
        pieces, written = self.server.answer(asked, lambda piece: stream.send(answering, answering.chunk(piece)))
        for chunk in answering.last(pieces, written, with_usage=asked.with_usage):
            stream.send(answering, chunk)
        stream.end()

    def _send(self, status: HTTPStatus, body: Mapping[str, Any]) -> None:
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", _JSON)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class's name
        """Say nothing: the clients tell what went wrong."""


class _Stream:
    """Events to one client, who may go away: what the model writes is written to its end all the same."""

    def __init__(self, handler: _Handler) -> None:
        self._handler = handler
        self._is_begun = False
        self._is_gone = False

    def send(self, answering: Answering, chunk: Mapping[str, Any]) -> None:
        """Send a chunk, with the head of the response and the first chunk before the first of them."""
        if not self._is_begun:
            self._is_begun = True
            self._handler.send_response(HTTPStatus.OK)
            self._handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self._handler.send_header("Transfer-Encoding", "chunked")
            self._handler.end_headers()
            self._write(event_of(answering.first()))
        self._write(event_of(chunk))

    def end(self) -> None:
        """Say that it is whole."""
        self._write(DONE)
        self._write(b"")

    def _write(self, data: bytes) -> None:
        if self._is_gone:
            return
        try:
            self._handler.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        except ConnectionError:
            self._is_gone = self._handler.close_connection = True
