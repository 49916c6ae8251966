"""How the process of `axhub service` runs and ends: in order if it can, and in any case (toolkit/S6).

The first SIGTERM or SIGINT drains: the service says that it is not ready, goes on to take connections for a moment,
since callers learn of it a little later, then takes none, and gives calls in flight `drainSeconds`. A second signal
ends the process at once. So does a use case, an adapter or a thread that holds up the end.
"""

import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from axhub.configuration.languages import Language
from axhub.toolkit.service.heads import bounded_heads
from axhub.toolkit.service.options import StartError

if TYPE_CHECKING:
    from types import FrameType

    from axhub.toolkit import ToolService
    from axhub.toolkit.config.settings import ServiceSettings

__all__ = ["FAILED", "REFUSED", "STOPPED", "ServiceServer"]

STOPPED: Final = 0
FAILED: Final = 1
REFUSED: Final = 2
_EVENTS: Final = "axhub.service"
_LINGER_SECONDS: Final = 1.0
"""How long connections are taken after the service said that it is not ready: a tenth of the drain at most."""
_CLOSING_SECONDS: Final = 3.0
"""How long adapters, threads and what was left behind may take to end after the drain."""
_TELLING_SECONDS: Final = 1.0


class ServiceServer(uvicorn.Server):
    """Serves one `ToolService` on a socket until a signal comes."""

    def __init__(
        self,
        app: "ToolService",
        settings: "ServiceSettings",
        then: Callable[[], object] = lambda: None,
        language: Language = "en",
    ) -> None:
        """Take the app, prepared or not, its settings, what to do once it listens, and the language of messages."""
        self._then = then
        self._language = language
        self._drain_seconds = settings.server.drain_seconds
        self._linger = min(_LINGER_SECONDS, self._drain_seconds / 10)
        super().__init__(
            uvicorn.Config(
                app,
                http=bounded_heads(settings.language),
                log_config=None,
                access_log=False,
                lifespan="on",
                ws="none",
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=max(1, round(self._drain_seconds - self._linger)),
            )
        )
        self._app = app
        self._profile = settings.profile
        self._leaves_at: float | None = None
        self._log = logging.getLogger(_EVENTS)

    async def run_to_end(self, listening: socket.socket) -> int:
        """Start the service, serve it, and return the exit code."""
        try:
            await self._app.start()
        except StartError as error:
            print(f"axhub service: {error.said(self._language)}", file=sys.stderr)
            return REFUSED
        await self.serve(sockets=[listening])
        return STOPPED if self.started else REFUSED

    def take_signals(self) -> None:
        """Handle signals from now on until the end of the process, not only while uvicorn serves."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        if self.started:
            host, port = (sockets or [])[0].getsockname()[:2]
            self._tell(logging.INFO, "listening", host=host, port=port, profile=self._profile)
            self._then()

    def handle_exit(self, sig: int, frame: "FrameType | None") -> None:  # noqa: ARG002 - the signature of a handler
        """Drain at the first signal, end at once at the second."""
        if self._leaves_at is not None:
            threading.Thread(target=self._end, args=("a second signal",), daemon=True).start()
            return
        self._leaves_at = time.monotonic() + self._linger
        self._app.drain()
        seconds = _CLOSING_SECONDS + (self._drain_seconds if self.started else 0)
        threading.Thread(target=self._end_after, args=(seconds,), daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        """Tell uvicorn whether to take no more connections."""
        leaves = self._leaves_at is not None and time.monotonic() >= self._leaves_at
        return await super().on_tick(counter) or leaves

    def _end_after(self, seconds: float) -> None:
        time.sleep(seconds)
        self._end("not over in time")

    def _end(self, reason: str) -> None:
        """End the process whatever it does; in a thread of its own, since the main one may hang."""
        endpoint = self._app.prepare().endpoint
        fields = {"reason": reason, "callsInFlight": endpoint.in_flight, "callsAbandoned": endpoint.abandoned}
        telling = threading.Thread(target=self._tell, args=(logging.ERROR, "ended"), kwargs=fields, daemon=True)
        telling.start()
        telling.join(_TELLING_SECONDS)  # nobody may be reading the log
        os._exit(FAILED)

    def _tell(self, level: int, event: str, **fields: Any) -> None:
        self._log.log(level, event, extra={"fields": fields})
