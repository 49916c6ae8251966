"""Stands on a port before a server and keeps every byte that is sent to it: what arrives, before anybody parses it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Recorder:
    """Passes connections on to `port` and keeps what the callers send."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._sent = bytearray()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.port: int = self._listening.getsockname()[1]
        self._start(self._accept)

    @property
    def url(self) -> str:
        """The endpoint of the server behind it."""
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def sent(self) -> bytes:
        """All that was sent so far, of all connections in the order in which it came."""
        with self._lock:
            return bytes(self._sent)

    def close(self) -> None:
        """End all connections and take no more."""
        with self._lock:
            sockets = [self._listening, *self._open]
        _end(*sockets)
        for thread in self._threads:
            thread.join(10)

    def _start(self, run: object, *args: object) -> threading.Thread:
        thread = threading.Thread(target=run, args=args, daemon=True)  # type: ignore[arg-type]  # a function of ours
        self._threads.append(thread)
        thread.start()
        return thread

    def _accept(self) -> None:
        with self._listening, suppress(OSError):  # it was closed
            while True:
                caller, _ = self._listening.accept()
                self._start(self._join, caller)

    def _join(self, caller: socket.socket) -> None:
        """Serve one connection until one of its sides ends it."""
        with caller, suppress(OSError), socket.create_connection(("127.0.0.1", self._target)) as server:
            for end in (caller, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open |= {caller, server}
            back = self._start(self._pass_on, server, caller, False)
            self._pass_on(caller, server, True)
            back.join()
            with self._lock:
                self._open -= {caller, server}

    def _pass_on(self, source: socket.socket, sink: socket.socket, is_kept: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(65536):
                if is_kept:
                    with self._lock:
                        self._sent += chunk
                sink.sendall(chunk)
        _end(source, sink)  # one side's end is the other's: it shows that a caller is gone


def _end(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextmanager
def recording(port: int) -> Iterator[Recorder]:
    """Record what is sent to `port` until the block ends."""
    recorder = Recorder(port)
    try:
        yield recorder
    finally:
        recorder.close()
