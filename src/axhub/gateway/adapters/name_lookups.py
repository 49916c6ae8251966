"""How hosts' names become addresses: each asked for in a thread of its own, so that one that hangs holds up no other.

uvloop leaves it to libuv, which looks up at most two names at a time for the whole process, and goes on with those
that nobody waits for any more: two bundles whose names hang would stop the calls of all (gateway/X9, fault/F26).
"""

import asyncio
import errno
import ipaddress
import os
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final

import uvloop

MOST_AT_A_TIME: Final = 128
"""More than one bundle has names, unless it has both hundreds of tools and `allowedEndpointOrigins: ["*"]`."""

Addresses = tuple[str, ...]


def ask_the_system(host: str) -> Addresses:
    """Return the addresses of a name in the order in which to try them. Blocks, for as long as the system likes.

    Raises:
        OSError: there is no such name, or nobody answers.
        ValueError: it cannot be a name.
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


class NameLookups:
    """Looks names up for one loop, each once at a time: whoever asks for one under way waits for the same answer.

    So a name that hangs occupies one thread, however often it is asked for; nothing is kept after an answer but the
    thread, for the next name. Of more than `most` names the last wait for one. Threads are daemons: a process that
    ends does not wait for them.
    """

    def __init__(self, ask: Callable[[str], Addresses] = ask_the_system, most: int = MOST_AT_A_TIME) -> None:
        self._ask = ask
        self._most = most
        self._under_way: dict[str, asyncio.Future[Addresses | Exception]] = {}
        self._waiting: deque[str] = deque()
        self._work: SimpleQueue[tuple[str, asyncio.AbstractEventLoop] | None] = SimpleQueue()
        self._threads = 0
        self._idle = 0

    async def addresses(self, host: str) -> Addresses:
        """Return the addresses of a name; raise what asking raised, or OSError if no thread can be had."""
        answer = self._under_way.get(host)
        if answer is None:
            answer = self._under_way[host] = asyncio.get_running_loop().create_future()
            self._waiting.append(host)
            self._start()
        found = await asyncio.shield(answer)
        if isinstance(found, Exception):
            raise found
        return found

    def end(self) -> None:
        """Let the threads end, those that still ask when they have their answer."""
        for _ in range(self._threads):
            self._work.put(None)

    def _start(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and (self._idle or self._threads < self._most):
            host = self._waiting.popleft()
            if self._idle:
                self._idle -= 1
            elif not self._has_another_thread():
                self._settle(host, OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)))
                continue
            self._work.put((host, loop))

    def _has_another_thread(self) -> bool:
        try:
            threading.Thread(target=self._look_up, name="name look-ups", daemon=True).start()
        except RuntimeError:  # the system has none to spare
            return False
        self._threads += 1
        return True

    def _look_up(self) -> None:
        """Look one name up after the other, in a thread."""
        while (work := self._work.get()) is not None:
            host, loop = work
            found: Addresses | Exception
            try:
                found = self._ask(host)
            except Exception as error:  # noqa: BLE001 - it is for whoever asked
                found = error
            try:
                loop.call_soon_threadsafe(self._ended, host, found)
            except RuntimeError:  # the loop has been closed meanwhile
                return

    def _ended(self, host: str, found: Addresses | Exception) -> None:
        self._idle += 1
        self._settle(host, found)
        self._start()

    def _settle(self, host: str, found: Addresses | Exception) -> None:
        """Give the answer as a value: an exception that nobody waits for any more would be reported as a fault."""
        self._under_way.pop(host).set_result(found)


class Loop(uvloop.Loop):
    """uvloop's event loop, but for how it finds the addresses of a host to connect to."""

    def __init__(self, names: NameLookups | None = None) -> None:
        super().__init__()
        self._names = names or NameLookups()

    def close(self) -> None:
        """Close the loop; no thread of it stays but those that still ask, and they end by themselves."""
        super().close()
        self._names.end()

    async def create_connection(
        self, protocol_factory: Callable[[], Any], host: Any = None, port: Any = None, **options: Any
    ) -> tuple[Any, Any]:
        """Connect as uvloop does; the addresses of a name are tried in turn, and the first failure is told."""
        if host is None or _is_address(host):
            return await super().create_connection(protocol_factory, host, port, **options)
        if options.get("ssl") and options.get("server_hostname") is None:
            options["server_hostname"] = host
        failures: list[OSError] = []
        for address in await self._names.addresses(host):
            try:
                return await super().create_connection(protocol_factory, address, port, **options)
            except ssl.SSLError:
                raise  # it was connected; another address would not be trusted more
            except OSError as error:
                failures.append(error)
        raise failures[0] if failures else socket.gaierror(socket.EAI_NONAME, "no address")


def _is_address(host: object) -> bool:
    try:
        ipaddress.ip_address(str(host))
    except ValueError:
        return False
    return True
