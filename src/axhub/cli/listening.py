"""Where the commands that serve one thing listen: one parser of ports, and messages that say what to mend."""

import argparse
import errno
import os
import socket
from typing import Final

__all__ = ["MAX_PORT", "CannotListenError", "bound", "origin", "port"]

MAX_PORT: Final = 65_535
_DIGITS: Final = len(str(MAX_PORT))
_OTHER_ADDRESS: Final = "set --host to an address of this machine"


class CannotListenError(Exception):
    """Nothing can listen there; the message says where, why and how to mend it."""


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
        reason = error.strerror if isinstance(error, socket.gaierror) else "no host name"
        raise CannotListenError(_said(bare, number, f"unknown host: {reason}", _OTHER_ADDRESS)) from None
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a connection just closed does not count
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise CannotListenError(_said(bare, number, os.strerror(error.errno or 0), _mend(error, setting))) from None
    return listening


def origin(host: str, number: int) -> str:
    """Return `http://host:port`, an IPv6 address in brackets."""
    return f"http://{_authority(_bare(host), number)}"


def _bare(host: str) -> str:
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _authority(host: str, number: int) -> str:
    return f"[{host}]:{number}" if ":" in host else f"{host}:{number}"


def _said(host: str, number: int, reason: str, mend: str) -> str:
    return f"cannot listen on {_authority(host, number)} ({reason}); {mend}"


def _mend(error: OSError, setting: str) -> str:
    if error.errno in {errno.EADDRINUSE, errno.EACCES}:
        return f"set {setting} to {'a free one' if error.errno == errno.EADDRINUSE else 'one above 1023'}"
    return _OTHER_ADDRESS
