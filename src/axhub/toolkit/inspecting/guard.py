"""Keeps a trial to itself: whatever reaches out of the process is refused, and noted (rule/TK503).

It holds what honest code does through Python: it is no sandbox, and what was opened by an import is beyond it.
"""

import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from axhub.toolkit.facts.service import Located, Place
from axhub.toolkit.published.written import place_in

__all__ = ["RefusedEffectError", "guarded"]

_FILE: Final = "file"
_SOCKET: Final = "socket"
_PROCESS: Final = "process"
_FILE_EVENTS: Final = (
    "os.chflags", "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.removexattr", "os.rename", "os.rmdir",
    "os.setxattr", "os.symlink", "os.truncate", "os.utime", "shutil.chown", "shutil.copyfile", "shutil.copymode",
    "shutil.copystat", "shutil.copytree", "shutil.make_archive", "shutil.move", "shutil.rmtree",
    "shutil.unpack_archive", "tempfile.mkdtemp", "tempfile.mkstemp",
)  # fmt: skip
_SOCKET_EVENTS: Final = (
    "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname",
    "socket.getnameinfo", "socket.sendmsg", "socket.sendto", "syslog.syslog",
)  # fmt: skip
_PROCESS_EVENTS: Final = (
    "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn", "os.spawn", "os.startfile",
    "os.system", "pty.spawn", "signal.pthread_kill", "subprocess.Popen",
)  # fmt: skip
_KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(_FILE_EVENTS, _FILE),
    **dict.fromkeys(_SOCKET_EVENTS, _SOCKET),
    **dict.fromkeys(_PROCESS_EVENTS, _PROCESS),
}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class RefusedEffectError(PermissionError):
    """What the code wanted to do is not done while it is tried."""


class _Guard:
    """The hook of this process; Python takes no hook back, so it is switched on and off."""

    def __init__(self) -> None:
        self.root: Path | None = None
        """Whose lines are named; None: switched off."""
        self.refused: list[Located[str]] = []
        self._is_hooked = False

    def switch(self, root: Path | None) -> list[Located[str]]:
        if not self._is_hooked:
            self._is_hooked = True
            sys.addaudithook(self._hear)
        self.refused = []
        self.root = root
        return self.refused

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        root = self.root
        kind = None if root is None else _kind(event, given)
        if root is None or kind is None:
            return
        self.refused.append(Located(kind, _own_place(root)))
        raise RefusedEffectError(f"not while the tool is tried: {event}")


_GUARD: Final = _Guard()


@contextmanager
def guarded(root: Path) -> Iterator[list[Located[str]]]:
    """Refuse what reaches out, in all threads, and note it: `file`, `socket` or `process`, with the author's line.

    Args:
        root: whose lines are the author's.
    """
    noted = _GUARD.switch(root)
    try:
        yield noted
    finally:
        _GUARD.switch(None)


def _kind(event: str, given: tuple[Any, ...]) -> str | None:
    if event == "open":
        path, _, flags = given
        is_null = path in {os.devnull, os.devnull.encode()} if isinstance(path, str | bytes) else False
        writes = isinstance(flags, int) and bool(flags & _WRITING)
        return _FILE if writes and not isinstance(path, int) and not is_null else None
    if event == "sqlite3.connect":
        return None if given[0] == ":memory:" else _FILE
    return _KINDS.get(event)


def _own_place(root: Path) -> Place:
    """Return the author's line that is nearest; none where another thread does it for them."""
    own = [
        frame
        for frame in traceback.walk_stack(sys._getframe(1))  # noqa: SLF001 - the documented way to the calling frame
        if Path(frame[0].f_code.co_filename).is_relative_to(root) and "site-packages" not in frame[0].f_code.co_filename
    ]
    return place_in(own[0][0].f_code.co_filename, root, own[0][1]) if own else Place("")
