"""The causes of failed connections, in an operator's words."""

import errno
import socket
import ssl

import pytest

from axhub.gateway.adapters.http1.unconnected import unconnected


def untrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:1)")
    error.verify_message = "certificate has expired."
    return error


def no_tls(reason: str | None) -> ssl.SSLError:
    error = ssl.SSLError(1, "[SSL] (_ssl.c:1)")
    error.reason = reason  # type: ignore[assignment]  # what the module itself leaves behind
    return error


@pytest.mark.req("gateway/M2")
@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('10.0.0.1', 80)"), "connection refused"),
        (OSError(errno.ENETUNREACH, "Connect call failed ('10.0.0.1', 80)"), "network is unreachable"),
        (ConnectionResetError(errno.ECONNRESET, "x"), "connection reset by peer"),
        (OSError("Multiple exceptions: [Errno 111] Connect call failed ('10.0.0.1', 80)"), "no connection"),
        (ConnectionResetError(), "no connection"),
        (RuntimeError("the handler is closed"), "no connection"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "name not known"),
        (UnicodeError("label too long"), "name not known"),
        (untrusted(), "certificate not trusted: certificate has expired"),
        (no_tls("WRONG_VERSION_NUMBER"), "no TLS connection: wrong version number"),
        (no_tls(None), "no TLS connection: unknown cause"),
    ],
)
def test_each_cause_has_a_short_name_without_addresses(error: Exception, cause: str) -> None:
    assert unconnected(error) == cause
