"""Why no connection could be made, in the operator's words: never the text of an exception (gateway/M2)."""

import os
import socket
import ssl


def unconnected(error: Exception) -> str:
    """Return the cause without addresses; what it quotes are the texts of the system and of the TLS library."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"certificate not trusted: {error.verify_message.rstrip('.')}"
    if isinstance(error, ssl.SSLError):
        return f"no TLS connection: {(error.reason or 'unknown cause').replace('_', ' ').lower()}"
    if isinstance(error, socket.gaierror | ValueError):
        return "name not known"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return "no connection"  # each address of a name failed in its own way, or the peer left at once
