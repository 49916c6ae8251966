"""Where the commands that serve one thing listen: one parser of ports, and messages that say what to mend."""

import argparse
import errno
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from axhub.configuration.languages import Language

__all__ = ["MAX_PORT", "CannotListenError", "bound", "closing_on_error", "origin", "port"]

MAX_PORT: Final = 65_535
_DIGITS: Final = len(str(MAX_PORT))
_OTHER_ADDRESS: Final = ("set --host to an address of this machine", "--host 값을 이 컴퓨터의 주소로 바꾸십시오")
_REASONS: Final = {
    errno.EADDRINUSE: "이미 사용 중인 포트",
    errno.EACCES: "권한 없음",
    errno.EADDRNOTAVAIL: "이 컴퓨터의 주소가 아님",
}
"""In Korean."""


class CannotListenError(Exception):
    """Nothing can listen there; the message says where, why and how to mend it."""

    def __init__(self, english: str, korean: str) -> None:
        super().__init__(english)
        self._korean = korean

    def said(self, language: Language) -> str:
        """Return the message in a language."""
        return self._korean if language == "ko" else str(self)


def port(text: str) -> int:
    """Return the port that an option names, 0 for any free one.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"a number from 0 to {MAX_PORT}, found {text!r}")
    return int(text)


def bound(host: str, number: int, setting: str = "--port") -> socket.socket:
    """Return a socket that is bound to an address and does not listen yet.

    Args:
        host: a name or an address, an IPv6 one with or without brackets.
        number: the port, 0 for any free one.
        setting: how the port is set, for the message.

    Raises:
        CannotListenError: the host is unknown or no address of this machine, or the port cannot be had.
    """
    bare = _bare(host)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(bare, number, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError) as error:
        raise _unknown(bare, number, error) from None
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a connection just closed does not count
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise _refused(bare, number, error, setting) from None
    return listening


@contextmanager
def closing_on_error(listening: socket.socket) -> Iterator[None]:
    """Close a socket if what has to be there besides cannot be had."""
    with ExitStack() as bounds:
        bounds.enter_context(listening)
        yield
        bounds.pop_all()


def origin(host: str, number: int) -> str:
    """Return `http://host:port`, an IPv6 address in brackets."""
    return f"http://{_authority(_bare(host), number)}"


def _bare(host: str) -> str:
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _authority(host: str, number: int) -> str:
    return f"[{host}]:{number}" if ":" in host else f"{host}:{number}"


def _unknown(host: str, number: int, error: Exception) -> CannotListenError:
    reason = error.strerror if isinstance(error, socket.gaierror) else "no host name"
    return _cannot(host, number, (f"unknown host: {reason}", "알 수 없는 호스트"), _OTHER_ADDRESS)


def _refused(host: str, number: int, error: OSError, setting: str) -> CannotListenError:
    reason = os.strerror(error.errno or 0)
    mend = _OTHER_ADDRESS
    if error.errno == errno.EADDRINUSE:
        mend = f"set {setting} to a free one", f"{setting.replace(' or ', ' 또는 ')} 값을 비어 있는 포트로 바꾸십시오"
    elif error.errno == errno.EACCES:
        mend = f"set {setting} to one above 1023", f"{setting.replace(' or ', ' 또는 ')} 값을 1024 이상으로 바꾸십시오"
    return _cannot(host, number, (reason, _REASONS.get(error.errno or 0, f'"{reason}"')), mend)


def _cannot(host: str, number: int, reason: tuple[str, str], mend: tuple[str, str]) -> CannotListenError:
    """Return the error; reason and mend are in English and Korean."""
    where = _authority(host, number)
    return CannotListenError(
        f"cannot listen on {where} ({reason[0]}); {mend[0]}",
        f"{where} 주소에서 연결을 받을 수 없습니다({reason[1]}). {mend[1]}",
    )
